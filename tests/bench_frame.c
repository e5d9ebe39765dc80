/*
 * Frames: the timeline drawn on a canvas of 200x50 cells, as the screen and the
 * printed form draw it, over viewports that a user could reach, from a seed.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/process.h"
#include "bench.h"
#include "draw/timeline.h"
#include "query/search.h"

enum { WIDTH = 200, HEIGHT = 50, FRAMES = 300, FRAME_BAR_MS = 16 };
enum { OUT_STEPS = 3 }; /* zoomed out: the whole, and up to an eighth of it */

static const char pattern[] = "main\\.";

/* What one series of frames shows, and what its numbers are called. */
struct series_of_frames {
	bool is_unfolded, is_zoomed_in, has_search;
	const char *median_name, *median_meaning;
	const char *high_name, *high_meaning;
	const char *worst_name, *worst_meaning;
};

#define SERIES(name, meaning, is_unfolded, is_zoomed_in, has_search) \
	{ \
		is_unfolded, is_zoomed_in, has_search, "frame_" name "_median_ms", \
		        "frame, " meaning ", median", "frame_" name "_p99_ms", \
		        "frame, " meaning ", p99", "frame_" name "_worst_ms", \
		        "frame, " meaning ", worst" \
	}

/* The order matters: what was unfolded stays so. */
static const struct series_of_frames all_series[] = {
	SERIES("out", "zoomed out", false, false, false),
	SERIES("in", "zoomed in", false, true, false),
	SERIES("out_unfolded", "zoomed out, unfolded", true, false, false),
	SERIES("in_unfolded", "zoomed in, unfolded", true, true, false),
	SERIES("out_search", "zoomed out, searched", true, false, true),
	SERIES("in_search", "zoomed in, searched", true, true, true),
};

/* The stage on which all frames are drawn. */
struct stage {
	const struct trace *trace;
	struct timeline_rows rows;
	struct timeline_buffers buffers;
	struct canvas canvas;
	struct search *search;
	struct timeline_layout layout;
	uint64_t random; /* xorshift64 */
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
	return viewport_clamp(viewport, end_ns, cells);
}

static struct timeline_scene
draw_scene(struct stage *stage, const struct series_of_frames *series)
{
	struct timeline_scene scene = {
		.trace = stage->trace,
		.rows = &stage->rows,
		.file_name = "bench.trace",
		.has_cursor = true,
		.search = series->has_search ? stage->search : NULL,
	};
	size_t lines = (size_t)stage->layout.row_lines, count = stage->rows.count;
	size_t places = count > lines ? count - lines + 1 : 1;
	size_t shown = count < lines ? count : lines;
	scene.viewport = draw_viewport(stage, series->is_zoomed_in);
	scene.first_row = (size_t)draw_number(stage, places);
	scene.cursor_row = scene.first_row + (size_t)draw_number(stage, shown);
	int64_t span_ns = viewport_span(scene.viewport);
	scene.cursor_ns = scene.viewport.t0_ns + (int64_t)draw_number(stage, (uint64_t)span_ns);
	return scene;
}

static bool
time_frame(struct stage *stage, const struct timeline_scene *scene, double *frame_ms,
           struct error *err)
{
	int64_t start_ns = process_used_ns();
	canvas_clear(&stage->canvas);
	if (!timeline_draw(scene, &stage->buffers, &stage->canvas, err))
		return false;
	*frame_ms = (double)(process_used_ns() - start_ns) / 1e6;
	return true;
}

static bool
unfold_all(struct stage *stage, struct error *err)
{
	for (size_t i = stage->rows.count; i-- > 0;) {
		if (row_can_fold(&stage->rows, i) && !row_is_open(&stage->rows, i) &&
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
	double rows_ms, frame_ms;
	int64_t start_ns = process_used_ns();
	if (!rows_init(&stage->rows, stage->trace, err) || !rows_set_tall(&stage->rows, true, err))
		return false;
	rows_ms = (double)(process_used_ns() - start_ns) / 1e6;
	struct timeline_scene scene = draw_scene(stage, &first);
	scene.viewport = viewport_whole(stage->trace->end_ns, stage->layout.cells);
	scene.first_row = scene.cursor_row = 0;
	if (!time_frame(stage, &scene, &frame_ms, err))
		return false;
	const struct bench_number numbers[] = {
		{ "rows_ms", "list of rows, made once", "ms", rows_ms, BAR_NONE, 0 },
		{ "frame_first_ms", "frame, the first one", "ms", frame_ms, BAR_NONE, 0 },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

static bool
add_series(const struct series_of_frames *series, struct samples *samples,
           struct bench_report *report, struct error *err)
{
	const struct bench_number numbers[] = {
		{ series->median_name, series->median_meaning, "ms", samples_percentile(samples, 50),
		        BAR_AT_MOST, FRAME_BAR_MS },
		{ series->high_name, series->high_meaning, "ms", samples_percentile(samples, 99),
		        BAR_AT_MOST, FRAME_BAR_MS },
		{ series->worst_name, series->worst_meaning, "ms", samples_percentile(samples, 100),
		        BAR_AT_MOST, FRAME_BAR_MS },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

static bool
draw_series(struct stage *stage, const struct series_of_frames *series,
            struct bench_report *report, struct error *err)
{
	struct samples samples = { 0 };
	bool is_fine = !series->is_unfolded || unfold_all(stage, err);
	if (series->has_search && stage->search == NULL) {
		stage->search = search_new(stage->trace, pattern, err);
		is_fine = is_fine && stage->search != NULL;
	}
	for (int i = 0; is_fine && i < FRAMES; i++) {
		double frame_ms;
		struct timeline_scene scene = draw_scene(stage, series);
		is_fine = time_frame(stage, &scene, &frame_ms, err) &&
		        samples_add(&samples, frame_ms, err);
	}
	is_fine = is_fine && add_series(series, &samples, report, err);
	samples_release(&samples);
	return is_fine;
}

bool
bench_frames(const struct trace *trace, struct bench_report *report, struct error *err)
{
	struct stage stage = { .trace = trace, .random = 0x9e3779b97f4a7c15 };
	stage.layout = timeline_layout(WIDTH, HEIGHT, true);
	bool is_fine = canvas_resize(&stage.canvas, WIDTH, HEIGHT, err) &&
	        draw_first(&stage, report, err);
	for (size_t i = 0; is_fine && i < ARRAY_LENGTH(all_series); i++)
		is_fine = draw_series(&stage, &all_series[i], report, err);
	search_free(stage.search);
	rows_release(&stage.rows);
	timeline_buffers_release(&stage.buffers);
	canvas_release(&stage.canvas);
	return is_fine;
}

/* ---- searching */

bool
bench_search(const struct trace *trace, struct bench_report *report, struct error *err)
{
	struct span span;
	int64_t start_ns = process_used_ns();
	struct search *search = search_new(trace, pattern, err);
	if (search == NULL)
		return false;
	int64_t built_ns = process_used_ns();
	search_next(search, -1, &span, NULL);
	int64_t first_ns = process_used_ns();
	search_match(search, search_count(search) / 2, &span);
	int64_t middle_ns = process_used_ns();
	const struct bench_number numbers[] = {
		{ "search_ms", "search for main\\.", "ms", (double)(built_ns - start_ns) / 1e6, BAR_NONE,
		        0 },
		{ "search_matches", "search for main\\., spans found", "",
		        (double)search_count(search), BAR_NONE, 0 },
		{ "search_first_ms", "search, to the first match", "ms",
		        (double)(first_ns - built_ns) / 1e6, BAR_NONE, 0 },
		{ "search_middle_ms", "search, to the match in the middle", "ms",
		        (double)(middle_ns - first_ns) / 1e6, BAR_NONE, 0 },
	};
	search_free(search);
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}
