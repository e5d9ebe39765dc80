/* Columns of measures, and the spread of each over the rows of a function. */
#include "view/measure_figures.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "draw/strip_glyph.h"

static const char *const layer_names[SPREAD_LAYERS] = { "total", "mean", "p50", "p90", "p99", "longest" };

/* ---- columns */

static const struct {
	const char *title;
	uint32_t measure;
	uint8_t time_class; /* whose colour it has; CLASS_GONE: none */
} measures[] = {
	{ "life", MEASURE_LIFE, CLASS_GONE },
	{ "running", MEASURE_RUNNING, CLASS_RUNNING },
	{ "ready", MEASURE_READY, CLASS_READY },
	{ "syscall", MEASURE_SYSCALL, CLASS_SYSCALL },
	{ "blocked", MEASURE_BLOCKED, CLASS_SYNC },
	{ "assist", MEASURE_ASSIST, CLASS_GC_WORKER },
	{ "sweep", MEASURE_SWEEP, CLASS_GC_WORKER },
	{ "unknown", MEASURE_UNKNOWN, CLASS_UNKNOWN },
};

int
measure_figures_columns(const struct goroutine_times *times, int first)
{
	int most = FIGURES_MOST_COLUMNS - first - (int)ARRAY_LENGTH(measures);
	int reasons = times->reason_count < (uint32_t)most ? (int)times->reason_count : most;
	return first + (int)ARRAY_LENGTH(measures) + reasons;
}

uint32_t
measure_figures_measure(int column, int first)
{
	size_t index = (size_t)(column - first);
	return index < ARRAY_LENGTH(measures)
		       ? measures[index].measure
		       : MEASURE_REASONS + (uint32_t)(index - ARRAY_LENGTH(measures));
}

static void
name_reason(struct figures_column *column, const struct trace *trace, string_id reason)
{
	size_t length;
	const char *bytes = trace_text(trace, reason, &length);
	if (length == 0)
		snprintf(column->title, sizeof column->title, "no reason");
	else
		text_excerpt(column->title, sizeof column->title, bytes, length);
}

void
measure_figures_name(struct figures *figures, const struct trace *trace,
	const struct goroutine_times *times, int first)
{
	for (int i = first; i < figures->column_count; i++) {
		struct figures_column *column = &figures->columns[i];
		size_t index = (size_t)(i - first);
		column->type = FIGURE_DURATION;
		column->style = STYLE_DEFAULT;
		if (index >= ARRAY_LENGTH(measures)) {
			name_reason(column, trace, times->reasons[index - ARRAY_LENGTH(measures)]);
			continue;
		}
		snprintf(column->title, sizeof column->title, "%s", measures[index].title);
		if (measures[index].time_class != CLASS_GONE)
			column->style = strip_style(measures[index].time_class);
	}
}

/* ---- spreads */

static void
fill_function(struct figures *figures, const struct goroutine_times *times, uint32_t row, int first,
	int64_t *scratch)
{
	const struct goroutine_function *function = &times->functions[row];
	for (int column = first; column < figures->column_count; column++) {
		uint32_t longest;
		struct spread spread = goroutines_spread(times, function,
			measure_figures_measure(column, first), scratch, &longest);
		const int64_t values[SPREAD_LAYERS] = { spread.total_ns, spread.mean_ns,
			spread.p50_ns, spread.p90_ns, spread.p99_ns, spread.max_ns };
		for (int layer = 0; layer < SPREAD_LAYERS; layer++)
			*figures_cell(figures, layer, row, column) = values[layer];
	}
}

struct figures *
measure_figures_spreads(const struct trace *trace, const struct goroutine_times *times, int first,
	struct error *err)
{
	int64_t *scratch = array_new_unset(times->row_count, sizeof *scratch, err);
	struct figures *figures = NULL;
	if (scratch != NULL)
		figures = figures_new(times->function_count,
			measure_figures_columns(times, first), SPREAD_LAYERS, err);
	if (figures != NULL) {
		measure_figures_name(figures, trace, times, first);
		figures->layer_names = layer_names;
		for (uint32_t i = 0; i < times->function_count; i++)
			fill_function(figures, times, i, first, scratch);
	}
	memory_free(scratch);
	return figures;
}

void
measure_figures_rows(struct figures *figures, const struct goroutine_times *times, int first)
{
	for (uint32_t row = 0; row < times->row_count; row++) {
		for (int column = first; column < figures->column_count; column++)
			*figures_cell(figures, 0, row, column) = goroutines_time(
				times, row, measure_figures_measure(column, first));
	}
}
