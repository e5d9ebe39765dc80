/*
 * What the viewer shows of events as they come, on the lanes of procs, threads or
 * goroutines: doc/format/cmd-trace-views.md, sections 4.3 to 4.6.
 */
#ifndef TTRACE_DUMP_JSON_VIEW_H
#define TTRACE_DUMP_JSON_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "dump/json_counters.h"
#include "dump/json_events.h"
#include "dump/json_lives.h"
#include "dump/json_ranges.h"
#include "source/go/event.h"

struct json_mode;

struct json_view {
	const struct json_mode *mode;
	struct json_events *out;
	int64_t focus; /* the goroutine whose lane comes first; GO_ID_NONE for none */
	struct json_lives lives;
	struct json_counters counters;
	struct json_ranges ranges;
	struct map syscalls;  /* proc to the index of the life that is in a system call on it */
	struct map threads;   /* those that are known, and */
	int64_t *thread_list; /* the same in the order of coming */
	size_t thread_count, thread_capacity;
	int64_t highest_proc; /* -1 for none */
	bool saw_sync;
	int64_t last_ns; /* of the event before */
};

void json_view_init(struct json_view *view, const struct json_mode *mode, struct json_events *out);
void json_view_release(struct json_view *view);
/* The thread has a lane, where threads have; elsewhere that costs nothing. */
void json_view_know_thread(struct json_view *view, int64_t thread);
void json_view_take(struct json_view *view, const struct go_event *event);
/* What is open ends with the last event. */
void json_view_finish(struct json_view *view);
/* The metadata of the resources. */
void json_view_lanes(struct json_view *view);

#endif
