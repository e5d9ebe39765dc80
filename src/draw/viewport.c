/* Moving and zooming an interval of time. */
#include "draw/viewport.h"

#include <assert.h>

#include "trace/lane.h"

/* 73 years: no sum below can overflow, and no trace is longer. */
#define LONGEST_NS (INT64_MAX / 4)

static int64_t
clamp_time(int64_t value_ns, int64_t least_ns, int64_t greatest_ns)
{
	if (value_ns > greatest_ns)
		value_ns = greatest_ns;
	return value_ns < least_ns ? least_ns : value_ns;
}

struct viewport
viewport_whole(struct viewport extent, int cells)
{
	extent.t0_ns = clamp_time(extent.t0_ns, -LONGEST_NS, LONGEST_NS);
	extent.t1_ns = clamp_time(extent.t1_ns, extent.t0_ns + cells, LONGEST_NS);
	return extent;
}

int64_t
viewport_span(struct viewport viewport)
{
	return viewport.t1_ns - viewport.t0_ns;
}

struct viewport
viewport_clamp(struct viewport viewport, struct viewport extent, int cells)
{
	struct viewport whole = viewport_whole(extent, cells);
	viewport.t0_ns = clamp_time(viewport.t0_ns, whole.t0_ns, whole.t1_ns);
	viewport.t1_ns = clamp_time(viewport.t1_ns, viewport.t0_ns, LONGEST_NS);
	int64_t span_ns = clamp_time(viewport_span(viewport), cells, viewport_span(whole));
	viewport.t0_ns = clamp_time(viewport.t0_ns, whole.t0_ns, whole.t1_ns - span_ns);
	viewport.t1_ns = viewport.t0_ns + span_ns;
	return viewport;
}

int
viewport_cell(struct viewport viewport, int cells, int64_t t_ns)
{
	return lane_cell_at(viewport.t0_ns, viewport.t1_ns, cells, t_ns);
}

/* Moved by so much that at_ns stands in the given cell. */
static struct viewport
put_in_cell(struct viewport viewport, int cells, int64_t at_ns, int cell)
{
	int64_t from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell);
	int64_t until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell + 1);
	int64_t delta_ns = 0;
	if (at_ns < from_ns)
		delta_ns = at_ns - from_ns;
	if (at_ns >= until_ns)
		delta_ns = at_ns - until_ns + 1;
	return (struct viewport){ viewport.t0_ns + delta_ns, viewport.t1_ns + delta_ns };
}

struct viewport
viewport_zoom(struct viewport viewport, int cells, int64_t at_ns, int64_t span_ns, struct viewport extent)
{
	int cell = viewport_cell(viewport, cells, at_ns);
	span_ns = clamp_time(span_ns, cells, viewport_span(viewport_whole(extent, cells)));
	at_ns = clamp_time(at_ns, viewport.t0_ns, viewport.t1_ns - 1);

	double part = (double)(at_ns - viewport.t0_ns) / (double)viewport_span(viewport);
	struct viewport zoomed = { .t0_ns = at_ns - (int64_t)(part * (double)span_ns) };
	zoomed.t1_ns = zoomed.t0_ns + span_ns;
	return viewport_clamp(put_in_cell(zoomed, cells, at_ns, cell), extent, cells);
}

struct viewport
viewport_pan(struct viewport viewport, int cells, int64_t delta_ns, struct viewport extent)
{
	struct viewport whole = viewport_whole(extent, cells);
	int64_t span_ns = viewport_span(viewport);
	delta_ns = clamp_time(delta_ns, whole.t0_ns - viewport.t0_ns, whole.t1_ns - viewport.t1_ns);
	struct viewport panned = { viewport.t0_ns + delta_ns, viewport.t0_ns + delta_ns + span_ns };
	return viewport_clamp(panned, extent, cells);
}

struct viewport
viewport_fit(int64_t t0_ns, int64_t t1_ns, int cells, struct viewport extent)
{
	assert(t0_ns <= t1_ns);
	t0_ns = clamp_time(t0_ns, -LONGEST_NS, LONGEST_NS);
	t1_ns = clamp_time(t1_ns, t0_ns, LONGEST_NS);
	int64_t margin_ns = (t1_ns - t0_ns) / 8;
	t0_ns = clamp_time(t0_ns - margin_ns, extent.t0_ns, LONGEST_NS);
	t1_ns = clamp_time(t1_ns + margin_ns, t0_ns, LONGEST_NS);
	if (t1_ns - t0_ns < cells) { /* a span of a few cells stands in the middle */
		t0_ns = clamp_time(t0_ns - (cells - (t1_ns - t0_ns)) / 2, extent.t0_ns, LONGEST_NS);
		t1_ns = t0_ns + cells;
	}
	return viewport_clamp(
		(struct viewport){ t0_ns, t1_ns > extent.t1_ns ? extent.t1_ns : t1_ns }, extent, cells);
}
