/* How long user regions took and what their actors did in them, by name and place. */
#ifndef TTRACE_ANALYSIS_REGIONS_H
#define TTRACE_ANALYSIS_REGIONS_H

#include "analysis/actors.h"

/*
 * A row for each region that overlaps the interval of the scope, whose `function` is not looked at.
 * What began before the trace or did not end in it counts from or to its ends. Functions are those
 * with the same name and the same innermost frame where they began. O(states of the actors that
 * have regions, and n log n). ERROR_CANCELLED where the watch says so. Release with
 * actors_release() after success.
 */
bool regions_build(struct actor_times *times, const struct trace *trace,
	const struct actors_scope *scope, struct error *err);

#endif
