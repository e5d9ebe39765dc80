/* Blocks are sorted one by one, then merged two and two, to and fro between two arrays. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"

struct work {
	const struct sort *sort;
	const atomic_bool *is_cancelled;
	size_t since_look; /* items that were merged since it was looked at */
};

static char *
item(const struct sort *sort, void *items, size_t index)
{
	return (char *)items + index * sort->item_bytes;
}

static size_t
least(size_t left, size_t right)
{
	return left < right ? left : right;
}

/* How many items from `first` on are in order. */
static size_t
ordered_from(const struct sort *sort, size_t first, size_t end)
{
	size_t i = first + 1;
	while (i < end && sort->compare(item(sort, sort->items, i - 1), item(sort, sort->items, i)) <= 0)
		i++;
	return least(i, end) - first;
}

/* *is_done tells that there is nothing to merge. */
static bool
sort_blocks(const struct work *work, bool *is_done, struct error *err)
{
	const struct sort *sort = work->sort;
	*is_done = true;
	for (size_t first = 0; first < sort->count; first += SORT_ITEMS_PER_LOOK) {
		size_t count = least(SORT_ITEMS_PER_LOOK, sort->count - first);
		char *block = item(sort, sort->items, first);
		if (!job_goes_on(work->is_cancelled, err))
			return false;
		if (ordered_from(sort, first, first + count) < count)
			qsort(block, count, sort->item_bytes, sort->compare);
		*is_done = *is_done &&
			   (first == 0 || sort->compare(block - sort->item_bytes, block) <= 0);
	}
	return true;
}

/* Merges [first, middle) and [middle, end) of `from` into the same place of `to`. */
static bool
merge(struct work *work, char *from, char *to, const size_t places[3], struct error *err)
{
	const struct sort *sort = work->sort;
	size_t left = places[0], middle = places[1], right = middle, end = places[2];
	for (size_t at = left; at < end; at++) {
		if (++work->since_look >= SORT_ITEMS_PER_LOOK) {
			work->since_look = 0;
			if (!job_goes_on(work->is_cancelled, err))
				return false;
		}
		bool takes_left = right == end ||
				  (left < middle && sort->compare(item(sort, from, left),
							    item(sort, from, right)) <= 0);
		memcpy(item(sort, to, at), item(sort, from, takes_left ? left++ : right++),
			sort->item_bytes);
	}
	return true;
}

static bool
merge_all(struct work *work, char *from, char *to, size_t run, struct error *err)
{
	size_t count = work->sort->count;
	for (size_t first = 0; first < count; first += 2 * run) {
		const size_t places[3] = { first, least(first + run, count),
			least(first + 2 * run, count) };
		if (!merge(work, from, to, places, err))
			return false;
	}
	return true;
}

/* *from is the array with all items, whether or not that was cancelled. */
static bool
merge_runs(struct work *work, char **from, char *to, struct error *err)
{
	for (size_t run = SORT_ITEMS_PER_LOOK; run < work->sort->count; run *= 2) {
		char *merged = to;
		if (!merge_all(work, *from, to, run, err))
			return false;
		to = *from;
		*from = merged;
	}
	return true;
}

bool
sort_items(const struct sort *sort, const atomic_bool *is_cancelled, struct error *err)
{
	struct work work = { .sort = sort, .is_cancelled = is_cancelled };
	bool is_done;
	if (!sort_blocks(&work, &is_done, err))
		return false;
	if (is_done)
		return true;
	char *other = array_new_unset(sort->count, sort->item_bytes, err);
	if (other == NULL)
		return false;
	char *all = sort->items;
	bool ok = merge_runs(&work, &all, other, err);
	if (all != (char *)sort->items)
		memcpy(sort->items, all, sort->count * sort->item_bytes);
	memory_free(other);
	return ok;
}
