/* The timeline's cursor, rows and interval of time. */
#include "trace/lane.h"
#include "view/interval.h"
#include "view/timeline_state.h"

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

static int64_t
count_of(const struct timeline_request *request)
{
	return request->count > INTERVAL_LARGEST_COUNT ? INTERVAL_LARGEST_COUNT : request->count;
}

/* ---- the cursor */

void
timeline_go_to(struct timeline *timeline, struct session *session, int64_t t_ns)
{
	session_go_to(session, timeline->layout.cells, interval_clamp(session, t_ns));
}

static bool
is_hidden(const struct timeline *timeline, struct lane lane)
{
	return rows_leave_out(&timeline->rows, lane);
}

/* Rows that do not have the lane give way to those that do. */
static bool
leave_for(struct timeline *timeline, struct session *session, struct lane lane, struct error *err)
{
	struct timeline_rows *rows = &timeline->rows;
	if (rows_find(rows, lane) == ROW_NONE && rows->focus.actor != REF_NONE) {
		if (!rows_focus(rows, REF_NONE, err))
			return false;
		session->focus = REF_NONE;
	}
	if (rows_find(rows, lane) != ROW_NONE)
		return true;
	if (lane.type == LANE_TASK)
		return timeline_show_tasks(timeline, session, TASKS_ALL, lane.ref, err);
	if (session->tasks != TASKS_OFF &&
		!timeline_show_tasks(timeline, session, TASKS_OFF, session->task, err))
		return false;
	if (rows->interacts.away != NULL && rows_find(rows, lane) == ROW_NONE) {
		session->interacts.steps = 0;
		timeline_follow_interacts(timeline, session);
	}
	return true;
}

/* By itself or with its group. */
static bool
is_hidden_lane(const struct session *session, struct lane lane)
{
	const struct row_picks *hidden = &session->hidden;
	if (row_picks_has(hidden, session->trace, row_of_lane(lane)))
		return true;
	if (hidden->count == 0 || lane.type != LANE_ACTOR)
		return false;
	struct lane group = { LANE_GROUP, trace_group_of(session->trace, lane.ref) };
	return row_picks_has(hidden, session->trace, row_of_lane(group));
}

bool
timeline_go_to_lane(struct timeline *timeline, struct session *session, struct lane lane,
	int64_t t_ns, struct error *err)
{
	if (!leave_for(timeline, session, lane, err))
		return false;
	if (is_hidden(timeline, lane)) {
		session->filter_mode = FILTER_DIMS;
		timeline_follow_filter(timeline, session);
	}
	if (is_hidden_lane(session, lane)) {
		session->hidden.count = 0;
		session_status(session, false, "what was hidden is shown again");
		if (!rows_hide(&timeline->rows, &session->hidden, err))
			return false;
	}
	if (!rows_reveal(&timeline->rows, lane, err))
		return false;
	size_t row = rows_find(&timeline->rows, lane);
	if (row != ROW_NONE)
		timeline_select_row(timeline, session, row);
	timeline_go_to(timeline, session, t_ns);
	return true;
}

void
timeline_cell(const struct timeline *timeline, const struct session *session, int64_t *from_ns,
	int64_t *until_ns)
{
	struct viewport viewport = session->viewport;
	int cells = timeline->layout.cells;
	int cell = viewport_cell(viewport, cells, session->cursor_ns);
	*from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell);
	*until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell + 1);
}

struct view_answer
timeline_move_cursor(const struct timeline_request *request)
{
	bool is_left = request->command == COMMAND_LEFT;
	interval_move_cursor(request->session, request->timeline->layout.cells,
		is_left ? -(int64_t)request->count : request->count);
	return redraw;
}

struct view_answer
timeline_go_to_end(const struct timeline_request *request)
{
	struct viewport extent = session_extent(request->session);
	int64_t t_ns = request->command == COMMAND_TRACE_START ? extent.t0_ns : extent.t1_ns;
	timeline_go_to(request->timeline, request->session, t_ns);
	return redraw_step;
}

/* ---- rows */

static int64_t
row_after(const struct timeline_request *request)
{
	const struct timeline *timeline = request->timeline;
	int64_t row = (int64_t)timeline->cursor_row, count = count_of(request);
	int64_t page = timeline->layout.row_lines > 1 ? timeline->layout.row_lines - 1 : 1;
	const int64_t rows[] = {
		[COMMAND_UP] = row - count,
		[COMMAND_DOWN] = row + count,
		[COMMAND_PAGE_UP] = row - count * page,
		[COMMAND_PAGE_DOWN] = row + count * page,
		[COMMAND_FIRST_ROW] = 0,
		[COMMAND_LAST_ROW] = INT64_MAX,
	};
	return rows[request->command];
}

/* Down from what stays on top it goes on with the rows on the screen, wherever these are. */
struct view_answer
timeline_move_row(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	int64_t last = (int64_t)timeline->rows.count - 1, pinned = timeline->layout.pinned_lines;
	int64_t row = row_after(request);
	bool comes_down = (int64_t)timeline->cursor_row < pinned && row >= pinned;
	if (comes_down && row <= last && (int64_t)timeline->first_row > pinned)
		row += (int64_t)timeline->first_row - pinned;
	if (request->command == COMMAND_FIRST_ROW)
		timeline->first_row = 0;
	if (request->session->panes != NULL && request->count == 1 &&
		(request->command == COMMAND_UP || request->command == COMMAND_DOWN) &&
		(row < 0 || row > last))
		return (struct view_answer){ .reaction = row < 0 ? VIEW_PANE_ABOVE : VIEW_PANE_BELOW };
	row = row > last ? last : row;
	timeline_select_row(timeline, request->session, row < 0 ? 0 : (size_t)row);
	return redraw;
}

static struct view_answer
report_failure(const struct timeline_request *request, const struct error *err)
{
	session_status(request->session, true, "%s", err->message);
	return redraw;
}

/* The row that folds with this one: itself, the first of those without a heading, or what holds it. */
static size_t
fold_row_of(const struct timeline_rows *rows, size_t row)
{
	uint8_t depth = rows->items[row].depth;
	enum row_section part = row_part_of(rows->items[row]);
	while (part != SECTION_COUNT && row > 0 && row_part_of(rows->items[row - 1]) == part)
		row--;
	if (row_can_fold(rows, row) || depth == 0)
		return row;
	while (row > 0 && (rows->items[row].depth >= depth || !row_can_fold(rows, row)))
		row--;
	return row;
}

static struct view_answer
toggle(const struct timeline_request *request, size_t row)
{
	const struct timeline_rows *rows = &request->timeline->rows;
	struct lane lane;
	struct error err;
	error_clear(&err);
	if (rows->items[row].type == ROW_PROCESSOR && row_lane(rows, row, &lane) &&
		timeline_do_later(request, lane))
		return redraw;
	if (!rows_toggle(&request->timeline->rows, row, &err))
		return report_failure(request, &err);
	timeline_select_row(request->timeline, request->session, row);
	return redraw;
}

struct view_answer
timeline_fold(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	size_t row = fold_row_of(&timeline->rows, timeline->cursor_row);
	if (!row_can_fold(&timeline->rows, row)) {
		session_status(request->session, false, "nothing folds here");
		return redraw;
	}
	return toggle(request, row);
}

struct view_answer
timeline_fold_panel(const struct timeline_request *request)
{
	struct error err;
	error_clear(&err);
	if (!rows_toggle_section(&request->timeline->rows, SECTION_PANEL, &err))
		return report_failure(request, &err);
	return redraw;
}

/* Goes to what the cell shows beside the cursor: its longest span, its first wake or its sample. */
static bool
go_to_shown(const struct timeline_request *request, struct error *err)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	const struct row *row = &timeline->rows.items[timeline->cursor_row];
	int64_t from_ns, until_ns;
	struct lane lane;
	struct span span;
	timeline_cell(timeline, session, &from_ns, &until_ns);
	if (row->type == ROW_WAKES) {
		if (!wake_find(session->trace, (enum wake_row)row->ref, from_ns, true, &span) ||
			span.start_ns >= until_ns)
			return false;
		lane = (struct lane){ LANE_ACTOR, span.actor };
	} else if (row->type == ROW_SAMPLES) {
		if (!timeline_sample_here(request, &lane, &span.start_ns))
			return false;
	} else if (!row_lane(&timeline->rows, timeline->cursor_row, &lane) ||
		   !lane_longest(session->trace, lane, from_ns, until_ns, CLASS_MASK_ALL, &span)) {
		return false;
	}
	int64_t t_ns = span.start_ns > from_ns ? span.start_ns : from_ns;
	return timeline_go_to_lane(timeline, session, lane, t_ns, err);
}

/* The page of a slice, which the cell may show beside the cursor. */
static struct view_answer
open_slice(const struct timeline_request *request, const struct slice *slice)
{
	struct session *session = request->session;
	int64_t from_ns, until_ns;
	timeline_cell(request->timeline, session, &from_ns, &until_ns);
	if (session->cursor_ns < slice->start_ns || session->cursor_ns >= slice->end_ns)
		timeline_go_to(request->timeline, session,
			slice->start_ns > from_ns ? slice->start_ns : from_ns);
	session->asks_slice = true;
	session->asked_column = slice->column;
	session->asked_slice = slice->index;
	return (struct view_answer){
		.reaction = VIEW_OPEN, .open_name = "slice", .push_history = true
	};
}

struct view_answer
timeline_open(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct error err;
	struct slice slice;
	struct span span;
	task_ref task;
	error_clear(&err);
	if (timeline_task(timeline, &task))
		return (struct view_answer){
			.reaction = VIEW_OPEN, .open_name = "task", .push_history = true
		};
	uint8_t type = timeline->rows.items[timeline->cursor_row].type;
	if (type == ROW_SECTION || type == ROW_STEP || type == ROW_GROUP)
		return toggle(request, timeline->cursor_row);
	if (timeline_whole_slice(timeline, request->session, &slice))
		return open_slice(request, &slice);
	if (timeline_span(timeline, request->session, &span) || go_to_shown(request, &err))
		return (struct view_answer){
			.reaction = VIEW_OPEN, .open_name = "detail", .push_history = true
		};
	if (err.kind != ERROR_NONE)
		return report_failure(request, &err);
	session_status(request->session, false, "no span here: [ and ] go to the nearest ones");
	return redraw;
}

/* ---- the interval */

struct view_answer
timeline_pan(const struct timeline_request *request)
{
	bool is_left = request->command == COMMAND_PAN_LEFT;
	interval_pan(request->session, request->timeline->layout.cells,
		is_left ? -(int64_t)request->count : request->count);
	return redraw;
}

struct view_answer
timeline_zoom(const struct timeline_request *request)
{
	bool is_in = request->command == COMMAND_ZOOM_IN;
	bool has_changed = interval_zoom(request->session, request->timeline->layout.cells,
		is_in ? request->count : -(int64_t)request->count);
	return has_changed ? redraw_step : nothing;
}

struct view_answer
timeline_fit_all(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct error err;
	error_clear(&err);
	if (request->timeline->rows.focus.actor != REF_NONE) {
		struct lane lane = { LANE_ACTOR, request->timeline->rows.focus.actor };
		if (!timeline_focus_actor(request->timeline, session, REF_NONE, &err) ||
			!timeline_go_to_lane(
				request->timeline, session, lane, session->cursor_ns, &err))
			return report_failure(request, &err);
	}
	session->viewport = viewport_whole(session_extent(session), request->timeline->layout.cells);
	return redraw_step;
}

struct view_answer
timeline_fit_selection(const struct timeline_request *request)
{
	struct session *session = request->session;
	int64_t from_ns, until_ns;
	struct span span;
	task_ref task;
	if (!session_marked(session, &from_ns, &until_ns) || from_ns == until_ns) {
		if (timeline_task(request->timeline, &task)) {
			timeline_fit_task(request->timeline, session, task);
			return redraw_step;
		}
		struct slice slice;
		if (timeline_slice(request->timeline, session, &slice)) {
			from_ns = slice.start_ns;
			until_ns = slice.end_ns;
		} else if (timeline_span(request->timeline, session, &span)) {
			from_ns = span.start_ns;
			until_ns = span.end_ns;
		} else {
			session_status(session, false, "no span here to fit to the screen");
			return redraw;
		}
	}
	session->viewport =
		viewport_fit(from_ns, until_ns, request->timeline->layout.cells, session_extent(session));
	if (session->cursor_ns < session->viewport.t0_ns ||
		session->cursor_ns >= session->viewport.t1_ns)
		session->cursor_ns = interval_clamp(session, from_ns); /* of the marks */
	return redraw_step;
}
