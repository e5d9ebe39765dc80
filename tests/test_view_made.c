/* The views, on traces made for them. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/builder.h"
#include "trace/trace.h"
#include "view/meanwhile.h"
#include "view/sheet.h"
#include "view/timeline.h"
#include "view/timeline_state.h"

static const int64_t ms = 1000000;

/* ---- making a trace */

struct maker {
	struct trace *trace;
	struct builder *builder;
	int64_t now_ns;
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
	*maker = (struct maker){ .trace = trace_new(&err) };
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
change(struct maker *maker, goroutine_ref goroutine, enum state state, proc_ref proc)
{
	struct error err = { 0 };
	const struct state_change change = {
		.goroutine = goroutine,
		.reason = STRING_EMPTY,
		.stack = STACK_NONE,
		.waker = REF_NONE,
		.proc = proc,
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
	goroutine_ref goroutine;
	proc_ref proc;
	must(builder_goroutine(maker->builder, goroutine_id, &goroutine, &err), &err);
	must(builder_proc(maker->builder, proc_id, &proc, &err), &err);
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
	goroutine_ref goroutine;
	must(builder_goroutine(maker->builder, goroutine_id, &goroutine, &err), &err);
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
	assert_int_equal(lines_with(&page, "P"), SHEET_MOST_PROCS);
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
	group_ref group = trace_goroutine(before, 0)->group;
	struct lane folded = { LANE_GROUP, group }, lane = { LANE_GOROUTINE, WORKERS - 1 }, here;
	assert_true(rows_toggle(&timeline->rows, rows_find(&timeline->rows, folded), &err));
	timeline_select_row(timeline, &session, rows_find(&timeline->rows, lane));
	assert_int_equal(session.lane.type, LANE_GOROUTINE);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meanwhile_tells_who_ran_most),
		cmocka_unit_test(procs_are_told_by_id_and_not_all),
		cmocka_unit_test(the_cursor_is_on_a_row_before_the_next_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
