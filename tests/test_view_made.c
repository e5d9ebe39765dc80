/* The views, on traces made for them. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "desk.h"
#include "draw/output.h"
#include "draw/rows_job.h"
#include "draw/task_rows.h"
#include "source/go/words.h"
#include "trace/builder.h"
#include "trace/trace.h"
#include "view/causes.h"
#include "view/meanwhile.h"
#include "view/sheet.h"
#include "view/task_page.h"

static const int64_t ms = 1000000;

/* ---- making a trace */

struct maker {
	struct trace *trace;
	struct builder *builder;
	int64_t now_ns;
	stack_id blocked_at; /* STACK_NONE at first */
};

/* A failure of a call is the test's. */
static void
must(bool is_fine, const struct error *err)
{
	if (!is_fine)
		fail_msg("%s", err->message);
}

static void
wait_ns(struct maker *maker, int64_t duration_ns)
{
	struct error err = { 0 };
	maker->now_ns += duration_ns;
	must(builder_event(maker->builder, maker->now_ns, &err), &err);
}

static void
maker_open(struct maker *maker)
{
	struct error err = { 0 };
	*maker = (struct maker){ .trace = go_trace_new(&err) };
	assert_non_null(maker->trace);
	maker->builder = builder_new(maker->trace, &err);
	assert_non_null(maker->builder);
	wait_ns(maker, 0);
}

/* The trace, which the caller frees. */
static struct trace *
maker_close(struct maker *maker)
{
	struct error err = { 0 };
	must(builder_generation_end(maker->builder, &err), &err);
	must(builder_finish(maker->builder, &err), &err);
	builder_free(maker->builder);
	return maker->trace;
}

static void
change(struct maker *maker, actor_ref goroutine, enum state state, resource_ref proc)
{
	struct error err = { 0 };
	const struct state_change change = {
		.actor = goroutine,
		.reason = STRING_EMPTY,
		.stack = state == STATE_BLOCKED ? maker->blocked_at : STACK_NONE,
		.waker = REF_NONE,
		.processor = proc,
		.thread = REF_NONE,
		.state = (uint8_t)state,
	};
	must(builder_state(maker->builder, &change, &err), &err);
}

/* A goroutine runs on a proc, then is blocked. */
static void
run(struct maker *maker, int64_t goroutine_id, int64_t proc_id, int64_t duration_ns)
{
	struct error err = { 0 };
	actor_ref goroutine;
	resource_ref proc;
	must(builder_actor(maker->builder, goroutine_id, &goroutine, &err), &err);
	must(builder_processor(maker->builder, proc_id, &proc, &err), &err);
	change(maker, goroutine, STATE_RUNNING, proc);
	wait_ns(maker, duration_ns);
	change(maker, goroutine, STATE_BLOCKED, REF_NONE);
}

static stack_id
add_stack(struct maker *maker, const char *function)
{
	struct error err = { 0 };
	struct trace *trace = maker->trace;
	struct stack_frame frame = { .file = STRING_EMPTY };
	frame_id leaf;
	stack_id stack;
	must(intern_add(&trace->strings, function, strlen(function), &frame.function, &err), &err);
	must(stack_table_add_frame(&trace->stacks, &frame, &leaf, &err), &err);
	must(stack_table_add_node(&trace->stacks, STACK_NONE, leaf, &stack, &err), &err);
	return stack;
}

static void
name(struct maker *maker, int64_t goroutine_id, stack_id stack)
{
	struct error err = { 0 };
	actor_ref goroutine;
	must(builder_actor(maker->builder, goroutine_id, &goroutine, &err), &err);
	must(builder_name(maker->builder, goroutine, stack, &err), &err);
}

/* ---- reading a page */

struct page {
	struct lines lines;
	struct text scratch;
	struct sheet sheet;
};

static void
page_open(struct page *page, const struct trace *trace)
{
	*page = (struct page){ .lines.page = 1 };
	page->sheet = (struct sheet){
		.lines = &page->lines,
		.trace = trace,
		.scratch = &page->scratch,
		.width = 200,
		.wrapped_column = 18,
		.ascii = true,
	};
}

static void
page_close(struct page *page)
{
	lines_release(&page->lines);
	text_release(&page->scratch);
}

/* The number of lines that begin with a word. */
static size_t
lines_with(const struct page *page, const char *word)
{
	size_t count = 0;
	const char *line = page->lines.text.bytes;
	while (line != NULL && *line != '\0') {
		count += strncmp(line, word, strlen(word)) == 0;
		line = strchr(line, '\n');
		line = line != NULL ? line + 1 : NULL;
	}
	return count;
}

/* ---- tests */

/* However many ran before it, the one that ran longest is told first. */
static void
meanwhile_tells_who_ran_most(void **state)
{
	enum { GOROUTINES = 100, LONGEST = 90, TWICE = 95 };
	struct maker maker;
	struct page page;
	(void)state;
	maker_open(&maker);
	for (int64_t id = 1; id <= GOROUTINES; id++)
		run(&maker, id, 0, id == LONGEST ? 100 * ms : id == TWICE ? 20 * ms : ms);
	run(&maker, TWICE, 0, 20 * ms);
	struct trace *trace = maker_close(&maker);
	page_open(&page, trace);
	meanwhile_write(&page.sheet, 0, trace->end_ns);
	const char *line = strstr(page.lines.text.bytes, "P0");
	assert_non_null(line);
	const char *first = strstr(line, "G90"), *second = strstr(line, "G95");
	if (first == NULL || second == NULL || first > second)
		fail_msg("%s", line);
	page_close(&page);
	trace_free(trace);
}

/* A trace may say that it has more procs than anyone reads of. */
static void
procs_are_told_by_id_and_not_all(void **state)
{
	enum { PROCS = 700 };
	struct maker maker;
	struct page page;
	(void)state;
	maker_open(&maker);
	for (int64_t id = PROCS; id-- > 0;)
		run(&maker, 1, id, ms);
	struct trace *trace = maker_close(&maker);
	page_open(&page, trace);
	meanwhile_write(&page.sheet, 0, trace->end_ns);
	const char *text = page.lines.text.bytes;
	const char *first = strstr(text, "P0"), *second = strstr(text, "P1");
	assert_true(first != NULL && second != NULL && first < second);
	assert_int_equal(lines_with(&page, "P"), SHEET_MOST_PROCESSORS);
	assert_non_null(strstr(text, "and 200 more"));
	page_close(&page);
	trace_free(trace);
}

enum { WORKERS = 8 };

/* Goroutines 1 to WORKERS, of which only so many have their name. */
static struct trace *
make_workers(int64_t named)
{
	struct maker maker;
	maker_open(&maker);
	stack_id worker = add_stack(&maker, "main.worker");
	for (int64_t id = 1; id <= WORKERS; id++) {
		run(&maker, id, 0, ms);
		if (id <= named)
			name(&maker, id, worker);
	}
	return maker_close(&maker);
}

/* The row of a goroutine goes into a group that is folded; commands may come before a frame. */
static void
the_cursor_is_on_a_row_before_the_next_frame(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct trace *before = make_workers(2), *after = make_workers(WORKERS);
	struct session session = {
		.trace = before,
		.viewport = { 0, before->end_ns },
		.focus = REF_NONE,
	};
	struct timeline *timeline = timeline_view.open(&session, &err);
	assert_non_null(timeline);
	group_ref group = trace_actor(before, 0)->group;
	struct lane folded = { LANE_GROUP, group }, lane = { LANE_ACTOR, WORKERS - 1 }, here;
	assert_true(rows_toggle(&timeline->rows, rows_find(&timeline->rows, folded), &err));
	timeline_select_row(timeline, &session, rows_find(&timeline->rows, lane));
	assert_int_equal(session.lane.type, LANE_ACTOR);
	session_renew(&session, after, false);
	assert_true(timeline_view.renew(timeline, &session, before, &err));
	assert_true(timeline->cursor_row < timeline->rows.count);
	assert_true(row_lane(&timeline->rows, timeline->cursor_row, &here));
	assert_true(here.type == lane.type && here.ref == lane.ref);
	timeline_view.close(timeline);
	session_release(&session);
	trace_free(before);
	trace_free(after);
}

/* ---- what is found beside */

/* So many states. */
static void
run_often(struct maker *maker, int64_t goroutine_id, size_t states)
{
	for (size_t i = 0; i < states / 2; i++)
		run(maker, goroutine_id, 0, 1);
}

/* One goroutine with so many states and a stack, and so many tasks. */
static struct trace *
make_long(size_t states, size_t tasks)
{
	struct maker maker;
	struct error err = { 0 };
	maker_open(&maker);
	maker.blocked_at = add_stack(&maker, "main.wait");
	run_often(&maker, 1, states);
	for (size_t i = 1; i <= tasks; i++) {
		const struct task_note note = { .id = (int64_t)i };
		must(builder_task_begin(maker.builder, &note, 0, &err), &err);
		wait_ns(&maker, 1);
		must(builder_task_end(maker.builder, &note, &err), &err);
	}
	return maker_close(&maker);
}

/* Two goroutines, each with so many states. */
static struct trace *
make_two_long(size_t states)
{
	struct maker maker;
	maker_open(&maker);
	maker.blocked_at = add_stack(&maker, "main.wait");
	run_often(&maker, 1, states);
	run_often(&maker, 2, states);
	return maker_close(&maker);
}

static void
desk_select(struct desk *desk, actor_ref goroutine)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	timeline_select_row(
		desk->timeline, &desk->session, rows_find(&desk->timeline->rows, lane));
}

/* On the first goroutine. */
static void
desk_open(struct desk *desk, struct trace *trace)
{
	desk_begin(desk, trace);
	desk->session.cursor_ns = 0;
	desk_show(desk, 30);
	desk_select(desk, 0);
}

static void
press(struct desk *desk, enum command command)
{
	desk->session.status[0] = '\0';
	timeline_view.command(desk->timeline, &desk->session, command, 1, NULL);
}

static void
wait_for_jobs(struct desk *desk)
{
	while (desk->timeline->later.job != NULL)
		timeline_view.look(desk->timeline, &desk->session);
}

static void
long_stacks_are_found_beside(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(ROWS_AT_ONCE + 2, 0));
	const struct timeline_rows *rows = &desk.timeline->rows;
	press(&desk, COMMAND_STACK_LANES);
	assert_non_null(strstr(desk.session.status, "looking for stacks"));
	assert_false(desk.session.has_stacks);
	wait_for_jobs(&desk);
	assert_true(desk.session.has_stacks);
	assert_int_equal(rows->stacks.actor, 0);
	assert_int_equal(rows->stacks.depth, 1);
	assert_string_equal(desk.session.status, "");
	press(&desk, COMMAND_STACK_LANES);
	assert_false(desk.session.has_stacks);
	desk_close(&desk);
}

/* What was not found by then is looked for again. */
static void
escape_stops_looking(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(ROWS_AT_ONCE + 2, 0));
	press(&desk, COMMAND_STACK_LANES);
	press(&desk, COMMAND_CLEAR_SEARCH);
	assert_string_equal(desk.session.status, "not looked for any more");
	wait_for_jobs(&desk);
	assert_false(desk.session.has_stacks);
	assert_null(desk.timeline->later.job);
	press(&desk, COMMAND_STACK_LANES);
	wait_for_jobs(&desk);
	assert_true(desk.session.has_stacks);
	desk_close(&desk);
}

static void
few_stacks_are_found_at_once(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(100, 0));
	press(&desk, COMMAND_STACK_LANES);
	assert_null(desk.timeline->later.job);
	assert_true(desk.session.has_stacks);
	desk_close(&desk);
}

static void
many_tasks_are_found_beside(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(2, ROWS_AT_ONCE + 1));
	press(&desk, COMMAND_REQUESTS);
	assert_non_null(strstr(desk.session.status, "looking for tasks"));
	assert_int_equal(desk.session.tasks, TASKS_OFF);
	wait_for_jobs(&desk);
	assert_int_equal(desk.session.tasks, TASKS_ALL);
	assert_int_equal(desk.timeline->rows.tasks->root_count, ROWS_AT_ONCE + 1);
	desk_close(&desk);
}

/* The last command is the one that is carried out. */
static void
one_thing_at_a_time_is_looked_for(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(ROWS_AT_ONCE + 2, ROWS_AT_ONCE + 1));
	press(&desk, COMMAND_STACK_LANES);
	press(&desk, COMMAND_REQUESTS);
	wait_for_jobs(&desk);
	assert_int_equal(desk.session.tasks, TASKS_ALL);
	assert_false(desk.session.has_stacks);
	desk_close(&desk);
}

/* While one is looked for, another large one is asked for. */
static void
the_second_of_two_is_found_beside_too(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_two_long(ROWS_AT_ONCE + 2));
	const struct timeline_later *later = &desk.timeline->later;
	press(&desk, COMMAND_STACK_LANES);
	desk_select(&desk, 1);
	press(&desk, COMMAND_STACK_LANES);
	while (!rows_job_is_done(later->job))
		sched_yield();
	assert_true(timeline_view.look(desk.timeline, &desk.session));
	assert_non_null(later->job);
	assert_false(desk.session.has_stacks);
	assert_non_null(strstr(desk.session.status, "looking for stacks"));
	wait_for_jobs(&desk);
	assert_true(desk.session.has_stacks);
	assert_int_equal(desk.timeline->rows.stacks.actor, 1);
	desk_close(&desk);
}

/* While a job that was given up may still go on, the same is wanted. */
static void
what_was_given_up_can_be_had_again(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(ROWS_AT_ONCE + 2, 0));
	press(&desk, COMMAND_STACK_LANES);
	assert_true(timeline_forget_later(desk.timeline));
	press(&desk, COMMAND_STACK_LANES);
	wait_for_jobs(&desk);
	assert_true(desk.session.has_stacks);
	desk_close(&desk);
}

static void
tasks_that_nobody_wants_are_not_looked_for(void **state)
{
	(void)state;
	static const atomic_bool is_cancelled = true;
	struct error err = { 0 };
	struct trace *trace = make_long(2, 2);
	assert_null(task_rows_new(trace, REF_NONE, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	trace_free(trace);
}

static void
what_is_awaited_is_looked_for_in_more_of_the_trace(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct desk desk;
	struct trace *before = make_long(ROWS_AT_ONCE + 2, 0);
	desk_open(&desk, before);
	press(&desk, COMMAND_STACK_LANES);
	desk.trace = make_long(2 * ROWS_AT_ONCE, 0);
	session_renew(&desk.session, desk.trace, false);
	assert_true(timeline_view.renew(desk.timeline, &desk.session, before, &err));
	trace_free(before);
	wait_for_jobs(&desk);
	assert_true(desk.session.has_stacks);
	assert_ptr_equal(desk.timeline->rows.stacks.trace, desk.trace);
	desk_close(&desk);
}

static void
the_view_can_be_closed_meanwhile(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, make_long(ROWS_AT_ONCE + 2, 0));
	press(&desk, COMMAND_STACK_LANES);
	desk_close(&desk);
}

/* ---- pages */

/* So many goroutines that ran, the last of which still does. */
static struct trace *
make_crowd(size_t goroutines)
{
	struct maker maker;
	maker_open(&maker);
	maker.blocked_at = add_stack(&maker, "main.wait");
	for (size_t i = 1; i <= goroutines; i++)
		run_often(&maker, (int64_t)i, 2);
	return maker_close(&maker);
}

/* A page that takes long: what is selected, and of which trace. */
struct long_page {
	const char *name;
	const struct view_ops *ops;
	size_t states, tasks, goroutines;
	enum lane_type lane;
	const char *shows;
};

static const struct long_page long_pages[] = {
	{ "everyone", &everyone_view, 0, 0, 3000, LANE_ACTOR, "goroutines alike" },
	{ "actor", &actor_view, 150000, 0, 0, LANE_ACTOR, "state by state" },
	{ "path", &critical_view, ROWS_AT_ONCE, 0, 0, LANE_ACTOR, "back in time" },
	{ "task", &task_view, 2, ROWS_AT_ONCE, 0, LANE_TASK, "who works for it" },
};

static void *
open_long(struct desk *desk, const struct long_page *page)
{
	struct error err = { 0 };
	desk_open(desk, page->goroutines > 0 ? make_crowd(page->goroutines)
					     : make_long(page->states, page->tasks));
	desk->session.lane = (struct lane){ page->lane, 0 };
	desk->session.has_lane = true;
	desk->session.cursor_ns = desk->trace->end_ns / 2;
	void *state = page->ops->open(&desk->session, &err);
	if (state == NULL)
		fail_msg("%s: %s", page->name, err.message);
	return state;
}

static void
check_page(struct desk *desk, const struct long_page *page, void *state, const char *wanted)
{
	struct text text = { 0 };
	canvas_clear(&desk->canvas);
	page->ops->draw(state, &desk->session, &desk->canvas);
	output_text(&desk->canvas, &text);
	if (strstr(text_string(&text), wanted) == NULL)
		fail_msg("%s: no \"%s\" in\n%s", page->name, wanted, text_string(&text));
	text_release(&text);
}

static void
wait_for_page(struct desk *desk, const struct long_page *page, void *state)
{
	while (page->ops->look(state, &desk->session))
		sched_yield();
}

static void
pages_that_take_long_are_made_beside(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(long_pages); i++) {
		const struct long_page *page = &long_pages[i];
		struct desk desk;
		struct error err = { 0 };
		void *opened = open_long(&desk, page);
		check_page(&desk, page, opened, "being worked out; Escape cancels");
		wait_for_page(&desk, page, opened);
		check_page(&desk, page, opened, page->shows);
		assert_false(page->ops->look(opened, &desk.session));
		assert_true(page->ops->renew(opened, &desk.session, desk.trace, &err));
		check_page(&desk, page, opened, page->shows);
		wait_for_page(&desk, page, opened);
		check_page(&desk, page, opened, page->shows);
		page->ops->close(opened);
		desk_close(&desk);
	}
}

static void
escape_leaves_a_page_that_is_made(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(long_pages); i++) {
		const struct long_page *page = &long_pages[i];
		struct desk desk;
		void *opened = open_long(&desk, page);
		struct view_answer answer = page->ops->command(
			opened, &desk.session, COMMAND_CLEAR_SEARCH, 1, NULL);
		assert_int_equal(answer.reaction, VIEW_CLOSE);
		page->ops->close(opened);
		desk_close(&desk);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meanwhile_tells_who_ran_most),
		cmocka_unit_test(procs_are_told_by_id_and_not_all),
		cmocka_unit_test(the_cursor_is_on_a_row_before_the_next_frame),
		cmocka_unit_test(long_stacks_are_found_beside),
		cmocka_unit_test(escape_stops_looking),
		cmocka_unit_test(few_stacks_are_found_at_once),
		cmocka_unit_test(many_tasks_are_found_beside),
		cmocka_unit_test(one_thing_at_a_time_is_looked_for),
		cmocka_unit_test(the_second_of_two_is_found_beside_too),
		cmocka_unit_test(what_was_given_up_can_be_had_again),
		cmocka_unit_test(tasks_that_nobody_wants_are_not_looked_for),
		cmocka_unit_test(what_is_awaited_is_looked_for_in_more_of_the_trace),
		cmocka_unit_test(the_view_can_be_closed_meanwhile),
		cmocka_unit_test(pages_that_take_long_are_made_beside),
		cmocka_unit_test(escape_leaves_a_page_that_is_made),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
