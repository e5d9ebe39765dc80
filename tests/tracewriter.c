/* The wire form of Go execution traces; see tracewriter.h. */

#include "tracewriter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* With a file: hand over what has collected when it reaches this size. */
#define FILE_BUFFER_BYTES ((size_t)1 << 20)

static const struct wire_spec specs[] = {
	[WIRE_EVENT_BATCH] = { "EventBatch", 4, false, 22 },
	[WIRE_STACKS] = { "Stacks", 0, false, 22 },
	[WIRE_STACK] = { "Stack", 2, false, 22 },
	[WIRE_STRINGS] = { "Strings", 0, false, 22 },
	[WIRE_STRING] = { "String", 1, false, 22 },
	[WIRE_CPU_SAMPLES] = { "CPUSamples", 0, false, 22 },
	[WIRE_CPU_SAMPLE] = { "CPUSample", 5, false, 22 },
	[WIRE_FREQUENCY] = { "Frequency", 1, false, 22 },
	[WIRE_PROCS_CHANGE] = { "ProcsChange", 2, true, 22 },
	[WIRE_PROC_START] = { "ProcStart", 2, true, 22 },
	[WIRE_PROC_STOP] = { "ProcStop", 0, true, 22 },
	[WIRE_PROC_STEAL] = { "ProcSteal", 3, true, 22 },
	[WIRE_PROC_STATUS] = { "ProcStatus", 2, true, 22 },
	[WIRE_GO_CREATE] = { "GoCreate", 3, true, 22 },
	[WIRE_GO_CREATE_SYSCALL] = { "GoCreateSyscall", 1, true, 22 },
	[WIRE_GO_START] = { "GoStart", 2, true, 22 },
	[WIRE_GO_DESTROY] = { "GoDestroy", 0, true, 22 },
	[WIRE_GO_DESTROY_SYSCALL] = { "GoDestroySyscall", 0, true, 22 },
	[WIRE_GO_STOP] = { "GoStop", 2, true, 22 },
	[WIRE_GO_BLOCK] = { "GoBlock", 2, true, 22 },
	[WIRE_GO_UNBLOCK] = { "GoUnblock", 3, true, 22 },
	[WIRE_GO_SYSCALL_BEGIN] = { "GoSyscallBegin", 2, true, 22 },
	[WIRE_GO_SYSCALL_END] = { "GoSyscallEnd", 0, true, 22 },
	[WIRE_GO_SYSCALL_END_BLOCKED] = { "GoSyscallEndBlocked", 0, true, 22 },
	[WIRE_GO_STATUS] = { "GoStatus", 3, true, 22 },
	[WIRE_STW_BEGIN] = { "STWBegin", 2, true, 22 },
	[WIRE_STW_END] = { "STWEnd", 0, true, 22 },
	[WIRE_GC_ACTIVE] = { "GCActive", 1, true, 22 },
	[WIRE_GC_BEGIN] = { "GCBegin", 2, true, 22 },
	[WIRE_GC_END] = { "GCEnd", 1, true, 22 },
	[WIRE_GC_SWEEP_ACTIVE] = { "GCSweepActive", 1, true, 22 },
	[WIRE_GC_SWEEP_BEGIN] = { "GCSweepBegin", 1, true, 22 },
	[WIRE_GC_SWEEP_END] = { "GCSweepEnd", 2, true, 22 },
	[WIRE_GC_MARK_ASSIST_ACTIVE] = { "GCMarkAssistActive", 1, true, 22 },
	[WIRE_GC_MARK_ASSIST_BEGIN] = { "GCMarkAssistBegin", 1, true, 22 },
	[WIRE_GC_MARK_ASSIST_END] = { "GCMarkAssistEnd", 0, true, 22 },
	[WIRE_HEAP_ALLOC] = { "HeapAlloc", 1, true, 22 },
	[WIRE_HEAP_GOAL] = { "HeapGoal", 1, true, 22 },
	[WIRE_GO_LABEL] = { "GoLabel", 1, true, 22 },
	[WIRE_USER_TASK_BEGIN] = { "UserTaskBegin", 4, true, 22 },
	[WIRE_USER_TASK_END] = { "UserTaskEnd", 2, true, 22 },
	[WIRE_USER_REGION_BEGIN] = { "UserRegionBegin", 3, true, 22 },
	[WIRE_USER_REGION_END] = { "UserRegionEnd", 3, true, 22 },
	[WIRE_USER_LOG] = { "UserLog", 4, true, 22 },
	[WIRE_GO_SWITCH] = { "GoSwitch", 2, true, 23 },
	[WIRE_GO_SWITCH_DESTROY] = { "GoSwitchDestroy", 2, true, 23 },
	[WIRE_GO_CREATE_BLOCKED] = { "GoCreateBlocked", 3, true, 23 },
	[WIRE_GO_STATUS_STACK] = { "GoStatusStack", 4, true, 23 },
	[WIRE_EXPERIMENTAL_BATCH] = { "ExperimentalBatch", 4, false, 23 },
	[WIRE_SYNC] = { "Sync", 0, false, 25 },
	[WIRE_CLOCK_SNAPSHOT] = { "ClockSnapshot", 3, true, 25 },
	[WIRE_END_OF_GENERATION] = { "EndOfGeneration", 0, false, 26 },
	[WIRE_SPAN] = { "Span", 3, true, 23 },
	[WIRE_SPAN_ALLOC] = { "SpanAlloc", 3, true, 23 },
	[WIRE_SPAN_FREE] = { "SpanFree", 1, true, 23 },
	[WIRE_HEAP_OBJECT] = { "HeapObject", 2, true, 23 },
	[WIRE_HEAP_OBJECT_ALLOC] = { "HeapObjectAlloc", 2, true, 23 },
	[WIRE_HEAP_OBJECT_FREE] = { "HeapObjectFree", 1, true, 23 },
	[WIRE_GOROUTINE_STACK] = { "GoroutineStack", 2, true, 23 },
	[WIRE_GOROUTINE_STACK_ALLOC] = { "GoroutineStackAlloc", 2, true, 23 },
	[WIRE_GOROUTINE_STACK_FREE] = { "GoroutineStackFree", 1, true, 23 },
};

const struct wire_spec *
wire_spec_find(unsigned id)
{
	if (id >= sizeof specs / sizeof specs[0] || specs[id].name == NULL)
		return NULL;
	return &specs[id];
}

/* ---- storage */

void
wire_init(struct wire *w, FILE *file)
{
	*w = (struct wire){ .file = file };
}

void
wire_release(struct wire *w)
{
	free(w->data);
	wire_init(w, NULL);
}

void
wire_clear(struct wire *w)
{
	w->size = 0;
}

bool
wire_flush(struct wire *w)
{
	if (w->file != NULL && !w->has_failed) {
		w->has_failed = fwrite(w->data, 1, w->size, w->file) != w->size;
		w->flushed += w->size;
		w->size = 0;
	}
	return !w->has_failed;
}

uint64_t
wire_offset(const struct wire *w)
{
	return w->flushed + w->size;
}

static bool
grow(struct wire *w, size_t extra)
{
	if (w->file != NULL && w->size >= FILE_BUFFER_BYTES && !wire_flush(w))
		return false;
	if (extra <= w->capacity - w->size)
		return true;
	size_t capacity = w->capacity < 256 ? 256 : w->capacity;
	while (capacity - w->size < extra) {
		if (capacity > SIZE_MAX / 2)
			return false;
		capacity *= 2;
	}
	uint8_t *data = realloc(w->data, capacity);
	if (data == NULL)
		return false;
	w->data = data;
	w->capacity = capacity;
	return true;
}

/* Room for `extra` more bytes; false once anything has failed. */
static bool
reserve(struct wire *w, size_t extra)
{
	if (w->has_failed)
		return false;
	if (extra <= w->capacity - w->size && w->size < FILE_BUFFER_BYTES)
		return true;
	w->has_failed = !grow(w, extra);
	return !w->has_failed;
}

/* ---- pieces */

static uint8_t *
put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

void
wire_u8(struct wire *w, unsigned value)
{
	if (reserve(w, 1))
		w->data[w->size++] = (uint8_t)value;
}

void
wire_bytes(struct wire *w, const void *data, size_t size)
{
	if (size == 0 || !reserve(w, size))
		return;
	memcpy(w->data + w->size, data, size);
	w->size += size;
}

void
wire_varint(struct wire *w, uint64_t value)
{
	if (reserve(w, 10))
		w->size = (size_t)(put_varint(w->data + w->size, value) - w->data);
}

void
wire_varint_padded(struct wire *w, uint64_t value)
{
	for (int i = 0; i < 9; i++) {
		wire_u8(w, (unsigned)(value & 0x7f) | 0x80);
		value >>= 7;
	}
	wire_u8(w, (unsigned)value);
}

void
wire_header(struct wire *w, unsigned minor)
{
	char text[32];
	int length = snprintf(text, sizeof text, "go 1.%u trace", minor);
	assert(length > 0 && (size_t)length + 3 < sizeof text);
	wire_bytes(w, text, (size_t)length);
	wire_bytes(w, "\0\0\0", 3);
}

/* ---- batches */

void
wire_batch_header(struct wire *w, uint64_t gen, uint64_t m, uint64_t time, uint64_t size)
{
	wire_u8(w, WIRE_EVENT_BATCH);
	wire_varint(w, gen);
	wire_varint(w, m);
	wire_varint(w, time);
	wire_varint_padded(w, size);
}

void
wire_batch(struct wire *w, uint64_t gen, uint64_t m, uint64_t time, const struct wire *payload)
{
	wire_batch_header(w, gen, m, time, payload->size);
	wire_bytes(w, payload->data, payload->size);
	w->has_failed |= payload->has_failed;
}

void
wire_experimental_batch(struct wire *w, unsigned experiment, uint64_t gen, uint64_t m,
	uint64_t time, const struct wire *payload)
{
	wire_u8(w, WIRE_EXPERIMENTAL_BATCH);
	wire_u8(w, experiment);
	wire_varint(w, gen);
	wire_varint(w, m);
	wire_varint(w, time);
	wire_varint_padded(w, payload->size);
	wire_bytes(w, payload->data, payload->size);
	w->has_failed |= payload->has_failed;
}

void
wire_end_of_generation(struct wire *w)
{
	wire_u8(w, WIRE_END_OF_GENERATION);
}

static void
batch_of(struct wire *w, uint64_t gen, uint64_t time, struct wire *payload)
{
	wire_batch(w, gen, WIRE_NONE, time, payload);
	wire_release(payload);
}

void
wire_frequency_batch(struct wire *w, uint64_t gen, uint64_t time, uint64_t ticks_per_s)
{
	struct wire payload;
	wire_init(&payload, NULL);
	wire_u8(&payload, WIRE_FREQUENCY);
	wire_varint(&payload, ticks_per_s);
	batch_of(w, gen, time, &payload);
}

void
wire_sync_batch(struct wire *w, uint64_t gen, uint64_t time, uint64_t ticks_per_s,
	const struct wire_clock *clock)
{
	struct wire payload;
	wire_init(&payload, NULL);
	wire_u8(&payload, WIRE_SYNC);
	wire_u8(&payload, WIRE_FREQUENCY);
	wire_varint(&payload, ticks_per_s);
	wire_event(&payload, WIRE_CLOCK_SNAPSHOT, clock->dt,
		(uint64_t[]){ clock->mono_ns, clock->wall_s, clock->wall_ns });
	batch_of(w, gen, time, &payload);
}

/* ---- entries */

void
wire_string(struct wire *payload, uint64_t id, const void *data, size_t size)
{
	wire_u8(payload, WIRE_STRING);
	wire_varint(payload, id);
	wire_varint(payload, size);
	wire_bytes(payload, data, size);
}

void
wire_stack(struct wire *payload, uint64_t id, const struct wire_frame *frames, size_t count)
{
	wire_u8(payload, WIRE_STACK);
	wire_varint(payload, id);
	wire_varint(payload, count);
	for (size_t i = 0; i < count; i++) {
		wire_varint(payload, frames[i].pc);
		wire_varint(payload, frames[i].func);
		wire_varint(payload, frames[i].file);
		wire_varint(payload, frames[i].line);
	}
}

void
wire_cpu_sample(struct wire *payload, uint64_t time, uint64_t m, uint64_t p, uint64_t g,
	uint64_t stack)
{
	wire_u8(payload, WIRE_CPU_SAMPLE);
	wire_varint(payload, time);
	wire_varint(payload, m);
	wire_varint(payload, p);
	wire_varint(payload, g);
	wire_varint(payload, stack);
}

void
wire_event(struct wire *payload, unsigned id, uint64_t dt, const uint64_t *args)
{
	const struct wire_spec *spec = wire_spec_find(id);
	assert(spec != NULL && spec->is_timed);
	if (!reserve(payload, WIRE_MAX_EVENT))
		return;
	uint8_t *at = payload->data + payload->size;
	*at++ = (uint8_t)id;
	at = put_varint(at, dt);
	for (unsigned i = 0; i < spec->args; i++)
		at = put_varint(at, args[i]);
	payload->size = (size_t)(at - payload->data);
}
