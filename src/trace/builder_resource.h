/* The builder's part for procs and threads: what runs on them, in time order. Not for others. */
#ifndef TTRACE_TRACE_BUILDER_RESOURCE_H
#define TTRACE_TRACE_BUILDER_RESOURCE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "trace/draft.h"

/* A proc or thread while the segment is being filled. */
struct resource_build {
	uint32_t ref;
	uint32_t count;        /* entries in this segment */
	uint32_t total;        /* entries in all */
	uint32_t open_entry;   /* in the column's entries, REF_NONE when nothing is on it */
	bool open_is_carried;  /* the open entry stands in an earlier segment */
	bool is_touched;       /* has a run in the draft */
	int64_t open_since_ns;
	enum time_class open_class;
	goroutine_ref open_goroutine;
	int64_t carried_cut_ns;
	struct resource_checkpoint sums;
};

/* All procs, or all threads. */
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
	int64_t now_ns, start_ns; /* start is earlier for one older than the trace */
	uint32_t state;           /* in time order */
	enum time_class time_class;
	goroutine_ref goroutine;
};

/* Before an entry: ends what is open, and sees to all that is not needed for every entry. */
bool resource_prepare(struct draft_column *draft, struct resource_build *build,
                      int64_t now_ns, struct error *err);
/* The entry that is open ends although its state goes on. */
bool resource_note_cut(struct draft_column *draft, struct resource_build *build,
                       int64_t now_ns, struct error *err);

static inline void
resource_add_up(struct resource_build *build, int64_t now_ns)
{
	int64_t duration_ns = now_ns - build->open_since_ns;

	if (build->open_class == CLASS_SYSCALL)
		build->sums.syscall_ns += duration_ns;
	else if (build->open_class == CLASS_GC_WORKER)
		build->sums.gc_worker_ns += duration_ns;
	else
		build->sums.running_ns += duration_ns;
	if (duration_ns > build->sums.longest_ns) {
		build->sums.longest_ns = duration_ns;
		build->sums.longest_ordinal = build->total - 1;
	}
}

/* What is open on it, if anything, ends with its state; is_cut: it ends although the state goes on. */
static inline bool
resource_end(struct draft_column *draft, struct resource_build *build, int64_t now_ns,
             bool is_cut, struct error *err)
{
	if (build->open_entry == REF_NONE)
		return true;
	if (UNLIKELY(is_cut) && !resource_note_cut(draft, build, now_ns, err))
		return false;
	resource_add_up(build, now_ns);
	build->open_entry = REF_NONE;
	build->open_is_carried = false;
	return true;
}

/* Ends what was open. */
static inline bool
resource_begin(struct draft_column *draft, struct resource_build *build,
               const struct entry_begin *begin, struct error *err)
{
	if (UNLIKELY(build->open_entry != REF_NONE || !build->is_touched ||
	             build->total % CHECKPOINT_ENTRIES == 0 ||
	             draft->entry_count == draft->entry_capacity) &&
	    !resource_prepare(draft, build, begin->now_ns, err))
		return false;
	build->count++;
	build->total++;
	build->open_entry = (uint32_t)draft->entry_count;
	build->open_is_carried = false;
	build->open_since_ns = begin->start_ns;
	build->open_class = begin->time_class;
	build->open_goroutine = begin->goroutine;
	draft->entries[draft->entry_count++] =
		(struct draft_entry){ .resource = build->ref, .state = begin->state };
	return true;
}

/* The draft is complete: says what its runs are, and begins anew. */
void resource_hand_over(struct resource_builder *resources, struct draft_column *draft);
void resource_builder_release(struct resource_builder *resources);

#endif
