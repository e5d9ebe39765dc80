/* What frames remember of those before them: never anything else than they would work out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "draw/rows.h"
#include "draw/timeline.h"
#include "query/search_internal.h"
#include "tracetesting.h"

enum { WIDTH = 100, HEIGHT = 30 };

/* A timeline that is walked about in at random. */
struct stage {
	struct trace *trace;
	struct timeline_rows rows;
	struct timeline_buffers buffers;
	struct timeline_scene scene;
	struct canvas kept, fresh;
	struct error err;
	uint64_t seed;
};

static uint64_t
draw_number(struct stage *stage, uint64_t below)
{
	return random_next(&stage->seed) % below;
}

static void
stage_open(struct stage *stage, const char *name)
{
	*stage = (struct stage){ .trace = testing_load(name), .seed = 11 };
	assert_true(rows_init(&stage->rows, stage->trace, NULL, NULL, &stage->err));
	assert_true(canvas_resize(&stage->kept, WIDTH, HEIGHT, &stage->err));
	assert_true(canvas_resize(&stage->fresh, WIDTH, HEIGHT, &stage->err));
	stage->scene = (struct timeline_scene){
		.trace = stage->trace, .rows = &stage->rows, .file_name = "test.trace",
		.file_word = "test.trace", .has_cursor = true
	};
	stage->scene.viewport =
		viewport_whole(viewport_extent(stage->trace->end_ns), timeline_layout(WIDTH, HEIGHT, true).cells);
}

static void
stage_close(struct stage *stage)
{
	rows_release(&stage->rows);
	search_free(stage->scene.search);
	search_free(stage->scene.filter.search);
	timeline_buffers_release(&stage->buffers);
	canvas_release(&stage->kept);
	canvas_release(&stage->fresh);
	trace_free(stage->trace);
}

/* ---- what a user does */

static void
change_interval(struct stage *stage)
{
	int cells = timeline_layout(WIDTH, HEIGHT, true).cells;
	int64_t end_ns = stage->trace->end_ns;
	int64_t middle_ns = (int64_t)draw_number(stage, (uint64_t)end_ns);
	stage->scene.viewport = viewport_fit(
		middle_ns, middle_ns + (end_ns >> draw_number(stage, 12)), cells, viewport_extent(end_ns));
}

static void
change_fold(struct stage *stage)
{
	size_t row = draw_number(stage, stage->rows.count);
	if (row_can_fold(&stage->rows, row))
		assert_true(rows_toggle(&stage->rows, row, &stage->err));
}

static struct search *
search_something(struct stage *stage)
{
	static const char *const patterns[] = { "main", "chan", "state=running", "G1" };
	const char *pattern = patterns[draw_number(stage, ARRAY_LENGTH(patterns))];
	return search_new(stage->trace, pattern, &stage->err);
}

static void
change_search(struct stage *stage)
{
	struct timeline_scene *scene = &stage->scene;
	search_free(scene->search);
	scene->search = draw_number(stage, 2) == 0 ? NULL : search_something(stage);
	scene->search_number++;
}

static void
change_filter(struct stage *stage)
{
	struct filter *filter = &stage->scene.filter;
	search_free(filter->search);
	filter->search = draw_number(stage, 2) == 0 ? NULL : search_something(stage);
	filter->hides = draw_number(stage, 2) == 0;
	filter->words = "something";
	filter->number++;
}

/* Every other time with marks that were made beforehand, which then are the rows'. */
static void
renew_rows(struct stage *stage)
{
	struct row_marks *marks =
		draw_number(stage, 2) == 0 ? NULL : row_marks_new(stage->trace, NULL, &stage->err);
	assert_true(rows_renew(&stage->rows, stage->trace, NULL, marks, &stage->err));
	assert_true(marks == NULL || marks->trace == NULL);
	row_marks_free(marks);
}

static void
change_rows(struct stage *stage)
{
	task_ref only = REF_NONE;
	actor_ref goroutine =
		(actor_ref)draw_number(stage, trace_actor_count(stage->trace));
	switch (draw_number(stage, 4)) {
	case 0:
		assert_true(rows_set_size(&stage->rows,
			stage->rows.size == ROWS_TALL ? ROWS_USUAL : ROWS_TALL, &stage->err));
		break;
	case 1:
		if (stage->trace->tasks.count > 0)
			assert_true(rows_show_tasks(
				&stage->rows, !stage->rows.shows_tasks, only, &stage->err));
		break;
	case 2:
		goroutine = draw_number(stage, 2) == 0 ? REF_NONE : goroutine;
		assert_true(rows_show_stacks(&stage->rows, goroutine, &stage->err));
		break;
	default:
		renew_rows(stage);
	}
}

static void
change_glyphs(struct stage *stage)
{
	stage->kept.ascii = stage->fresh.ascii = draw_number(stage, 2) == 0;
	stage->kept.monochrome = stage->fresh.monochrome = draw_number(stage, 2) == 0;
}

static void
move_about(struct stage *stage)
{
	struct timeline_scene *scene = &stage->scene;
	size_t lines = (size_t)timeline_layout(WIDTH, HEIGHT, true).row_lines;
	size_t count = stage->rows.count;
	scene->first_row = count > lines ? draw_number(stage, count - lines + 1) : 0;
	scene->cursor_row = scene->first_row +
			    draw_number(stage, count - scene->first_row < lines
						       ? count - scene->first_row
						       : lines);
	uint64_t span_ns = (uint64_t)viewport_span(scene->viewport);
	scene->cursor_ns = scene->viewport.t0_ns + (int64_t)draw_number(stage, span_ns);
}

/* ---- */

static void
draw_with(struct stage *stage, struct timeline_buffers *buffers, struct canvas *canvas)
{
	canvas_clear(canvas);
	assert_true(timeline_draw(&stage->scene, buffers, canvas, &stage->err));
}

static void
check_frame(struct stage *stage, int round)
{
	struct timeline_buffers none = { 0 };
	size_t bytes = (size_t)WIDTH * HEIGHT * sizeof *stage->kept.cells;
	assert_true(rows_prepare(&stage->rows, stage->scene.first_row, HEIGHT, &stage->err));
	draw_with(stage, &stage->buffers, &stage->kept);
	draw_with(stage, &none, &stage->fresh);
	timeline_buffers_release(&none);
	if (memcmp(stage->kept.cells, stage->fresh.cells, bytes) != 0)
		fail_msg("frame %d is not as it would be drawn alone", round);
}

static void
frames_are_as_if_alone(void **state)
{
	static const char *const traces[] = { "tasks-go1.26", "contention-go1.23",
		"samples-go1.26", "httpserver-go1.23" };
	static void (*const changes[])(struct stage *) = { change_interval, change_fold,
		change_search, change_filter, change_rows, change_glyphs };
	enum { ROUNDS = 250, STAYS = 3 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(traces); i++) {
		struct stage stage;
		stage_open(&stage, traces[i]);
		for (int round = 0; round < ROUNDS; round++) {
			if (draw_number(&stage, STAYS) == 0)
				changes[draw_number(&stage, ARRAY_LENGTH(changes))](&stage);
			move_about(&stage);
			check_frame(&stage, round);
		}
		stage_close(&stage);
	}
}

/* The first cell of the topmost row's lane. */
static struct cell *
first_cell(struct stage *stage)
{
	struct timeline_layout layout = timeline_layout(WIDTH, HEIGHT, true);
	return canvas_at(&stage->kept, layout.label_cells, layout.rows_y);
}

/* Shown by remembering what no row would be drawn as. */
static void
rows_are_not_worked_out_twice(void **state)
{
	static const struct cell_style style = { .fg = STYLE_ALERT };
	(void)state;
	struct stage stage;
	stage_open(&stage, "contention-go1.23");
	struct row top = stage.rows.items[0];
	struct timeline_layout layout = timeline_layout(WIDTH, HEIGHT, true);
	stage.scene.cursor_ns = stage.trace->end_ns / 2;
	draw_with(&stage, &stage.buffers, &stage.kept);
	stage.buffers.memo.count = stage.buffers.memo.next = 0;
	canvas_put(&stage.kept, layout.label_cells, layout.rows_y, style, "@");
	row_memo_keep(&stage.buffers.memo, top, &stage.kept, layout.label_cells, layout.rows_y);
	stage.scene.cursor_row = 1;
	stage.scene.cursor_ns = stage.trace->end_ns / 3;
	draw_with(&stage, &stage.buffers, &stage.kept);
	assert_string_equal(first_cell(&stage)->text, "@");
	stage.scene.viewport.t0_ns++;
	draw_with(&stage, &stage.buffers, &stage.kept);
	assert_string_not_equal(first_cell(&stage)->text, "@");
	stage_close(&stage);
}

/* While a worker unites the matches of groups, those it has not come to have none. */
static void
matches_that_come_late_are_shown(void **state)
{
	struct search_watch watch = { .done = 0 };
	(void)state;
	struct stage stage;
	stage_open(&stage, "contention-go1.23");
	stage.scene.search = search_new(stage.trace, "state=blocked", &stage.err);
	assert_non_null(stage.scene.search);
	stage.scene.search->watch = &watch;
	draw_with(&stage, &stage.buffers, &stage.kept);
	stage.scene.search->watch = NULL;
	check_frame(&stage, 0);
	stage_close(&stage);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_as_if_alone),
		cmocka_unit_test(rows_are_not_worked_out_twice),
		cmocka_unit_test(matches_that_come_late_are_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
