/* Selects the places that count. */
#include "analysis/spread.h"

#include <string.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/sorted.h"

/*
 * Puts the value that sorting would put at `index` there, none greater before it and none less
 * behind. O(count), whatever the values are: the hash is keyed, so nobody can choose them for it.
 */
static void
select_index(int64_t *values, size_t count, size_t index)
{
	size_t low = 0, high = count;
	while (high - low > 1) {
		int64_t pivot = values[low + hash_pair(low, high) % (high - low)];
		size_t less = low, at = low, more = high;
		while (at < more) {
			int64_t value = values[at];
			if (value < pivot) {
				values[at++] = values[less];
				values[less++] = value;
			} else if (value > pivot) {
				values[at] = values[--more];
				values[more] = value;
			} else {
				at++;
			}
		}
		if (index >= less && index < more)
			return;
		low = index < less ? low : more;
		high = index < less ? less : high;
	}
}

/* Of what was not greater than the percentile before, which was a higher one. */
static int64_t
percentile(int64_t *durations_ns, size_t *below, size_t all, size_t zeros, unsigned percent)
{
	size_t rank = sorted_rank(all, percent, 100);
	if (rank <= zeros)
		return 0;
	size_t index = rank - 1 - zeros;
	select_index(durations_ns, *below, index);
	*below = index + 1;
	return durations_ns[index];
}

struct spread
spread_of(int64_t *durations_ns, size_t count, size_t zeros)
{
	struct spread spread = { 0 };
	size_t below = count, all = count + zeros;
	if (count == 0)
		return spread;
	for (size_t i = 0; i < count; i++) {
		spread.total_ns = saturating_add_i64(spread.total_ns, durations_ns[i]);
		if (durations_ns[i] > spread.max_ns)
			spread.max_ns = durations_ns[i];
	}
	spread.mean_ns = spread.total_ns / (int64_t)all;
	spread.p99_ns = percentile(durations_ns, &below, all, zeros, 99);
	spread.p90_ns = percentile(durations_ns, &below, all, zeros, 90);
	spread.p50_ns = percentile(durations_ns, &below, all, zeros, 50);
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
