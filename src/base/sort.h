/* Sorting of so many items that whoever waits for it may want to stop it. */
#ifndef TTRACE_BASE_SORT_H
#define TTRACE_BASE_SORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* So many items are sorted or merged between two looks whether it is cancelled. */
enum { SORT_ITEMS_PER_LOOK = 1024 };

struct sort {
	void *items;
	size_t count, item_bytes;
	/* As of qsort(). Where it says 0 the order is any. */
	int (*compare)(const void *left, const void *right);
};

/*
 * Sorts the items in their place. False with ERROR_CANCELLED soon after *is_cancelled became true
 * (NULL: never), or without memory for as many items again, which it needs while it merges; the
 * items are then the same in any order. O(n) where they are in order before, else O(n log n).
 */
bool sort_items(const struct sort *sort, const atomic_bool *is_cancelled, struct error *err);

#endif
