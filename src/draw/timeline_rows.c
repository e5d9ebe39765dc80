/* The rows of a frame: what of the trace is on each of them. */
#include "draw/timeline_internal.h"

#include "analysis/beneath/lanes.h"
#include "base/checked.h"
#include "draw/counter.h"
#include "draw/folded_row.h"
#include "draw/label.h"
#include "draw/log_row.h"
#include "draw/moment_row.h"
#include "draw/region_row.h"
#include "draw/span_name.h"
#include "draw/task_strip.h"
#include "query/search.h"
#include "trace/lane.h"

/* The cells of a row. */
static struct cell_run
row_run(const struct frame *frame, int y)
{
	return (struct cell_run){ frame->layout.label_cells, y, frame->layout.cells };
}

static void
draw_lane(struct frame *frame, struct lane lane, int y)
{
	struct strip *strip = &frame->buffers->strip;
	if (!lane_is_known(frame->scene->trace, lane)) {
		canvas_string(frame->canvas, frame->layout.label_cells, y, frame->layout.cells,
			(struct cell_style){ .fg = STYLE_TEXT_DIM }, "not yet known");
		return;
	}
	strip_fill(strip, &frame->source, lane);
	if (lane.type == LANE_GC || lane.type == LANE_STW)
		moment_row_draw_ranges(frame->canvas, frame->layout.label_cells, y, strip,
			&frame->source, &frame->buffers->scratch);
	else
		strip_draw(frame->canvas, frame->layout.label_cells, y, strip, frame->scene->trace,
			&frame->buffers->scratch);
	filter_cells(&frame->scene->filter, frame->canvas, row_run(frame, y), lane,
		frame->scene->viewport, strip->matches);
}

/* What the kernel did with a thread, by its own trace. */
static void
draw_beneath(struct frame *frame, resource_ref thread, int y)
{
	const struct timeline_scene *scene = frame->scene;
	const struct beneath *beneath = scene->rows->beneath->beneath;
	struct strip *strip = &frame->buffers->strip;
	actor_ref task = beneath_task_at(beneath, thread, scene->cursor_ns);
	if (task == REF_NONE)
		return;
	struct strip_source source = { .trace = beneath->below,
		.viewport = { saturating_sub_i64(scene->viewport.t0_ns, beneath->delta_ns),
			saturating_sub_i64(scene->viewport.t1_ns, beneath->delta_ns) } };
	strip_fill(strip, &source, (struct lane){ LANE_ACTOR, task });
	strip_draw(frame->canvas, frame->layout.label_cells, y, strip, beneath->below, &frame->buffers->scratch);
}

/* What all actors do, by cell. */
static int64_t (*all_of(struct frame *frame))[CLASS_COUNT]
{
	const struct viewport *viewport = &frame->scene->viewport;
	if (!frame->has_all)
		lane_cells(frame->scene->trace, (struct lane){ LANE_ALL, 0 }, viewport->t0_ns,
			viewport->t1_ns, frame->layout.cells, frame->buffers->all_ns);
	frame->has_all = true;
	return frame->buffers->all_ns;
}

static void
draw_chart(struct frame *frame, const struct row *row, int y)
{
	const struct timeline_scene *scene = frame->scene;
	struct cell_run run = row_run(frame, y);
	enum counter_part part = row->type == ROW_HEAP_UPPER ? COUNTER_UPPER
				 : scene->rows->size == ROWS_TALL ? COUNTER_LOWER
							     : COUNTER_WHOLE;
	if (row->type == ROW_ACTORS)
		counter_draw_pair(frame->canvas, run, all_of(frame), &counter_actors,
			scene->viewport);
	else if (row->type == ROW_THREADS)
		counter_draw_pair(
			frame->canvas, run, all_of(frame), &counter_threads, scene->viewport);
	else
		counter_draw_heap(frame->canvas, run, scene->trace, scene->viewport, part);
}

static void
draw_logs(struct frame *frame, const struct nest *nest, int y)
{
	const struct log_row row = {
		.x = frame->layout.label_cells,
		.y = y,
		.cells = frame->layout.cells,
		.trace = frame->scene->trace,
		.logs = nest->logs,
		.count = nest->log_count,
		.viewport = frame->scene->viewport,
	};
	log_row_draw(frame->canvas, &row, &frame->buffers->scratch);
}

/* All rows of the stack lanes have their cells in common. */
static void
draw_stack(struct frame *frame, uint32_t depth, int y)
{
	const struct timeline_scene *scene = frame->scene;
	struct stack_strip *strip = &frame->buffers->stacks;
	if (!frame->has_stacks)
		stack_strip_fill(
			strip, &scene->rows->stacks, &scene->rows->samples, scene->viewport);
	frame->has_stacks = true;
	stack_row_draw(frame->canvas, frame->layout.label_cells, y, strip, depth,
		&frame->buffers->scratch);
}

static void
draw_task(struct frame *frame, task_ref task, int y)
{
	struct strip *strip = &frame->buffers->strip;
	const struct task_lane *lane = task_rows_lane(frame->scene->rows->tasks, task);
	if (lane == NULL) {
		canvas_string(frame->canvas, frame->layout.label_cells, y, frame->layout.cells,
			(struct cell_style){ .fg = STYLE_TEXT_DIM },
			frame->canvas->ascii ? ".." : "…");
		return;
	}
	task_strip_fill(strip, &frame->source, lane);
	strip_draw(frame->canvas, frame->layout.label_cells, y, strip, frame->scene->trace,
		&frame->buffers->scratch);
	filter_task_cells(&frame->scene->filter, frame->canvas, row_run(frame, y), &lane->life,
		frame->scene->viewport, strip->matches);
}

/* One row for what is folded beneath a heading, or into it; other headings have nothing beside them. */
static void
draw_folded(struct frame *frame, enum row_section section, int y)
{
	const struct timeline_scene *scene = frame->scene;
	struct strip *strip = &frame->buffers->strip;
	struct text *scratch = &frame->buffers->scratch;
	struct cell_run run = row_run(frame, y);
	if (section == SECTION_COUNTERS) {
		counter_draw_pair(frame->canvas, run, all_of(frame), &counter_actors,
			scene->viewport);
	} else if (section == SECTION_GC) {
		strip_fill(strip, &frame->source, (struct lane){ LANE_GC, 0 });
		folded_row_draw_gc(frame->canvas, run, strip, &frame->source, scratch);
	} else if (section == SECTION_EVENTS) {
		folded_row_draw_events(frame->canvas, run, scene->trace, scene->viewport);
	} else if (section == SECTION_PROCESSORS) {
		folded_row_draw_processors(frame->canvas, run, strip, &frame->source, scratch);
	}
}

static void
draw_slices(struct frame *frame, const struct slice_row *row, struct cell_run run)
{
	const struct timeline_scene *scene = frame->scene;
	struct timeline_buffers *buffers = frame->buffers;
	bool *marks = buffers->strip.matches;
	slice_row_draw(frame->canvas, run, row, &frame->source, buffers->slice_cells,
		&buffers->scratch);
	slice_row_marks(row, scene->search, SLICES_SEARCHED, scene->viewport, run.cells, marks);
	slice_row_mark(frame->canvas, run, marks);
	if (scene->filter.search == NULL)
		return;
	slice_row_marks(row, scene->filter.search, SLICES_FILTERED, scene->viewport, run.cells, marks);
	filter_marked_cells(&scene->filter, frame->canvas, run, marks);
}

static void
draw_row(struct frame *frame, size_t index, int y)
{
	const struct timeline_scene *scene = frame->scene;
	const struct row *row = &scene->rows->items[index];
	struct cell_run run = row_run(frame, y);
	struct lane lane;
	if (row->type == ROW_SECTION) {
		if (!row_is_open(scene->rows, index))
			draw_folded(frame, (enum row_section)row->ref, y);
	} else if (row->type <= ROW_THREADS)
		draw_chart(frame, row, y);
	else if (row->type == ROW_GAUGE)
		counter_draw_gauge(frame->canvas, run, scene->trace, row->ref, scene->viewport);
	else if (row->type == ROW_WAKES)
		moment_row_draw_wakes(frame->canvas, run, scene->trace, scene->viewport,
			(enum wake_row)row->ref);
	else if (row->type == ROW_STACK)
		draw_stack(frame, row->part, y);
	else if (row->type == ROW_SLICES || row->type == ROW_PROCESSOR_SLICES) {
		struct slice_row slices = rows_slices(scene->rows, index);
		draw_slices(frame, &slices, run);
	} else if (row->type == ROW_SAMPLES)
		moment_row_draw_samples(
			frame->canvas, run, &scene->rows->samples, scene->viewport);
	else if (row->type == ROW_REGIONS)
		region_row_draw(frame->canvas, run, rows_regions(scene->rows, index), scene->trace,
			scene->viewport, &frame->buffers->scratch);
	else if (row->type == ROW_TASK)
		draw_task(frame, row->ref, y);
	else if (row->type == ROW_BENEATH)
		draw_beneath(frame, row->ref, y);
	else if (row->type == ROW_LOGS)
		draw_logs(frame, rows_nest(scene->rows, index), y);
	else if (row_lane(scene->rows, index, &lane))
		draw_lane(frame, lane, y);
}

/* Of a task that is found out once. */
static bool
row_matches(const struct timeline_scene *scene, size_t index)
{
	const struct row *row = &scene->rows->items[index];
	struct lane lane;
	if (row->type == ROW_TASK)
		return scene->filter.search == NULL ||
		       task_rows_match(scene->rows->tasks, row->ref, scene->filter.search);
	return row->type <= ROW_SECTION || !row_lane(scene->rows, index, &lane) ||
	       filter_matches(&scene->filter, lane);
}

static void
draw_row_label(struct frame *frame, size_t index, int y)
{
	const struct timeline_scene *scene = frame->scene;
	struct label label = {
		.row = index,
		.is_selected = scene->has_cursor && index == scene->cursor_row,
		.has_moment = scene->has_cursor,
		.moment_ns = scene->cursor_ns,
		.viewport = scene->viewport,
	};
	struct cell_run run = { 0, y, frame->layout.label_cells };
	label_draw(frame->canvas, run, scene->rows, &label, &frame->buffers->scratch);
	if (!row_matches(scene, index))
		filter_label(frame->canvas, 0, y, frame->layout.label_cells);
}

static bool
is_settled(const struct search *search, struct lane lane)
{
	return search == NULL || search_is_settled(search, lane);
}

/* Whether a row looks the same in each frame that row_memo_enter() takes for the same. */
static bool
is_lasting(const struct timeline_scene *scene, size_t index)
{
	const struct row *row = &scene->rows->items[index];
	struct lane lane;
	if (row->type == ROW_TASK)
		return task_rows_lane(scene->rows->tasks, row->ref) != NULL;
	/* Their nests have other numbers when one is folded; of several tasks it is the one at the cursor. */
	if (row->type == ROW_REGIONS || row->type == ROW_LOGS || row->type == ROW_BENEATH)
		return false;
	return !row_lane(scene->rows, index, &lane) ||
	       (lane_is_known(scene->trace, lane) && is_settled(scene->search, lane) &&
		       is_settled(scene->filter.search, lane));
}

static void
draw_remembered(struct frame *frame, size_t index, int y)
{
	struct row_memo *memo = &frame->buffers->memo;
	struct row row = frame->scene->rows->items[index];
	/* A heading that is folded is another row than one that is not. */
	if (row.type == ROW_SECTION)
		row.part = row_is_open(frame->scene->rows, index);
	int x = frame->layout.label_cells;
	if (row_memo_put(memo, row, frame->canvas, x, y))
		return;
	/* Asked first: more may become known while it is drawn. */
	bool lasts = is_lasting(frame->scene, index);
	draw_row(frame, index, y);
	if (lasts)
		row_memo_keep(memo, row, frame->canvas, x, y);
}

void
timeline_draw_rows(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	const struct filter *filter = &scene->filter;
	int line = 0;
	for (; line < frame->layout.row_lines; line++) {
		size_t index = timeline_row_at(&frame->layout, scene->first_row, line);
		if (index >= scene->rows->count)
			break;
		draw_remembered(frame, index, frame->layout.rows_y + line);
		draw_row_label(frame, index, frame->layout.rows_y + line);
	}
	if (filter->search == NULL || !filter->hides || filter->rows_left > 0 ||
		!scene->has_cursor || line >= frame->layout.row_lines)
		return;
	canvas_string(frame->canvas, 1, frame->layout.rows_y + line, frame->layout.width - 2,
		(struct cell_style){ .fg = STYLE_ALERT, .attributes = CELL_BOLD },
		"The filter matches nothing. Escape shows all rows again.");
}
