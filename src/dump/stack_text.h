/*
 * Stacks as text. What a stack looks like is remembered for a while, within a fixed
 * amount of memory, because the same few come again and again.
 */
#ifndef TTRACE_DUMP_STACK_TEXT_H
#define TTRACE_DUMP_STACK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "dump/writer.h"
#include "trace/stack.h"

enum { STACK_TEXT_SLOTS = 1 << 12, STACK_TEXT_BYTES = 1 << 21 };

/* A stack that is remembered; its text is bytes[at..at + length). */
struct stack_text_slot {
	stack_id stack; /* STACK_NONE: the slot is free */
	uint32_t at, length;
};

struct stack_text {
	const struct intern *strings;
	const struct stack_table *stacks;
	struct stack_text_slot *slots; /* by the lowest bits of the stack */
	char *bytes;
	size_t used;
};

/* The tables must outlive it. False with err set when there is no memory. */
bool stack_text_init(struct stack_text *text, const struct intern *strings,
	const struct stack_table *stacks, struct error *err);
void stack_text_release(struct stack_text *text);

/*
 * Writes the frames of a stack, the leaf first, each as
 *     TAB function " @ 0x" pc, newline, TAB TAB file ":" line, newline
 * and nothing for STACK_NONE.
 */
void stack_text_write(struct stack_text *text, stack_id stack, struct writer *out);

#endif
