/* The heap of threads. */
#include "source/go/frontier.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* Up to here insertion is faster; traces seldom have more threads that are awake. */
enum { INSERTION_SORT_MAX = 32 };

static void
swap(struct frontier_item *items, size_t a, size_t b)
{
	struct frontier_item kept = items[a];
	items[a] = items[b];
	items[b] = kept;
}

static size_t
parent_of(size_t index)
{
	return (index - 1) / 2;
}

/* Returns where the item ended up. */
static size_t
sift_up(struct frontier *frontier, size_t index)
{
	struct frontier_item *items = frontier->items;
	while (index > 0 && items[index].time_ns < items[parent_of(index)].time_ns) {
		swap(items, index, parent_of(index));
		index = parent_of(index);
	}
	return index;
}

void
frontier_sink(struct frontier *frontier, size_t index)
{
	struct frontier_item *items = frontier->items;
	size_t count = frontier->count, least;
	struct frontier_item moved = items[index];
	while ((least = 2 * index + 1) < count) {
		const struct frontier_item *children = &items[least];
		/* Of two equal children the left one goes up. No branch: it would be mispredicted. */
		if (LIKELY(least + 1 < count))
			least += children[1].time_ns < children[0].time_ns;
		if (items[least].time_ns >= moved.time_ns)
			break;
		items[index].time_ns = items[least].time_ns;
		items[index].cursor = items[least].cursor;
		index = least;
	}
	items[index].time_ns = moved.time_ns;
	items[index].cursor = moved.cursor;
}

bool
frontier_add(struct frontier *frontier, int64_t time_ns, uint32_t cursor, struct error *err)
{
	if (!array_reserve(&frontier->items, &frontier->capacity, frontier->count + 1,
	                   sizeof(*frontier->items), err))
		return false;
	frontier->items[frontier->count++] = (struct frontier_item){ time_ns, cursor, 0 };
	sift_up(frontier, frontier->count - 1);
	return true;
}

void
frontier_settle(struct frontier *frontier, size_t index)
{
	if (sift_up(frontier, index) == index)
		frontier_sink(frontier, index);
}

void
frontier_remove(struct frontier *frontier, size_t index)
{
	assert(index < frontier->count);
	for (; index > 0; index = parent_of(index))
		swap(frontier->items, index, parent_of(index));
	frontier->count--;
	swap(frontier->items, 0, frontier->count);
	frontier_sink(frontier, 0);
}

static void
insertion_sort(struct frontier_item *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct frontier_item moved = items[i];
		size_t to = i;
		for (; to > 0 && moved.time_ns < items[to - 1].time_ns; to--)
			items[to] = items[to - 1];
		items[to] = moved;
	}
}

static int
compare(const void *left, const void *right)
{
	const struct frontier_item *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->position < b->position ? -1 : a->position > b->position;
}

static bool
is_sorted(const struct frontier *frontier)
{
	for (size_t i = 1; i < frontier->count; i++) {
		if (frontier->items[i].time_ns < frontier->items[i - 1].time_ns)
			return false;
	}
	return true;
}

void
frontier_sort(struct frontier *frontier)
{
	if (frontier->count <= INSERTION_SORT_MAX) {
		insertion_sort(frontier->items, frontier->count);
		return;
	}
	/* While the first ones stay stuck little changes from one time to the next. */
	if (is_sorted(frontier))
		return;
	for (size_t i = 0; i < frontier->count; i++)
		frontier->items[i].position = (uint32_t)i;
	qsort(frontier->items, frontier->count, sizeof(*frontier->items), compare);
}

void
frontier_release(struct frontier *frontier)
{
	memory_free(frontier->items);
	*frontier = (struct frontier){ 0 };
}
