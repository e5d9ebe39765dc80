/* How long user regions took and what their goroutines did in them, by name and place. */
#ifndef TTRACE_ANALYSIS_REGIONS_H
#define TTRACE_ANALYSIS_REGIONS_H

#include "analysis/goroutines.h"

/*
 * A row for each region that overlaps [t0, t1), of that time only, and of the states that `only`
 * matches (NULL: of all). What began before the trace or did not end in it counts from or to its
 * ends. Functions are those with the same name and the same innermost frame where they began.
 * `name`: only regions of that name, NULL: all. O(states of the goroutines that have regions, and n
 * log n). Release with goroutines_release() after success.
 */
bool regions_build(struct goroutine_times *times, const struct trace *trace, int64_t t0_ns,
	int64_t t1_ns, const string_id *name, const struct search *only, struct error *err);

#endif
