/*
 * Several traces on one screen: lines for panes, what a Go trace and the kernel's scheduler look like together, what
 * goes from one to the other, and shifted clocks.
 */
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include "app/align.h"
#include "app/app_internal.h"
#include "app/files.h"
#include "app/views.h"
#include "base_testing.h"
#include "draw/palette.h"
#include "golden.h"
#include "pagetest.h"
#include "profiletesting.h"
#include "query/search.h"
#include "scene.h"
#include "tracetesting.h"
#include "trace/lane.h"

/* ---- lines */

static void
lines_are_given_out_once(void **state)
{
	(void)state;
	uint64_t seed = 20261128, start = seed;
	for (int round = 0; round < 20000; round++) {
		struct panes panes = { .count = 1 + (int)(random_next(&seed) % PANES_MOST) };
		panes.active = (int)(random_next(&seed) % (uint64_t)panes.count);
		int y = (int)(random_next(&seed) % 5), lines = (int)(random_next(&seed) % 60), at = y;
		for (int i = 0; i < panes.count; i++)
			panes.items[i].rows = random_next(&seed) % 8 == 0 ? SIZE_MAX : random_next(&seed) % 40;
		panes_place(&panes, y, lines);
		for (int i = 0; i < panes.count; i++) {
			const struct pane_place *place = &panes.items[i];
			if (place->y != at || place->lines < 0)
				fail_msg("seed %ju: pane %d at %d, not %d", (uintmax_t)start, i, place->y, at);
			/* Whoever has less than its rows and heading has no less than others that have more than they need. */
			for (int k = 0; k < panes.count && lines >= 2 * panes.count; k++) {
				const struct pane_place *other = &panes.items[k];
				bool is_short = (size_t)place->lines < place->rows;
				if (is_short && other->lines > place->lines + panes.count)
					fail_msg("seed %ju: %d lines and %d", (uintmax_t)start, place->lines, other->lines);
			}
			at += place->lines;
		}
		if (at > y + lines || panes_at(&panes, y - 1) >= 0 || panes_at(&panes, at) >= 0)
			fail_msg("seed %ju: %d lines of %d", (uintmax_t)start, at - y, lines);
	}
}

/* ---- screens */

struct two {
	struct page_test test;
	struct other beside;
};

static const char below_file[] = "sched.txt";

/* The second one is still loaded. */
static void
open_first(struct two *two, const char *name, int width, int height, const char *align)
{
	struct page_test *test = &two->test;
	struct error err = { 0 };
	char file[64];
	*two = (struct two){ .beside = { .options = NULL } };
	snprintf(file, sizeof file, "%s.trace.gz", name);
	test->trace = profiletesting_load_file("go-and-sched", file);
	two->beside.shown = (struct other_trace){ .name = below_file, .file = below_file };
	fakescreen_init(&test->fake, width, height, "");
	struct app_parts parts = {
		.screen = &test->fake.screen,
		.palette = palette_find("dark"),
		.trace = test->trace,
		.beside = &two->beside,
		.beside_count = 1,
		.align = align,
		.file_name = "app.trace",
		.origin = { .file = "app.trace" },
		.viewport = { 0, test->trace->end_ns },
		.focus = REF_NONE,
		.path = REF_NONE,
		.asked = &test->options,
	};
	parts.views = views_all(&parts.view_count);
	assert_true(app_init(&test->app, &parts, &err));
}

static void
add_second(struct two *two, const char *name)
{
	char file[64];
	snprintf(file, sizeof file, "%s.txt.gz", name);
	two->beside.loader.shown = profiletesting_load_file("go-and-sched", file);
	two->beside.shown.trace = two->beside.loader.shown;
	page_settle(&two->test);
	page_settle(&two->test); /* what is odd is looked for once there is a picture */
}

static void
open_two(struct two *two, const char *name, int width, int height, const char *align)
{
	open_first(two, name, width, height, align);
	add_second(two, name);
}

static void
close_two(struct two *two)
{
	app_release(&two->test.app);
	fakescreen_release(&two->test.fake);
	trace_free(two->test.trace);
	trace_free(two->beside.loader.shown);
}

static void
both_stand_on_one_screen(void **state)
{
	(void)state;
	struct two two;
	struct text made = { 0 };
	open_two(&two, "contention", 100, 34, NULL);
	scene_dump(&two.test.app.canvas, &made);
	golden_check("panes.txt", &made);
	page_has(&two.test, "shift 0s tested: ");
	page_press(&two.test, "Tab");
	text_clear(&made);
	scene_dump(&two.test.app.canvas, &made);
	golden_check("panes-below.txt", &made);
	text_release(&made);
	close_two(&two);
}

/* Whatever is done in one of them, times of both are the same moments. */
static void
times_stay_in_step(void **state)
{
	(void)state;
	static const char *const keys[] = { "Tab", "+", "-", "l", "h", "<", ">", "Home", "End", "0", "j", "k", "G", "g", "v",
		"b", "A", "]", "[", "z", "u", "f", "Escape" };
	struct two two;
	uint64_t seed = 20261128, start = seed;
	open_two(&two, "httpserver", 80, 24, "sched.txt:-7ms");
	struct app *app = &two.test.app;
	page_has(&two.test, "shift -0.007s given by --align: ");
	for (int round = 0; round < 600; round++) {
		page_press(&two.test, keys[random_next(&seed) % (sizeof keys / sizeof keys[0])]);
		const struct session *first = &app->pane[0].session, *second = &app->pane[1].session;
		int64_t delta_ns = app->pane[1].delta_ns;
		if (app->is_done)
			fail_msg("seed %ju: round %d has left", (uintmax_t)start, round);
		if (app->depth > 1)
			page_press(&two.test, "q");
		if (first->viewport.t0_ns != second->viewport.t0_ns + delta_ns ||
			first->viewport.t1_ns != second->viewport.t1_ns + delta_ns ||
			first->cursor_ns != second->cursor_ns + delta_ns)
			fail_msg("seed %ju, round %d: %" PRId64 " and %" PRId64, (uintmax_t)start, round,
				first->cursor_ns, second->cursor_ns);
		if (first->viewport.t0_ns < session_extent(first).t0_ns || first->cursor_ns < first->viewport.t0_ns)
			fail_msg("seed %ju, round %d: before all traces", (uintmax_t)start, round);
	}
	close_two(&two);
}

/* From a goroutine to the task that is its thread, where that runs or waits, and back. */
static void
a_key_leads_across(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	struct span span, there;
	page_press(&two.test, "t");
	page_type(&two.test, "50%");
	assert_int_equal(app->session->lane.type, LANE_PROCESSOR);
	assert_true(lane_span_at(app->session->trace, app->session->lane, app->session->cursor_ns, &span));
	int64_t tid = trace_thread(app->session->trace, span.thread)->id;
	page_press(&two.test, "b");
	assert_int_equal(app->panes.active, 1);
	assert_int_equal(app->session->lane.type, LANE_ACTOR);
	assert_true(trace_actor(app->session->trace, app->session->lane.ref)->id == tid);
	assert_true(lane_span_at(app->session->trace, app->session->lane, app->session->cursor_ns, &there));
	page_press(&two.test, "b");
	assert_int_equal(app->panes.active, 0);
	assert_int_equal(app->session->lane.type, LANE_ACTOR);
	assert_int_equal(app->session->lane.ref, span.actor);
	close_two(&two);
}

/* Where the cursor stands, in the time of the first one. */
static int64_t
moment_of(const struct app *app)
{
	return app->session->cursor_ns + app->pane[app->panes.active].delta_ns;
}

/* Matches are gone through in time, from the one to the other. */
static void
a_search_is_of_both(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	page_press(&two.test, "Home /");
	page_type(&two.test, "gcBgMark|perf");
	uint64_t counts[2];
	bool at_end = false;
	for (int i = 0; i < 2; i++) {
		const struct session *session = &app->pane[i].session;
		assert_non_null(session->search);
		counts[i] = search_before(session->search, session->trace->end_ns);
		assert_true(counts[i] > 0);
		at_end |= counts[i] < search_count(session->search);
	}
	/* Round to the first one, and then once through all of them. */
	uint64_t seen[2] = { 0 }, all = counts[0] + counts[1] + at_end;
	int64_t before_ns = moment_of(app), now_ns;
	page_press(&two.test, "End n");
	if (at_end)
		page_press(&two.test, "n");
	for (uint64_t i = 0; i < all; i++) {
		now_ns = moment_of(app);
		if (i > 0 && now_ns < before_ns)
			fail_msg("match %" PRIu64 " at %" PRId64 " behind %" PRId64, i, now_ns, before_ns);
		before_ns = now_ns;
		seen[app->panes.active]++;
		page_press(&two.test, "n");
	}
	assert_int_equal(seen[0], counts[0]);
	assert_int_equal(seen[1], counts[1] + at_end); /* the kernel's ends later */
	now_ns = moment_of(app);
	assert_true(now_ns < before_ns);
	page_press(&two.test, "N");
	assert_true(moment_of(app) > now_ns);
	page_press(&two.test, "Escape");
	assert_null(app->pane[0].session.search);
	assert_null(app->pane[1].session.search);
	close_two(&two);
}

/* Notes are those of the first one, in the time of each. */
static void
notes_are_of_both(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	page_press(&two.test, "A l l l Tab B");
	const struct notes *first = app->pane[0].session.notes, *second = app->pane[1].session.notes;
	assert_true(first->has_mark[MARK_A] && first->has_mark[MARK_B]);
	assert_true(second->has_mark[MARK_A] && second->has_mark[MARK_B]);
	assert_true(first->mark_ns[MARK_B] > first->mark_ns[MARK_A]);
	assert_true(first->mark_ns[MARK_A] == second->mark_ns[MARK_A] + app->pane[1].delta_ns);
	assert_true(first->mark_ns[MARK_B] == second->mark_ns[MARK_B] + app->pane[1].delta_ns);
	page_press(&two.test, "y");
	page_has(&two.test, "copied: ttrace --from=");
	assert_non_null(strstr(app->link.bytes, "app.trace sched.txt"));
	close_two(&two);
}

/* What belongs to one trace does not go with the user to another one. */
static void
what_is_of_one_stays_with_it(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	struct session *second = &app->pane[1].session;
	/* Without a search there is nowhere to go. */
	page_press(&two.test, "l l l");
	int64_t cursor_ns = app->session->cursor_ns;
	page_press(&two.test, "n N");
	assert_true(app->session->cursor_ns == cursor_ns);
	/* What is searched for in a page is of that page. */
	page_press(&two.test, "/");
	page_type(&two.test, "gcBgMark|perf");
	const struct search *search = second->search;
	assert_non_null(search);
	page_press(&two.test, "? /");
	page_type(&two.test, "zoom");
	page_press(&two.test, "q");
	assert_ptr_equal(second->search, search);
	/* Marks are seen in all of them at once. */
	page_press(&two.test, "A l l B");
	assert_true(second->notes->has_mark[MARK_B]);
	assert_true(second->is_between);
	/* Pages that a row of theirs led away from are closed, as rows of another trace are not theirs. */
	page_press(&two.test, ":");
	page_type(&two.test, "analyse goroutines");
	page_press(&two.test, "Enter");
	for (int i = 0; i < 3 && app->depth > 1; i++)
		page_press(&two.test, "Enter");
	assert_true(app->depth == 1 && app->left > 0);
	page_press(&two.test, "Tab");
	assert_int_equal(app->panes.active, 1);
	assert_int_equal(app->left, 0);
	close_two(&two);
}

/* What was searched for and filtered by before a trace was there is so in it as well. */
static void
one_that_comes_late_is_searched_too(void **state)
{
	(void)state;
	struct two two;
	open_first(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	app_key(app, "/");
	page_type_ahead(&two.test, "gcBgMark|perf");
	while (app->session->searching != NULL) {
		sched_yield();
		app_look(app);
	}
	app_key(app, "&");
	page_type_ahead(&two.test, "dur>1ms");
	add_second(&two, "contention");
	assert_true(app->pane[1].is_open);
	assert_non_null(app->pane[1].session.search);
	assert_non_null(app->pane[1].session.filter);
	page_press(&two.test, "Tab l");
	assert_non_null(app->pane[0].session.search);
	assert_non_null(app->pane[0].session.filter);
	page_press(&two.test, "Escape");
	assert_null(app->pane[0].session.search);
	assert_non_null(app->pane[0].session.filter);
	close_two(&two);
}

/* What the kernel did meanwhile is an answer as others are. */
static void
the_menu_offers_what_is_beneath(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "contention", 100, 34, NULL);
	page_press(&two.test, "a");
	page_has(&two.test, "where running time went by the kernel's trace");
	page_press(&two.test, "q :");
	page_type(&two.test, "analyse beneath:thread");
	page_has(&two.test, "CPU beneath threads");
	page_has(&two.test, "waited for one");
	page_press(&two.test, "q Tab a");
	page_lacks(&two.test, "where running time went by the kernel's trace");
	close_two(&two);
}

/* A page about what lies beneath is opened once that is known. */
static void
a_page_awaits_the_other_trace(void **state)
{
	(void)state;
	struct two two;
	open_first(&two, "contention", 100, 34, NULL);
	two.test.options.view = "beneath:thread";
	app_begin_at_place(&two.test.app);
	assert_int_equal(two.test.app.depth, 1);
	add_second(&two, "contention");
	page_settle(&two.test);
	page_has(&two.test, "CPU beneath threads");
	close_two(&two);
}

/* Samples of the kernel's stand on lanes above, and their stacks in the panel. */
static void
samples_beneath_are_seen(void **state)
{
	(void)state;
	struct two two;
	open_two(&two, "worker", 100, 34, NULL);
	page_press(&two.test, "t");
	page_type(&two.test, "18.7ms");
	page_has(&two.test, "Sample of cpu-clock at 18.7");
	page_has(&two.test, "main.compute");
	page_press(&two.test, ":");
	page_type(&two.test, "analyse tree:beneath");
	page_has(&two.test, "cpu-clock beneath, calls");
	page_has(&two.test, "asm_sysvec_apic_timer_interrupt");
	page_press(&two.test, "f");
	page_has(&two.test, "main.compute");
	close_two(&two);
}

/* Of two critical pages the first one stays as it was while the second one has another path. */
static void
each_critical_page_has_its_path(void **state)
{
	(void)state;
	struct two two;
	struct text before = { 0 }, after = { 0 };
	open_two(&two, "contention", 100, 34, NULL);
	struct app *app = &two.test.app;
	page_press(&two.test, "t");
	page_type(&two.test, "50%");
	page_press(&two.test, "W");
	page_has(&two.test, "Critical path of");
	scene_dump(&app->canvas, &before);
	size_t depth = app->depth;
	page_press(&two.test, "j W");
	assert_true(app->depth > depth);
	page_press(&two.test, "q k");
	assert_int_equal(app->depth, depth);
	scene_dump(&app->canvas, &after);
	assert_string_equal(after.bytes, before.bytes);
	text_release(&before);
	text_release(&after);
	close_two(&two);
}

/* By source; what can be read only once stays behind the one before, and what nobody knows comes last. */
static void
files_stand_in_the_order_of_their_sources(void **state)
{
	(void)state;
	char go[256], kernel[256];
	snprintf(go, sizeof go, "%s", testing_path("go-and-sched/contention", ".trace.gz"));
	snprintf(kernel, sizeof kernel, "%s", testing_path("go-and-sched/contention", ".txt.gz"));
	const char *const cases[][2][3] = {
		{ { kernel, go }, { go, kernel } },
		{ { go, kernel }, { go, kernel } },
		{ { "/dev/null", kernel, go }, { "/dev/null", go, kernel } },
		{ { kernel, "-", go }, { go, kernel, "-" } },
		{ { go, "-" }, { go, "-" } },
		{ { "nowhere", kernel, go }, { go, kernel, "nowhere" } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *more[2] = { cases[i][0][1], cases[i][0][2] };
		struct options options = { .file = cases[i][0][0],
			.more_files = more,
			.more_count = more[1] != NULL ? 2 : 1 };
		files_order(&options);
		for (size_t k = 0; k <= options.more_count; k++)
			assert_string_equal(options_file(&options, k), cases[i][1][k]);
	}
}

/* Of several kernels' traces that one lies beneath which has the program's threads, wherever it stands. */
static void
the_trace_of_the_same_threads_lies_beneath(void **state)
{
	(void)state;
	static const char *const files[] = { "contention.txt.gz", "httpserver.txt.gz", "contention.trace.gz" };
	enum { FILES = 3 };
	struct trace *loaded[FILES];
	for (int i = 0; i < FILES; i++)
		loaded[i] = profiletesting_load_file("go-and-sched", files[i]);
	for (int first = 0; first < FILES; first++) {
		const struct trace *traces[FILES + 1] = { NULL };
		int above, below;
		for (int i = 0; i < FILES; i++)
			traces[i] = loaded[(first + i) % FILES];
		assert_true(align_find(traces, FILES + 1, &above, &below));
		assert_ptr_equal(traces[above], loaded[2]);
		assert_ptr_equal(traces[below], loaded[0]);
		assert_false(align_find((const struct trace *[]){ loaded[0], loaded[1] }, 2, &above, &below));
	}
	for (int i = 0; i < FILES; i++)
		trace_free(loaded[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_given_out_once),
		cmocka_unit_test(both_stand_on_one_screen),
		cmocka_unit_test(times_stay_in_step),
		cmocka_unit_test(a_key_leads_across),
		cmocka_unit_test(a_search_is_of_both),
		cmocka_unit_test(notes_are_of_both),
		cmocka_unit_test(what_is_of_one_stays_with_it),
		cmocka_unit_test(one_that_comes_late_is_searched_too),
		cmocka_unit_test(the_menu_offers_what_is_beneath),
		cmocka_unit_test(a_page_awaits_the_other_trace),
		cmocka_unit_test(samples_beneath_are_seen),
		cmocka_unit_test(files_stand_in_the_order_of_their_sources),
		cmocka_unit_test(each_critical_page_has_its_path),
		cmocka_unit_test(the_trace_of_the_same_threads_lies_beneath),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
