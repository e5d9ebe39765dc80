/* The order in which groups, procs and threads follow one another. */
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"
#include "base/checked.h"
#include "base/memory.h"
#include "draw/rows_internal.h"

/* ---- the order of groups */

struct group_rank {
	group_ref group;
	bool is_runtime; /* of Go itself: these come last */
	int64_t busy_ns;
};

static struct lane
group_lane(const struct trace *trace, group_ref group)
{
	const struct group *members = &trace->groups[group];
	if (members->count == 1)
		return (struct lane){ LANE_GOROUTINE, trace->group_members[members->first] };
	return (struct lane){ LANE_GROUP, group };
}

static struct group_rank
rank_group(const struct trace *trace, group_ref group)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, group_lane(trace, group), 0, trace->end_ns, totals_ns);
	return (struct group_rank){
		.group = group,
		.is_runtime = trace_is_runtime_name(trace, trace->groups[group].name),
		.busy_ns = saturating_add_i64(totals_ns[CLASS_RUNNING],
			saturating_add_i64(totals_ns[CLASS_READY], totals_ns[CLASS_SYSCALL])),
	};
}

static int
compare_ranks(const void *left, const void *right)
{
	const struct group_rank *a = left, *b = right;
	if (a->is_runtime != b->is_runtime)
		return a->is_runtime ? 1 : -1;
	if (a->busy_ns != b->busy_ns)
		return a->busy_ns > b->busy_ns ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static bool
order_groups(struct timeline_rows *rows, struct error *err)
{
	const struct trace *trace = rows->trace;
	struct group_rank *ranks = NULL;
	struct ref_list *order = &rows->group_order;
	size_t rank_capacity = 0, open_capacity = 0, count = trace->group_count;
	bool is_done =
		array_reserve(&ranks, &rank_capacity, count, sizeof *ranks, err) &&
		array_reserve(&order->items, &order->capacity, count, sizeof *order->items, err) &&
		array_reserve(&rows->group_is_open, &open_capacity, count,
			sizeof *rows->group_is_open, err);
	if (is_done && count > 0) {
		for (group_ref group = 0; group < count; group++)
			ranks[group] = rank_group(trace, group);
		qsort(ranks, count, sizeof *ranks, compare_ranks);
		for (size_t i = 0; i < count; i++)
			order->items[i] = ranks[i].group;
		order->count = count;
		memset(rows->group_is_open, 0, count * sizeof *rows->group_is_open);
	}
	memory_free(ranks);
	return is_done;
}

/* ---- the order of procs and threads */

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
proc_id(const struct trace *trace, uint32_t ref)
{
	return trace_proc(trace, ref)->id;
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
	       order_by_id(&rows->proc_order, trace, trace_proc_count(trace), proc_id, err) &&
	       order_by_id(&rows->thread_order, trace, trace_thread_count(trace), thread_id, err);
}
