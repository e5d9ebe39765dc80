/* --report=stw and utilisation: the stops of the world and the processors in numbers. */
#ifndef TTRACE_REPORT_COLLECTOR_H
#define TTRACE_REPORT_COLLECTOR_H

#include "report/report.h"

/*
 * A row for each stop of the world, the longest first; with a query those of an actor of which a
 * state within matches. O(ranges), with a query O(stops log n) more.
 */
bool report_stw(const struct trace *trace, const struct report_options *options, struct text *out,
                struct error *err);
/*
 * The interval in as many equal parts as the limit says (50 without one; at most 100,000): how many
 * processors were busy, actors ready, and system calls going on, on the average; with a query in
 * states that match. O(parts log n), with a query O(states) more.
 */
bool report_utilisation(const struct trace *trace, const struct report_options *options,
                        struct text *out, struct error *err);

#endif
