/*
 * Frames: the timeline drawn on a canvas of 200x50 cells, as the screen and the
 * printed form draw it, over viewports that a user could reach, from a seed.
 */

#include "base/compiler.h"
#include "bench.h"
#include "draw/timeline.h"
#include "query/search.h"
#include "query/search_job.h"
#include "trace/lane.h"

enum { WIDTH = 200, HEIGHT = 50, FRAMES = 300, FRAME_BAR_MS = 8 };
enum { OUT_STEPS = 3 }; /* zoomed out: the whole, and up to an eighth of it */

static const char pattern[] = "main\\.";

/* What is shown apart from lanes as usual. */
enum extra { NO_MORE, UNFOLDED, SEARCHED, STACK_LANES, TASK_LANES };

/* What one series of frames shows, and what its numbers are called. */
struct series_of_frames {
	enum extra extra;
	bool is_zoomed_in;
	bool is_still; /* only the cursor moves: each frame shows the interval of the one before */
	struct {
		const char *name, *meaning;
	} median, high, worst;
};

#define SERIES(name, meaning, extra, is_zoomed_in, is_still)                                       \
	{                                                                                          \
		extra, is_zoomed_in, is_still,                                                     \
			{ "frame_" name "_median_ms", "frame, " meaning ", median" },              \
			{ "frame_" name "_p99_ms", "frame, " meaning ", p99" },                    \
		{                                                                                  \
			"frame_" name "_worst_ms", "frame, " meaning ", worst"                     \
		}                                                                                  \
	}

/* The order matters: what was unfolded stays so, what was searched as well. */
static const struct series_of_frames all_series[] = {
	SERIES("cursor", "the cursor moves", NO_MORE, false, true),
	SERIES("out", "zoomed out", NO_MORE, false, false),
	SERIES("in", "zoomed in", NO_MORE, true, false),
	SERIES("out_stacks", "zoomed out, stack lanes", STACK_LANES, false, false),
	SERIES("in_stacks", "zoomed in, stack lanes", STACK_LANES, true, false),
	SERIES("out_tasks", "zoomed out, lanes of tasks", TASK_LANES, false, false),
	SERIES("in_tasks", "zoomed in, lanes of tasks", TASK_LANES, true, false),
	SERIES("out_unfolded", "zoomed out, unfolded", UNFOLDED, false, false),
	SERIES("in_unfolded", "zoomed in, unfolded", UNFOLDED, true, false),
	SERIES("out_search", "zoomed out, searched", SEARCHED, false, false),
	SERIES("in_search", "zoomed in, searched", SEARCHED, true, false),
};

/* The stage on which all frames are drawn. */
struct stage {
	const struct trace *trace;
	struct timeline_rows rows;
	struct timeline_buffers buffers;
	struct canvas canvas;
	struct search *search;
	struct timeline_layout layout;
	struct viewport still; /* of the series in which only the cursor moves */
	size_t stack_row;      /* of the goroutine with stack lanes */
	uint64_t random;       /* xorshift64 */
};

static uint64_t
draw_number(struct stage *stage, uint64_t below)
{
	stage->random ^= stage->random << 13;
	stage->random ^= stage->random >> 7;
	stage->random ^= stage->random << 17;
	return below == 0 ? 0 : stage->random % below;
}

/* From the whole to an eighth of it, or from a sixteenth to 1 ns per cell. */
static struct viewport
draw_viewport(struct stage *stage, bool is_zoomed_in)
{
	int cells = stage->layout.cells;
	int64_t end_ns = stage->trace->end_ns;
	uint64_t steps = 0;
	while (end_ns >> (steps + 1) >= cells)
		steps++;
	uint64_t step = draw_number(stage, OUT_STEPS + 1);
	if (is_zoomed_in && steps > OUT_STEPS)
		step = OUT_STEPS + 1 + draw_number(stage, steps - OUT_STEPS);
	int64_t span_ns = end_ns >> step;
	int64_t t0_ns = (int64_t)draw_number(stage, (uint64_t)end_ns);
	struct viewport viewport = { t0_ns, t0_ns + (span_ns > 0 ? span_ns : 1) };
	return viewport_clamp(viewport, viewport_extent(end_ns), cells);
}

static struct timeline_scene
draw_scene(struct stage *stage, const struct series_of_frames *series)
{
	struct timeline_scene scene = {
		.trace = stage->trace,
		.rows = &stage->rows,
		.file_name = "bench.trace",
		.file_word = "bench.trace",
		.has_cursor = true,
		.search = series->extra == SEARCHED ? stage->search : NULL,
	};
	size_t lines = (size_t)stage->layout.row_lines, count = stage->rows.count;
	size_t places = count > lines ? count - lines + 1 : 1;
	size_t shown = count < lines ? count : lines;
	scene.viewport = series->is_still ? stage->still : draw_viewport(stage, series->is_zoomed_in);
	scene.first_row = (size_t)draw_number(stage, places);
	if (series->extra == STACK_LANES && stage->stack_row < places)
		scene.first_row = stage->stack_row;
	scene.cursor_row = scene.first_row + (size_t)draw_number(stage, shown);
	int64_t span_ns = viewport_span(scene.viewport);
	scene.cursor_ns = scene.viewport.t0_ns + (int64_t)draw_number(stage, (uint64_t)span_ns);
	return scene;
}

/* Where intervals change, one that comes twice shall not be shown by heart. */
static bool
time_frame(struct stage *stage, const struct timeline_scene *scene, bool is_still,
	struct cost *cost_ms, struct error *err)
{
	if (!is_still)
		row_memo_release(&stage->buffers.memo);
	struct moment start = moment_now();
	canvas_clear(&stage->canvas);
	return rows_prepare(&stage->rows, scene->first_row, (size_t)stage->layout.row_lines, err) &&
	       timeline_draw(scene, &stage->buffers, &stage->canvas, err) &&
	       cost_add_since(cost_ms, start, err);
}

/* Sections and groups; what is beneath single goroutines stays folded. */
static bool
unfold_all(struct stage *stage, struct error *err)
{
	for (size_t i = stage->rows.count; i-- > 0;) {
		uint8_t type = stage->rows.items[i].type;
		if ((type == ROW_SECTION || type == ROW_GROUP) && !row_is_open(&stage->rows, i) &&
			!rows_toggle(&stage->rows, i, err))
			return false;
	}
	return true;
}

/* What is built when a trace is first shown; not part of the frames that follow. */
static bool
draw_first(struct stage *stage, struct bench_report *report, struct error *err)
{
	static const struct series_of_frames first;
	struct cost rows_ms = { 0 }, frame_ms = { 0 };
	struct moment start = moment_now();
	bool is_fine = rows_init(&stage->rows, stage->trace, NULL, NULL, err) &&
		       rows_set_size(&stage->rows, ROWS_TALL, err) &&
		       cost_add_since(&rows_ms, start, err);
	if (is_fine) {
		struct timeline_scene scene = draw_scene(stage, &first);
		scene.viewport = stage->still;
		scene.first_row = scene.cursor_row = 0;
		is_fine = time_frame(stage, &scene, false, &frame_ms, err);
	}
	const struct bench_number numbers[] = {
		number_of_cost("rows_ms", "list of rows, made once", "ms", &rows_ms),
		number_of_cost("frame_first_ms", "frame, the first one", "ms", &frame_ms),
	};
	cost_release(&rows_ms);
	cost_release(&frame_ms);
	return is_fine && bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

/* At the percentile of each clock, with a bar for the processor's. */
static struct bench_number
number_of_frames(const char *name, const char *meaning, struct cost *cost_ms, int percent)
{
	return (struct bench_number){
		.name = name,
		.meaning = meaning,
		.unit = "ms",
		.value = costs_percentile(&cost_ms->wall, percent),
		.processor = costs_percentile(&cost_ms->processor, percent),
		.bar = BAR_PROCESSOR_AT_MOST,
		.limit = FRAME_BAR_MS,
	};
}

static bool
add_series(const struct series_of_frames *series, struct cost *cost_ms, struct bench_report *report,
	struct error *err)
{
	struct bench_number numbers[] = {
		number_of_frames(series->median.name, series->median.meaning, cost_ms, 50),
		number_of_frames(series->high.name, series->high.meaning, cost_ms, 99),
		number_of_frames(series->worst.name, series->worst.meaning, cost_ms, 100),
	};
	numbers[0].least = costs_percentile(&cost_ms->wall, 0);
	numbers[0].most = numbers[2].value;
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

/* Beside the screen: the matches of groups are united before a frame asks for them. */
static struct search *
search_as_the_program(const struct trace *trace, struct error *err)
{
	struct search *search = NULL;
	struct search_job *job = search_job_start(trace, pattern, NULL, NULL, err);
	if (job == NULL)
		return NULL;
	search_job_wait(job);
	search_job_take(job, &search, err);
	search_job_end(job);
	return search;
}

/* Of the goroutine that did most. */
static bool
show_stacks(struct stage *stage, struct bench_report *report, struct error *err)
{
	struct lane lane = { LANE_ACTOR, 0 };
	struct cost chart_ms = { 0 };
	uint32_t most = 0;
	for (actor_ref i = 0; i < trace_actor_count(stage->trace); i++) {
		uint32_t count = lane_count(
			stage->trace, (struct lane){ LANE_ACTOR, i }, 0, stage->trace->end_ns);
		if (count > most)
			lane.ref = i;
		most = count > most ? count : most;
	}
	struct moment start = moment_now();
	bool is_fine = rows_show_stacks(&stage->rows, lane.ref, err) &&
		       rows_reveal(&stage->rows, lane, err) &&
		       cost_add_since(&chart_ms, start, err);
	stage->stack_row = rows_find(&stage->rows, lane);
	const struct bench_number number = number_of_cost(
		"stacks_ms", "stack lanes of a goroutine, made once", "ms", &chart_ms);
	cost_release(&chart_ms);
	return is_fine && bench_add(report, &number, 1, err);
}

static bool
show_tasks(struct stage *stage, struct bench_report *report, struct error *err)
{
	struct cost tasks_ms = { 0 };
	struct moment start = moment_now();
	bool is_fine = rows_show_tasks(&stage->rows, true, REF_NONE, err) &&
		       cost_add_since(&tasks_ms, start, err);
	const struct bench_number number =
		number_of_cost("tasks_ms", "lanes of tasks, made once", "ms", &tasks_ms);
	cost_release(&tasks_ms);
	return is_fine && bench_add(report, &number, 1, err);
}

/* Brings about what the series shows, unless the one before has shown it. */
static bool
set_stage(struct stage *stage, enum extra extra, struct bench_report *report, struct error *err)
{
	if (extra != TASK_LANES && stage->rows.shows_tasks &&
		!rows_show_tasks(&stage->rows, false, REF_NONE, err))
		return false;
	if (extra == STACK_LANES && stage->rows.stacks.actor == REF_NONE)
		return show_stacks(stage, report, err);
	if (extra == TASK_LANES && !stage->rows.shows_tasks)
		return show_tasks(stage, report, err);
	if (extra == SEARCHED && stage->search == NULL)
		stage->search = search_as_the_program(stage->trace, err);
	if (extra == UNFOLDED)
		return rows_show_stacks(&stage->rows, REF_NONE, err) && unfold_all(stage, err);
	return extra != SEARCHED || stage->search != NULL;
}

static bool
draw_series(struct stage *stage, const struct series_of_frames *series, struct bench_report *report,
	struct error *err)
{
	struct cost cost_ms = { 0 };
	if (series->extra == TASK_LANES && stage->trace->tasks.count == 0)
		return true;
	bool is_fine = set_stage(stage, series->extra, report, err);
	for (int i = 0; is_fine && i < FRAMES; i++) {
		struct timeline_scene scene = draw_scene(stage, series);
		is_fine = time_frame(stage, &scene, series->is_still, &cost_ms, err);
	}
	is_fine = is_fine && add_series(series, &cost_ms, report, err);
	cost_release(&cost_ms);
	return is_fine;
}

bool
bench_frames(const struct trace *trace, struct bench_report *report, struct error *err)
{
	struct stage stage = { .trace = trace, .random = 0x9e3779b97f4a7c15 };
	stage.layout = timeline_layout(WIDTH, HEIGHT, true);
	stage.still = viewport_whole(viewport_extent(trace->end_ns), stage.layout.cells);
	bool is_fine =
		canvas_resize(&stage.canvas, WIDTH, HEIGHT, err) && draw_first(&stage, report, err);
	for (size_t i = 0; is_fine && i < ARRAY_LENGTH(all_series); i++)
		is_fine = draw_series(&stage, &all_series[i], report, err);
	search_free(stage.search);
	rows_release(&stage.rows);
	timeline_buffers_release(&stage.buffers);
	canvas_release(&stage.canvas);
	return is_fine;
}

/* ---- searching */

/* What the runs of a search took, step by step. */
struct search_costs {
	struct cost built_ms, first_ms, middle_ms;
	uint64_t matches;
};

static bool
time_search(const struct trace *trace, struct search_costs *costs, struct error *err)
{
	struct span span;
	struct moment start = moment_now();
	struct search *search = search_new(trace, pattern, err);
	bool is_fine = search != NULL && cost_add_since(&costs->built_ms, start, err);
	if (is_fine) {
		start = moment_now();
		search_next(search, -1, &span, NULL);
		is_fine = cost_add_since(&costs->first_ms, start, err);
	}
	if (is_fine) {
		start = moment_now();
		costs->matches = search_count(search);
		search_match(search, costs->matches / 2, &span);
		is_fine = cost_add_since(&costs->middle_ms, start, err);
	}
	search_free(search);
	return is_fine;
}

bool
bench_search(const struct trace *trace, int runs, struct bench_report *report, struct error *err)
{
	struct search_costs costs = { 0 };
	bool is_fine = true;
	for (int i = 0; is_fine && i < runs; i++)
		is_fine = time_search(trace, &costs, err);
	const struct bench_number numbers[] = {
		number_of_cost("search_ms", "search for main\\.", "ms", &costs.built_ms),
		{ .name = "search_matches",
			.meaning = "search for main\\., spans found",
			.unit = "",
			.value = (double)costs.matches },
		number_of_cost(
			"search_first_ms", "search, to the first match", "ms", &costs.first_ms),
		number_of_cost("search_middle_ms", "search, to the match in the middle", "ms",
			&costs.middle_ms),
	};
	cost_release(&costs.built_ms);
	cost_release(&costs.first_ms);
	cost_release(&costs.middle_ms);
	return is_fine && bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}
