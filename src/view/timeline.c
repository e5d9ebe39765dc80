/*
 * The timeline view: its state, which command does what, and drawing. Where things
 * stand on the screen is known from the last frame.
 */
#include "view/timeline.h"

#include <string.h>

#include "analysis/beneath/lanes.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/row_marks.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "view/panes.h"
#include "view/timeline_state.h"
#include "view/verdict.h"

/* Before the first frame commands reckon with this many cells. */
enum { USUAL_WIDTH = 80, USUAL_HEIGHT = 23 };

/* ---- opening */

static void
timeline_close(void *state)
{
	struct timeline *timeline = state;
	timeline_stop_interacts(timeline);
	timeline_stop_later(timeline);
	flows_release(&timeline->flows);
	rows_release(&timeline->rows);
	timeline_buffers_release(&timeline->buffers);
	text_release(&timeline->filter_words);
	memory_free(timeline);
}

/* On the lane of a task, unfolded, as options ask for. */
static bool
open_on_task(struct timeline *timeline, struct session *session, struct error *err)
{
	if (!timeline_show_tasks(timeline, session, session->tasks, session->task, err))
		return false;
	return row_is_open(&timeline->rows, timeline->cursor_row) ||
	       rows_toggle(&timeline->rows, timeline->cursor_row, err);
}

static bool
show_what_was_asked(struct timeline *timeline, struct session *session, struct error *err)
{
	if (session->has_stacks && !timeline_show_stacks(timeline, session, session->stacks, err))
		return false;
	if (session->tasks != TASKS_OFF)
		return open_on_task(timeline, session, err);
	if (session->focus != REF_NONE)
		return timeline_focus_actor(timeline, session, session->focus, err);
	timeline_select_row(timeline, session, rows_first_lane(&timeline->rows));
	return true;
}

static void *
timeline_open_view(struct session *session, struct error *err)
{
	struct timeline *timeline = memory_realloc(NULL, sizeof *timeline);
	if (timeline == NULL) {
		error_set_memory(err, "the timeline");
		return NULL;
	}
	*timeline = (struct timeline){ .layout = timeline_layout(USUAL_WIDTH, USUAL_HEIGHT, true) };
	struct row_marks *early =
		session->awaits_marks ? row_marks_new_early(session->trace, err) : NULL;
	bool is_fine = rows_init(&timeline->rows, session->trace, session_lane_order(session),
		session->awaits_marks ? early : session->marks, err);
	row_marks_free(early);
	if (!is_fine) {
		memory_free(timeline);
		return NULL;
	}
	timeline->rows.wake = session->wake;
	timeline->rows.wake_context = session->wake_context;
	if ((session->height > 0 && !rows_set_size(&timeline->rows,
					    timeline_rows_size(session->height), err)) ||
		!rows_hide(&timeline->rows, &session->hidden, err) ||
		!rows_pin(&timeline->rows, &session->pinned, err) ||
		!show_what_was_asked(timeline, session, err)) {
		timeline_close(timeline);
		return NULL;
	}
	return timeline;
}

/* ---- rows and lanes */

void
timeline_select_row(struct timeline *timeline, struct session *session, size_t row)
{
	timeline->cursor_row = row;
	session->has_lane =
		row < timeline->rows.count && row_lane(&timeline->rows, row, &session->lane);
	timeline_note_task(timeline, session);
}

bool
timeline_span(const struct timeline *timeline, const struct session *session, struct span *span)
{
	struct lane lane;
	return timeline->cursor_row < timeline->rows.count &&
	       row_lane(&timeline->rows, timeline->cursor_row, &lane) &&
	       lane_span_at(session->trace, lane, session->cursor_ns, span);
}

actor_ref
timeline_selected_actor(const struct timeline *timeline, const struct session *session)
{
	struct lane lane;
	struct span span;
	if (timeline->cursor_row < timeline->rows.count &&
		row_lane(&timeline->rows, timeline->cursor_row, &lane) &&
		lane.type == LANE_ACTOR)
		return lane.ref;
	return timeline_span(timeline, session, &span) ? span.actor : REF_NONE;
}

bool
timeline_focus_actor(struct timeline *timeline, struct session *session,
	actor_ref actor, struct error *err)
{
	if (!rows_focus(&timeline->rows, actor, err))
		return false;
	session->focus = actor;
	timeline->first_row = 0;
	timeline_select_row(timeline, session,
		actor == REF_NONE ? rows_first_lane(&timeline->rows) : timeline->rows.pin_count);
	return true;
}

void
timeline_follow_session(struct timeline *timeline, struct session *session)
{
	struct lane here;
	struct error ignored;
	error_clear(&ignored);
	if (session->asks_slice) {
		struct slice slice;
		session->asks_slice = false;
		slices_get(session->trace->slices, session->asked_column, session->asked_slice, &slice);
		(void)timeline_go_to_slice(timeline, session, &slice, &ignored);
		return;
	}
	if (!session->has_lane)
		return;
	if (timeline->cursor_row < timeline->rows.count &&
		row_lane(&timeline->rows, timeline->cursor_row, &here) &&
		here.type == session->lane.type && here.ref == session->lane.ref)
		return;
	/* Without memory the row stays what it was. */
	(void)timeline_go_to_lane(
		timeline, session, session->lane, session->cursor_ns, &ignored);
}

/* ---- more of the trace */

static void
clamp_row(struct timeline *timeline)
{
	size_t count = timeline->rows.count;
	if (timeline->cursor_row >= count)
		timeline->cursor_row = count > 0 ? count - 1 : 0;
}

void
timeline_keep_line(struct timeline *timeline, int line)
{
	timeline_layout_pins(&timeline->layout, timeline->rows.pin_count);
	size_t pinned = (size_t)timeline->layout.pinned_lines;
	size_t above = line > 0 && (size_t)line > pinned ? (size_t)line - pinned : 0;
	if (timeline->cursor_row >= pinned)
		timeline->first_row = timeline->cursor_row > above ? timeline->cursor_row - above : 0;
}

/* The cursor's row stays the same, on the same line of the screen. */
static bool
timeline_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct timeline *timeline = state;
	struct timeline_rows *rows = &timeline->rows;
	timeline->flows_trace = NULL;
	if (trace_ungrouped(before) != trace_ungrouped(session->trace))
		timeline->interacts_trace = NULL; /* another one may come to lie where it was */
	timeline_stop_interacts(timeline);
	timeline_stop_later(timeline);
	struct row here = { .type = ROW_TYPE_COUNT };
	int line = timeline_line_of(&timeline->layout, timeline->first_row, timeline->cursor_row);
	if (timeline->cursor_row < rows->count)
		here = rows->items[timeline->cursor_row];
	if (!rows_renew(rows, session->trace, session_lane_order(session), session->marks, err)) {
		rows_release(rows);
		return false;
	}
	session->awaits_marks = false; /* these rows have all of them */
	size_t row = rows_find_again(rows, here, before);
	/* Else it is folded away now; what is selected says where to. */
	if (row != ROW_NONE)
		timeline->cursor_row = row;
	clamp_row(timeline);
	timeline_follow_session(timeline, session);
	timeline_keep_line(timeline, line);
	timeline_renew_later(timeline, session);
	return true;
}

/* Assists that were made while the rows are shown. */
static bool
take_assists(struct timeline *timeline, struct session *session)
{
	if (!session->awaits_marks || session->marks == NULL ||
		session->marks->trace != timeline->rows.trace)
		return false;
	rows_take_assists(&timeline->rows, session->marks);
	session->awaits_marks = false;
	return true;
}

static bool
look(void *state, struct session *session)
{
	bool has_assists = take_assists(state, session);
	bool interacts = timeline_look(state, session);
	return timeline_look_later(state, session) || interacts || has_assists;
}

/* ---- drawing */

/*
 * More or fewer rows are on top of the cursor's: it stays where it was, or is in what is folded
 * now. What somebody went to meanwhile is unfolded later.
 */
static void
set_size(struct timeline *timeline, struct session *session, enum rows_size size)
{
	struct timeline_rows *rows = &timeline->rows;
	struct error ignored;
	struct row here = { .type = ROW_TYPE_COUNT };
	size_t count = rows->count, first = timeline->first_row;
	struct lane lane;
	error_clear(&ignored);
	if (timeline->cursor_row < rows->count)
		here = rows->items[timeline->cursor_row];
	bool is_session_here = !session->has_lane || (row_to_lane(here, &lane) &&
		lane.type == session->lane.type && lane.ref == session->lane.ref);
	/* Without memory all stays as it is. */
	if (rows->size == size || !rows_set_size(rows, size, &ignored))
		return;
	if (here.type == ROW_HEAP_UPPER)
		here.type = ROW_HEAP;
	size_t row = rows_find_again(rows, here, rows->trace);
	if (row != ROW_NONE && is_session_here)
		timeline_select_row(timeline, session, row);
	else if (row != ROW_NONE)
		timeline->cursor_row = row;
	/* The first row on the screen as well, but for the very first ones. */
	if (first > rows->pin_count + 1)
		timeline->first_row = rows->count + first > count ? rows->count + first - count : 0;
}

/* There are more rows, or fewer, where there is another trace beneath; without memory it is as it was. */
static void
set_beneath(struct timeline *timeline, const struct session *session)
{
	struct timeline_rows *rows = &timeline->rows;
	bool has_lanes = session->lanes != NULL && session->lanes->trace == session->trace;
	const struct beneath_lanes *lanes = has_lanes ? session->lanes : NULL;
	struct row here = { .type = ROW_TYPE_COUNT };
	struct error ignored;
	error_clear(&ignored);
	if (rows->beneath == lanes)
		return;
	if (timeline->cursor_row < rows->count)
		here = rows->items[timeline->cursor_row];
	if (!rows_set_beneath(rows, lanes, &ignored))
		return;
	size_t row = rows_find_again(rows, here, rows->trace);
	if (row != ROW_NONE)
		timeline->cursor_row = row;
	clamp_row(timeline);
}

/* The rows on screen hold the cursor's; no screen is left empty at the end. */
static void
scroll(struct timeline *timeline)
{
	const struct timeline_layout *layout = &timeline->layout;
	size_t pinned = (size_t)layout->pinned_lines, count = timeline->rows.count;
	size_t lines = layout->row_lines > 0 ? (size_t)layout->row_lines - pinned : 1;
	clamp_row(timeline);
	if (timeline->first_row < pinned)
		timeline->first_row = pinned;
	if (timeline->cursor_row >= pinned && timeline->first_row > timeline->cursor_row)
		timeline->first_row = timeline->cursor_row;
	if (timeline->cursor_row >= timeline->first_row + lines)
		timeline->first_row = timeline->cursor_row - lines + 1;
	if (timeline->first_row + lines > count)
		timeline->first_row = count > pinned + lines ? count - lines : pinned;
}

/* The interval and the cursor may come from options, or from a wider screen. */
static void
fit_session(const struct timeline *timeline, struct session *session)
{
	session->viewport =
		viewport_clamp(session->viewport, session_extent(session), timeline->layout.cells);
	if (session->cursor_ns < session->viewport.t0_ns)
		session->cursor_ns = session->viewport.t0_ns;
	if (session->cursor_ns >= session->viewport.t1_ns)
		session->cursor_ns = session->viewport.t1_ns - 1;
}

/* What there is in place of lanes where there is no time. */
static void
draw_timeless(const struct session *session, struct canvas *canvas)
{
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT, .attributes = CELL_BOLD };
	const struct cell_style plain = { .fg = STYLE_DEFAULT };
	struct text line = { 0 };
	int y = canvas->height > 6 ? canvas->height / 3 : 0;
	text_format(&line, "%s: no time in it, so no timeline", session->trace->words->source);
	canvas_string(canvas, 2, y, canvas->width - 4, bright, text_string(&line));
	text_clear(&line);
	canvas_string(canvas, 2, y + 2, canvas->width - 4, plain,
		session->trace->samples != NULL
			? "It is samples: stacks of calls, and how much each weighs."
			: "It is answers that another tool has made.");
	session->add_keys(session->keys, &line, COMMAND_ANALYSE, IN_TIMELINE);
	text_add_string(&line, " lists what can be seen of it.");
	canvas_string(canvas, 2, y + 3, canvas->width - 4, plain, text_string(&line));
	text_release(&line);
}

/* The active pane says where all stand, and has the others drawn: what it marks lies over them as well. */
static struct timeline_pane
place_pane(struct timeline *timeline, const struct session *session, struct canvas *canvas)
{
	struct panes *panes = session->panes;
	struct timeline_layout *layout = &timeline->layout;
	panes->items[session->pane].rows = timeline->rows.count;
	if (panes->active == session->pane) {
		panes_place(panes, layout->rows_y, layout->row_lines);
		panes->draw_others(panes->context, canvas);
	}
	const struct pane_place *place = &panes->items[session->pane];
	timeline_layout_pane(layout, place->y, place->lines);
	return (struct timeline_pane){
		.y = place->y,
		.lines = place->lines,
		.is_active = panes->active == session->pane,
		.name = session->file_name,
		.heading = session->pane_words,
	};
}

static void
timeline_draw_view(void *state, struct session *session, struct canvas *canvas)
{
	struct timeline *timeline = state;
	struct error err;
	error_clear(&err);
	timeline->layout = timeline_layout(canvas->width, canvas->height, true);
	if (session->trace->clock == TRACE_CLOCK_NONE) {
		draw_timeless(session, canvas);
		return;
	}
	set_beneath(timeline, session);
	timeline->rows.others = session->foreign;
	timeline_follow_filter(timeline, session);
	timeline_follow_interacts(timeline, session);
	if (!rows_match_more(&timeline->rows, session->filter, &err))
		session_status(session, true, "%s", err.message);
	set_size(timeline, session, timeline_rows_size(canvas->height));
	if (!rows_section_is_open(&timeline->rows, SECTION_PANEL))
		timeline_layout_fold_panel(&timeline->layout);
	struct verdict_line line;
	bool has_line = verdict_line(session, &line);
	if (has_line)
		timeline_layout_verdict(&timeline->layout);
	if (session->path != NULL)
		timeline_layout_path(&timeline->layout);
	struct timeline_pane pane = { 0 };
	if (session->panes != NULL)
		pane = place_pane(timeline, session, canvas);
	timeline_go_where_wanted(timeline, session);
	timeline_follow_session(timeline, session);
	timeline_layout_pins(&timeline->layout, timeline->rows.pin_count);
	scroll(timeline);
	if (!rows_prepare(&timeline->rows, timeline->first_row,
		    (size_t)timeline->layout.row_lines, &err))
		session_status(session, true, "%s", err.message);
	bool is_matching = rows_is_matching(&timeline->rows, session->filter);
	if (!rows_match_slices(&timeline->rows, SLICES_SEARCHED, session->search,
		    session->search_number, &err) ||
		!rows_match_slices(&timeline->rows, SLICES_FILTERED, session->filter,
			session->filter_number, &err))
		session_status(session, true, "%s", err.message);
	session->awaits_rows = timeline->rows.is_waiting || is_matching;
	if (is_matching && session->wake != NULL)
		session->wake(session->wake_context);
	fit_session(timeline, session);
	struct timeline_scene scene = {
		.trace = session->trace,
		.rows = &timeline->rows,
		.file_name = session->file_name,
		.file_word = session->file_word,
		.loading = session->loading[0] != '\0' ? session->loading : NULL,
		.viewport = session->viewport,
		.is_wall = session->is_wall,
		.first_row = timeline->first_row,
		.has_cursor = true,
		.cursor_ns = session->cursor_ns,
		.cursor_row = pane.lines == 0 || pane.is_active ? timeline->cursor_row : ROW_NONE,
		.search = session->search,
		.search_number = session->search_number,
		.filter = { .search = session->filter,
			.hides = session->filter_mode == FILTER_HIDES,
			.words = timeline_filter_words(timeline, session),
			.rows_left = timeline_filter_left(timeline, session),
			.number = session->filter_number },
		.plan = session->arrangement.plan,
		.flows = timeline_flows(timeline, session),
		.path = session->path,
		.verdict = has_line ? &line : NULL,
		.pane = pane,
	};
	scene.notes = session->notes;
	scene.is_between = session->is_between && !session->has_mark;
	scene.has_mark = session_marked(session, &scene.marked_from_ns, &scene.marked_until_ns);
	if (!timeline_draw(&scene, &timeline->buffers, canvas, &err))
		session_status(session, true, "%s", err.message);
}

/* "1.2217 s  120 µs/cell", or "1.2217 s  35.7 ms marked", or "1.2217 s  35.7 ms A to B" */
static void
timeline_position(void *state, struct session *session, struct text *out, bool ascii)
{
	const struct timeline *timeline = state;
	int64_t per_cell_ns = viewport_span(session->viewport) / timeline->layout.cells;
	char moment[UNITS_TEXT], step[UNITS_TEXT];
	if (per_cell_ns < 1)
		per_cell_ns = 1;
	int64_t end_ns = session->cursor_ns > 0 ? session->cursor_ns : 1;
	int64_t from_ns, until_ns;
	bool is_marked = session_marked(session, &from_ns, &until_ns);
	time_form_write(moment, time_form_of(session->trace, session->is_wall, ascii),
		session->cursor_ns, per_cell_ns, end_ns);
	units_duration(step, is_marked ? until_ns - from_ns : per_cell_ns, ascii);
	const char *what = session->has_mark ? " marked" : is_marked ? " A to B" : "/cell";
	text_format(out, "%s  %s%s", moment, step, what);
}

/* ---- commands */

struct view_answer
timeline_say_words(const struct timeline_request *request, const char *pattern)
{
	struct text words = { 0 };
	text_add_words(&words, request->session->trace->words, pattern);
	struct view_answer answer = timeline_say(request, false, text_string(&words));
	text_release(&words);
	return answer;
}

struct view_answer
timeline_say(const struct timeline_request *request, bool is_alert, const char *message)
{
	struct text safe = { 0 };
	text_add_safe(&safe, message, strlen(message), request->session->ascii);
	session_status(request->session, is_alert, "%s", text_string(&safe));
	text_release(&safe);
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static struct view_answer
redraw(const struct timeline_request *request)
{
	(void)request;
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static struct view_answer (*const handlers[COMMAND_COUNT])(const struct timeline_request *) = {
	[COMMAND_LEFT] = timeline_move_cursor,
	[COMMAND_RIGHT] = timeline_move_cursor,
	[COMMAND_UP] = timeline_move_row,
	[COMMAND_DOWN] = timeline_move_row,
	[COMMAND_PAGE_UP] = timeline_move_row,
	[COMMAND_PAGE_DOWN] = timeline_move_row,
	[COMMAND_FIRST_ROW] = timeline_move_row,
	[COMMAND_LAST_ROW] = timeline_move_row,
	[COMMAND_PAN_LEFT] = timeline_pan,
	[COMMAND_PAN_RIGHT] = timeline_pan,
	[COMMAND_TRACE_START] = timeline_go_to_end,
	[COMMAND_TRACE_END] = timeline_go_to_end,
	[COMMAND_ZOOM_IN] = timeline_zoom,
	[COMMAND_ZOOM_OUT] = timeline_zoom,
	[COMMAND_FIT_ALL] = timeline_fit_all,
	[COMMAND_FIT_SELECTION] = timeline_fit_selection,
	[COMMAND_MARK] = timeline_mark,
	[COMMAND_MARK_A] = timeline_mark_ab,
	[COMMAND_MARK_B] = timeline_mark_ab,
	[COMMAND_PREVIOUS_SPAN] = timeline_neighbour,
	[COMMAND_NEXT_SPAN] = timeline_neighbour,
	[COMMAND_PREVIOUS_SAMPLE] = timeline_sample,
	[COMMAND_NEXT_SAMPLE] = timeline_sample,
	[COMMAND_STACK_LANES] = timeline_stacks,
	[COMMAND_LONGEST_SPAN] = timeline_longest,
	[COMMAND_WAKER] = timeline_waker,
	[COMMAND_WOKEN] = timeline_woken,
	[COMMAND_WHY] = timeline_ask,
	[COMMAND_CRITICAL_PATH] = timeline_ask,
	[COMMAND_EVERYONE] = timeline_ask,
	[COMMAND_FINDINGS] = timeline_ask,
	[COMMAND_ANALYSE] = timeline_analyse,
	[COMMAND_FOCUS_ACTOR] = timeline_focus,
	[COMMAND_REQUESTS] = timeline_requests,
	[COMMAND_NEXT_REQUEST] = timeline_next_request,
	[COMMAND_PREVIOUS_REQUEST] = timeline_next_request,
	[COMMAND_CLOSE] = timeline_unfocus,
	[COMMAND_FOLD] = timeline_fold,
	[COMMAND_FOLD_PANEL] = timeline_fold_panel,
	[COMMAND_GROUP_LANES] = timeline_group,
	[COMMAND_INTERACTS] = timeline_interacts,
	[COMMAND_HIDE_LANE] = timeline_hide,
	[COMMAND_PIN_LANE] = timeline_pin,
	[COMMAND_SHOW_LANES] = timeline_show_lanes,
	[COMMAND_SORT_LANES] = timeline_sort,
	[COMMAND_OPEN] = timeline_open,
	[COMMAND_JUMP] = timeline_jump,
	[COMMAND_SEARCH] = timeline_search,
	[COMMAND_FILTER] = timeline_filter,
	[COMMAND_COUNT_SPANS] = timeline_count,
	[COMMAND_NEXT_MATCH] = timeline_next_match,
	[COMMAND_PREVIOUS_MATCH] = timeline_next_match,
	[COMMAND_BOOKMARK] = timeline_bookmark,
	[COMMAND_BOOKMARKS] = timeline_list_bookmarks,
	[COMMAND_NOTE] = timeline_annotate,
	[COMMAND_NEXT_DAMAGE] = timeline_next_damage,
	[COMMAND_PREVIOUS_DAMAGE] = timeline_next_damage,
	[COMMAND_CLEAR_SEARCH] = timeline_clear_search,
	[COMMAND_UNDO] = redraw,
	[COMMAND_REDO] = redraw,
};

static struct view_answer
timeline_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct timeline_request request = {
		.timeline = state,
		.session = session,
		.command = command,
		.count = count < 1 ? 1 : count,
		.argument = argument,
	};
	if (handlers[command] == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	timeline_follow_filter(state, session);
	timeline_follow_interacts(state, session);
	request.timeline->has_wanted = false;
	return handlers[command](&request);
}

static struct view_answer
search_taken(void *state, struct session *session, const struct error *note)
{
	struct timeline_request request = {
		.timeline = state, .session = session, .command = COMMAND_SEARCH, .count = 1
	};
	timeline_follow_filter(state, session);
	return session->purpose == FOR_SEARCH ? timeline_take_search(&request, note)
					      : timeline_take_filter(&request, note);
}

const struct view_ops timeline_view = {
	.name = "timeline",
	.context = IN_TIMELINE,
	.open = timeline_open_view,
	.close = timeline_close,
	.command = timeline_command,
	.mouse = timeline_mouse,
	.search_taken = search_taken,
	.match_ns = timeline_match_ns,
	.look = look,
	.renew = timeline_renew,
	.draw = timeline_draw_view,
	.stack = timeline_stack,
	.place = timeline_place,
	.go_to_place = timeline_go_to_place,
	.name_folds = timeline_name_folds,
	.fold_names = timeline_fold_names,
	.position = timeline_position,
};
