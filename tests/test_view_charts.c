/*
 * Pictures of numbers on the screen: durations as a histogram and over time, the mutator utilisation,
 * busy procs; where each leads, and that time stays in step with the timeline.
 */
#include "base_testing.h"

#include "analysis/latency.h"
#include "analysis/go/mutator.h"
#include "base/units.h"
#include "pagetest.h"
#include "trace/lane.h"
#include "view/analyses.h"

/* ---- what they look like */

static const struct page_picture pictures[] = {
	{ "view-histogram.txt", "httpserver-go1.23", "histogram:sched", "Down Down", 80, 24, false, false },
	{ "view-histogram-longest.txt", "httpserver-go1.23", "histogram:syscall", "G", 80, 24, false, false },
	{ "view-histogram-ascii.txt", "httpserver-go1.23", "histogram:block=select", "", 80, 24, true, true },
	{ "view-heat.txt", "httpserver-go1.23", "heat:sched", "Right Right Up", 80, 24, false, false },
	{ "view-heat-mono.txt", "httpserver-go1.23", "heat:block", "+ + Left", 80, 24, false, true },
	{ "view-heat-ascii.txt", "gcheavy-go1.23", "heat:stw", "", 80, 24, true, true },
	{ "view-heat-tiny.txt", "httpserver-go1.23", "heat:sched", "", 40, 10, false, false },
	{ "view-mmu.txt", "gcheavy-go1.23", "mmu", "Left Left Down", 80, 24, false, false },
	{ "view-mmu-procs.txt", "gcheavy-go1.23", "mmu", "p w", 120, 36, false, false },
	{ "view-mmu-ascii.txt", "gcheavy-go1.23", "mmu:stw", "", 80, 24, true, true },
	{ "view-mmu-tiny.txt", "gcheavy-go1.23", "mmu", "", 40, 10, false, false },
	{ "view-utilisation.txt", "gcheavy-go1.23", "utilisation", "Right", 80, 24, false, false },
	{ "view-utilisation-mono.txt", "httpserver-go1.23", "utilisation", "+", 80, 24, false, true },
	{ "view-utilisation-ascii.txt", "httpserver-go1.23", "utilisation", "", 80, 24, true, true },
	{ "view-heap.txt", "gcheavy-go1.23", "heap", "Down Down", 80, 24, false, false },
	{ "view-heap-ascii.txt", "gcheavy-go1.23", "heap", "+", 80, 24, true, true },
	{ "view-utilisation-tiny.txt", "gcheavy-go1.23", "utilisation", "", 40, 10, false, false },
};

static void
charts_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(pictures); i++)
		page_check_picture(&pictures[i]);
}

/* ---- durations */

static struct latency
latency_of(const struct trace *trace, const char *name)
{
	struct latency latency;
	struct latency_kind kind;
	struct error err;
	error_clear(&err);
	const struct latency_scope scope = { trace->start_ns, trace->end_ns + 1, REF_NONE, NULL, false };
	assert_true(latency_kind_parse(&kind, name, 0, strlen(name), &err));
	assert_true(latency_build(&latency, trace, &kind, &scope, NULL, &err));
	latency_kind_release(&kind);
	return latency;
}

/* The first of the list is the longest of all, and the last bucket leads there as well. */
static void
the_longest_is_gone_to(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 80, 60, "histogram:sched");
	page_settle(&test);
	struct latency latency = latency_of(test.trace, "sched");
	uint64_t counts[LATENCY_BUCKETS];
	int used = latency_log2(&latency, 1, counts), first = 0;
	while (counts[first] == 0)
		first++;
	int64_t start_ns = latency_start_ns(&latency, latency.count - 1);
	for (int step = used - 1 - first; step <= used - first; step++) {
		page_press(&test, "g");
		for (int i = 0; i < step; i++)
			page_press(&test, "Down");
		page_press(&test, "Enter");
		assert_int_equal(test.app.depth, 1);
		assert_true(test.app.session->cursor_ns == start_ns);
		assert_int_equal(test.app.session->lane.type, LANE_ACTOR);
		app_key(&test.app, ":");
		page_type(&test, "analyse histogram:sched");
	}
	latency_release(&latency);
	page_end(&test);
}

static void
a_bucket_leads_to_its_longest(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 80, 40, "histogram:syscall");
	page_settle(&test);
	struct latency latency = latency_of(test.trace, "syscall");
	uint64_t counts[LATENCY_BUCKETS], first = 0;
	int used = latency_log2(&latency, 1, counts), bucket = 0;
	while (counts[bucket] == 0)
		bucket++;
	first = counts[bucket];
	assert_true(bucket < used);
	page_press(&test, "Enter");
	assert_int_equal(test.app.depth, 1);
	assert_true(test.app.session->cursor_ns == latency_start_ns(&latency, (size_t)first - 1));
	latency_release(&latency);
	page_end(&test);
}

/* What stands before a word on the screen. */
static bool
number_before(struct page_test *test, const char *word, char out[32])
{
	const char *text = page_text(test), *at = strstr(text, word);
	if (at == NULL)
		return false;
	const char *from = at;
	while (from > text && strchr("0123456789,", from[-1]) != NULL)
		from--;
	snprintf(out, 32, "%.*s", (int)(at - from), from);
	return true;
}

static void
a_cell_of_the_map_leads_to_its_longest(void **state)
{
	(void)state;
	struct page_test test;
	char count[32];
	page_begin(&test, "httpserver-go1.23", 100, 30, "heat:sched");
	page_settle(&test);
	while (!number_before(&test, " of ", count) || strcmp(count, "0") == 0)
		page_press(&test, "Right");
	struct viewport viewport = test.app.session->viewport;
	int64_t cursor_ns = test.app.session->cursor_ns;
	page_has(&test, "the longest");
	page_press(&test, "Enter");
	assert_int_equal(test.app.depth, 1);
	assert_int_equal(test.app.session->lane.type, LANE_ACTOR);
	struct span span;
	assert_true(lane_span_at(
		test.trace, test.app.session->lane, test.app.session->cursor_ns, &span));
	assert_int_equal(span.time_class, CLASS_READY);
	assert_true(span.start_ns >= cursor_ns && span.start_ns < viewport.t1_ns);
	page_end(&test);
}

static void
spans_of_a_map_are_gone_to(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "heat:syscall");
	page_settle(&test);
	struct latency latency = latency_of(test.trace, "syscall");
	char wanted[UNITS_TEXT + 16] = "the longest ";
	page_press(&test, "L");
	int64_t longest_ns = latency_start_ns(&latency, latency.count - 1);
	assert_true(test.app.session->cursor_ns == longest_ns);
	units_duration(wanted + strlen(wanted), latency_duration_ns(&latency, latency.count - 1), false);
	page_has(&test, wanted);
	page_press(&test, "]");
	page_has(&test, "there is none");
	page_press(&test, "Home 3 0 Down ]");
	page_has(&test, "the longest");
	int column = viewport_cell(test.app.session->viewport, 100 - 9, test.app.session->cursor_ns);
	page_press(&test, "]");
	assert_true(viewport_cell(test.app.session->viewport, 100 - 9, test.app.session->cursor_ns) > column);
	page_press(&test, "[");
	assert_int_equal(
		viewport_cell(test.app.session->viewport, 100 - 9, test.app.session->cursor_ns), column);
	latency_release(&latency);
	page_end(&test);
}

/* One form of the same numbers is turned to the other, and time moves as on the timeline. */
static void
forms_and_time_stay_in_step(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "histogram:sched");
	page_settle(&test);
	page_has(&test, "p99.9");
	page_press(&test, "f");
	page_has(&test, "how many began");
	assert_int_equal(test.app.session->analyses.count, 1);
	int64_t span_ns = viewport_span(test.app.session->viewport);
	page_press(&test, "+ +");
	assert_in_range(viewport_span(test.app.session->viewport), span_ns / 5, span_ns / 3);
	page_press(&test, "u u");
	assert_int_equal(viewport_span(test.app.session->viewport), span_ns);
	page_press(&test, "+ H End Home 0 > <");
	page_has(&test, "how many began");
	page_press(&test, "f q");
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

static void
what_there_is_none_of_says_so(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 80, 24, "heat:region=nobody");
	page_settle(&test);
	page_has(&test, "there are none");
	page_press(&test, "Up Down Enter f Down Enter G");
	page_has(&test, "spans 0");
	page_end(&test);
}

/* Numbers of another snapshot stand in place of those that the map was counted from. */
static void
other_numbers_have_another_map(void **state)
{
	(void)state;
	struct page_test test;
	struct error err;
	error_clear(&err);
	page_begin(&test, "httpserver-go1.23", 100, 30, "heat:sched");
	page_settle(&test);
	struct analysis *analysis = test.app.session->analyses.kept[0];
	assert_true(analyses_change(test.app.session, analysis, "syscall", &err));
	page_settle(&test);
	page_has(&test, "System calls");
	struct text first = { 0 };
	text_add_string(&first, page_text(&test));
	page_press(&test, "+ -");
	check_text("map", page_text(&test), first.bytes);
	text_release(&first);
	page_end(&test);
}

/* ---- the collector */

static bool
build(struct mutator *mutator, const struct trace *trace, struct error *err)
{
	const struct mutator_scope scope = { .parts = MUTATOR_USUAL,
		.until_ns = trace->end_ns + 1 };
	return mutator_build(mutator, trace, &scope, err);
}

static void
parts_are_counted_or_not(void **state)
{
	(void)state;
	struct page_test test;
	struct mutator mutator;
	struct error err;
	error_clear(&err);
	page_begin(&test, "gcheavy-go1.23", 100, 30, "mmu");
	page_settle(&test);
	page_has(&test, "● s stops");
	page_has(&test, "○ w sweeping");
	page_press(&test, "w y");
	page_has(&test, "● w sweeping");
	assert_non_null(strstr(test.app.link.bytes, "--view=mmu:stw,background,assist,sweep"));
	page_press(&test, "w y s b m");
	page_has(&test, "○ m assists");
	page_has(&test, "at least 100.0%");
	page_press(&test, "s b m Home");
	assert_true(build(&mutator, test.trace, &err));
	mutator_release(&mutator);
	page_end(&test);
}

static void
the_worst_window_is_gone_to(void **state)
{
	(void)state;
	struct page_test test;
	struct mutator mutator;
	struct mutator_window worst;
	struct error err;
	int64_t least_ns, most_ns;
	error_clear(&err);
	page_begin(&test, "gcheavy-go1.23", 100, 30, "mmu");
	page_settle(&test);
	page_press(&test, "End Left Left Left Left Left Left Left Left Enter");
	assert_true(build(&mutator, test.trace, &err));
	mutator_range(&mutator, &least_ns, &most_ns);
	int64_t width_ns = mutator_width(least_ns, most_ns, 71 - 8, 72);
	assert_int_equal(mutator_worst(&mutator, width_ns, &worst, 1), 1);
	assert_int_equal(test.app.depth, 1);
	assert_true(test.app.session->cursor_ns == worst.start_ns);
	assert_int_equal(test.app.session->lane.type, LANE_GC);
	mutator_release(&mutator);
	page_end(&test);
}

/* ---- busy procs */

static void
averages_are_those_of_the_lane(void **state)
{
	(void)state;
	enum { COLUMNS = 80 - 6 - 1 }; /* behind the axes */
	struct page_test test;
	int64_t totals_ns[COLUMNS][CLASS_COUNT];
	char wanted[64];
	page_begin(&test, "gcheavy-go1.23", 80, 24, "utilisation");
	page_settle(&test);
	page_press(&test, "Home 1 0 Right");
	struct viewport viewport = test.app.session->viewport;
	lane_cells(test.trace, (struct lane){ LANE_ALL, 0 }, viewport.t0_ns, viewport.t1_ns, COLUMNS,
		totals_ns);
	int64_t length_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, COLUMNS, 11) -
			    lane_edge(viewport.t0_ns, viewport.t1_ns, COLUMNS, 10);
	snprintf(wanted, sizeof wanted, "ready %.2f",
		(double)totals_ns[10][CLASS_READY] / (double)length_ns);
	page_has(&test, wanted);
	page_press(&test, "Enter");
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

/* Down and Up go from one mark phase to the next, as the index has them. */
static void
collections_are_gone_to(void **state)
{
	(void)state;
	const struct lane gc = { LANE_GC, 0 };
	struct page_test test;
	struct span span;
	page_begin(&test, "gcheavy-go1.23", 80, 24, "heap");
	page_settle(&test);
	assert_true(lane_next(test.trace, gc, 1, CLASS_MASK_ALL, &span));
	page_press(&test, "Down");
	assert_true(test.app.session->cursor_ns == span.start_ns);
	assert_true(lane_after(test.trace, gc, &span, &span));
	page_press(&test, "Down");
	assert_true(test.app.session->cursor_ns == span.start_ns);
	page_press(&test, "9 9 9 Down Down");
	page_has(&test, "there is no collection after this");
	page_press(&test, "9 9 9 Up Up");
	page_has(&test, "there is no collection before this");
	page_press(&test, "f");
	page_has(&test, "procs busy");
	page_press(&test, "f Enter");
	assert_int_equal(test.app.depth, 1);
	assert_int_equal(test.app.session->lane.type, LANE_GC);
	page_end(&test);
}

/* The mouse points at a moment, and the wheel zooms there. */
static void
the_mouse_moves_the_cursor(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "gcheavy-go1.23", 80, 24, "utilisation");
	page_settle(&test);
	app_mouse(&test.app, &(struct screen_mouse){ MOUSE_PRESS, 40, 5 });
	int64_t there_ns = test.app.session->cursor_ns;
	assert_true(there_ns > test.trace->end_ns / 3 && there_ns < test.trace->end_ns * 2 / 3);
	app_mouse(&test.app, &(struct screen_mouse){ MOUSE_WHEEL_UP, 40, 5 });
	assert_true(viewport_span(test.app.session->viewport) < test.trace->end_ns * 2 / 3);
	page_end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(charts_look_as_they_should),
		cmocka_unit_test(the_longest_is_gone_to),
		cmocka_unit_test(a_bucket_leads_to_its_longest),
		cmocka_unit_test(a_cell_of_the_map_leads_to_its_longest),
		cmocka_unit_test(spans_of_a_map_are_gone_to),
		cmocka_unit_test(forms_and_time_stay_in_step),
		cmocka_unit_test(what_there_is_none_of_says_so),
		cmocka_unit_test(other_numbers_have_another_map),
		cmocka_unit_test(parts_are_counted_or_not),
		cmocka_unit_test(the_worst_window_is_gone_to),
		cmocka_unit_test(averages_are_those_of_the_lane),
		cmocka_unit_test(collections_are_gone_to),
		cmocka_unit_test(the_mouse_moves_the_cursor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
