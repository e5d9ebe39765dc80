/* The mouse on the timeline: a click selects, the wheel zooms where it is, a drag measures. */
#include "draw/label.h"
#include "trace/lane.h"
#include "view/timeline_state.h"

enum { WHEEL_ROWS = 3 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static bool
is_on_lanes(const struct timeline *timeline, const struct screen_mouse *mouse)
{
	return mouse->x >= timeline->layout.label_cells;
}

/* The moment under the mouse: the start of its cell. */
static int64_t
moment_at(const struct timeline *timeline, const struct session *session, int x)
{
	struct viewport viewport = session->viewport;
	int cells = timeline->layout.cells, cell = x - timeline->layout.label_cells;
	if (cell < 0)
		cell = 0;
	if (cell >= cells)
		cell = cells - 1;
	return lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell);
}

/* Selects the row under the mouse; above and below the rows it stays: false. */
static bool
select_row(struct timeline *timeline, struct session *session, int y)
{
	int line = y - timeline->layout.rows_y;
	if (line < 0 || line >= timeline->layout.row_lines)
		return false;
	size_t row = timeline_row_at(&timeline->layout, timeline->first_row, line);
	if (row >= timeline->rows.count)
		return false;
	timeline_select_row(timeline, session, row);
	return true;
}

static struct view_answer
press(struct timeline *timeline, struct session *session, const struct screen_mouse *mouse)
{
	struct timeline_request request = {
		.timeline = timeline, .session = session, .command = COMMAND_PIN_LANE, .count = 1
	};
	if (select_row(timeline, session, mouse->y)) {
		if (mouse->x == label_fold_column(&timeline->rows, timeline->cursor_row,
					timeline->layout.label_cells))
			return timeline_fold(&request);
		if (mouse->x == 0)
			return timeline_pin(&request);
	}
	if (is_on_lanes(timeline, mouse))
		timeline_go_to(timeline, session, moment_at(timeline, session, mouse->x));
	timeline->pressed_ns = session->cursor_ns;
	timeline->is_dragging = is_on_lanes(timeline, mouse);
	return redraw;
}

static struct view_answer
drag(struct timeline *timeline, struct session *session, const struct screen_mouse *mouse)
{
	if (!timeline->is_dragging)
		return nothing;
	session_mark(session, timeline->pressed_ns);
	timeline_go_to(timeline, session, moment_at(timeline, session, mouse->x));
	return redraw;
}

/* Beside the lanes the wheel turns through the rows. */
static struct view_answer
turn(struct timeline *timeline, struct session *session, const struct screen_mouse *mouse)
{
	bool is_up = mouse->kind == MOUSE_WHEEL_UP;
	struct timeline_request request = { .timeline = timeline, .session = session };
	if (!is_on_lanes(timeline, mouse)) {
		request.command = is_up ? COMMAND_UP : COMMAND_DOWN;
		request.count = WHEEL_ROWS;
		return timeline_move_row(&request);
	}
	session->cursor_ns = moment_at(timeline, session, mouse->x);
	request.command = is_up ? COMMAND_ZOOM_IN : COMMAND_ZOOM_OUT;
	request.count = 1;
	return timeline_zoom(&request);
}

struct view_answer
timeline_mouse(void *state, struct session *session, const struct screen_mouse *mouse)
{
	struct timeline *timeline = state;
	switch (mouse->kind) {
	case MOUSE_PRESS:
		return press(timeline, session, mouse);
	case MOUSE_DRAG:
		return drag(timeline, session, mouse);
	case MOUSE_RELEASE:
		timeline->is_dragging = false;
		return nothing;
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		return turn(timeline, session, mouse);
	}
	return nothing;
}
