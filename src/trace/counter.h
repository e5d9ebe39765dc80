/* Values over time, such as the size of the heap. */
#ifndef TTRACE_TRACE_COUNTER_H
#define TTRACE_TRACE_COUNTER_H

#include <stdint.h>

#include "base/memory.h"

enum counter_type { COUNTER_HEAP_ALLOC, COUNTER_HEAP_GOAL, COUNTER_GOMAXPROCS, COUNTER_COUNT };

enum { COUNTER_BLOCK = 64 };

/* A value over time: it holds from each time to the next. */
struct counter {
	struct stable_column time_ns, value; /* int64_t, ascending; uint64_t, as many */
	uint64_t *block_least, *block_greatest; /* per COUNTER_BLOCK values */
};

static inline uint32_t
counter_count(const struct counter *counter)
{
	return counter->time_ns.count;
}

/* The values below the count. */
static inline int64_t
counter_time_ns(const struct counter *counter, uint32_t index)
{
	return *(const int64_t *)stable_at(&counter->time_ns, index);
}

static inline uint64_t
counter_value(const struct counter *counter, uint32_t index)
{
	return *(const uint64_t *)stable_at(&counter->value, index);
}

static inline size_t
counter_blocks(const struct counter *counter)
{
	return ((size_t)counter_count(counter) + COUNTER_BLOCK - 1) / COUNTER_BLOCK;
}

#endif
