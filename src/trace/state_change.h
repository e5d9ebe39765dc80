/* What the builder is told of an actor that enters a state. */
#ifndef TTRACE_TRACE_STATE_CHANGE_H
#define TTRACE_TRACE_STATE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "trace/ref.h"
#include "trace/stack.h"

/*
 * `stack` and `waker` as segment.h says under `place` and `origin`; processor and thread where
 * it runs or is in a syscall. is_old: the state held since the trace began (a first mention
 * in the first generation).
 */
struct state_change {
	actor_ref actor;
	string_id reason;
	stack_id stack;
	uint32_t waker; /* REF_NONE for none */
	resource_ref processor;
	resource_ref thread;
	uint8_t state; /* enum state */
	uint8_t entry; /* enum state_entry */
	bool is_old;
	bool is_by_timer; /* made ready by an actor that runs timers */
};

enum { CHANGE_NONE = 16 }; /* no state, as STATE_COUNT is less */

/*
 * The same with its time, in half a cache line: nearly every event of a trace becomes one of
 * these, and they go from one core to another.
 */
struct timed_change {
	int64_t time_ns; /* of the event that it is the first change of; 0: of the one before */
	uint8_t state;   /* from CHANGE_NONE on this is no change, but something of the caller's */
	uint8_t entry;
	bool is_old, is_by_timer;
	actor_ref actor;
	string_id reason;
	uint32_t place, origin; /* see segment.h */
	resource_ref processor; /* where it runs or is in a syscall */
};

#endif
