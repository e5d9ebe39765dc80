/*
 * Fills a trace from events in time order. Knows nothing of wire formats: a
 * reader tells what happened in the words of the model. Gathers segments, which
 * a thread of its own publishes as they are full; when a generation ends all are.
 *
 * Every function that can fail fails for want of memory, or where a documented
 * limit of the model is reached. Times are absolute trace clock nanoseconds and
 * must not go back; the first one given becomes time 0.
 */
#ifndef TTRACE_TRACE_BUILDER_H
#define TTRACE_TRACE_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "trace/snapshot.h"
#include "trace/state_change.h"
#include "trace/trace.h"

struct builder;
struct draft_taker; /* trace/draft.h */

/* A builder that fills `trace`, which must be empty and outlive it. */
struct builder *builder_new(struct trace *trace, struct error *err);
void builder_free(struct builder *builder);
/* builder_finish() and builder_snapshot() give up with ERROR_CANCELLED once progress->is_cancelled is set. */
void builder_watch(struct builder *builder, const struct progress *progress);

/* Text of an interned string of the trace being built; raw bytes. */
const char *builder_text(const struct builder *builder, string_id id, size_t *length);

/* Says that an event happened at this time, whatever it is: time 0, the end, the count. */
bool builder_event(struct builder *builder, int64_t time_ns, struct error *err);

/* Refs of ids from the file; made known if new. -1 gives REF_NONE. */
bool builder_actor(struct builder *builder, int64_t id, actor_ref *ref, struct error *err);
bool builder_processor(struct builder *builder, int64_t id, resource_ref *ref, struct error *err);
bool builder_thread(struct builder *builder, int64_t id, resource_ref *ref, struct error *err);

/* An actor enters a state at the time of the event. */
bool builder_state(struct builder *builder, const struct state_change *change, struct error *err);
/*
 * Changes one after another, with their times, as builder_event() and builder_state() do; ends
 * before the first of the `count` that is none. *done: how many there were.
 */
bool builder_states(struct builder *builder, const struct timed_change *changes, size_t count,
                    size_t *done, struct error *err);
/* A new actor's beginning: who made it, where; an actor id may come again after its end. */
bool builder_create(struct builder *builder, int64_t id, actor_ref creator,
                    stack_id create_stack, actor_ref *ref, struct error *err);
/* The start function of an actor is known, not empty; once for each. */
bool builder_name(struct builder *builder, actor_ref actor, string_id function,
                  struct error *err);
/*
 * The names of the groups that actors stand in, by actor; STRING_EMPTY: that of its own name. Told before
 * the finish, which needs it; without it all are grouped by their names.
 */
void builder_group_names(struct builder *builder, const string_id *names);
/* The running state of this actor is work for the collector. */
bool builder_worker(struct builder *builder, actor_ref actor, struct error *err);
/* The processor does not run the actor any more that it ran (stopped, or taken in a syscall). */
bool builder_processor_lost(struct builder *builder, resource_ref processor, struct error *err);

/*
 * A range begins (began_before: it was there when the trace began) and ends; the end finds the
 * innermost open range of that type and scope and is false where there is none. Its beginner
 * becomes that of the range where nobody knew it.
 */
bool builder_range_is_open(const struct builder *builder, enum range_type type, uint32_t scope);
bool builder_range_begin(struct builder *builder, const struct range *range, struct error *err);
bool builder_range_end(struct builder *builder, const struct range *end);
/* A range that ended and whose begin lies before the trace. */
bool builder_range_old(struct builder *builder, const struct range *range, struct error *err);

/* A task begins or ends: where, and on whose actor. */
struct task_note {
	int64_t id;
	string_id name; /* at the end it counts where none was told before */
	actor_ref actor;
	stack_id stack;
};

bool builder_task_begin(struct builder *builder, const struct task_note *note, int64_t parent,
                        struct error *err);
bool builder_task_end(struct builder *builder, const struct task_note *note, struct error *err);
/* The ref of a task by its id, made known (as begun before) if new; 0 and -1 give REF_NONE. */
bool builder_task(struct builder *builder, int64_t id, task_ref *ref, struct error *err);

/* time_ns of the instant is set here. */
bool builder_instant(struct builder *builder, const struct instant *instant, struct error *err);
bool builder_counter(struct builder *builder, enum counter_type type, uint64_t value,
                     struct error *err);
/* The same of one that the input names. */
bool builder_gauge(struct builder *builder, string_id name, int64_t value, struct error *err);
/* The index in trace.alloc_types of the type with this name, made known if new. */
bool builder_alloc_type(struct builder *builder, string_id name, uint32_t *type,
                        struct error *err);

/* Memory came or went. */
struct alloc_note {
	enum alloc_kind kind;
	enum alloc_change change;
	uint32_t type;  /* of an object; REF_NONE for the other kinds */
	uint64_t bytes; /* 0 where nothing came or went with it */
	bool is_unsized;
};

void builder_alloc(struct builder *builder, const struct alloc_note *note);
/* Trace clock, absolute as all times here, and wall clock at one moment. */
bool builder_wall_clock(struct builder *builder, int64_t trace_ns, int64_t unix_ns,
                        struct error *err);

/*
 * Before the first event: only a part of the trace is to come, which begins at start_ns, while
 * time 0 is origin_ns. Such a trace is told everything by times as if it had been read from its
 * beginning; what is older than the part counts from its start.
 */
void builder_begin_at(struct builder *builder, int64_t origin_ns, int64_t start_ns);
/*
 * Before the first event: the trace shall have no segments, and so no changes of groups. The
 * states that actors enter are told to the taker instead, which must live as long.
 */
void builder_divert(struct builder *builder, const struct draft_taker *taker);
/*
 * Takes over the parts that the whole trace has, by the trace's clock; that at `first` is the
 * first generation to come. The others become loaded as generations end.
 */
void builder_take_parts(struct builder *builder, struct parts *parts, size_t first);
/* In the end so many are loaded, from that one on; if these are all the trace has no parts. */
void builder_mark_parts(struct builder *builder, size_t count);
/* The trace lasts until then, though nothing more of it will come; an earlier time is no news. */
void builder_extend(struct builder *builder, int64_t end_ns);
/*
 * Publishing fails with ERROR_LIMIT once builder_bytes() are more; 0: never. It is what holds
 * when a guess beforehand was wrong.
 */
void builder_limit(struct builder *builder, uint64_t most_bytes);
/*
 * Bytes of what was built, and of the work on it that grows with the trace; without strings and
 * stacks. Between two generations, on the thread that builds or while that waits. O(segments).
 */
uint64_t builder_bytes(const struct builder *builder);

/* All events of a generation were given: publishes what there is of it. */
bool builder_generation_end(struct builder *builder, struct error *err);
/* How many have ended. */
uint64_t builder_generations(const struct builder *builder);
/*
 * A frozen trace of what was given up to now, right after builder_generation_end(); or NULL.
 * It stays as it is while the builder goes on, for any thread. `counts`: of tables that
 * another thread fills, as they were when that told what was given. O(all so far); free
 * with trace_free().
 */
struct trace *builder_snapshot(struct builder *builder, const struct table_counts *counts,
                               struct error *err);
/* No more will come: closes what is open and builds directory, groups and rows. O(n). */
bool builder_finish(struct builder *builder, struct error *err);

#endif
