/*
 * A trace in memory: tables of what there is, segments of what happened, and the
 * directory that finds an actor's states in them. Filled by the builder
 * (trace/builder.h), then frozen; from then on any thread may read it. While it is filled
 * the builder can take snapshots: frozen traces of what happened so far.
 *
 * Time is nanoseconds since the first event, signed. Ids from the file
 * (actor, processor, thread, task) are 64-bit; refs into tables are 32-bit.
 */
#ifndef TTRACE_TRACE_TRACE_H
#define TTRACE_TRACE_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "base/memory.h"
#include "trace/allocs.h"
#include "trace/backing.h"
#include "trace/changes.h"
#include "trace/counter.h"
#include "trace/damage.h"
#include "trace/parts.h"
#include "trace/directory.h"
#include "trace/facts.h"
#include "trace/grouping.h"
#include "trace/open_rows.h"
#include "trace/segment.h"
#include "trace/stack.h"
#include "trace/wall_clock.h"
#include "trace/time.h"

typedef uint32_t task_ref, range_ref, group_ref;

struct actor {
	int64_t id;
	string_id name;         /* start function; empty while unknown */
	string_id label;        /* the last one set, empty for none */
	int64_t first_ns;       /* creation, or 0 for those older than the trace */
	int64_t end_ns;         /* TIME_OPEN while alive at the end */
	actor_ref creator;      /* REF_NONE for those older than the trace, or made by C */
	stack_id create_stack;  /* of the `go` statement */
	uint32_t state_count;
	group_ref group;        /* by name: see trace_group_of() */
};

/*
 * What actors run on, at most one of each kind at a time: a processor (Go's P, a CPU) and a thread
 * of the operating system.
 */
struct resource {
	int64_t id;
	int64_t first_ns;
};

/* Spans with a scope: collections, stop-the-world, sweeps, assists, user regions. */
enum range_type {
	RANGE_GC_MARK,     /* global */
	RANGE_STW,         /* on the actor that stopped the world */
	RANGE_SWEEP,       /* on a processor */
	RANGE_MARK_ASSIST, /* on an actor */
	RANGE_REGION,      /* on an actor */
	RANGE_TYPE_COUNT
};

struct range {
	int64_t start_ns;      /* 0 where it began before the trace */
	int64_t end_ns;        /* TIME_OPEN where it did not end within */
	uint32_t scope;        /* what it is on: actor_ref or resource_ref, REF_NONE for global */
	actor_ref beginner; /* whose event began it, REF_NONE where nobody knows; range_actor() asks */
	string_id name;        /* region name; kind of a stop-the-world */
	stack_id start_stack, end_stack;
	task_ref task;         /* of a region, REF_NONE for the background task */
	range_ref parent;      /* the region that encloses it, REF_NONE for none */
	uint8_t type;          /* enum range_type */
	uint8_t depth;         /* 0 is outermost; regions only */
	bool began_before, ended_after; /* the trace */
};

/* Whose it is: the actor that it is on; of mark phases and sweeps who began it, if known. */
static inline actor_ref
range_actor(const struct range *range)
{
	bool is_on_actor = range->type != RANGE_GC_MARK && range->type != RANGE_SWEEP;
	return is_on_actor ? range->scope : range->beginner;
}

struct task {
	int64_t id;
	string_id name;
	task_ref parent;        /* REF_NONE for none or unknown */
	int64_t start_ns, end_ns; /* 0 and TIME_OPEN where outside of the trace */
	actor_ref start_actor, end_actor;
	stack_id start_stack, end_stack;
	bool began_before;
};

/* A point in time on an actor (or a processor or thread without one). */
enum instant_type { INSTANT_LOG, INSTANT_SAMPLE, INSTANT_LABEL, INSTANT_TYPE_COUNT };

struct instant {
	int64_t time_ns;
	actor_ref actor;
	resource_ref processor;
	resource_ref thread;
	stack_id stack;
	string_id category, text; /* of a log; text of a label */
	task_ref task;            /* of a log */
	uint8_t type;
};

/* Ids of ranges or instants by what they are on, each list in time order. */
struct ref_index {
	uint32_t *first; /* key -> index into refs; one more at the end */
	uint32_t *refs;
	uint32_t key_count;
};

/*
 * Global spans that a row of the screen shows, their union: disjoint, ascending, with the time
 * covered before each.
 */
struct cover {
	int64_t *start_ns, *end_ns, *before_ns;
	range_ref *range; /* the first range of each disjoint piece */
	uint32_t count;
	size_t capacity;
};

/* Actors of one start function. */
struct group {
	string_id name;
	uint32_t first, count;      /* in trace.group_members, ordered by first_ns */
	struct change_list *changes; /* NULL where count is 1: ask that actor */
};

struct text; /* base/text.h */
struct histogram_set; /* trace/histogram_set.h */
struct ready; /* trace/ready.h */
struct document; /* trace/document.h */
struct sample_set; /* trace/sample_set.h */
struct slices; /* trace/slices.h */
struct words;  /* trace/words.h */

struct trace {
	atomic_uint holders; /* who have yet to call trace_free(); before all that is copied */
	struct backing *backing; /* of a trace that was not built; else NULL */
	struct trace *of;    /* what a snapshot shares tables and segments with, or one regrouped all else */
	struct intern strings;
	struct stack_table stacks;
	struct state_kind kinds[KIND_MAX + 1];
	uint32_t kind_count;
	struct stable_column actors, processors, threads; /* struct actor, resource, resource */
	struct id_map actor_of; /* id -> ref, of the latest with that id */
	actor_ref *actors_by_id; /* the same of a trace with a backing, by id */
	uint32_t actor_id_count;
	struct stable_column tasks, ranges, instants;    /* struct task, range, instant */
	struct open_rows open_tasks, open_ranges; /* of a snapshot: those that its trace may end yet */
	struct counter counters[COUNTER_COUNT];
	struct gauge *gauges; /* by name; its snapshots have none */
	uint32_t gauge_count;
	struct alloc_flow allocs[ALLOC_KIND_COUNT];
	struct stable_column alloc_types; /* struct alloc_type */
	struct stable_column segments; /* struct segment_place */
	struct arena columns;          /* of the segments */
	struct all_changes all;
	uint64_t wake_totals[WAKE_ROW_COUNT];

	struct directory directory;
	struct ref_index actor_ranges, actor_instants, processor_sweeps;
	struct ref_index assists; /* all ranges that are mark assists, under one key */
	struct cover gc, stw;
	struct group *groups; /* by name */
	uint32_t group_count;
	actor_ref *group_members;
	struct regrouping *regrouping; /* where the groups are not by name, see regroup.h; else NULL */

	uint8_t clock;        /* enum trace_clock */
	const char *stated_clock; /* of times, as the input states it, a literal; NULL where it does not */
	bool has_clocks_apart; /* each processor has its own: moments of two say nothing of each other */
	int64_t origin_ns;    /* trace clock at time 0 */
	int64_t told_ns;      /* added to times when they are told, where they are told by another trace's start */
	int64_t start_ns;     /* 0, or where what was loaded begins: what is older counts from here */
	int64_t end_ns;       /* time of the last event; the trace is [0, end_ns] */
	struct parts parts;   /* what is there but was not loaded */
	uint64_t event_count; /* ordered events, Syncs left out */
	uint64_t generation_count;
	const struct words *words; /* of the source, which outlive it; never NULL */
	struct slices *slices;     /* frozen; NULL where the source has none. Names: of strings */
	struct document *document; /* of a text with parts, which has nothing else; else NULL */
	struct sample_set *samples; /* of a profile, which has no time; else NULL */
	struct ready *ready; /* what the input has as answers; else NULL */
	struct histogram_set *histograms; /* that the input is; else NULL */
	struct trace_facts facts;  /* of the whole input: its snapshots have none */
	uint32_t go_minor;
	string_id runtime_file; /* beside it lies Go's library (own_code.h); STRING_EMPTY: unknown */
	struct wall_clock wall;
	struct damage_map damage;
	uint64_t read_bytes;
	uint64_t wire_counts[256]; /* events by wire id */
	uint64_t experimental_batches;
};

/* What times are. */
enum trace_clock {
	TRACE_CLOCK_STAMPS,   /* as the input has them */
	TRACE_CLOCK_LAID_OUT, /* the input has none: they follow from how long things took */
	TRACE_CLOCK_TICKS,    /* of a clock without a unit */
	TRACE_CLOCK_NONE      /* there is no time in it: it is samples, or answers ready made */
};

/* Which clock the times are of, as the input or its format states it, as CLOCK_MONOTONIC; or NULL. O(1). */
const char *trace_stated_clock(const struct trace *trace);

/* An empty trace on the heap. Free with trace_free(); NULL is fine there. */
struct trace *trace_new(struct error *err);
/* Takes part in owning it: one more trace_free() is needed, of what is returned. */
struct trace *trace_hold(const struct trace *trace);
/* All but who holds it, whom other threads change meanwhile: `to` keeps its own. */
void trace_copy_members(struct trace *to, const struct trace *from);
/* From any thread. What its snapshots share lives on until they are freed as well. */
void trace_free(struct trace *trace);

uint32_t trace_actor_count(const struct trace *trace);
uint32_t trace_processor_count(const struct trace *trace);
uint32_t trace_thread_count(const struct trace *trace);
/* The group of an actor, in a trace regrouped too. */
group_ref trace_group_of(const struct trace *trace, actor_ref ref);
/* The name of the group that an actor stands in as the trace came; STRING_EMPTY while it has none. */
string_id trace_group_name(const struct trace *trace, actor_ref ref);
/* Whether an actor has the name, or stands in the group of that name. */
bool trace_actor_is_of(const struct trace *trace, actor_ref ref, string_id name);
/* The item of a ref below the count. */
struct actor *trace_actor(const struct trace *trace, actor_ref ref);
struct resource *trace_processor(const struct trace *trace, resource_ref ref);
struct resource *trace_thread(const struct trace *trace, resource_ref ref);
struct task *trace_task(const struct trace *trace, task_ref ref);
struct range *trace_range(const struct trace *trace, range_ref ref);
/* Its end, the trace's where it did not end within. */
int64_t trace_range_end_ns(const struct trace *trace, const struct range *range);
struct instant *trace_instant(const struct trace *trace, uint32_t ref);
static inline const struct segment_place *
trace_segment_place(const struct trace *trace, uint32_t index)
{
	return stable_at(&trace->segments, index);
}

/* For its times and counts alone: its columns may be unchecked. */
static inline struct segment *
trace_segment_head(const struct trace *trace, uint32_t index)
{
	return trace_segment_place(trace, index)->segment;
}

/* The first segment that ends at t or later, their count if none does. O(log n). */
uint32_t trace_segment_until(const struct trace *trace, int64_t t_ns);
uint64_t trace_state_count(const struct trace *trace); /* of all segments, O(segments) */

/* To look at all of it. */
static inline struct segment *
trace_segment(const struct trace *trace, uint32_t index)
{
	struct segment *segment = trace_segment_head(trace, index);
	if (UNLIKELY(atomic_load_explicit(&segment->is_unchecked, memory_order_acquire)))
		trace->backing->check_segment(trace->backing, index);
	return segment;
}

/* Whether all that was read of it so far was as it was written; always, where it was built. */
bool trace_is_sound(const struct trace *trace);

/* The ref of an id from the file, REF_NONE when the trace has none. O(1). */
actor_ref trace_find_actor(const struct trace *trace, int64_t id);

/*
 * The group that has the first member of a group of `before`, an earlier snapshot of the
 * trace. Refs of actors, processors, threads, tasks and ranges are the same in both.
 */
group_ref trace_follow_group(const struct trace *trace, const struct trace *before, group_ref group);

/* Text of an interned string, never NULL; raw bytes from the file. */
const char *trace_text(const struct trace *trace, string_id id, size_t *length);
/* Whether it is that one. */
bool trace_text_is(const struct trace *trace, string_id id, const char *text);
/* "main.go:88", the place without its folders, as safe text; nothing where nobody knows. */
void text_add_place(struct text *out, const struct trace *trace, const struct stack_frame *frame,
	bool ascii);

/* Bytes of memory that the trace holds; of what was built, without the reader's strings and stacks. */
size_t trace_bytes(const struct trace *trace);
size_t trace_built_bytes(const struct trace *trace);

#endif
