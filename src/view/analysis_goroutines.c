/* How long goroutines were in which state: by start function, and one by one of a function. */
#include <stdio.h>
#include <string.h>

#include "analysis/goroutines.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "draw/strip_glyph.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

enum { LAYERS = 6 };

static const char *const layer_names[LAYERS] = { "total", "mean", "p50", "p90", "p99", "longest" };

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

/* What is measured stands in the columns from `first` on; returns how many there are in all. */
static int
count_columns(const struct goroutine_times *times, int first)
{
	int most = FIGURES_MOST_COLUMNS - first - (int)ARRAY_LENGTH(measures);
	int reasons = times->reason_count < (uint32_t)most ? (int)times->reason_count : most;
	return first + (int)ARRAY_LENGTH(measures) + reasons;
}

static uint32_t
measure_of(int column, int first)
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

static void
name_columns(struct figures *figures, const struct trace *trace,
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

static void
name_first(struct figures *figures, const char *title, enum figure_type type)
{
	snprintf(figures->columns[0].title, sizeof figures->columns[0].title, "%s", title);
	figures->columns[0].type = type;
}

/* ---- by function */

enum { FUNCTION_FIRST = 2 }; /* behind name and count */

static void
fill_function(struct figures *figures, const struct goroutine_times *times, uint32_t row,
	int64_t *scratch)
{
	const struct goroutine_function *function = &times->functions[row];
	for (int layer = 0; layer < LAYERS; layer++) {
		*figures_cell(figures, layer, row, 0) = function->name;
		*figures_cell(figures, layer, row, 1) = function->count;
	}
	for (int column = FUNCTION_FIRST; column < figures->column_count; column++) {
		uint32_t longest;
		struct spread spread = goroutines_spread(
			times, function, measure_of(column, FUNCTION_FIRST), scratch, &longest);
		const int64_t values[LAYERS] = { spread.total_ns, spread.mean_ns, spread.p50_ns,
			spread.p90_ns, spread.p99_ns, spread.max_ns };
		for (int layer = 0; layer < LAYERS; layer++)
			*figures_cell(figures, layer, row, column) = values[layer];
	}
}

static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	string_id function = (string_id)*figures_cell(figures, 0, row, 0);
	size_t length;
	const char *bytes = trace_text(session->trace, function, &length);
	struct text name = { 0 };
	if (length == 0) {
		session_status(session, false, "nobody knows which goroutines these are");
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	}
	text_add_string(&name, "function:");
	text_add(&name, bytes, length);
	struct view_answer answer = analysis_open(session, name.failed ? "" : name.bytes);
	text_release(&name);
	return answer;
}

static struct figures *
functions_of(const struct analysis_work *work, const struct goroutine_times *times, struct error *err)
{
	int64_t *scratch = array_new_unset(times->row_count, sizeof *scratch, err);
	struct figures *figures = NULL;
	if (scratch != NULL)
		figures = figures_new(times->function_count, count_columns(times, FUNCTION_FIRST),
			LAYERS, err);
	if (figures != NULL) {
		name_columns(figures, work->trace, times, FUNCTION_FIRST);
		name_first(figures, "function", FIGURE_FUNCTION);
		snprintf(figures->columns[1].title, sizeof figures->columns[1].title, "count");
		figures->columns[1].type = FIGURE_COUNT;
		figures->layer_names = layer_names;
		figures->usual_column = FUNCTION_FIRST + 1;
		figures->open = open_function;
		figures->none = "no goroutine lived then";
		for (uint32_t i = 0; i < times->function_count; i++)
			fill_function(figures, times, i, scratch);
	}
	memory_free(scratch);
	return figures;
}

static void *
build_functions(struct analysis_work *work, struct error *err)
{
	struct goroutine_times times;
	if (!goroutines_build(&times, work->trace, work->scope.t0_ns, work->scope.t1_ns,
		    STRING_EMPTY, work->only, err))
		return NULL;
	struct figures *figures = functions_of(work, &times, err);
	goroutines_release(&times);
	return figures;
}

static void
title_functions(const struct analysis *analysis, struct text *out)
{
	(void)analysis;
	text_add_string(out, "Goroutines by function");
}

const struct analysis_ops goroutines_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.build = build_functions,
	.title = title_functions,
	FIGURE_PAGE_FUNCTIONS,
};

/* ---- of a function */

static bool
is_named(const char *parameter)
{
	return *parameter != '\0';
}

/* STRING_EMPTY where no goroutine starts with it. */
static string_id
find_function(const struct trace *trace, const char *name)
{
	size_t wanted = strlen(name), length;
	for (goroutine_ref i = 0; i < trace_goroutine_count(trace); i++) {
		string_id function = trace_goroutine(trace, i)->name;
		const char *bytes = trace_text(trace, function, &length);
		if (length == wanted && memcmp(bytes, name, length) == 0)
			return function;
	}
	return STRING_EMPTY;
}

/* A goroutine leads to the part of its life that is analysed. */
static struct figures_place
place_of_life(const struct analysis_work *work, goroutine_ref ref)
{
	const struct goroutine *goroutine = trace_goroutine(work->trace, ref);
	const struct analysis_scope *scope = &work->scope;
	struct figures_place place = { .lane = { LANE_GOROUTINE, ref },
		.from_ns = goroutine->first_ns,
		.until_ns = goroutine->end_ns };
	if (place.from_ns < scope->t0_ns)
		place.from_ns = scope->t0_ns;
	if (place.until_ns > scope->t1_ns)
		place.until_ns = scope->t1_ns;
	if (place.until_ns > work->trace->end_ns)
		place.until_ns = work->trace->end_ns;
	return place;
}

static struct figures *
members_of(const struct analysis_work *work, const struct goroutine_times *times, struct error *err)
{
	struct figures *figures = figures_new(times->row_count, count_columns(times, 1), 1, err);
	if (figures == NULL)
		return NULL;
	figures->places = array_new_unset(times->row_count, sizeof *figures->places, err);
	if (figures->places == NULL) {
		figures_free(figures);
		return NULL;
	}
	name_columns(figures, work->trace, times, 1);
	name_first(figures, "goroutine", FIGURE_GOROUTINE);
	figures->usual_column = 1;
	figures->none = "none of its goroutines lived then";
	for (uint32_t row = 0; row < times->row_count; row++) {
		*figures_cell(figures, 0, row, 0) = times->rows[row].goroutine;
		figures->places[row] = place_of_life(work, times->rows[row].goroutine);
		for (int column = 1; column < figures->column_count; column++)
			*figures_cell(figures, 0, row, column) =
				goroutines_time(times, row, measure_of(column, 1));
	}
	return figures;
}

static void *
build_members(struct analysis_work *work, struct error *err)
{
	struct goroutine_times times;
	string_id function = find_function(work->trace, work->parameter);
	if (function == STRING_EMPTY) {
		error_set(err, ERROR_USAGE, "no goroutine starts with %s", work->parameter);
		return NULL;
	}
	if (!goroutines_build(&times, work->trace, work->scope.t0_ns, work->scope.t1_ns, function,
		    work->only, err))
		return NULL;
	struct figures *figures = members_of(work, &times, err);
	goroutines_release(&times);
	return figures;
}

static void
title_members(const struct analysis *analysis, struct text *out)
{
	text_add_string(out, "Goroutines of ");
	text_add_safe(out, analysis->parameter.bytes, analysis->parameter.length, false);
}

const struct analysis_ops function_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.accepts = is_named,
	.build = build_members,
	.title = title_members,
	FIGURE_PAGE_FUNCTIONS,
};
