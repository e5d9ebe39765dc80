/* Stacks as nodes of one tree. */
#include "dump/json_frames.h"

#include "base/memory.h"

struct json_frame {
	stack_id stack;  /* the first that has this node as its leaf */
	uint32_t caller; /* number of the node, 0 for none */
};

void
json_frames_release(struct json_frames *frames)
{
	memory_free(frames->numbers);
	memory_free(frames->frames);
	memory_free(frames->path);
	map_release(&frames->pcs);
	map_release(&frames->nodes);
	*frames = (struct json_frames){ 0 };
}

static bool
make_room(struct json_frames *frames, stack_id stack, struct error *err)
{
	size_t before = frames->number_capacity;
	if (LIKELY(stack < before))
		return true;
	if (!array_reserve(&frames->numbers, &frames->number_capacity, (size_t)stack + 1,
		    sizeof(*frames->numbers), err))
		return false;
	memset(frames->numbers + before, 0,
		(frames->number_capacity - before) * sizeof(*frames->numbers));
	return true;
}

static bool
number_pc(struct json_frames *frames, uint64_t pc, uint32_t *number, struct error *err)
{
	*number = map_find(&frames->pcs, pc);
	if (*number != MAP_NONE)
		return true;
	*number = (uint32_t)frames->pcs.count;
	return map_put(&frames->pcs, pc, *number, err);
}

/* The node of a stack whose caller's node is known. */
static bool
enter(struct json_frames *frames, stack_id stack, uint32_t caller, uint32_t *number,
	struct error *err)
{
	uint64_t key = stack;
	if (!frames->is_any) {
		uint32_t pc;
		if (!number_pc(frames, stack_leaf(frames->stacks, stack)->pc, &pc, err))
			return false;
		key = (uint64_t)caller << 32 | pc;
	}
	*number = map_find(&frames->nodes, key);
	if (*number != MAP_NONE)
		return true;
	if (!array_reserve(&frames->frames, &frames->capacity, frames->count + 1,
		    sizeof(*frames->frames), err))
		return false;
	frames->frames[frames->count++] = (struct json_frame){ stack, caller };
	*number = (uint32_t)frames->count;
	return map_put(&frames->nodes, key, *number, err);
}

/* Enters a stack and those of its callers that were not asked for yet. */
static bool
enter_path(struct json_frames *frames, stack_id stack, struct error *err)
{
	size_t depth = 0;
	for (; stack != STACK_NONE &&
		(stack >= frames->number_capacity || frames->numbers[stack] == 0);
		stack = stack_caller(frames->stacks, stack)) {
		if (!array_reserve(&frames->path, &frames->path_capacity, depth + 1,
			    sizeof(*frames->path), err))
			return false;
		frames->path[depth++] = stack;
	}
	uint32_t number = stack == STACK_NONE ? 0 : frames->numbers[stack];
	while (depth > 0) {
		stack = frames->path[--depth];
		if (!make_room(frames, stack, err) || !enter(frames, stack, number, &number, err))
			return false;
		frames->numbers[stack] = number;
	}
	return true;
}

bool
json_frames_number(struct json_frames *frames, stack_id stack, uint32_t *number, struct error *err)
{
	*number = 0;
	if (stack == STACK_NONE)
		return true;
	if (UNLIKELY(stack >= frames->number_capacity || frames->numbers[stack] == 0)) {
		if (!enter_path(frames, stack, err))
			return false;
	}
	*number = frames->numbers[stack];
	return true;
}

static bool
write_frame(const struct json_frames *frames, size_t index, struct json_strings *strings,
	struct writer *out, struct error *err)
{
	const struct json_frame *frame = &frames->frames[index];
	const struct stack_frame *leaf = stack_leaf(frames->stacks, frame->stack);
	writer_string(out, index == 0 ? "\"" : "\n,\"");
	writer_u64(out, index + 1);
	writer_string(out, "\":{\"name\":\"");
	if (!json_strings_write(strings, leaf->function, out, err))
		return false;
	if (!frames->is_any || leaf->line > 0) {
		writer_char(out, ':');
		writer_u64(out, leaf->line);
	}
	writer_char(out, '"');
	if (frame->caller != 0) {
		writer_string(out, ",\"parent\":");
		writer_u64(out, frame->caller);
	}
	writer_char(out, '}');
	return true;
}

bool
json_frames_write(const struct json_frames *frames, struct json_strings *strings,
	struct writer *out, struct error *err)
{
	writer_char(out, '{');
	for (size_t i = 0; i < frames->count; i++) {
		if (!write_frame(frames, i, strings, out, err))
			return false;
	}
	writer_char(out, '}');
	return true;
}
