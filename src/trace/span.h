/*
 * What the interval index speaks of: lanes and the spans on them.
 */
#ifndef TTRACE_TRACE_SPAN_H
#define TTRACE_TRACE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

enum lane_type {
	LANE_ACTOR,     /* ref: actor_ref; spans are its states */
	LANE_PROCESSOR, /* ref: resource_ref; spans are running and syscall states on it */
	LANE_THREAD,    /* ref: resource_ref; the same */
	LANE_GROUP,     /* ref: group_ref; sums only: spans of its members overlap */
	LANE_ALL,       /* all actors; sums only */
	LANE_GC,        /* mark phases */
	LANE_STW,       /* stop-the-world */
	LANE_TYPE_COUNT, /* of those that the index answers for */
	LANE_TASK = LANE_TYPE_COUNT /* ref: task_ref; analysis/task_life.h knows its states */
};

struct lane {
	enum lane_type type;
	uint32_t ref; /* 0 where the type has only one */
};

/* A span as the index answers it: a copy, good as long as the trace. */
struct span {
	int64_t start_ns, end_ns; /* end is the trace's end where it is open */
	bool is_open;             /* it did not end within the trace */
	enum time_class time_class;
	const struct state_kind *kind; /* NULL for a range */
	actor_ref actor;               /* whose state it is; REF_NONE for a global range */
	resource_ref processor;        /* of running and, where known, syscall; else REF_NONE */
	resource_ref thread;
	stack_id stack;                /* where it blocked, or entered the syscall; who woke: waker_stack */
	stack_id waker_stack;          /* STACK_NONE where no actor did */
	struct waker waker;            /* of a ready state; else WAKER_NONE */
	range_ref range;               /* for a range, else REF_NONE */
	uint32_t segment, state;       /* place in the trace, for lanes of states */
	uint32_t ordinal;              /* which span of its lane: 0, 1, ... */
};

/* Leaves of a span what lies within [t0, t1), which it overlaps. */
static inline void
span_clip(struct span *span, int64_t t0_ns, int64_t t1_ns)
{
	if (span->start_ns < t0_ns)
		span->start_ns = t0_ns;
	if (span->end_ns > t1_ns)
		span->end_ns = t1_ns;
}

/* How long that is. */
static inline int64_t
span_within(const struct span *span, int64_t t0_ns, int64_t t1_ns)
{
	int64_t start_ns = span->start_ns > t0_ns ? span->start_ns : t0_ns;
	int64_t end_ns = span->end_ns < t1_ns ? span->end_ns : t1_ns;
	return end_ns - start_ns;
}

#endif
