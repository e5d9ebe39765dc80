/*
 * What the histograms of the input tell: each as it was printed, sums over intervals, and between which
 * bounds percentiles lie. Nothing is guessed of what is within a bucket.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/histogram_sum.h"
#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/memory.h"

#define DIFFERENCES "differences"

struct telling {
	struct analysis_work *work;
	struct result_sink *sink;
	const struct trace *trace;
	const struct histogram_set *set;
	struct histogram_order order;
	struct histogram_sum sum;
	struct interval_names names; /* for people */
	bool has_differences; /* what is cumulative is told by how much it grew */
	struct text words, caption;
};

/* ---- columns */

#define NAMED                                                                                     \
	DIMENSION("label", "label", FIGURE_TEXT, .least_cells = 12),                               \
	DIMENSION("section", "section", FIGURE_TEXT, .rank = 2)

static const struct result_column bucket_columns[] = {
	NAMED,
	DIMENSION("number", NULL, FIGURE_NUMBER),
	MEASURE("interval", "until", FIGURE_TEXT),
	DIMENSION("from", "from", FIGURE_NUMBER),
	DIMENSION("to", "below", FIGURE_NUMBER),
	MEASURE("count", "count", FIGURE_COUNT),
};

static const struct result_column sum_columns[] = {
	NAMED,
	DIMENSION("from", "from", FIGURE_NUMBER),
	DIMENSION("to", "below", FIGURE_NUMBER),
	MEASURE("total", "count", FIGURE_COUNT),
};

/* For people: the number of an interval. */
static const struct result_column map_columns[] = {
	DIMENSION("number", NULL, FIGURE_NUMBER),
	DIMENSION("from", NULL, FIGURE_NUMBER),
	DIMENSION("to", NULL, FIGURE_NUMBER),
	MEASURE("count", NULL, FIGURE_COUNT),
};

static const struct {
	uint64_t part, whole;
} quantiles[] = { { 50, 100 }, { 90, 100 }, { 99, 100 }, { 999, 1000 }, { 1, 1 } };

/* For people both are one text. */
#define BOUNDS(name, rank_of)                                                                     \
	MEASURE(name "_from", NULL, FIGURE_NUMBER), MEASURE(name "_to", NULL, FIGURE_NUMBER),       \
	MEASURE(NULL, name, FIGURE_TEXT, .rank = (rank_of))

static const struct result_column percentile_columns[] = {
	NAMED,
	DIMENSION("number", NULL, FIGURE_NUMBER),
	MEASURE("interval", "until", FIGURE_TEXT),
	MEASURE("total", "count", FIGURE_COUNT),
	BOUNDS("p50", 0),
	BOUNDS("p90", 3),
	BOUNDS("p99", 0),
	BOUNDS("p99.9", 5),
	BOUNDS("max", 4),
	MEASURE("mean_from", NULL, FIGURE_NUMBER),
	MEASURE("mean_to", NULL, FIGURE_NUMBER),
	MEASURE("average", "average", FIGURE_COUNT, .rank = 6),
	MEASURE("average_count", NULL, FIGURE_COUNT),
};

/* ---- cells */

static bool
put_text(struct telling *telling, string_id id, int64_t *cell, struct error *err)
{
	size_t length;
	const char *bytes = trace_text(telling->trace, id, &length);
	*cell = FIGURE_NONE;
	return length == 0 || result_text(telling->sink, bytes, length, cell, err);
}

static int64_t
cell_of_bound(int64_t bound)
{
	return bound != BUCKET_OPEN_LOW && bound != BUCKET_OPEN_HIGH ? bound : FIGURE_NONE;
}

static string_id
time_of(const struct telling *telling, const struct histogram_table *table)
{
	return table->interval == INTERVAL_NONE ? STRING_EMPTY
						: telling->set->intervals[table->interval].text;
}

static bool
sum_of(struct telling *telling, size_t index, struct error *err)
{
	return histogram_order_table(&telling->order, telling->set, index, telling->has_differences,
		&telling->sum, err);
}

/* "histogram" or "sum" of all: a row for each bucket. */
static bool
put_buckets(struct telling *telling, const struct histogram_table *table, int64_t number, bool is_sum,
	struct error *err)
{
	int64_t cells[ARRAY_LENGTH(bucket_columns)], *cell = cells;
	if (!put_text(telling, table->label, cell++, err) || !put_text(telling, table->section, cell++, err))
		return false;
	if (!is_sum) {
		*cell++ = number;
		if (!put_text(telling, time_of(telling, table), cell++, err))
			return false;
	}
	for (size_t i = 0; i < telling->sum.count; i++) {
		const struct bucket *bucket = &telling->sum.buckets[i];
		cell[0] = cell_of_bound(bucket->low);
		cell[1] = cell_of_bound(bucket->high);
		cell[2] = (int64_t)bucket->count;
		if (!telling->sink->row(telling->sink, cells, NULL, err))
			return false;
	}
	return true;
}

/* ---- tables for programs */

static bool
tell_all(struct telling *telling, struct error *err)
{
	static const struct result_table table = {
		.name = "histogram",
		.title = "Histograms",
		.columns = bucket_columns,
		.column_count = ARRAY_LENGTH(bucket_columns),
		.is_as_made = true,
		.none = "there are none",
	};
	const struct histogram_order *order = &telling->order;
	bool is_fine = telling->sink->begin(telling->sink, &table, err);
	for (uint32_t series = 0; is_fine && series < order->series_count; series++) {
		for (size_t i = order->first[series]; is_fine && i < order->first[series + 1]; i++)
			is_fine = search_watch_check_item(&telling->work->watch, i, err) &&
				  sum_of(telling, i, err) &&
				  put_buckets(telling, order->tables[i],
					  (int64_t)(i - order->first[series]) + 1, false, err);
	}
	return is_fine && telling->sink->end(telling->sink, err);
}

static bool
tell_sums(struct telling *telling, struct error *err)
{
	static const struct result_table table = {
		.name = "sum",
		.title = "All intervals",
		.columns = sum_columns,
		.column_count = ARRAY_LENGTH(sum_columns),
		.is_as_made = true,
		.none = "there are none",
	};
	const struct histogram_order *order = &telling->order;
	bool is_fine = telling->sink->begin(telling->sink, &table, err);
	for (uint32_t i = 0; is_fine && i < order->series_count; i++)
		is_fine = histogram_order_sum(order, telling->set, i, &telling->sum, err) &&
			  put_buckets(telling, order->tables[order->first[i]], 0, true, err);
	return is_fine && telling->sink->end(telling->sink, err);
}

/* ---- percentiles */

static bool
put_bounds(struct telling *telling, const struct bucket *bucket, int64_t *cells, struct error *err)
{
	cells[0] = bucket != NULL ? cell_of_bound(bucket->low) : FIGURE_NONE;
	cells[1] = bucket != NULL ? cell_of_bound(bucket->high) : FIGURE_NONE;
	cells[2] = FIGURE_NONE;
	if (bucket == NULL)
		return true;
	text_clear(&telling->words);
	text_add_bucket(&telling->words, bucket);
	if (telling->words.failed)
		return error_set_memory(err, "percentiles");
	return result_text(telling->sink, telling->words.bytes, telling->words.length, &cells[2], err);
}

/* Of the sum that was made; `table` is the only one in it, or NULL. */
static bool
put_percentiles(struct telling *telling, const struct histogram_table *of,
	const struct histogram_table *table, int64_t number, struct error *err)
{
	int64_t cells[ARRAY_LENGTH(percentile_columns)], *cell = cells, low, high;
	bool has_average = table != NULL && table->has_average && table->total == telling->sum.total;
	if (!put_text(telling, of->label, cell++, err) || !put_text(telling, of->section, cell++, err))
		return false;
	*cell++ = table != NULL ? number : FIGURE_NONE;
	if (!put_text(telling, table != NULL ? time_of(telling, table) : STRING_EMPTY, cell++, err))
		return false;
	*cell++ = (int64_t)telling->sum.total;
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++, cell += 3) {
		const struct bucket *bucket = telling->sum.total == 0
						      ? NULL
						      : histogram_sum_quantile(&telling->sum,
								quantiles[i].part, quantiles[i].whole);
		if (!put_bounds(telling, bucket, cell, err))
			return false;
	}
	bool is_known = histogram_sum_mean(&telling->sum, &low, &high);
	*cell++ = is_known ? low : FIGURE_NONE;
	*cell++ = is_known ? high : FIGURE_NONE;
	*cell++ = has_average ? table->average : FIGURE_NONE;
	*cell++ = has_average ? table->average_count : FIGURE_NONE;
	return telling->sink->row(telling->sink, cells, NULL, err);
}

/* One row of a series that is one histogram; else each, and all together without a number. */
static bool
tell_percentiles(struct telling *telling, struct error *err)
{
	static const struct result_table table = {
		.name = "percentiles",
		.title = "Percentiles, by the buckets that they are in",
		.columns = percentile_columns,
		.column_count = ARRAY_LENGTH(percentile_columns),
		.is_as_made = true,
		.none = "there are none",
	};
	const struct histogram_order *order = &telling->order;
	bool is_fine = telling->sink->begin(telling->sink, &table, err);
	for (uint32_t series = 0; is_fine && series < order->series_count; series++) {
		size_t first = order->first[series], until = order->first[series + 1];
		for (size_t i = first; is_fine && i < until; i++)
			is_fine = sum_of(telling, i, err) &&
				  put_percentiles(telling, order->tables[i], order->tables[i],
					  (int64_t)(i - first) + 1, err);
		if (is_fine && until - first > 1)
			is_fine = histogram_order_sum(order, telling->set, series, &telling->sum, err) &&
				  put_percentiles(telling, order->tables[first], NULL, 0, err);
	}
	return is_fine && telling->sink->end(telling->sink, err);
}

/* ---- pictures for people */

/* Bars of the sum that was made. */
static bool
tell_bars(struct telling *telling, const struct histogram_table *of, const char *caption, struct error *err)
{
	enum { UNIT_CELLS = 19 }; /* what bcc has room for */
	char unit[UNIT_CELLS + 1] = "";
	size_t length;
	const char *label = trace_text(telling->trace, of->label, &length);
	text_excerpt(unit, sizeof unit, label, length);
	const struct result_chart chart = { .caption = caption, .unit = unit, .is_half_open = true };
	const struct result_table table = {
		.name = "histogram",
		.title = text_string(&telling->words),
		.columns = bucket_columns,
		.column_count = ARRAY_LENGTH(bucket_columns),
		.is_as_made = true,
		.none = "there is none",
		.chart = &chart,
	};
	return telling->sink->begin(telling->sink, &table, err) &&
	       put_buckets(telling, of, 0, false, err) && telling->sink->end(telling->sink, err);
}

/* What the input tells of the values themselves. */
static void
write_average(struct telling *telling, const struct histogram_table *table)
{
	text_clear(&telling->caption);
	if (table->is_cut)
		text_add_string(&telling->caption, "the input ends within it; ");
	if (!table->has_average)
		return;
	text_format(&telling->caption, "avg = %" PRId64 ", total: %" PRId64 ", count: %" PRId64,
		table->average, table->sum, table->average_count);
	if ((uint64_t)table->average_count != table->total)
		text_format(&telling->caption, "; the rows count %" PRIu64, table->total);
}

static bool
tell_each(struct telling *telling, uint32_t series, struct error *err)
{
	const struct histogram_order *order = &telling->order;
	for (size_t i = order->first[series]; i < order->first[series + 1]; i++) {
		const struct histogram_table *table = order->tables[i];
		text_clear(&telling->words);
		text_add_histogram(&telling->words, telling->trace, table, table->interval,
			telling->sink->ascii);
		write_average(telling, table);
		if (!sum_of(telling, i, err) ||
			!tell_bars(telling, table, text_string(&telling->caption), err))
			return false;
	}
	return true;
}

static bool
tell_map(struct telling *telling, uint32_t series, struct error *err)
{
	const struct histogram_order *order = &telling->order;
	size_t from = order->first[series], until = order->first[series + 1];
	size_t first = order->tables[from]->interval;
	size_t count = order->tables[until - 1]->interval - first + 1;
	const struct result_chart chart = { .intervals = telling->names.items + first,
		.interval_count = (int)count };
	const struct result_table table = {
		.name = "map",
		.title = text_string(&telling->words),
		.columns = map_columns,
		.column_count = ARRAY_LENGTH(map_columns),
		.none = "there is none",
		.chart = &chart,
	};
	bool is_fine = telling->sink->begin(telling->sink, &table, err);
	for (size_t i = from; is_fine && i < until; i++) {
		is_fine = sum_of(telling, i, err);
		for (size_t j = 0; is_fine && j < telling->sum.count; j++) {
			const struct bucket *bucket = &telling->sum.buckets[j];
			const int64_t cells[] = { (int64_t)(order->tables[i]->interval - first),
				cell_of_bound(bucket->low), cell_of_bound(bucket->high),
				(int64_t)bucket->count };
			is_fine = telling->sink->row(telling->sink, cells, NULL, err);
		}
	}
	return is_fine && telling->sink->end(telling->sink, err);
}

/* A map and the sum of a series of intervals; else each by itself. */
static bool
tell_series(struct telling *telling, uint32_t series, struct error *err)
{
	const struct histogram_order *order = &telling->order;
	const struct histogram_table *of = order->tables[order->first[series]];
	bool is_cumulative = order->is_cumulative[series];
	if (!histogram_order_is_over_time(order, series))
		return tell_each(telling, series, err);
	text_clear(&telling->words);
	text_add_histogram(&telling->words, telling->trace, of, INTERVAL_NONE, telling->sink->ascii);
	if (is_cumulative)
		text_add_string(&telling->words, telling->has_differences
							  ? ": by how much it grew"
							  : ": cumulative, each has all before it; "
							    "histogram:" DIFFERENCES " tells how it grew");
	if (!tell_map(telling, series, err) ||
		!histogram_order_sum(order, telling->set, series, &telling->sum, err))
		return false;
	text_add_string(&telling->words, is_cumulative ? ", the last" : ", all intervals");
	return tell_bars(telling, of, "", err);
}

/* ---- the page */

static void *
read_parameter(const char *text, size_t from, struct error *why)
{
	bool has_differences = strcmp(text + from, DIFFERENCES) == 0;
	if (!has_differences && text[from] != '\0')
		return NULL;
	bool *parameter = array_new(1, sizeof *parameter, why);
	if (parameter != NULL)
		*parameter = has_differences;
	return parameter;
}

bool
histograms_are_differences(const void *parameter)
{
	return *(const bool *)parameter;
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct telling telling = { .work = work, .sink = sink, .trace = work->trace,
		.set = work->trace->histograms, .has_differences = histograms_are_differences(work->parameter) };
	const bool is_for_people = sink->chart_columns > 0;
	search_watch_expect(&work->watch, telling.set->table_count);
	bool is_fine = histogram_order_build(&telling.order, telling.set, err) &&
		       (!is_for_people || interval_names_build(&telling.names, work->trace, sink->ascii, err));
	for (uint32_t i = 0; is_fine && is_for_people && i < telling.order.series_count; i++)
		is_fine = tell_series(&telling, i, err);
	is_fine = is_fine && (is_for_people || (tell_all(&telling, err) && tell_sums(&telling, err))) &&
		  tell_percentiles(&telling, err);
	histogram_order_release(&telling.order);
	histogram_sum_release(&telling.sum);
	interval_names_release(&telling.names);
	text_release(&telling.words);
	text_release(&telling.caption);
	return is_fine;
}

static const char *const listed[] = { "histogram", "histogram:" DIFFERENCES, NULL };

const struct analysis_kind histogram_kind = {
	.name = "histogram",
	.help = "the input's histograms, and where percentiles lie",
	.heading = "Histograms",
	.title = "Histograms",
	.needs = NEEDS_HISTOGRAMS,
	.is_of_whole = true,
	.parameters = "nothing, or " DIFFERENCES,
	.listed = listed,
	.read = read_parameter,
	.forget = memory_free,
	.fill = fill,
};
