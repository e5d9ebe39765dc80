/*
 * The timeline on canvases of all sizes: golden screens of real traces, colours and
 * glyphs, and what must hold of any picture.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/units.h"
#include "base_testing.h"
#include "draw/folded_row.h"
#include "draw/rows.h"
#include "draw/timeline.h"
#include "golden.h"
#include "query/search.h"
#include "report/lanes.h"
#include "report/report.h"
#include "scene.h"
#include "trace/lane.h"
#include "tracetesting.h"

static const int64_t ms = 1000000;

/* ---- golden screens */

enum look { COLORS, MONO, ASCII };

static const struct screen_row {
	const char *golden, *trace;
	int width, height;
	enum look look;
	double from_ms, to_ms; /* 0, 0: the whole */
	double at_ms;
	const char *row; /* type and number of the row, as find_row() reads it */
	const char *search;
	double mark_ms;   /* the other end of the marked interval, 0 for none */
	int64_t focus;    /* a goroutine id, 0 for none */
	bool is_unfolded; /* the first group */
	bool is_wall;     /* times of day */
	bool has_threads; /* their section is unfolded */
	int64_t stacks;   /* a goroutine id, 0 for none: whose stack lanes are shown */
	int first_row;
	bool is_small;    /* what a small screen folds is folded */
} screen_rows[] = {
	{ .golden = "screen-folded.txt",
		.trace = "gcheavy-go1.26",
		.width = 80,
		.height = 23,
		.at_ms = 17,
		.row = "section 1",
		.is_small = true },
	{ .golden = "screen-folded-counts.txt",
		.trace = "httpserver-go1.23",
		.width = 80,
		.height = 23,
		.look = ASCII,
		.at_ms = 60,
		.row = "section 0",
		.is_small = true },
	{ .golden = "screen-folded-events.txt",
		.trace = "httpserver-go1.23",
		.width = 80,
		.height = 23,
		.look = MONO,
		.from_ms = 20,
		.to_ms = 70,
		.at_ms = 60,
		.row = "section 2",
		.is_small = true },
	{ .golden = "screen-folded-procs.txt",
		.trace = "contention-go1.23",
		.width = 80,
		.height = 23,
		.at_ms = 60,
		.row = "section 2",
		.is_small = true },
	{ .golden = "screen-http.txt",
		.trace = "httpserver-go1.23",
		.width = 80,
		.height = 23,
		.at_ms = 60,
		.row = "proc 1" },
	{ .golden = "screen-http-zoomed.txt",
		.trace = "httpserver-go1.23",
		.width = 110,
		.height = 38,
		.from_ms = 43,
		.to_ms = 57.5,
		.at_ms = 46.5,
		.row = "group 0",
		.is_unfolded = true },
	{ .golden = "screen-contention.txt",
		.trace = "contention-go1.23",
		.width = 100,
		.height = 30,
		.from_ms = 28,
		.to_ms = 36,
		.at_ms = 29,
		.row = "proc 3" },
	{ .golden = "screen-gc.txt",
		.trace = "gcheavy-go1.26",
		.width = 100,
		.height = 30,
		.at_ms = 17,
		.row = "gc 0" },
	{ .golden = "screen-long-wide.txt",
		.trace = "long-go1.23",
		.width = 150,
		.height = 26,
		.at_ms = 4410,
		.row = "stw 0" },
	{ .golden = "screen-mono.txt",
		.trace = "syscalls-go1.26",
		.width = 80,
		.height = 23,
		.look = MONO,
		.at_ms = 20,
		.row = "proc 0",
		.first_row = 6 },
	{ .golden = "screen-ascii.txt",
		.trace = "httpserver-go1.26",
		.width = 80,
		.height = 23,
		.look = ASCII,
		.from_ms = 20,
		.to_ms = 30,
		.at_ms = 25,
		.row = "heap 0" },
	{ .golden = "screen-small.txt",
		.trace = "httpserver-go1.23",
		.width = 40,
		.height = 9,
		.at_ms = 60,
		.row = "proc 1",
		.first_row = 7 },
	{ .golden = "screen-tiny.txt",
		.trace = "httpserver-go1.23",
		.width = 17,
		.height = 4,
		.at_ms = 60,
		.row = "proc 1" },
	{ .golden = "screen-nanoseconds.txt",
		.trace = "contention-go1.26",
		.width = 100,
		.height = 24,
		.from_ms = 10,
		.to_ms = 10.00008,
		.at_ms = 10.00004,
		.row = "proc 1" },
	{ .golden = "screen-wall.txt",
		.trace = "long-go1.26",
		.width = 100,
		.height = 26,
		.at_ms = 4410,
		.row = "stw 0",
		.is_wall = true },
	{ .golden = "screen-wall-zoomed.txt",
		.trace = "contention-go1.26",
		.width = 80,
		.height = 23,
		.from_ms = 10,
		.to_ms = 10.0008,
		.at_ms = 10.0004,
		.row = "proc 1",
		.is_wall = true },
	{ .golden = "screen-threads.txt",
		.trace = "syscalls-go1.23",
		.width = 100,
		.height = 30,
		.from_ms = 50,
		.to_ms = 65,
		.at_ms = 58,
		.row = "thread 0",
		.has_threads = true,
		.first_row = 8 },
	{ .golden = "screen-threads-ascii.txt",
		.trace = "syscalls-go1.23",
		.width = 80,
		.height = 23,
		.look = ASCII,
		.from_ms = 50,
		.to_ms = 65,
		.at_ms = 53,
		.row = "thread 0",
		.has_threads = true,
		.first_row = 12 },
	{ .golden = "screen-samples.txt",
		.trace = "samples-go1.26",
		.width = 80,
		.height = 23,
		.at_ms = 67,
		.row = "samples 0" },
	{ .golden = "screen-samples-zoomed.txt",
		.trace = "samples-go1.26",
		.width = 100,
		.height = 30,
		.from_ms = 50,
		.to_ms = 80,
		.at_ms = 67,
		.row = "goroutine 0" },
	{ .golden = "screen-samples-ascii.txt",
		.trace = "samples-go1.26",
		.width = 80,
		.height = 23,
		.look = ASCII,
		.from_ms = 60,
		.to_ms = 75,
		.at_ms = 67,
		.row = "proc 0" },
	{ .golden = "screen-stacks.txt",
		.trace = "httpserver-go1.23",
		.width = 110,
		.height = 34,
		.from_ms = 45,
		.to_ms = 50,
		.at_ms = 46.5,
		.row = "stack 2",
		.stacks = 54,
		.first_row = 8 },
	{ .golden = "screen-stacks-samples.txt",
		.trace = "samples-go1.26",
		.width = 80,
		.height = 23,
		.from_ms = 40,
		.to_ms = 100,
		.at_ms = 67,
		.row = "stack 3",
		.stacks = 11,
		.first_row = 8 },
	{ .golden = "screen-stacks-ascii.txt",
		.trace = "httpserver-go1.23",
		.width = 80,
		.height = 23,
		.look = ASCII,
		.from_ms = 43,
		.to_ms = 57,
		.at_ms = 53,
		.row = "stack 1",
		.stacks = 54,
		.first_row = 12 },
	{ .golden = "screen-search.txt",
		.trace = "contention-go1.23",
		.width = 90,
		.height = 34,
		.at_ms = 50,
		.row = "group 1",
		.search = "select|Mutex" },
	{ .golden = "screen-search-ascii.txt",
		.trace = "contention-go1.23",
		.width = 60,
		.height = 30,
		.look = ASCII,
		.at_ms = 50,
		.row = "wakes 0",
		.search = "select|Mutex" },
	{ .golden = "screen-marked.txt",
		.trace = "contention-go1.23",
		.width = 90,
		.height = 28,
		.from_ms = 20,
		.to_ms = 40,
		.at_ms = 36,
		.mark_ms = 27.5,
		.row = "proc 3" },
	{ .golden = "screen-marked-ascii.txt",
		.trace = "httpserver-go1.26",
		.width = 80,
		.height = 22,
		.look = ASCII,
		.from_ms = 20,
		.to_ms = 30,
		.at_ms = 22,
		.mark_ms = 31,
		.row = "heap 0" },
	{ .golden = "screen-goroutine.txt",
		.trace = "tasks-go1.23",
		.width = 100,
		.height = 24,
		.focus = 1,
		.at_ms = 76,
		.row = "region 0" },
	{ .golden = "screen-goroutine-zoomed.txt",
		.trace = "tasks-go1.23",
		.width = 90,
		.height = 20,
		.focus = 46,
		.from_ms = 75.4,
		.to_ms = 83,
		.at_ms = 76.7,
		.row = "goroutine 0" },
};

static enum row_type
row_type_of(const char *name)
{
	static const char *const names[ROW_TYPE_COUNT] = {
		[ROW_ACTORS] = "goroutines",
		[ROW_HEAP] = "heap",
		[ROW_HEAP_UPPER] = "upper",
		[ROW_THREADS] = "threads",
		[ROW_GC] = "gc",
		[ROW_STW] = "stw",
		[ROW_WAKES] = "wakes",
		[ROW_SAMPLES] = "samples",
		[ROW_SECTION] = "section",
		[ROW_STEP] = "step",
		[ROW_PROCESSOR] = "proc",
		[ROW_THREAD] = "thread",
		[ROW_BENEATH] = "beneath",
		[ROW_GROUP] = "group",
		[ROW_ACTOR] = "goroutine",
		[ROW_TASK] = "task",
		[ROW_GAUGE] = "counter",
		[ROW_REGIONS] = "region",
		[ROW_LOGS] = "logs",
		[ROW_STACK] = "stack",
	};
	for (int i = 0; i < ROW_TYPE_COUNT; i++) {
		if (strcmp(names[i], name) == 0)
			return (enum row_type)i;
	}
	fail_msg("no row is called %s", name);
	return ROW_TYPE_COUNT;
}

/* "proc 2" is the third row of a proc. */
static size_t
find_row(const struct timeline_rows *rows, const char *which)
{
	char name[20];
	int number;
	assert_int_equal(sscanf(which, "%19s %d", name, &number), 2);
	enum row_type type = row_type_of(name);
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].type == type && number-- == 0)
			return i;
	}
	fail_msg("there is no row %s", which);
	return ROW_NONE;
}

/* A trace with its rows, ready to be drawn. */
struct stage {
	struct trace *trace;
	struct timeline_rows rows;
	struct timeline_buffers buffers;
	struct timeline_scene scene;
	struct canvas canvas;
	struct error err;
};

static void
stage_open(struct stage *stage, struct trace *trace, int width, int height)
{
	*stage = (struct stage){ .trace = trace };
	assert_true(rows_init(&stage->rows, trace, NULL, NULL, &stage->err));
	assert_true(canvas_resize(&stage->canvas, width, height, &stage->err));
	stage->scene = (struct timeline_scene){
		.trace = trace, .rows = &stage->rows, .file_name = "test.trace",
		.file_word = "test.trace", .has_cursor = true
	};
	int cells = timeline_layout(width, height, true).cells;
	stage->scene.viewport = viewport_whole(viewport_extent(trace->end_ns), cells);
}

static void
stage_draw(struct stage *stage)
{
	canvas_clear(&stage->canvas);
	assert_true(timeline_draw(&stage->scene, &stage->buffers, &stage->canvas, &stage->err));
}

static void
stage_close(struct stage *stage)
{
	search_free(stage->scene.search);
	timeline_buffers_release(&stage->buffers);
	rows_release(&stage->rows);
	canvas_release(&stage->canvas);
	trace_free(stage->trace);
}

static void
show_stacks(struct stage *stage, actor_ref goroutine)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	assert_true(rows_show_stacks(&stage->rows, goroutine, &stage->err));
	assert_true(rows_reveal(&stage->rows, lane, &stage->err));
}

static void
stage_set(struct stage *stage, const struct screen_row *row)
{
	int cells = timeline_layout(row->width, row->height, true).cells;
	assert_true(rows_set_size(
		&stage->rows, row->is_small ? ROWS_SMALL
		: row->height >= TIMELINE_TALL ? ROWS_TALL
					       : ROWS_USUAL, &stage->err));
	if (row->focus != 0)
		assert_true(rows_focus(
			&stage->rows, trace_find_actor(stage->trace, row->focus), &stage->err));
	if (row->is_unfolded)
		assert_true(
			rows_toggle(&stage->rows, find_row(&stage->rows, "group 0"), &stage->err));
	if (row->stacks != 0)
		show_stacks(stage, trace_find_actor(stage->trace, row->stacks));
	if (row->has_threads)
		assert_true(rows_toggle(
			&stage->rows, find_row(&stage->rows, "section 1"), &stage->err));
	if (row->search != NULL)
		stage->scene.search = search_new(stage->trace, row->search, &stage->err);
	if (row->to_ms > 0)
		stage->scene.viewport =
			viewport_clamp((struct viewport){ (int64_t)(row->from_ms * 1e6),
					       (int64_t)(row->to_ms * 1e6) },
				viewport_extent(stage->trace->end_ns), cells);
	stage->scene.is_wall = row->is_wall;
	stage->scene.has_mark = row->mark_ms > 0;
	bool is_behind = row->mark_ms > row->at_ms;
	stage->scene.marked_from_ns = (int64_t)((is_behind ? row->at_ms : row->mark_ms) * 1e6);
	stage->scene.marked_until_ns = (int64_t)((is_behind ? row->mark_ms : row->at_ms) * 1e6);
	stage->canvas.ascii = row->look == ASCII;
	stage->canvas.monochrome = row->look != COLORS;
	stage->scene.cursor_ns = (int64_t)(row->at_ms * 1e6);
	stage->scene.cursor_row = find_row(&stage->rows, row->row);
	stage->scene.first_row = (size_t)row->first_row;
}

static void
screens_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(screen_rows); i++) {
		struct stage stage;
		struct text made = { 0 };
		stage_open(&stage, testing_load(screen_rows[i].trace), screen_rows[i].width,
			screen_rows[i].height);
		stage_set(&stage, &screen_rows[i]);
		stage_draw(&stage);
		scene_dump(&stage.canvas, &made);
		golden_check(screen_rows[i].golden, &made);
		text_release(&made);
		stage_close(&stage);
	}
}

/* ---- what is folded */

static size_t
find_section(const struct timeline_rows *rows, enum row_section section)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].type == ROW_SECTION && rows->items[i].ref == section)
			return i;
	return ROW_NONE;
}

static const struct cell *
cell_of(struct stage *stage, size_t row, int cell)
{
	struct timeline_layout layout =
		timeline_layout(stage->canvas.width, stage->canvas.height, true);
	return canvas_at(&stage->canvas, layout.label_cells + cell, layout.rows_y + (int)row);
}

/* Of each cell: as many events as on the rows of their own, a mark where the world stood still. */
static void
check_folded_cells(struct stage *stage)
{
	const struct lane stops = { LANE_STW, 0 };
	int cells = timeline_layout(stage->canvas.width, stage->canvas.height, true).cells;
	size_t gc = find_section(&stage->rows, SECTION_GC);
	size_t events = find_section(&stage->rows, SECTION_EVENTS);
	struct viewport viewport = stage->scene.viewport;
	for (int i = 0; i < cells; i++) {
		int64_t t0_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i);
		int64_t t1_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1);
		char wanted[] = "+";
		uint32_t count = 0;
		for (int row = 0; row < WAKE_ROW_COUNT; row++)
			count += wake_count(stage->trace, (enum wake_row)row, t0_ns, t1_ns);
		if (count <= 9)
			wanted[0] = count == 0 ? '\0' : count == 1 ? '|' : (char)('0' + count);
		if (events != ROW_NONE)
			assert_string_equal(cell_of(stage, events, i)->text, wanted);
		bool has_stop = lane_count(stage->trace, stops, t0_ns, t1_ns) > 0;
		if (gc != ROW_NONE)
			assert_int_equal(strcmp(cell_of(stage, gc, i)->text, "|") == 0, has_stop);
	}
}

/* What runs is on a proc: so all procs together run as long as all goroutines do. */
static void
check_busy_procs(struct stage *stage, struct viewport viewport)
{
	int64_t procs_ns[CLASS_COUNT], all_ns[CLASS_COUNT], sum_ns = 0;
	int64_t whole_ns = folded_row_processors(
		stage->trace, viewport.t0_ns, viewport.t1_ns, procs_ns);
	lane_totals(stage->trace, (struct lane){ LANE_ALL, 0 }, viewport.t0_ns, viewport.t1_ns,
		all_ns);
	assert_int_equal(procs_ns[CLASS_RUNNING], all_ns[CLASS_RUNNING]);
	assert_int_equal(procs_ns[CLASS_WORKER], all_ns[CLASS_WORKER]);
	assert_true(procs_ns[CLASS_SYSCALL] <= all_ns[CLASS_SYSCALL]);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		sum_ns += procs_ns[i];
	assert_true(sum_ns <= whole_ns);
}

static void
a_folded_row_is_the_sum_of_its_parts(void **state)
{
	(void)state;
	static const char *const traces[] = { "httpserver-go1.23", "gcheavy-go1.26",
		"contention-go1.23", "tasks-go1.23" };
	for (size_t i = 0; i < ARRAY_LENGTH(traces); i++) {
		struct stage stage;
		stage_open(&stage, testing_load(traces[i]), 80, 23);
		stage.canvas.ascii = stage.canvas.monochrome = true;
		stage.scene.cursor_row = 7;
		assert_true(rows_set_size(&stage.rows, ROWS_SMALL, &stage.err));
		assert_int_not_equal(find_section(&stage.rows, SECTION_COUNTERS), ROW_NONE);
		for (int part = 1; part <= 64; part *= 2) {
			int64_t span_ns = stage.trace->end_ns / part;
			stage.scene.viewport =
				(struct viewport){ span_ns / 3, span_ns / 3 + span_ns };
			stage_draw(&stage);
			check_folded_cells(&stage);
			check_busy_procs(&stage, stage.scene.viewport);
		}
		stage_close(&stage);
	}
}

/* The line of the screen that has the word at its beginning, without blanks at its end. */
static bool
find_line(const struct text *screen, const char *word, struct text *line)
{
	for (const char *at = screen->bytes; at != NULL && *at != '\0';) {
		const char *end = strchr(at, '\n');
		size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
		text_clear(line);
		text_add(line, at, length);
		at = end != NULL ? end + 1 : NULL;
		if (length <= strlen(word) || memcmp(line->bytes + 1, word, strlen(word)) != 0)
			continue;
		return true;
	}
	return false;
}

static void
no_time_of_the_panel_loses_its_unit(void **state)
{
	static const char *const words[] = { "here ", "before ", "then " };
	struct text screen = { 0 }, line = { 0 };
	struct stage stage;
	unsigned seen = 0;
	(void)state;
	stage_open(&stage, testing_load("syscalls-go1.26"), 120, 30);
	stage.scene.cursor_row = find_row(&stage.rows, "proc 0");
	for (int width = 64; width < 120; width++)
		for (int i = 1; i < 40; i++) {
			stage.scene.cursor_ns = stage.trace->end_ns / 40 * i;
			assert_true(canvas_resize(&stage.canvas, width, 30, &stage.err));
			stage_draw(&stage);
			text_clear(&screen);
			scene_dump_text(&stage.canvas, &screen);
			for (size_t k = 0; k < ARRAY_LENGTH(words); k++) {
				if (!find_line(&screen, words[k], &line))
					continue;
				seen++;
				char last = line.bytes[line.length - 1];
				if (last != 's' && last != ')')
					fail_msg("%d cells: %s", width, line.bytes);
			}
		}
	assert_true(seen > 1000);
	text_release(&screen);
	text_release(&line);
	stage_close(&stage);
}

static void
a_number_of_the_labels_is_whole_or_left_out(void **state)
{
	struct text screen = { 0 }, line = { 0 };
	struct stage stage;
	char count[UNITS_TEXT];
	unsigned seen = 0;
	(void)state;
	stage_open(&stage, testing_load("contention-go1.26"), 120, 30);
	units_count(count, trace_actor_count(stage.trace));
	assert_true(strlen(count) > 2);
	for (int width = 20; width < 100; width++) {
		int labels = timeline_layout(width, 30, true).label_cells;
		assert_true(canvas_resize(&stage.canvas, width, 30, &stage.err));
		stage.canvas.ascii = true;
		stage_draw(&stage);
		text_clear(&screen);
		scene_dump_text(&stage.canvas, &screen);
		if (labels < 14 || !find_line(&screen, " Goroutines", &line))
			continue;
		seen++;
		text_cut(&line, 0, (size_t)labels, true);
		const char *number = line.bytes + strlen("v Goroutines");
		number += strspn(number, " ");
		if (*number != '\0' && strncmp(number, count, strlen(count)) != 0)
			fail_msg("%d cells: %s", width, line.bytes);
	}
	assert_true(seen > 20);
	text_release(&screen);
	text_release(&line);
	stage_close(&stage);
}

static void
a_cut_trace_is_told_as_such(void **state)
{
	(void)state;
	struct stage stage;
	struct text made = { 0 };
	stage_open(&stage, testing_load_cut("long-go1.23", 60), 80, 23);
	stage.scene.cursor_row = find_row(&stage.rows, "section 0");
	stage.scene.cursor_ns = stage.trace->end_ns - 1;
	stage_draw(&stage);
	scene_dump(&stage.canvas, &made);
	golden_check("screen-damaged.txt", &made);
	text_release(&made);
	stage_close(&stage);
}

/* From 2 s on not all is known and from 3 s nothing, and once more at 4.1 s. */
static void
add_holes(struct trace *trace)
{
	const struct damage holes[] = {
		{ .from_bytes = 20000,
			.to_bytes = 30000,
			.lost_bytes = 9000,
			.from_ns = 2000 * ms,
			.blank_ns = 3000 * ms,
			.to_ns = 3500 * ms,
			.first_generation = 3,
			.last_generation = 4,
			.cause = DAMAGE_ZEROED,
			.dropped_events = 1234,
			.ended_batches = 1,
			.skipped_numbers = 2,
			.first = { .kind = ERROR_FORMAT,
				.message = "zeros where a batch \033 should be",
				.offset_bytes = 20001 } },
		{ .from_bytes = 40000,
			.to_bytes = 40100,
			.lost_bytes = 100,
			.from_ns = 4100 * ms,
			.blank_ns = 4100 * ms,
			.to_ns = 4100 * ms,
			.cause = DAMAGE_MISSING,
			.unknown_states = 17,
			.first = { .kind = ERROR_ORDER,
				.message = "two numbers are left out",
				.offset_bytes = 40000 } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(holes); i++)
		damage_map_add(&trace->damage, &holes[i]);
}

static void
draw_line(struct canvas *canvas, int y, struct text *out)
{
	for (int x = 0; x < canvas->width; x++) {
		const char *cell = canvas_at(canvas, x, y)->text;
		text_add_string(out, cell[0] != '\0' ? cell : " ");
	}
	text_add(out, "\n", 1);
}

/* Title, ruler and the last line of the panel of one trace, at several zooms. */
static void
holes_are_hatched(void **state)
{
	static const struct {
		int64_t t0_ms, t1_ms, at_ms;
		bool ascii;
	} pictures[] = {
		{ 0, 6000, 1000, false },
		{ 0, 6000, 1000, true },
		{ 0, 6000, 2500, false },
		{ 1900, 3600, 3200, false },
		{ 0, 10000, 3000, false },
		{ 1900, 3600, 3200, true },
		{ 3100, 3200, 3150, false },
		{ 4000, 4200, 4100, false },
	};
	(void)state;
	struct stage stage;
	struct text made = { 0 };
	struct trace *trace = testing_load("long-go1.23");
	add_holes(trace);
	stage_open(&stage, trace, 80, 23);
	stage.scene.cursor_row = find_row(&stage.rows, "section 0");
	for (size_t i = 0; i < ARRAY_LENGTH(pictures); i++) {
		stage.canvas.ascii = pictures[i].ascii;
		stage.scene.viewport = (struct viewport){ pictures[i].t0_ms * ms,
			pictures[i].t1_ms * ms };
		stage.scene.cursor_ns = pictures[i].at_ms * ms;
		canvas_clear(&stage.canvas);
		stage_draw(&stage);
		draw_line(&stage.canvas, 0, &made);
		draw_line(&stage.canvas, 1, &made);
		draw_line(&stage.canvas, stage.canvas.height - 1, &made);
	}
	golden_check("holes.txt", &made);
	text_release(&made);
	stage_close(&stage);
}

static void
print_has_a_legend(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct canvas canvas = { .ascii = true, .monochrome = true };
	struct text made = { 0 };
	struct trace *trace = testing_load("gcheavy-go1.23");
	struct lanes_options options = { .file_name = "gc.trace",
		.width_cells = 100,
		.actor = REF_NONE,
		.has_interval = true,
		.t0_ns = 10 * ms,
		.t1_ns = 20 * ms };
	assert_true(report_lanes(trace, &options, &canvas, &err));
	scene_dump_text(&canvas, &made);
	golden_check("lanes-gc-ascii.txt", &made);
	text_release(&made);
	canvas_release(&canvas);
	trace_free(trace);
}

/* In as few rows as can be, the cursor's is one of them. */
static void
print_shows_the_cursor(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct canvas canvas = { 0 };
	struct text made = { 0 };
	struct trace *trace = testing_load("contention-go1.26");
	struct lanes_options options = { .file_name = "a.trace",
		.width_cells = 90,
		.most_rows = 5,
		.actor = REF_NONE,
		.is_wall = true,
		.has_cursor = true,
		.cursor_ns = 33 * ms };
	assert_true(report_lanes(trace, &options, &canvas, &err));
	scene_dump(&canvas, &made);
	golden_check("lanes-cursor.txt", &made);
	text_release(&made);
	canvas_release(&canvas);
	trace_free(trace);
}

/* Without one, few rows are those on top. */
static void
print_without_a_cursor_begins_on_top(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct canvas few = { 0 }, all = { 0 };
	struct trace *trace = testing_load("contention-go1.26");
	struct lanes_options options = { .file_name = "a.trace",
		.width_cells = 90,
		.actor = REF_NONE };
	assert_true(report_lanes(trace, &options, &all, &err));
	options.most_rows = 6;
	assert_true(report_lanes(trace, &options, &few, &err));
	assert_true(few.height < all.height);
	for (int y = 2; y < 2 + options.most_rows; y++) {
		struct text line = { 0 }, line_of_all = { 0 };
		draw_line(&few, y, &line);
		draw_line(&all, y, &line_of_all);
		assert_string_equal(line.bytes, line_of_all.bytes);
		text_release(&line);
		text_release(&line_of_all);
	}
	canvas_release(&few);
	canvas_release(&all);
	trace_free(trace);
}

/* Batches of three threads are not in the file, and of one more the end or the beginning. */
static void
print_of_a_trace_with_a_hole(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct canvas canvas = { .ascii = true, .monochrome = true };
	struct text made = { 0 };
	struct trace *trace = testing_load_without("long-go1.26", 23000, 3000);
	struct report_options summary = {
		.file_name = "a.trace", .file = "a.trace", .width_cells = 100, .ascii = true
	};
	struct lanes_options options = { .file_name = "a.trace",
		.width_cells = 100,
		.most_rows = 24,
		.actor = REF_NONE,
		.has_interval = true,
		.t0_ns = 1500 * ms,
		.t1_ns = 4000 * ms };
	assert_true(report_summary(trace, &summary, &made, &err));
	assert_true(report_lanes(trace, &options, &canvas, &err));
	scene_dump_text(&canvas, &made);
	golden_check("left-out.txt", &made);
	text_release(&made);
	canvas_release(&canvas);
	trace_free(trace);
}

/* ---- what holds of any picture */

static uint64_t
hash_canvas(const struct canvas *canvas)
{
	return hash_bytes(canvas->cells,
		(size_t)canvas->width * (size_t)canvas->height * sizeof *canvas->cells);
}

/* Sizes from a single cell on: nothing may stand outside, nothing may be asked of no cell. */
static void
any_size_can_be_drawn(void **state)
{
	(void)state;
	uint64_t seed = 7;
	struct stage stage;
	stage_open(&stage, testing_load("tasks-go1.26"), 1, 1);
	for (int round = 0; round < 400; round++) {
		int width = 1 + (int)(random_next(&seed) % 130);
		int height = 1 + (int)(random_next(&seed) % 45);
		stage.canvas.ascii = random_next(&seed) % 3 == 0;
		stage.canvas.monochrome = stage.canvas.ascii || random_next(&seed) % 3 == 0;
		assert_true(canvas_resize(&stage.canvas, width, height, &stage.err));
		int cells = timeline_layout(width, height, true).cells;
		assert_true(cells >= 1);
		stage.scene.viewport =
			viewport_fit((int64_t)(random_next(&seed) % (uint64_t)stage.trace->end_ns),
				stage.trace->end_ns, cells, viewport_extent(stage.trace->end_ns));
		stage.scene.cursor_ns = stage.scene.viewport.t0_ns +
					(int64_t)(random_next(&seed) %
						  (uint64_t)viewport_span(stage.scene.viewport));
		stage.scene.cursor_row = random_next(&seed) % stage.rows.count;
		stage.scene.first_row = random_next(&seed) % (stage.scene.cursor_row + 1);
		stage_draw(&stage);
		uint64_t first = hash_canvas(&stage.canvas);
		stage_draw(&stage);
		assert_true(hash_canvas(&stage.canvas) == first);
	}
	stage_close(&stage);
}

/* The words about loading stand in the title whole, or not at all. */
static void
the_title_tells_what_is_loaded(void **state)
{
	(void)state;
	enum { MOST = 120, LINES = 4 };
	const char *words = "loading 43%";
	bool is_told = false;
	struct stage stage;
	stage_open(&stage, testing_load("tasks-go1.26"), MOST, LINES);
	stage.scene.loading = words;
	for (int width = 1; width <= MOST; width++) {
		struct text title = { 0 };
		assert_true(canvas_resize(&stage.canvas, width, LINES, &stage.err));
		stage_draw(&stage);
		scene_dump_text(&stage.canvas, &title);
		title.bytes[strcspn(title.bytes, "\n")] = '\0';
		is_told = strstr(title.bytes, words) != NULL;
		if (!is_told && strstr(title.bytes, "loa") != NULL)
			fail_msg("%d cells: %s", width, title.bytes);
		text_release(&title);
	}
	assert_true(is_told);
	stage_close(&stage);
}

/* Of a trace without losses it tells what was odd. */
static void
the_title_names_the_warning(void **state)
{
	static const struct {
		enum damage_cause cause;
		const char *words;
	} warnings[] = {
		{ DAMAGE_NEWER, "newer format" },
		{ DAMAGE_REPEATED, "repeated batches" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(warnings); i++) {
		struct stage stage;
		struct text title = { 0 };
		const struct damage warning = { .cause = warnings[i].cause };
		struct trace *trace = testing_load("tasks-go1.26");
		damage_map_add(&trace->damage, &warning);
		stage_open(&stage, trace, 80, 23);
		stage_draw(&stage);
		draw_line(&stage.canvas, 0, &title);
		if (strstr(title.bytes, warnings[i].words) == NULL ||
			strstr(title.bytes, "damaged") != NULL)
			fail_msg("%s: %s", warnings[i].words, title.bytes);
		text_release(&title);
		stage_close(&stage);
	}
}

/* Each row can be selected: the panel has words for all of them. */
static void
every_row_has_words(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, testing_load("httpserver-go1.26"), 100, 40);
	stage.rows.section_is_turned[SECTION_THREADS] = true;
	assert_true(rows_set_size(&stage.rows, ROWS_TALL, &stage.err));
	struct timeline_layout layout = timeline_layout(100, 40, true);
	stage.scene.cursor_ns = 30 * ms;
	for (size_t row = 0; row < stage.rows.count; row++) {
		int words = 0;
		stage.scene.cursor_row = stage.scene.first_row = row;
		stage_draw(&stage);
		for (int x = 0; x < 100; x++) {
			const char *glyph = canvas_at(&stage.canvas, x, layout.panel_y)->text;
			words += glyph[0] != '\0' && strcmp(glyph, "─") != 0;
		}
		if (words < 2)
			fail_msg(
				"row %zu of type %d has no title", row, stage.rows.items[row].type);
	}
	stage_close(&stage);
}

/* ---- rows */

static void
groups_fold_and_unfold(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, testing_load("httpserver-go1.23"), 80, 23);
	struct timeline_rows *rows = &stage.rows;
	size_t count = rows->count, group = find_row(rows, "group 0");
	uint32_t members = stage.trace->groups[rows->items[group].ref].count;
	actor_ref member =
		stage.trace->group_members[stage.trace->groups[rows->items[group].ref].first];
	struct lane lane = { LANE_ACTOR, member };
	assert_false(row_is_open(rows, group));
	assert_int_equal(rows_find(rows, lane), group);
	assert_true(rows_toggle(rows, group, &stage.err));
	assert_int_equal(rows->count, count + members);
	assert_int_equal(rows_find(rows, lane), group + 1);
	assert_true(rows_toggle(rows, group, &stage.err));
	assert_int_equal(rows->count, count);
	assert_true(rows_reveal(rows, lane, &stage.err));
	assert_true(rows_find(rows, lane) > group);
	size_t section = find_row(rows, "section 2");
	assert_true(rows_toggle(rows, section, &stage.err));
	assert_int_equal(rows->count, section + 1);
	assert_int_equal(rows_find(rows, lane), section);
	stage_close(&stage);
}

static void
focus_shows_what_touched_a_goroutine(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, testing_load("contention-go1.23"), 80, 23);
	size_t count = stage.rows.count;
	actor_ref main_goroutine = trace_find_actor(stage.trace, 1);
	assert_true(rows_focus(&stage.rows, main_goroutine, &stage.err));
	assert_int_equal(stage.rows.items[0].type, ROW_ACTOR);
	assert_int_equal(stage.rows.items[0].ref, main_goroutine);
	assert_true(stage.rows.focus.woken.count > 0);
	assert_true(stage.rows.focus.processors.count > 0);
	assert_int_equal(stage.rows.count,
		stage.rows.focus.wakers.count + (size_t)(stage.rows.focus.wakers.count > 0) + 3 +
			stage.rows.focus.woken.count +
			stage.rows.focus.processors.count);
	assert_true(rows_focus(&stage.rows, REF_NONE, &stage.err));
	assert_int_equal(stage.rows.count, count);
	stage_close(&stage);
}

/* ---- memory */

static struct trace *scarce_trace;

static bool
draw_once(struct error *err)
{
	struct lanes_options options = {
		.file_name = "a", .width_cells = 70, .actor = 0, .has_cursor = true
	};
	struct canvas canvas = { 0 };
	bool is_drawn = report_lanes(scarce_trace, &options, &canvas, err);
	options.actor = REF_NONE;
	is_drawn = is_drawn && report_lanes(scarce_trace, &options, &canvas, err);
	canvas_release(&canvas);
	return is_drawn;
}

static void
want_of_memory_is_no_crash(void **state)
{
	(void)state;
	struct error err = { 0 };
	scarce_trace = testing_load("tasks-go1.26");
	assert_true(draw_once(&err));
	for (uint64_t n = 1; n < 120; n++) {
		memory_fail_after(n);
		draw_once(&err);
		memory_fail_after(0);
		error_clear(&err);
	}
	assert_true(draw_once(&err));
	trace_free(scarce_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_look_as_they_should),
		cmocka_unit_test(a_folded_row_is_the_sum_of_its_parts),
		cmocka_unit_test(no_time_of_the_panel_loses_its_unit),
		cmocka_unit_test(a_number_of_the_labels_is_whole_or_left_out),
		cmocka_unit_test(a_cut_trace_is_told_as_such),
		cmocka_unit_test(holes_are_hatched),
		cmocka_unit_test(print_has_a_legend),
		cmocka_unit_test(print_shows_the_cursor),
		cmocka_unit_test(print_without_a_cursor_begins_on_top),
		cmocka_unit_test(print_of_a_trace_with_a_hole),
		cmocka_unit_test(any_size_can_be_drawn),
		cmocka_unit_test(the_title_tells_what_is_loaded),
		cmocka_unit_test(the_title_names_the_warning),
		cmocka_unit_test(every_row_has_words),
		cmocka_unit_test(groups_fold_and_unfold),
		cmocka_unit_test(focus_shows_what_touched_a_goroutine),
		cmocka_unit_test(want_of_memory_is_no_crash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
