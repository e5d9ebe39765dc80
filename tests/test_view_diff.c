/* Differences of two traces on the screen: tables, waiting for the other trace, what limits both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "base/compiler.h"
#include "pagetest.h"
#include "view/analyses.h"
#include "result/figures.h"
#include "view/profile_page.h"

/* ---- what they look like */

static const struct {
	struct page_picture picture;
	const char *other;
} pictures[] = {
	{ { "view-diff-functions.txt", "contention-go1.26", "diff", "Down", 80, 24, false, false },
		"contention-go1.23" },
	{ { "view-diff-functions-wide.txt", "httpserver-go1.26", "diff", "s s s s", 150, 40, false, false },
		"httpserver-go1.23" },
	{ { "view-diff-functions-ascii.txt", "contention-go1.26", "diff", "", 110, 24, true, true },
		"contention-go1.23" },
	{ { "view-diff-functions-tiny.txt", "contention-go1.26", "diff", "Right", 40, 10, false, true },
		"contention-go1.23" },
	{ { "view-diff-regions.txt", "httpserver-go1.26", "diff-regions", "", 100, 24, false, false },
		"httpserver-go1.23" },
	{ { "view-diff-regions-hostile.txt", "httpserver-go1.26", "diff-regions", "", 80, 24, true, true },
		"tasks-go1.23" },
	{ { "view-diff-top.txt", "contention-go1.26", "diff-top:sync", "", 80, 24, false, false },
		"contention-go1.23" },
	{ { "view-diff-tree.txt", "contention-go1.26", "diff-tree:sched", "Down E", 120, 30, false,
		  false },
		"contention-go1.23" },
	{ { "view-diff-tree-ascii.txt", "samples-go1.26", "diff-tree:cpu", "r E", 80, 24, true, true },
		"contention-go1.26" },
	{ { "view-diff-flame.txt", "contention-go1.26", "diff-flame:sync", "Down Down Right", 100, 24,
		  false, false },
		"contention-go1.23" },
	{ { "view-diff-flame-mono.txt", "httpserver-go1.26", "diff-flame:offcpu", "r Down", 120, 24,
		  false, true },
		"httpserver-go1.23" },
	{ { "view-diff-flame-ascii.txt", "contention-go1.26", "diff-flame:sched", "Down Down", 80, 24, true,
		  true },
		"contention-go1.23" },
	{ { "view-diff-flame-before.txt", "contention-go1.26", "diff-flame:sync", "s Down Down Right",
		  100, 24, false, false },
		"contention-go1.23" },
	{ { "view-diff-list.txt", "contention-go1.26", "analyses", "", 80, 24, false, false },
		"contention-go1.23" },
	{ { "view-diff-nothing.txt", "contention-go1.26", "diff", "", 80, 10, false, false },
		"contention-go1.26" },
};

static void
pages_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(pictures); i++)
		page_check_compared(&pictures[i].picture, pictures[i].other);
}

/* ---- tables */

static void
columns_of_changes_are_sorted_by_how_much(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 200, 40, "diff");
	page_settle(&test);
	const struct analysis *analysis = test.app.session->analyses.kept[0];
	const struct figures *figures = analysis->numbers;
	assert_true(figures->row_count > 5);
	for (size_t i = 1; i < figures->row_count; i++) {
		int64_t a = *figures_cell(figures, 0, i - 1, 2), b = *figures_cell(figures, 0, i, 2);
		assert_true((a < 0 ? -a : a) >= (b < 0 ? -b : b));
	}
	for (size_t i = 0; i < figures->row_count; i++)
		assert_int_equal(*figures_cell(figures, 0, i, 2),
			*figures_cell(figures, 0, i, 4) - *figures_cell(figures, 0, i, 3));
	page_has(&test, "change\u25be");
	page_press(&test, "> > >");
	page_has(&test, "%\u25be");
	page_has(&test, "new");
	page_press(&test, "r");
	page_has(&test, "-100%");
	page_end(&test);
}

/* What is new has no share, and what changed at all has one. */
static void
shares_tell_what_has_changed(void **state)
{
	static const struct {
		int64_t before, after, share;
	} rows[] = {
		{ 100, 100, 0 },
		{ 0, 0, 0 },
		{ 200, 100, -500000 },
		{ 200, 0, -1000000 },
		{ 200, 300, 500000 },
		{ 0, 1, FIGURE_NEW },
		{ 1, INT64_MAX, FIGURE_NEW },
		{ 10000000, 10000001, 1 },
		{ 10000000, 9999999, -1 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		assert_int_equal(
			figures_change_share(rows[i].before, rows[i].after), rows[i].share);
}

static void
rows_lead_to_the_goroutines_of_this_trace(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "httpserver-go1.23", 120, 40, "diff");
	page_settle(&test);
	page_press(&test, "/");
	page_type(&test, "main.main");
	page_press(&test, "Enter");
	page_has(&test, "Goroutines of main.main");
	page_press(&test, "Enter");
	assert_int_equal(test.app.depth, 1);
	assert_int_equal(test.app.session->lane.type, LANE_ACTOR);
	page_press(&test, "a");
	page_end(&test);
	page_begin_compared(&test, "contention-go1.26", "httpserver-go1.23", 120, 40, "diff");
	page_settle(&test);
	page_press(&test, "/");
	page_type(&test, "net/http.(*conn).serve");
	page_press(&test, "Enter");
	page_has(&test, "this trace has none of them");
	page_press(&test, "&");
	page_type(&test, "net/http");
	page_has(&test, "rows");
	page_lacks(&test, "main.main ");
	page_end(&test);
}

/* ---- profiles */

static const struct call_tree *
shown_tree(struct page_test *test)
{
	const struct profile_numbers *numbers = test->app.session->analyses.kept[0]->numbers;
	return numbers->trees[0];
}

static void
profiles_have_three_forms(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 120, 40, "diff-top:sync");
	page_settle(&test);
	page_has(&test, "Difference: Synchronisation waits by function");
	page_press(&test, "f");
	page_has(&test, "Difference: Synchronisation waits, calls");
	page_press(&test, "f");
	page_has(&test, "Difference: Synchronisation waits, flame graph");
	page_has(&test, ": before ");
	page_press(&test, "s");
	page_has(&test, "flame graph, of the program's goroutines, as wide as before");
	/* Of both trees; as y tells it, before what can only be seen so. */
	page_press(&test, "r");
	page_has(&test, "callers as flames, of the program's goroutines, as wide as before");
	page_press(&test, "r j j Enter y");
	const char *widths = strstr(test.app.link.bytes, "--page-set=widths=before");
	assert_non_null(widths);
	assert_non_null(strstr(widths, "--page-set=zoom="));
	page_press(&test, "Escape");
	page_press(&test, "f Home Enter");
	page_has(&test, "Difference: Synchronisation waits, callers");
	page_press(&test, "y");
	page_has(&test, "--view=diff-tree:sync");
	page_end(&test);
}

/* What a node has is the same, however its callees stand; boxes begin with the widest. */
static void
boxes_are_those_of_the_tree(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 120, 40, "diff-tree:sync");
	page_settle(&test);
	const struct profile_numbers *numbers = test.app.session->analyses.kept[0]->numbers;
	for (int turned = 0; turned < 2; turned++) {
		const struct call_tree *tree = numbers->trees[turned];
		const struct call_tree *boxes = numbers->boxes[turned][DIFF_AFTER];
		const struct call_tree *before = numbers->boxes[turned][DIFF_BEFORE];
		const struct diff_profile *diff = numbers->diffs[turned];
		uint64_t most = 0;
		assert_int_equal(tree->node_count, boxes->node_count);
		for (uint32_t i = 0; i < tree->node_count; i++) {
			const struct call_node *node = &boxes->nodes[i];
			uint64_t far = diff_distance(diff->before[i], tree->nodes[i].value);
			most = i > 0 && far > most ? far : most;
			assert_int_equal(node->value, tree->nodes[i].value);
			assert_int_equal(before->nodes[i].value, diff->before[i]);
			assert_int_equal(before->nodes[i].self, diff->before_self[i]);
			assert_int_equal(node->parent, tree->nodes[i].parent);
			assert_int_equal(node->child_count, tree->nodes[i].child_count);
			for (uint32_t c = 1; c < node->child_count; c++) {
				const uint32_t *at = &boxes->children[node->first_child + c];
				assert_true(boxes->nodes[at[-1]].value >= boxes->nodes[*at].value);
			}
		}
		assert_int_equal(most, diff->most_changed);
	}
	page_end(&test);
}

static void
what_is_searched_is_told_by_its_change(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.26", 120, 40, "diff-tree:sync");
	page_settle(&test);
	page_press(&test, "/");
	page_type(&test, "runtime.selectgo");
	page_has(&test, "matched: =");
	page_press(&test, "/");
	page_type(&test, "nowhere");
	page_has(&test, "nothing matches");
	assert_true(shown_tree(&test)->node_count > 1);
	page_end(&test);
}

static void
calls_are_chosen_in_both(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 120, 40, "diff-tree:sync");
	page_settle(&test);
	page_press(&test, "F");
	page_type(&test, "selectgo");
	page_has(&test, "Difference: Synchronisation waits, calls, focus selectgo");
	page_press(&test, "E");
	page_has(&test, "runtime.selectgo");
	page_lacks(&test, "WaitGroup");
	page_press(&test, "y");
	page_has(&test, "--view=diff-tree:sync,focus=selectgo");
	page_end(&test);
}

/* Of a function that only one of them has all is new, or gone. */
static void
a_subject_is_looked_for_in_both(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "httpserver-go1.23", "contention-go1.23", 120, 40,
		"diff-tree:offcpu@net/http.(*conn).serve");
	page_settle(&test);
	page_has(&test, " of net/http.(*conn).serve");
	page_has(&test, "+");
	const struct profile_numbers *numbers = test.app.session->analyses.kept[0]->numbers;
	for (uint32_t i = 0; i < numbers->trees[0]->node_count; i++)
		assert_int_equal(numbers->diffs[0]->before[i], 0);
	page_end(&test);
	page_begin_compared(&test, "httpserver-go1.23", "httpserver-go1.23", 120, 40,
		"diff-tree:offcpu@net/http.(*conn).serve");
	page_settle(&test);
	numbers = test.app.session->analyses.kept[0]->numbers;
	assert_int_equal(numbers->diffs[0]->most_changed, 0);
	assert_true(numbers->trees[0]->nodes[0].value > 0);
	page_end(&test);
}

static void
the_list_tells_what_has_changed(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 100, 60, NULL);
	struct other_trace *other = &test.other.shown;
	other->trace = NULL;
	page_press(&test, "a");
	page_has(&test, "what has changed since other.trace");
	page_lacks(&test, "-69");
	other->trace = test.other_trace;
	page_settle(&test);
	page_has(&test, "goroutines        -69   by function");
	page_press(&test, "Home Enter");
	page_has(&test, "Difference by function");
	page_end(&test);
}

/* ---- what limits both */

static void
an_interval_is_of_both(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.26", 120, 40, NULL);
	page_press(&test, "Home v 9 Right a");
	page_press(&test, ":");
	page_type(&test, "analyse diff");
	page_has(&test, "nothing has changed");
	page_has(&test, " from 0.00 ms");
	page_end(&test);
}

/* An interval that the other trace does not have is new, all of it. */
static void
time_that_one_of_them_has_is_new(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "httpserver-go1.23", "contention-go1.26", 120, 40, NULL);
	session_mark(test.app.session, 100000000);
	test.app.session->cursor_ns = 120000000;
	page_press(&test, ":");
	page_type(&test, "analyse diff");
	page_has(&test, "--- other.trace 0 ns");
	page_has(&test, "+++ some.trace 20 ms");
	page_press(&test, "> > > r");
	page_has(&test, "new");
	page_lacks(&test, "-100%");
	page_end(&test);
}

static void
a_filter_is_of_both(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "httpserver-go1.23", "contention-go1.26", 120, 40, NULL);
	page_press(&test, "&");
	page_type(&test, "name~main.main");
	page_press(&test, ":");
	page_type(&test, "analyse diff");
	page_has(&test, "where name~main.main");
	page_has(&test, "main.main ");
	page_lacks(&test, "net/http.(*conn).serve");
	page_end(&test);
}

/* ---- the other trace */

struct wish {
	int begun, given_up;
};

static void
note_wish(void *context, bool is_wanted)
{
	struct wish *wish = context;
	*(is_wanted ? &wish->begun : &wish->given_up) += 1;
}

/* It is not there yet. */
static struct other_trace *
take_other(struct page_test *test, struct wish *wish)
{
	struct other_trace *other = &test->other.shown;
	other->trace = NULL;
	other->load = note_wish;
	other->context = wish;
	return other;
}

static void
pages_wait_for_the_other_trace(void **state)
{
	(void)state;
	struct page_test test;
	struct wish wish = { 0, 0 };
	const struct analysis_choice diff = analysis_choose("diff");
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 100, 30, NULL);
	struct other_trace *other = take_other(&test, &wish);
	other->percent = 42;
	struct error err = { 0 };
	assert_true(session_filter(test.app.session, "name~main", &err));
	assert_non_null(analyses_open(test.app.session, &diff, &err));
	assert_int_equal(wish.begun, 1);
	page_type_ahead(&test, ":analyse diff");
	app_look(&test.app);
	assert_true(test.app.is_waiting);
	assert_true(app_draw(&test.app, &err));
	page_has(&test, "other.trace is being loaded; Escape cancels");
	page_has(&test, "42%");
	other->trace = test.other_trace;
	page_settle(&test);
	page_has(&test, "+++ some.trace");
	page_has(&test, "change");
	page_end(&test);
}

static void
the_other_trace_may_not_come(void **state)
{
	(void)state;
	struct page_test test;
	struct wish wish = { 0, 0 };
	struct error err = { 0 };
	const struct analysis_choice diff = analysis_choose("diff");
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 100, 30, NULL);
	struct other_trace *other = take_other(&test, &wish);
	app_key(&test.app, "a");
	struct analysis *analysis = analyses_open(test.app.session, &diff, &err);
	assert_true(analyses_cancel(test.app.session, analysis));
	assert_int_equal(wish.given_up, 1);
	assert_int_equal(analysis->failure.kind, ERROR_CANCELLED);
	assert_false(analyses_cancel(test.app.session, analysis));
	assert_ptr_equal(analyses_open(test.app.session, &diff, &err), analysis);
	assert_int_equal(wish.begun, 2);
	error_set(&other->failure, ERROR_FORMAT, "other.trace: no Go trace");
	page_press(&test, ":");
	page_type(&test, "analyse diff");
	page_has(&test, "other.trace: no Go trace");
	page_end(&test);
}

/* The numbers before it stay, and their name with them. */
static void
what_the_other_trace_fails_is_not_named(void **state)
{
	(void)state;
	struct page_test test;
	struct wish wish = { 0, 0 };
	struct error err = { 0 };
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 120, 30, "diff-tree:sync");
	page_settle(&test);
	struct other_trace *other = take_other(&test, &wish);
	struct analysis *analysis = test.app.session->analyses.kept[0];
	assert_true(analyses_change(test.app.session, analysis, "sched", &err));
	error_set(&other->failure, ERROR_FORMAT, "other.trace: no Go trace");
	analyses_look(test.app.session, analysis);
	other->trace = test.other_trace;
	page_settle(&test);
	page_has(&test, "Difference: Synchronisation waits, calls");
	page_has(&test, "other.trace: no Go trace");
	page_end(&test);
}

static void
without_another_trace_there_is_no_difference(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "contention-go1.26", 100, 30, NULL);
	page_press(&test, ":");
	page_type(&test, "analyse diff");
	page_has(&test, "diff: there is no other trace, which --diff=FILE names");
	page_press(&test, "a");
	page_lacks(&test, "other.trace");
	page_end(&test);
}

/* ---- the way back */

static void
the_command_line_names_both(void **state)
{
	(void)state;
	struct page_test test;
	page_begin_compared(&test, "contention-go1.26", "contention-go1.23", 200, 30, "diff");
	page_settle(&test);
	page_press(&test, "Down y");
	page_has(&test, "--diff=other.trace --view=diff --page-line=2 some.trace");
	page_press(&test, "q y");
	page_has(&test, "--diff=other.trace --view=timeline some.trace");
	page_end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_look_as_they_should),
		cmocka_unit_test(columns_of_changes_are_sorted_by_how_much),
		cmocka_unit_test(shares_tell_what_has_changed),
		cmocka_unit_test(rows_lead_to_the_goroutines_of_this_trace),
		cmocka_unit_test(profiles_have_three_forms),
		cmocka_unit_test(boxes_are_those_of_the_tree),
		cmocka_unit_test(what_is_searched_is_told_by_its_change),
		cmocka_unit_test(calls_are_chosen_in_both),
		cmocka_unit_test(a_subject_is_looked_for_in_both),
		cmocka_unit_test(the_list_tells_what_has_changed),
		cmocka_unit_test(an_interval_is_of_both),
		cmocka_unit_test(time_that_one_of_them_has_is_new),
		cmocka_unit_test(a_filter_is_of_both),
		cmocka_unit_test(pages_wait_for_the_other_trace),
		cmocka_unit_test(the_other_trace_may_not_come),
		cmocka_unit_test(what_the_other_trace_fails_is_not_named),
		cmocka_unit_test(without_another_trace_there_is_no_difference),
		cmocka_unit_test(the_command_line_names_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
