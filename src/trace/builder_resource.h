/* The builder's part for procs and threads: what runs on them, in time order. Not for others. */
#ifndef TTRACE_TRACE_BUILDER_RESOURCE_H
#define TTRACE_TRACE_BUILDER_RESOURCE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "trace/segment.h"

/* A state of the segment being filled. */
struct gathered_state {
	uint32_t start;          /* as in the segment */
	goroutine_ref goroutine; /* once it is sorted: where the state went */
	uint16_t site;
	uint8_t kind;
};

/* A proc or thread while the segment is being filled. */
struct resource_build {
	uint32_t ref;
	uint32_t count;        /* entries in this segment */
	uint32_t next;         /* while sorting: where the next entry goes */
	uint32_t total;        /* entries in all */
	uint32_t open_entry;   /* in the column's entries, REF_NONE when nothing is on it */
	bool open_is_carried;  /* the open entry stands in an earlier segment */
	bool is_touched;       /* listed in the column's touched */
	int64_t open_since_ns;
	enum time_class open_class;
	goroutine_ref open_goroutine;
	int64_t carried_cut_ns;
	struct resource_checkpoint sums;
};

/* The entries of all procs, or all threads, in time order. */
struct resource_builder {
	struct resource_build *builds; /* by ref */
	size_t build_count, build_capacity;
	struct open_entry {
		uint32_t resource, state; /* state: in time order; once sorted, where the entry went */
	} *entries;
	size_t entry_count, entry_capacity;
	uint32_t *touched;            /* refs that have news in this segment */
	size_t touched_count, touched_capacity;
	struct entry_cut *cuts;       /* entry: index in time order */
	size_t cut_count, cut_capacity;
	struct tagged_checkpoint {
		uint32_t resource;
		struct resource_checkpoint checkpoint;
	} *checkpoints;
	size_t checkpoint_count, checkpoint_capacity;
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
bool resource_prepare(struct resource_builder *resources, struct resource_build *build,
                      int64_t now_ns, struct error *err);
/* The entry that is open ends although its state goes on. */
bool resource_note_cut(struct resource_builder *resources, struct resource_build *build,
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
resource_end(struct resource_builder *resources, struct resource_build *build, int64_t now_ns,
             bool is_cut, struct error *err)
{
	if (build->open_entry == REF_NONE)
		return true;
	if (UNLIKELY(is_cut) && !resource_note_cut(resources, build, now_ns, err))
		return false;
	resource_add_up(build, now_ns);
	build->open_entry = REF_NONE;
	build->open_is_carried = false;
	return true;
}

/* Ends what was open. */
static inline bool
resource_begin(struct resource_builder *resources, struct resource_build *build,
               const struct entry_begin *begin, struct error *err)
{
	if (UNLIKELY(build->open_entry != REF_NONE || !build->is_touched ||
	             build->total % CHECKPOINT_ENTRIES == 0 ||
	             resources->entry_count == resources->entry_capacity) &&
	    !resource_prepare(resources, build, begin->now_ns, err))
		return false;
	build->count++;
	build->total++;
	build->open_entry = (uint32_t)resources->entry_count;
	build->open_is_carried = false;
	build->open_since_ns = begin->start_ns;
	build->open_class = begin->time_class;
	build->open_goroutine = begin->goroutine;
	resources->entries[resources->entry_count++] =
		(struct open_entry){ .resource = build->ref, .state = begin->state };
	return true;
}

/* How long the columns of the segment being filled will be. */
void resource_count(const struct resource_builder *resources, struct resource_column *column);
/*
 * Writes the entries of the segment being filled, sorted by resource, into columns of those
 * lengths, and begins anew. The states were sorted; `start` is the segment's.
 */
void resource_publish(struct resource_builder *resources, const struct gathered_state *states,
                      const uint32_t *start, struct resource_column *column);
void resource_builder_release(struct resource_builder *resources);

#endif
