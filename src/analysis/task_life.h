/*
 * A user task as one lane: what the actors that work for it do, folded into the worst state
 * at each moment.
 *
 * An actor works for a task
 *  - within a region of the task, or of one that descends from it;
 *  - from when it begins such a task to when it ends it, if it does both; where only one of the
 *    ends is in the trace, the actor of that one;
 *  - all its life, if it was created by an actor that then worked for the task, and ended
 *    before that work did. Actors of Go's own runtime never do.
 *
 * All is cut to the time of the task itself. Worst is, from the worst on: blocked (on a lock, a
 * channel, ...), ready, in a syscall, helping the collector to mark, running, unknown. A wait that
 * was ended by an actor which worked for the same task meanwhile counts for less than any
 * of these: what that one did is what the task did then.
 */
#ifndef TTRACE_ANALYSIS_TASK_LIFE_H
#define TTRACE_ANALYSIS_TASK_LIFE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/task_index.h"
#include "base/error.h"
#include "trace/trace.h"

/* When an actor works for the task. */
struct task_work {
	actor_ref actor;
	int64_t start_ns, end_ns; /* never empty */
};

/* Where the worst is the same state of the same actor. */
struct task_piece {
	int64_t start_ns;              /* it ends where the next one begins */
	actor_ref actor;               /* REF_NONE while nobody works for the task */
	const struct state_kind *kind; /* NULL then */
	uint8_t time_class;            /* CLASS_IDLE then; CLASS_WORKER in a mark assist */
	bool is_own_wait;              /* ended by another actor of the task */
};

enum { TASK_BLOCK = 64 };

struct task_life {
	task_ref task;
	int64_t start_ns, end_ns; /* of the task, within the trace */
	task_ref *family;         /* the task, then all that descend from it */
	size_t family_count, family_capacity;
	struct task_work *works; /* by actor, then by time; those of one are disjoint */
	size_t work_count, work_capacity;
	size_t actor_count;        /* of the works */
	struct task_piece *pieces; /* from start to end without a hole; none of an empty task */
	size_t piece_count, piece_capacity;
	int64_t (*before_ns)[CLASS_COUNT]; /* time per class before each TASK_BLOCK pieces */
	size_t block_capacity;
};

/*
 * O(n log n) for n states of the actors while they work for it, and regions, children
 * and creations of theirs. Release with task_life_release() after success.
 */
bool task_life_build(struct task_life *life, const struct trace *trace,
	const struct task_index *index, task_ref task, struct error *err);
struct search; /* query/search.h */

/* What bounds that, for those who must not wait, and of what states it is to be. */
struct task_watch {
	const struct search *only;     /* those that it matches; NULL: all, as above */
	/* So many states, tasks, regions and creations are looked at at most; goes down by each. */
	uint64_t states_left;
	const atomic_bool *is_stopped; /* set by another thread; NULL: nobody sets it */
};
/*
 * The same, of states that match; ERROR_LIMIT once no states are left, ERROR_CANCELLED
 * soon after it was stopped.
 */
bool task_life_build_watched(struct task_life *life, const struct trace *trace,
	const struct task_index *index, task_ref task, struct task_watch *watch, struct error *err);
/*
 * The same for any stretch of an actor in place of a task, which is then REF_NONE; nobody else
 * works for it.
 */
bool task_life_build_of(struct task_life *life, const struct trace *trace,
	const struct task_index *index, const struct task_work *work, struct task_watch *watch,
	struct error *err);
/* Only finds who works for it, and when; of pieces there are none. */
bool task_life_find_works(struct task_life *life, const struct trace *trace,
	const struct task_index *index, task_ref task, struct error *err);
void task_life_release(struct task_life *life);

/* The piece that holds t, SIZE_MAX outside of the task. O(log n). */
size_t task_life_at(const struct task_life *life, int64_t t_ns);
int64_t task_piece_end_ns(const struct task_life *life, size_t piece);

/* A moment of a task: the piece that holds it, SIZE_MAX outside, and the time per class before it. */
struct task_mark {
	size_t piece;
	int64_t before_ns[CLASS_COUNT];
};

/* O(log n + TASK_BLOCK). */
void task_life_mark(const struct task_life *life, int64_t t_ns, struct task_mark *mark);
/* Time per class within [t0, t1), exact; the time while nobody works is CLASS_IDLE. O(log n). */
void task_life_totals(
	const struct task_life *life, int64_t t0_ns, int64_t t1_ns, int64_t totals_ns[CLASS_COUNT]);
/* Whether an actor works for the task at some time within [t0, t1). O(log n). */
bool task_life_has_work(
	const struct task_life *life, actor_ref actor, int64_t t0_ns, int64_t t1_ns);

/* Only for analysis/task_work.c and task_life.c. */
/* Finds family and works. */
bool task_work_find(struct task_life *life, const struct trace *trace,
	const struct task_index *index, struct task_watch *watch, struct error *err);
/* Whether one more state, task, region or creation may be looked at; else err says why not. */
bool task_watch_goes_on(struct task_watch *watch, struct error *err);

#endif
