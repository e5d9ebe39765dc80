/* --report=tasks */
#ifndef TTRACE_REPORT_TASKS_H
#define TTRACE_REPORT_TASKS_H

#include "report/report.h"

/*
 * User tasks by type, those that took longest in all first: how many, how many of them complete,
 * and how long the complete ones took: total, mean, percentiles, maximum, and a histogram with a
 * row for each power of two.
 */
bool report_tasks(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err);

#endif
