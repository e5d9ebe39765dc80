/* Values over time, such as the size of the heap or the clock rate of a CPU. */
#ifndef TTRACE_TRACE_COUNTER_H
#define TTRACE_TRACE_COUNTER_H

#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"

enum counter_type { COUNTER_HEAP_ALLOC, COUNTER_HEAP_GOAL, COUNTER_GOMAXPROCS, COUNTER_COUNT };

enum { COUNTER_BLOCK = 64 };

/* A value over time: it holds from each time to the next. */
struct counter {
	struct stable_column time_ns, value; /* int64_t, ascending; uint64_t, as many */
	uint64_t *block_least, *block_greatest; /* per COUNTER_BLOCK values */
};

/* A counter that the input names. Its values are signed, and kept as gauge_pack() has them. */
struct gauge {
	string_id name;
	struct counter counter;
};

/* Ordered as unsigned numbers, they are in the order of the values. */
static inline uint64_t
gauge_pack(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

static inline int64_t
gauge_unpack(uint64_t packed)
{
	return (int64_t)(packed ^ UINT64_C(1) << 63);
}

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
