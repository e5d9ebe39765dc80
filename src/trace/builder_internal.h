/* What the files of the builder share. Not for others. */
#ifndef TTRACE_TRACE_BUILDER_INTERNAL_H
#define TTRACE_TRACE_BUILDER_INTERNAL_H

#include <assert.h>

#include "trace/builder.h"

/*
 * A segment is cut at this many states, so that what is held in time order
 * before it is sorted by goroutine stays small beside the whole.
 */
enum { SEGMENT_STATES = 1 << 18 };

enum { RECENT_KINDS = 256 };

/* Sums of a goroutine long-lived enough to have checkpoints. */
struct checkpoint_state {
	struct checkpoint sums;  /* up to last_ns; longest and classes of the block so far */
	int64_t last_ns;
	enum time_class last_class;
};

struct goroutine_build {
	uint32_t count;           /* states in the segment being filled */
	uint32_t total;           /* states in all */
	uint32_t next;            /* where the next one goes, while sorting */
	uint32_t last_segment, last_run;
	uint32_t checkpoint_slot; /* in checkpoint_states, REF_NONE for none */
	proc_ref proc;            /* whose entry is open for this state, else REF_NONE */
	thread_ref thread;
	uint32_t listed_group;    /* in builder.listed, REF_NONE while it has no name */
	uint8_t kind;             /* of the current state */
	uint8_t listed_class;     /* after its states in the segments so far */
	bool has_state;
	bool is_gc_worker;
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
	struct stable_column build;   /* struct resource_build by ref */
	struct open_entry {
		uint32_t resource, state; /* state: in time order; while sorting, where the entry went */
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

struct builder {
	struct trace *trace;
	const struct progress *progress; /* NULL for none */
	bool has_origin;
	int64_t now_ns;          /* since origin */
	int64_t base_ns;         /* of the segment being filled */

	struct stable_column goroutines; /* struct goroutine_build by ref */
	struct resource_builder procs, threads;
	struct map proc_of, thread_of, task_of; /* id -> ref, of the latest with that id */
	struct map kind_of;
	struct recent_kind {      /* kinds that came lately, by what they are made of */
		uint64_t key;
		uint8_t kind;
	} recent_kinds[RECENT_KINDS];

	/* States of the segment being filled, in time order. */
	uint32_t state_count;
	uint32_t *start, *place, *origin;
	goroutine_ref *goroutine;
	uint8_t *kind;
	uint32_t *moved;          /* time order -> place in the segment, while sorting */
	goroutine_ref *touched;   /* goroutines with states in this segment */
	uint32_t touched_count;
	struct {
		uint32_t *state;      /* in time order */
		size_t count, capacity;
	} wakes[WAKE_ROW_COUNT];

	struct checkpoint_state *checkpoint_states;
	size_t checkpoint_state_count, checkpoint_state_capacity;

	struct map alloc_type_of; /* name -> index in trace.alloc_types */
	struct listed_group {
		goroutine_ref first;         /* member */
		bool has_begun;              /* there is a second one */
		struct change_list *changes; /* NULL: none is needed, or to be made at the end */
	} *listed;
	size_t listed_count, listed_capacity;
	struct map listed_of;     /* name -> index in listed */

	struct map open_range;    /* range key -> innermost open range_ref */
};

static inline struct goroutine_build *
builder_goroutine_build(const struct builder *builder, goroutine_ref ref)
{
	assert(ref < builder->goroutines.count);
	return stable_at(&builder->goroutines, ref);
}

static inline struct resource_build *
resource_build_at(const struct resource_builder *resources, uint32_t ref)
{
	assert(ref < resources->build.count);
	return stable_at(&resources->build, ref);
}

/* Sorts what was gathered into a segment and publishes it. Nothing to do is fine. */
bool builder_publish(struct builder *builder, struct error *err);

/* builder_changes.c: writes what the states gathered for a segment change. */
bool builder_list_changes(struct builder *builder, struct error *err);
/* The goroutine has got its name. */
bool builder_join_group(struct builder *builder, goroutine_ref goroutine, string_id name,
                        struct error *err);
/* The list of the group of that name, complete and now the caller's; NULL: it has to be made. */
struct change_list *builder_take_list(struct builder *builder, string_id name);
/* The same as a copy, of a list that may go on; *copy is NULL where there is none. */
bool builder_copy_list(const struct builder *builder, string_id name, struct change_list **copy,
                       struct error *err);
void builder_release_lists(struct builder *builder);

/* All that was needed to gather and publish states: the last one is published. */
void builder_release_work(struct builder *builder);

/* builder_record.c: the regions of a goroutine that ends do not outlive it. */
bool builder_end_regions(struct builder *builder, goroutine_ref goroutine, struct error *err);

/* builder_finish.c and builder_groups.c: what is built once all is there, or for a snapshot. */
bool builder_build_directory(struct trace *trace, struct error *err);
bool builder_build_ranges(struct trace *trace, struct error *err);
bool builder_build_groups(struct builder *builder, struct trace *trace, struct error *err);

/* builder_resource.c: procs and threads. */
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

/*
 * Writes the entries of the segment being filled, sorted by resource, and begins anew; `start`
 * is the segment's.
 */
bool resource_publish(struct resource_builder *resources, const uint32_t *moved,
                      const uint32_t *start, struct resource_column *column,
                      struct error *err);
void resource_builder_release(struct resource_builder *resources);

#endif
