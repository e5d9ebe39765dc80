/*
 * The threads of a generation that still have events, by the time of the event
 * at the head of each: a binary heap. Its steps are spelled out in
 * doc/format/go-trace-semantics.md, section 2, because they decide the order
 * of events with equal times.
 */
#ifndef TTRACE_SOURCE_GO_FRONTIER_H
#define TTRACE_SOURCE_GO_FRONTIER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct frontier_item {
	int64_t time_ns;
	uint32_t cursor;   /* what the item stands for, the caller's */
	uint32_t position; /* for frontier_sort() only */
};

/* items[0] has the least time. Zero-initialised is empty. */
struct frontier {
	struct frontier_item *items;
	size_t count, capacity;
};

bool frontier_add(struct frontier *frontier, int64_t time_ns, uint32_t cursor,
                  struct error *err);
/* Moves the item at index down to where its time belongs, along a path of smaller ones. */
void frontier_sink(struct frontier *frontier, size_t index);
/* Moves it up or down. */
void frontier_settle(struct frontier *frontier, size_t index);

/* The item at index has got another time. In line, as it is done after each event. */
static inline void
frontier_update(struct frontier *frontier, size_t index, int64_t time_ns)
{
	struct frontier_item *items = frontier->items;
	size_t count = frontier->count;

	assert(index < count);
	items[index].time_ns = time_ns;
	if (UNLIKELY(index > 0))
		frontier_settle(frontier, index);
	else if ((count > 1 && items[1].time_ns < time_ns) ||
	         (count > 2 && items[2].time_ns < time_ns))
		frontier_sink(frontier, 0);
}

/*
 * items[0] has got a later time: moves it down. What happens most is in line, that two threads
 * take turns: they change places.
 */
static ALWAYS_INLINE void
frontier_sink_first(struct frontier *frontier)
{
	enum { WITH_GRANDCHILDREN = 7 };
	struct frontier_item *items = frontier->items, moved = items[0];

	if (LIKELY(frontier->count >= WITH_GRANDCHILDREN)) {
		size_t least = items[2].time_ns < items[1].time_ns ? 2 : 1;
		const struct frontier_item *below = &items[2 * least + 1];

		if (LIKELY(items[least].time_ns < moved.time_ns &&
		           below[0].time_ns >= moved.time_ns &&
		           below[1].time_ns >= moved.time_ns)) {
			items[0] = items[least];
			items[least] = moved;
			return;
		}
	}
	frontier_sink(frontier, 0);
}

/* Up to when, this moment included, items[0] stays the first whatever its time becomes. */
static inline int64_t
frontier_first_until(const struct frontier *frontier)
{
	const struct frontier_item *items = frontier->items;
	size_t count = frontier->count;
	int64_t until_ns = count > 1 ? items[1].time_ns : INT64_MAX;

	return count > 2 && items[2].time_ns < until_ns ? items[2].time_ns : until_ns;
}

void frontier_remove(struct frontier *frontier, size_t index);
/* Sorts all items by time, equal ones as they stood; that is a heap as well. */
void frontier_sort(struct frontier *frontier);
void frontier_release(struct frontier *frontier);

#endif
