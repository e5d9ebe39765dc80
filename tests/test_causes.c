/*
 * The pages of causes: how they look, that their lines lead to what they tell of, and that the
 * wakes of a span are those that a scan finds.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/critical.h"
#include "analysis/flows.h"
#include "analysis/wakes.h"
#include "base/compiler.h"
#include "draw/names.h"
#include "draw/region_row.h"
#include "golden.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "scene.h"
#include "tracetesting.h"
#include "view/causes.h"
#include "view/detail.h"
#include "view/timeline.h"
#include "view/timeline_state.h"

/* A page over a session. */
struct desk {
	struct trace *trace;
	struct session session;
	const struct view_ops *ops;
	void *page;
	struct canvas canvas;
	struct error err;
};

static void
draw(struct desk *desk)
{
	canvas_clear(&desk->canvas);
	desk->ops->draw(desk->page, &desk->session, &desk->canvas);
}

static void
desk_begin(struct desk *desk, const char *name, int64_t goroutine, int64_t t_ns)
{
	*desk = (struct desk){ .trace = testing_load(name) };
	desk->session = (struct session){
		.trace = desk->trace,
		.file_name = name,
		.file_word = name,
		.viewport = { 0, desk->trace->end_ns },
		.cursor_ns = t_ns,
		.has_lane = true,
		.lane = { LANE_ACTOR, trace_find_actor(desk->trace, goroutine) },
		.focus = REF_NONE,
	};
	assert_true(canvas_resize(&desk->canvas, 100, 30, &desk->err));
}

static void
desk_open(struct desk *desk, const struct view_ops *ops)
{
	desk->ops = ops;
	desk->page = ops->open(&desk->session, &desk->err);
	if (desk->page == NULL)
		fail_msg("%s: %s", ops->name, desk->err.message);
	draw(desk);
}

static void
desk_end(struct desk *desk)
{
	if (desk->page != NULL)
		desk->ops->close(desk->page);
	session_release(&desk->session);
	canvas_release(&desk->canvas);
	trace_free(desk->trace);
}

static struct view_answer
tell(struct desk *desk, enum command command, long count)
{
	struct view_answer answer =
		desk->ops->command(desk->page, &desk->session, command, count, NULL);
	draw(desk);
	return answer;
}

static const struct {
	const char *golden, *trace;
	const struct view_ops *ops;
	int64_t goroutine, t_ns;
	int64_t marked_ns; /* until there; 0 for no mark */
} goldens[] = {
	{ "screen-why.txt", "contention-go1.26", &why_view, 16, 20000000, 0 },
	{ "screen-why-network.txt", "httpserver-go1.26", &why_view, 13, 30500000, 0 },
	{ "screen-critical.txt", "contention-go1.26", &critical_view, 1, 0, 0 },
	{ "screen-critical-marked.txt", "httpserver-go1.26", &critical_view, 13, 10000000, 11500000 },
	{ "screen-everyone.txt", "tasks-go1.26", &everyone_view, 1, 20000000, 0 },
	{ "screen-actor.txt", "tasks-go1.23", &actor_view, 46, 79100000, 0 },
	{ "screen-actor-marked.txt", "httpserver-go1.26", &actor_view, 13, 10000000, 11500000 },
	{ "screen-woken.txt", "contention-go1.23", &woken_view, 1, 100000, 0 },
};

static void
pages_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		struct desk desk;
		struct text made = { 0 };
		desk_begin(&desk, goldens[i].trace, goldens[i].goroutine, goldens[i].t_ns);
		desk.session.has_mark = goldens[i].marked_ns > 0;
		desk.session.mark_ns = goldens[i].marked_ns;
		desk_open(&desk, goldens[i].ops);
		tell(&desk, COMMAND_DOWN, 1);
		scene_dump_text(&desk.canvas, &made);
		golden_check(goldens[i].golden, &made);
		text_release(&made);
		desk_end(&desk);
	}
}

/* Enter on a span leads to all about its goroutine, and from a state there back into its life. */
static void
a_span_leads_to_all_about_its_goroutine(void **state)
{
	(void)state;
	struct desk desk;
	desk_begin(&desk, "tasks-go1.23", 46, 79100000);
	desk_open(&desk, &detail_view);
	struct view_answer answer = tell(&desk, COMMAND_OPEN, 1);
	assert_int_equal(answer.reaction, VIEW_OPEN);
	assert_string_equal(answer.open_name, actor_view.name);
	detail_view.close(desk.page);
	desk.session.lane = (struct lane){ LANE_PROCESSOR, 0 };
	desk_open(&desk, &actor_view);
	assert_false(desk.session.asks_actor);
	tell(&desk, COMMAND_LAST_ROW, 1);
	assert_int_equal(tell(&desk, COMMAND_OPEN, 1).reaction, VIEW_LEAVE);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(trace_actor(desk.trace, desk.session.lane.ref)->id, 46);
	assert_int_equal(desk.session.cursor_ns, 82628800);
	desk_end(&desk);
}

/* What is no goroutine's leads nowhere. */
static void
a_collection_is_no_goroutine(void **state)
{
	(void)state;
	struct desk desk;
	desk_begin(&desk, "gcheavy-go1.23", 1, 0);
	desk.session.lane = (struct lane){ LANE_GC, 0 };
	struct span span;
	assert_true(lane_next(desk.trace, desk.session.lane, 0, CLASS_MASK_ALL, &span));
	desk.session.cursor_ns = span.start_ns;
	desk_open(&desk, &detail_view);
	assert_int_equal(tell(&desk, COMMAND_OPEN, 1).reaction, VIEW_REDRAW);
	assert_string_equal(desk.session.status, "nothing here leads anywhere");
	assert_false(desk.session.asks_actor);
	desk_end(&desk);
}

/* The timeline beneath has the path as a lane, until it is dropped. */
static void
the_path_is_a_lane_under_the_ruler(void **state)
{
	(void)state;
	struct desk desk;
	struct text made = { 0 };
	desk_begin(&desk, "httpserver-go1.26", 13, 10000000);
	desk.session.viewport = (struct viewport){ 9000000, 13000000 };
	void *timeline = timeline_view.open(&desk.session, &desk.err);
	assert_non_null(timeline);
	desk.session.lane = (struct lane){ LANE_ACTOR, trace_find_actor(desk.trace, 13) };
	desk_open(&desk, &critical_view);
	canvas_clear(&desk.canvas);
	timeline_view.draw(timeline, &desk.session, &desk.canvas);
	scene_dump(&desk.canvas, &made);
	golden_check("screen-path.txt", &made);
	assert_non_null(strstr(made.bytes, "critical path"));
	desk.session.cursor_ns = 10000000;
	struct view_answer answer = timeline_view.command(
		timeline, &desk.session, COMMAND_CLEAR_SEARCH, 1, NULL);
	assert_int_equal(answer.reaction, VIEW_REDRAW);
	assert_null(desk.session.path);
	timeline_view.close(timeline);
	text_release(&made);
	desk_end(&desk);
}

/* On a row of regions W asks of the region. */
static void
a_region_has_its_own_path(void **state)
{
	(void)state;
	struct desk desk;
	desk_begin(&desk, "tasks-go1.23", 46, 75600000);
	desk.session.focus = desk.session.lane.ref;
	struct timeline *timeline = timeline_view.open(&desk.session, &desk.err);
	assert_non_null(timeline);
	size_t row = 0;
	while (row < timeline->rows.count && timeline->rows.items[row].type != ROW_REGIONS)
		row++;
	assert_true(row < timeline->rows.count);
	timeline_select_row(timeline, &desk.session, row);
	const struct region_row *regions =
		rows_regions(&timeline->rows, row);
	const struct range *region = trace_range(desk.trace, regions->ranges[0]);
	desk.session.cursor_ns = region->start_ns;
	struct view_answer answer = timeline_view.command(
		timeline, &desk.session, COMMAND_CRITICAL_PATH, 1, NULL);
	assert_int_equal(answer.reaction, VIEW_OPEN);
	assert_string_equal(answer.open_name, critical_view.name);
	desk_open(&desk, &critical_view);
	assert_int_equal(desk.session.path->start_ns, region->start_ns);
	assert_int_equal(desk.session.path->end_ns,
		region->end_ns == TIME_OPEN ? desk.trace->end_ns : region->end_ns);
	timeline_view.close(timeline);
	desk_end(&desk);
}

static void
flows_of_the_selection_are_drawn(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct desk desk;
		struct text made = { 0 };
		desk_begin(&desk, "contention-go1.26", 16, 28500000);
		desk.session.focus = desk.session.lane.ref;
		desk.session.viewport = (struct viewport){ 21000000, 36000000 };
		void *timeline = timeline_view.open(&desk.session, &desk.err);
		assert_non_null(timeline);
		desk.canvas.ascii = i == 1;
		timeline_view.draw(timeline, &desk.session, &desk.canvas);
		scene_dump(&desk.canvas, &made);
		golden_check(i == 0 ? "screen-flows.txt" : "screen-flows-ascii.txt", &made);
		timeline_view.close(timeline);
		text_release(&made);
		desk_end(&desk);
	}
}

/* Every line that leads somewhere leads to a span of that goroutine. */
static void
lines_lead_to_what_they_tell_of(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		struct desk desk;
		for (long step = 0; step < 30; step += 3) {
			struct span span;
			desk_begin(&desk, goldens[i].trace, goldens[i].goroutine, goldens[i].t_ns);
			desk_open(&desk, goldens[i].ops);
			tell(&desk, COMMAND_FIRST_ROW, 1);
			if (step > 0)
				tell(&desk, COMMAND_DOWN, step);
			struct view_answer answer = tell(&desk, COMMAND_OPEN, 1);
			assert_int_equal(answer.reaction, VIEW_LEAVE);
			assert_true(answer.push_history);
			assert_int_equal(desk.session.lane.type, LANE_ACTOR);
			assert_true(lane_span_at(desk.trace, desk.session.lane,
				desk.session.cursor_ns, &span));
			desk_end(&desk);
		}
	}
}

static void
walking_keeps_the_step_in_sight(void **state)
{
	static const enum command commands[] = { COMMAND_PAGE_DOWN, COMMAND_DOWN, COMMAND_LAST_ROW,
		COMMAND_UP, COMMAND_PAGE_UP, COMMAND_FIRST_ROW };
	(void)state;
	struct desk desk;
	desk_begin(&desk, "httpserver-go1.26", 13, 0);
	desk_open(&desk, &critical_view);
	for (size_t i = 0; i < ARRAY_LENGTH(commands) * 3; i++) {
		struct text made = { 0 };
		tell(&desk, commands[i % ARRAY_LENGTH(commands)], 2);
		scene_dump_text(&desk.canvas, &made);
		assert_non_null(strstr(made.bytes, "\n>"));
		text_release(&made);
	}
	desk_end(&desk);
}

/* The same words for what ended a wait on pages and in tables. */
static void
what_ended_a_wait_has_one_name(void **state)
{
	(void)state;
	static const struct {
		enum waker_type type;
		const char *word, *name;
	} rows[] = {
		{ WAKER_ACTOR, "goroutine", "G1 main.main" },
		{ WAKER_NETWORK, "network", "the network" },
		{ WAKER_NETWORK_OR_DEADLINE, "network or deadline",
			"the network or its deadline" },
		{ WAKER_TIMER, "timer", "a timer" },
		{ WAKER_SCHEDULER, "scheduler", "the scheduler" },
	};
	struct trace *trace = testing_load("troubles/healthy");
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		bool is_goroutine = rows[i].type == WAKER_ACTOR;
		struct waker waker = { rows[i].type,
			is_goroutine ? trace_find_actor(trace, 1) : REF_NONE };
		struct text out = { 0 };
		name_waker(&out, trace, waker, true);
		assert_string_equal(text_string(&out), rows[i].name);
		assert_string_equal(name_waker_type(trace->words, waker.type), rows[i].word);
		text_release(&out);
	}
	trace_free(trace);
}

static void
who_runs_has_no_why(void **state)
{
	(void)state;
	struct desk desk;
	struct span span;
	desk_begin(&desk, "contention-go1.26", 16, 0);
	assert_true(lane_next(desk.trace, desk.session.lane, 0, CLASS_BIT(CLASS_RUNNING), &span));
	desk.session.cursor_ns = span.start_ns;
	assert_null(why_view.open(&desk.session, &desk.err));
	assert_string_equal(desk.err.message, "G16 is running there");
	error_clear(&desk.err);
	desk.session.has_lane = false;
	assert_null(critical_view.open(&desk.session, &desk.err));
	assert_string_equal(desk.err.message, "no goroutine is selected");
	error_clear(&desk.err);
	desk.session.has_lane = true;
	desk.session.lane = (struct lane){ LANE_GROUP, 0 };
	while (desk.trace->groups[desk.session.lane.ref].count < 2)
		desk.session.lane.ref++;
	static const struct view_ops *const views[] = { &why_view, &critical_view, &woken_view };
	for (size_t i = 0; i < ARRAY_LENGTH(views); i++) {
		assert_null(views[i]->open(&desk.session, &desk.err));
		assert_string_equal(desk.err.message,
			"this is a group: o unfolds it, then select a goroutine");
		error_clear(&desk.err);
	}
	desk_end(&desk);
}

/* ---- wakes */

static void
check_wakes(struct pair *pair)
{
	enum { INTERVALS = 20 };
	uint32_t count = trace_actor_count(pair->trace);
	for (unsigned i = 0; count > 0 && i < INTERVALS * pair->rounds; i++) {
		struct viewport interval = pair_viewport(pair, 1);
		actor_ref waker = (actor_ref)(pair->random++ % count);
		struct wakes wakes;
		struct error err = { 0 };
		size_t wanted = 0;
		assert_true(wakes_find(
			&wakes, pair->trace, waker, interval.t0_ns, interval.t1_ns, &err));
		for (actor_ref g = 0; g < count; g++) {
			struct lane lane = { LANE_ACTOR, g };
			struct span span;
			bool is_there = lane_next(pair->trace, lane, interval.t0_ns,
				CLASS_BIT(CLASS_READY), &span);
			for (; g != waker && is_there && span.start_ns < interval.t1_ns;
				is_there = lane_next(pair->trace, lane, span.start_ns + 1,
					CLASS_BIT(CLASS_READY), &span))
				wanted += span.waker.type == WAKER_ACTOR && span.waker.ref == waker;
		}
		if (wakes.count != wanted)
			fail_msg("%s: %zu wakes by %u in [%" PRId64 ", %" PRId64 "), wanted %zu",
				pair->name, wakes.count, waker, interval.t0_ns, interval.t1_ns,
				wanted);
		for (size_t n = 0; n < wakes.count; n++) {
			assert_true(n == 0 || wakes.items[n - 1].time_ns <= wakes.items[n].time_ns);
			assert_true(wakes.items[n].time_ns >= interval.t0_ns);
			assert_true(wakes.items[n].time_ns < interval.t1_ns);
		}
		wakes_release(&wakes);
	}
}

static void
wakes_are_those_of_a_scan(void **state)
{
	(void)state;
	pair_each(1, 20, check_wakes);
}

/* The wakes within, and first the one that led to the span. */
static void
check_flows(struct pair *pair)
{
	enum { SPANS = 20 };
	uint32_t count = trace_actor_count(pair->trace);
	struct flows flows = { 0 };
	for (unsigned i = 0; count > 0 && i < SPANS * pair->rounds; i++) {
		struct lane lane = { LANE_ACTOR, (actor_ref)(pair->random++ % count) };
		struct wakes wakes;
		struct error err = { 0 };
		struct span span;
		if (!lane_next(pair->trace, lane, pair_moment(pair), CLASS_MASK_ALL, &span))
			continue;
		assert_true(flows_find(&flows, pair->trace, &span, &err));
		assert_true(wakes_find(&wakes, pair->trace, lane.ref, span.start_ns, span.end_ns, &err));
		bool is_led = flows.count > 0 && flows.items[0].to.ref == lane.ref;
		if (flows.count != is_led) /* not left out */
			assert_int_equal(flows.count, wakes.count + is_led);
		if (is_led)
			assert_true(lane_span_at(pair->trace, lane, flows.items[0].time_ns, &span) &&
				    span.kind->state == STATE_READY &&
				    span.waker.ref == flows.items[0].from.ref);
		for (size_t n = is_led; n < flows.count; n++) {
			assert_int_equal(flows.items[n].from.ref, lane.ref);
			assert_int_equal(flows.items[n].to.ref, wakes.items[n - is_led].actor);
			assert_int_equal(flows.items[n].time_ns, wakes.items[n - is_led].time_ns);
		}
		wakes_release(&wakes);
	}
	flows_release(&flows);
}

static void
flows_are_those_of_the_span(void **state)
{
	(void)state;
	pair_each(1, 20, check_flows);
}

/* The pages ask about the goroutine that is selected on them. */
static void
everyone_leads_to_the_paths_of_one(void **state)
{
	(void)state;
	static const struct {
		enum command command;
		const char *name;
	} pages[] = { { COMMAND_WHY, "why" }, { COMMAND_CRITICAL_PATH, "critical-path" } };
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct desk desk;
		desk_begin(&desk, "tasks-go1.26", 1, 20000000);
		desk_open(&desk, &everyone_view);
		tell(&desk, COMMAND_DOWN, 1);
		struct view_answer answer = tell(&desk, pages[i].command, 1);
		assert_int_equal(answer.reaction, VIEW_OPEN);
		assert_string_equal(answer.open_name, pages[i].name);
		assert_int_equal(desk.session.lane.type, LANE_ACTOR);
		assert_int_not_equal(trace_actor(desk.trace, desk.session.lane.ref)->id, 1);
		assert_int_equal(desk.session.cursor_ns, 20000000);
		desk_end(&desk);
	}
}

static bool
shows(const struct desk *desk, const char *words)
{
	struct text shown = { 0 };
	scene_dump_text(&desk->canvas, &shown);
	bool is_there = strstr(shown.bytes, words) != NULL;
	text_release(&shown);
	return is_there;
}

static void
nobody_is_told_of_where_nothing_is_loaded(void **state)
{
	(void)state;
	struct part parts[] = {
		{ .generation = 1, .to_ns = 10000000, .is_loaded = true },
		{ .generation = 2, .from_ns = 10000000, .to_ns = 90000000 },
	};
	for (int64_t t_ms = 5; t_ms <= 20; t_ms += 15) {
		struct desk desk;
		desk_begin(&desk, "tasks-go1.26", 1, t_ms * 1000000);
		desk.trace->parts = (struct parts){ .rows = parts, .count = 2 };
		desk_open(&desk, &everyone_view);
		assert_int_equal(shows(&desk, "is not loaded"), t_ms == 20);
		assert_int_equal(shows(&desk, "nothing is known: generation 2"), t_ms == 20);
		assert_int_equal(shows(&desk, " goroutines at this time"), t_ms == 5);
		desk.trace->parts = (struct parts){ .count = 0 };
		desk_end(&desk);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_look_as_they_should),
		cmocka_unit_test(a_span_leads_to_all_about_its_goroutine),
		cmocka_unit_test(a_collection_is_no_goroutine),
		cmocka_unit_test(the_path_is_a_lane_under_the_ruler),
		cmocka_unit_test(a_region_has_its_own_path),
		cmocka_unit_test(flows_of_the_selection_are_drawn),
		cmocka_unit_test(flows_are_those_of_the_span),
		cmocka_unit_test(lines_lead_to_what_they_tell_of),
		cmocka_unit_test(walking_keeps_the_step_in_sight),
		cmocka_unit_test(what_ended_a_wait_has_one_name),
		cmocka_unit_test(who_runs_has_no_why),
		cmocka_unit_test(wakes_are_those_of_a_scan),
		cmocka_unit_test(everyone_leads_to_the_paths_of_one),
		cmocka_unit_test(nobody_is_told_of_where_nothing_is_loaded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
