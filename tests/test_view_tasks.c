/* Tasks as lanes on the timeline, and the page of one. */
#include "analysis/critical.h"
#include "base_testing.h"
#include "desk.h"
#include "draw/task_rows.h"
#include "draw/task_words.h"
#include "golden.h"
#include "scene.h"
#include "trace/lane_name.h"
#include "tracetesting.h"
#include "trace/task_times.h"
#include "view/causes.h"
#include "view/task_page.h"

static void
desk_open_at(struct desk *desk, const char *name, enum task_view view, int64_t id)
{
	desk_begin(desk, testing_load(name));
	desk->session.file_name = desk->session.file_word = name;
	desk->session.tasks = view;
	desk->session.task = view == TASKS_OFF ? REF_NONE : lane_find_task(desk->trace, id);
	desk_show(desk, 30);
}

static void
desk_open(struct desk *desk, const char *name)
{
	desk_open_at(desk, name, TASKS_OFF, 0);
}

static struct view_answer
tell(struct desk *desk, enum command command, long count)
{
	desk->session.status[0] = '\0';
	struct view_answer answer =
		timeline_view.command(desk->timeline, &desk->session, command, count, NULL);
	desk_draw(desk);
	assert_string_not_equal(desk->session.status, "out of memory");
	return answer;
}

static task_ref
selected_task(const struct desk *desk)
{
	assert_true(desk->session.has_lane);
	assert_int_equal(desk->session.lane.type, LANE_TASK);
	return desk->session.lane.ref;
}

static const struct row *
row_at(const struct desk *desk, size_t below)
{
	assert_true(desk->timeline->cursor_row + below < desk->timeline->rows.count);
	return &desk->timeline->rows.items[desk->timeline->cursor_row + below];
}

static int64_t
length_of(const struct desk *desk, task_ref task)
{
	return task_end_ns(desk->trace, task) - task_start_ns(desk->trace, task);
}

/* ---- from the slowest to the fastest */

static void
stepping_goes_from_slow_to_fast(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	size_t all = desk.timeline->rows.count;
	int64_t before_ns = INT64_MAX;
	size_t steps = 0;
	for (;; steps++) {
		tell(&desk, COMMAND_NEXT_REQUEST, 1);
		if (strcmp(desk.session.status, "the last task") == 0)
			break;
		task_ref task = selected_task(&desk);
		assert_true(length_of(&desk, task) <= before_ns);
		before_ns = length_of(&desk, task);
		assert_int_equal(desk.session.task, task);
		assert_int_equal(desk.session.cursor_ns, task_start_ns(desk.trace, task));
		assert_true(desk.session.viewport.t1_ns >= task_end_ns(desk.trace, task));
	}
	assert_int_equal(steps, desk.timeline->rows.tasks->root_count);
	tell(&desk, COMMAND_PREVIOUS_REQUEST, (long)steps);
	assert_int_equal(selected_task(&desk), desk.timeline->rows.tasks->roots[0]);
	tell(&desk, COMMAND_PREVIOUS_REQUEST, 1);
	assert_string_equal(desk.session.status, "the first task");

	actor_ref seen = timeline_task_actor(desk.timeline, &desk.session);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1).reaction, VIEW_REDRAW);
	assert_int_equal(desk.session.tasks, TASKS_OFF);
	assert_true(desk.timeline->rows.count >= all);
	assert_true(desk.session.lane.type == LANE_ACTOR && desk.session.lane.ref == seen);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1).reaction, VIEW_NOTHING);
	desk_close(&desk);
}

static void
without_tasks_there_is_nothing_to_show(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.26");
	size_t count = desk.timeline->rows.count;
	tell(&desk, COMMAND_REQUESTS, 1);
	assert_non_null(strstr(desk.session.status, "no user tasks"));
	tell(&desk, COMMAND_NEXT_REQUEST, 1);
	assert_non_null(strstr(desk.session.status, "no user tasks"));
	assert_int_equal(desk.timeline->rows.count, count);
	desk_close(&desk);
}

/* From a region of a goroutine to its task, and back. */
static void
the_task_of_the_cursor_is_selected(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23");
	const struct range *region = NULL;
	for (range_ref ref = 0; region == NULL && ref < desk.trace->ranges.count; ref++) {
		const struct range *range = trace_range(desk.trace, ref);
		if (range->type == RANGE_REGION && range->task != REF_NONE &&
			range->end_ns != TIME_OPEN && range->end_ns > range->start_ns + 1000)
			region = range;
	}
	assert_non_null(region);
	struct lane lane = { LANE_ACTOR, region->scope };
	assert_true(timeline_go_to_lane(
		desk.timeline, &desk.session, lane, region->start_ns, &desk.err));
	tell(&desk, COMMAND_REQUESTS, 1);
	assert_int_equal(selected_task(&desk), region->task);
	assert_int_equal(desk.session.cursor_ns, region->start_ns);
	tell(&desk, COMMAND_REQUESTS, 1);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.tasks, TASKS_OFF);
	desk_close(&desk);
}

/* Of a task whose begin was not loaded only a least time is known. */
static void
what_began_before_is_told_as_such(void **state)
{
	(void)state;
	struct desk desk;
	struct text shown = { 0 };
	desk_open(&desk, "tasks-go1.23");
	task_ref ref = lane_find_task(desk.trace, 33);
	struct task *task = trace_task(desk.trace, ref);
	task_words_length(&shown, desk.trace, ref, true);
	assert_true(shown.bytes[0] != '>');
	text_clear(&shown);
	desk.trace->start_ns = (task->start_ns + task->end_ns) / 2;
	task->began_before = true;
	task_words_length(&shown, desk.trace, ref, true);
	task_words_open(&shown, desk.trace, ref);
	assert_int_equal(shown.bytes[0], '>');
	assert_non_null(strstr(shown.bytes, ", began before what is loaded"));
	text_release(&shown);
	desk_close(&desk);
}

/* ---- beneath a task */

static void
a_task_unfolds(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_at(&desk, "tasks-go1.23", TASKS_ALL, 33);
	const struct timeline_rows *rows = &desk.timeline->rows;
	assert_true(row_is_open(rows, desk.timeline->cursor_row));
	assert_int_equal(row_at(&desk, 1)->type, ROW_REGIONS);
	size_t below = 1;
	while (row_at(&desk, below)->type == ROW_REGIONS)
		below++;
	assert_int_equal(row_at(&desk, below++)->type, ROW_LOGS);
	size_t workers = 0;
	for (; row_at(&desk, below)->type == ROW_ACTOR; below++)
		workers++;
	const struct task_lane *lane = task_rows_lane(rows->tasks, selected_task(&desk));
	assert_int_equal(workers, lane->life.actor_count);
	assert_int_equal(row_at(&desk, below)->type, ROW_TASK);
	assert_int_equal(row_at(&desk, below)->depth, row_at(&desk, 0)->depth + 1);
	size_t count = rows->count;
	tell(&desk, COMMAND_FOLD, 1);
	assert_int_equal(rows->count + below, count + below - (below - 1) - 1);
	assert_int_equal(row_at(&desk, 1)->type, ROW_TASK);
	assert_int_equal(row_at(&desk, 1)->depth, row_at(&desk, 0)->depth);
	desk_close(&desk);
}

/* Also from what --task opened; the page of which a row led there comes first. */
static void
closing_leads_from_tasks_to_all_rows(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_at(&desk, "tasks-go1.23", TASKS_ONE, 33);
	desk.session.leads_back = true;
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1).reaction, VIEW_NOTHING);
	assert_int_equal(desk.session.tasks, TASKS_ONE);
	desk.session.leads_back = false;
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1).reaction, VIEW_REDRAW);
	assert_int_equal(desk.session.tasks, TASKS_OFF);
	desk_close(&desk);
}

static void
one_task_is_shown_alone_and_back(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_at(&desk, "tasks-go1.23", TASKS_ONE, 33);
	task_ref task = selected_task(&desk);
	assert_int_equal(desk.timeline->cursor_row, 0);
	tell(&desk, COMMAND_FOCUS_ACTOR, 1);
	assert_int_equal(desk.session.tasks, TASKS_ALL);
	assert_int_equal(selected_task(&desk), task);
	tell(&desk, COMMAND_FOCUS_ACTOR, 1);
	assert_int_equal(desk.session.tasks, TASKS_ONE);
	assert_int_equal(desk.session.task, task);
	/* Another task is not among the rows: all are shown again. */
	struct lane other = { LANE_TASK, lane_find_task(desk.trace, 127) };
	assert_true(timeline_go_to_lane(
		desk.timeline, &desk.session, other, desk.session.cursor_ns, &desk.err));
	assert_int_equal(desk.session.tasks, TASKS_ALL);
	assert_int_equal(selected_task(&desk), other.ref);
	desk_close(&desk);
}

/* ---- pieces */

static void
pieces_are_stepped_through(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_at(&desk, "tasks-go1.23", TASKS_ALL, 33);
	const struct task_life *life =
		&task_rows_lane(desk.timeline->rows.tasks, selected_task(&desk))->life;
	size_t count = life->piece_count;
	tell(&desk, COMMAND_FIT_SELECTION, 1);
	assert_int_equal(desk.session.cursor_ns, life->start_ns);
	for (size_t i = 1; i < count; i++) {
		tell(&desk, COMMAND_NEXT_SPAN, 1);
		life = &task_rows_lane(desk.timeline->rows.tasks, selected_task(&desk))->life;
		assert_int_equal(desk.session.cursor_ns, life->pieces[i].start_ns);
	}
	tell(&desk, COMMAND_NEXT_SPAN, 1);
	assert_string_equal(desk.session.status, "the last span of this row");
	tell(&desk, COMMAND_LONGEST_SPAN, 1);
	assert_non_null(strstr(desk.session.status, "no single spans"));
	desk_close(&desk);
}

/* ---- causes */

static void
causes_are_those_of_the_task(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_at(&desk, "httpserver-go1.26", TASKS_ALL, 125);
	task_ref task = selected_task(&desk);
	assert_string_equal(tell(&desk, COMMAND_CRITICAL_PATH, 1).open_name, "critical-path");
	void *page = critical_view.open(&desk.session, &desk.err);
	assert_non_null(page);
	assert_int_equal(desk.session.path->start_ns, task_start_ns(desk.trace, task));
	assert_int_equal(desk.session.path->end_ns, task_end_ns(desk.trace, task));
	critical_view.close(page);

	/* It sleeps after its first microseconds. */
	desk.session.cursor_ns = task_start_ns(desk.trace, task) + length_of(&desk, task) / 2;
	assert_string_equal(tell(&desk, COMMAND_WHY, 1).open_name, "why");
	assert_true(desk.session.asks_actor);
	page = why_view.open(&desk.session, &desk.err);
	assert_non_null(page);
	assert_false(desk.session.asks_actor);
	why_view.close(page);
	desk.session.cursor_ns = task_start_ns(desk.trace, task) - 1;
	assert_int_equal(tell(&desk, COMMAND_WHY, 1).reaction, VIEW_REDRAW);
	assert_string_equal(desk.session.status, "nobody works for the task at this time");
	desk_close(&desk);
}

/* ---- more of the trace */

static void
tasks_stay_when_more_arrives(void **state)
{
	(void)state;
	struct desk desk;
	struct trace *more = testing_load("tasks-go1.23");
	desk_open_at(&desk, "tasks-go1.23", TASKS_ALL, 33);
	struct trace *before = desk.trace;
	size_t count = desk.timeline->rows.count, row = desk.timeline->cursor_row;
	session_renew(&desk.session, more, false);
	assert_true(timeline_view.renew(desk.timeline, &desk.session, before, &desk.err));
	trace_free(before);
	desk.trace = more;
	desk_draw(&desk);
	assert_int_equal(desk.timeline->rows.count, count);
	assert_int_equal(desk.timeline->cursor_row, row);
	assert_true(row_is_open(&desk.timeline->rows, row));
	desk_close(&desk);
}

/* ---- pictures */

static void
check_screen(struct desk *desk, const char *golden)
{
	struct text made = { 0 };
	desk_draw(desk);
	scene_dump(&desk->canvas, &made);
	golden_check(golden, &made);
	text_release(&made);
}

static void
requests_look_as_they_should(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	tell(&desk, COMMAND_REQUESTS, 1);
	check_screen(&desk, "screen-requests.txt");
	desk_close(&desk);

	desk_open_at(&desk, "tasks-go1.23", TASKS_ONE, 33);
	assert_true(canvas_resize(&desk.canvas, 80, 24, &desk.err));
	desk.canvas.ascii = true;
	tell(&desk, COMMAND_FIT_SELECTION, 1);
	tell(&desk, COMMAND_MARK, 1);
	tell(&desk, COMMAND_RIGHT, 20);
	check_screen(&desk, "screen-task-ascii.txt");
	desk_close(&desk);

	desk_open_at(&desk, "tasks-go1.23", TASKS_ALL, 33);
	desk.canvas.monochrome = true;
	tell(&desk, COMMAND_FIT_SELECTION, 1);
	check_screen(&desk, "screen-task-mono.txt");
	desk_close(&desk);
}

static void
the_page_of_a_task_leads_on(void **state)
{
	(void)state;
	struct desk desk;
	struct text made = { 0 };
	desk_open_at(&desk, "tasks-go1.23", TASKS_ALL, 33);
	assert_string_equal(tell(&desk, COMMAND_OPEN, 1).open_name, "task");
	void *page = task_view.open(&desk.session, &desk.err);
	assert_non_null(page);
	canvas_clear(&desk.canvas);
	task_view.draw(page, &desk.session, &desk.canvas);
	scene_dump_text(&desk.canvas, &made);
	golden_check("screen-task-page.txt", &made);
	text_release(&made);
	struct view_answer answer = task_view.command(page, &desk.session, COMMAND_OPEN, 1, NULL);
	assert_int_equal(answer.reaction, VIEW_LEAVE);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_true(task_view.renew(page, &desk.session, desk.trace, &desk.err));
	task_view.close(page);
	assert_null(task_view.open(&desk.session, &desk.err));
	desk_close(&desk);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stepping_goes_from_slow_to_fast),
		cmocka_unit_test(without_tasks_there_is_nothing_to_show),
		cmocka_unit_test(the_task_of_the_cursor_is_selected),
		cmocka_unit_test(what_began_before_is_told_as_such),
		cmocka_unit_test(a_task_unfolds),
		cmocka_unit_test(closing_leads_from_tasks_to_all_rows),
		cmocka_unit_test(one_task_is_shown_alone_and_back),
		cmocka_unit_test(pieces_are_stepped_through),
		cmocka_unit_test(causes_are_those_of_the_task),
		cmocka_unit_test(tasks_stay_when_more_arrives),
		cmocka_unit_test(requests_look_as_they_should),
		cmocka_unit_test(the_page_of_a_task_leads_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
