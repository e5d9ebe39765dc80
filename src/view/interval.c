/* The cursor and the interval of time. */
#include "view/interval.h"

#include "trace/lane.h"

static int64_t
limit_count(int64_t count)
{
	if (count > INTERVAL_LARGEST_COUNT)
		return INTERVAL_LARGEST_COUNT;
	return count < -INTERVAL_LARGEST_COUNT ? -INTERVAL_LARGEST_COUNT : count;
}

int64_t
interval_clamp(const struct session *session, int64_t t_ns)
{
	struct viewport extent = session_extent(session);
	if (t_ns >= extent.t1_ns)
		t_ns = extent.t1_ns - 1;
	return t_ns < extent.t0_ns ? extent.t0_ns : t_ns;
}

void
interval_move_cursor(struct session *session, int cells, int64_t steps)
{
	int64_t cell = viewport_cell(session->viewport, cells, session->cursor_ns) +
		       limit_count(steps);
	int64_t beyond = cell < 0 ? cell : cell >= cells ? cell - cells + 1 : 0;
	if (beyond != 0) {
		int64_t per_cell_ns = viewport_span(session->viewport) / cells;
		int64_t most = INT64_MAX / 2 / (per_cell_ns + 1);
		beyond = beyond > most ? most : beyond < -most ? -most : beyond;
		session->viewport = viewport_pan(session->viewport, cells, beyond * per_cell_ns,
			session_extent(session));
		cell = cell < 0 ? 0 : cells - 1;
	}
	session->cursor_ns = interval_clamp(session,
		lane_edge(session->viewport.t0_ns, session->viewport.t1_ns, cells, (int)cell));
}

void
interval_pan(struct session *session, int cells, int64_t halves)
{
	int64_t half_ns = viewport_span(session->viewport) / 2 + 1;
	int64_t most = INT64_MAX / 2 / half_ns, count = limit_count(halves);
	int64_t delta_ns = half_ns * (count > most ? most : count < -most ? -most : count);
	struct viewport before = session->viewport;
	session->viewport = viewport_pan(before, cells, delta_ns, session_extent(session));
	int64_t moved_ns = session->viewport.t0_ns - before.t0_ns;
	session->cursor_ns = interval_clamp(
		session, session->cursor_ns + (moved_ns != 0 ? moved_ns : delta_ns));
	if (session->cursor_ns < session->viewport.t0_ns)
		session->cursor_ns = session->viewport.t0_ns;
	if (session->cursor_ns >= session->viewport.t1_ns)
		session->cursor_ns = session->viewport.t1_ns - 1;
}

bool
interval_zoom(struct session *session, int cells, int64_t steps)
{
	enum { MOST_STEPS = 62 };
	struct viewport before = session->viewport;
	int64_t span_ns = viewport_span(before);
	for (int64_t i = 0; i < steps && i < MOST_STEPS; i++)
		span_ns = span_ns / 2 > 0 ? span_ns / 2 : 1;
	for (int64_t i = 0; i > steps && i > -MOST_STEPS; i--)
		span_ns = span_ns > INT64_MAX / 4 ? span_ns : span_ns * 2;
	session->viewport = viewport_zoom(
		before, cells, session->cursor_ns, span_ns, session_extent(session));
	return session->viewport.t0_ns != before.t0_ns || session->viewport.t1_ns != before.t1_ns;
}
