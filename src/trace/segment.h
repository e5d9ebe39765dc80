/*
 * A segment: an immutable stretch of the trace in columns. Within it all states
 * of one actor stand together in time order (a run); the tracks of processors
 * and threads are arrays of indices into those states.
 */
#ifndef TTRACE_TRACE_SEGMENT_H
#define TTRACE_TRACE_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "trace/ref.h"
#include "trace/run.h"
#include "trace/stack.h"
#include "trace/state.h"
#include "trace/waker.h"

/* In `start`: the state held already when the trace began. */
#define START_AT_ORIGIN UINT32_MAX
/* In `kind`: the last state of its run. The rest is an index into trace.kinds. */
#define KIND_LAST_IN_RUN 0x80u
#define KIND_MASK 0x7fu
#define KIND_MAX 126u

/* Indices of states of a segment: narrow where it has at most SEGMENT_NARROW states, else wide. */
struct state_list {
	uint16_t *narrow;
	uint32_t *wide; /* the other one is NULL */
};

enum { SEGMENT_NARROW = 1 << 16 };

static inline uint32_t
state_list_at(const struct state_list *list, uint32_t index)
{
	return list->wide == NULL ? list->narrow[index] : list->wide[index];
}

static inline void
state_list_set(struct state_list *list, uint32_t index, uint32_t state)
{
	if (list->wide == NULL)
		list->narrow[index] = (uint16_t)state;
	else
		list->wide[index] = state;
}

/*
 * A processor or thread over the segment: the running and syscall states on it, in
 * time order. An entry is such a state; where the processor was taken away during the
 * syscall, `cuts` says when.
 */
#define NOT_CUT INT64_MAX

/* What lies before the first entry of a run, so that sums between two runs look at the second alone. */
struct resource_carry {
	int64_t running_ns, worker_ns, syscall_ns; /* of all entries in earlier segments */
	int64_t ended_ns;    /* when the last one of them ended, ... */
	uint64_t time_class; /* ... and which of the three it was */
};

struct resource_run {
	uint32_t resource;    /* resource_ref or resource_ref */
	uint32_t first, count; /* in the entries column; count 0 where only carried_cut_ns is news */
	uint32_t ordinal;     /* entries of this resource in earlier segments */
	uint32_t checkpoint;  /* its first in `checkpoints`, made as for actors */
	int64_t carried_cut_ns; /* when it lost the entry it had as the segment began, else NOT_CUT */
	struct resource_carry carry; /* only where the ordinal is not 0 */
};

/*
 * What lies before an entry whose ordinal is a multiple of CHECKPOINT_ENTRIES, which is
 * fewer since each entry costs a jump to its state.
 */
enum { CHECKPOINT_ENTRIES = 32 };

struct resource_checkpoint {
	int64_t running_ns, worker_ns, syscall_ns; /* up to this entry's start */
	int64_t longest_ns;                           /* of the block that ends here */
	uint32_t longest_ordinal;
	uint32_t start; /* of this entry's state, so that a search need not go there */
};

struct entry_cut {
	uint32_t entry;    /* index in the entries column; ascending */
	int64_t end_ns;
};

struct resource_column {
	struct resource_run *runs; /* by resource, ascending */
	uint32_t run_count;
	struct state_list entries;
	uint32_t entry_count;
	struct resource_checkpoint *checkpoints;
	struct entry_cut *cuts;
	uint32_t cut_count, checkpoint_count;
};

/* A row of moments: the wakes by the network, by timers, out of blocked syscalls. */
enum wake_row { WAKE_NETWORK, WAKE_TIMER, WAKE_SYSCALL, WAKE_ROW_COUNT };

struct wake_column {
	struct state_list states; /* the ready states that the wakes begin, in time order */
	uint32_t count;
	uint64_t before; /* wakes in earlier segments */
};

/*
 * Where a state happened and who was in it. running: place = thread, origin = processor.
 * ready: place = stack of whoever made it ready (or its own when it was stopped),
 * origin = who that is by the event, for waker_of(). blocked: place = stack, origin
 * unused. syscall: place = stack, origin = thread.
 */
struct site {
	uint32_t place, origin;
};

enum { SEGMENT_SITES = 1 << 16 };

/* In the trace's arena, one block with all of its columns. */
struct segment {
	atomic_bool is_unchecked; /* the columns are not to be looked at yet, see backing.h */
	int64_t base_ns;      /* of the 32-bit offsets */
	int64_t since_ns;     /* what START_AT_ORIGIN stands for: where the trace begins */
	int64_t end_ns;       /* time of the last event in it */
	uint32_t state_count;
	uint32_t *start;      /* ns after base_ns, or START_AT_ORIGIN: since_ns */
	uint8_t *kind;
	uint16_t *site;       /* index in `sites`: many states share one */
	struct site *sites;
	uint32_t site_count;  /* at most SEGMENT_SITES */

	struct run *runs;     /* ascending by `first`; behind the last one stands the state_count */
	struct run_past *pasts;     /* of the first so many of them */
	struct run_anchor *anchors; /* of the first so many, no more */
	uint32_t run_count, past_count, anchor_count;
	uint32_t *run_starts; /* `start` of each run's first state, where the columns need a check; else NULL */
	struct carry *carries; /* in the order of the runs */
	uint32_t carry_count;
	struct checkpoint *checkpoints;
	uint32_t checkpoint_count;

	struct resource_column processors, threads;
	struct wake_column wakes[WAKE_ROW_COUNT];
};

/* A search by time looks at these, which stand together, and at no other segment than it finds. */
struct segment_place {
	struct segment *segment;
	int64_t base_ns, end_ns; /* as in the segment */
};

static inline struct segment_place
segment_place_of(struct segment *segment)
{
	return (struct segment_place){ segment, segment->base_ns, segment->end_ns };
}

/* The time that an offset stands for. */
static inline int64_t
segment_time_ns(const struct segment *segment, uint32_t offset)
{
	return offset == START_AT_ORIGIN ? segment->since_ns : segment->base_ns + (int64_t)offset;
}

/* When a state began. O(1). */
static inline int64_t
segment_start_ns(const struct segment *segment, uint32_t state)
{
	return segment_time_ns(segment, segment->start[state]);
}

/* When a run began. Its segment may be unchecked. */
static inline int64_t
segment_run_start_ns(const struct segment *segment, uint32_t run)
{
	if (segment->run_starts != NULL)
		return segment_time_ns(segment, segment->run_starts[run]);
	return segment_start_ns(segment, segment->runs[run].first);
}

/* What came before a run of the segment. */
static inline struct run_past
segment_run_past(const struct segment *segment, const struct run *run)
{
	size_t at = (size_t)(run - segment->runs);

	return at < segment->past_count ? segment->pasts[at]
	                                : (struct run_past){ 0, REF_NONE, REF_NONE };
}

static inline struct run_anchor
segment_run_anchor(const struct segment *segment, const struct run *run)
{
	size_t at = (size_t)(run - segment->runs);

	return at < segment->anchor_count ? segment->anchors[at]
	                                  : (struct run_anchor){ 0, REF_NONE };
}

static inline const struct site *
segment_site(const struct segment *segment, uint32_t state)
{
	return &segment->sites[segment->site[state]];
}

/* The run that a state belongs to. O(log runs). */
const struct run *segment_run_of(const struct segment *segment, uint32_t state);
/* The first cut of an entry at or behind this one; cut_count if there is none. O(log cuts). */
uint32_t resource_first_cut(const struct resource_column *column, uint32_t entry);
/* When the processor of an entry was taken away, else NOT_CUT. O(log cuts). */
int64_t resource_cut_ns(const struct resource_column *column, uint32_t entry);

/* A segment with columns of as many items as the counts in `like` say, all else as there. */
struct segment *segment_new(const struct segment *like, struct arena *arena, struct error *err);
size_t segment_bytes(const struct segment *segment);

#endif
