/*
 * What differs between lanes of procs, of threads and of goroutines: doc/format/
 * cmd-trace-views.md, sections 4.4 and 4.5.
 */
#ifndef TTRACE_DUMP_JSON_MODE_H
#define TTRACE_DUMP_JSON_MODE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/go/event.h"

struct json_life;
struct json_view;

/* A transition of a goroutine, and where it happened. */
struct json_change {
	const struct go_event *event;
	enum go_state from, to;
	int64_t lane;     /* of the context of the event */
	int64_t begin_ns; /* of what began with it or, where nobody saw it begin, the trace */
};

struct json_mode {
	const char *process;
	bool runs_on_procs; /* a system call does not hold the lane */
	bool runs_on_threads;
	/* The lane of an event's context. */
	int64_t (*lane)(const struct go_event *event);
	void (*leave_syscall)(
		struct json_view *view, struct json_life *life, const struct json_change *change);
	void (*enter_syscall)(
		struct json_view *view, struct json_life *life, const struct json_change *change);
	void (*proc)(struct json_view *view, const struct go_event *event);
	void (*lanes)(struct json_view *view);
};

extern const struct json_mode json_proc_mode, json_thread_mode, json_goroutine_mode;

#endif
