/*
 * The time interval on screen and the cells it is cut into. Cell i of a viewport
 * covers [lane_edge(i), lane_edge(i + 1)), see trace/lane.h; no cell is less than
 * 1 ns wide.
 */
#ifndef TTRACE_DRAW_VIEWPORT_H
#define TTRACE_DRAW_VIEWPORT_H

#include <stdint.h>

/* [t0, t1), t0 < t1. */
struct viewport {
	int64_t t0_ns, t1_ns;
};

/* What can be looked at at all, a trace or several side by side: what the functions below call the extent. */
static inline struct viewport
viewport_extent(int64_t end_ns)
{
	return (struct viewport){ 0, end_ns };
}

/* All of the extent; beyond its end where it has less than 1 ns per cell. */
struct viewport viewport_whole(struct viewport extent, int cells);
/* The interval made to fit: 1 ns per cell or more, the whole or less, then moved inside it. */
struct viewport viewport_clamp(struct viewport viewport, struct viewport extent, int cells);

int64_t viewport_span(struct viewport viewport);
/* The cell that holds t; the first or last one for t outside. O(log cells). */
int viewport_cell(struct viewport viewport, int cells, int64_t t_ns);

/*
 * The interval with span_ns of time (made to fit) in which at_ns stands in the same cell
 * as before, unless the ends of the extent force it elsewhere.
 */
struct viewport viewport_zoom(
	struct viewport viewport, int cells, int64_t at_ns, int64_t span_ns, struct viewport extent);
/* The interval moved by delta_ns (either sign), stopping at the ends of the extent. */
struct viewport viewport_pan(struct viewport viewport, int cells, int64_t delta_ns, struct viewport extent);
/* The interval [t0, t1) with an eighth of its length on either side, as far as the extent goes. */
struct viewport viewport_fit(int64_t t0_ns, int64_t t1_ns, int cells, struct viewport extent);

#endif
