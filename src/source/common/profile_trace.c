/* A trace that nothing happens in, with what was sampled beside it. */
#include "source/common/profile_trace.h"

#include "base/text.h"
#include "trace/builder.h"

struct trace *
profile_trace_new(const struct words *words, struct error *err)
{
	struct trace *trace = trace_new(err);
	if (trace == NULL)
		return NULL;
	trace->words = words;
	trace->clock = TRACE_CLOCK_NONE;
	trace->samples = sample_set_new(err);
	if (trace->samples != NULL)
		return trace;
	trace_free(trace);
	return NULL;
}

bool
profile_trace_finish(struct trace *trace, const struct input *in, struct error *err)
{
	struct builder *builder = builder_new(trace, err);
	if (builder == NULL)
		return false;
	trace->read_bytes = in->offset_bytes;
	builder_begin_at(builder, 0, 0);
	bool is_fine = builder_finish(builder, err);
	builder_free(builder);
	return is_fine;
}

bool
profile_trace_name(struct trace *trace, struct scan file, string_id *name, struct error *err)
{
	struct text text = { 0 };
	struct scan base = scan_base_name(file);
	if (scan_is_end(&base)) {
		text_add_string(&text, NAME_CALLED_UNKNOWN);
	} else {
		text_add_string(&text, "[");
		text_add(&text, base.at, scan_left(&base));
		text_add_string(&text, "]");
	}
	bool is_fine = text.failed ? error_set_memory(err, "names")
				   : intern_add(&trace->strings, text.bytes, text.length, name, err);
	text_release(&text);
	return is_fine;
}

bool
profile_trace_push(struct trace *trace, stack_id caller, const char *name, size_t length,
	stack_id *stack, struct error *err)
{
	struct stack_frame frame = { 0 };
	frame_id id;
	return intern_add(&trace->strings, name, length, &frame.function, err) &&
	       stack_table_add_frame(&trace->stacks, &frame, &id, err) &&
	       stack_table_add_node(&trace->stacks, caller, id, stack, err);
}
