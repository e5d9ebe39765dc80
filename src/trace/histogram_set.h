/*
 * Histograms ready made, as tools print them: buckets of values with how many fell into each. A
 * trace that has them has no axis of time; a histogram may tell of an interval, of which the end is
 * known as a time of day. Histograms with the same label and section are a series, in the
 * order of the input.
 */
#ifndef TTRACE_TRACE_HISTOGRAM_SET_H
#define TTRACE_TRACE_HISTOGRAM_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"

/* Ends of a bucket that has none. */
#define BUCKET_OPEN_LOW INT64_MIN
#define BUCKET_OPEN_HIGH INT64_MAX

/* Of values in [low, high). */
struct bucket {
	int64_t low, high;
	uint64_t count;
};

/* Of a histogram that belongs to no interval. */
#define INTERVAL_NONE UINT32_MAX

/* Names are ids of trace->strings. */
struct histogram_table {
	string_id label;    /* what its values are, as the input has it: "usecs", "@run_us[nginx]" */
	string_id section;  /* what they are of: "disk = vda"; both are STRING_EMPTY for nothing */
	uint32_t interval;  /* a number of histogram_set.intervals */
	uint32_t series;    /* those of the same label and section; numbered by their first ones */
	size_t first, count; /* its buckets, ascending and without overlap */
	uint64_t total;     /* of its counts */
	bool has_average;   /* what the input tells of the values themselves, not of the buckets: */
	int64_t average, sum, average_count;
	bool is_cut;        /* the input ends within it */
};

/* The interval until a time of day. */
struct histogram_interval {
	string_id text;     /* of that time, "22:08:34" */
	int64_t end_s;      /* since the first midnight; may go back from one run to the next */
	bool has_tables;
};

struct histogram_set {
	struct histogram_table *tables; /* none is empty */
	struct bucket *buckets;
	struct histogram_interval *intervals;
	size_t table_count, bucket_count, interval_count;
	uint32_t series_count;
	size_t table_capacity, bucket_capacity, interval_capacity;
	struct intern series; /* ids are 1 more than their numbers */
};

/* NULL with err set for want of memory. */
struct histogram_set *histogram_set_new(struct error *err);
void histogram_set_free(struct histogram_set *set); /* NULL is fine */
/* As it is, with names of the same ids; none can be added to it. */
struct histogram_set *histogram_set_copy(const struct histogram_set *set, struct error *err);
size_t histogram_set_bytes(const struct histogram_set *set);

/* The interval that ends then, for the histograms that follow; the last one again if it is that. */
bool histogram_set_add_interval(struct histogram_set *set, string_id text, int64_t end_s,
	struct error *err);
/*
 * Begins a histogram of an interval, or of INTERVAL_NONE; then its buckets are added. These fail for
 * want of memory.
 */
bool histogram_set_begin(struct histogram_set *set, string_id label, string_id section,
	uint32_t interval, struct error *err);
/* It is above the one before. Who adds it sees to it that all counts together fit 63 bits. */
bool histogram_set_add(struct histogram_set *set, const struct bucket *bucket, struct error *err);

#endif
