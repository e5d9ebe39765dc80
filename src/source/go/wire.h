/*
 * The events of the v2 wire format: doc/format/go-trace-v2.md, section 5, as a
 * table, and the decoding of one event by it.
 */
#ifndef TTRACE_SOURCE_GO_WIRE_H
#define TTRACE_SOURCE_GO_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "input/cursor.h"

/* Ids of events; those that the document does not list are errors. */
enum wire_id {
	WIRE_EVENT_BATCH = 1,
	WIRE_STACKS = 2,
	WIRE_STACK = 3,
	WIRE_STRINGS = 4,
	WIRE_STRING = 5,
	WIRE_CPU_SAMPLES = 6,
	WIRE_CPU_SAMPLE = 7,
	WIRE_FREQUENCY = 8,
	WIRE_PROCS_CHANGE = 9,
	WIRE_PROC_START = 10,
	WIRE_PROC_STOP = 11,
	WIRE_PROC_STEAL = 12,
	WIRE_PROC_STATUS = 13,
	WIRE_GO_CREATE = 14,
	WIRE_GO_CREATE_SYSCALL = 15,
	WIRE_GO_START = 16,
	WIRE_GO_DESTROY = 17,
	WIRE_GO_DESTROY_SYSCALL = 18,
	WIRE_GO_STOP = 19,
	WIRE_GO_BLOCK = 20,
	WIRE_GO_UNBLOCK = 21,
	WIRE_GO_SYSCALL_BEGIN = 22,
	WIRE_GO_SYSCALL_END = 23,
	WIRE_GO_SYSCALL_END_BLOCKED = 24,
	WIRE_GO_STATUS = 25,
	WIRE_STW_BEGIN = 26,
	WIRE_STW_END = 27,
	WIRE_GC_ACTIVE = 28,
	WIRE_GC_BEGIN = 29,
	WIRE_GC_END = 30,
	WIRE_GC_SWEEP_ACTIVE = 31,
	WIRE_GC_SWEEP_BEGIN = 32,
	WIRE_GC_SWEEP_END = 33,
	WIRE_GC_MARK_ASSIST_ACTIVE = 34,
	WIRE_GC_MARK_ASSIST_BEGIN = 35,
	WIRE_GC_MARK_ASSIST_END = 36,
	WIRE_HEAP_ALLOC = 37,
	WIRE_HEAP_GOAL = 38,
	WIRE_GO_LABEL = 39,
	WIRE_USER_TASK_BEGIN = 40,
	WIRE_USER_TASK_END = 41,
	WIRE_USER_REGION_BEGIN = 42,
	WIRE_USER_REGION_END = 43,
	WIRE_USER_LOG = 44,
	WIRE_GO_SWITCH = 45,
	WIRE_GO_SWITCH_DESTROY = 46,
	WIRE_GO_CREATE_BLOCKED = 47,
	WIRE_GO_STATUS_STACK = 48,
	WIRE_EXPERIMENTAL_BATCH = 49,
	WIRE_SYNC = 50,
	WIRE_CLOCK_SNAPSHOT = 51,
	WIRE_END_OF_GENERATION = 52,
	WIRE_SPAN = 128,
	WIRE_SPAN_ALLOC = 129,
	WIRE_SPAN_FREE = 130,
	WIRE_HEAP_OBJECT = 131,
	WIRE_HEAP_OBJECT_ALLOC = 132,
	WIRE_HEAP_OBJECT_FREE = 133,
	WIRE_GOROUTINE_STACK = 134,
	WIRE_GOROUTINE_STACK_ALLOC = 135,
	WIRE_GOROUTINE_STACK_FREE = 136,
};

/* Limits of the format (section 9). */
enum {
	WIRE_ARGS_MAX = 5,
	WIRE_BATCH_MAX_BYTES = 65536,
	WIRE_BATCH_HEADER_MAX_BYTES = 2 + 4 * VARINT_MAX_BYTES,
	WIRE_STRING_MAX_BYTES = 1024,
	WIRE_STACK_MAX_FRAMES = 128,
	WIRE_EVENT_MAX_BYTES = 1 + WIRE_ARGS_MAX * VARINT_MAX_BYTES,
};

/* In the file this number says "no M", "no P", "no task". */
#define WIRE_NONE UINT64_MAX

/*
 * What is known of one kind of event. Operands are counted from 0, which is dt
 * in a timed event; so 0 in `stacks` and `strings` means none.
 */
struct wire_kind {
	const char *name;  /* as in the text form; NULL for an id that is not assigned */
	uint8_t since;     /* the N of the first format version 1.N that lists it */
	bool is_timed;     /* may stand in the batch of a thread */
	uint8_t arg_count;
	const char *args;  /* names of the operands, separated by spaces */
	uint8_t stacks[2]; /* operands that are stack ids, that of the executing context first */
	uint8_t strings[2]; /* operands that are string ids */
	uint8_t ends;      /* the begin event that this one closes or refers to, or 0 */
};

extern const struct wire_kind wire_kinds[256];

struct wire_event {
	uint8_t id;
	uint64_t args[WIRE_ARGS_MAX]; /* as many as the kind has; the others are left alone */
	uint64_t offset_bytes;        /* of the id, in the input */
};

/* Says why an event cannot stand among timed ones. Returns false. */
bool wire_refuse(const struct wire_event *event, struct error *err);

/*
 * Reads one timed event. False when the id is unknown or structural, or an
 * operand is broken; err then has the place and the cursor stands somewhere
 * within the event.
 */
static ALWAYS_INLINE bool
wire_decode(struct cursor *cursor, struct wire_event *event, struct error *err)
{
	event->offset_bytes = cursor_offset(cursor);
	if (!cursor_byte(cursor, &event->id, err))
		return false;
	const struct wire_kind *kind = &wire_kinds[event->id];
	if (UNLIKELY(!kind->is_timed))
		return wire_refuse(event, err);
	return cursor_varints(cursor, event->args, kind->arg_count, err);
}

/*
 * Reads one timed event if it is one like nearly all: far from the end, with short operands. Else
 * false, the cursor has not moved, and wire_decode() can tell.
 */
static ALWAYS_INLINE bool
wire_decode_usual(struct cursor *cursor, struct wire_event *event)
{
	size_t left = cursor_left(cursor);
	if (UNLIKELY(left < WIRE_EVENT_MAX_BYTES))
		return false;
	event->id = cursor->at[0];
	const struct wire_kind *kind = &wire_kinds[event->id];
	if (UNLIKELY(!kind->is_timed))
		return false;
	const uint8_t *behind = cursor_short_varints(cursor->at + 1, event->args, kind->arg_count);
	if (UNLIKELY(behind == NULL))
		return false;
	event->offset_bytes = cursor->offset_bytes - left;
	cursor->at = behind;
	return true;
}

/* The name of a wire event ("GoStart"), or NULL for an id without one. */
const char *go_wire_name(uint8_t wire_id);

#endif
