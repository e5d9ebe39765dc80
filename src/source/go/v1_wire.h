/*
 * The records of the v1 wire format, which Go 1.11 to 1.21 write:
 * doc/format/go-trace-v1.md, sections 1 and 2, as a table, and the decoding of
 * one record by it.
 */
#ifndef TTRACE_SOURCE_GO_V1_WIRE_H
#define TTRACE_SOURCE_GO_V1_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/cursor.h"

/* Format versions that are read: the N of "go 1.N trace". */
enum { V1_MINOR_FIRST = 11, V1_MINOR_SAMPLES = 19, V1_MINOR_STW_KINDS = 21 };

enum v1_id {
	V1_BATCH = 1,
	V1_FREQUENCY = 2,
	V1_STACK = 3,
	V1_GOMAXPROCS = 4,
	V1_PROC_START = 5,
	V1_PROC_STOP = 6,
	V1_GC_START = 7,
	V1_GC_DONE = 8,
	V1_STW_START = 9,
	V1_STW_DONE = 10,
	V1_SWEEP_START = 11,
	V1_SWEEP_DONE = 12,
	V1_GO_CREATE = 13,
	V1_GO_START = 14,
	V1_GO_END = 15,
	V1_GO_STOP = 16,
	V1_GO_SCHED = 17,
	V1_GO_PREEMPT = 18,
	V1_GO_SLEEP = 19,
	V1_GO_BLOCK = 20,
	V1_GO_UNBLOCK = 21,
	V1_GO_BLOCK_SEND = 22,
	V1_GO_BLOCK_RECV = 23,
	V1_GO_BLOCK_SELECT = 24,
	V1_GO_BLOCK_SYNC = 25,
	V1_GO_BLOCK_COND = 26,
	V1_GO_BLOCK_NET = 27,
	V1_GO_SYSCALL = 28,
	V1_GO_SYSEXIT = 29,
	V1_GO_SYSBLOCK = 30,
	V1_GO_WAITING = 31,
	V1_GO_IN_SYSCALL = 32,
	V1_HEAP_ALLOC = 33,
	V1_HEAP_GOAL = 34,
	V1_TIMER_GOROUTINE = 35,
	V1_FUTILE_WAKEUP = 36,
	V1_STRING = 37,
	V1_GO_START_LOCAL = 38,
	V1_GO_UNBLOCK_LOCAL = 39,
	V1_GO_SYSEXIT_LOCAL = 40,
	V1_GO_START_LABEL = 41,
	V1_GO_BLOCK_GC = 42,
	V1_ASSIST_START = 43,
	V1_ASSIST_DONE = 44,
	V1_TASK_CREATE = 45,
	V1_TASK_END = 46,
	V1_REGION = 47,
	V1_LOG = 48,
	V1_CPU_SAMPLE = 49,
	V1_ID_COUNT
};

/* Limits of the format (sections 1 and 2). */
enum {
	V1_ARGS_MAX = 5,
	V1_OPERANDS_MAX_BYTES = 2048,
	V1_STRING_MAX_BYTES = 1000000,
	V1_STACK_MAX_FRAMES = 1000,
};

struct v1_kind {
	const char *name;  /* NULL for an id that is not assigned */
	uint8_t arg_count; /* operands, time delta and stack included */
	bool is_timed;     /* its first operand is a time delta */
	bool has_stack;    /* its last operand is the stack of the executing context */
	uint8_t since;     /* least N of the format versions 1.N that may contain it */
};

extern const struct v1_kind v1_kinds[V1_ID_COUNT];

struct v1_record {
	uint8_t id;
	uint64_t offset_bytes;      /* in the input */
	uint64_t args[V1_ARGS_MAX]; /* as many as the kind has; of a Stack none */
	struct cursor operands;     /* of a Stack: all of them */
	const uint8_t *text;        /* of a UserLog: the message; of a String: the string, */
	size_t text_size;           /* whose id is args[0] */
};

/*
 * Reads one record of a trace of format 1.minor. On success the cursor stands
 * behind it; on failure it has not moved, and err, empty before, holds the place.
 * Strings are checked as far as one alone can be; operands of a Stack are not
 * looked at.
 */
bool v1_decode(struct cursor *cursor, unsigned minor, struct v1_record *record,
               struct error *err);

/* The id of the record that starts with this byte; its length takes v1_decode(). */
static inline uint8_t
v1_id_of(uint8_t first)
{
	return first & 0x3f;
}

/* The stack id that a record carries, 0 for none. Ids have 32 bits (section 2). */
static inline uint32_t
v1_stack_operand(const struct v1_record *record)
{
	const struct v1_kind *kind = &v1_kinds[record->id];
	return kind->has_stack ? (uint32_t)record->args[kind->arg_count - 1] : 0;
}

#endif
