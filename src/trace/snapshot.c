/* Snapshots: what of a trace is shared and what is copied. */
#include "trace/snapshot.h"

#include <string.h>

#include "base/memory.h"

/* Their rows never change. */
static void
share_tables(struct trace *snapshot, const struct trace *of, const struct table_counts *counts)
{
	snapshot->strings = intern_share(&of->strings, counts->strings);
	snapshot->stacks = stack_table_share(&of->stacks, counts->frames, counts->nodes);
	snapshot->procs = stable_share(&of->procs, of->procs.count);
	snapshot->threads = stable_share(&of->threads, of->threads.count);
	snapshot->instants = stable_share(&of->instants, of->instants.count);
	snapshot->segments = stable_share(&of->segments, of->segments.count);
}

static bool
copy_rows(struct trace *snapshot, const struct trace *of, struct error *err)
{
	return stable_copy(&snapshot->goroutines, &of->goroutines, err) &&
	       stable_copy(&snapshot->tasks, &of->tasks, err) &&
	       stable_copy(&snapshot->ranges, &of->ranges, err) &&
	       stable_copy(&snapshot->alloc_types, &of->alloc_types, err) &&
	       id_map_copy(&snapshot->goroutine_of, &of->goroutine_of, err) &&
	       all_changes_copy(&snapshot->all, &of->all, err) &&
	       wall_clock_copy(&snapshot->wall, &of->wall, err) &&
	       parts_copy(&snapshot->parts, &of->parts, err);
}

static bool
copy_counter(struct counter *copy, const struct counter *counter, struct error *err)
{
	copy->time_ns = array_copy(counter->time_ns, counter->count, sizeof(int64_t), err);
	copy->value = array_copy(counter->value, counter->count, sizeof(uint64_t), err);
	copy->count = copy->time_capacity = copy->value_capacity = counter->count;
	return copy->time_ns != NULL && copy->value != NULL;
}

static void
copy_facts(struct trace *snapshot, const struct trace *of)
{
	memcpy(snapshot->kinds, of->kinds, sizeof(of->kinds));
	snapshot->kind_count = of->kind_count;
	memcpy(snapshot->allocs, of->allocs, sizeof(of->allocs));
	memcpy(snapshot->wake_totals, of->wake_totals, sizeof(of->wake_totals));
	snapshot->origin_ns = of->origin_ns;
	snapshot->start_ns = of->start_ns;
	snapshot->end_ns = of->end_ns;
	snapshot->event_count = of->event_count;
	snapshot->generation_count = of->generation_count;
}

struct trace *
snapshot_new(struct trace *of, const struct table_counts *counts, struct error *err)
{
	struct trace *snapshot = array_new(1, sizeof(*snapshot), err);
	bool ok = true;

	if (snapshot == NULL)
		return NULL;
	atomic_init(&snapshot->holders, 1);
	snapshot->of = of;
	trace_hold(of);
	copy_facts(snapshot, of);
	share_tables(snapshot, of, counts);
	for (int i = 0; ok && i < COUNTER_COUNT; i++)
		ok = copy_counter(&snapshot->counters[i], &of->counters[i], err);
	if (!ok || !copy_rows(snapshot, of, err)) {
		trace_free(snapshot);
		return NULL;
	}
	return snapshot;
}
