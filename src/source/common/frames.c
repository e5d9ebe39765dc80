#include "source/common/frames.h"

#include "base/memory.h"
#include "source/common/ftrace_head.h"

enum { FRAMES_MOST = 4096 };

bool
frames_follow(struct scan event)
{
	struct scan name, fields;
	scan_trim_end(&event);
	if (scan_is_end(&event) || event.end[-1] != '>')
		return false; /* nearly all */
	if (scan_is(&event, "<stack trace>"))
		return true;
	return ftrace_event(event, &name, &fields) && scan_is(&fields, "<stack trace>") &&
	       (scan_is(&name, "kernel_stack") || scan_is(&name, "user_stack"));
}

void
frames_begin(struct frames *frames, uint32_t cpu)
{
	frames->is_open = true;
	frames->cpu = cpu;
	frames->count = 0;
}

bool
frames_add(struct frames *frames, struct trace *trace, string_id function, struct error *err)
{
	struct stack_frame frame = { .function = function };
	if (frames->count == FRAMES_MOST)
		return true;
	if (!array_reserve(&frames->ids, &frames->capacity, frames->count + 1, sizeof *frames->ids, err) ||
		!stack_table_add_frame(&trace->stacks, &frame, &frames->ids[frames->count], err))
		return false;
	frames->count++;
	return true;
}

bool
frames_end(struct frames *frames, struct trace *trace, struct kernel *kernel, struct error *err)
{
	stack_id stack = STACK_NONE;
	if (!frames->is_open)
		return true;
	frames->is_open = false;
	for (size_t i = frames->count; i-- > 0;)
		if (!stack_table_add_node(&trace->stacks, stack, frames->ids[i], &stack, err))
			return false;
	kernel_set_stack(kernel, frames->cpu, stack);
	return true;
}

void
frames_release(struct frames *frames)
{
	memory_free(frames->ids);
}
