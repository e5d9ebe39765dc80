/* The commands of the timeline view and of the detail view, without a screen. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "desk.h"
#include "draw/row_marks.h"
#include "golden.h"
#include "query/search.h"
#include "query/search_job.h"
#include "scene.h"
#include "trace/lane.h"
#include "trace/notes.h"
#include "tracetesting.h"
#include "view/detail.h"

static void
desk_open(struct desk *desk, const char *name, int64_t focus)
{
	desk_begin(desk, testing_load(name));
	if (focus != 0)
		desk->session.focus = trace_find_actor(desk->trace, focus);
	desk_show(desk, 30);
}

static struct view_answer
tell_only(struct desk *desk, enum command command, long count, const char *argument)
{
	desk->session.status[0] = '\0';
	return timeline_view.command(desk->timeline, &desk->session, command, count, argument);
}

static struct view_answer
tell(struct desk *desk, enum command command, long count, const char *argument)
{
	struct view_answer answer = tell_only(desk, command, count, argument);
	if (desk->session.searching != NULL)
		answer = desk_take_search(desk);
	const struct viewport *viewport = &desk->session.viewport;
	assert_true(0 <= viewport->t0_ns && viewport->t0_ns < viewport->t1_ns);
	assert_true(viewport->t0_ns <= desk->session.cursor_ns);
	assert_true(desk->session.cursor_ns < viewport->t1_ns);
	desk_draw(desk);
	return answer;
}

static void
select_lane(struct desk *desk, enum lane_type type, uint32_t ref, int64_t t_ns)
{
	struct lane lane = { type, ref };
	assert_true(timeline_go_to_lane(desk->timeline, &desk->session, lane, t_ns, &desk->err));
	assert_int_equal(desk->session.lane.type, type);
	assert_int_equal(desk->session.lane.ref, ref);
}

static int
cursor_column(const struct desk *desk)
{
	return viewport_cell(
		desk->session.viewport, desk->timeline->layout.cells, desk->session.cursor_ns);
}

/* ---- zoom and pan */

static void
zooming_goes_to_nanoseconds_and_back(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23", 0);
	int column = cursor_column(&desk), cells = desk.timeline->layout.cells;
	int64_t cursor_ns = desk.session.cursor_ns;
	while (tell(&desk, COMMAND_ZOOM_IN, 1, NULL).reaction == VIEW_REDRAW) {
		assert_int_equal(cursor_column(&desk), column);
		assert_int_equal(desk.session.cursor_ns, cursor_ns);
	}
	assert_int_equal(viewport_span(desk.session.viewport), cells);
	while (tell(&desk, COMMAND_ZOOM_OUT, 1, NULL).reaction == VIEW_REDRAW)
		assert_int_equal(desk.session.cursor_ns, cursor_ns);
	assert_int_equal(desk.session.viewport.t0_ns, 0);
	assert_int_equal(desk.session.viewport.t1_ns, desk.trace->end_ns);
	assert_true(tell(&desk, COMMAND_ZOOM_IN, 3, NULL).push_history);
	assert_int_equal(viewport_span(desk.session.viewport), desk.trace->end_ns / 8);
	tell(&desk, COMMAND_FIT_ALL, 1, NULL);
	assert_int_equal(viewport_span(desk.session.viewport), desk.trace->end_ns);
	desk_close(&desk);
}

static void
the_cursor_walks_by_cells_and_pulls_the_interval(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "gcheavy-go1.23", 0);
	tell(&desk, COMMAND_ZOOM_IN, 4, NULL);
	int column = cursor_column(&desk), cells = desk.timeline->layout.cells;
	tell(&desk, COMMAND_RIGHT, 1, NULL);
	assert_int_equal(cursor_column(&desk), column + 1);
	tell(&desk, COMMAND_LEFT, 3, NULL);
	assert_int_equal(cursor_column(&desk), column - 2);
	int64_t t0_ns = desk.session.viewport.t0_ns;
	tell(&desk, COMMAND_LEFT, column, NULL);
	assert_int_equal(cursor_column(&desk), 0);
	assert_true(desk.session.viewport.t0_ns < t0_ns);
	tell(&desk, COMMAND_RIGHT, 1000000000, NULL);
	assert_int_equal(desk.session.viewport.t1_ns, desk.trace->end_ns);
	assert_int_equal(cursor_column(&desk), cells - 1);
	tell(&desk, COMMAND_PAN_LEFT, 1, NULL);
	assert_true(desk.session.viewport.t1_ns < desk.trace->end_ns);
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	assert_int_equal(desk.session.cursor_ns, 0);
	tell(&desk, COMMAND_PAN_LEFT, 5, NULL);
	assert_int_equal(desk.session.viewport.t0_ns, 0);
	tell(&desk, COMMAND_PAN_RIGHT, LONG_MAX, NULL);
	assert_int_equal(desk.session.viewport.t1_ns, desk.trace->end_ns);
	desk_close(&desk);
}

static void
rows_scroll_and_stop_at_the_ends(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.23", 0);
	tell(&desk, COMMAND_FIRST_ROW, 1, NULL);
	assert_int_equal(desk.timeline->cursor_row, 0);
	tell(&desk, COMMAND_UP, 4, NULL);
	assert_int_equal(desk.timeline->cursor_row, 0);
	tell(&desk, COMMAND_LAST_ROW, 1, NULL);
	assert_int_equal(desk.timeline->cursor_row, desk.timeline->rows.count - 1);
	assert_true(desk.timeline->first_row > 0);
	tell(&desk, COMMAND_PAGE_DOWN, LONG_MAX, NULL);
	assert_int_equal(desk.timeline->cursor_row, desk.timeline->rows.count - 1);
	tell(&desk, COMMAND_PAGE_UP, 1, NULL);
	assert_true(desk.timeline->cursor_row < desk.timeline->rows.count - 1);
	desk_close(&desk);
}

/* ---- spans */

static void
brackets_go_from_span_to_span(void **state)
{
	(void)state;
	struct desk desk;
	struct span first, here;
	desk_open(&desk, "httpserver-go1.23", 0);
	actor_ref goroutine = trace_find_actor(desk.trace, 54);
	struct lane lane = { LANE_ACTOR, goroutine };
	assert_true(lane_next(desk.trace, lane, 40000000, CLASS_MASK_ALL, &first));
	select_lane(&desk, LANE_ACTOR, goroutine, first.start_ns);
	for (uint32_t i = 1; i <= 20; i++) {
		tell(&desk, COMMAND_NEXT_SPAN, 1, NULL);
		assert_true(timeline_span(desk.timeline, &desk.session, &here));
		assert_int_equal(here.ordinal, first.ordinal + i);
		assert_int_equal(here.start_ns, desk.session.cursor_ns);
	}
	tell(&desk, COMMAND_PREVIOUS_SPAN, 20, NULL);
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_int_equal(here.ordinal, first.ordinal);
	tell(&desk, COMMAND_FIT_SELECTION, 1, NULL);
	assert_true(desk.session.viewport.t0_ns <= here.start_ns);
	assert_true(desk.session.viewport.t1_ns >= here.end_ns);
	desk_close(&desk);
}

static void
the_longest_of_a_group_is_the_longest_of_all_members(void **state)
{
	(void)state;
	struct desk desk;
	struct span here, other;
	desk_open(&desk, "contention-go1.23", 0);
	group_ref group = trace_actor(desk.trace, trace_find_actor(desk.trace, 31))->group;
	const struct group *members = &desk.trace->groups[group];
	/* In the zoomed-out picture most of this group's cells are ready. */
	select_lane(&desk, LANE_GROUP, group, 34000000);
	tell(&desk, COMMAND_LONGEST_SPAN, 1, NULL);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_int_equal(here.time_class, CLASS_READY);
	for (uint32_t i = 0; i < members->count; i++) {
		struct lane lane = { LANE_ACTOR,
			desk.trace->group_members[members->first + i] };
		if (lane_longest(desk.trace, lane, 0, desk.trace->end_ns, CLASS_BIT(CLASS_READY),
			    &other))
			assert_true(other.end_ns - other.start_ns <= here.end_ns - here.start_ns);
	}
	desk_close(&desk);
}

static void
the_waker_was_running_when_it_woke(void **state)
{
	(void)state;
	struct desk desk;
	struct span ready, waker;
	desk_open(&desk, "contention-go1.23", 0);
	actor_ref goroutine = trace_find_actor(desk.trace, 1);
	struct lane lane = { LANE_ACTOR, goroutine };
	int64_t t_ns = 0;
	do {
		assert_true(lane_next(desk.trace, lane, t_ns, CLASS_BIT(CLASS_READY), &ready));
		t_ns = ready.start_ns + 1;
	} while (ready.waker.type != WAKER_ACTOR);
	select_lane(&desk, LANE_ACTOR, goroutine, ready.start_ns);
	assert_true(tell(&desk, COMMAND_WAKER, 1, NULL).push_history);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.lane.ref, ready.waker.ref);
	assert_true(timeline_span(desk.timeline, &desk.session, &waker));
	assert_int_equal(waker.time_class, CLASS_RUNNING);
	desk_close(&desk);
}

static void
folding_keeps_the_heading_selected(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.23", 0);
	actor_ref goroutine = trace_find_actor(desk.trace, 54);
	group_ref group = trace_actor(desk.trace, goroutine)->group;
	select_lane(&desk, LANE_ACTOR, goroutine, 50000000);
	tell(&desk, COMMAND_FOLD, 1, NULL);
	assert_int_equal(desk.session.lane.type, LANE_GROUP);
	assert_int_equal(desk.session.lane.ref, group);
	tell(&desk, COMMAND_OPEN, 1, NULL);
	tell(&desk, COMMAND_DOWN, 1, NULL);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_string_equal(tell(&desk, COMMAND_OPEN, 1, NULL).open_name, "detail");
	desk_close(&desk);
}

/* ---- times */

static void
a_time_can_be_asked_for(void **state)
{
	(void)state;
	static const struct {
		const char *argument;
		int64_t t_ns; /* -1: refused */
	} rows[] = {
		{ "1.5ms", 1500000 },
		{ "+10us", 1510000 },
		{ "-1ms", 510000 },
		{ " 2 ms ", 2000000 },
		{ "soon", -1 },
		{ "%", -1 },
		{ "1e9%", -1 },
		{ "101%", -1 },
		{ "0%", 0 }, { "-5s", 0 }, { "0", 0 },
		{ "2", 2000000 },
		{ "+1.5", 3500000 },
		{ "+", -1 },
		{ "12:00", -1 },
	};
	struct desk desk;
	desk_open(&desk, "gcheavy-go1.23", 0);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		int64_t before_ns = desk.session.cursor_ns;
		tell(&desk, COMMAND_JUMP, 1, rows[i].argument);
		int64_t wanted_ns = rows[i].t_ns < 0 ? before_ns : rows[i].t_ns;
		if (desk.session.cursor_ns != wanted_ns ||
			desk.session.status_is_alert !=
				(rows[i].t_ns < 0 && desk.session.status[0] != '\0'))
			fail_msg("\"%s\": %jd", rows[i].argument, (intmax_t)desk.session.cursor_ns);
		desk.session.status_is_alert = false;
	}
	tell(&desk, COMMAND_JUMP, 1, "50%");
	assert_int_equal(desk.session.cursor_ns / 1000, desk.trace->end_ns / 2000);
	tell(&desk, COMMAND_JUMP, 1, "100%");
	assert_int_equal(desk.session.cursor_ns, desk.trace->end_ns - 1);
	tell(&desk, COMMAND_JUMP, 1, "b");
	assert_string_equal(desk.session.status, "mark B is not set");
	desk_close(&desk);
}

/* contention-go1.26 begins at 03:08:10.626586 and takes 60 ms. */
static void
a_time_of_day_can_be_asked_for(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.26", 0);
	tell(&desk, COMMAND_JUMP, 1, "2026-11-21T03:08:10.65Z");
	assert_in_range(desk.session.cursor_ns, 23413000, 23415000);
	assert_int_equal(desk.session.status[0], '\0');
	desk.session.is_wall = true;
	tell(&desk, COMMAND_JUMP, 1, "03:08:10.66");
	assert_in_range(desk.session.cursor_ns, 33413000, 33415000);
	tell(&desk, COMMAND_JUMP, 1, "5");
	assert_true(desk.session.status_is_alert);
	tell(&desk, COMMAND_JUMP, 1, "03:09");
	assert_string_equal(desk.session.status, "the trace is from 03:08:10.62658 to 03:08:10.68701");
	desk_close(&desk);
}

/* ---- damage */

static void
damaged_places_follow_each_other(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.26", 0);
	int64_t start_ns = desk.session.cursor_ns;
	assert_false(tell(&desk, COMMAND_NEXT_DAMAGE, 1, NULL).push_history);
	assert_string_equal(desk.session.status, "no damage after here");
	for (int i = 1; i <= 3; i++) {
		struct damage damage = { .from_bytes = 7, .to_bytes = 2055, .lost_bytes = 2048 };
		damage.from_ns = damage.blank_ns = damage.to_ns = start_ns + i * 1000;
		damage_map_add(&desk.trace->damage, &damage);
	}
	assert_true(tell(&desk, COMMAND_NEXT_DAMAGE, 2, NULL).push_history);
	assert_int_equal(desk.session.cursor_ns, start_ns + 2000);
	assert_string_equal(
		desk.session.status, "damaged bytes 7 to 2055 (2 KiB); damaged places: 3");
	tell(&desk, COMMAND_NEXT_DAMAGE, 5, NULL);
	assert_int_equal(desk.session.cursor_ns, start_ns + 3000);
	tell(&desk, COMMAND_PREVIOUS_DAMAGE, 1, NULL);
	assert_int_equal(desk.session.cursor_ns, start_ns + 2000);
	desk_close(&desk);
}

/* ---- search */

static void
matches_follow_each_other_in_time(void **state)
{
	(void)state;
	struct desk desk;
	struct span here;
	desk_open(&desk, "contention-go1.26", 0);
	tell(&desk, COMMAND_SEARCH, 1, "Cond.*Wait");
	uint64_t count = search_count(desk.session.search);
	assert_true(count > 3);
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	int64_t last_ns = -1;
	for (uint64_t i = 0; i < count; i++) {
		tell(&desk, COMMAND_NEXT_MATCH, 1, NULL);
		assert_true(timeline_span(desk.timeline, &desk.session, &here));
		assert_true(search_matches(desk.session.search, here.segment, here.state));
		assert_true(here.start_ns >= last_ns);
		last_ns = here.start_ns;
	}
	tell(&desk, COMMAND_NEXT_MATCH, 1, NULL);
	assert_non_null(strstr(desk.session.status, "; search wrapped to the first match"));
	tell(&desk, COMMAND_PREVIOUS_MATCH, 1, NULL);
	assert_non_null(strstr(desk.session.status, "; search wrapped to the last match"));
	assert_int_equal(desk.session.cursor_ns, last_ns);
	for (uint64_t i = 1; i < count; i++)
		tell(&desk, COMMAND_PREVIOUS_MATCH, 1, NULL);
	assert_null(strstr(desk.session.status, "wrapped"));
	assert_non_null(strstr(desk.session.status, "match 1 of "));
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_REDRAW);
	assert_null(desk.session.search);
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_NOTHING);
	desk_close(&desk);
}

static void
a_search_goes_to_the_nearest_match(void **state)
{
	(void)state;
	struct desk desk;
	struct span here;
	uint64_t index;
	desk_open(&desk, "contention-go1.26", 0);
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	tell(&desk, COMMAND_SEARCH, 1, "Cond.*Wait");
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_true(search_index(desk.session.search, here.segment, here.state, &index));
	assert_int_equal(index, 0);
	assert_null(strstr(desk.session.status, "wrapped"));
	int64_t first_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_TRACE_END, 1, NULL);
	tell(&desk, COMMAND_SEARCH, 1, "Cond.*Wait");
	assert_int_equal(desk.session.cursor_ns, first_ns);
	assert_non_null(strstr(desk.session.status, " matches; search wrapped to the first match"));
	tell(&desk, COMMAND_SEARCH, 1, "no such thing");
	assert_int_equal(desk.session.cursor_ns, first_ns);
	assert_string_equal(desk.session.status, "0 matches");
	tell(&desk, COMMAND_NEXT_MATCH, 1, NULL);
	assert_string_equal(desk.session.status, "nothing matches");
	desk_close(&desk);
}

static void
who_moves_during_a_search_stays_there(void **state)
{
	(void)state;
	struct desk desk;
	struct error note = { 0 };
	desk_open(&desk, "contention-go1.26", 0);
	assert_true(session_search(&desk.session, "Cond.*Wait", &note));
	tell_only(&desk, COMMAND_DOWN, 1, NULL);
	int64_t cursor_ns = desk.session.cursor_ns;
	struct lane lane = desk.session.lane;
	desk_take_search(&desk);
	assert_non_null(strstr(desk.session.status, " matches"));
	assert_int_equal(desk.session.cursor_ns, cursor_ns);
	assert_int_equal(desk.session.lane.ref, lane.ref);
	assert_true(session_search(&desk.session, "select", &note));
	tell_only(&desk, COMMAND_CLEAR_SEARCH, 1, NULL);
	assert_null(desk.session.searching);
	desk_close(&desk);
}

/* More of the trace is searched for what the matches on screen are of. */
static void
a_cancelled_search_does_not_come_back(void **state)
{
	(void)state;
	struct desk desk;
	struct error note = { 0 };
	desk_open(&desk, "contention-go1.23", 0);
	tell(&desk, COMMAND_SEARCH, 1, "select");
	uint64_t wanted = search_count(desk.session.search);
	assert_true(session_search(&desk.session, "main", &note));
	session_stop_search(&desk.session);
	assert_int_equal(search_count(desk.session.search), wanted);
	session_renew(&desk.session, desk.trace, false);
	desk_take_search(&desk);
	assert_int_equal(search_count(desk.session.search), wanted);
	desk_close(&desk);
}

static void
a_bad_pattern_is_text_and_says_so(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.23", 0);
	tell(&desk, COMMAND_SEARCH, 1, "net/http.(*conn).serve");
	assert_true(search_count(desk.session.search) > 0);
	assert_true(desk.session.status_is_alert);
	assert_non_null(strstr(desk.session.status, " matches; "));
	desk_close(&desk);
}

/* ---- a marked interval */

static void
a_marked_interval_follows_the_cursor_until_dropped(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23", 0);
	int64_t mark_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_MARK, 1, NULL);
	tell(&desk, COMMAND_LEFT, 10, NULL);
	assert_true(desk.session.has_mark);
	assert_int_equal(desk.session.mark_ns, mark_ns);
	int64_t from_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_FIT_SELECTION, 1, NULL);
	int64_t length_ns = mark_ns - from_ns;
	assert_true(desk.session.viewport.t0_ns <= from_ns);
	assert_true(desk.session.viewport.t1_ns >= mark_ns);
	assert_true(viewport_span(desk.session.viewport) <= length_ns * 5 / 4 + 1);
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_REDRAW);
	assert_false(desk.session.has_mark);
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_NOTHING);
	desk_close(&desk);
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

static const char *
glyph_on_ruler(struct desk *desk, int64_t t_ns)
{
	const struct timeline_layout *layout = &desk->timeline->layout;
	int cell = viewport_cell(desk->session.viewport, layout->cells, t_ns);
	return canvas_at(&desk->canvas, layout->label_cells + cell, layout->title_lines)->text;
}

static void
two_marks_make_an_interval(void **state)
{
	(void)state;
	struct desk desk;
	int64_t from_ns, until_ns;
	desk_open(&desk, "contention-go1.23", 0);
	int64_t b_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_MARK_B, 1, NULL);
	assert_false(session_marked(&desk.session, &from_ns, &until_ns));
	assert_memory_equal(desk.session.status, "B at ", 5);
	tell(&desk, COMMAND_LEFT, 10, NULL);
	int64_t a_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_MARK, 1, "a");
	assert_non_null(strstr(desk.session.status, " before B"));
	assert_true(shows(&desk, "A to B ") && shows(&desk, "marked"));
	assert_string_equal(glyph_on_ruler(&desk, a_ns), "A");
	assert_string_equal(glyph_on_ruler(&desk, b_ns), "B");
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	assert_true(session_marked(&desk.session, &from_ns, &until_ns));
	assert_true(from_ns == a_ns && until_ns == b_ns);
	tell(&desk, COMMAND_FIT_SELECTION, 1, NULL);
	assert_true(desk.session.viewport.t0_ns <= a_ns && b_ns <= desk.session.viewport.t1_ns);
	assert_true(viewport_span(desk.session.viewport) <= (b_ns - a_ns) * 5 / 4 + 1);
	desk_close(&desk);
}

/* Of two intervals the one set last counts; Escape drops it, and the marks stay. */
static void
marks_outlive_their_interval(void **state)
{
	(void)state;
	struct desk desk;
	int64_t from_ns, until_ns;
	desk_open(&desk, "contention-go1.23", 0);
	tell(&desk, COMMAND_MARK_A, 1, NULL);
	int64_t a_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_RIGHT, 9, NULL);
	tell(&desk, COMMAND_MARK, 1, NULL);
	tell(&desk, COMMAND_RIGHT, 1, NULL);
	tell(&desk, COMMAND_MARK_B, 1, NULL);
	assert_true(session_marked(&desk.session, &from_ns, &until_ns) && from_ns == a_ns);
	tell(&desk, COMMAND_MARK, 1, NULL);
	assert_true(session_marked(&desk.session, &from_ns, &until_ns) && from_ns > a_ns);
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_REDRAW);
	assert_int_equal(tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL).reaction, VIEW_NOTHING);
	assert_string_equal(glyph_on_ruler(&desk, a_ns), "A");
	tell(&desk, COMMAND_MARK_B, 1, NULL);
	assert_string_equal(desk.session.status, "the mark B is gone");
	assert_false(desk.notes.has_mark[MARK_B]);
	tell(&desk, COMMAND_MARK, 1, "c");
	assert_true(desk.session.status_is_alert);
	desk_close(&desk);
}

/* Every row has its say about an interval, also about an empty one. */
static void
what_is_marked_is_told_on_every_row(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "gcheavy-go1.23", 0);
	struct text shown = { 0 };
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	tell(&desk, COMMAND_MARK, 1, NULL);
	for (size_t row = 0; row < desk.timeline->rows.count; row++) {
		timeline_select_row(desk.timeline, &desk.session, row);
		for (int is_moved = 0; is_moved < 2; is_moved++) {
			tell(&desk, is_moved ? COMMAND_TRACE_END : COMMAND_TRACE_START, 1, NULL);
			text_clear(&shown);
			scene_dump_text(&desk.canvas, &shown);
			const char *wanted = is_moved ? "ttrace --from=0s --to=0.0"
						      : "moving the cursor extends";
			if (strstr(shown.bytes, wanted) == NULL)
				fail_msg("row %zu: no \"%s\" in\n%s", row, wanted, shown.bytes);
		}
	}
	text_release(&shown);
	desk_close(&desk);
}

/* ---- focus and detail */

/* ---- the mouse */

static struct view_answer
point(struct desk *desk, enum screen_mouse_kind kind, int x, int y)
{
	struct screen_mouse mouse = { kind, x, y };
	struct view_answer answer = timeline_view.mouse(desk->timeline, &desk->session, &mouse);
	const struct viewport *viewport = &desk->session.viewport;
	assert_true(viewport->t0_ns <= desk->session.cursor_ns);
	assert_true(desk->session.cursor_ns < viewport->t1_ns);
	desk_draw(desk);
	return answer;
}

static void
a_click_selects_the_cell_and_the_row(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23", 0);
	const struct timeline_layout *layout = &desk.timeline->layout;
	size_t first = desk.timeline->first_row;
	for (int line = 0; line < layout->row_lines; line++) {
		if (first + (size_t)line >= desk.timeline->rows.count)
			break;
		int x = layout->label_cells + 7 + line;
		point(&desk, MOUSE_PRESS, x, layout->rows_y + line);
		assert_int_equal(desk.timeline->cursor_row, first + (size_t)line);
		assert_int_equal(viewport_cell(desk.session.viewport, layout->cells,
					 desk.session.cursor_ns), 7 + line);
	}
	size_t row = desk.timeline->cursor_row;
	int64_t cursor_ns = desk.session.cursor_ns;
	point(&desk, MOUSE_PRESS, 0, 0); /* the title: neither row nor time */
	assert_int_equal(desk.timeline->cursor_row, row);
	assert_int_equal(desk.session.cursor_ns, cursor_ns);
	point(&desk, MOUSE_PRESS, 99999, 99999);
	assert_false(desk.session.has_mark);
	desk_close(&desk);
}

static void
a_drag_measures(void **state)
{
	(void)state;
	struct desk desk;
	int64_t from_ns, until_ns;
	desk_open(&desk, "contention-go1.23", 0);
	const struct timeline_layout *layout = &desk.timeline->layout;
	int x = layout->label_cells, y = layout->rows_y + 2;
	point(&desk, MOUSE_PRESS, x + 30, y);
	assert_false(desk.session.has_mark);
	point(&desk, MOUSE_DRAG, x + 20, y);
	point(&desk, MOUSE_DRAG, x + 10, y + 3);
	point(&desk, MOUSE_RELEASE, x + 10, y + 3);
	assert_true(session_marked(&desk.session, &from_ns, &until_ns));
	struct viewport viewport = desk.session.viewport;
	assert_int_equal(from_ns, lane_edge(viewport.t0_ns, viewport.t1_ns, layout->cells, 10));
	assert_int_equal(until_ns, lane_edge(viewport.t0_ns, viewport.t1_ns, layout->cells, 30));
	point(&desk, MOUSE_DRAG, x + 40, y); /* not held any more */
	assert_int_equal(desk.session.mark_ns, until_ns);
	assert_int_equal(desk.session.cursor_ns, from_ns);
	desk_close(&desk);
}

static void
the_wheel_zooms_where_the_mouse_is(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23", 0);
	const struct timeline_layout *layout = &desk.timeline->layout;
	int x = layout->label_cells + 50;
	struct viewport before = desk.session.viewport;
	assert_true(point(&desk, MOUSE_WHEEL_UP, x, layout->rows_y).push_history);
	int64_t there_ns = desk.session.cursor_ns;
	assert_int_equal(viewport_cell(desk.session.viewport, layout->cells, there_ns), 50);
	assert_true(viewport_span(desk.session.viewport) <= viewport_span(before) / 2 + 1);
	point(&desk, MOUSE_WHEEL_DOWN, x, layout->rows_y);
	assert_true(viewport_span(desk.session.viewport) >= viewport_span(before) - 2);

	size_t row = desk.timeline->cursor_row;
	point(&desk, MOUSE_WHEEL_DOWN, 2, layout->rows_y);
	assert_int_equal(desk.timeline->cursor_row, row + 3);
	desk_close(&desk);
}

static void
a_goroutine_opens_expanded(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23", 46);
	actor_ref focus = desk.session.focus;
	assert_int_equal(desk.session.lane.ref, focus);
	assert_int_equal(desk.timeline->rows.items[0].type, ROW_ACTOR);
	assert_int_equal(desk.timeline->rows.items[1].type, ROW_REGIONS);
	tell(&desk, COMMAND_FIT_ALL, 1, NULL);
	assert_int_equal(desk.timeline->rows.items[0].type, ROW_ACTORS);
	assert_int_equal(desk.session.lane.ref, focus);
	assert_int_equal(desk.session.focus, REF_NONE);
	desk_close(&desk);
}

/* Its regions and logs stand beneath a goroutine, and fold with it. */
static void
a_goroutine_unfolds(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23", 0);
	actor_ref goroutine = trace_find_actor(desk.trace, 46);
	select_lane(&desk, LANE_ACTOR, goroutine, 75600000);
	const struct timeline_rows *rows = &desk.timeline->rows;
	size_t count = rows->count, own = desk.timeline->cursor_row;
	tell(&desk, COMMAND_FOLD, 1, NULL);
	assert_true(row_is_open(rows, own));
	assert_int_equal(rows->items[own + 1].type, ROW_REGIONS);
	uint32_t regions = rows_nest(rows, own + 1)->region_count;
	assert_int_equal(rows->count, count + regions + 1);
	for (uint32_t i = 0; i < regions; i++)
		assert_int_equal(rows->items[own + 1 + i].part, i);
	assert_int_equal(rows->items[own + 1 + regions].type, ROW_LOGS);

	tell(&desk, COMMAND_DOWN, 1, NULL);
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	const struct region_row *outer = rows_regions(rows, own + 1);
	for (size_t i = 0; i < outer->count; i++) {
		tell(&desk, COMMAND_NEXT_SPAN, 1, NULL);
		assert_int_equal(desk.session.cursor_ns,
			trace_range(desk.trace, outer->ranges[i])->start_ns);
	}
	tell(&desk, COMMAND_NEXT_SPAN, 1, NULL);
	assert_string_equal(desk.session.status, "the last span of this row");
	tell(&desk, COMMAND_DOWN, (long)regions, NULL);
	const struct nest *nest = rows_nest(rows, own + 1);
	tell(&desk, COMMAND_TRACE_END, 1, NULL);
	for (size_t i = nest->log_count; i > 0; i--) {
		tell(&desk, COMMAND_PREVIOUS_SPAN, 1, NULL);
		if (desk.session.cursor_ns == trace_instant(desk.trace, nest->logs[0])->time_ns)
			break;
	}
	assert_int_equal(
		desk.session.cursor_ns, trace_instant(desk.trace, nest->logs[0])->time_ns);

	tell(&desk, COMMAND_FOLD, 1, NULL);
	assert_int_equal(desk.timeline->cursor_row, own);
	assert_int_equal(rows->count, count);
	desk_close(&desk);
}

static void
a_goroutine_is_shown_alone_and_back(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23", 0);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1, NULL).reaction, VIEW_NOTHING);
	select_lane(&desk, LANE_ACTOR, 3, 75600000);
	size_t all = desk.timeline->rows.count;
	tell(&desk, COMMAND_FOCUS_ACTOR, 1, NULL);
	assert_int_equal(desk.timeline->rows.focus.actor, 3);
	assert_int_equal(desk.timeline->rows.items[0].type, ROW_ACTOR);
	tell(&desk, COMMAND_FOCUS_ACTOR, 1, NULL);
	assert_int_equal(desk.timeline->rows.count, all);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.lane.ref, 3);
	tell(&desk, COMMAND_FOCUS_ACTOR, 1, NULL);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1, NULL).reaction, VIEW_REDRAW);
	assert_int_equal(desk.timeline->rows.focus.actor, REF_NONE);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1, NULL).reaction, VIEW_NOTHING);
	desk_close(&desk);

	desk_open(&desk, "tasks-go1.23", 46);
	assert_int_equal(tell(&desk, COMMAND_CLOSE, 1, NULL).reaction, VIEW_NOTHING);
	desk_close(&desk);
}

static void
detail_tells_everything_of_a_span(void **state)
{
	(void)state;
	struct desk desk;
	struct text made = { 0 };
	desk_open(&desk, "tasks-go1.23", 46);
	select_lane(&desk, LANE_ACTOR, desk.session.focus, 75600000);
	void *detail = detail_view.open(&desk.session, &desk.err);
	assert_non_null(detail);
	assert_true(canvas_resize(&desk.canvas, 90, 60, &desk.err));
	detail_view.draw(detail, &desk.session, &desk.canvas);
	scene_dump_text(&desk.canvas, &made);
	golden_check("screen-detail.txt", &made);
	detail_view.close(detail);
	text_release(&made);
	desk_close(&desk);
}

static void
detail_of_a_ready_span_tells_what_ran_meanwhile(void **state)
{
	(void)state;
	struct desk desk;
	struct text made = { 0 };
	desk_open(&desk, "contention-go1.23", 0);
	actor_ref goroutine = trace_find_actor(desk.trace, 28);
	select_lane(&desk, LANE_ACTOR, goroutine, 50000000);
	void *detail = detail_view.open(&desk.session, &desk.err);
	assert_non_null(detail);
	assert_true(canvas_resize(&desk.canvas, 90, 40, &desk.err));
	detail_view.draw(detail, &desk.session, &desk.canvas);
	scene_dump_text(&desk.canvas, &made);
	golden_check("screen-detail-ready.txt", &made);
	detail_view.close(detail);
	text_release(&made);
	desk_close(&desk);
}

static void
detail_steps_along_its_lane_and_to_the_waker(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23", 46);
	actor_ref goroutine = desk.session.focus;
	select_lane(&desk, LANE_ACTOR, goroutine, 75600000);
	void *detail = detail_view.open(&desk.session, &desk.err);
	assert_non_null(detail);
	assert_true(canvas_resize(&desk.canvas, 90, 60, &desk.err));
	struct span here, next;
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_true(lane_after(desk.trace, desk.session.lane, &here, &next));
	detail_view.draw(detail, &desk.session, &desk.canvas);
	detail_view.command(detail, &desk.session, COMMAND_NEXT_SPAN, 1, NULL);
	detail_view.draw(detail, &desk.session, &desk.canvas);
	assert_int_equal(desk.session.cursor_ns, next.start_ns);
	detail_view.command(detail, &desk.session, COMMAND_PREVIOUS_SPAN, 1, NULL);
	assert_int_equal(desk.session.cursor_ns, here.start_ns);
	struct view_answer answer = { .reaction = VIEW_NOTHING };
	for (int i = 0; i < 50 && answer.reaction != VIEW_CLOSE; i++) {
		answer = detail_view.command(detail, &desk.session, COMMAND_WAKER, 1, NULL);
		if (answer.reaction != VIEW_CLOSE)
			detail_view.command(detail, &desk.session, COMMAND_NEXT_SPAN, 1, NULL);
	}
	assert_int_equal(answer.reaction, VIEW_CLOSE);
	assert_false(desk.session.lane.type == LANE_ACTOR &&
		     desk.session.lane.ref == goroutine);
	detail_view.close(detail);
	desk_close(&desk);
}

static void
detail_of_nothing_is_an_error(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.23", 0);
	select_lane(&desk, LANE_GC, 0, 1000000);
	assert_null(detail_view.open(&desk.session, &desk.err));
	assert_int_equal(desk.err.kind, ERROR_USAGE);
	desk_close(&desk);
}

/* Opened by Enter with the cursor somewhere in the cell that shows it. */
static void
detail_tells_of_collections_and_stops(void **state)
{
	(void)state;
	static const struct {
		const char *trace;
		enum lane_type type;
		int64_t t_ns;
		const char *golden;
		bool is_last;
	} rows[] = {
		{ "gcheavy-go1.23", LANE_GC, 20640000, "screen-detail-gc.txt", false },
		{ "gcheavy-go1.23", LANE_STW, 21861000, "screen-detail-stw.txt", false },
		{ "midassist-go1.22", LANE_GC, 100000, "screen-detail-gc-before.txt", false },
		{ "midassist-go1.22", LANE_GC, 8300000, "screen-detail-gc-open.txt", true },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct desk desk;
		struct text made = { 0 };
		desk_open(&desk, rows[i].trace, 0);
		select_lane(&desk, rows[i].type, 0, rows[i].t_ns);
		assert_int_equal(tell(&desk, COMMAND_OPEN, 1, NULL).reaction, VIEW_OPEN);
		void *detail = detail_view.open(&desk.session, &desk.err);
		assert_non_null(detail);
		assert_true(canvas_resize(&desk.canvas, 80, 26, &desk.err));
		detail_view.draw(detail, &desk.session, &desk.canvas);
		scene_dump_text(&desk.canvas, &made);
		golden_check(rows[i].golden, &made);
		int64_t start_ns = desk.session.cursor_ns;
		detail_view.command(detail, &desk.session, COMMAND_NEXT_SPAN, 1, NULL);
		assert_int_equal(desk.session.cursor_ns > start_ns, !rows[i].is_last);
		detail_view.close(detail);
		text_release(&made);
		desk_close(&desk);
	}
}

static size_t
first_row_of(const struct desk *desk, enum row_type type)
{
	size_t row = 0;
	while (desk->timeline->rows.items[row].type != type)
		row++;
	return row;
}

static size_t
rows_of(const struct desk *desk, enum row_type type)
{
	size_t count = 0;
	for (size_t i = 0; i < desk->timeline->rows.count; i++)
		count += desk->timeline->rows.items[i].type == type;
	return count;
}

static void
stack_lanes_come_and_go(void **state)
{
	(void)state;
	struct desk desk;
	struct span span;
	desk_open(&desk, "httpserver-go1.23", 0);
	actor_ref writer = trace_find_actor(desk.trace, 54);
	select_lane(&desk, LANE_ACTOR, writer, 46500000);
	size_t count = desk.timeline->rows.count, row = desk.timeline->cursor_row;
	tell(&desk, COMMAND_STACK_LANES, 1, NULL);
	assert_true(desk.session.has_stacks);
	assert_int_equal(desk.session.stacks, writer);
	assert_int_equal(desk.timeline->cursor_row, row);
	assert_int_equal(desk.timeline->rows.count - count, desk.timeline->rows.stacks.depth);
	assert_true(desk.timeline->rows.stacks.depth > 4);
	/* They are on the screen, with the lane above them. */
	size_t end = row + 1 + desk.timeline->rows.stacks.depth;
	size_t lines = (size_t)desk.timeline->layout.row_lines;
	assert_true(desk.timeline->first_row <= row);
	assert_true(end <= desk.timeline->first_row + lines || desk.timeline->first_row == row);
	/* Its rows are of the goroutine: what is asked there is asked of it. */
	tell(&desk, COMMAND_DOWN, 3, NULL);
	assert_int_equal(desk.timeline->rows.items[row + 3].type, ROW_STACK);
	assert_int_equal(desk.session.lane.ref, writer);
	assert_true(timeline_span(desk.timeline, &desk.session, &span));
	assert_int_equal(span.actor, writer);
	assert_true(tell(&desk, COMMAND_NEXT_SPAN, 1, NULL).push_history);
	assert_int_equal(desk.timeline->cursor_row, row + 3);
	tell(&desk, COMMAND_STACK_LANES, 1, NULL);
	assert_false(desk.session.has_stacks);
	assert_int_equal(desk.timeline->rows.count, count);
	assert_int_equal(desk.timeline->cursor_row, row);
	desk_close(&desk);
}

static void
stack_lanes_are_those_of_what_runs(void **state)
{
	(void)state;
	struct desk desk;
	struct span span;
	desk_open(&desk, "httpserver-go1.23", 0);
	struct lane proc = { LANE_PROCESSOR, 0 };
	assert_true(lane_next(desk.trace, proc, 40000000, CLASS_MASK_ALL, &span));
	select_lane(&desk, LANE_PROCESSOR, 0, span.start_ns);
	tell(&desk, COMMAND_STACK_LANES, 1, NULL);
	assert_int_equal(desk.session.stacks, span.actor);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.lane.ref, span.actor);
	assert_int_equal(desk.session.cursor_ns, span.start_ns);
	size_t deepest = desk.timeline->rows.stacks.depth;
	assert_int_equal(rows_of(&desk, ROW_STACK), deepest);
	/* Alone, and in a later snapshot, it has them as well. */
	tell(&desk, COMMAND_FOCUS_ACTOR, 1, NULL);
	assert_int_equal(rows_of(&desk, ROW_STACK), deepest);
	assert_true(rows_renew(&desk.timeline->rows, desk.trace, NULL, NULL, &desk.err));
	assert_int_equal(rows_of(&desk, ROW_STACK), deepest);
	timeline_select_row(desk.timeline, &desk.session, first_row_of(&desk, ROW_SECTION));
	tell(&desk, COMMAND_STACK_LANES, 1, NULL);
	assert_non_null(strstr(desk.session.status, "no goroutine here"));
	desk_close(&desk);
}

/* For the editor: a frame of the stack lanes, the stack of a sample, else that of the span. */
static void
the_cursor_points_to_a_stack(void **state)
{
	(void)state;
	struct desk desk;
	bool is_frame;
	desk_open(&desk, "samples-go1.26", 0);
	actor_ref worker = trace_find_actor(desk.trace, 11);
	struct lane lane = { LANE_ACTOR, worker };
	uint32_t sample = samples_next(&desk.timeline->rows.samples, lane, 60000000);
	const struct instant *taken = trace_instant(desk.trace, sample);
	select_lane(&desk, LANE_ACTOR, worker, taken->time_ns);
	assert_int_equal(
		timeline_view.stack(desk.timeline, &desk.session, &is_frame), taken->stack);
	assert_false(is_frame);
	tell(&desk, COMMAND_STACK_LANES, 1, NULL);
	uint32_t frames = stack_chart_frames(desk.trace, taken->stack);
	for (uint32_t depth = 1; depth <= frames; depth++) {
		tell(&desk, COMMAND_DOWN, 1, NULL);
		stack_id stack = timeline_view.stack(desk.timeline, &desk.session, &is_frame);
		assert_true(is_frame);
		assert_int_equal(stack, stack_chart_outer(desk.trace, taken->stack, depth));
	}
	tell(&desk, COMMAND_DOWN, 1, NULL);
	assert_int_equal(
		timeline_view.stack(desk.timeline, &desk.session, &is_frame), STACK_NONE);
	tell(&desk, COMMAND_FIRST_ROW, 1, NULL);
	timeline_go_to(desk.timeline, &desk.session, 0);
	assert_int_equal(
		timeline_view.stack(desk.timeline, &desk.session, &is_frame), STACK_NONE);
	desk_close(&desk);
}

/* From the first sample of the row to its last one and back. */
static void
walk_samples(struct desk *desk, struct lane lane, bool has_row)
{
	uint32_t samples = samples_count(&desk->timeline->rows.samples, lane, 0, INT64_MAX);
	int64_t last_ns = -1;
	assert_true(samples > 1);
	tell(desk, COMMAND_TRACE_START, 1, NULL);
	if (!has_row)
		select_lane(desk, lane.type, lane.ref, 0);
	for (uint32_t i = 0; i < samples; i++) {
		assert_true(tell(desk, COMMAND_NEXT_SAMPLE, 1, NULL).push_history);
		assert_true(desk->session.cursor_ns > last_ns);
		last_ns = desk->session.cursor_ns;
		assert_int_equal(samples_count(&desk->timeline->rows.samples, lane, last_ns,
					 last_ns + 1), 1);
	}
	assert_false(tell(desk, COMMAND_NEXT_SAMPLE, 1, NULL).push_history);
	assert_non_null(strstr(desk->session.status, "behind"));
	tell(desk, COMMAND_PREVIOUS_SAMPLE, (long)samples - 1, NULL);
	assert_int_equal(samples_count(&desk->timeline->rows.samples, lane, 0,
				 desk->session.cursor_ns), 0);
	assert_true(desk->session.cursor_ns < last_ns);
}

static void
samples_are_walked_on_every_row_that_has_them(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "samples-go1.26", 0);
	actor_ref worker = trace_find_actor(desk.trace, 11);
	walk_samples(&desk, (struct lane){ LANE_ACTOR, worker }, false);
	walk_samples(&desk, (struct lane){ LANE_PROCESSOR, 0 }, false);
	timeline_select_row(desk.timeline, &desk.session, first_row_of(&desk, ROW_SAMPLES));
	walk_samples(&desk, (struct lane){ LANE_ALL, 0 }, true);
	int64_t first_ns = desk.session.cursor_ns;
	tell(&desk, COMMAND_NEXT_SPAN, 1, NULL);
	assert_true(desk.session.cursor_ns > first_ns);
	timeline_select_row(desk.timeline, &desk.session, first_row_of(&desk, ROW_GROUP));
	assert_false(tell(&desk, COMMAND_NEXT_SAMPLE, 1, NULL).push_history);
	assert_non_null(strstr(desk.session.status, "no CPU samples on this row"));
	desk_close(&desk);
}

static void
enter_on_a_sample_tells_of_whom_it_was_taken(void **state)
{
	(void)state;
	struct desk desk;
	struct span here;
	desk_open(&desk, "samples-go1.26", 0);
	size_t row = first_row_of(&desk, ROW_SAMPLES);
	tell(&desk, COMMAND_TRACE_START, 1, NULL);
	timeline_select_row(desk.timeline, &desk.session, row);
	tell(&desk, COMMAND_NEXT_SAMPLE, 3, NULL);
	int64_t t_ns = desk.session.cursor_ns;
	assert_int_equal(tell(&desk, COMMAND_OPEN, 1, NULL).reaction, VIEW_OPEN);
	assert_int_equal(desk.session.cursor_ns, t_ns);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(samples_count(&desk.timeline->rows.samples, desk.session.lane, t_ns,
				 t_ns + 1), 1);
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_int_equal(here.time_class, CLASS_RUNNING);
	desk_close(&desk);
}

static void
enter_on_a_wake_tells_of_who_was_woken(void **state)
{
	(void)state;
	struct desk desk;
	struct span first, here;
	desk_open(&desk, "httpserver-go1.23", 0);
	assert_true(wake_find(desk.trace, WAKE_NETWORK, 0, true, &first));
	size_t row = first_row_of(&desk, ROW_WAKES);
	timeline_select_row(desk.timeline, &desk.session, row);
	timeline_go_to(desk.timeline, &desk.session, first.start_ns);
	assert_int_equal(tell(&desk, COMMAND_OPEN, 1, NULL).reaction, VIEW_OPEN);
	assert_true(timeline_span(desk.timeline, &desk.session, &here));
	assert_int_equal(here.time_class, CLASS_READY);
	assert_int_equal(here.actor, desk.session.lane.ref);
	timeline_select_row(desk.timeline, &desk.session, row);
	tell(&desk, COMMAND_ZOOM_IN, 30, NULL);
	timeline_go_to(desk.timeline, &desk.session, first.start_ns - 1);
	assert_int_equal(tell(&desk, COMMAND_OPEN, 1, NULL).reaction, VIEW_REDRAW);
	assert_non_null(strstr(desk.session.status, "no span here"));
	desk_close(&desk);
}

static void
any_commands_keep_the_cursor_on_screen(void **state)
{
	(void)state;
	static const char *const arguments[] = { "10%", "+1ms", "-7us", "1h", "select", "(" };
	uint64_t seed = 4711;
	struct desk desk;
	desk_open(&desk, "syscalls-go1.26", 0);
	for (int round = 0; round < 3000; round++) {
		enum command command = (enum command)(random_next(&seed) % COMMAND_COUNT);
		long count = random_next(&seed) % 8 == 0 ? 40 : 1;
		const char *argument = arguments[random_next(&seed) % ARRAY_LENGTH(arguments)];
		if ((command_row(command)->contexts & IN_TIMELINE) == 0)
			continue;
		if (random_next(&seed) % 50 == 0)
			assert_true(canvas_resize(&desk.canvas, 1 + (int)(random_next(&seed) % 160),
				1 + (int)(random_next(&seed) % 50), &desk.err));
		tell(&desk, command, count, argument);
		assert_true(desk.timeline->cursor_row < desk.timeline->rows.count);
		const struct timeline_layout *layout = &desk.timeline->layout;
		assert_true(layout->row_lines <= 0 || timeline_line_of(layout,
			desk.timeline->first_row, desk.timeline->cursor_row) >= 0);
	}
	desk_close(&desk);
}

/* ---- marks that are made while the rows are shown */

static bool
is_same_picture(const struct canvas *a, const struct canvas *b)
{
	size_t count = (size_t)a->width * (size_t)a->height;
	assert_true(a->width == b->width && a->height == b->height);
	return memcmp(a->cells, b->cells, count * sizeof *a->cells) == 0;
}

static void
assists_that_come_late_are_drawn(void **state)
{
	(void)state;
	struct desk early, late;
	desk_open(&early, "gcheavy-go1.23", 0);
	desk_begin(&late, testing_load("gcheavy-go1.23"));
	late.session.awaits_marks = true;
	desk_show(&late, 30);
	assert_false(is_same_picture(&early.canvas, &late.canvas));
	assert_false(timeline_view.look(late.timeline, &late.session));
	late.session.marks = row_marks_new(late.trace, NULL, &late.err);
	assert_non_null(late.session.marks);
	assert_true(timeline_view.look(late.timeline, &late.session));
	desk_draw(&late);
	assert_true(is_same_picture(&early.canvas, &late.canvas));
	assert_false(timeline_view.look(late.timeline, &late.session));
	row_marks_free(late.session.marks);
	desk_close(&early);
	desk_close(&late);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zooming_goes_to_nanoseconds_and_back),
		cmocka_unit_test(the_cursor_walks_by_cells_and_pulls_the_interval),
		cmocka_unit_test(rows_scroll_and_stop_at_the_ends),
		cmocka_unit_test(brackets_go_from_span_to_span),
		cmocka_unit_test(the_longest_of_a_group_is_the_longest_of_all_members),
		cmocka_unit_test(the_waker_was_running_when_it_woke),
		cmocka_unit_test(folding_keeps_the_heading_selected),
		cmocka_unit_test(a_time_can_be_asked_for),
		cmocka_unit_test(a_time_of_day_can_be_asked_for),
		cmocka_unit_test(damaged_places_follow_each_other),
		cmocka_unit_test(matches_follow_each_other_in_time),
		cmocka_unit_test(a_search_goes_to_the_nearest_match),
		cmocka_unit_test(who_moves_during_a_search_stays_there),
		cmocka_unit_test(a_cancelled_search_does_not_come_back),
		cmocka_unit_test(a_bad_pattern_is_text_and_says_so),
		cmocka_unit_test(two_marks_make_an_interval),
		cmocka_unit_test(marks_outlive_their_interval),
		cmocka_unit_test(a_marked_interval_follows_the_cursor_until_dropped),
		cmocka_unit_test(what_is_marked_is_told_on_every_row),
		cmocka_unit_test(a_click_selects_the_cell_and_the_row),
		cmocka_unit_test(a_drag_measures),
		cmocka_unit_test(the_wheel_zooms_where_the_mouse_is),
		cmocka_unit_test(a_goroutine_opens_expanded),
		cmocka_unit_test(a_goroutine_unfolds),
		cmocka_unit_test(a_goroutine_is_shown_alone_and_back),
		cmocka_unit_test(detail_tells_everything_of_a_span),
		cmocka_unit_test(detail_of_a_ready_span_tells_what_ran_meanwhile),
		cmocka_unit_test(detail_steps_along_its_lane_and_to_the_waker),
		cmocka_unit_test(detail_of_nothing_is_an_error),
		cmocka_unit_test(detail_tells_of_collections_and_stops),
		cmocka_unit_test(stack_lanes_come_and_go),
		cmocka_unit_test(stack_lanes_are_those_of_what_runs),
		cmocka_unit_test(the_cursor_points_to_a_stack),
		cmocka_unit_test(samples_are_walked_on_every_row_that_has_them),
		cmocka_unit_test(enter_on_a_sample_tells_of_whom_it_was_taken),
		cmocka_unit_test(enter_on_a_wake_tells_of_who_was_woken),
		cmocka_unit_test(any_commands_keep_the_cursor_on_screen),
		cmocka_unit_test(assists_that_come_late_are_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
