/*
 * Random traces, made through the builder, and beside each one the same facts in plain
 * lists, in which every question can be answered by looking at everything.
 */
#ifndef TTRACE_TESTS_RANDOMTRACE_H
#define TTRACE_TESTS_RANDOMTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/lane.h"
#include "trace/trace.h"

/* A span as lane.h has it, as far as a plain list can know. */
struct plain_span {
	int64_t start_ns, end_ns;
	bool is_open;
	enum time_class time_class;
	actor_ref goroutine;
	stack_id stack, waker_stack;
	struct waker waker;
	resource_ref proc;
	resource_ref thread;
};

/* Spans by start. Those of one goroutine, proc or thread do not overlap. */
struct plain_lane {
	struct plain_span *spans;
	size_t count, capacity;
};

struct plain_counter {
	int64_t *time_ns;
	uint64_t *value;
	size_t count, time_capacity, value_capacity;
};

struct plain_region {
	actor_ref goroutine;
	int64_t start_ns, end_ns;
	uint32_t depth;
	range_ref range;
};

enum { RANDOM_GOROUTINES = 200, RANDOM_PROCS = 6, RANDOM_THREADS = 8 };

struct random_trace {
	uint64_t seed;
	struct trace *trace;
	struct plain_lane goroutines[RANDOM_GOROUTINES];
	string_id names[RANDOM_GOROUTINES];
	uint32_t goroutine_count;
	struct plain_lane procs[RANDOM_PROCS], threads[RANDOM_THREADS];
	struct plain_lane gc, stw;      /* ranges as they came; they may touch or overlap */
	struct plain_lane wakes[WAKE_ROW_COUNT]; /* the ready spans that begin there */
	struct plain_counter counter;   /* of the heap */
	struct plain_region *regions;
	size_t region_count, region_capacity;
	int64_t end_ns;
};

/* The same seed makes the same trace. Failures fail the test. */
void random_trace_make(struct random_trace *random, uint64_t seed);
void random_trace_release(struct random_trace *random);

/* The seeds to try: the one in TTRACE_SEED alone, else 1 to `count`. */
void random_each_seed(uint64_t count, void (*function)(uint64_t seed));

#endif
