/* Syscalls that went on without their proc: the scheduler took it away for others. */
#ifndef TTRACE_TRACE_PROC_LOSSES_H
#define TTRACE_TRACE_PROC_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

/* A syscall state and when it lost its proc: from there on it was blocked. */
struct proc_loss {
	uint32_t segment, state;
	proc_ref proc;
	int64_t time_ns;
};

/*
 * Calls back for each, proc by proc, of one proc by time, until one call says false; whether none
 * did. O(runs of procs + losses).
 */
bool proc_losses_each(const struct trace *trace,
                      bool (*function)(void *context, const struct proc_loss *loss),
                      void *context);

#endif
