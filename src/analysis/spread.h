/* What a set of durations comes to. */
#ifndef TTRACE_ANALYSIS_SPREAD_H
#define TTRACE_ANALYSIS_SPREAD_H

#include <stddef.h>
#include <stdint.h>

struct spread {
	int64_t total_ns; /* stays at INT64_MAX where it would be more */
	int64_t mean_ns;  /* rounded down */
	/* At least so many percent of the durations are at most as long as that one of them. */
	int64_t p50_ns, p90_ns, p99_ns;
	int64_t max_ns;
};

/*
 * Of `zeros` durations of 0 and `count` others, whose order changes. All 0 where there are none.
 * O(n).
 */
struct spread spread_of(int64_t *durations_ns, size_t count, size_t zeros);

/*
 * How many take 0 or 1 ns, 2 or 3, 4 to 7 and so on; none is negative. Returns how many of the
 * counts there are up to the last that is not 0. O(n).
 */
enum { SPREAD_BUCKETS = 63 };
int spread_log2(const int64_t *durations_ns, size_t count, uint64_t counts[SPREAD_BUCKETS]);

#endif
