/*
 * The builder's part for processors and threads: what runs on them, in time order. Not for others.
 */
#ifndef TTRACE_TRACE_BUILDER_RESOURCE_H
#define TTRACE_TRACE_BUILDER_RESOURCE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "trace/draft.h"

/* A processor or thread while the segment is being filled. */
struct resource_build {
	uint32_t ref;
	uint32_t count;        /* entries in this segment */
	uint32_t total;        /* entries in all */
	uint32_t entry;        /* the latest, in the column's entries; unless is_carried */
	actor_ref actor; /* that it is of; REF_NONE: of nobody, or the processor was lost */
	uint32_t ordinal;      /* which of the actor's states it is */
	bool is_carried;       /* it stands in an earlier segment */
	bool is_touched;       /* has a run in the draft */
	int64_t carried_cut_ns;
};

/* All processors, or all threads. */
struct resource_builder {
	struct resource_build *builds; /* by ref */
	size_t build_count, build_capacity;
};

static inline struct resource_build *
resource_build_at(const struct resource_builder *resources, uint32_t ref)
{
	assert(ref < resources->build_count);
	return &resources->builds[ref];
}

bool resource_add(struct resource_builder *resources, struct error *err);
/* A state that begins on it. */
struct entry_begin {
	uint32_t state;   /* in time order */
	uint32_t ordinal; /* among those of the actor */
	actor_ref actor;
};

/* Before an entry: sees to all that is not needed for every one. */
bool resource_prepare(struct draft_column *draft, struct resource_build *build,
                      struct error *err);
/* Its latest entry ends although the state goes on. */
bool resource_cut(struct draft_column *draft, struct resource_build *build, int64_t now_ns,
                  struct error *err);
/* If the actor's entry from an earlier segment is on it still: that ends with its state. */
bool resource_end_carried(struct draft_column *draft, const struct resource_build *build,
                          actor_ref actor, int64_t now_ns, struct error *err);

static inline bool
resource_begin(struct draft_column *draft, struct resource_build *build,
               const struct entry_begin *begin, struct error *err)
{
	if (UNLIKELY(!build->is_touched || draft->entry_count == draft->entry_capacity) &&
	    !resource_prepare(draft, build, err))
		return false;
	build->count++;
	build->total++;
	build->entry = (uint32_t)draft->entry_count;
	build->actor = begin->actor;
	build->ordinal = begin->ordinal;
	build->is_carried = false;
	draft->entries[draft->entry_count++] =
		(struct draft_entry){ .resource = build->ref, .state = begin->state };
	return true;
}

/* The draft is complete: says what its runs are, and begins anew. */
void resource_hand_over(struct resource_builder *resources, struct draft_column *draft);
void resource_builder_release(struct resource_builder *resources);

#endif
