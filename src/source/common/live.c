/* When what was read so far is worth showing. */
#include "source/common/live.h"

#include <string.h>

#include "base/process.h"

bool
live_is_due(const struct live *live, const struct line_reader *reader, uint64_t count)
{
	if (live->watch == NULL || count == live->shown)
		return false;
	bool has_line = reader->end > reader->begin &&
			memchr(reader->buffer + reader->begin, '\n', reader->end - reader->begin) != NULL;
	return !has_line && process_now_ns() >= live->next_ns;
}

void
live_show(struct live *live, uint64_t count, struct trace *(*make)(const void *reading, struct error *err),
	const void *reading)
{
	struct error ignored;
	error_clear(&ignored);
	int64_t start_ns = process_now_ns();
	struct trace *trace = make(reading, &ignored);
	if (trace != NULL)
		live->watch->show(live->watch->context, trace);
	int64_t end_ns = process_now_ns();
	live->next_ns = end_ns + (int64_t)live->watch->rest * (end_ns - start_ns);
	live->shown = count;
}

bool
live_copy_names(struct trace *trace, const struct trace *from, struct error *err)
{
	uint32_t id;
	for (string_id i = 1; i < intern_count(&from->strings); i++) {
		size_t length;
		const char *bytes = intern_text(&from->strings, i, &length);
		if (!intern_add(&trace->strings, bytes, length, &id, err))
			return false;
	}
	for (frame_id i = 0; i < from->stacks.frames.count; i++)
		if (!stack_table_add_frame(&trace->stacks, stable_at(&from->stacks.frames, i), &id, err))
			return false;
	for (stack_id i = 1; i < stack_count(&from->stacks); i++) {
		const struct stack_node *node = stable_at(&from->stacks.nodes, i);
		if (!stack_table_add_node(&trace->stacks, node->parent, node->frame, &id, err))
			return false;
	}
	return true;
}
