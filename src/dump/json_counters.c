/* Counters, each written when it has changed. */
#include "dump/json_counters.h"

#include "base/compiler.h"

void
json_counters_goroutine(struct json_counters *counters, struct json_events *out, int64_t time_ns,
	enum json_class from, enum json_class to)
{
	if (from == to)
		return;
	counters->goroutines[from]--;
	counters->goroutines[to]++;
	const int64_t *counts = counters->goroutines;
	const struct json_arg values[] = {
		{ .key = "Running",
			.number = (uint64_t)counts[JSON_CLASS_RUNNING],
			.is_signed = true },
		{ .key = "Runnable",
			.number = (uint64_t)counts[JSON_CLASS_RUNNABLE],
			.is_signed = true },
		{ .key = "GCWaiting",
			.number = (uint64_t)counts[JSON_CLASS_GC_WAITING],
			.is_signed = true },
	};
	json_events_counter(out, time_ns, "Goroutines", values, ARRAY_LENGTH(values));
}

void
json_counters_procs(
	struct json_counters *counters, struct json_events *out, int64_t time_ns, int step)
{
	counters->running_procs += step;
	const struct json_arg values[] = {
		{ .key = "Running",
			.number = (uint64_t)counters->running_procs,
			.is_signed = true },
		{ .key = "InSyscall" },
	};
	json_events_counter(out, time_ns, "Threads", values, ARRAY_LENGTH(values));
}

static void
write_heap(const struct json_counters *counters, struct json_events *out, int64_t time_ns)
{
	uint64_t allocated = counters->heap_bytes, goal = counters->goal_bytes;
	const struct json_arg values[] = {
		{ .key = "Allocated", .number = allocated },
		{ .key = "NextGC", .number = goal > allocated ? goal - allocated : 0 },
	};
	json_events_counter(out, time_ns, "Heap", values, ARRAY_LENGTH(values));
}

void
json_counters_metric(
	struct json_counters *counters, struct json_events *out, const struct go_event *event)
{
	static const uint64_t no_goal_bytes = UINT64_C(1) << 50; /* beyond it there is none */
	uint64_t value = event->u.metric.value;
	struct json_counters before = *counters;
	if (event->u.metric.metric == GO_METRIC_HEAP_ALLOC)
		counters->heap_bytes = value;
	else if (event->u.metric.metric == GO_METRIC_HEAP_GOAL)
		counters->goal_bytes = value > no_goal_bytes ? 0 : value;
	if (counters->heap_bytes != before.heap_bytes || counters->goal_bytes != before.goal_bytes)
		write_heap(counters, out, event->time_ns);
}
