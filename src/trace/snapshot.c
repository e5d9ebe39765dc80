/* Snapshots: what of a trace is shared and what is copied. */
#include "trace/snapshot.h"

#include <string.h>

#include "base/memory.h"

static bool
is_open_task(const void *task)
{
	return ((const struct task *)task)->end_ns == TIME_OPEN;
}

static bool
is_open_range(const void *range)
{
	return ((const struct range *)range)->end_ns == TIME_OPEN;
}

static void
share_counter(struct counter *shared, const struct counter *counter)
{
	shared->time_ns = stable_share(&counter->time_ns, counter->time_ns.count);
	shared->value = stable_share(&counter->value, counter->value.count);
}

/* Their rows never change, but for those of tasks and ranges until they have ended. */
static bool
share_tables(struct trace *snapshot, const struct trace *of, const struct table_counts *counts,
             struct error *err)
{
	snapshot->strings = intern_share(&of->strings, counts->strings);
	snapshot->stacks = stack_table_share(&of->stacks, counts->frames, counts->nodes);
	snapshot->processors = stable_share(&of->processors, of->processors.count);
	snapshot->threads = stable_share(&of->threads, of->threads.count);
	snapshot->tasks = stable_share(&of->tasks, of->tasks.count);
	snapshot->ranges = stable_share(&of->ranges, of->ranges.count);
	snapshot->instants = stable_share(&of->instants, of->instants.count);
	snapshot->segments = stable_share(&of->segments, of->segments.count);
	for (int i = 0; i < COUNTER_COUNT; i++)
		share_counter(&snapshot->counters[i], &of->counters[i]);
	return open_rows_copy(&snapshot->open_tasks, &of->tasks, is_open_task, err) &&
	       open_rows_copy(&snapshot->open_ranges, &of->ranges, is_open_range, err);
}

static bool
copy_rows(struct trace *snapshot, const struct trace *of, struct error *err)
{
	return stable_copy(&snapshot->actors, &of->actors, err) &&
	       stable_copy(&snapshot->alloc_types, &of->alloc_types, err) &&
	       id_map_copy(&snapshot->actor_of, &of->actor_of, err) &&
	       all_changes_copy(&snapshot->all, &of->all, err) &&
	       wall_clock_copy(&snapshot->wall, &of->wall, err) &&
	       parts_copy(&snapshot->parts, &of->parts, err);
}

static void
copy_facts(struct trace *snapshot, const struct trace *of)
{
	memcpy(snapshot->kinds, of->kinds, sizeof(of->kinds));
	snapshot->kind_count = of->kind_count;
	memcpy(snapshot->allocs, of->allocs, sizeof(of->allocs));
	memcpy(snapshot->wake_totals, of->wake_totals, sizeof(of->wake_totals));
	snapshot->words = of->words;
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

	if (snapshot == NULL)
		return NULL;
	atomic_init(&snapshot->holders, 1);
	snapshot->of = of;
	trace_hold(of);
	copy_facts(snapshot, of);
	if (!share_tables(snapshot, of, counts, err) || !copy_rows(snapshot, of, err)) {
		trace_free(snapshot);
		return NULL;
	}
	return snapshot;
}
