/* Lanes as the user wants them: in another order, in other groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "desk.h"
#include "golden.h"
#include "hostile.h"
#include "pagetest.h"
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
desk_open(struct desk *desk, const char *name)
{
	desk_open_trace(desk, testing_load(name));
}

/* As the loop does once it is made. */
static void
take(struct desk *desk)
{
	const struct trace *before = desk->session.trace;
	struct arrangement dropped;
	arrange_job_wait(desk->session.arranging);
	assert_true(session_take_arrangement(&desk->session, &dropped, &desk->err));
	assert_int_equal(desk->err.kind, ERROR_NONE);
	assert_true(timeline_view.renew(desk->timeline, &desk->session, before, &desk->err));
	arrangement_release(&dropped);
}

static void
take_changes(struct desk *desk)
{
	struct error err = { 0 };
	if (desk->session.arranging == NULL)
		return;
	session_take_changes(&desk->session, &err);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_null(desk->session.arranging);
}

static void
tell(struct desk *desk, enum command command, long count, const char *argument)
{
	desk->session.status[0] = '\0';
	timeline_view.command(desk->timeline, &desk->session, command, count, argument);
	if (session_is_making(&desk->session))
		take(desk);
	take_changes(desk);
	desk_draw(desk);
}

static void
select_goroutine(struct desk *desk, int64_t id)
{
	struct lane lane = { LANE_ACTOR, trace_find_actor(desk->trace, id) };
	assert_true(timeline_go_to_lane(desk->timeline, &desk->session, lane,
		desk->session.cursor_ns, &desk->err));
}

static bool
has_text(const struct desk *desk, const char *text)
{
	struct text shown = { 0 };
	scene_dump_text(&desk->canvas, &shown);
	bool has_it = strstr(shown.bytes, text) != NULL;
	text_release(&shown);
	return has_it;
}

static void
check_golden(const struct desk *desk, const char *golden)
{
	struct text made = { 0 };
	scene_dump_text(&desk->canvas, &made);
	golden_check(golden, &made);
	text_release(&made);
}

/* ---- order */

/* The groups on screen follow one another as the order says. */
static void
check_order(const struct desk *desk)
{
	const struct timeline_rows *rows = &desk->timeline->rows;
	const struct lane_order *order = &desk->session.arrangement.order;
	const struct trace *trace = desk->session.trace;
	size_t next = 0;
	for (size_t i = 0; i < rows->count; i++) {
		struct lane lane;
		if (rows->items[i].depth != 1 || !row_lane(rows, i, &lane) ||
			(lane.type != LANE_GROUP && lane.type != LANE_ACTOR))
			continue;
		group_ref group = lane.type == LANE_GROUP
					  ? lane.ref
					  : trace_actor(trace, lane.ref)->group;
		assert_true(next < order->group_count);
		assert_int_equal(group, order->groups[next++]);
	}
	assert_int_equal(next, order->group_count);
}

static void
lanes_are_sorted_and_the_selection_stays(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	select_goroutine(&desk, 25);
	struct lane lane = desk.session.lane;
	for (size_t i = 0; lane_sort_words[i] != NULL; i++) {
		tell(&desk, COMMAND_SORT_LANES, 1, lane_sort_words[i]);
		check_order(&desk);
		assert_int_equal(desk.session.lane.ref, lane.ref);
		assert_int_equal(desk.session.arrangement.plan.sort, i);
		assert_int_equal(has_text(&desk, "sort: "), i != LANES_AS_USUAL);
	}
	tell(&desk, COMMAND_SORT_LANES, 1, NULL);
	assert_int_equal(desk.session.plan.sort, LANES_AS_USUAL);
	tell(&desk, COMMAND_SORT_LANES, LANES_BY_WAIT, NULL);
	assert_int_equal(desk.session.plan.sort, LANES_BY_WAIT);
	check_golden(&desk, "lanes-sorted.txt");
	desk_close(&desk);
}

static void
an_order_that_is_none_is_refused(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		tell(&desk, COMMAND_SORT_LANES, 1, hostile_texts[i].bytes);
		assert_null(desk.session.arranging);
		assert_true(desk.session.status_is_alert);
		assert_int_equal(hostile_find(desk.session.status, strlen(desk.session.status),
					 HOSTILE_SCREEN),
			strlen(desk.session.status));
	}
	desk_close(&desk);
}

/* ---- groups */

/* The selected goroutine stays selected; where its group is folded, that is. */
static void
goroutines_are_grouped_by_what_one_wants(void **state)
{
	(void)state;
	struct desk desk;
	char golden[40];
	desk_open(&desk, "tasks-go1.23");
	for (size_t i = 1; group_by_words[i] != NULL; i++) {
		tell(&desk, COMMAND_GROUP_LANES, 1, NULL);
		assert_int_equal(trace_grouped_by(desk.session.trace), i);
		snprintf(golden, sizeof golden, "lanes-by-%s.txt", group_by_words[i]);
		check_golden(&desk, golden);
	}
	tell(&desk, COMMAND_GROUP_LANES, 1, NULL);
	assert_ptr_equal(trace_ungrouped(desk.session.trace), desk.trace);
	assert_int_equal(trace_grouped_by(desk.session.trace), GROUP_BY_NAME);
	tell(&desk, COMMAND_GROUP_LANES, 1, "nonsense");
	assert_true(desk.session.status_is_alert);
	desk_close(&desk);
}

/* Until the changes are there, a folded group says so. */
static void
what_is_not_known_yet_is_said(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	timeline_view.command(desk.timeline, &desk.session, COMMAND_GROUP_LANES, 1, "state");
	take(&desk);
	tell(&desk, COMMAND_LAST_ROW, 1, NULL);
	take_changes(&desk);
	desk_draw(&desk);
	assert_false(has_text(&desk, "not yet known"));
	timeline_view.command(desk.timeline, &desk.session, COMMAND_GROUP_LANES, 1, "creator");
	take(&desk);
	desk_draw(&desk);
	assert_true(has_text(&desk, "not yet known"));
	take_changes(&desk);
	desk_draw(&desk);
	assert_false(has_text(&desk, "not yet known"));
	desk_close(&desk);
}

/* Whatever a label, a task or a function says. */
static void
hostile_groups_are_shown_safely(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		struct text bytes = { 0 }, shown = { 0 };
		struct desk desk;
		hostile_trace(&hostile_texts[i], &bytes);
		desk_open_trace(&desk, testing_load_bytes(hostile_texts[i].name, bytes.bytes, bytes.length));
		for (size_t by = 0; group_by_words[by] != NULL; by++) {
			tell(&desk, COMMAND_GROUP_LANES, 1, group_by_words[by]);
			text_clear(&shown);
			scene_dump_text(&desk.canvas, &shown);
			assert_int_equal(hostile_find(shown.bytes, shown.length, HOSTILE_SCREEN),
				shown.length);
		}
		desk_close(&desk);
		text_release(&shown);
		text_release(&bytes);
	}
}

/* ---- what has not ended */

static void
a_region_that_has_not_ended_lasts_to_the_end(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct range *open = NULL;
	struct desk desk;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION && range->parent == REF_NONE)
			open = range; /* the last one, so nothing comes behind it */
	}
	assert_non_null(open);
	open->end_ns = TIME_OPEN;
	desk_open_trace(&desk, trace);
	select_goroutine(&desk, trace_actor(trace, open->scope)->id);
	desk.session.cursor_ns = open->start_ns;
	tell(&desk, COMMAND_FOLD, 1, NULL);
	tell(&desk, COMMAND_DOWN, 1, NULL);
	desk_draw(&desk);
	assert_true(has_text(&desk, "not ended"));
	assert_false(has_text(&desk, "292 "));
	assert_false(has_text(&desk, "2562047"));
	desk_close(&desk);
}

/* ---- hiding */

static size_t
row_of(const struct desk *desk, struct lane lane)
{
	const struct timeline_rows *rows = &desk->timeline->rows;
	for (size_t i = 0; i < rows->count; i++) {
		struct lane found;
		if (row_lane(rows, i, &found) && found.type == lane.type && found.ref == lane.ref)
			return i;
	}
	return ROW_NONE;
}

/* Whatever is sorted or grouped meanwhile; what one goes to is seen. */
static void
what_is_hidden_stays_hidden_until_it_is_wanted(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	select_goroutine(&desk, 25);
	struct lane lane = desk.session.lane;
	size_t count = desk.timeline->rows.count;
	tell(&desk, COMMAND_HIDE_LANE, 1, NULL);
	assert_int_equal(desk.timeline->rows.count, count - 1);
	assert_int_equal(row_of(&desk, lane), ROW_NONE);
	assert_true(has_text(&desk, "1 hidden"));
	tell(&desk, COMMAND_SORT_LANES, 1, "wait");
	assert_int_equal(row_of(&desk, lane), ROW_NONE);
	tell(&desk, COMMAND_GROUP_LANES, 1, "creator");
	assert_int_equal(row_of(&desk, lane), ROW_NONE);
	tell(&desk, COMMAND_GROUP_LANES, 1, "name");
	tell(&desk, COMMAND_SHOW_LANES, 1, NULL);
	assert_true(row_of(&desk, lane) != ROW_NONE);
	assert_int_equal(desk.timeline->rows.count, count);
	assert_false(has_text(&desk, "hidden"));
	select_goroutine(&desk, 25);
	tell(&desk, COMMAND_HIDE_LANE, 1, NULL);
	select_goroutine(&desk, 25);
	assert_int_equal(desk.session.hidden.count, 0);
	assert_int_equal(desk.session.lane.ref, lane.ref);
	tell(&desk, COMMAND_FIRST_ROW, 1, NULL);
	tell(&desk, COMMAND_HIDE_LANE, 1, NULL);
	assert_int_equal(desk.session.hidden.count, 0);
	desk_close(&desk);
}

/* ---- pins */

/* What stands at the left of a line of the rows. */
static bool
line_begins(const struct desk *desk, int line, const char *label)
{
	struct text shown = { 0 };
	for (int x = 0; x < desk->timeline->layout.label_cells; x++) {
		const struct cell *cell = canvas_at((struct canvas *)&desk->canvas, x,
			desk->timeline->layout.rows_y + line);
		text_add_string(&shown, cell->text);
	}
	bool begins = shown.length > 0 && strncmp(shown.bytes, label, strlen(label)) == 0;
	text_release(&shown);
	return begins;
}

static void
select_row_of(struct desk *desk, enum row_type type)
{
	size_t row = desk->timeline->rows.pin_count;
	while (desk->timeline->rows.items[row].type != type)
		row++;
	timeline_select_row(desk->timeline, &desk->session, row);
}

/* Whatever is scrolled, sorted, grouped, hidden or alone meanwhile. */
static void
what_is_pinned_stays_on_top(void **state)
{
	(void)state;
	static const struct {
		enum command command;
		long count;
		const char *argument;
	} meanwhile[] = {
		{ COMMAND_LAST_ROW, 1, NULL },
		{ COMMAND_PAGE_UP, 1, NULL },
		{ COMMAND_SORT_LANES, 1, "wait" },
		{ COMMAND_GROUP_LANES, 1, "creator" },
		{ COMMAND_GROUP_LANES, 1, "name" },
		{ COMMAND_FOCUS_ACTOR, 1, NULL },
		{ COMMAND_FIRST_ROW, 1, NULL },
	};
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	select_row_of(&desk, ROW_HEAP);
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	select_goroutine(&desk, 25);
	struct lane lane = desk.session.lane;
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	assert_int_equal(desk.session.lane.ref, lane.ref);
	assert_true(has_text(&desk, "2 pinned"));
	for (size_t i = 0; i < ARRAY_LENGTH(meanwhile); i++) {
		tell(&desk, meanwhile[i].command, meanwhile[i].count, meanwhile[i].argument);
		assert_true(line_begins(&desk, 0, "▴Heap"));
		assert_true(line_begins(&desk, 1, "▴"));
		assert_int_equal(row_of(&desk, lane), 1);
		assert_true(timeline_line_of(&desk.timeline->layout, desk.timeline->first_row,
				    desk.timeline->cursor_row) >= 0);
	}
	select_goroutine(&desk, 25);
	assert_int_equal(desk.timeline->cursor_row, 1);
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	assert_true(has_text(&desk, "1 pinned"));
	tell(&desk, COMMAND_FIRST_ROW, 1, NULL);
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	assert_int_equal(desk.timeline->rows.pin_count, 0);
	assert_false(has_text(&desk, "pinned"));
	desk_close(&desk);
}

/* Beyond half of the lines pins scroll like other rows, and it is said so. */
static void
pins_leave_half_of_the_screen(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	assert_true(canvas_resize(&desk.canvas, 80, 23, &desk.err));
	desk_draw(&desk);
	for (int pins = 1; pins <= 14; pins++) {
		size_t row = desk.timeline->rows.count - 1;
		while (row_picks_has(&desk.session.pinned, desk.trace,
			       desk.timeline->rows.items[row]))
			row--;
		timeline_select_row(desk.timeline, &desk.session, row);
		tell(&desk, COMMAND_PIN_LANE, 1, NULL);
		const struct timeline_layout *layout = &desk.timeline->layout;
		assert_int_equal(desk.timeline->rows.pin_count, pins);
		assert_true(layout->pinned_lines <= layout->row_lines / 2);
		bool fits = layout->pinned_lines == pins;
		assert_int_equal(fits, pins <= layout->row_lines / 2);
		assert_int_equal(strstr(desk.session.status, "half of the screen") == NULL, fits);
		assert_int_equal(desk.timeline->cursor_row, row + 1);
	}
	/* Down from the last that stays it goes on where the screen shows the others. */
	size_t stay = (size_t)desk.timeline->layout.pinned_lines;
	size_t first = desk.timeline->first_row;
	assert_true(first > stay);
	timeline_select_row(desk.timeline, &desk.session, stay - 1);
	desk_draw(&desk);
	assert_int_equal(desk.timeline->first_row, first);
	tell(&desk, COMMAND_DOWN, 1, NULL);
	assert_int_equal(desk.timeline->cursor_row, first);
	desk_close(&desk);
}

static void
a_click_at_the_edge_pins(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.23");
	struct screen_mouse mouse = { .kind = MOUSE_PRESS, .y = desk.timeline->layout.rows_y + 3 };
	struct row wanted = desk.timeline->rows.items[3];
	timeline_view.mouse(desk.timeline, &desk.session, &mouse);
	desk_draw(&desk);
	assert_int_equal(desk.timeline->rows.pin_count, 1);
	assert_int_equal(desk.timeline->rows.items[0].type, wanted.type);
	mouse.y = desk.timeline->layout.rows_y;
	timeline_view.mouse(desk.timeline, &desk.session, &mouse);
	assert_int_equal(desk.timeline->rows.pin_count, 0);
	select_row_of(&desk, ROW_SECTION);
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	assert_non_null(strstr(desk.session.status, "cannot be pinned"));
	desk_close(&desk);
}

/* A task with its regions, while tasks are lanes and when they are not. */
static void
tasks_are_pinned(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "tasks-go1.23");
	tell(&desk, COMMAND_REQUESTS, 1, NULL);
	struct lane lane = desk.session.lane;
	assert_int_equal(lane.type, LANE_TASK);
	tell(&desk, COMMAND_PIN_LANE, 1, NULL);
	tell(&desk, COMMAND_REQUESTS, 1, NULL);
	assert_int_equal(row_of(&desk, lane), 0);
	timeline_select_row(desk.timeline, &desk.session, 0);
	desk_draw(&desk);
	assert_int_equal(desk.session.lane.type, LANE_TASK);
	assert_int_equal(timeline_view.command(desk.timeline, &desk.session, COMMAND_OPEN, 1, NULL).reaction,
		VIEW_OPEN);
	assert_int_equal(desk.session.task, lane.ref);
	tell(&desk, COMMAND_FOLD, 1, NULL);
	assert_true(desk.timeline->rows.pin_count > 1);
	desk_close(&desk);
}

/* A name leads to the row that has it, whatever kind it is of. */
static void
every_row_that_can_be_pinned_has_a_name(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	const struct timeline_rows *rows = &desk.timeline->rows;
	size_t named = 0;
	for (size_t i = 0; i < rows->count; i++) {
		struct text name = { 0 };
		struct row found;
		if (!row_can_be_pinned((enum row_type)rows->items[i].type))
			continue;
		row_name_add(&name, rows->trace, rows->items[i]);
		if (!row_name_find(rows->trace, name.bytes, &found) ||
			found.type != rows->items[i].type || found.ref != rows->items[i].ref)
			fail_msg("%s does not lead to its row", name.bytes);
		text_release(&name);
		named++;
	}
	assert_true(named > 20);
	desk_close(&desk);
}

/* ---- those that interact */

static uint32_t
count_of_type(const struct desk *desk, enum row_type type)
{
	uint32_t count = 0;
	for (size_t i = 0; i < desk->timeline->rows.count; i++)
		count += desk->timeline->rows.items[i].type == type;
	return count;
}

/* All that are in are listed, each once and beneath the heading of its step. */
static void
check_steps(const struct desk *desk, uint32_t steps, bool only_wakers)
{
	const struct interacts_plan plan = { desk->session.interacts.actor, steps, only_wakers };
	const struct timeline_rows *rows = &desk->timeline->rows;
	struct interacts wanted;
	struct error err = { 0 };
	uint32_t step = 0;
	assert_true(interacts_build(&wanted, desk->session.trace, plan, NULL, &err));
	assert_int_equal(count_of_type(desk, ROW_ACTOR), wanted.count);
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].type == ROW_STEP)
			assert_int_equal(rows->items[i].ref, ++step);
		if (rows->items[i].type == ROW_ACTOR)
			assert_int_equal(interacts_away(&wanted, rows->items[i].ref), step);
	}
	interacts_release(&wanted);
}

static void
those_that_interact_are_shown_step_by_step(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	size_t count = desk.timeline->rows.count;
	select_goroutine(&desk, 7);
	struct lane lane = desk.session.lane;
	for (uint32_t steps = 1; steps <= 3; steps++) {
		char title[40];
		tell(&desk, COMMAND_INTERACTS, 1, NULL);
		assert_int_equal(desk.session.interacts.steps, steps);
		assert_int_equal(desk.session.lane.ref, lane.ref);
		check_steps(&desk, steps, false);
		snprintf(title, sizeof title, "around G7, %u %s", (unsigned)steps, steps == 1 ? "step" : "steps");
		assert_true(has_text(&desk, title));
	}
	/* What one does meanwhile stays within them ... */
	tell(&desk, COMMAND_SORT_LANES, 1, "wait");
	check_steps(&desk, 3, false);
	tell(&desk, COMMAND_GROUP_LANES, 1, "creator");
	check_steps(&desk, 3, false);
	tell(&desk, COMMAND_GROUP_LANES, 1, "name");
	tell(&desk, COMMAND_INTERACTS, 1, "2,wakers");
	check_steps(&desk, 2, true);
	tell(&desk, COMMAND_INTERACTS, 1, "1");
	tell(&desk, COMMAND_INTERACTS, 98, NULL);
	assert_non_null(strstr(desk.session.status, "nobody else interacts with them"));
	/* ... and these are all there is to fold. */
	assert_true(timeline_go_to_lane(desk.timeline, &desk.session, lane, 0, &desk.err));
	tell(&desk, COMMAND_DOWN, 1, NULL);
	uint32_t shown = count_of_type(&desk, ROW_ACTOR);
	tell(&desk, COMMAND_FOLD, 1, NULL);
	assert_true(count_of_type(&desk, ROW_ACTOR) < shown);
	tell(&desk, COMMAND_SHOW_LANES, 1, NULL);
	assert_int_equal(desk.session.interacts.steps, 0);
	assert_int_equal(desk.timeline->rows.count, count);
	select_goroutine(&desk, 7);
	tell(&desk, COMMAND_INTERACTS, 1, "0");
	assert_non_null(strstr(desk.session.status, "wanted how many steps"));
	desk_close(&desk);
}

/* Another one begins anew; to go to one that is not in shows all; q goes back, once. */
static void
one_gets_out_of_those_that_interact(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "httpserver-go1.26");
	select_goroutine(&desk, 7);
	tell(&desk, COMMAND_INTERACTS, 2, NULL);
	select_goroutine(&desk, 1);
	tell(&desk, COMMAND_INTERACTS, 1, NULL);
	assert_int_equal(trace_actor(desk.trace, desk.session.interacts.actor)->id, 1);
	assert_int_equal(desk.session.interacts.steps, 1);
	tell(&desk, COMMAND_FOCUS_ACTOR, 1, NULL);
	assert_int_equal(count_of_type(&desk, ROW_STEP), 0);
	tell(&desk, COMMAND_INTERACTS, 1, NULL);
	assert_true(count_of_type(&desk, ROW_STEP) > 0);
	struct lane proc = { LANE_PROCESSOR, 1 };
	assert_true(timeline_go_to_lane(desk.timeline, &desk.session, proc, 0, &desk.err));
	desk_draw(&desk);
	assert_int_equal(desk.session.interacts.steps, 0);
	assert_int_equal(desk.session.lane.type, LANE_PROCESSOR);
	select_goroutine(&desk, 7);
	tell(&desk, COMMAND_INTERACTS, 1, NULL);
	assert_int_equal(timeline_view.command(desk.timeline, &desk.session, COMMAND_CLOSE, 1, NULL).reaction,
		VIEW_REDRAW);
	assert_int_equal(desk.session.interacts.steps, 0);
	assert_int_equal(timeline_view.command(desk.timeline, &desk.session, COMMAND_CLOSE, 1, NULL).reaction,
		VIEW_NOTHING);
	desk_close(&desk);
}

/* As options and an undo ask for it: the rows follow the session, of whichever snapshot. */
static void
the_rows_follow_whose_company_is_wanted(void **state)
{
	(void)state;
	struct desk desk;
	struct text shown = { 0 };
	desk_open(&desk, "contention-go1.26");
	desk.session.interacts = (struct interacts_plan){ trace_find_actor(desk.trace, 16), 1, false };
	desk_draw(&desk);
	check_steps(&desk, 1, false);
	assert_int_equal(desk.session.lane.ref, desk.session.interacts.actor);
	desk.canvas.ascii = true;
	desk_draw(&desk);
	scene_dump(&desk.canvas, &shown);
	golden_check("screen-interacts.txt", &shown);
	text_release(&shown);
	assert_true(timeline_view.renew(desk.timeline, &desk.session, desk.trace, &desk.err));
	desk_draw(&desk);
	check_steps(&desk, 1, false);
	desk.session.interacts.steps = 0;
	desk_draw(&desk);
	assert_int_equal(count_of_type(&desk, ROW_STEP), 0);
	assert_int_equal(desk.session.lane.type, LANE_ACTOR);
	desk_close(&desk);
}

/* What takes long is found beside, and can be stopped; what was shown stays meanwhile. */
static void
those_of_a_large_trace_are_found_beside(void **state)
{
	(void)state;
	struct desk desk;
	desk_open(&desk, "contention-go1.26");
	select_goroutine(&desk, 16);
	size_t count = desk.timeline->rows.count;
	tell(&desk, COMMAND_INTERACTS, 99, NULL);
	assert_non_null(desk.timeline->interacting);
	assert_int_equal(desk.timeline->rows.count, count);
	assert_non_null(strstr(desk.session.status, "looking for who interacts with G16"));
	tell(&desk, COMMAND_CLEAR_SEARCH, 1, NULL);
	assert_null(desk.timeline->interacting);
	assert_int_equal(desk.session.interacts.steps, 0);
	tell(&desk, COMMAND_INTERACTS, 99, NULL);
	assert_true(timeline_view.renew(desk.timeline, &desk.session, desk.trace, &desk.err));
	desk_draw(&desk);
	while (desk.timeline->interacting != NULL)
		assert_true(timeline_view.look(desk.timeline, &desk.session));
	assert_false(timeline_view.look(desk.timeline, &desk.session));
	desk_draw(&desk);
	check_steps(&desk, 99, false);
	tell(&desk, COMMAND_INTERACTS, 1, "98");
	assert_non_null(desk.timeline->interacting);
	desk_close(&desk);
}

/* ---- small screens */

/* Rows of goroutines and their groups on the screen. */
static size_t
goroutines_in_sight(const struct timeline *timeline)
{
	size_t count = 0;
	for (int line = 0; line < timeline->layout.row_lines; line++) {
		size_t row = timeline_row_at(&timeline->layout, timeline->first_row, line);
		uint8_t type = row < timeline->rows.count ? timeline->rows.items[row].type : 0;
		count += type == ROW_GROUP || type == ROW_ACTOR;
	}
	return count;
}

static void
a_small_screen_has_ten_rows_for_goroutines(void **state)
{
	(void)state;
	static const char *const traces[] = { "httpserver-go1.23", "gcheavy-go1.26",
		"contention-go1.23", "samples-go1.26" };
	for (size_t i = 0; i < ARRAY_LENGTH(traces); i++) {
		struct page_test test;
		page_begin(&test, traces[i], 80, 24, NULL);
		page_settle(&test);
		const struct timeline *timeline = test.app.stack[0].state;
		size_t most = trace_actor_count(test.trace);
		assert_true(goroutines_in_sight(timeline) >= (most < 10 ? most : 10));
		assert_int_equal(timeline->layout.panel_lines, 3);
		page_end(&test);
	}
}

/* o on the row, and on any of its parts; the panel has a key of its own. */
static void
a_key_unfolds_each_and_folds_it_again(void **state)
{
	(void)state;
	static const enum row_section sections[] = { SECTION_COUNTERS, SECTION_GC, SECTION_EVENTS,
		SECTION_PROCESSORS };
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 80, 24, NULL);
	page_settle(&test);
	struct timeline *timeline = test.app.stack[0].state;
	size_t folded = timeline->rows.count;
	for (size_t i = 0; i < ARRAY_LENGTH(sections); i++) {
		page_press(&test, "g");
		while (timeline->rows.items[timeline->cursor_row].type != ROW_SECTION ||
			timeline->rows.items[timeline->cursor_row].ref != sections[i])
			page_press(&test, "Down");
		page_press(&test, i % 2 == 0 ? "o" : "Enter");
		assert_true(rows_section_is_open(&timeline->rows, sections[i]));
		assert_true(timeline->rows.count > folded);
		page_press(&test, "Down o");
		assert_false(rows_section_is_open(&timeline->rows, sections[i]));
		assert_int_equal(timeline->rows.count, folded);
		assert_int_equal(timeline->rows.items[timeline->cursor_row].ref, sections[i]);
	}
	page_press(&test, "Z");
	assert_int_equal(timeline->layout.panel_lines, 5);
	page_press(&test, "Z");
	assert_int_equal(timeline->layout.panel_lines, 3);
	page_end(&test);
}

/* Another size is as that size is at first; what is selected stays, or is in what is folded. */
static void
another_size_folds_as_it_does_at_first(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 80, 24, NULL);
	page_settle(&test);
	struct timeline *timeline = test.app.stack[0].state;
	page_press(&test, "g o Down"); /* the heap */
	assert_int_equal(timeline->rows.items[timeline->cursor_row].type, ROW_HEAP);
	test.fake.height = 40;
	page_settle(&test);
	assert_int_equal(timeline->rows.items[timeline->cursor_row].type, ROW_HEAP);
	assert_true(rows_section_is_open(&timeline->rows, SECTION_EVENTS));
	assert_true(rows_section_is_open(&timeline->rows, SECTION_COUNTERS));
	test.fake.height = 24;
	page_settle(&test);
	assert_int_equal(timeline->rows.items[timeline->cursor_row].type, ROW_SECTION);
	assert_int_equal(timeline->rows.items[timeline->cursor_row].ref, SECTION_COUNTERS);
	page_end(&test);
}

/* A stop of the world that is gone to has its own row. */
static void
a_way_to_a_stop_unfolds_it(void **state)
{
	(void)state;
	struct page_test test;
	struct lane lane = { LANE_STW, 0 };
	struct error err = { 0 };
	page_begin(&test, "gcheavy-go1.26", 80, 24, NULL);
	page_settle(&test);
	struct timeline *timeline = test.app.stack[0].state;
	assert_true(timeline_go_to_lane(timeline, test.app.session, lane, 0, &err));
	assert_int_equal(timeline->rows.items[timeline->cursor_row].type, ROW_STW);
	assert_int_equal(test.app.session->lane.type, LANE_STW);
	page_end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_are_sorted_and_the_selection_stays),
		cmocka_unit_test(goroutines_are_grouped_by_what_one_wants),
		cmocka_unit_test(what_is_not_known_yet_is_said),
		cmocka_unit_test(a_region_that_has_not_ended_lasts_to_the_end),
		cmocka_unit_test(hostile_groups_are_shown_safely),
		cmocka_unit_test(what_is_hidden_stays_hidden_until_it_is_wanted),
		cmocka_unit_test(what_is_pinned_stays_on_top),
		cmocka_unit_test(pins_leave_half_of_the_screen),
		cmocka_unit_test(a_click_at_the_edge_pins),
		cmocka_unit_test(tasks_are_pinned),
		cmocka_unit_test(every_row_that_can_be_pinned_has_a_name),
		cmocka_unit_test(those_that_interact_are_shown_step_by_step),
		cmocka_unit_test(one_gets_out_of_those_that_interact),
		cmocka_unit_test(those_of_a_large_trace_are_found_beside),
		cmocka_unit_test(the_rows_follow_whose_company_is_wanted),
		cmocka_unit_test(an_order_that_is_none_is_refused),
		cmocka_unit_test(a_small_screen_has_ten_rows_for_goroutines),
		cmocka_unit_test(a_key_unfolds_each_and_folds_it_again),
		cmocka_unit_test(another_size_folds_as_it_does_at_first),
		cmocka_unit_test(a_way_to_a_stop_unfolds_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
