/* What the files of the builder share. Not for others. */
#ifndef TTRACE_TRACE_BUILDER_INTERNAL_H
#define TTRACE_TRACE_BUILDER_INTERNAL_H

#include <assert.h>

#include "base/ids.h"
#include "trace/builder.h"
#include "trace/builder_resource.h"

/*
 * A segment is cut at SEGMENT_STATES, so that what is held in time order before it is sorted
 * by goroutine stays in a core's private cache. With very many goroutines it goes on, at
 * most up to SEGMENT_MOST_STATES, until there are RUN_STATES for each: a run has its cost.
 */
enum { SEGMENT_STATES = 1 << 15, SEGMENT_MOST_STATES = 1 << 18, RUN_STATES = 16 };

enum { RECENT_KINDS = 256, RECENT_SITE_BITS = 12, RECENT_SITES = 1 << RECENT_SITE_BITS };

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

struct builder {
	struct trace *trace;
	const struct progress *progress; /* NULL for none */
	bool has_origin;
	int64_t now_ns;          /* since origin */
	int64_t base_ns;         /* of the segment being filled */
	size_t first_part;       /* the first generation in trace.parts */
	uint64_t most_bytes;     /* see builder_limit() */

	struct goroutine_build *goroutines; /* by ref, as many as the trace has */
	size_t goroutine_capacity;
	struct resource_builder procs, threads;
	struct id_map proc_of, thread_of, task_of; /* id -> ref, of the latest with that id */
	struct map kind_of;
	uint8_t kind_class[KIND_MAX + 1]; /* enum time_class, by kind */
	struct recent_kind {      /* kinds that came lately, by what they are made of */
		uint64_t key;     /* UINT64_MAX: none */
		uint8_t kind;
	} recent_kinds[RECENT_KINDS];

	/* States of the segment being filled, in time order. */
	struct gathered_state *states;
	uint32_t state_count;
	uint32_t state_limit;     /* whether to publish is to be asked here */
	size_t state_capacity;
	struct site *sites;       /* of these states */
	uint32_t site_count;
	size_t site_capacity;
	uint16_t recent_sites[RECENT_SITES]; /* by hash: sites that came lately */
	goroutine_ref *touched;   /* goroutines with states in this segment */
	uint32_t touched_count;
	size_t touched_capacity;
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
		struct change_part *part;    /* that it is of all changes, else NULL */
		struct change_list *only;    /* all that its changes are written to; NULL: two lists */
		bool is_incomplete;          /* it lacks members, and is only of use as a part */
	} *listed;
	size_t listed_count, listed_capacity;
	struct map listed_of;     /* name -> index in listed */

	struct id_map open_ranges[RANGE_TYPE_COUNT]; /* scope -> innermost open range_ref */
};

static inline struct goroutine_build *
builder_goroutine_build(const struct builder *builder, goroutine_ref ref)
{
	assert(ref < builder->trace->goroutines.count);
	return &builder->goroutines[ref];
}

/* An event happened: builder_event(), in line as there is one for nearly every change. */
static inline bool
builder_advance(struct builder *builder, int64_t time_ns, struct error *err)
{
	struct trace *trace = builder->trace;

	if (UNLIKELY(!builder->has_origin)) {
		builder->has_origin = true;
		trace->origin_ns = time_ns;
	}
	if (UNLIKELY(time_ns < trace->origin_ns + builder->now_ns))
		return error_set(err, ERROR_ORDER, "an event is earlier than the one before it");
	builder->now_ns = time_ns - trace->origin_ns;
	trace->end_ns = builder->now_ns;
	trace->event_count++;
	return true;
}

/* Sorts what was gathered into a segment and publishes it. Nothing to do is fine. */
bool builder_publish(struct builder *builder, struct error *err);

/*
 * builder_changes.c: a goroutine goes from the class in which it was listed to another one,
 * `start` as in a segment after base_ns; where that is not for one list alone.
 */
bool builder_list_widely(struct builder *builder, struct goroutine_build *build, uint32_t start,
                         enum time_class to, struct error *err);

static inline bool
builder_list_change(struct builder *builder, struct goroutine_build *build, uint32_t start,
                    enum time_class to, struct error *err)
{
	struct change_list *list;
	enum time_class from = build->listed_class;

	if (UNLIKELY(build->listed_group == REF_NONE || start == START_AT_ORIGIN))
		return builder_list_widely(builder, build, start, to, err);
	list = builder->listed[build->listed_group].only;
	if (UNLIKELY(list == NULL))
		return builder_list_widely(builder, build, start, to, err);
	build->listed_class = (uint8_t)to;
	return change_list_add(list, builder->base_ns + (int64_t)start, from, to, err);
}

/* The goroutine has got its name. */
bool builder_join_group(struct builder *builder, goroutine_ref goroutine, string_id name,
                        struct error *err);
/* Lists that have become long are made parts of all changes. All states are published. */
bool builder_choose_parts(struct builder *builder, struct error *err);
/*
 * Gives the list of the group of that name to the trace, or a copy to a snapshot. *list is the
 * group's own, NULL where it has to be made.
 */
bool builder_give_list(struct builder *builder, struct trace *trace, string_id name,
                       struct change_list **list, struct error *err);
void builder_release_lists(struct builder *builder);

/* All that was needed to gather and publish states: the last one is published. */
void builder_release_work(struct builder *builder);

/* builder_window.c: the generation that ends is loaded. */
void builder_mark_part(struct builder *builder);
bool builder_is_within_limit(const struct builder *builder, struct error *err);

/* builder_record.c: the regions of a goroutine that ends do not outlive it. */
void builder_end_regions(struct builder *builder, goroutine_ref goroutine);

/* builder_finish.c and builder_groups.c: what is built once all is there, or for a snapshot. */
bool builder_build_directory(struct trace *trace, struct error *err);
bool builder_build_ranges(struct trace *trace, struct error *err);
bool builder_build_groups(struct builder *builder, struct trace *trace, struct error *err);

#endif
