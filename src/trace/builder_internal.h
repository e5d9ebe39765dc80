/* What the files of the builder share. Not for others. */
#ifndef TTRACE_TRACE_BUILDER_INTERNAL_H
#define TTRACE_TRACE_BUILDER_INTERNAL_H

#include <assert.h>

#include "base/ids.h"
#include "trace/builder.h"
#include "trace/builder_resource.h"
#include "trace/publisher.h"

/*
 * A segment is cut at SEGMENT_STATES, so that what is held in time order before it is sorted
 * by actor stays in a core's private cache. With very many actors it goes on, at
 * most up to SEGMENT_MOST_STATES, until there are RUN_STATES for each: a run has its cost.
 * Those that have ended do not count, as they have no states to come.
 */
enum { SEGMENT_STATES = DRAFT_USUAL_STATES, SEGMENT_MOST_STATES = 1 << 18, RUN_STATES = 16 };

enum { RECENT_KINDS = 256, RECENT_SITE_BITS = 12, RECENT_SITES = 1 << RECENT_SITE_BITS };

struct actor_build {
	uint32_t total;    /* states in all */
	resource_ref processor; /* whose entry is open for this state, else REF_NONE */
	resource_ref thread;
	uint8_t kind;      /* of the current state */
	bool has_state;
	bool is_in_draft;  /* it has states there */
	bool is_worker;
};

struct builder {
	struct trace *trace;
	const struct progress *progress; /* NULL for none */
	bool has_origin;
	int64_t now_ns;          /* since origin */
	size_t first_part;       /* the first generation in trace.parts */
	uint64_t most_bytes;     /* see builder_limit() */

	struct actor_build *actors; /* by ref, as many as the trace has */
	size_t actor_capacity;
	struct resource_builder processors, threads;
	struct id_map processor_of, thread_of, task_of; /* id -> ref, of the latest with that id */
	struct map kind_of;
	uint8_t kind_class[KIND_MAX + 1]; /* enum time_class, by kind */
	struct recent_kind {      /* kinds that came lately, by what they are made of */
		uint64_t key;     /* UINT64_MAX: none */
		uint8_t kind;
	} recent_kinds[RECENT_KINDS];

	struct draft draft;       /* of the segment being filled */
	uint32_t state_limit;     /* whether to publish is to be asked here */
	uint32_t ended_count;     /* actors that ended in it */
	uint16_t recent_sites[RECENT_SITES]; /* by hash: sites that came lately */
	struct publisher *publisher;
	bool is_diverted;         /* drafts are not published: see builder_divert() */

	const string_id *group_names; /* see builder_group_names(); NULL */
	struct map gauge_of;      /* name -> index in trace.gauges */
	size_t gauge_capacity;
	struct map alloc_type_of; /* name -> index in trace.alloc_types */
	struct id_map open_ranges[RANGE_TYPE_COUNT]; /* scope -> innermost open range_ref */
};

static inline struct actor_build *
builder_actor_build(const struct builder *builder, actor_ref ref)
{
	assert(ref < builder->trace->actors.count);
	return &builder->actors[ref];
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

/* Gives what was gathered to the publisher. Nothing to do is fine. */
bool builder_publish(struct builder *builder, struct error *err);
/* The same, and waits until it is published. */
bool builder_settle(struct builder *builder, struct error *err);

/* All that was needed to gather and publish states: the last one is published. */
void builder_release_work(struct builder *builder);

/* builder_window.c: the generation that ends is loaded. */
void builder_mark_part(struct builder *builder);
bool builder_is_within_limit(const struct builder *builder, struct error *err);

/* builder_record.c: the regions of an actor that ends do not outlive it. */
void builder_end_regions(struct builder *builder, actor_ref actor);

/* builder_groups.c: what is built once all is there, or for a snapshot. */
bool builder_build_groups(struct builder *builder, struct trace *trace, struct error *err);

#endif
