/* What the builder is told of a goroutine that enters a state. */
#ifndef TTRACE_TRACE_STATE_CHANGE_H
#define TTRACE_TRACE_STATE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "trace/ref.h"
#include "trace/stack.h"

/*
 * `stack` and `waker` as segment.h says under `place` and `origin`; proc and thread where
 * it runs or is in a syscall. is_old: the state held since the trace began (a first mention
 * in the first generation).
 */
struct state_change {
	goroutine_ref goroutine;
	string_id reason;
	stack_id stack;
	uint32_t waker; /* REF_NONE for none */
	proc_ref proc;
	thread_ref thread;
	uint8_t state; /* enum state */
	uint8_t entry; /* enum state_entry */
	bool is_old;
	bool is_by_timer; /* made ready by a goroutine that runs timers */
};

#endif
