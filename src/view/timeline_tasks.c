/* Tasks as lanes: showing them, and stepping from the slowest to the fastest. */

#include "base/memory.h"
#include "base/units.h"
#include "draw/task_rows.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/task_times.h"
#include "trace/words.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

/* ---- which task */

static const struct row *
selected_row(const struct timeline *timeline)
{
	return timeline->cursor_row < timeline->rows.count
		       ? &timeline->rows.items[timeline->cursor_row]
		       : NULL;
}

bool
timeline_task(const struct timeline *timeline, task_ref *task)
{
	const struct row *row = selected_row(timeline);
	if (row == NULL || row->type != ROW_TASK)
		return false;
	*task = row->ref;
	return true;
}

/* The task of the row, or of the one above that it is beneath. */
static task_ref
task_around(const struct timeline *timeline)
{
	const struct timeline_rows *rows = &timeline->rows;
	size_t first = timeline->cursor_row < rows->pin_count ? 0 : rows->pin_count;
	for (size_t i = timeline->cursor_row + 1; i > first; i--)
		if (i <= rows->count && rows->items[i - 1].type == ROW_TASK)
			return rows->items[i - 1].ref;
	return REF_NONE;
}

void
timeline_note_task(const struct timeline *timeline, struct session *session)
{
	task_ref task = task_around(timeline);
	if (session->tasks != TASKS_ONE && task != REF_NONE)
		session->task = task;
}

actor_ref
timeline_task_actor(const struct timeline *timeline, const struct session *session)
{
	task_ref task;
	if (!timeline_task(timeline, &task))
		return REF_NONE;
	const struct task_lane *lane = task_rows_lane(timeline->rows.tasks, task);
	size_t piece = lane == NULL ? SIZE_MAX : task_life_at(&lane->life, session->cursor_ns);
	return piece == SIZE_MAX ? REF_NONE : lane->life.pieces[piece].actor;
}

/* The task of the region that the selected actor is in, REF_NONE for none. */
static task_ref
task_at_cursor(const struct timeline_request *request)
{
	const struct session *session = request->session;
	struct lane lane;
	struct span span;
	if (!timeline_span(request->timeline, session, &span) || span.actor == REF_NONE)
		return REF_NONE;
	lane = (struct lane){ LANE_ACTOR, span.actor };
	range_ref region = region_at(session->trace, lane.ref, session->cursor_ns);
	return region == REF_NONE ? REF_NONE : trace_range(session->trace, region)->task;
}

/* ---- showing them */

bool
timeline_show_tasks(struct timeline *timeline, struct session *session, enum task_view view,
	task_ref task, struct error *err)
{
	struct timeline_rows *rows = &timeline->rows;
	if (rows->focus.actor != REF_NONE && !rows_focus(rows, REF_NONE, err))
		return false;
	session->focus = REF_NONE;
	if (!rows_show_tasks(rows, view != TASKS_OFF, view == TASKS_ONE ? task : REF_NONE, err))
		return false;
	session->tasks = view;
	session->task = task;
	timeline->first_row = 0;
	if (view == TASKS_OFF) {
		timeline_select_row(timeline, session, rows_first_lane(rows));
		return true;
	}
	struct lane lane = { LANE_TASK, task };
	if (!rows_reveal(rows, lane, err))
		return false;
	if (rows->tasks->only == task)
		session->tasks = TASKS_ONE;
	size_t row = rows_find(rows, lane);
	timeline_select_row(timeline, session, row == ROW_NONE ? 0 : row);
	return true;
}

/* Back to all rows; of a task to the actor that was seen there. */
static struct view_answer
hide(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct lane lane = { LANE_ACTOR, timeline_task_actor(timeline, session) };
	struct error err;
	error_clear(&err);
	if (session->has_lane && session->lane.type != LANE_TASK)
		lane = session->lane;
	timeline->can_hide_tasks = false;
	if (!timeline_show_tasks(timeline, session, TASKS_OFF, session->task, &err) ||
		(lane.ref != REF_NONE &&
			!timeline_go_to_lane(timeline, session, lane, session->cursor_ns, &err)))
		return timeline_say(request, true, err.message);
	return redraw_step;
}

/* The slowest of all, unless the cursor is within one. REF_NONE where there is none. */
static task_ref
first_task(const struct timeline_request *request, struct error *err)
{
	const struct task_rows *tasks = request->timeline->rows.tasks;
	task_ref task = task_at_cursor(request);
	size_t count = 0;
	if (task != REF_NONE)
		return task;
	if (tasks != NULL)
		return tasks->root_count > 0 ? tasks->roots[0] : REF_NONE;
	task_ref *roots = task_index_roots(request->session->trace, &count, err);
	if (roots != NULL && count > 0)
		task = roots[0];
	memory_free(roots);
	return task;
}

static struct view_answer
show(const struct timeline_request *request, enum task_view view, task_ref task)
{
	struct timeline *timeline = request->timeline;
	struct error err;
	bool was_shown = request->session->tasks != TASKS_OFF;
	error_clear(&err);
	if (!timeline_show_tasks(timeline, request->session, view, task, &err))
		return timeline_say(request, true, err.message);
	timeline->can_hide_tasks = timeline->can_hide_tasks || !was_shown;
	return redraw_step;
}

struct view_answer
timeline_requests(const struct timeline_request *request)
{
	struct error err;
	error_clear(&err);
	if (request->session->tasks != TASKS_OFF)
		return hide(request);
	if (timeline_do_later(request, (struct lane){ LANE_TASK, 0 }))
		return redraw;
	task_ref task = first_task(request, &err);
	if (err.kind != ERROR_NONE)
		return timeline_say(request, true, err.message);
	if (task == REF_NONE) {
		const char *none = request->session->trace->words->no_tasks;
		struct text words = { 0 };
		text_format(&words, "the trace has %s", none != NULL ? none : "no {tasks}");
		struct view_answer answer = timeline_say_words(request, text_string(&words));
		text_release(&words);
		return answer;
	}
	return show(request, TASKS_ALL, task);
}

/* A task alone, or with all others again. */
struct view_answer
timeline_focus_task(const struct timeline_request *request, task_ref task)
{
	bool is_alone = request->session->tasks == TASKS_ONE && request->session->task == task;
	return show(request, is_alone ? TASKS_ALL : TASKS_ONE, task);
}

struct view_answer
timeline_leave_tasks(const struct timeline_request *request)
{
	if (request->session->tasks == TASKS_OFF)
		return timeline_part(request);
	if (!request->timeline->can_hide_tasks && request->session->leads_back)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return hide(request);
}

/* ---- from one to the next */

void
timeline_fit_task(struct timeline *timeline, struct session *session, task_ref task)
{
	int64_t start_ns = task_start_ns(session->trace, task);
	int64_t end_ns = task_end_ns(session->trace, task);
	session->viewport = viewport_fit(start_ns, end_ns > start_ns ? end_ns : start_ns + 1,
		timeline->layout.cells, session_extent(session));
	session->cursor_ns = start_ns;
	if (session->cursor_ns >= session->viewport.t1_ns)
		session->cursor_ns = session->viewport.t1_ns - 1;
}

/* Where one is shown alone all tasks count, else those without a parent. */
static bool
is_stop(const struct session *session, const struct row *row)
{
	return row->type == ROW_TASK && !row->is_pinned &&
	       (session->tasks == TASKS_ONE || row->depth == 1);
}

/* Row of the task so many on from the cursor's, or of the last one there is that way. */
static size_t
row_on(const struct timeline *timeline, const struct session *session, bool forward, long count)
{
	const struct timeline_rows *rows = &timeline->rows;
	size_t found = ROW_NONE, row = timeline->cursor_row;
	while (count > 0 && (forward ? row + 1 < rows->count : row > 0)) {
		row = forward ? row + 1 : row - 1;
		if (!is_stop(session, &rows->items[row]))
			continue;
		found = row;
		count--;
	}
	return found;
}

/* "task 3 of 120, slowest first: 5.7 ms" */
static void
tell_place(struct session *session, const struct timeline_rows *rows, task_ref task)
{
	char number[UNITS_TEXT], count[UNITS_TEXT];
	struct text length = { 0 };
	size_t at = 0;
	while (at < rows->tasks->root_count && rows->tasks->roots[at] != task)
		at++;
	if (session->tasks != TASKS_ALL || at == rows->tasks->root_count)
		return;
	units_count(number, at + 1);
	units_count(count, rows->tasks->root_count);
	task_words_length(&length, session->trace, task, session->ascii);
	session_status(session, false, "{task} %s of %s, slowest first: %s", number, count,
		text_string(&length));
	text_release(&length);
}

struct view_answer
timeline_next_request(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	bool forward = request->command == COMMAND_NEXT_REQUEST;
	size_t row = ROW_NONE;
	if (session->tasks == TASKS_OFF) {
		struct view_answer answer = timeline_requests(request);
		if (session->tasks == TASKS_OFF)
			return answer;
		row = timeline->cursor_row;
	} else {
		row = row_on(timeline, session, forward, request->count);
	}
	if (row == ROW_NONE)
		return timeline_say(request, false, forward ? "the last task" : "the first task");
	timeline_select_row(timeline, session, row);
	timeline_fit_task(timeline, session, timeline->rows.items[row].ref);
	tell_place(session, &timeline->rows, timeline->rows.items[row].ref);
	return redraw_step;
}
