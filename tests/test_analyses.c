/*
 * Analyses on the screen: the list, the pages, that what was worked out is kept, and that another
 * snapshot takes their place.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "base/compiler.h"
#include "pagetest.h"
#include "trace/lane.h"
#include "view/analyses.h"
#include "view/analysis_view.h"
#include "analysis/profile_request.h"
#include "result/figures.h"

/* ---- what they look like */

static const struct page_picture pictures[] = {
	{ "analyses.txt", "httpserver-go1.23", "analyses", "", 80, 24, false, false },
	{ "analyses-goroutine.txt", "httpserver-go1.23", "analyses@G6", "", 80, 24, false, false },
	{ "analyses-task.txt", "httpserver-go1.23", "analyses@T61", "Down", 80, 24, false, false },
	{ "analyses-function.txt", "httpserver-go1.23", "analyses@net/http.(*conn).serve", "G", 80,
		24, true, true },
	{ "analysis-allocations.txt", "allocfree-go1.26", "allocations", "", 80, 24, false, false },
	{ "analysis-goroutines.txt", "httpserver-go1.23", "goroutines", "", 80, 24, false, false },
	{ "analysis-goroutines-wide.txt", "contention-go1.26", "goroutines", "> >", 130, 20, false,
		false },
	{ "analysis-goroutines-ascii.txt", "httpserver-go1.23", "goroutines", "s s s s > > Down", 80,
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
	{ "analysis-tree-tiny.txt", "httpserver-go1.23", "tree:sched", "E", 40, 10, false, false },
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
	for (size_t i = 0; i < ARRAY_LENGTH(pictures); i++)
		page_check_picture(&pictures[i]);
}

/* ---- going about */

static void
a_key_leads_to_the_list_and_on_to_a_lane(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	page_press(&test, "a");
	page_has(&test, "Analyses");
	page_has(&test, "all goroutines");
	page_press(&test, "Home Enter");
	page_has(&test, "All goroutines by function");
	page_press(&test, "Enter");
	page_has(&test, "Goroutines of net/http.(*conn).serve");
	page_press(&test, "Down Enter");
	assert_int_equal(test.app.depth, 1);
	assert_true(test.app.session->has_lane);
	assert_int_equal(test.app.session->lane.type, LANE_ACTOR);
	page_press(&test, "u");
	assert_int_equal(test.app.session->viewport.t0_ns, 0);
	page_end(&test);
}

static void
the_list_can_be_searched(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	page_press(&test, "a / w o r l d Enter");
	page_has(&test, ">  stw ");
	page_press(&test, "/ n o n e s u c h Enter");
	assert_string_equal(test.app.session->status, "nothing matches");
	page_has(&test, ">  stw ");
	assert_null(test.app.session->search);
	page_end(&test);
}

/* What is typed ahead is not lost while numbers are made. */
static void
the_list_leads_on_before_it_has_numbers(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	app_key(&test.app, "a");
	const struct analysis *list = test.app.session->analyses.kept[0];
	const void *sketch = list->numbers;
	assert_non_null(list->job);
	app_key(&test.app, "Down");
	app_key(&test.app, "Enter");
	page_settle(&test);
	page_has(&test, "Scheduling waits by function");
	page_press(&test, "q");
	page_has(&test, ">  sched ");
	page_has(&test, "60.2 ms   waits for a P, by who");
	assert_ptr_not_equal(list->numbers, sketch);
	page_end(&test);
}

static void
the_title_tells_what_the_page_was_set_to(void **state)
{
	(void)state;
	static const char *const pages[][2] = {
		{ "flame:sched", "Scheduling waits, callers as flames" },
		{ "tree:sched", "Scheduling waits, callers" },
	};
	static const char *const settings[] = { "reverse=on" };
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct page_test test;
		page_begin(&test, "httpserver-go1.23", 100, 30, pages[i][0]);
		const struct view_page *page = &test.app.stack[test.app.depth - 1];
		page->ops->set(
			page->state, test.app.session, settings, ARRAY_LENGTH(settings));
		page_settle(&test);
		page_has(&test, pages[i][1]);
		page_end(&test);
	}
}

static void
closing_leads_back_to_what_enter_left(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "tasks-go1.23", 100, 30, "tasks");
	page_settle(&test);
	page_press(&test, "Enter Down");
	struct text page = { 0 };
	text_add_string(&page, page_text(&test));
	page_press(&test, "Enter");
	assert_int_equal(test.app.depth, 1);
	assert_int_equal(test.app.session->tasks, TASKS_ALL);
	page_press(&test, "Down q");
	assert_string_equal(page_text(&test), page.bytes);
	page_press(&test, "q");
	page_has(&test, "Tasks by type");
	page_press(&test, "q q");
	assert_int_equal(test.app.session->tasks, TASKS_OFF);
	assert_false(test.app.is_done);
	app_key(&test.app, "q");
	assert_true(test.app.is_done);
	text_release(&page);
	page_end(&test);
}

/* Not from where one was before, nor once another page was open. */
static void
closing_leads_back_only_from_there(void **state)
{
	(void)state;
	static const char *const others[] = { "u", "? q" };
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
		struct page_test test;
		page_begin(&test, "httpserver-go1.23", 100, 30, "longest:sched");
		page_settle(&test);
		page_press(&test, "Enter");
		assert_true(test.app.session->leads_back);
		page_press(&test, others[i]);
		assert_false(test.app.session->leads_back);
		app_key(&test.app, "q");
		assert_true(test.app.is_done);
		page_end(&test);
	}
}

/* One that was cancelled still leads on, and is finished when it is opened again. */
static void
a_list_without_numbers_gets_them_later(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "analyses");
	app_key(&test.app, "Escape");
	page_settle(&test);
	page_has(&test, "all goroutines");
	page_lacks(&test, "60.2 ms");
	page_press(&test, "q a");
	page_has(&test, "60.2 ms");
	page_end(&test);
}

static void
hints_are_of_what_a_page_does(void **state)
{
	(void)state;
	static const struct {
		const char *page, *has, *lacks;
	} rows[] = {
		{ "analyses", "open", "search" },
		{ "goroutines", "statistic", "form" },
		{ "gc", "sort", "statistic" },
		{ "top:sched", "form", "statistic" },
		{ "tree:sched", "form", "sort" },
		{ "flame:sched", "form", "sort" },
		{ "histogram:sched", "back", "zoom" },
		{ "heat:sched", "zoom", "statistic" },
		{ "mmu", "move", "zoom" },
		{ "mmu", "back", "form" },
		{ "heap", "form", "statistic" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct page_test test;
		page_begin(&test, "httpserver-go1.23", 200, 30, rows[i].page);
		page_settle(&test);
		const char *bottom = page_text(&test);
		for (int line = 1; line < 30; line++)
			bottom = strchr(bottom, '\n') + 1;
		if (strstr(bottom, rows[i].has) == NULL || strstr(bottom, rows[i].lacks) != NULL)
			fail_msg("%s: %s", rows[i].page, bottom);
		page_end(&test);
	}
}

static void
escape_and_q_lead_back_to_where_one_was(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	page_press(&test, "Down Down Enter q");
	page_has(&test, "3 of 19");
	page_press(&test, "q");
	assert_int_equal(test.app.depth, 1);
	page_press(&test, ":");
	page_type(&test, "analyse goroutines");
	page_has(&test, "3 of 19");
	page_press(&test, "Escape");
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

static void
numbers_are_worked_out_once(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	assert_int_equal(test.app.session->analyses.count, 1);
	const void *numbers = test.app.session->analyses.kept[0]->numbers;
	assert_non_null(numbers);
	page_press(&test, "q");
	app_key(&test.app, ":");
	page_type(&test, "analyse goroutines");
	assert_int_equal(test.app.session->analyses.count, 1);
	assert_ptr_equal(test.app.session->analyses.kept[0]->numbers, numbers);
	page_end(&test);
}

/* A row that leads elsewhere does not carry its end along. */
static void
a_marked_interval_stays_what_was_analysed(void **state)
{
	(void)state;
	static const char *const ways[] = { "a q", "F Enter" };
	for (size_t i = 0; i < ARRAY_LENGTH(ways); i++) {
		struct page_test test;
		int64_t from_ns, until_ns, later_from_ns, later_until_ns;
		page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
		const struct session *session = test.app.session;
		page_press(&test, "Down Down Down Down v 5 0 Right");
		assert_true(session_marked(session, &from_ns, &until_ns));
		page_press(&test, ways[i]);
		int64_t cursor_ns = session->cursor_ns;
		assert_int_equal(test.app.depth, 1);
		page_press(&test, "Left Left");
		assert_true(session->cursor_ns != cursor_ns);
		assert_true(session_marked(session, &later_from_ns, &later_until_ns));
		assert_int_equal(later_from_ns, from_ns);
		assert_int_equal(later_until_ns, until_ns);
		page_press(&test, "v");
		assert_false(session->has_mark);
		page_end(&test);
	}
}

static void
a_marked_interval_limits_them(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	page_press(&test, "Home v 9 Right a");
	page_has(&test, " from 0.0 ms");
	page_press(&test, "Home Enter");
	page_has(&test, " from 0.0 ms");
	page_press(&test, "q q Escape a Home Enter");
	page_lacks(&test, " from 0.0 ms");
	page_end(&test);
}

static void
a_filter_limits_them(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	page_press(&test, "&");
	page_type(&test, "g=1");
	page_press(&test, "a Home Enter");
	page_has(&test, "where g=1");
	page_has(&test, "1 of 1");
	page_has(&test, "main.main");
	page_end(&test);
}

/* Collections that a goroutine began which matches then; of the procs what matches. */
static void
a_filter_limits_collections_and_procs(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "gcheavy-go1.26", 240, 30, NULL);
	page_press(&test, "&");
	page_type(&test, "g=22");
	page_press(&test, ":");
	page_type(&test, "analyse gc");
	page_settle(&test);
	page_has(&test, "where g=22");
	page_has(&test, "1 of 3");
	page_has(&test, "heap  G22 main.main.func1.1");
	page_lacks(&test, "G21 main.main.func1.1");
	page_press(&test, ":");
	page_type(&test, "analyse utilisation");
	page_settle(&test);
	page_has(&test, "where g=22");
	page_has(&test, "collector 0.00");
	page_end(&test);
}

/* What all states match looks as it does without. */
static void
a_filter_of_all_leaves_the_charts(void **state)
{
	static const char *const names[] = { "utilisation", "heap" };
	static const char *const commands[] = { "analyse utilisation", "analyse heap" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct page_test plain, limited;
		page_begin(&plain, "gcheavy-go1.26", 100, 30, names[i]);
		page_begin(&limited, "gcheavy-go1.26", 100, 30, NULL);
		page_press(&limited, "&");
		page_type(&limited, "dur>=0ns");
		page_press(&limited, ":");
		page_type(&limited, commands[i]);
		page_settle(&plain);
		page_settle(&limited);
		page_press(&plain, "5 Right + +");
		page_press(&limited, "5 Right + +");
		page_has(&limited, "where dur>=0ns");
		const struct canvas *a = &plain.fake.shown, *b = &limited.fake.shown;
		/* Below the titles. */
		assert_memory_equal(a->cells + a->width, b->cells + b->width,
			(size_t)a->width * (size_t)(a->height - 2) * sizeof a->cells[0]);
		page_end(&plain);
		page_end(&limited);
	}
}

/* Whoever opens a page at once means the filter that was just typed. */
static void
a_filter_that_is_looked_for_limits_them(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	struct error err = { 0 };
	const struct analysis_choice goroutines = analysis_choose("goroutines");
	assert_true(session_filter(test.app.session, "g=1", &err));
	assert_non_null(test.app.session->searching);
	assert_int_equal(test.app.session->filter_mode, FILTER_OFF);
	struct analysis *analysis = analyses_open(test.app.session, &goroutines, &err);
	assert_non_null(analysis);
	assert_string_equal(analysis->query.bytes, "g=1");
	page_settle(&test);
	assert_int_equal(test.app.session->filter_mode, FILTER_DIMS);
	assert_ptr_equal(analyses_open(test.app.session, &goroutines, &err), analysis);
	session_drop_filter(test.app.session);
	assert_ptr_not_equal(analyses_open(test.app.session, &goroutines, &err), analysis);
	page_end(&test);
}

static void
the_command_line_leads_back(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 200, 30, "function:net/http.(*conn).serve");
	page_settle(&test);
	page_press(&test, "y");
	page_has(&test, "--view='function:net/http.(*conn).serve'");
	page_press(&test, "a y");
	page_has(&test, "--view=analyses some.trace");
	page_end(&test);
}

static void
what_there_is_not_is_said(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, NULL);
	app_key(&test.app, ":");
	page_type(&test, "analyse nothing");
	page_has(&test, "there is no page nothing; a lists the analyses");
	app_key(&test.app, ":");
	page_type(&test, "analyse sync");
	page_has(&test, "there is no page sync; did you mean top:sync?");
	app_key(&test.app, ":");
	page_type(&test, "analyse block");
	page_has(&test, "there is no page block; did you mean histogram:block?");
	app_key(&test.app, ":");
	page_type(&test, "analyse function:main.nobody");
	page_has(&test, "no goroutine starts with main.nobody");
	page_press(&test, "q :");
	page_type(&test, "analyse analyses@G99999");
	page_has(&test, "there is no goroutine, task or function G99999");
	page_end(&test);
}

/* ---- tables */

static void
tables_are_sorted_by_any_column(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	page_has(&test, "> net/http.(*conn).serve");
	page_press(&test, "<");
	page_has(&test, "life\u25be");
	page_press(&test, "< <");
	page_has(&test, "function\u25b4");
	page_has(&test, "> main.main ");
	page_press(&test, "r");
	page_has(&test, "function\u25be");
	page_has(&test, "> runtime/trace.Start.func1");
	page_press(&test, "<");
	page_has(&test, "\u25be");
	page_has(&test, "\u2039");
	page_end(&test);
}

static void
a_click_on_a_title_sorts(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	const struct screen_mouse on_name = { MOUSE_PRESS, 4, 1 }, on_row = { MOUSE_PRESS, 4, 5 };
	app_mouse(&test.app, &on_name);
	page_settle(&test);
	page_has(&test, "function\u25b4");
	app_mouse(&test.app, &on_name);
	page_settle(&test);
	page_has(&test, "function\u25be");
	app_mouse(&test.app, &on_row);
	page_settle(&test);
	page_has(&test, "4 of 19");
	page_end(&test);
}

static void
rows_are_searched_and_filtered(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	page_press(&test, "/");
	page_type(&test, "bgsweep");
	page_has(&test, "> runtime.bgsweep");
	page_press(&test, "&");
	page_type(&test, "^main");
	page_has(&test, "3 of 19 rows");
	page_lacks(&test, "bgsweep");
	page_press(&test, "&");
	page_type(&test, "");
	page_has(&test, "of 19");
	page_press(&test, "&");
	page_type(&test, "nothing at all");
	page_has(&test, "no row matches");
	page_press(&test, "Escape Escape");
	page_has(&test, "1 of 19");
	page_end(&test);
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
		{ "gcheavy-go1.26", "longest:assist", LANE_ACTOR },
		{ "httpserver-go1.23", "longest:syscall", LANE_ACTOR },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct page_test test;
		page_begin(&test, rows[i].trace, 100, 30, rows[i].page);
		page_settle(&test);
		page_press(&test, "Down Enter");
		assert_int_equal(test.app.depth, 1);
		assert_true(test.app.session->has_lane);
		assert_int_equal(test.app.session->lane.type, rows[i].type);
		struct span span;
		assert_true(lane_span_at(test.trace, test.app.session->lane,
			test.app.session->cursor_ns, &span));
		assert_true(test.app.session->viewport.t0_ns <= span.start_ns);
		page_end(&test);
	}
}

/* Whatever bytes but 0 a name has, if any, it leads on, and the command line leads there as well. */
static void
rows_of_any_name_lead_on(void **state)
{
	static const char *const pages[] = { "tasks", "regions" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct page_test test;
		page_begin(&test, "tasks-go1.23", 100, 60, pages[i]);
		page_settle(&test);
		const struct figures *figures = test.app.session->analyses.kept[0]->numbers;
		size_t rows = figures->row_count;
		assert_true(rows > 5);
		for (size_t row = 0; row < rows; row++) {
			page_press(&test, "Enter");
			if (strstr(test.app.session->status, "a zero byte in it cannot") != NULL) {
				page_press(&test, "Down");
				continue;
			}
			if (test.app.depth != 3)
				fail_msg("row %zu of %s: %s", row, pages[i], test.app.session->status);
			page_lacks(&test, "there is no");
			page_has(&test, "1 of ");
			page_press(&test, "q Down");
		}
		page_end(&test);
	}
}

static void
a_subject_may_stand_behind_any_parameter(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 120, 30, NULL);
	app_key(&test.app, ":");
	page_type(&test, "analyse longest:name~@@x@G1");
	page_has(&test, "name~@x, the longest of G1 main.main");
	page_press(&test, "y");
	assert_non_null(strstr(test.app.link.bytes, "--view='longest:name~@@x@G1'"));
	page_end(&test);
}

/* What went on beside a task is counted in its time alone. */
static void
a_task_has_its_own_numbers(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "analyses@T61");
	page_settle(&test);
	page_has(&test, "sched         1.04 ms");
	page_has(&test, "gc            1.97 ms");
	page_press(&test, "Down Down Down Down Down Down Enter");
	page_has(&test, "Collections in the time of task 61 request");
	page_has(&test, "1 of 1");
	page_press(&test, "q q :");
	page_type(&test, "analyse gc@T11");
	page_has(&test, "no collection");
	page_end(&test);
}

/* ---- trees of calls */

static void
one_form_leads_to_the_next(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "top:sync");
	page_settle(&test);
	page_has(&test, "Synchronisation waits by function");
	page_press(&test, "f");
	page_has(&test, "Synchronisation waits, calls");
	page_press(&test, "f y");
	page_has(&test, "flame graph");
	assert_non_null(strstr(test.app.link.bytes, "--view=flame:sync some.trace"));
	page_press(&test, "f");
	page_has(&test, "flat%");
	assert_int_equal(test.app.session->analyses.count, 1);
	page_end(&test);
}

static void
a_function_leads_to_its_callers_and_back(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "top:sync");
	page_settle(&test);
	page_has(&test, "> runtime.selectgo");
	page_press(&test, "Enter");
	page_has(&test, "Synchronisation waits, callers");
	page_has(&test, "\u25be runtime.selectgo");
	page_has(&test, "net/http.(*persistConn).writeLoop");
	page_press(&test, "q");
	page_has(&test, "Synchronisation waits by function");
	page_end(&test);
}

static void
calls_fold_and_unfold(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 40, "tree:sync");
	page_settle(&test);
	page_lacks(&test, "main.client");
	page_press(&test, "Down Right");
	page_has(&test, "main.client");
	page_press(&test, "Right Right Left Left");
	page_has(&test, ">");
	page_press(&test, "c");
	page_lacks(&test, "main.client");
	page_press(&test, "E");
	page_has(&test, "main.client");
	page_press(&test, "c o");
	page_has(&test, "main.client");
	page_end(&test);
}

/* The runtime's goroutines come and go with a key, on this page and those opened later. */
static void
the_runtime_counts_when_asked_for(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 120, 30, "histogram:sched");
	page_settle(&test);
	page_has(&test, "of the program's goroutines");
	page_has(&test, "in all 60.2 ms");
	page_press(&test, "R");
	page_settle(&test);
	page_has(&test, "of all goroutines");
	page_has(&test, "in all 63.9 ms");
	page_press(&test, "y");
	page_has(&test, "--runtime");
	page_press(&test, "a");
	page_settle(&test);
	page_has(&test, "63.9 ms   waits for a P, by who");
	page_press(&test, "R");
	page_settle(&test);
	page_has(&test, "60.2 ms   waits for a P, by who");
	page_end(&test);
}

static void
a_search_tells_the_share_of_what_matches(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	page_settle(&test);
	page_press(&test, "/");
	page_type(&test, "^main");
	page_has(&test, "matched: 47%");
	page_has(&test, "matched 529 ms, 47%");
	page_press(&test, "n N Escape");
	page_lacks(&test, "matched");
	page_press(&test, "/");
	page_type(&test, "no such function");
	page_has(&test, "nothing matches");
	page_end(&test);
}

/* The numbers before it stay, and their name with them. */
static void
what_was_not_worked_out_is_not_named(void **state)
{
	(void)state;
	struct page_test test;
	struct error err;
	error_clear(&err);
	page_begin(&test, "httpserver-go1.23", 200, 30, "tree:sync");
	page_settle(&test);
	struct analysis *analysis = test.app.session->analyses.kept[0];
	assert_true(analyses_change(test.app.session, analysis, "sync,focus=main", &err));
	page_settle(&test);
	page_type_ahead(&test, "Fzz");
	assert_non_null(analysis->job);
	app_key(&test.app, "Escape");
	page_settle(&test);
	page_has(&test, "calls, focus main, ");
	page_has(&test, "main.client");
	page_has(&test, "cancelled");
	/* One whose page is closed meanwhile. */
	assert_true(analyses_change(test.app.session, analysis, "syscall", &err));
	app_key(&test.app, "q");
	assert_string_equal(analysis->parameter.bytes, "sync,focus=main");
	page_end(&test);
}

/* By key and by name, in all forms, and taken back step by step. */
static void
calls_are_focused_on_and_ignored(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 240, 30, "tree:sync");
	page_settle(&test);
	page_press(&test, "E F");
	page_type(&test, "^main\\.client$");
	page_settle(&test);
	page_has(&test, "calls, focus ^main\\.client$, ");
	page_lacks(&test, "writeLoop");
	/* Shares are of the whole. */
	page_has(&test, "25%");
	page_press(&test, ":");
	page_type(&test, "ignore a, b|getConn");
	page_settle(&test);
	page_has(&test, "focus ^main\\.client$, ignore a, b|getConn");
	page_lacks(&test, "(*Transport).getConn");
	page_press(&test, "y");
	page_has(&test, "--view='tree:sync,focus=^main'\\\\'.client$,ignore=a,, b|getConn'");
	page_press(&test, "f");
	page_has(&test, "flame graph, focus ^main\\.client$, ignore");
	page_press(&test, "f");
	page_has(&test, "by function, focus ^main\\.client$, ignore");
	page_press(&test, "Escape");
	page_settle(&test);
	page_lacks(&test, "ignore");
	page_has(&test, "focus ^main\\.client$, ");
	page_press(&test, "Escape");
	page_settle(&test);
	page_lacks(&test, "focus ^");
	page_press(&test, "I");
	page_type(&test, "selectgo");
	page_settle(&test);
	page_lacks(&test, "runtime.selectgo");
	page_press(&test, "I Enter");
	page_settle(&test);
	page_has(&test, "runtime.selectgo");
	/* Rows of a tree are stacks. */
	page_press(&test, "f &");
	page_type(&test, "wait$");
	page_settle(&test);
	page_has(&test, "calls, focus wait$, ");
	page_press(&test, "Escape");
	page_settle(&test);
	page_lacks(&test, "focus wait$");
	page_press(&test, "Escape");
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

/* What is in focus stays so on the way from a function to its callers, whatever the pattern. */
static void
a_function_in_focus_leads_to_its_calls(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 240, 30, "top:sync");
	page_settle(&test);
	page_press(&test, "F");
	page_type(&test, "client|@@,@");
	page_settle(&test);
	page_press(&test, "Enter");
	page_settle(&test);
	page_has(&test, "callers, focus client|@@,@, ");
	page_end(&test);
}

static void
only_profiles_have_calls_to_focus_on(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	page_press(&test, "F");
	page_type(&test, "main");
	page_has(&test, "only profiles have calls");
	page_end(&test);
}

static void
profile_names_read_and_write(void **state)
{
	static const struct {
		const char *text, *focus, *ignore;
		bool is_fine;
	} rows[] = {
		{ "sched", "", "", true },
		{ "net,as-go,exact", "", "", true },
		{ "cpu,focus=a", "a", "", true },
		{ "sync,as-go,exact,focus=a,,b=c,ignore=,,", "a,b=c", ",", true },
		{ "offcpu,ignore=x", "", "x", true },
		{ "slices,ignore=x", "", "x", true },
		{ "", "", "", true },
		{ "alloc_space,focus=a", "a", "", true }, /* a type of samples */
		{ "a,,b", "", "", true },
		{ "sched,", NULL, NULL, false },
		{ "cpu,as-go,exact", NULL, NULL, false },
		{ "sched,as-go,exact,exact", NULL, NULL, false },
		{ "sched,exact", NULL, NULL, false },
		{ "sched,as-go", "", "", true },
		{ "sched,focus=", NULL, NULL, false },
		{ "sched,focus=a,focus=b", NULL, NULL, false },
		{ "sched,for=a", NULL, NULL, false },
	};
	const struct analysis_scope all = { .actor = REF_NONE, .task = REF_NONE };
	struct profile_request request = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text out = { 0 };
		if (profile_request_read(&request, rows[i].text, &all) != rows[i].is_fine)
			fail_msg("%s is %s", rows[i].text, rows[i].is_fine ? "refused" : "taken");
		if (!rows[i].is_fine)
			continue;
		profile_request_add(&out, &request);
		assert_string_equal(text_string(&out), rows[i].text);
		assert_string_equal(request.focus != NULL ? request.focus : "", rows[i].focus);
		assert_string_equal(request.ignore != NULL ? request.ignore : "", rows[i].ignore);
		text_release(&out);
	}
	profile_request_release(&request);
}

static void
frames_are_zoomed_into_and_back(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	page_settle(&test);
	page_press(&test, "Right Enter");
	page_lacks(&test, "writeLoop");
	page_has(&test, "main.client");
	page_press(&test, "-");
	page_has(&test, "writeLoop");
	page_press(&test, "Enter Escape");
	page_has(&test, "writeLoop");
	page_press(&test, "r");
	page_has(&test, "callers as flames");
	page_press(&test, "Escape");
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

static void
a_click_selects_a_frame(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "flame:sync");
	page_settle(&test);
	const struct screen_mouse on_frame = { MOUSE_PRESS, 45, 3 };
	app_mouse(&test.app, &on_frame);
	page_settle(&test);
	assert_non_null(strstr(page_text(&test), "\n main.client  "));
	page_end(&test);
}

/* ---- while the trace loads */

static void
a_later_snapshot_takes_the_place(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	page_settle(&test);
	struct analysis *analysis = test.app.session->analyses.kept[0];
	const void *numbers = analysis->numbers;
	struct error err = { 0 };
	session_renew(test.app.session, test.trace, false);
	assert_true(analysis_view.renew(
		test.app.stack[1].state, test.app.session, test.trace, &err));
	assert_non_null(analysis->job);
	assert_ptr_equal(analysis->numbers, numbers);
	page_settle(&test);
	assert_null(analysis->job);
	assert_int_equal(analysis->snapshot, test.app.session->snapshot);
	page_has(&test, "net/http.(*conn).serve");
	page_end(&test);
}

/* Snapshots that come faster than numbers are made do not keep them from being made. */
static void
what_is_being_made_is_made_first(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	struct analysis *analysis = test.app.session->analyses.kept[0];
	struct error err = { 0 };
	const void *job = analysis->job;
	assert_non_null(job);
	for (int i = 0; i < 3; i++) {
		session_renew(test.app.session, test.trace, false);
		assert_true(analysis_view.renew(
			test.app.stack[1].state, test.app.session, test.trace, &err));
		assert_ptr_equal(analysis->job, job);
	}
	while (analysis->numbers == NULL) {
		sched_yield();
		app_look(&test.app);
	}
	assert_non_null(analysis->job);
	page_settle(&test);
	assert_int_equal(analysis->snapshot, test.app.session->snapshot);
	page_end(&test);
}

static void
what_is_not_wanted_any_more_ends(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "goroutines");
	struct analysis *analysis = test.app.session->analyses.kept[0];
	assert_non_null(analysis->job);
	app_key(&test.app, "Escape");
	assert_null(analysis->job);
	assert_int_equal(test.app.depth, 2);
	page_settle(&test);
	page_has(&test, "cancelled");
	page_press(&test, "q :");
	page_type(&test, "analyse goroutines");
	page_has(&test, "net/http.(*conn).serve");
	page_end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_look_as_they_should),
		cmocka_unit_test(a_key_leads_to_the_list_and_on_to_a_lane),
		cmocka_unit_test(the_list_can_be_searched),
		cmocka_unit_test(the_list_leads_on_before_it_has_numbers),
		cmocka_unit_test(the_title_tells_what_the_page_was_set_to),
		cmocka_unit_test(closing_leads_back_to_what_enter_left),
		cmocka_unit_test(closing_leads_back_only_from_there),
		cmocka_unit_test(a_list_without_numbers_gets_them_later),
		cmocka_unit_test(hints_are_of_what_a_page_does),
		cmocka_unit_test(escape_and_q_lead_back_to_where_one_was),
		cmocka_unit_test(numbers_are_worked_out_once),
		cmocka_unit_test(a_marked_interval_limits_them),
		cmocka_unit_test(a_marked_interval_stays_what_was_analysed),
		cmocka_unit_test(a_filter_limits_them),
		cmocka_unit_test(a_filter_limits_collections_and_procs),
		cmocka_unit_test(a_filter_of_all_leaves_the_charts),
		cmocka_unit_test(a_filter_that_is_looked_for_limits_them),
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
		cmocka_unit_test(the_runtime_counts_when_asked_for),
		cmocka_unit_test(a_search_tells_the_share_of_what_matches),
		cmocka_unit_test(calls_are_focused_on_and_ignored),
		cmocka_unit_test(what_was_not_worked_out_is_not_named),
		cmocka_unit_test(a_function_in_focus_leads_to_its_calls),
		cmocka_unit_test(only_profiles_have_calls_to_focus_on),
		cmocka_unit_test(profile_names_read_and_write),
		cmocka_unit_test(frames_are_zoomed_into_and_back),
		cmocka_unit_test(a_click_selects_a_frame),
		cmocka_unit_test(a_later_snapshot_takes_the_place),
		cmocka_unit_test(what_is_being_made_is_made_first),
		cmocka_unit_test(what_is_not_wanted_any_more_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
