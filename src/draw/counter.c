/* Charts of what is counted over time. */
#include "draw/counter.h"

#include "base/checked.h"
#include "draw/strip.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

const struct counter_pair counter_actors = {
	.first = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER),
	.second = CLASS_BIT(CLASS_READY),
	.first_style = STYLE_RUNNING,
	.second_style = STYLE_READY,
};

const struct counter_pair counter_threads = {
	.first = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER),
	.second = CLASS_BIT(CLASS_SYSCALL),
	.first_style = STYLE_RUNNING,
	.second_style = STYLE_SYSCALL,
};

static int64_t
sum_of(const int64_t totals_ns[CLASS_COUNT], class_mask mask)
{
	int64_t sum_ns = 0;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		sum_ns = saturating_add_i64(sum_ns, (mask >> i & 1) != 0 ? totals_ns[i] : 0);
	return sum_ns;
}

/* As a cell of a lane, with the two sets in the place of running and ready. */
static struct strip_cell
pair_cell(const int64_t totals_ns[CLASS_COUNT], const struct counter_pair *pair, int64_t whole_ns)
{
	int64_t two_ns[LOOK_COUNT] = { 0 };
	two_ns[CLASS_RUNNING] = sum_of(totals_ns, pair->first);
	two_ns[CLASS_READY] = sum_of(totals_ns, pair->second);
	return strip_cell(two_ns, whole_ns);
}

static uint8_t
pair_style(const struct counter_pair *pair, uint8_t time_class)
{
	if (time_class == CLASS_GONE)
		return STYLE_DEFAULT;
	return time_class == CLASS_RUNNING ? pair->first_style : pair->second_style;
}

/* The highest count of both sets, on the average of a cell. */
static double
highest_average(int cells, int64_t (*totals_ns)[CLASS_COUNT], const struct counter_pair *pair,
	struct viewport viewport)
{
	double highest = 0;
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; i < cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1);
		double average = (double)sum_of(totals_ns[i], pair->first | pair->second) /
				 (double)(until_ns - from_ns);
		highest = average > highest ? average : highest;
	}
	return highest;
}

static void
put_pair(struct canvas *canvas, int x, int y, const struct strip_cell *cell,
	const struct counter_pair *pair)
{
	bool is_first = cell->look == CLASS_RUNNING;
	struct bar_look look = {
		.style = pair_style(pair, cell->look),
		.ground = pair_style(pair, cell->second),
		.low = is_first ? '=' : ',',
		.high = is_first ? '#' : '+',
	};
	if (cell->shape == STRIP_BAR)
		strip_put_bar(canvas, x, y, &look, cell->level);
}

/* To the nearest from 1 up; averages over centuries stop at the limit. */
static int64_t
whole_duration(double value_ns)
{
	if (value_ns >= 0x1p63)
		return INT64_MAX;
	return value_ns < 1 ? 1 : (int64_t)(value_ns + 0.5);
}

void
counter_draw_pair(struct canvas *canvas, struct cell_run run, int64_t (*totals_ns)[CLASS_COUNT],
	const struct counter_pair *pair, struct viewport viewport)
{
	double highest = highest_average(run.cells, totals_ns, pair, viewport);
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; highest > 0 && i < run.cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		double whole_ns = highest * (double)(until_ns - from_ns);
		struct strip_cell cell =
			pair_cell(totals_ns[i], pair, whole_duration(whole_ns));
		put_pair(canvas, run.x + i, run.y, &cell, pair);
	}
}

uint32_t
counter_actors_at(const struct trace *trace, class_mask mask, int64_t t_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, (struct lane){ LANE_ALL, 0 }, t_ns, t_ns + 1, totals_ns);
	int64_t sum = sum_of(totals_ns, mask);
	return sum < 0 ? 0 : sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

/* ---- the heap */

enum { ROW_LEVELS = 8 }; /* of the lower of two rows: its bars may be full */

struct heap_chart {
	const struct trace *trace;
	uint64_t most;  /* at the highest level */
	int levels;     /* of the whole chart */
	int below;      /* levels below this row */
	int row_levels; /* of this row */
};

/* The level of a value, at least 1 where there is any. */
static int
level_of(const struct heap_chart *chart, uint64_t value)
{
	if (value == 0 || chart->most == 0)
		return 0;
	double share = (double)value / (double)chart->most;
	int level = (int)(share * chart->levels + 0.5);
	if (level > chart->levels)
		return chart->levels;
	return level < 1 ? 1 : level;
}

static uint64_t
greatest_within(const struct trace *trace, enum counter_type type, int64_t t0_ns, int64_t t1_ns)
{
	uint64_t least = 0, greatest = 0;
	return counter_range(trace, type, t0_ns, t1_ns, &least, &greatest) ? greatest : 0;
}

/* The line of the goal at a level (from 1) of this row. */
static void
put_goal(struct canvas *canvas, int x, int y, int level)
{
	static const char *const lines[] = { "▁", "─", "▔" };
	const struct cell_style style = { .fg = STYLE_TEXT_DIM };
	canvas_put(canvas, x, y, style, canvas->ascii ? "-" : lines[(level - 1) * 3 / ROW_LEVELS]);
}

static void
put_bar(struct canvas *canvas, int x, int y, uint8_t colour, int level)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const struct cell_style style = { .fg = colour };
	const char *plain = level > ROW_LEVELS / 2 ? "H" : "h";
	canvas_put(canvas, x, y, style, canvas->ascii ? plain : bars[level - 1]);
}

static void
draw_heap_cell(struct canvas *canvas, int x, int y, const struct heap_chart *chart, int64_t t0_ns,
	int64_t t1_ns)
{
	int bar = level_of(chart, greatest_within(chart->trace, COUNTER_HEAP_ALLOC, t0_ns, t1_ns));
	int goal = level_of(chart, greatest_within(chart->trace, COUNTER_HEAP_GOAL, t0_ns, t1_ns));
	bar -= chart->below;
	goal -= chart->below;
	if (bar > 0)
		put_bar(canvas, x, y, STYLE_GC, bar < chart->row_levels ? bar : chart->row_levels);
	else if (goal > 0 && goal <= chart->row_levels)
		put_goal(canvas, x, y, goal);
}

void
counter_draw_heap(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport, enum counter_part part)
{
	bool is_half = part != COUNTER_WHOLE;
	uint64_t alloc = greatest_within(trace, COUNTER_HEAP_ALLOC, viewport.t0_ns, viewport.t1_ns);
	uint64_t goal = greatest_within(trace, COUNTER_HEAP_GOAL, viewport.t0_ns, viewport.t1_ns);
	struct heap_chart chart = {
		.trace = trace,
		.most = alloc > goal ? alloc : goal,
		.levels = is_half ? ROW_LEVELS + STRIP_LEVELS : STRIP_LEVELS,
		.below = part == COUNTER_UPPER ? ROW_LEVELS : 0,
		.row_levels = part == COUNTER_LOWER ? ROW_LEVELS : STRIP_LEVELS,
	};
	for (int i = 0; i < run.cells; i++) {
		int64_t t0_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i);
		int64_t t1_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		draw_heap_cell(canvas, run.x + i, run.y, &chart, t0_ns, t1_ns);
	}
}

/* ---- gauges */

void
counter_draw_gauge(struct canvas *canvas, struct cell_run run, const struct trace *trace, uint32_t gauge,
	struct viewport viewport)
{
	int64_t lowest, highest;
	if (!gauge_range(trace, gauge, viewport.t0_ns, viewport.t1_ns, &lowest, &highest))
		return;
	double base = lowest < 0 ? (double)lowest : 0;
	double height = (double)highest - base;
	for (int i = 0; height > 0 && i < run.cells; i++) {
		int64_t t0_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i);
		int64_t t1_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		int64_t least, greatest;
		if (!gauge_range(trace, gauge, t0_ns, t1_ns, &least, &greatest))
			continue;
		double share = ((double)greatest - base) / height;
		int level = (int)(share * STRIP_LEVELS + 0.5);
		if (share > 0)
			put_bar(canvas, run.x + i, run.y, STYLE_FRAME_FIRST, level < 1 ? 1 : level);
	}
}
