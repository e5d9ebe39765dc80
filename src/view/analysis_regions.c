/* How long user regions took and what their actors did in them: by name and place, and one by one. */
#include <string.h>

#include "analysis/regions.h"
#include "draw/canvas.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"
#include "view/measure_figures.h"

enum { PLACE_FIRST = 3, REGION_FIRST = 2 }; /* where measures begin */

static const struct figures_column time_column = { .title = "time", .type = FIGURE_DURATION, .style = STYLE_DEFAULT };

/* ---- by name and place */

static struct figures *
places_of(struct analysis_work *work, const struct actor_times *times, struct error *err)
{
	struct figures *figures = measure_figures_spreads(work, times, PLACE_FIRST, err);
	if (figures == NULL)
		return NULL;
	figures->columns[0] = (struct figures_column){ .title = "region", .type = FIGURE_STRING, .style = STYLE_DEFAULT };
	figures->columns[1] = (struct figures_column){ .title = "count", .type = FIGURE_COUNT, .style = STYLE_DEFAULT };
	figures->columns[2] = (struct figures_column){ .title = "in", .type = FIGURE_CALLED, .style = STYLE_DEFAULT };
	figures->columns[PLACE_FIRST] = time_column;
	figures->usual_column = PLACE_FIRST;
	figures->opens = "region";
	figures->none = "no regions (trace.StartRegion, trace.WithRegion)";
	for (int layer = 0; layer < figures->layer_count; layer++) {
		for (uint32_t i = 0; i < times->function_count; i++) {
			const struct actor_function *function = &times->functions[i];
			*figures_cell(figures, layer, i, 0) = function->name;
			*figures_cell(figures, layer, i, 1) = function->count;
			*figures_cell(figures, layer, i, 2) =
				function->place != NULL ? function->place->function : STRING_EMPTY;
		}
	}
	return figures;
}

static void *
build_places(struct analysis_work *work, struct error *err)
{
	struct actor_times times;
	struct actors_scope scope = measure_figures_scope(work);
	if (!regions_build(&times, work->trace, &scope, err))
		return NULL;
	struct figures *figures = places_of(work, &times, err);
	actors_release(&times);
	return figures;
}

const struct analysis_ops regions_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.build = build_places,
	.heading = "Regions by name and place",
	FIGURE_PAGE_FUNCTIONS,
};

/* ---- of a name */

/* Any name will do, as regions may have none. */
static bool
accepts(const char *parameter)
{
	(void)parameter;
	return true;
}

static bool
find_name(const struct trace *trace, const char *wanted, string_id *name)
{
	size_t wanted_length = strlen(wanted), length;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		const char *bytes = trace_text(trace, range->name, &length);
		if (range->type != RANGE_REGION || length != wanted_length ||
			memcmp(bytes, wanted, length) != 0)
			continue;
		*name = range->name;
		return true;
	}
	return false;
}

static void
fill_region(struct figures *figures, const struct trace *trace, const struct actor_row *region,
	size_t row)
{
	const struct range *range = trace_range(trace, region->region);
	int64_t end_ns = trace_range_end_ns(trace, range);
	*figures_cell(figures, 0, row, 0) = region->actor;
	*figures_cell(figures, 0, row, 1) = range->start_ns;
	figures->places[row] = (struct result_place){
		{ LANE_ACTOR, region->actor }, range->start_ns, end_ns };
}

static struct figures *
regions_of(const struct trace *trace, const struct actor_times *times, struct error *err)
{
	struct figures *figures = measure_figures_rows(trace, times, REGION_FIRST, err);
	if (figures == NULL)
		return NULL;
	figures->columns[0] = figures_actor_column(trace);
	figures->columns[1] = (struct figures_column){ .title = "from", .type = FIGURE_MOMENT, .style = STYLE_DEFAULT };
	figures->columns[REGION_FIRST] = time_column;
	figures->usual_column = REGION_FIRST;
	figures->none = "there is none then";
	for (uint32_t row = 0; row < times->row_count; row++)
		fill_region(figures, trace, &times->rows[row], row);
	return figures;
}

static void *
build_regions(struct analysis_work *work, struct error *err)
{
	struct actor_times times;
	struct actors_scope scope = measure_figures_scope(work);
	string_id name;
	if (!find_name(work->trace, work->parameter, &name)) {
		error_set(err, ERROR_USAGE, "there is no region %s", work->parameter);
		return NULL;
	}
	scope.region = &name;
	if (!regions_build(&times, work->trace, &scope, err))
		return NULL;
	struct figures *figures = regions_of(work->trace, &times, err);
	actors_release(&times);
	return figures;
}

static void
title_regions(const struct analysis *analysis, struct text *out)
{
	const char *name = analysis_parameter(analysis);
	text_add_string(out, "Regions ");
	text_add_safe(out, name, strlen(name), false);
}

const struct analysis_ops region_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.accepts = accepts,
	.build = build_regions,
	.title = title_regions,
	FIGURE_PAGE_FUNCTIONS,
};
