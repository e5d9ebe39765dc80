/*
 * What a segment is made of: states in the order of time as the builder gathers them, with all
 * that is known of them. The publisher sorts them into a segment, unless somebody else takes them.
 */
#ifndef TTRACE_TRACE_DRAFT_H
#define TTRACE_TRACE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/segment.h"

struct gathered_state {
	uint32_t start;          /* as in the segment */
	actor_ref actor;         /* once it is sorted: where the state went */
	uint16_t site;
	uint8_t kind;
};

/* An actor that has states here. */
struct draft_run {
	actor_ref actor;
	uint32_t count; /* until the draft is complete: its states before */
};

/* The actor got its name while this was gathered. */
struct draft_name {
	actor_ref actor;
	string_id name;
};

/* The entries of all processors, or all threads, in time order. */
struct draft_column {
	struct draft_entry {
		uint32_t resource, state; /* state: in time order; once sorted, where the entry went */
	} *entries;
	size_t entry_count, entry_capacity;
	struct resource_run *runs; /* who has news here; `first` and `checkpoint` are not set */
	size_t run_count, run_capacity;
	struct entry_cut *cuts;    /* entry: index in time order */
	size_t cut_count, cut_capacity;
	struct draft_end { /* of an entry in an earlier segment: its state ends */
		uint32_t resource;
		int64_t end_ns;
	} *ends;
	size_t end_count, end_capacity;
};

/* The draft of a segment of usual length has so many states, and mostly takes less, in any trace. */
enum { DRAFT_USUAL_STATES = 1 << 15, DRAFT_USUAL_BYTES = 3 << 19 };

/* Zero-initialised is empty. */
struct draft {
	int64_t base_ns;   /* of the 32-bit offsets */
	int64_t end_ns;    /* time of the last event */
	uint32_t actor_count;     /* that are known by then ... */
	uint32_t kind_count;      /* ... and kinds of states */
	struct gathered_state *states;
	uint32_t state_count;
	size_t state_capacity;
	struct site *sites; /* of these states */
	uint32_t site_count;
	size_t site_capacity;
	struct draft_run *runs; /* in the order of their first states */
	uint32_t run_count;
	size_t run_capacity;
	struct draft_name *names;
	size_t name_count, name_capacity;
	struct {
		uint32_t *state; /* in time order */
		size_t count, capacity;
	} wakes[WAKE_ROW_COUNT];
	struct draft_column processors, threads;
};

struct trace; /* trace/trace.h */

/*
 * Takes states in the place of segments: draft after draft, in the order of time, on one thread.
 * A draft is good during the call. Of the trace, which grows meanwhile, start_ns may be looked at, as
 * many kinds as the draft has, and the strings and stacks that those, its names and its sites refer to.
 */
struct draft_taker {
	bool (*take)(void *context, const struct trace *trace, const struct draft *draft,
	             struct error *err);
	void *context;
};

/* When a state of a draft began; since_ns: where the trace begins. */
static inline int64_t
draft_start_ns(const struct draft *draft, const struct gathered_state *state, int64_t since_ns)
{
	return state->start == START_AT_ORIGIN ? since_ns : draft->base_ns + (int64_t)state->start;
}

/* Whether there is anything to be published. */
static inline bool
draft_is_empty(const struct draft *draft)
{
	return draft->state_count == 0 && draft->processors.run_count == 0 &&
	       draft->name_count == 0;
}

/* Whether it is that of a segment of more than the usual length. */
static inline bool
draft_is_long(const struct draft *draft)
{
	return draft->state_count > DRAFT_USUAL_STATES;
}

/* Empty again, with the room that it had. */
void draft_clear(struct draft *draft);
void draft_release(struct draft *draft);
/* Bytes of its columns beyond DRAFT_USUAL_BYTES. */
uint64_t draft_grown_bytes(const struct draft *draft);

#endif
