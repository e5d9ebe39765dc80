/* --task=ID in print, and --report=task:ID. */
#ifndef TTRACE_REPORT_TASK_H
#define TTRACE_REPORT_TASK_H

#include "report/report.h"

/*
 * A user task: what it is, its time by the worst state of the actors that work for it, what
 * each of these did for it, and its regions and logs one by one. Of an interval in the options
 * only what lies within it is told, and with a query only what actors did for it in states that
 * match: their time, and of regions and logs those during one.
 */
bool report_task(const struct trace *trace, task_ref task, const struct report_options *options,
                 struct text *out, struct error *err);

#endif
