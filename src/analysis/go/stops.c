/* The stops of the world, one by one. */
#include <stdlib.h>

#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/own_code.h"

struct stop {
	range_ref range;
	int64_t duration_ns;
};

struct stops {
	struct stop *items;
	size_t count, capacity;
};

/* With a query those of an actor of which a state within matches. */
static bool
find_stops(struct stops *stops, struct analysis_work *work, struct error *err)
{
	const struct trace *trace = work->trace;
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (!search_watch_check_item(&work->watch, ref, err))
			return false;
		if (range->type != RANGE_STW || range->start_ns >= work->scope.t1_ns ||
			end_ns < work->scope.t0_ns ||
			!search_asks_for(work->only, range_actor(range), range->start_ns, end_ns))
			continue;
		if (!array_reserve(&stops->items, &stops->capacity, stops->count + 1,
			    sizeof *stops->items, err))
			return false;
		stops->items[stops->count++] = (struct stop){ ref, end_ns - range->start_ns };
	}
	return true;
}

static int
compare_stops(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;
	if (x->duration_ns != y->duration_ns)
		return x->duration_ns > y->duration_ns ? -1 : 1;
	return (x->range > y->range) - (x->range < y->range);
}

/* Two traces have no moment in common, but stops by the same one for the same reason. */
static const struct result_column columns[] = {
	MEASURE("start_ns", "from", FIGURE_MOMENT),
	MEASURE("duration_ns", "for", FIGURE_DURATION, .hue = HUE_STOP),
	DIMENSION("reason", "why", FIGURE_STRING),
	DIMENSION("{actor}", "by", FIGURE_ACTOR, .least_cells = 10),
	DIMENSION("function", "where", FIGURE_FRAME, .least_cells = 12, .rank = 1),
};

static bool
add_row(struct result_sink *sink, const struct trace *trace, const struct stop *stop,
	struct error *err)
{
	const struct range *range = trace_range(trace, stop->range);
	actor_ref actor = range_actor(range);
	const int64_t cells[ARRAY_LENGTH(columns)] = { range->start_ns, stop->duration_ns,
		range->name, actor, own_code_stack(trace, range->start_stack, actor) };
	const struct result_place place = { { LANE_STW, 0 }, range->start_ns,
		range->start_ns + stop->duration_ns };
	return sink->row(sink, cells, &place, err);
}

/* O(ranges), with a query O(stops log n) more. */
static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "stw",
		.title = "The longest first",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 1,
		.none = "none",
	};
	struct stops stops = { 0 };
	search_watch_expect(&work->watch, work->trace->ranges.count);
	bool is_fine = find_stops(&stops, work, err) && sink->begin(sink, &table, err);
	if (is_fine && stops.count > 0)
		qsort(stops.items, stops.count, sizeof *stops.items, compare_stops);
	for (size_t i = 0; is_fine && i < stops.count; i++)
		is_fine = add_row(sink, work->trace, &stops.items[i], err);
	memory_free(stops.items);
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind stw_kind = {
	.name = "stw",
	.needs = NEEDS_COLLECTOR,
	.help = "stops of the world, why and by whom",
	.heading = "Stops of the world",
	.title = "Stops of the world",
	.limits = ANALYSIS_BY_QUERY,
	.fill = fill,
};
