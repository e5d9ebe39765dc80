/* The table of v1 records, and their decoding. */
#include "source/go/v1_wire.h"

#include <inttypes.h>

/* The two bits above the id of a record say how its operands stand. */
enum { FORM_SHIFT = 6, FORM_LENGTH = 3 };

enum { U = false, T = true }; /* without and with a time delta */

#define STACK true
#define PLAIN false

const struct v1_kind v1_kinds[V1_ID_COUNT] = {
	[V1_BATCH] = { "Batch", 2, U, PLAIN, 5 },
	[V1_FREQUENCY] = { "Frequency", 1, U, PLAIN, 5 },
	[V1_STACK] = { "Stack", 0, U, PLAIN, 5 },
	[V1_GOMAXPROCS] = { "Gomaxprocs", 3, T, STACK, 5 },
	[V1_PROC_START] = { "ProcStart", 2, T, PLAIN, 5 },
	[V1_PROC_STOP] = { "ProcStop", 1, T, PLAIN, 5 },
	[V1_GC_START] = { "GCStart", 3, T, STACK, 5 },
	[V1_GC_DONE] = { "GCDone", 1, T, PLAIN, 5 },
	[V1_STW_START] = { "GCSTWStart", 2, T, PLAIN, 5 },
	[V1_STW_DONE] = { "GCSTWDone", 1, T, PLAIN, 5 },
	[V1_SWEEP_START] = { "GCSweepStart", 2, T, STACK, 5 },
	[V1_SWEEP_DONE] = { "GCSweepDone", 3, T, PLAIN, 5 },
	[V1_GO_CREATE] = { "GoCreate", 4, T, STACK, 5 },
	[V1_GO_START] = { "GoStart", 3, T, PLAIN, 5 },
	[V1_GO_END] = { "GoEnd", 1, T, PLAIN, 5 },
	[V1_GO_STOP] = { "GoStop", 2, T, STACK, 5 },
	[V1_GO_SCHED] = { "GoSched", 2, T, STACK, 5 },
	[V1_GO_PREEMPT] = { "GoPreempt", 2, T, STACK, 5 },
	[V1_GO_SLEEP] = { "GoSleep", 2, T, STACK, 5 },
	[V1_GO_BLOCK] = { "GoBlock", 2, T, STACK, 5 },
	[V1_GO_UNBLOCK] = { "GoUnblock", 4, T, STACK, 5 },
	[V1_GO_BLOCK_SEND] = { "GoBlockSend", 2, T, STACK, 5 },
	[V1_GO_BLOCK_RECV] = { "GoBlockRecv", 2, T, STACK, 5 },
	[V1_GO_BLOCK_SELECT] = { "GoBlockSelect", 2, T, STACK, 5 },
	[V1_GO_BLOCK_SYNC] = { "GoBlockSync", 2, T, STACK, 5 },
	[V1_GO_BLOCK_COND] = { "GoBlockCond", 2, T, STACK, 5 },
	[V1_GO_BLOCK_NET] = { "GoBlockNet", 2, T, STACK, 5 },
	[V1_GO_SYSCALL] = { "GoSysCall", 2, T, STACK, 5 },
	[V1_GO_SYSEXIT] = { "GoSysExit", 4, T, PLAIN, 5 },
	[V1_GO_SYSBLOCK] = { "GoSysBlock", 1, T, PLAIN, 5 },
	[V1_GO_WAITING] = { "GoWaiting", 2, T, PLAIN, 5 },
	[V1_GO_IN_SYSCALL] = { "GoInSyscall", 2, T, PLAIN, 5 },
	[V1_HEAP_ALLOC] = { "HeapAlloc", 2, T, PLAIN, 5 },
	[V1_HEAP_GOAL] = { "HeapGoal", 2, T, PLAIN, 5 },
	[V1_TIMER_GOROUTINE] = { "TimerGoroutine", 1, U, PLAIN, 5 },
	[V1_FUTILE_WAKEUP] = { "FutileWakeup", 1, T, PLAIN, 5 },
	[V1_STRING] = { "String", 1, U, PLAIN, 7 },
	[V1_GO_START_LOCAL] = { "GoStartLocal", 2, T, PLAIN, 7 },
	[V1_GO_UNBLOCK_LOCAL] = { "GoUnblockLocal", 3, T, STACK, 7 },
	[V1_GO_SYSEXIT_LOCAL] = { "GoSysExitLocal", 3, T, PLAIN, 7 },
	[V1_GO_START_LABEL] = { "GoStartLabel", 4, T, PLAIN, 8 },
	[V1_GO_BLOCK_GC] = { "GoBlockGC", 2, T, STACK, 8 },
	[V1_ASSIST_START] = { "GCMarkAssistStart", 2, T, STACK, 9 },
	[V1_ASSIST_DONE] = { "GCMarkAssistDone", 1, T, PLAIN, 9 },
	[V1_TASK_CREATE] = { "UserTaskCreate", 5, T, STACK, 11 },
	[V1_TASK_END] = { "UserTaskEnd", 3, T, STACK, 11 },
	[V1_REGION] = { "UserRegion", 5, T, STACK, 11 },
	[V1_LOG] = { "UserLog", 4, T, STACK, 11 },
	[V1_CPU_SAMPLE] = { "CPUSample", 5, T, STACK, 19 },
};

static bool
refuse(const struct v1_record *record, struct error *err, const char *what)
{
	return error_set_at(err, ERROR_FORMAT, record->offset_bytes, "event %s: %s",
	                    v1_kinds[record->id].name, what);
}

static bool
refuse_count(const struct v1_record *record, struct error *err)
{
	return refuse(record, err, "wrong number of arguments");
}

/* What ends within its own length is no sign that the input ends. */
static bool
refuse_operand(const struct v1_record *record, struct error *err)
{
	if (err->kind != ERROR_TRUNCATED)
		return false;
	error_clear(err);
	return refuse(record, err, "a number goes past the arguments");
}

/* Operands that stand in a cursor of their own: exactly as many as the table says. */
static bool
read_bounded_operands(struct v1_record *record, struct error *err)
{
	struct cursor operands = record->operands;
	unsigned count = v1_kinds[record->id].arg_count;
	for (unsigned i = 0; i < count; i++) {
		if (cursor_left(&operands) == 0)
			return refuse_count(record, err);
		if (!cursor_varint(&operands, &record->args[i], err))
			return refuse_operand(record, err);
	}
	return cursor_left(&operands) == 0 || refuse_count(record, err);
}

/* The form with a length: any number of operands in so many bytes. */
static bool
read_sized_operands(struct cursor *cursor, struct v1_record *record, struct error *err)
{
	uint64_t size;
	const uint8_t *bytes;
	if (!cursor_varint(cursor, &size, err))
		return false;
	if (size > V1_OPERANDS_MAX_BYTES)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "event %s: %" PRIu64 " bytes of arguments, the limit is %d",
		                    v1_kinds[record->id].name, size, V1_OPERANDS_MAX_BYTES);
	if (!cursor_bytes(cursor, (size_t)size, &bytes, err))
		return false;
	record->operands = cursor_over(bytes, (size_t)size, cursor_offset(cursor) - size);
	return record->id == V1_STACK || read_bounded_operands(record, err);
}

static bool
read_operands(struct cursor *cursor, unsigned form, struct v1_record *record,
              struct error *err)
{
	unsigned count = form + 1;
	if (record->id == V1_BATCH && form != 1)
		return refuse_count(record, err);
	if (form == FORM_LENGTH)
		return read_sized_operands(cursor, record, err);
	if (v1_kinds[record->id].arg_count != count)
		return refuse_count(record, err);
	return cursor_varints(cursor, record->args, count, err);
}

/* A size and as many bytes. */
static bool
read_text(struct cursor *cursor, struct v1_record *record, struct error *err)
{
	uint64_t size;
	if (!cursor_varint(cursor, &size, err))
		return false;
	if (size > V1_STRING_MAX_BYTES)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "event %s: a string of %" PRIu64 " bytes, the limit is %d",
		                    v1_kinds[record->id].name, size, V1_STRING_MAX_BYTES);
	record->text_size = (size_t)size;
	return cursor_bytes(cursor, record->text_size, &record->text, err);
}

static bool
read_string(struct cursor *cursor, struct v1_record *record, struct error *err)
{
	if (!cursor_varint(cursor, &record->args[0], err))
		return false;
	if (record->args[0] == 0)
		return refuse(record, err, "string with the invalid id 0");
	if (!read_text(cursor, record, err))
		return false;
	return record->text_size > 0 || refuse(record, err, "string of length 0");
}

static bool
read_record(struct cursor *cursor, unsigned minor, struct v1_record *record, struct error *err)
{
	uint8_t first = 0;
	if (!cursor_byte(cursor, &first, err))
		return false;
	record->id = v1_id_of(first);
	if (record->id >= V1_ID_COUNT || v1_kinds[record->id].name == NULL ||
	    v1_kinds[record->id].since > minor)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "unknown event type %u", record->id);
	if (record->id == V1_STRING)
		return read_string(cursor, record, err);
	return read_operands(cursor, first >> FORM_SHIFT, record, err) &&
	       (record->id != V1_LOG || read_text(cursor, record, err));
}

bool
v1_decode(struct cursor *cursor, unsigned minor, struct v1_record *record, struct error *err)
{
	const uint8_t *start = cursor->at;
	record->offset_bytes = cursor_offset(cursor);
	if (LIKELY(read_record(cursor, minor, record, err)))
		return true;
	cursor->at = start;
	if (err->kind != ERROR_TRUNCATED)
		return false;
	error_clear(err);
	return error_set_at(err, ERROR_TRUNCATED, record->offset_bytes,
	                    "the trace ends in the middle of an event");
}
