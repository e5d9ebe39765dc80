/* What a task tells of itself: its ends, regions and logs, and those of the tasks below it. */
#ifndef TTRACE_ANALYSIS_TASK_EVENTS_H
#define TTRACE_ANALYSIS_TASK_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/task_life.h"
#include "base/error.h"
#include "trace/trace.h"

/* In the order that holds where the times are equal. */
enum task_event_type {
	TASK_EVENT_BEGIN,
	TASK_EVENT_REGION_BEGIN,
	TASK_EVENT_LOG,
	TASK_EVENT_REGION_END,
	TASK_EVENT_END,
};

struct task_event {
	int64_t time_ns;
	enum task_event_type type;
	task_ref task;           /* of the family */
	actor_ref actor;         /* REF_NONE where it is not known */
	uint32_t ref; /* of the range or instant; for the ends of a task the task itself */
};

struct task_events {
	struct task_event *items; /* by time */
	size_t count, capacity;
};

/*
 * Gathers what the family of a life did within the trace, also what lies outside of the task's own
 * time. What began before the trace or ended after it has no event there. O(n log n). Release
 * with task_events_release() after success.
 */
bool task_events_build(struct task_events *events, const struct trace *trace,
	const struct task_index *index, const struct task_life *life, struct error *err);
void task_events_release(struct task_events *events);

#endif
