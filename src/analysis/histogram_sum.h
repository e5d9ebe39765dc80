/* Histograms of a trace added up and asked where their percentiles lie. */
#ifndef TTRACE_ANALYSIS_HISTOGRAM_SUM_H
#define TTRACE_ANALYSIS_HISTOGRAM_SUM_H

#include "base/text.h"
#include "trace/histogram_set.h"
#include "trace/trace.h"

/* Zero-initialised is empty; used again it keeps its memory. */
struct histogram_sum {
	struct bucket *buckets; /* ascending by their ends */
	size_t count, capacity;
	uint64_t total;
	bool overlaps;          /* buckets of one lie across those of another: nobody knows percentiles */
};

/* A histogram alone. */
bool histogram_sum_of(struct histogram_sum *sum, const struct histogram_set *set,
	const struct histogram_table *table, struct error *err);
/*
 * What it has more than `before`, which was printed earlier from the same counts: none has less
 * there. Buckets that are in one alone stay, or are 0.
 */
void histogram_sum_subtract(struct histogram_sum *sum, const struct bucket *before, size_t count);
void histogram_sum_release(struct histogram_sum *sum);

/*
 * The bucket in which part/whole of all are reached for the first time, counted from below; NULL
 * where there is none. O(buckets).
 */
const struct bucket *histogram_sum_quantile(const struct histogram_sum *sum, uint64_t part,
	uint64_t whole);
/* Whole numbers between which the mean lies; false where nobody knows. */
bool histogram_sum_mean(const struct histogram_sum *sum, int64_t *low, int64_t *high);

/* The histograms of a trace, series by series, in the order of the input within each. */
struct histogram_order {
	const struct histogram_table **tables;
	size_t *first;       /* of each series, and one more at the end: its tables */
	bool *is_cumulative; /* of each series: no count of it ever falls, so each has all before it */
	uint32_t series_count;
};

bool histogram_order_build(struct histogram_order *order, const struct histogram_set *set,
	struct error *err);
void histogram_order_release(struct histogram_order *order);
/* Whether a series is of several intervals. */
bool histogram_order_is_over_time(const struct histogram_order *order, uint32_t series);
/*
 * What is told of a table, by its number in the order. With `has_differences` a cumulative one is told by
 * how much it grew since the one before.
 */
bool histogram_order_table(const struct histogram_order *order, const struct histogram_set *set,
	size_t index, bool has_differences, struct histogram_sum *sum, struct error *err);
/* What the parameter of the analysis "histogram" says: whether differences are told. */
bool histograms_are_differences(const void *parameter);
/*
 * The whole series in one: the sum, or the last where they are cumulative. O(n log² n) of its
 * buckets, in memory for those that differ.
 */
bool histogram_order_sum(const struct histogram_order *order, const struct histogram_set *set,
	uint32_t series, struct histogram_sum *sum, struct error *err);

/* The names of all intervals of a trace, safe text. Zero-initialised has none. */
struct interval_names {
	const char **items; /* by the intervals' numbers */
	struct text text;
};

bool interval_names_build(struct interval_names *names, const struct trace *trace, bool ascii,
	struct error *err);
void interval_names_release(struct interval_names *names);

/*
 * "@run_us, disk = vda, until 22:08:34" as safe text; of a series without the time, for which
 * `interval` is INTERVAL_NONE. What has no label is "(no label)".
 */
void text_add_histogram(struct text *out, const struct trace *trace,
	const struct histogram_table *table, uint32_t interval, bool ascii);
/* "[2, 4)", "below 0", "from 200" */
void text_add_bucket(struct text *out, const struct bucket *bucket);

#endif
