/* Stacks as text, with a memory. */
#include "dump/stack_text.h"

#include "base/memory.h"

bool
stack_text_init(struct stack_text *text, const struct intern *strings,
	const struct stack_table *stacks, struct error *err)
{
	*text = (struct stack_text){ .strings = strings, .stacks = stacks };
	text->slots = array_new(STACK_TEXT_SLOTS, sizeof(*text->slots), err);
	text->bytes = text->slots == NULL ? NULL : array_new(STACK_TEXT_BYTES, 1, err);
	if (text->bytes != NULL)
		return true;
	stack_text_release(text);
	return false;
}

void
stack_text_release(struct stack_text *text)
{
	memory_free(text->slots);
	memory_free(text->bytes);
	*text = (struct stack_text){ 0 };
}

static void
write_frame(const struct stack_text *text, const struct stack_frame *frame, struct writer *out)
{
	size_t length;
	const char *function = intern_text(text->strings, frame->function, &length);
	writer_char(out, '\t');
	writer_add(out, function, length);
	writer_string(out, " @ 0x");
	writer_hex(out, frame->pc);
	writer_string(out, "\n\t\t");
	const char *file = intern_text(text->strings, frame->file, &length);
	writer_add(out, file, length);
	writer_char(out, ':');
	writer_u64(out, frame->line);
	writer_char(out, '\n');
}

static void
write_frames(const struct stack_text *text, stack_id stack, struct writer *out)
{
	for (; stack != STACK_NONE; stack = stack_caller(text->stacks, stack))
		write_frame(text, stack_leaf(text->stacks, stack), out);
}

/* Keeps a copy of what was just written, for as long as there is room for others. */
static void
remember(struct stack_text *text, stack_id stack, const char *bytes, size_t length)
{
	if (length > STACK_TEXT_BYTES / 8)
		return;
	if (length > STACK_TEXT_BYTES - text->used) {
		memset(text->slots, 0, STACK_TEXT_SLOTS * sizeof(*text->slots));
		text->used = 0;
	}
	memcpy(text->bytes + text->used, bytes, length);
	text->slots[stack % STACK_TEXT_SLOTS] =
		(struct stack_text_slot){ stack, (uint32_t)text->used, (uint32_t)length };
	text->used += length;
}

void
stack_text_write(struct stack_text *text, stack_id stack, struct writer *out)
{
	const struct stack_text_slot *slot = &text->slots[stack % STACK_TEXT_SLOTS];
	if (stack == STACK_NONE)
		return;
	if (slot->stack == stack) {
		writer_add(out, text->bytes + slot->at, slot->length);
		return;
	}
	uint64_t emptied = out->emptied;
	size_t start = out->used;
	write_frames(text, stack, out);
	/* If the buffer was emptied meanwhile, another time will do. */
	if (out->emptied == emptied)
		remember(text, stack, out->bytes + start, out->used - start);
}
