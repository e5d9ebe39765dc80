/* Sorting of many numbers in linear time. */
#ifndef TTRACE_QUERY_RADIX_H
#define TTRACE_QUERY_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct radix_item {
	uint64_t key, value;
};

/*
 * Sorts by key; items with equal keys keep their order. Needs as much memory
 * again for the time of the call. On failure the items are as they were.
 */
bool radix_sort(struct radix_item *items, size_t count, struct error *err);

/* How many of sorted items have a smaller key. O(log count). */
size_t radix_below(const struct radix_item *items, size_t count, uint64_t key);

#endif
