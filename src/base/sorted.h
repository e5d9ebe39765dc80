/* Places in ascending columns. */
#ifndef TTRACE_BASE_SORTED_H
#define TTRACE_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many of `count` items, each of so many bytes, are at most `value` by a field at that offset
 * in them, an int64_t, by which they ascend. O(log count).
 */
static inline size_t
sorted_until_field(
	const void *items, size_t count, size_t item_bytes, size_t field_bytes, int64_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const void *field = (const char *)items + middle * item_bytes + field_bytes;

		if (*(const int64_t *)field <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same of numbers. */
static inline size_t
sorted_until_i64(const int64_t *items, size_t count, int64_t value)
{
	return sorted_until_field(items, count, sizeof *items, 0, value);
}

/*
 * The nearest rank: the least number of `count` (> 0) items, at least 1, that is `part` of `whole`
 * of them or more: 999 of 1000 for p99.9. part <= whole < 2^32.
 */
static inline size_t
sorted_rank(size_t count, uint64_t part, uint64_t whole)
{
	size_t rank = count / whole * part + (count % whole * part + whole - 1) / whole;

	return rank > 0 ? rank : 1;
}

#endif
