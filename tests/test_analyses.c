/*
 * Analyses on the screen: the list, the pages, that what was worked out is kept, and that another
 * snapshot takes their place.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "base/compiler.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "golden.h"
#include "scene.h"
#include "tracetesting.h"
#include "view/analysis.h"
#include "view/analysis_view.h"
#include "view/figures.h"
#include "view/help.h"
#include "view/timeline.h"

static const struct app_view views[] = {
	{ &timeline_view, true },
	{ &help_view, false },
	{ &analysis_view, false },
};

struct page_test {
	struct trace *trace;
	struct fakescreen fake;
	struct options options;
	struct app app;
};

/* The screen of a trace of testdata; `page` is open if it is not NULL. */
static void
begin(struct page_test *test, const char *name, int width, int height, const char *page)
{
	struct error err = { 0 };
	test->trace = testing_load(name);
	fakescreen_init(&test->fake, width, height, "");
	test->options = (struct options){ .view = page };
	const struct app_parts parts = {
		.screen = &test->fake.screen,
		.palette = palette_find("dark"),
		.views = views,
		.view_count = ARRAY_LENGTH(views),
		.trace = test->trace,
		.file_name = "some.trace",
		.origin = { .file = "some.trace" },
		.viewport = { 0, test->trace->end_ns },
		.focus = REF_NONE,
		.path = REF_NONE,
		.asked = &test->options,
	};
	if (!app_init(&test->app, &parts, &err))
		fail_msg("%s", err.message);
}

static void
end(struct page_test *test)
{
	app_release(&test->app);
	fakescreen_release(&test->fake);
	trace_free(test->trace);
}

/* All that other threads make is there, and drawn. */
static void
settle(struct page_test *test)
{
	struct error err = { 0 };
	app_look(&test->app);
	while (test->app.is_waiting || test->app.session.searching != NULL) {
		sched_yield();
		app_look(&test->app);
	}
	assert_true(app_draw(&test->app, &err));
}

/* Keys with blanks between. */
static void
press(struct page_test *test, const char *keys)
{
	char key[32];
	int length;
	while (sscanf(keys, "%31s%n", key, &length) == 1) {
		app_key(&test->app, key);
		settle(test);
		keys += length;
	}
}

/* Types a line and enters it. */
static void
type(struct page_test *test, const char *line)
{
	for (; *line != '\0'; line++) {
		char key[2] = { *line, '\0' };
		app_key(&test->app, *line == ' ' ? "Space" : key);
	}
	app_key(&test->app, "Enter");
	settle(test);
}

static const char *
screen_text(struct page_test *test)
{
	static struct text made;
	text_clear(&made);
	scene_dump_text(&test->app.canvas, &made);
	assert_false(made.failed);
	return made.bytes;
}

static void
check_has(struct page_test *test, const char *wanted)
{
	if (strstr(screen_text(test), wanted) == NULL)
		fail_msg("the screen lacks %s:\n%s", wanted, screen_text(test));
}

static void
check_lacks(struct page_test *test, const char *unwanted)
{
	if (strstr(screen_text(test), unwanted) != NULL)
		fail_msg("the screen has %s:\n%s", unwanted, screen_text(test));
}

/* ---- what they look like */

static const struct {
	const char *golden, *trace, *page, *keys;
	int width, height;
	bool ascii, mono;
} pictures[] = {
	{ "analyses.txt", "httpserver-go1.23", "analyses", "", 80, 24, false, false },
	{ "analyses-goroutine.txt", "httpserver-go1.23", "analyses@G6", "", 80, 24, false, false },
	{ "analyses-task.txt", "httpserver-go1.23", "analyses@T61", "Down", 80, 24, false, false },
	{ "analyses-function.txt", "httpserver-go1.23", "analyses@net/http.(*conn).serve", "G", 80,
		24, true, true },
	{ "analysis-goroutines.txt", "httpserver-go1.23", "goroutines", "", 80, 24, false, false },
	{ "analysis-goroutines-wide.txt", "contention-go1.26", "goroutines", "> >", 130, 20, false,
		false },
	{ "analysis-goroutines-ascii.txt", "httpserver-go1.23", "goroutines", "s s s s > Down", 80,
		24, true, true },
	{ "analysis-function.txt", "httpserver-go1.23", "function:net/http.(*conn).serve", "", 80,
		24, false, false },
	{ "analysis-gc.txt", "gcheavy-go1.26", "gc", "Right Right Right", 100, 24, false, false },
	{ "analysis-longest-stw.txt", "gcheavy-go1.26", "longest:stw", "", 80, 24, false, false },
	{ "analysis-longest-block.txt", "contention-go1.26", "longest:block", "Down", 110, 24, false,
		false },
	{ "analysis-longest-task.txt", "httpserver-go1.23", "longest:task=request", "", 80, 24,
		true, true },
	{ "analysis-tasks.txt", "tasks-go1.23", "tasks", "", 100, 24, false, false },
	{ "analysis-regions.txt", "httpserver-go1.23", "regions", "", 100, 24, false, false },
	{ "analysis-regions-hostile.txt", "tasks-go1.23", "regions", "<", 80, 24, true, true },
	{ "analysis-region.txt", "httpserver-go1.23", "region:query", "s", 80, 24, false, false },
	{ "analysis-top.txt", "httpserver-go1.23", "top:sched", "Down", 80, 24, false, false },
	{ "analysis-tree.txt", "httpserver-go1.23", "tree:sync", "Down Enter Down", 80, 24, false,
		false },
	{ "analysis-tree-ascii.txt", "contention-go1.26", "tree:offcpu@main.main", "r E", 80, 24,
		true, true },
	{ "analysis-flame.txt", "httpserver-go1.23", "flame:sync", "Right Down", 80, 24, false,
		false },
	{ "analysis-flame-zoomed.txt", "httpserver-go1.23", "flame:offcpu", "Right Down Enter Down",
		120, 30, false, false },
	{ "analysis-flame-mono.txt", "httpserver-go1.23", "flame:syscall", "r", 80, 24, false,
		true },
	{ "analysis-flame-ascii.txt", "samples-go1.26", "flame:cpu", "Down Down", 80, 24, true,
		true },
	{ "analysis-tiny.txt", "httpserver-go1.23", "goroutines", "Right Right", 40, 10, false,
		false },
};

static void
pages_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(pictures); i++) {
		struct page_test test;
		struct text made = { 0 };
		begin(&test, pictures[i].trace, pictures[i].width, pictures[i].height,
			pictures[i].page);
		test.app.parts.ascii = pictures[i].ascii;
		test.app.session.ascii = pictures[i].ascii;
		if (pictures[i].mono)
			test.fake.depth = COLORS_NONE;
		settle(&test);
		press(&test, pictures[i].keys);
		scene_dump(&test.app.canvas, &made);
		golden_check(pictures[i].golden, &made);
		text_release(&made);
		end(&test);
	}
}

/* ---- going about */

static void
a_key_leads_to_the_list_and_on_to_a_lane(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, NULL);
	press(&test, "a");
	check_has(&test, "Analyses");
	check_has(&test, "all goroutines");
	press(&test, "Home Enter");
	check_has(&test, "Goroutines by function");
	press(&test, "Enter");
	check_has(&test, "Goroutines of net/http.(*conn).serve");
	press(&test, "Down Enter");
	assert_int_equal(test.app.depth, 1);
	assert_true(test.app.session.has_lane);
	assert_int_equal(test.app.session.lane.type, LANE_GOROUTINE);
	press(&test, "u");
	assert_int_equal(test.app.session.viewport.t0_ns, 0);
	end(&test);
}

static void
escape_and_q_lead_back_to_where_one_was(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	press(&test, "Down Down Enter q");
	check_has(&test, "3 of 19");
	press(&test, "q");
	assert_int_equal(test.app.depth, 1);
	press(&test, ":");
	type(&test, "analyse goroutines");
	check_has(&test, "3 of 19");
	press(&test, "Escape");
	assert_int_equal(test.app.depth, 1);
	end(&test);
}

static void
numbers_are_worked_out_once(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	assert_int_equal(test.app.session.analyses.count, 1);
	const void *numbers = test.app.session.analyses.kept[0]->numbers;
	assert_non_null(numbers);
	press(&test, "q");
	app_key(&test.app, ":");
	type(&test, "analyse goroutines");
	assert_int_equal(test.app.session.analyses.count, 1);
	assert_ptr_equal(test.app.session.analyses.kept[0]->numbers, numbers);
	end(&test);
}

static void
a_marked_interval_limits_them(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, NULL);
	press(&test, "Home v 9 Right a");
	check_has(&test, " from 0.0 ms");
	press(&test, "Home Enter");
	check_has(&test, " from 0.0 ms");
	press(&test, "q q Escape a Home Enter");
	check_lacks(&test, " from 0.0 ms");
	end(&test);
}

static void
a_filter_limits_them(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, NULL);
	press(&test, "&");
	type(&test, "g=1");
	press(&test, "a Home Enter");
	check_has(&test, "where g=1");
	check_has(&test, "1 of 1");
	check_has(&test, "main.main");
	end(&test);
}

static void
the_command_line_leads_back(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 200, 30, "function:net/http.(*conn).serve");
	settle(&test);
	press(&test, "y");
	check_has(&test, "--view='function:net/http.(*conn).serve'");
	press(&test, "a y");
	check_has(&test, "--view=analyses some.trace");
	end(&test);
}

static void
what_there_is_not_is_said(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, NULL);
	app_key(&test.app, ":");
	type(&test, "analyse nothing");
	check_has(&test, "there is no page nothing");
	app_key(&test.app, ":");
	type(&test, "analyse function:main.nobody");
	check_has(&test, "no goroutine starts with main.nobody");
	press(&test, "q :");
	type(&test, "analyse analyses@G99999");
	check_has(&test, "there is no goroutine, task or function G99999");
	end(&test);
}

/* ---- tables */

static void
tables_are_sorted_by_any_column(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	check_has(&test, "> net/http.(*conn).serve");
	press(&test, "<");
	check_has(&test, "life\u25be");
	press(&test, "< <");
	check_has(&test, "function\u25b4");
	check_has(&test, "> main.main ");
	press(&test, "r");
	check_has(&test, "function\u25be");
	check_has(&test, "> runtime/trace.Start.func1");
	press(&test, "<");
	check_has(&test, "\u25be");
	check_has(&test, "\u2039");
	end(&test);
}

static void
a_click_on_a_title_sorts(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	const struct screen_mouse on_name = { MOUSE_PRESS, 4, 1 }, on_row = { MOUSE_PRESS, 4, 5 };
	app_mouse(&test.app, &on_name);
	settle(&test);
	check_has(&test, "function\u25b4");
	app_mouse(&test.app, &on_name);
	settle(&test);
	check_has(&test, "function\u25be");
	app_mouse(&test.app, &on_row);
	settle(&test);
	check_has(&test, "4 of 19");
	end(&test);
}

static void
rows_are_searched_and_filtered(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	press(&test, "/");
	type(&test, "bgsweep");
	check_has(&test, "> runtime.bgsweep");
	press(&test, "&");
	type(&test, "^main");
	check_has(&test, "3 of 19 rows");
	check_lacks(&test, "bgsweep");
	press(&test, "&");
	type(&test, "");
	check_has(&test, "of 19");
	press(&test, "&");
	type(&test, "nothing at all");
	check_has(&test, "no row matches");
	press(&test, "Escape Escape");
	check_has(&test, "1 of 19");
	end(&test);
}

static void
a_row_leads_to_its_place(void **state)
{
	static const struct {
		const char *trace, *page;
		enum lane_type type;
	} rows[] = {
		{ "gcheavy-go1.26", "gc", LANE_GC },
		{ "gcheavy-go1.26", "longest:stw", LANE_STW },
		{ "gcheavy-go1.26", "longest:gc", LANE_GC },
		{ "gcheavy-go1.26", "longest:assist", LANE_GOROUTINE },
		{ "httpserver-go1.23", "longest:syscall", LANE_GOROUTINE },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct page_test test;
		begin(&test, rows[i].trace, 100, 30, rows[i].page);
		settle(&test);
		press(&test, "Down Enter");
		assert_int_equal(test.app.depth, 1);
		assert_true(test.app.session.has_lane);
		assert_int_equal(test.app.session.lane.type, rows[i].type);
		struct span span;
		assert_true(lane_span_at(test.trace, test.app.session.lane,
			test.app.session.cursor_ns, &span));
		assert_true(test.app.session.viewport.t0_ns <= span.start_ns);
		end(&test);
	}
}

/* Whatever bytes a name has, it leads on, and the command line leads there as well. */
static void
rows_of_any_name_lead_on(void **state)
{
	static const char *const pages[] = { "tasks", "regions" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct page_test test;
		begin(&test, "tasks-go1.23", 100, 60, pages[i]);
		settle(&test);
		const struct figures *figures = test.app.session.analyses.kept[0]->numbers;
		size_t rows = figures->row_count;
		assert_true(rows > 5);
		for (size_t row = 0; row < rows; row++) {
			press(&test, "Enter");
			if (strstr(test.app.session.status, "cannot be asked for") != NULL) {
				press(&test, "Down");
				continue;
			}
			if (test.app.depth != 3)
				fail_msg("row %zu of %s: %s", row, pages[i], test.app.session.status);
			check_lacks(&test, "there is no");
			check_has(&test, "1 of ");
			press(&test, "q Down");
		}
		end(&test);
	}
}

static void
a_subject_may_stand_behind_any_parameter(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 120, 30, NULL);
	app_key(&test.app, ":");
	type(&test, "analyse longest:name~@@x@G1");
	check_has(&test, "name~@x, the longest of G1 main.main");
	press(&test, "y");
	assert_non_null(strstr(test.app.link.bytes, "--view='longest:name~@@x@G1'"));
	end(&test);
}

/* What went on beside a task is counted in its time alone. */
static void
a_task_has_its_own_numbers(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "analyses@T61");
	settle(&test);
	check_has(&test, "sched         1.04 ms");
	check_has(&test, "gc            1.97 ms");
	press(&test, "Down Down Down Down Down Down Enter");
	check_has(&test, "Collections in the time of task 61 request");
	check_has(&test, "1 of 1");
	press(&test, "q q :");
	type(&test, "analyse gc@T11");
	check_has(&test, "no collection");
	end(&test);
}

/* ---- trees of calls */

static void
one_form_leads_to_the_next(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "top:sync");
	settle(&test);
	check_has(&test, "Synchronisation waits by function");
	press(&test, "f");
	check_has(&test, "Synchronisation waits, calls");
	press(&test, "f y");
	check_has(&test, "flame graph");
	assert_non_null(strstr(test.app.link.bytes, "--view=flame:sync some.trace"));
	press(&test, "f");
	check_has(&test, "flat%");
	assert_int_equal(test.app.session.analyses.count, 1);
	end(&test);
}

static void
a_function_leads_to_its_callers_and_back(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "top:sync");
	settle(&test);
	check_has(&test, "> runtime.selectgo");
	press(&test, "Enter");
	check_has(&test, "Synchronisation waits, callers");
	check_has(&test, "\u25be runtime.selectgo");
	check_has(&test, "net/http.(*persistConn).writeLoop");
	press(&test, "q");
	check_has(&test, "Synchronisation waits by function");
	end(&test);
}

static void
calls_fold_and_unfold(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 40, "tree:sync");
	settle(&test);
	check_lacks(&test, "main.client");
	press(&test, "Down Right");
	check_has(&test, "main.client");
	press(&test, "Right Right Left Left");
	check_has(&test, ">");
	press(&test, "c");
	check_lacks(&test, "main.client");
	press(&test, "E");
	check_has(&test, "main.client");
	press(&test, "c o");
	check_has(&test, "main.client");
	end(&test);
}

static void
a_search_tells_the_share_of_what_matches(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	settle(&test);
	press(&test, "/");
	type(&test, "^main");
	check_has(&test, "matched: 40%");
	check_has(&test, "matched 407 ms, 40%");
	press(&test, "n N Escape");
	check_lacks(&test, "matched");
	press(&test, "/");
	type(&test, "no such function");
	check_has(&test, "nothing matches");
	end(&test);
}

static void
frames_are_zoomed_into_and_back(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	settle(&test);
	press(&test, "Right Enter");
	check_lacks(&test, "writeLoop");
	check_has(&test, "main.client");
	press(&test, "-");
	check_has(&test, "writeLoop");
	press(&test, "Enter Escape");
	check_has(&test, "writeLoop");
	press(&test, "r");
	check_has(&test, "callers as flames");
	press(&test, "Escape");
	assert_int_equal(test.app.depth, 1);
	end(&test);
}

static void
a_click_selects_a_frame(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	settle(&test);
	const struct screen_mouse on_frame = { MOUSE_PRESS, 60, 3 };
	app_mouse(&test.app, &on_frame);
	settle(&test);
	assert_non_null(strstr(screen_text(&test), "\n main.client  "));
	end(&test);
}

/* ---- while the trace loads */

static void
a_later_snapshot_takes_the_place(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	settle(&test);
	struct analysis *analysis = test.app.session.analyses.kept[0];
	const void *numbers = analysis->numbers;
	struct error err = { 0 };
	session_renew(&test.app.session, test.trace, false);
	assert_true(analysis_view.renew(
		test.app.stack[1].state, &test.app.session, test.trace, &err));
	assert_non_null(analysis->job);
	assert_ptr_equal(analysis->numbers, numbers);
	settle(&test);
	assert_null(analysis->job);
	assert_int_equal(analysis->snapshot, test.app.session.snapshot);
	check_has(&test, "net/http.(*conn).serve");
	end(&test);
}

/* Snapshots that come faster than numbers are made do not keep them from being made. */
static void
what_is_being_made_is_made_first(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	struct analysis *analysis = test.app.session.analyses.kept[0];
	struct error err = { 0 };
	const void *job = analysis->job;
	assert_non_null(job);
	for (int i = 0; i < 3; i++) {
		session_renew(&test.app.session, test.trace, false);
		assert_true(analysis_view.renew(
			test.app.stack[1].state, &test.app.session, test.trace, &err));
		assert_ptr_equal(analysis->job, job);
	}
	while (analysis->numbers == NULL) {
		sched_yield();
		app_look(&test.app);
	}
	assert_non_null(analysis->job);
	settle(&test);
	assert_int_equal(analysis->snapshot, test.app.session.snapshot);
	end(&test);
}

static void
what_is_not_wanted_any_more_ends(void **state)
{
	(void)state;
	struct page_test test;
	begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	struct analysis *analysis = test.app.session.analyses.kept[0];
	assert_non_null(analysis->job);
	app_key(&test.app, "Escape");
	assert_null(analysis->job);
	assert_int_equal(test.app.depth, 2);
	settle(&test);
	check_has(&test, "cancelled");
	press(&test, "q :");
	type(&test, "analyse goroutines");
	check_has(&test, "net/http.(*conn).serve");
	end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_look_as_they_should),
		cmocka_unit_test(a_key_leads_to_the_list_and_on_to_a_lane),
		cmocka_unit_test(escape_and_q_lead_back_to_where_one_was),
		cmocka_unit_test(numbers_are_worked_out_once),
		cmocka_unit_test(a_marked_interval_limits_them),
		cmocka_unit_test(a_filter_limits_them),
		cmocka_unit_test(the_command_line_leads_back),
		cmocka_unit_test(what_there_is_not_is_said),
		cmocka_unit_test(tables_are_sorted_by_any_column),
		cmocka_unit_test(a_click_on_a_title_sorts),
		cmocka_unit_test(rows_are_searched_and_filtered),
		cmocka_unit_test(a_row_leads_to_its_place),
		cmocka_unit_test(rows_of_any_name_lead_on),
		cmocka_unit_test(a_subject_may_stand_behind_any_parameter),
		cmocka_unit_test(a_task_has_its_own_numbers),
		cmocka_unit_test(one_form_leads_to_the_next),
		cmocka_unit_test(a_function_leads_to_its_callers_and_back),
		cmocka_unit_test(calls_fold_and_unfold),
		cmocka_unit_test(a_search_tells_the_share_of_what_matches),
		cmocka_unit_test(frames_are_zoomed_into_and_back),
		cmocka_unit_test(a_click_selects_a_frame),
		cmocka_unit_test(a_later_snapshot_takes_the_place),
		cmocka_unit_test(what_is_being_made_is_made_first),
		cmocka_unit_test(what_is_not_wanted_any_more_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
