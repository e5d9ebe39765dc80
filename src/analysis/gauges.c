/* The counters that the input names: between which values each was, and when it was at its greatest. */
#include "analysis/registry.h"
#include "base/compiler.h"
#include "trace/lane.h"

static const struct result_column columns[] = {
	DIMENSION("counter", "counter", FIGURE_STRING, .least_cells = 16),
	MEASURE("values", "values", FIGURE_COUNT, .rank = 2),
	MEASURE("first", "first", FIGURE_AMOUNT, .rank = 3),
	MEASURE("last", "last", FIGURE_AMOUNT, .rank = 4),
	MEASURE("least", "least", FIGURE_AMOUNT),
	MEASURE("greatest", "greatest", FIGURE_AMOUNT),
	MEASURE("greatest_at_ns", "at", FIGURE_MOMENT, .rank = 1),
};

/* From where on it was at a value, which it is within [from_ns, until_ns). */
static int64_t
reached_at(const struct trace *trace, uint32_t gauge, int64_t from_ns, int64_t until_ns, int64_t wanted)
{
	int64_t least, greatest;
	while (until_ns - from_ns > 1) {
		int64_t middle_ns = from_ns + (until_ns - from_ns) / 2;
		if (gauge_range(trace, gauge, from_ns, middle_ns, &least, &greatest) && greatest == wanted)
			until_ns = middle_ns;
		else
			from_ns = middle_ns;
	}
	return from_ns;
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct trace *trace = work->trace;
	const struct analysis_scope *scope = &work->scope;
	const struct result_table table = {
		.name = "counters",
		.title = "Counters that the input names",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 0,
		.none = "no counter has a value",
	};
	/* What began with the last event holds at the end. */
	int64_t until_ns = scope->t1_ns + (scope->t1_ns >= trace->end_ns);
	bool is_fine = sink->begin(sink, &table, err);
	search_watch_expect(&work->watch, trace->gauge_count);
	for (uint32_t i = 0; is_fine && i < trace->gauge_count; i++) {
		const struct counter *counter = &trace->gauges[i].counter;
		int64_t least, greatest, first, last;
		if (!search_watch_check_item(&work->watch, i, err))
			return false;
		if (!gauge_range(trace, i, scope->t0_ns, until_ns, &least, &greatest))
			continue;
		uint32_t from = stable_until_i64(&counter->time_ns, scope->t0_ns - 1);
		uint32_t end = stable_until_i64(&counter->time_ns, until_ns - 1);
		first = gauge_unpack(counter_value(counter, from > 0 ? from - 1 : 0));
		last = gauge_unpack(counter_value(counter, end - 1));
		int64_t at_ns = reached_at(trace, i, scope->t0_ns, until_ns, greatest);
		struct result_place place = { { LANE_ALL, 0 }, at_ns, at_ns };
		const int64_t cells[] = { trace->gauges[i].name, end - from, first, last, least, greatest,
			at_ns };
		is_fine = sink->row(sink, cells, &place, err);
	}
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind gauges_kind = {
	.name = "counters",
	.help = "between which values counters of the input were",
	.heading = "Counters",
	.title = "Counters of the input",
	.needs = NEEDS_GAUGES,
	.fill = fill,
};
