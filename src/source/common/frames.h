/* Stacks of the kernel's events, a line a frame, below the event. */
#ifndef TTRACE_SOURCE_COMMON_FRAMES_H
#define TTRACE_SOURCE_COMMON_FRAMES_H

#include "source/common/kernel.h"
#include "source/common/scan.h"
#include "trace/stack.h"

/* Zero-initialised is none. */
struct frames {
	frame_id *ids; /* the innermost first */
	size_t count, capacity;
	uint32_t cpu;
	bool is_open;
};

/* Whether an event says that a stack follows: "<stack trace>", "kernel_stack: <stack trace>". */
bool frames_follow(struct scan event);
/* The stack is of the last event on that CPU. */
void frames_begin(struct frames *frames, uint32_t cpu);
/* Of more than the kernel has, the outermost are left out. Fails for want of memory, as the next one. */
bool frames_add(struct frames *frames, struct trace *trace, string_id function, struct error *err);
/* What is open is all of it. */
bool frames_end(struct frames *frames, struct trace *trace, struct kernel *kernel, struct error *err);
void frames_release(struct frames *frames);

#endif
