/*
 * The counters of the viewer's JSON: goroutines by state, the heap, threads
 * (doc/format/cmd-trace-views.md, section 4.3).
 */
#ifndef TTRACE_DUMP_JSON_COUNTERS_H
#define TTRACE_DUMP_JSON_COUNTERS_H

#include <stdint.h>

#include "dump/json_events.h"
#include "source/go/event.h"

enum json_class {
	JSON_CLASS_DEAD,
	JSON_CLASS_WAITING,
	JSON_CLASS_RUNNING,
	JSON_CLASS_RUNNABLE,
	JSON_CLASS_GC_WAITING,
	JSON_CLASS_COUNT
};

/* Zero-initialised is the start of a trace. */
struct json_counters {
	int64_t goroutines[JSON_CLASS_COUNT];
	int64_t running_procs;
	uint64_t heap_bytes, goal_bytes;
};

/* Each writes the counter that it changes. */
void json_counters_goroutine(struct json_counters *counters, struct json_events *out,
	int64_t time_ns, enum json_class from, enum json_class to);
void json_counters_procs(
	struct json_counters *counters, struct json_events *out, int64_t time_ns, int step);
void json_counters_metric(
	struct json_counters *counters, struct json_events *out, const struct go_event *event);

#endif
