/* Binary search in ascending columns. */
#ifndef TTRACE_BASE_SORTED_H
#define TTRACE_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* How many of `count` ascending items are at most `value`. O(log count). */
static inline size_t
sorted_until_i64(const int64_t *items, size_t count, int64_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (items[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
