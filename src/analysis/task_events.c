/* Gathers from three lists of each task and puts in order. */
#include "analysis/task_events.h"

#include <stdlib.h>

#include "base/memory.h"

struct gathering {
	struct task_events *events;
	const struct trace *trace;
	struct error *err;
};

static bool
add(struct gathering *gathering, struct task_event event)
{
	struct task_events *events = gathering->events;
	if (!array_reserve(&events->items, &events->capacity, events->count + 1,
		    sizeof *events->items, gathering->err))
		return false;
	events->items[events->count++] = event;
	return true;
}

static bool
add_ends(struct gathering *gathering, task_ref ref)
{
	const struct task *task = trace_task(gathering->trace, ref);
	if (!task->began_before &&
		!add(gathering, (struct task_event){ task->start_ns, TASK_EVENT_BEGIN, ref,
					task->start_actor, ref }))
		return false;
	return task->end_ns == TIME_OPEN ||
	       add(gathering, (struct task_event){ task->end_ns, TASK_EVENT_END, ref,
				      task->end_actor, ref });
}

static bool
add_region(struct gathering *gathering, task_ref task, range_ref ref)
{
	const struct range *region = trace_range(gathering->trace, ref);
	if (!region->began_before &&
		!add(gathering, (struct task_event){ region->start_ns, TASK_EVENT_REGION_BEGIN,
					task, region->scope, ref }))
		return false;
	return region->end_ns == TIME_OPEN ||
	       add(gathering, (struct task_event){ region->end_ns, TASK_EVENT_REGION_END, task,
				      region->scope, ref });
}

static bool
add_log(struct gathering *gathering, task_ref task, uint32_t ref)
{
	const struct instant *log = trace_instant(gathering->trace, ref);
	return add(gathering,
		(struct task_event){ log->time_ns, TASK_EVENT_LOG, task, log->actor, ref });
}

/* At one time inner regions end first. */
static int
compare_events(const void *left, const void *right)
{
	const struct task_event *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	int order = (a->ref > b->ref) - (a->ref < b->ref);
	return a->type == TASK_EVENT_REGION_END || a->type == TASK_EVENT_END ? -order : order;
}

bool
task_events_build(struct task_events *events, const struct trace *trace,
	const struct task_index *index, const struct task_life *life, struct error *err)
{
	struct task_events built = { 0 };
	struct gathering gathering = { &built, trace, err };
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < life->family_count; i++) {
		task_ref task = life->family[i];
		const struct ref_index *regions = &index->regions, *logs = &index->logs;
		is_fine = add_ends(&gathering, task);
		for (uint32_t n = regions->first[task]; is_fine && n < regions->first[task + 1];
			n++)
			is_fine = add_region(&gathering, task, regions->refs[n]);
		for (uint32_t n = logs->first[task]; is_fine && n < logs->first[task + 1]; n++)
			is_fine = add_log(&gathering, task, logs->refs[n]);
	}
	if (!is_fine) {
		task_events_release(&built);
		return false;
	}
	if (built.count > 0)
		qsort(built.items, built.count, sizeof *built.items, compare_events);
	*events = built;
	return true;
}

void
task_events_release(struct task_events *events)
{
	memory_free(events->items);
	*events = (struct task_events){ 0 };
}
