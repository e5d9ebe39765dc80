/* Which measures occur, and in which order they are shown. */
#include "view/measure_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "draw/strip_glyph.h"

const char *const measure_layer_names[MEASURE_LAYERS] = {
	"total", "mean", "p50", "p90", "p99", "longest"
};

void
measure_layers(const struct spread *spread, int64_t values_ns[MEASURE_LAYERS])
{
	const int64_t values[MEASURE_LAYERS] = { spread->total_ns, spread->mean_ns, spread->p50_ns,
		spread->p90_ns, spread->p99_ns, spread->max_ns };
	memcpy(values_ns, values, sizeof values);
}

static const struct {
	const char *title;
	uint32_t measure;
	uint8_t time_class; /* whose colour it has; CLASS_GONE: none */
} measures[] = {
	{ "life", MEASURE_LIFE, CLASS_GONE },
	{ "running", MEASURE_RUNNING, CLASS_RUNNING },
	{ "assisting", MEASURE_ASSISTING, CLASS_GC_WORKER }, /* of running */
	{ "ready", MEASURE_READY, CLASS_READY },
	{ "syscall", MEASURE_SYSCALL, CLASS_SYSCALL },
	{ "blocked", MEASURE_BLOCKED, CLASS_SYNC },
	/* the reasons */
	{ "assist", MEASURE_ASSIST, CLASS_GC_WORKER },
	{ "sweep", MEASURE_SWEEP, CLASS_GC_WORKER },
	{ "unknown", MEASURE_UNKNOWN, CLASS_UNKNOWN },
};

enum { BEFORE_REASONS = 6 };

struct actors_scope
measure_figures_scope(struct analysis_work *work)
{
	const struct trace *trace = work->trace;
	search_watch_expect(&work->watch, trace_state_count(trace) + trace->ranges.count);
	return (struct actors_scope){ .t0_ns = work->scope.t0_ns,
		.t1_ns = work->scope.t1_ns,
		.only = work->only,
		.watch = &work->watch };
}

/* ---- columns */

struct measure_columns {
	uint32_t measure[MEASURE_MOST];
	int first; /* where they begin among the figures' */
	int count;
};

/* A reason, and all that was waited for it. */
struct reason_sum {
	uint32_t measure;
	int64_t ns;
};

static int
compare_reasons(const void *a, const void *b)
{
	const struct reason_sum *left = a, *right = b;
	if (left->ns != right->ns)
		return left->ns > right->ns ? -1 : 1;
	return (left->measure > right->measure) - (left->measure < right->measure);
}

static void
add_up(const struct actor_times *times, int64_t sums_ns[MEASURE_MOST])
{
	for (size_t i = 0; i < times->time_count; i++) {
		int64_t *sum_ns = &sums_ns[times->times[i].measure];
		*sum_ns = saturating_add_i64(*sum_ns, times->times[i].ns);
	}
}

static void
add_reasons(struct measure_columns *columns, const struct actor_times *times,
	const int64_t sums_ns[MEASURE_MOST])
{
	struct reason_sum reasons[MEASURE_MOST];
	size_t count = 0;
	for (uint32_t i = 0; i < times->reason_count; i++) {
		uint32_t measure = MEASURE_REASONS + i;
		if (sums_ns[measure] > 0)
			reasons[count++] = (struct reason_sum){ measure, sums_ns[measure] };
	}
	if (count > 0)
		qsort(reasons, count, sizeof *reasons, compare_reasons);
	for (size_t i = 0; i < count; i++)
		columns->measure[columns->count++] = reasons[i].measure;
}

/* Those that occur; the life, and what everyone looks for, in any case. */
static void
choose_columns(struct measure_columns *columns, const struct actor_times *times, int first)
{
	int64_t sums_ns[MEASURE_MOST] = { 0 };
	add_up(times, sums_ns);
	columns->first = first;
	columns->count = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(measures); i++) {
		if (i == BEFORE_REASONS)
			add_reasons(columns, times, sums_ns);
		if (measures[i].measure <= MEASURE_READY || sums_ns[measures[i].measure] > 0)
			columns->measure[columns->count++] = measures[i].measure;
	}
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

static void
name_column(struct figures_column *column, const struct trace *trace,
	const struct actor_times *times, uint32_t measure)
{
	*column = (struct figures_column){ .type = FIGURE_DURATION, .style = STYLE_DEFAULT };
	if (measure >= MEASURE_REASONS) {
		name_reason(column, trace, times->reasons[measure - MEASURE_REASONS]);
		return;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(measures); i++) {
		if (measures[i].measure != measure)
			continue;
		snprintf(column->title, sizeof column->title, "%s", measures[i].title);
		if (measures[i].time_class != CLASS_GONE)
			column->style = strip_style(measures[i].time_class);
	}
}

static struct figures *
new_figures(const struct trace *trace, const struct actor_times *times,
	const struct measure_columns *columns, size_t rows, int layers, struct error *err)
{
	struct figures *figures = figures_new(rows, columns->first + columns->count, layers, err);
	for (int i = 0; figures != NULL && i < columns->count; i++)
		name_column(&figures->columns[columns->first + i], trace, times, columns->measure[i]);
	return figures;
}

/* ---- cells */

static bool
fill_function(struct figures *figures, const struct actor_times *times,
	const struct measure_columns *columns, uint32_t row, struct error *err)
{
	struct actor_spreads all;
	if (!actors_spread(times, &times->functions[row], &all, err))
		return false;
	for (int i = 0; i < columns->count; i++) {
		int64_t values[MEASURE_LAYERS];
		measure_layers(&all.spreads[columns->measure[i]], values);
		for (int layer = 0; layer < MEASURE_LAYERS; layer++)
			*figures_cell(figures, layer, row, columns->first + i) = values[layer];
	}
	return true;
}

struct figures *
measure_figures_spreads(struct analysis_work *work, const struct actor_times *times, int first,
	struct error *err)
{
	struct measure_columns columns;
	choose_columns(&columns, times, first);
	struct figures *figures = new_figures(
		work->trace, times, &columns, times->function_count, MEASURE_LAYERS, err);
	if (figures == NULL)
		return NULL;
	figures->layer_names = measure_layer_names;
	for (uint32_t i = 0; i < times->function_count; i++) {
		if (search_watch_check(&work->watch, 0, err) &&
			fill_function(figures, times, &columns, i, err))
			continue;
		figures_free(figures);
		return NULL;
	}
	return figures;
}

struct figures *
measure_figures_rows(const struct trace *trace, const struct actor_times *times, int first,
	struct error *err)
{
	struct measure_columns columns;
	choose_columns(&columns, times, first);
	struct figures *figures = new_figures(trace, times, &columns, times->row_count, 1, err);
	if (figures == NULL || !figures_add_places(figures, err)) {
		figures_free(figures);
		return NULL;
	}
	for (uint32_t row = 0; row < times->row_count; row++) {
		for (int i = 0; i < columns.count; i++)
			*figures_cell(figures, 0, row, first + i) =
				actors_time(times, row, columns.measure[i]);
	}
	return figures;
}
