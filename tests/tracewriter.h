/*
 * Writes the bytes of Go execution traces, formats 1.22 to 1.26, for tests:
 * the wire form of doc/format/go-trace-v2.md and nothing of its meaning. It
 * has its own event table and shares no code with the readers, so a mistake
 * there is not repeated here. Nothing is checked either: ids, sizes, orders
 * and versions may be as wrong as a test wants them.
 *
 * All ids are 64 bits; WIRE_NONE is the all-ones "no thread / proc / goroutine".
 */
#ifndef TTRACE_TESTS_TRACEWRITER_H
#define TTRACE_TESTS_TRACEWRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WIRE_NONE UINT64_MAX
#define WIRE_MAX_PAYLOAD ((size_t)65536) /* of a batch */
#define WIRE_MAX_STRING ((size_t)1024)
#define WIRE_MAX_FRAMES 128
#define WIRE_MAX_ARGS 4     /* of a timed event, dt not counted */
#define WIRE_MAX_EVENT 51   /* bytes: the id and five varints */

enum wire_id {
	WIRE_EVENT_BATCH = 1,
	WIRE_STACKS,
	WIRE_STACK,
	WIRE_STRINGS,
	WIRE_STRING,
	WIRE_CPU_SAMPLES,
	WIRE_CPU_SAMPLE,
	WIRE_FREQUENCY,
	WIRE_PROCS_CHANGE,
	WIRE_PROC_START,
	WIRE_PROC_STOP,
	WIRE_PROC_STEAL,
	WIRE_PROC_STATUS,
	WIRE_GO_CREATE,
	WIRE_GO_CREATE_SYSCALL,
	WIRE_GO_START,
	WIRE_GO_DESTROY,
	WIRE_GO_DESTROY_SYSCALL,
	WIRE_GO_STOP,
	WIRE_GO_BLOCK,
	WIRE_GO_UNBLOCK,
	WIRE_GO_SYSCALL_BEGIN,
	WIRE_GO_SYSCALL_END,
	WIRE_GO_SYSCALL_END_BLOCKED,
	WIRE_GO_STATUS,
	WIRE_STW_BEGIN,
	WIRE_STW_END,
	WIRE_GC_ACTIVE,
	WIRE_GC_BEGIN,
	WIRE_GC_END,
	WIRE_GC_SWEEP_ACTIVE,
	WIRE_GC_SWEEP_BEGIN,
	WIRE_GC_SWEEP_END,
	WIRE_GC_MARK_ASSIST_ACTIVE,
	WIRE_GC_MARK_ASSIST_BEGIN,
	WIRE_GC_MARK_ASSIST_END,
	WIRE_HEAP_ALLOC,
	WIRE_HEAP_GOAL,
	WIRE_GO_LABEL,
	WIRE_USER_TASK_BEGIN,
	WIRE_USER_TASK_END,
	WIRE_USER_REGION_BEGIN,
	WIRE_USER_REGION_END,
	WIRE_USER_LOG,
	WIRE_GO_SWITCH,
	WIRE_GO_SWITCH_DESTROY,
	WIRE_GO_CREATE_BLOCKED,
	WIRE_GO_STATUS_STACK,
	WIRE_EXPERIMENTAL_BATCH,
	WIRE_SYNC,
	WIRE_CLOCK_SNAPSHOT,
	WIRE_END_OF_GENERATION,
	WIRE_SPAN = 128,
	WIRE_SPAN_ALLOC,
	WIRE_SPAN_FREE,
	WIRE_HEAP_OBJECT,
	WIRE_HEAP_OBJECT_ALLOC,
	WIRE_HEAP_OBJECT_FREE,
	WIRE_GOROUTINE_STACK,
	WIRE_GOROUTINE_STACK_ALLOC,
	WIRE_GOROUTINE_STACK_FREE
};

struct wire_spec {
	const char *name;
	uint8_t args;   /* operands, dt not counted */
	bool is_timed;
	uint8_t since;  /* minor version of the first format that has it */
};

/* NULL for an unassigned id. */
const struct wire_spec *wire_spec_find(unsigned id);

/*
 * Where bytes go. In memory they collect in data[0..size). With a file, data
 * is only a buffer, emptied into it when large and by wire_flush(). A failed
 * allocation or write sets has_failed, and everything later is dropped.
 */
struct wire {
	uint8_t *data;
	size_t size, capacity;
	FILE *file;       /* the caller's; NULL: stay in memory */
	uint64_t flushed; /* bytes already given to file */
	bool has_failed;
};

void wire_init(struct wire *w, FILE *file);
void wire_release(struct wire *w);

/* Forgets the bytes in memory and keeps the storage. */
void wire_clear(struct wire *w);

/* Gives everything to the file. False if any byte was lost since init. */
bool wire_flush(struct wire *w);

/* Bytes written so far, in memory or given to the file. */
uint64_t wire_offset(const struct wire *w);

/* ---- pieces */

void wire_u8(struct wire *w, unsigned value);
void wire_bytes(struct wire *w, const void *data, size_t size);
void wire_varint(struct wire *w, uint64_t value);

/* Always ten bytes, as the runtime writes the size of a batch. */
void wire_varint_padded(struct wire *w, uint64_t value);

/* "go 1.NN trace" and three zero bytes. */
void wire_header(struct wire *w, unsigned minor);

/* ---- batches; `size` may lie about what follows */

void wire_batch_header(struct wire *w, uint64_t gen, uint64_t m, uint64_t time, uint64_t size);

/* A whole batch around a payload made in a memory wire. */
void wire_batch(struct wire *w, uint64_t gen, uint64_t m, uint64_t time,
	const struct wire *payload);
void wire_experimental_batch(struct wire *w, unsigned experiment, uint64_t gen, uint64_t m,
	uint64_t time, const struct wire *payload);
void wire_end_of_generation(struct wire *w);

/* The batch with the frequency alone, as up to 1.23. */
void wire_frequency_batch(struct wire *w, uint64_t gen, uint64_t time, uint64_t ticks_per_s);

struct wire_clock {
	uint64_t dt;      /* ticks after the time of the batch */
	uint64_t mono_ns, wall_s, wall_ns;
};

/* The batch with frequency and clock snapshot, as from 1.25. */
void wire_sync_batch(struct wire *w, uint64_t gen, uint64_t time, uint64_t ticks_per_s,
	const struct wire_clock *clock);

/*
 * ---- entries of table batches; the payload starts with one wire_u8() of
 * WIRE_STRINGS, WIRE_STACKS or WIRE_CPU_SAMPLES
 */

void wire_string(struct wire *payload, uint64_t id, const void *data, size_t size);

struct wire_frame {
	uint64_t pc, func, file, line; /* func and file are string ids */
};

/* Frames leaf first. */
void wire_stack(struct wire *payload, uint64_t id, const struct wire_frame *frames, size_t count);

/* time is absolute; p may be WIRE_NONE, g 0. */
void wire_cpu_sample(struct wire *payload, uint64_t time, uint64_t m, uint64_t p, uint64_t g,
	uint64_t stack);

/*
 * ---- timed events: id, dt and as many of args as the table has for the id.
 * args may be NULL where there is none.
 */
void wire_event(struct wire *payload, unsigned id, uint64_t dt, const uint64_t *args);

#endif
