/* How long actors were in which state: by start function, and one by one of a function. */
#include <string.h>

#include "analysis/actors.h"
#include "draw/canvas.h"
#include "trace/words.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"
#include "view/measure_figures.h"

/* ---- by function */

enum { FUNCTION_FIRST = 2 }; /* behind name and count */

static struct figures *
functions_of(struct analysis_work *work, const struct actor_times *times, struct error *err)
{
	struct figures *figures =
		measure_figures_spreads(work, times, FUNCTION_FIRST, err);
	if (figures == NULL)
		return NULL;
	figures->columns[0] = (struct figures_column){ .title = "function", .type = FIGURE_FUNCTION, .style = STYLE_DEFAULT };
	figures->columns[1] = (struct figures_column){ .title = "count", .type = FIGURE_COUNT, .style = STYLE_DEFAULT };
	figures->usual_column = FUNCTION_FIRST + 1;
	figures->opens = "function";
	figures->none = "no {actor} lived then";
	for (int layer = 0; layer < figures->layer_count; layer++) {
		for (uint32_t i = 0; i < times->function_count; i++) {
			*figures_cell(figures, layer, i, 0) = times->functions[i].name;
			*figures_cell(figures, layer, i, 1) = times->functions[i].count;
		}
	}
	return figures;
}

static void *
build_functions(struct analysis_work *work, struct error *err)
{
	struct actor_times times;
	struct actors_scope scope = measure_figures_scope(work);
	if (!actors_build(&times, work->trace, &scope, err))
		return NULL;
	struct figures *figures = functions_of(work, &times, err);
	actors_release(&times);
	return figures;
}

const struct analysis_ops actors_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.build = build_functions,
	.heading = "All {actors} by function",
	FIGURE_PAGE_FUNCTIONS,
};

/* ---- of a function */

static bool
is_named(const char *parameter)
{
	return *parameter != '\0';
}

/* STRING_EMPTY where no actor starts with it. */
static string_id
find_function(const struct trace *trace, const char *name)
{
	size_t wanted = strlen(name), length;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		string_id function = trace_actor(trace, i)->name;
		const char *bytes = trace_text(trace, function, &length);
		if (length == wanted && memcmp(bytes, name, length) == 0)
			return function;
	}
	return STRING_EMPTY;
}

/* An actor leads to the part of its life that is analysed. */
static struct result_place
place_of_life(const struct analysis_work *work, actor_ref ref)
{
	const struct actor *actor = trace_actor(work->trace, ref);
	const struct analysis_scope *scope = &work->scope;
	struct result_place place = { .lane = { LANE_ACTOR, ref },
		.from_ns = actor->first_ns,
		.until_ns = actor->end_ns };
	if (place.from_ns < scope->t0_ns)
		place.from_ns = scope->t0_ns;
	if (place.until_ns > scope->t1_ns)
		place.until_ns = scope->t1_ns;
	if (place.until_ns > work->trace->end_ns)
		place.until_ns = work->trace->end_ns;
	return place;
}

static struct figures *
members_of(const struct analysis_work *work, const struct actor_times *times, struct error *err)
{
	struct figures *figures = measure_figures_rows(work->trace, times, 1, err);
	if (figures == NULL)
		return NULL;
	figures->columns[0] = figures_actor_column(work->trace);
	figures->usual_column = 1;
	figures->none = "none of its {actors} lived then";
	for (uint32_t row = 0; row < times->row_count; row++) {
		*figures_cell(figures, 0, row, 0) = times->rows[row].actor;
		figures->places[row] = place_of_life(work, times->rows[row].actor);
	}
	return figures;
}

static void *
build_members(struct analysis_work *work, struct error *err)
{
	struct actor_times times;
	struct actors_scope scope = measure_figures_scope(work);
	scope.function = find_function(work->trace, work->parameter);
	if (scope.function == STRING_EMPTY) {
		struct text words = { 0 };
		text_format_words(&words, work->trace->words, "no {actor} starts with %s",
			work->parameter);
		error_set(err, ERROR_USAGE, "%s", text_string(&words));
		text_release(&words);
		return NULL;
	}
	if (!actors_build(&times, work->trace, &scope, err))
		return NULL;
	struct figures *figures = members_of(work, &times, err);
	actors_release(&times);
	return figures;
}

static void
title_members(const struct analysis *analysis, struct text *out)
{
	text_add_safe(out, analysis->parameter.bytes, analysis->parameter.length, false);
}

const struct analysis_ops function_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.accepts = is_named,
	.build = build_members,
	.heading = "{Actors} of ",
	.title = title_members,
	FIGURE_PAGE_FUNCTIONS,
};
