/* Durations over time as a map; time is the session's interval, which the timeline shows as well. */
#include "base/units.h"
#include "draw/heat_map.h"
#include "draw/parts_words.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "view/chart_time.h"
#include "view/durations.h"
#include "view/interval.h"

/* Rows of the canvas: the legend, the ruler, the map, and what the cursor is on. */
enum { LEGEND_ROW, RULER_ROW, MAP_ROW, ROWS_AROUND = 3, AXIS_CELLS = 9, TEXT_COLUMN = 2 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* The map is counted again where the canvas, the interval or the numbers are others. */
static bool
count_spans(const struct durations *durations, struct durations_page *page, struct viewport viewport,
	int columns, int rows)
{
	struct heat_spans spans = latency_times_spans(&durations->times);
	struct error note;
	error_clear(&note);
	const struct latency *latency = &durations->latency;
	struct heat_scale scale = heat_scale_for(latency_duration_ns(latency, 0),
		latency_duration_ns(latency, latency->count - 1), rows);
	bool is_same = page->heat_of == durations && page->heat.columns == columns &&
		       page->heat.t0_ns == viewport.t0_ns && page->heat.t1_ns == viewport.t1_ns &&
		       heat_scale_equals(&page->heat.scale, &scale);
	if (is_same)
		return true;
	page->heat_of = durations;
	struct heat_columns of = { viewport.t0_ns, viewport.t1_ns, columns };
	return heat_count(&page->heat, &spans, &scale, of, &note);
}

/* The cursor stands at the session's moment; without a row that was chosen in the warmest cell there. */
static struct heat_cursor
cursor_of(const struct durations_page *page, const struct session *session)
{
	const struct heat *heat = &page->heat;
	struct heat_cursor cursor = { .column = viewport_cell(session->viewport,
					      heat->columns, session->cursor_ns) };
	if (page->has_row) {
		cursor.row = heat_row(&heat->scale, page->row_ns);
		return cursor;
	}
	for (int row = 0; row < heat->scale.rows; row++) {
		if (heat_at(heat, cursor.column, row) > heat_at(heat, cursor.column, cursor.row))
			cursor.row = row;
	}
	return cursor;
}

/* ---- drawing */

static void
draw_words(const struct durations_look *look, struct canvas *canvas, struct heat_cursor cursor)
{
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT }, dim = { .fg = STYLE_TEXT_DIM };
	const struct heat *heat = &look->page->heat;
	const struct trace *trace = look->session->trace;
	const struct latency *latency = &look->durations->latency;
	struct heat_spans spans = latency_times_spans(&look->durations->times);
	int64_t from_ns = lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, cursor.column);
	int64_t until_ns = lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, cursor.column + 1);
	size_t longest = heat_longest(heat, &spans, cursor.column, cursor.row);
	char count[UNITS_TEXT], from[UNITS_TEXT], below[UNITS_TEXT], moment[UNITS_TEXT];
	int y = canvas->height - 1;
	units_count(count, heat_at(heat, cursor.column, cursor.row));
	units_duration(from, heat_row_start_ns(&heat->scale, cursor.row), canvas->ascii);
	bool is_last = cursor.row + 1 == heat->scale.rows;
	units_duration(below, is_last ? latency_duration_ns(latency, latency->count - 1)
				      : heat_row_start_ns(&heat->scale, cursor.row + 1),
		canvas->ascii);
	time_form_write(moment, time_form_of(trace, look->session->is_wall, canvas->ascii),
		from_ns, until_ns - from_ns, trace->end_ns);
	int x = TEXT_COLUMN;
	x += canvas_string(canvas, x, y, canvas->width - x, bright, count);
	x += canvas_printf(canvas, x, y, canvas->width - x, dim, " of %s to %s, from %s on", from,
		below, moment);
	if (longest == SIZE_MAX)
		return;
	units_duration(from, latency_duration_ns(latency, spans.ranks[longest]), canvas->ascii);
	x += canvas_string(canvas, x, y, canvas->width - x, dim, ", the longest ");
	canvas_string(canvas, x, y, canvas->width - x, bright, from);
}

static void
draw_legend(const struct durations_look *look, struct canvas *canvas)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	int x = TEXT_COLUMN + canvas_string(canvas, TEXT_COLUMN, LEGEND_ROW,
				      canvas->width - TEXT_COLUMN, dim, "how many began, of each length  ");
	heat_map_legend(canvas, x, LEGEND_ROW, canvas->width - x, &look->page->heat);
}

/* Where all is full the cursor is seen beside the map as well. */
static void
point_to(const struct durations_look *look, struct canvas *canvas, struct heat_cursor cursor)
{
	int line = look->page->map_height - 1 - cursor.row / look->page->rows_per_line;
	canvas_ground(canvas, AXIS_CELLS + cursor.column, RULER_ROW, 1, STYLE_CURSOR_CELL);
	canvas_ground(canvas, 0, MAP_ROW + line, AXIS_CELLS - 1, STYLE_CURSOR_ROW);
}

void
durations_lay_out_heat(const struct durations *durations, struct durations_page *page,
	const struct session *session, const struct canvas *canvas)
{
	int height = canvas->height - ROWS_AROUND, columns = canvas->width - AXIS_CELLS;
	page->map_height = 0;
	if (height < 1 || columns < 1 || durations->latency.count == 0)
		return;
	page->rows_per_line = heat_map_rows_per_line(canvas);
	if (count_spans(durations, page, session->viewport, columns, height * page->rows_per_line))
		page->map_height = height;
}

void
durations_draw_heat(const struct durations_look *look, struct canvas *canvas)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	const struct session *session = look->session;
	const struct heat *heat = &look->page->heat;
	int height = look->page->map_height;
	if (look->durations->latency.count == 0 && canvas->height > ROWS_AROUND &&
		canvas->width > AXIS_CELLS)
		canvas_string(canvas, TEXT_COLUMN, MAP_ROW, canvas->width, dim, "there are none");
	if (height == 0)
		return;
	struct heat_cursor cursor = cursor_of(look->page, session);
	draw_legend(look, canvas);
	chart_time_draw_ruler(session, canvas, AXIS_CELLS, RULER_ROW, heat->columns);
	heat_map_draw_axis(canvas, 0, MAP_ROW, AXIS_CELLS, height, &heat->scale);
	heat_map_draw(canvas, AXIS_CELLS, MAP_ROW, height, heat, cursor);
	parts_blank(canvas, (struct cell_run){ AXIS_CELLS, MAP_ROW, heat->columns }, height,
		session->viewport, &session->trace->parts);
	point_to(look, canvas, cursor);
	draw_words(look, canvas, cursor);
}

/* ---- commands */

/* A row that holds no whole nanosecond gives way to the one below. */
static struct view_answer
choose_row(const struct durations_request *request, int64_t row)
{
	const struct heat_scale *scale = &request->page->heat.scale;
	int last = scale->rows - 1, chosen = (int)(row < 0 ? 0 : row > last ? last : row);
	while (chosen > 0 &&
		heat_row_start_ns(scale, chosen) == heat_row_start_ns(scale, chosen + 1))
		chosen--;
	request->page->has_row = true;
	request->page->row_ns = heat_row_start_ns(scale, chosen);
	return redraw;
}

static struct view_answer
open_cell(const struct durations_request *request)
{
	struct heat_cursor cursor = cursor_of(request->page, request->session);
	struct heat_spans spans = latency_times_spans(&request->durations->times);
	size_t longest = heat_longest(&request->page->heat, &spans, cursor.column, cursor.row);
	if (longest != SIZE_MAX)
		return durations_leave(request, request->durations->times.items[longest]);
	session_status(request->session, false, "nothing that long began then");
	return redraw;
}

/* The session's cursor and the row go to a span. */
static struct view_answer
select_span(const struct durations_request *request, const struct heat_spans *spans, size_t span)
{
	const struct heat *heat = &request->page->heat;
	const struct latency *latency = &request->durations->latency;
	if (span == SIZE_MAX) {
		session_status(request->session, false, "there is none");
		return redraw;
	}
	session_go_to(request->session, heat->columns,
		interval_clamp(request->session, spans->starts_ns[span]));
	struct view_answer answer =
		choose_row(request, heat_row(&heat->scale, latency_duration_ns(latency, spans->ranks[span])));
	answer.push_history = true;
	return answer;
}

static struct view_answer
go_to_longest(const struct durations_request *request)
{
	const struct heat *heat = &request->page->heat;
	struct heat_spans spans = latency_times_spans(&request->durations->times);
	return select_span(request, &spans, heat_longest_within(&spans, heat->t0_ns, heat->t1_ns));
}

/* To the next column with a span of the cursor's row, or the one before. */
static struct view_answer
go_to_next(const struct durations_request *request)
{
	const struct heat *heat = &request->page->heat;
	struct heat_spans spans = latency_times_spans(&request->durations->times);
	struct heat_cursor cursor = cursor_of(request->page, request->session);
	bool forward = request->command == COMMAND_NEXT_SPAN;
	int64_t from_ns = lane_edge(
		heat->t0_ns, heat->t1_ns, heat->columns, cursor.column + (forward ? 1 : 0));
	return select_span(request, &spans,
		heat_next(&heat->scale, &spans, cursor.row, from_ns, forward));
}

struct view_answer
durations_heat_command(const struct durations_request *request)
{
	enum { PAGE_ROWS = 8, MOST = 10000 };
	const struct heat *heat = &request->page->heat;
	long by = request->count < MOST ? request->count : MOST;
	if (heat->columns == 0) /* never drawn yet, or nothing there */
		return nothing;
	int row = cursor_of(request->page, request->session).row;
	switch ((int)request->command) {
	case COMMAND_UP:
		return choose_row(request, row + by);
	case COMMAND_DOWN:
		return choose_row(request, row - by);
	case COMMAND_PAGE_UP:
		return choose_row(request, row + by * PAGE_ROWS);
	case COMMAND_PAGE_DOWN:
		return choose_row(request, row - by * PAGE_ROWS);
	case COMMAND_FIRST_ROW:
		return choose_row(request, heat->scale.rows);
	case COMMAND_LAST_ROW:
		return choose_row(request, 0);
	case COMMAND_LONGEST_SPAN:
		return go_to_longest(request);
	case COMMAND_PREVIOUS_SPAN:
	case COMMAND_NEXT_SPAN:
		return go_to_next(request);
	case COMMAND_OPEN:
		return open_cell(request);
	default:
		return chart_time_command(
			request->session, heat->columns, request->command, request->count);
	}
}

/* Of the rows in a line of the canvas the warmest. */
static int
row_in_line(const struct durations_request *request, int line, int column)
{
	const struct heat *heat = &request->page->heat;
	int row = line * request->page->rows_per_line, end = row + request->page->rows_per_line;
	for (int other = row + 1; other < end && other < heat->scale.rows; other++)
		if (heat_at(heat, column, other) > heat_at(heat, column, row))
			row = other;
	return row;
}

struct view_answer
durations_heat_mouse(const struct durations_request *request, const struct screen_mouse *mouse)
{
	const struct heat *heat = &request->page->heat;
	int line = request->page->map_height - 1 - (mouse->y - MAP_ROW);
	if (heat->columns == 0)
		return nothing;
	struct view_answer answer =
		chart_time_mouse(request->session, AXIS_CELLS, heat->columns, mouse);
	bool is_on_map = mouse->x >= AXIS_CELLS && mouse->x - AXIS_CELLS < heat->columns &&
			 line >= 0 && line < request->page->map_height;
	if (!is_on_map || (mouse->kind != MOUSE_PRESS && mouse->kind != MOUSE_DRAG) ||
		line * request->page->rows_per_line >= heat->scale.rows)
		return answer;
	return choose_row(request, row_in_line(request, line, mouse->x - AXIS_CELLS));
}
