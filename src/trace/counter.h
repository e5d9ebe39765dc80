/* Values over time, such as the size of the heap. */
#ifndef TTRACE_TRACE_COUNTER_H
#define TTRACE_TRACE_COUNTER_H

#include <stddef.h>
#include <stdint.h>

enum counter_type { COUNTER_HEAP_ALLOC, COUNTER_HEAP_GOAL, COUNTER_GOMAXPROCS, COUNTER_COUNT };

enum { COUNTER_BLOCK = 64 };

/* A value over time: it holds from each time to the next. */
struct counter {
	int64_t *time_ns; /* ascending */
	uint64_t *value;
	uint64_t *block_least, *block_greatest; /* per COUNTER_BLOCK values */
	size_t count, time_capacity, value_capacity;
};

static inline size_t
counter_blocks(const struct counter *counter)
{
	return (counter->count + COUNTER_BLOCK - 1) / COUNTER_BLOCK;
}

#endif
