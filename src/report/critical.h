/* --report=critical-path and why */
#ifndef TTRACE_REPORT_CRITICAL_H
#define TTRACE_REPORT_CRITICAL_H

#include "report/report.h"

/*
 * The critical path of an actor, or of a task, within the options' interval: its shares as a
 * table, then part by part back in time. With REF_NONE for both that of the actor that
 * ran last in the interval.
 */
bool report_critical(const struct trace *trace, actor_ref actor, task_ref task,
                     const struct report_options *options, struct text *out, struct error *err);
/* Why an actor was not running at the options' cursor: the parts of that wait's path. */
bool report_why(const struct trace *trace, actor_ref actor, const struct report_options *options,
                struct text *out, struct error *err);

#endif
