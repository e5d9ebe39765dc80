/* --report=slices */
#ifndef TTRACE_REPORT_SLICES_H
#define TTRACE_REPORT_SLICES_H

#include "report/report.h"

/*
 * Slices by name, the greatest total first: calls, total, own time, longest, shortest, percentiles,
 * and those that were cut or open. Of an actor, or of everything for REF_NONE. A slice that overlaps
 * the interval counts with all that it took.
 */
bool report_slices(const struct trace *trace, actor_ref actor, const struct report_options *options,
	struct text *out, struct error *err);

#endif
