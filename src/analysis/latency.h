/*
 * The durations of a kind: how many, how they are distributed, and where the long ones are.
 *
 * Which spans belong to an interval, and with what duration, analysis/latency_gather.h says. Only
 * `within_ns` is cut to the interval. `cut_count` says of how many the trace does not have all.
 */
#ifndef TTRACE_ANALYSIS_LATENCY_H
#define TTRACE_ANALYSIS_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/latency_gather.h"
#include "analysis/latency_kind.h"
#include "base/error.h"
#include "query/radix.h"
#include "trace/trace.h"

struct words; /* trace/words.h */

struct latency {
	const struct trace *trace;
	enum latency_type type;
	struct radix_item *items; /* key: the duration in ns, ascending; value: see latency_span() */
	size_t count;
	int64_t total_ns;         /* of all, stays at INT64_MAX where it would be more */
	int64_t within_ns;        /* what of that lies in the interval, likewise */
	int64_t interval_ns;      /* what of the interval is loaded, at least 1 */
	size_t cut_count;         /* whose durations are at least as long as said */
	uint64_t skipped;         /* texts that a query's patterns would have taken too long for */
};

struct latency_span {
	int64_t start_ns, duration_ns;
	actor_ref actor;         /* as in the scope; REF_NONE: nobody knows */
	range_ref range;         /* of a range; REF_NONE for states and tasks */
	task_ref task;           /* of a task, else REF_NONE */
	stack_id stack;          /* where it began, of a ready state that of whoever made it so */
};

/*
 * What a gathering takes (`watch` as there), and some tens of nanoseconds for each span of the
 * kind. Release with latency_release() after success.
 */
bool latency_build(struct latency *latency, const struct trace *trace,
                   const struct latency_kind *kind, const struct latency_scope *scope,
                   struct search_watch *watch, struct error *err);
void latency_release(struct latency *latency);

/* The span of an item, all about it. O(log n). */
void latency_span(const struct latency *latency, size_t index, struct latency_span *span);
/* When it began. O(1). */
int64_t latency_start_ns(const struct latency *latency, size_t index);
/* Of items one after the other, a few ahead: neighbours in duration are far apart in memory. */
void latency_prefetch_start(const struct latency *latency, size_t index);
static inline int64_t
latency_duration_ns(const struct latency *latency, size_t index)
{
	return (int64_t)latency->items[index].key;
}

/* How many of them went on at a time, on the average over the interval: 1 is one all the time. */
static inline double
latency_share(const struct latency *latency)
{
	return (double)latency->within_ns / (double)latency->interval_ns;
}

/*
 * The smallest duration that at least `part` of `whole` of all are at most as long as, 0 without
 * spans: 999 of 1000 for p99.9. part <= whole < 2^32. O(1).
 */
int64_t latency_quantile(const struct latency *latency, uint64_t part, uint64_t whole);

/*
 * How many take 0 or 1 units, 2 or 3, 4 to 7 and so on, parts of units dropped. Returns how many
 * of the counts there are up to the last that is not 0. O(log n).
 */
enum { LATENCY_BUCKETS = 63 };
int latency_log2(const struct latency *latency, int64_t unit_ns, uint64_t counts[LATENCY_BUCKETS]);

/*
 * The indices of the `most` longest at most, the longest first, among equals the earliest. NULL
 * without memory; else the caller frees with memory_free().
 */
size_t *latency_longest(const struct latency *latency, size_t most, size_t *count,
                        struct error *err);

/*
 * Appends the name that durations are asked of, safe, if there is one: "without a
 * name" for the empty one.
 */
void latency_kind_add_name(struct text *text, const struct latency_kind *kind);
/* ", of the program's goroutines" where that can be otherwise. */
void latency_kind_add_whose(struct text *text, const struct words *words,
	const struct latency_kind *kind, const struct latency_scope *scope);

#endif
