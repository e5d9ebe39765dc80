/*
 * The runs of a segment, and what is known of an actor at some of them. There may be very many
 * that are short, so each kind of run has but the columns that it needs: in a segment those with an
 * anchor come first, then the others with a past, then those of actors without one.
 */
#ifndef TTRACE_TRACE_RUN_H
#define TTRACE_TRACE_RUN_H

#include <stdint.h>

#include "trace/ref.h"
#include "trace/state.h"

/* The states of one actor within one segment: from `first` to those of the run behind it. */
struct run {
	actor_ref actor;
	uint32_t first;
};

/* What came before a run. */
struct run_past {
	uint32_t ordinal;         /* states of this actor in earlier segments */
	uint32_t previous_segment, previous_run; /* of this actor; REF_NONE at its first */
};

/* Where the sums of an actor are told. */
struct run_anchor {
	uint32_t checkpoint; /* first of its checkpoints in segment.checkpoints, where it has any */
	uint32_t carry;      /* in segment.carries, REF_NONE for none */
};

/*
 * What an actor did until a segment began, at base_ns. A run without a checkpoint, or with
 * segments between it and the run before, has a carry where so many states or more have passed
 * since the last checkpoint or carry. So actors that do little need not be followed through
 * many segments, and what they did between two runs is told by the second one alone.
 */
enum {
	CARRY_STATES = 32,      /* of an actor without checkpoints: there may be very many */
	CARRY_STATES_LATER = 8,
};

struct carry {
	int64_t sums_ns[CLASS_COUNT]; /* time per class up to base_ns */
	uint64_t time_class;          /* enum time_class: of the state that it was in then */
};

/*
 * Every CHECKPOINT_STATES-th state of an actor, the first one left out, has a
 * checkpoint: what lies before it, so that sums over any interval look at one block
 * only.
 */
enum { CHECKPOINT_STATES = 128 };

struct checkpoint {
	int64_t sums_ns[CLASS_COUNT]; /* time per class from the first state up to this one's start */
	int64_t longest_ns;           /* of the block that ends here */
	uint32_t longest_ordinal;     /* which state of the actor that is */
	class_mask classes;           /* that occur in the block that ends here */
};

/*
 * The first checkpoint of a run that begins with this ordinal stands at the item whose ordinal
 * is so many times the items per block.
 */
static inline uint32_t
run_first_block(uint32_t ordinal, uint32_t block)
{
	return ordinal == 0 ? 1 : (ordinal + block - 1) / block;
}

/* How many states it has; behind it stands another one, or what ends the last run. */
static inline uint32_t
run_length(const struct run *run)
{
	return run[1].first - run->first;
}

/* The index behind its last state. */
static inline uint32_t
run_end(const struct run *run)
{
	return run[1].first;
}

#endif
