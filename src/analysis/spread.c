/* Sorts, and looks at the places that count. */
#include "analysis/spread.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static int
compare(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

size_t
spread_rank(size_t count, uint64_t part, uint64_t whole)
{
	size_t rank = count / whole * part + (count % whole * part + whole - 1) / whole;
	return rank > 0 ? rank : 1;
}

static int64_t
percentile(const int64_t *sorted_ns, size_t count, size_t zeros, unsigned percent)
{
	size_t rank = spread_rank(count + zeros, percent, 100);
	return rank > zeros ? sorted_ns[rank - 1 - zeros] : 0;
}

struct spread
spread_of(int64_t *durations_ns, size_t count, size_t zeros)
{
	struct spread spread = { 0 };
	if (count == 0)
		return spread;
	qsort(durations_ns, count, sizeof(*durations_ns), compare);
	for (size_t i = 0; i < count; i++)
		spread.total_ns = saturating_add_i64(spread.total_ns, durations_ns[i]);
	spread.mean_ns = spread.total_ns / (int64_t)(count + zeros);
	spread.p50_ns = percentile(durations_ns, count, zeros, 50);
	spread.p90_ns = percentile(durations_ns, count, zeros, 90);
	spread.p99_ns = percentile(durations_ns, count, zeros, 99);
	spread.max_ns = durations_ns[count - 1];
	return spread;
}

int
spread_log2(const int64_t *durations_ns, size_t count, uint64_t counts[SPREAD_BUCKETS])
{
	int used = 0;
	memset(counts, 0, SPREAD_BUCKETS * sizeof *counts);
	for (size_t i = 0; i < count; i++) {
		int bucket = 0;
		while (durations_ns[i] >> bucket > 1)
			bucket++;
		counts[bucket]++;
		used = bucket < used ? used : bucket + 1;
	}
	return used;
}
