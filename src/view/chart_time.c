/* Moving along charts over time. */
#include "view/chart_time.h"

#include "draw/area.h"
#include "draw/parts_words.h"
#include "draw/ruler.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "view/interval.h"

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

static struct view_answer
show_all(struct session *session, int cells)
{
	session->viewport = viewport_whole(session_extent(session), cells);
	return redraw_step;
}

static struct view_answer
go_to(struct session *session, int cells, int64_t t_ns)
{
	session_go_to(session, cells, interval_clamp(session, t_ns));
	return redraw_step;
}

struct view_answer
chart_time_command(struct session *session, int cells, enum command command, long count)
{
	switch ((int)command) {
	case COMMAND_LEFT:
		interval_move_cursor(session, cells, -(int64_t)count);
		return redraw;
	case COMMAND_RIGHT:
		interval_move_cursor(session, cells, count);
		return redraw;
	case COMMAND_PAN_LEFT:
		interval_pan(session, cells, -(int64_t)count);
		return redraw;
	case COMMAND_PAN_RIGHT:
		interval_pan(session, cells, count);
		return redraw;
	case COMMAND_ZOOM_IN:
		return interval_zoom(session, cells, count) ? redraw_step : nothing;
	case COMMAND_ZOOM_OUT:
		return interval_zoom(session, cells, -(int64_t)count) ? redraw_step : nothing;
	case COMMAND_FIT_ALL:
		return show_all(session, cells);
	case COMMAND_TRACE_START:
		return go_to(session, cells, session_extent(session).t0_ns);
	case COMMAND_TRACE_END:
		return go_to(session, cells, session_extent(session).t1_ns);
	case COMMAND_UNDO:
	case COMMAND_REDO:
		return redraw;
	default:
		return nothing;
	}
}

struct view_answer
chart_time_mouse(struct session *session, int x, int cells, const struct screen_mouse *mouse)
{
	int column = mouse->x - x;
	if (column < 0 || column >= cells || mouse->kind == MOUSE_RELEASE)
		return nothing;
	session->cursor_ns = interval_clamp(session,
		lane_edge(session->viewport.t0_ns, session->viewport.t1_ns, cells, column));
	if (mouse->kind == MOUSE_WHEEL_UP)
		interval_zoom(session, cells, 1);
	if (mouse->kind == MOUSE_WHEEL_DOWN)
		interval_zoom(session, cells, -1);
	return redraw;
}

void
chart_time_draw_ruler(
	const struct session *session, struct canvas *canvas, int x, int y, int cells)
{
	const struct trace *trace = session->trace;
	ruler_hatch(canvas, x, y, cells, session->viewport, &trace->damage);
	if (session->notes != NULL)
		ruler_note(canvas, x, y, cells, session->viewport, session->notes);
	ruler_draw(canvas, x, y, cells, session->viewport,
		time_form_of(trace, session->is_wall, canvas->ascii));
	parts_hatch(canvas, (struct cell_run){ x, y, cells }, session->viewport, &trace->parts);
}

static void
lay_marked(const struct session *session, struct canvas *canvas, int x, int y, int cells, int height)
{
	struct viewport viewport = session->viewport;
	int64_t from_ns, until_ns;
	if (!session_marked(session, &from_ns, &until_ns) || until_ns < viewport.t0_ns ||
		from_ns >= viewport.t1_ns)
		return;
	int first = viewport_cell(viewport, cells, from_ns);
	int last = viewport_cell(viewport, cells, until_ns);
	for (int row = 0; row < height; row++)
		canvas_underlay(canvas, x + first, y + row, last - first + 1, STYLE_SELECTION);
}

void
chart_time_draw_cursor(const struct session *session, struct canvas *canvas, int x, int y,
	int cells, int height)
{
	int column = viewport_cell(session->viewport, cells, session->cursor_ns);
	parts_blank(canvas, (struct cell_run){ x, y, cells }, height, session->viewport,
		&session->trace->parts);
	area_draw_cursor(canvas, x + column, y, height);
	lay_marked(session, canvas, x, y, cells, height);
}
