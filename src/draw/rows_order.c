/* The order in which groups of actors, processors and threads follow one another. */
#include <stdlib.h>

#include "base/memory.h"
#include "draw/rows_internal.h"

static bool
order_groups(struct timeline_rows *rows, struct error *err)
{
	rows->group_is_open = array_new(rows->trace->group_count, sizeof *rows->group_is_open, err);
	return rows->group_is_open != NULL &&
	       (rows->given != NULL ||
		       lane_order_build(&rows->usual, rows->trace, LANES_AS_USUAL, NULL, err));
}

struct id_rank {
	int64_t id;
	uint32_t ref;
};

static int
compare_ids(const void *left, const void *right)
{
	const struct id_rank *a = left, *b = right;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->ref > b->ref) - (a->ref < b->ref);
}

static int64_t
processor_id(const struct trace *trace, uint32_t ref)
{
	return trace_processor(trace, ref)->id;
}

static int64_t
thread_id(const struct trace *trace, uint32_t ref)
{
	return trace_thread(trace, ref)->id;
}

static bool
order_by_id(struct ref_list *order, const struct trace *trace, uint32_t count,
	int64_t (*id_of)(const struct trace *, uint32_t), struct error *err)
{
	struct id_rank *ranks = NULL;
	size_t capacity = 0;
	if (!array_reserve(&ranks, &capacity, count, sizeof *ranks, err) ||
		!array_reserve(&order->items, &order->capacity, count, sizeof *order->items, err)) {
		memory_free(ranks);
		return false;
	}
	for (uint32_t ref = 0; ref < count; ref++)
		ranks[ref] = (struct id_rank){ id_of(trace, ref), ref };
	if (count > 0)
		qsort(ranks, count, sizeof *ranks, compare_ids);
	for (uint32_t i = 0; i < count; i++)
		order->items[i] = ranks[i].ref;
	order->count = count;
	memory_free(ranks);
	return true;
}

bool
rows_order(struct timeline_rows *rows, struct error *err)
{
	const struct trace *trace = rows->trace;
	return order_groups(rows, err) &&
	       order_by_id(&rows->processor_order, trace, trace_processor_count(trace),
		       processor_id, err) &&
	       order_by_id(&rows->thread_order, trace, trace_thread_count(trace), thread_id, err);
}
