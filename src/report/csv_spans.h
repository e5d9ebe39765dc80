/* --export=csv:spans */
#ifndef TTRACE_REPORT_CSV_SPANS_H
#define TTRACE_REPORT_CSV_SPANS_H

#include "report/report.h"

/*
 * Every span of the trace, or those that overlap the interval, as a line of comma-separated
 * values below one of titles. Lane by lane, in each by time: of each actor its states, then its slices,
 * each with the name of its track for a state, its regions and mark assists; slices and sweeps of
 * processors; mark phases and stops of the world; tasks. With a query only the states that match. Nothing is held. O(spans).
 */
bool report_csv_spans(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err);

#endif
