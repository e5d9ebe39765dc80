/* Syscalls that went on without their processor: the scheduler took it away for others. */
#ifndef TTRACE_TRACE_PROCESSOR_LOSSES_H
#define TTRACE_TRACE_PROCESSOR_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

/* A syscall state and when it lost its processor: from there on it was blocked. */
struct processor_loss {
	uint32_t segment, state;
	resource_ref processor;
	int64_t time_ns;
};

/*
 * Calls back for each, processor by processor, of one processor by time, until one call says false;
 * whether none did. O(runs of processors + losses).
 */
bool processor_losses_each(const struct trace *trace,
                      bool (*function)(void *context, const struct processor_loss *loss),
                      void *context);

#endif
