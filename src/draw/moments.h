/*
 * Where on each actor, and on each group of them, the rare things are that a
 * cell must not hide: logs, and the beginnings of stops of the world. Built once for a frozen
 * trace.
 */
#ifndef TTRACE_DRAW_MOMENTS_H
#define TTRACE_DRAW_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/strip.h"
#include "draw/viewport.h"
#include "trace/span.h"
#include "trace/trace.h"

/* Moments by key, ascending within each. */
struct moment_index {
	uint32_t *first; /* key -> index into time_ns; one more at the end */
	int64_t *time_ns;
	uint32_t key_count;
};

/* Zero-initialised knows of nothing. */
struct moments {
	struct moment_index actor_logs, group_logs, actor_stops, group_stops;
};

/*
 * O(instants + actors), of a trace that begins with the world stopped O(ranges) as well. On
 * failure nothing is held.
 */
bool moments_build(struct moments *moments, const struct trace *trace, struct error *err);
void moments_release(struct moments *moments);

/*
 * Adds the marks of each of `count` cells of the viewport on the lane of an actor or a group:
 * STRIP_MARK_LOG where it logged within, STRIP_MARK_STW where it began to stop the world. None on
 * other lanes. O(cells that get one * log n).
 */
void moments_mark(const struct moments *moments, struct lane lane, struct viewport viewport,
	struct strip_cell *cells, int count);
/* The logs of an actor or a group within [t0, t1), t0 <= t1. O(log n). */
uint32_t moments_log_count(
	const struct moments *moments, struct lane lane, int64_t t0_ns, int64_t t1_ns);

#endif
