/* Sorting of many numbers in linear time. */
#ifndef TTRACE_QUERY_RADIX_H
#define TTRACE_QUERY_RADIX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct radix_item {
	uint64_t key, value;
};

/*
 * Sorts by key; items with equal keys keep their order. Needs as much memory
 * again for the time of the call. On failure the items are the same in any order, so too with
 * ERROR_CANCELLED soon after *is_cancelled became true (NULL: never).
 */
bool radix_sort(struct radix_item *items, size_t count, const atomic_bool *is_cancelled,
                struct error *err);

/* How many of sorted items have a smaller key. O(log count). */
size_t radix_below(const struct radix_item *items, size_t count, uint64_t key);

#endif
