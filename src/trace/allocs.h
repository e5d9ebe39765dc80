/*
 * What was allocated and freed, where the trace was taken with Go's AllocFree experiment:
 * sums over the whole trace, by kind and, for objects, by type.
 */
#ifndef TTRACE_TRACE_ALLOCS_H
#define TTRACE_TRACE_ALLOCS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

enum alloc_kind {
	ALLOC_HEAP_SPAN,  /* pages that hold objects */
	ALLOC_OTHER_SPAN, /* pages for stacks and for the runtime itself */
	ALLOC_OBJECT,     /* counted by its slot in a span */
	ALLOC_STACK,      /* of an actor */
	ALLOC_KIND_COUNT
};

enum alloc_change {
	ALLOC_BEFORE, /* it was there when the trace began */
	ALLOC_MADE,
	ALLOC_FREED,
	ALLOC_PACKED, /* made in a slot that already held an object: tiny objects share one */
	ALLOC_STRAY,  /* freed, and never mentioned before */
	ALLOC_CHANGE_COUNT
};

struct alloc_sum {
	uint64_t count;
	uint64_t bytes; /* of those whose size is known; wraps in a hostile trace */
};

struct alloc_flow {
	struct alloc_sum sums[ALLOC_CHANGE_COUNT];
	uint64_t unsized; /* there before or made, of a size that the trace does not tell */
};

/* Objects of one type; of an unknown one where the name is empty. */
struct alloc_type {
	string_id name;
	struct alloc_flow flow;
};

/* What there was at the end. */
static inline struct alloc_sum
alloc_alive(const struct alloc_flow *flow)
{
	const struct alloc_sum *sums = flow->sums;
	return (struct alloc_sum){
		.count = sums[ALLOC_BEFORE].count + sums[ALLOC_MADE].count - sums[ALLOC_FREED].count,
		.bytes = sums[ALLOC_BEFORE].bytes + sums[ALLOC_MADE].bytes - sums[ALLOC_FREED].bytes,
	};
}

#endif
