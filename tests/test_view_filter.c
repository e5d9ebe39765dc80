/* The filter and the count of the timeline: what is dimmed, what is hidden, what is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/task_match.h"
#include "base/compiler.h"
#include "base/units.h"
#include "base_testing.h"
#include "desk.h"
#include "draw/task_rows.h"
#include "golden.h"
#include "hostile.h"
#include "pagetest.h"
#include "query/search.h"
#include "query/search_job.h"
#include "scene.h"
#include "tracetesting.h"

enum { HEIGHT = 34 };

static void
desk_open_trace(struct desk *desk, struct trace *trace)
{
	desk_begin(desk, trace);
	desk_show(desk, HEIGHT);
}

static void
tell(struct desk *desk, enum command command, const char *argument)
{
	desk->session.status[0] = '\0';
	timeline_view.command(desk->timeline, &desk->session, command, 1, argument);
	if (desk->session.searching != NULL)
		desk_take_search(desk);
	desk_draw(desk);
}

/* ---- the picture */

/* On a lane, cells without a match have no colour of a class, or nothing at all. */
static void
check_row(struct desk *desk, size_t row, int y)
{
	const struct timeline_layout *layout = &desk->timeline->layout;
	struct session *session = &desk->session;
	bool marks[DESK_WIDTH];
	struct lane lane;
	if (!row_lane(&desk->timeline->rows, row, &lane) || lane.type > LANE_GROUP)
		return;
	if (session->filter_mode == FILTER_HIDES)
		assert_true(search_has_any(session->filter, lane));
	search_cells(session->filter, lane, session->viewport.t0_ns, session->viewport.t1_ns,
		layout->cells, marks);
	for (int i = 0; i < layout->cells; i++) {
		const struct cell *cell = canvas_at(&desk->canvas, layout->label_cells + i, y);
		bool is_classed = cell->fg >= STYLE_INK || (cell->bg >= STYLE_INK && cell->bg < STYLE_COUNT);
		if (!marks[i] && is_classed)
			fail_msg("row %zu, cell %d has its colours", row, i);
		if (!marks[i] && session->filter_mode == FILTER_HIDES && cell->text[0] != '\0')
			fail_msg("row %zu, cell %d is not blank", row, i);
	}
}

static void
check_rows(struct desk *desk)
{
	const struct timeline_layout *layout = &desk->timeline->layout;
	for (int line = 0; line < layout->row_lines; line++) {
		size_t row = desk->timeline->first_row + (size_t)line;
		if (row < desk->timeline->rows.count)
			check_row(desk, row, layout->rows_y + line);
	}
}

static void
unfold_all(struct desk *desk)
{
	struct timeline_rows *rows = &desk->timeline->rows;
	for (size_t i = 0; i < rows->count; i++)
		if (row_can_fold(rows, i) && !row_is_open(rows, i))
			assert_true(rows_toggle(rows, i, &desk->err));
}

/* How many rows there should be of lanes that have a match, of this type. */
static size_t
count_lanes(const struct desk *desk, enum lane_type type, uint32_t count)
{
	size_t matching = 0;
	for (uint32_t i = 0; i < count; i++)
		matching += search_has_any(desk->session.filter, (struct lane){ type, i });
	return matching;
}

static size_t
count_rows(const struct desk *desk, enum row_type type)
{
	size_t count = 0;
	for (size_t i = 0; i < desk->timeline->rows.count; i++)
		count += desk->timeline->rows.items[i].type == type;
	return count;
}

static void
the_filter_dims_then_hides_then_goes(void **state)
{
	(void)state;
	static const char *const queries[] = { "state=blocked dur>100us", "name~main",
		"func~Mutex | p=1", "g=1", "name~nothing-has-this" };
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	unfold_all(&desk);
	size_t all = desk.timeline->rows.count;
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		tell(&desk, COMMAND_FILTER, queries[i]);
		assert_int_equal(desk.session.filter_mode, FILTER_DIMS);
		assert_int_equal(desk.timeline->rows.count, all);
		check_rows(&desk);
		tell(&desk, COMMAND_FILTER, NULL);
		assert_int_equal(desk.session.filter_mode, FILTER_HIDES);
		assert_int_equal(count_rows(&desk, ROW_ACTOR),
			count_lanes(&desk, LANE_ACTOR, trace_actor_count(desk.trace)));
		assert_int_equal(count_rows(&desk, ROW_PROCESSOR),
			count_lanes(&desk, LANE_PROCESSOR, trace_processor_count(desk.trace)));
		assert_int_equal(count_rows(&desk, ROW_THREAD),
			count_lanes(&desk, LANE_THREAD, trace_thread_count(desk.trace)));
		check_rows(&desk);
		tell(&desk, COMMAND_FILTER, NULL);
		assert_int_equal(desk.session.filter_mode, FILTER_OFF);
		assert_null(desk.session.filter);
		assert_int_equal(desk.timeline->rows.count, all);
	}
	desk_close(&desk);
}

/* ---- tasks */

/* Those without a parent that a filter leaves, of all. */
static size_t
count_roots(const struct desk *desk, bool only_matching)
{
	const struct task_rows *tasks = desk->timeline->rows.tasks;
	size_t count = 0;
	for (size_t i = 0; i < tasks->root_count; i++) {
		struct task_life life;
		struct error err = { 0 };
		assert_true(task_life_find_works(
			&life, desk->trace, &tasks->index, tasks->roots[i], &err));
		count += !only_matching || task_life_matches(&life, desk->session.filter);
		task_life_release(&life);
	}
	return count;
}

static size_t
count_root_rows(const struct desk *desk)
{
	const struct timeline_rows *rows = &desk->timeline->rows;
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++)
		count += rows->items[i].type == ROW_TASK && rows->items[i].depth == 1;
	return count;
}

/* What the bar says of the filter that dims: "all but 3 rows dim: ". */
static void
check_bar_of_dimmed(const struct desk *desk, size_t left)
{
	struct text out = { 0 };
	char wanted[80] = "all rows dim: ";
	if (left > 0)
		snprintf(wanted, sizeof wanted, "all but %zu %s dim: ", left,
			left == 1 ? "row" : "rows");
	scene_dump_text(&desk->canvas, &out);
	if (strstr(out.bytes, wanted) == NULL)
		fail_msg("no \"%s\" in:\n%s", wanted, out.bytes);
	text_release(&out);
}

static void
tasks_are_dimmed_and_hidden_too(void **state)
{
	(void)state;
	static const char *const queries[] = { "reason=sleep", "state=syscall", "dur>1h" };
	struct desk desk;
	struct text shown = { 0 };
	desk_open_trace(&desk, testing_load("tasks-go1.23"));
	tell(&desk, COMMAND_REQUESTS, NULL);
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		tell(&desk, COMMAND_FILTER, queries[i]);
		assert_int_equal(count_root_rows(&desk), count_roots(&desk, false));
		check_bar_of_dimmed(&desk, count_roots(&desk, true));
		if (i == 0) {
			scene_dump(&desk.canvas, &shown);
			golden_check("screen-filter-tasks.txt", &shown);
		}
		tell(&desk, COMMAND_FILTER, NULL);
		assert_int_equal(count_root_rows(&desk), count_roots(&desk, true));
		assert_true(count_root_rows(&desk) < count_roots(&desk, false));
		tell(&desk, COMMAND_FILTER, NULL);
		assert_int_equal(count_root_rows(&desk), count_roots(&desk, false));
	}
	/* A way to one that is hidden only dims. */
	tell(&desk, COMMAND_FILTER, queries[2]);
	tell(&desk, COMMAND_FILTER, NULL);
	assert_int_equal(count_root_rows(&desk), 0);
	struct lane lane = { LANE_TASK, desk.timeline->rows.tasks->roots[0] };
	assert_true(timeline_go_to_lane(desk.timeline, &desk.session, lane, 0, &desk.err));
	assert_int_equal(desk.session.filter_mode, FILTER_DIMS);
	assert_int_equal(desk.session.lane.ref, lane.ref);
	text_release(&shown);
	desk_close(&desk);
}

/* Of very many it is found out little by little what matches; the same comes of it. */
static void
tasks_are_asked_little_by_little(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("tasks-go1.23"));
	tell(&desk, COMMAND_REQUESTS, NULL);
	tell(&desk, COMMAND_FILTER, "reason=sleep");
	struct task_rows *tasks = desk.timeline->rows.tasks;
	struct search *filter = desk.session.filter;
	task_rows_forget_matches(tasks);
	size_t rounds = 1, matching = 0;
	while (task_rows_match_more(tasks, 1, filter))
		rounds++;
	assert_int_equal(rounds, tasks->root_count);
	for (size_t i = 0; i < tasks->root_count; i++)
		matching += task_rows_match(tasks, tasks->roots[i], filter);
	assert_int_equal(matching, count_roots(&desk, true));
	desk_close(&desk);
}

static void
a_filter_looks_as_it_should(void **state)
{
	(void)state;
	struct desk desk;
	struct text out = { 0 };
	desk_open_trace(&desk, testing_load("httpserver-go1.26"));
	tell(&desk, COMMAND_FILTER, "func~ServeHTTP | name~main dur>100us");
	scene_dump(&desk.canvas, &out);
	golden_check("screen-filter.txt", &out);
	text_clear(&out);
	desk.canvas.ascii = desk.session.ascii = true;
	desk_draw(&desk);
	scene_dump_text(&desk.canvas, &out);
	golden_check("screen-filter-ascii.txt", &out);
	text_clear(&out);
	desk.canvas.ascii = desk.session.ascii = false;
	tell(&desk, COMMAND_FILTER, NULL);
	scene_dump(&desk.canvas, &out);
	golden_check("screen-filter-hides.txt", &out);
	text_release(&out);
	desk_close(&desk);
}

/* ---- what stays */

static void
the_selected_row_stays_while_it_is_shown(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	struct lane g1 = { LANE_ACTOR, trace_find_actor(desk.trace, 1) };
	assert_true(timeline_go_to_lane(desk.timeline, &desk.session, g1, 0, &desk.err));
	tell(&desk, COMMAND_FILTER, "g=1");
	tell(&desk, COMMAND_FILTER, NULL);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.lane.ref, g1.ref);
	tell(&desk, COMMAND_FILTER, "!g=1");
	tell(&desk, COMMAND_FILTER, NULL);
	assert_true(desk.timeline->cursor_row < desk.timeline->rows.count);
	assert_false(desk.session.has_lane && desk.session.lane.type == LANE_ACTOR &&
		     desk.session.lane.ref == g1.ref);
	desk_close(&desk);
}

static void
a_way_to_a_hidden_lane_shows_it(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	tell(&desk, COMMAND_FILTER, "!g=1");
	tell(&desk, COMMAND_FILTER, NULL);
	tell(&desk, COMMAND_SEARCH, "g=1 state=running");
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	assert_int_equal(desk.session.lane.ref, trace_find_actor(desk.trace, 1));
	assert_int_equal(desk.session.filter_mode, FILTER_DIMS);
	desk_close(&desk);
}

static void
a_filter_is_made_again_for_more_of_the_trace(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	tell(&desk, COMMAND_SEARCH, "select");
	tell(&desk, COMMAND_FILTER, "name~main");
	tell(&desk, COMMAND_FILTER, NULL);
	size_t rows = desk.timeline->rows.count;
	uint64_t matches = search_count(desk.session.filter);
	session_renew(&desk.session, desk.trace, false);
	assert_null(desk.session.filter);
	assert_true(timeline_view.renew(desk.timeline, &desk.session, desk.trace, &desk.err));
	desk_draw(&desk);
	desk_take_search(&desk); /* the search first ... */
	search_job_wait(desk.session.searching);
	desk_take_search(&desk); /* ... and then the filter */
	desk_draw(&desk);
	assert_int_equal(desk.session.filter_mode, FILTER_HIDES);
	assert_int_equal(search_count(desk.session.filter), matches);
	assert_int_equal(desk.timeline->rows.count, rows);
	assert_string_equal(desk.session.filter_text.bytes, "name~main");
	desk_close(&desk);
}

/* What was said of a part is not left standing, unless it was something else. */
static void
what_is_told_of_a_filter_goes_on_with_the_trace(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	for (int is_later = 0; is_later < 2; is_later++) {
		snprintf(desk.session.loading, sizeof desk.session.loading, "loading 40%%");
		tell(&desk, COMMAND_FILTER, "name~main");
		assert_non_null(strstr(desk.session.status, "match so far"));
		if (is_later) {
			desk.session.tells_filter = false; /* as a key does */
			session_status(&desk.session, false, "else");
		}
		desk.session.loading[0] = '\0';
		session_renew(&desk.session, desk.trace, false);
		assert_true(timeline_view.renew(
			desk.timeline, &desk.session, desk.trace, &desk.err));
		desk_take_search(&desk);
		assert_null(strstr(desk.session.status, "so far"));
		assert_int_equal(strstr(desk.session.status, " match;") == NULL, is_later);
	}
	desk_close(&desk);
}

/* The same of a count, which is made after the filter. */
static void
what_is_told_of_a_count_goes_on_with_the_trace(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	tell(&desk, COMMAND_FILTER, "name~main");
	for (int is_later = 0; is_later < 2; is_later++) {
		snprintf(desk.session.loading, sizeof desk.session.loading, "loading 40%%");
		tell(&desk, COMMAND_COUNT_SPANS, "state=running");
		assert_non_null(strstr(desk.session.status, "match so far, of"));
		if (is_later) {
			session_tell_else(&desk.session); /* as a key does */
			session_status(&desk.session, false, "else");
		}
		desk.session.loading[0] = '\0';
		session_renew(&desk.session, desk.trace, false);
		assert_true(timeline_view.renew(
			desk.timeline, &desk.session, desk.trace, &desk.err));
		desk_take_search(&desk); /* the filter first */
		session_go_on(&desk.session);
		if (!is_later)
			desk_take_search(&desk);
		assert_null(strstr(desk.session.status, "so far"));
		assert_int_equal(strstr(desk.session.status, " match, of") == NULL, is_later);
	}
	desk_close(&desk);
}

static void
a_wrong_query_leaves_all_as_it_was(void **state)
{
	(void)state;
	struct desk desk;
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	tell(&desk, COMMAND_FILTER, "dur>x");
	assert_string_equal(desk.session.status,
		"dur wants a time such as 10ms or 1.2s, at character 5");
	assert_int_equal(desk.session.filter_mode, FILTER_OFF);
	tell(&desk, COMMAND_FILTER, "g=1");
	tell(&desk, COMMAND_COUNT_SPANS, "(g=1");
	assert_string_equal(desk.session.status, "this ( is not closed, at character 1");
	assert_int_equal(desk.session.filter_mode, FILTER_DIMS);
	desk_close(&desk);
}

/* ---- the way back */

/* Rows of lanes in which something matches, among those that are listed. */
static size_t
count_left(const struct desk *desk)
{
	const struct timeline_rows *rows = &desk->timeline->rows;
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++) {
		struct lane lane;
		bool is_lane = rows->items[i].type >= ROW_PROCESSOR && row_lane(rows, i, &lane);
		count += is_lane && search_has_any(desk->session.filter, lane);
	}
	return count;
}

/* With a name as long as there are: what the filter does is never cut. */
static void
the_bar_says_how_many_rows_are_left(void **state)
{
	(void)state;
	static const char *const queries[] = { "state=blocked dur>100us", "g=1",
		"name~nothing-has-this" };
	char name[300];
	struct desk desk;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	desk.session.file_name = name;
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		for (int hides = 0; hides < 2; hides++) {
			struct text out = { 0 };
			char wanted[80], count[UNITS_TEXT];
			tell(&desk, COMMAND_FILTER, hides ? NULL : queries[i]);
			size_t left = count_left(&desk);
			units_count(count, left);
			snprintf(wanted, sizeof wanted, hides ? "only %s %s: " : "all but %s %s dim: ",
				count, left == 1 ? "row" : "rows");
			if (left == 0)
				snprintf(wanted, sizeof wanted,
					hides ? "no rows left: " : "all rows dim: ");
			scene_dump_text(&desk.canvas, &out);
			if (strstr(out.bytes, wanted) == NULL)
				fail_msg("no \"%s\" in:\n%s", wanted, out.bytes);
			bool tells_back = strstr(out.bytes, "Escape shows all rows") != NULL;
			assert_int_equal(tells_back, hides && left == 0);
			text_release(&out);
		}
		tell(&desk, COMMAND_FILTER, NULL);
	}
	desk_close(&desk);
}

/* Each Escape takes one thing, in this order, and the last one does not quit. */
static void
escape_goes_one_step_back(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "contention-go1.23", 100, 30, NULL);
	struct session *session = test.app.session;
	page_press(&test, "F Enter");
	assert_int_equal(test.app.depth, 1);
	assert_true(session->leads_back);
	page_press(&test, "&");
	page_type(&test, "g>0");
	page_press(&test, "& W Enter v Right :");
	assert_true(test.app.prompt.is_open);

	page_press(&test, "Escape");
	assert_false(test.app.prompt.is_open);
	assert_true(session->has_mark);
	page_press(&test, "Escape");
	assert_false(session->has_mark);
	assert_true(session->leads_back);
	page_press(&test, "Escape"); /* to the page that led here, ... */
	assert_int_equal(test.app.depth, 2);
	page_press(&test, "Escape"); /* ... and out of it */
	assert_int_equal(test.app.depth, 1);
	assert_false(session->leads_back);
	assert_int_equal(session->filter_mode, FILTER_HIDES);
	assert_non_null(session->path);
	page_has(&test, "Escape all rows");
	page_press(&test, "Escape");
	assert_int_equal(session->filter_mode, FILTER_OFF);
	assert_non_null(session->path);
	page_press(&test, "Escape");
	assert_null(session->path);
	page_press(&test, "Escape Escape");
	assert_false(test.app.is_done);
	assert_int_equal(test.app.depth, 1);
	page_end(&test);
}

/* What is shown alone is left as well, where that was chosen here. */
static void
escape_leaves_what_is_shown_alone(void **state)
{
	(void)state;
	static const char *const keys[] = { "i", "R", "I" };
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		struct page_test test;
		page_begin(&test, "tasks-go1.23", 100, 30, NULL);
		page_press(&test, "G");
		struct timeline *timeline = test.app.stack[0].state;
		size_t count = timeline->rows.count;
		page_press(&test, keys[i]);
		assert_int_not_equal(timeline->rows.count, count);
		page_press(&test, "Escape");
		assert_int_equal(timeline->rows.count, count);
		page_press(&test, "Escape");
		assert_false(test.app.is_done);
		page_end(&test);
	}
}

/* ---- counting */

static void
a_count_changes_nothing(void **state)
{
	(void)state;
	struct desk desk;
	struct error note = { 0 };
	desk_open_trace(&desk, testing_load("contention-go1.23"));
	tell(&desk, COMMAND_SEARCH, "select");
	struct search *kept = desk.session.search;
	int64_t cursor_ns = desk.session.cursor_ns;
	struct search *counted = search_new(desk.trace, "=g=1", &note);
	char wanted[100];
	snprintf(wanted, sizeof wanted, "%d spans match, of 1 goroutine",
		(int)search_count(counted));
	search_free(counted);
	tell(&desk, COMMAND_COUNT_SPANS, "g=1");
	assert_string_equal(desk.session.status, wanted);
	tell(&desk, COMMAND_COUNT_SPANS, "g=123456");
	assert_string_equal(desk.session.status, "0 spans match, of 0 goroutines");
	assert_true(desk.session.status_is_alert);
	assert_ptr_equal(desk.session.search, kept);
	assert_int_equal(desk.session.cursor_ns, cursor_ns);
	assert_null(desk.session.searching);
	desk_close(&desk);
}

static void
hostile_queries_and_texts_are_harmless(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		struct desk desk;
		struct text bytes = { 0 }, query = { 0 }, out = { 0 };
		hostile_trace(&hostile_texts[i], &bytes);
		desk_open_trace(&desk,
			testing_load_bytes(hostile_texts[i].name, bytes.bytes, bytes.length));
		text_add_string(&query, "!\"");
		text_add(&query, hostile_texts[i].bytes, strcspn(hostile_texts[i].bytes, "\""));
		text_add_string(&query, "\" | g>0");
		tell(&desk, COMMAND_FILTER, query.bytes);
		for (int mode = 0; mode < 2; mode++) {
			scene_dump_text(&desk.canvas, &out);
			for (size_t at = 0; at < out.length;) {
				size_t length = strcspn(out.bytes + at, "\n");
				assert_int_equal(
					hostile_find(out.bytes + at, length, HOSTILE_TEXT), length);
				at += length + 1;
			}
			text_clear(&out);
			tell(&desk, COMMAND_FILTER, NULL);
		}
		text_release(&out);
		text_release(&query);
		text_release(&bytes);
		desk_close(&desk);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_filter_dims_then_hides_then_goes),
		cmocka_unit_test(tasks_are_dimmed_and_hidden_too),
		cmocka_unit_test(tasks_are_asked_little_by_little),
		cmocka_unit_test(a_filter_looks_as_it_should),
		cmocka_unit_test(the_selected_row_stays_while_it_is_shown),
		cmocka_unit_test(a_way_to_a_hidden_lane_shows_it),
		cmocka_unit_test(a_filter_is_made_again_for_more_of_the_trace),
		cmocka_unit_test(what_is_told_of_a_filter_goes_on_with_the_trace),
		cmocka_unit_test(what_is_told_of_a_count_goes_on_with_the_trace),
		cmocka_unit_test(a_wrong_query_leaves_all_as_it_was),
		cmocka_unit_test(the_bar_says_how_many_rows_are_left),
		cmocka_unit_test(escape_goes_one_step_back),
		cmocka_unit_test(escape_leaves_what_is_shown_alone),
		cmocka_unit_test(a_count_changes_nothing),
		cmocka_unit_test(hostile_queries_and_texts_are_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
