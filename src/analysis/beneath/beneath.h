/*
 * One trace beneath another: what the kernel's scheduler did with the threads that the actors of a program's
 * trace ran on. A thread is the kernel's task of the same id.
 *
 * Each trace has a clock. `shift_ns` is added to the times of the lower one, and then both are of the upper
 * one's clock. Nothing is copied: pieces of time are looked up as they are asked for.
 */
#ifndef TTRACE_ANALYSIS_BENEATH_BENEATH_H
#define TTRACE_ANALYSIS_BENEATH_BENEATH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/text.h"
#include "trace/series.h"
#include "trace/trace.h"

struct samples; /* analysis/samples.h */

/* What the kernel did with a thread; with the first two of the others it had no CPU. */
enum beneath_state { BENEATH_ON, BENEATH_READY, BENEATH_ASLEEP, BENEATH_UNKNOWN, BENEATH_STATES };

/* How it is known what the shift is. */
enum beneath_clocks {
	BENEATH_GIVEN,    /* somebody says so */
	BENEATH_STATED,   /* both traces state the same one, and what both saw does not speak against it */
	BENEATH_TESTED,   /* none is needed, and what both saw agrees with that */
	BENEATH_ESTIMATED /* from what both saw */
};

/* Of all states. */
static inline int64_t
beneath_total(const int64_t times_ns[BENEATH_STATES])
{
	int64_t total_ns = 0;
	for (int i = 0; i < BENEATH_STATES; i++)
		total_ns = saturating_add_i64(total_ns, times_ns[i]);
	return total_ns;
}

/* A task of the lower trace. */
struct beneath_task {
	int64_t id, first_ns, end_ns; /* end_ns: TIME_OPEN where it did not end within */
	actor_ref actor;
	bool is_made; /* it did not exist before */
	struct series series;
};

/*
 * Events of a processor of the lower trace were lost, from then on. Each is there once more for any processor, by when
 * that one is told of again.
 */
struct beneath_loss {
	resource_ref processor;
	int64_t time_ns, from_ns;
};

struct beneath {
	const struct trace *above, *below;
	struct beneath_task *tasks; /* by id and first_ns */
	size_t task_count;
	struct { uint32_t first, count; } *threads; /* the tasks of each thread of the upper trace */
	resource_ref *thread_of;     /* by actor of the lower trace, the thread that it is; REF_NONE */
	struct beneath_loss *losses; /* by processor and time */
	size_t loss_count, loss_capacity;
	enum beneath_clocks clocks;
	int64_t shift_ns, error_ns; /* the error is 0 where none was estimated */
	uint64_t tested, agreed;    /* spans that were looked at, and those that agree with the shift */
	int64_t delta_ns;           /* from times since the lower trace began to those of the upper one */
};

/*
 * Both traces have to stay. False with err set for want of memory, or where they are not one trace whose actors
 * run on threads and one of the kernel's scheduler. Release it in any case. O(n log n) of the actors.
 */
bool beneath_init(struct beneath *beneath, const struct trace *above, const struct trace *below,
	struct error *err);
void beneath_release(struct beneath *beneath);

/*
 * Whether it is a trace that another can be beneath, or that can be beneath another: since it has states of the
 * kernel's scheduler, or samples at known times, or both.
 */
bool beneath_is_above(const struct trace *trace);
bool beneath_is_below(const struct trace *trace);
bool beneath_has_states(const struct trace *below);
bool beneath_has_samples(const struct trace *below);

/* The shift that somebody says; how much agrees with that is tested. O(n log n) of the spans. */
bool beneath_align_given(struct beneath *beneath, int64_t shift_ns, const atomic_bool *is_cancelled, struct error *err);
/* The same without the test. O(1). */
void beneath_shift(struct beneath *beneath, int64_t shift_ns);
/*
 * Tests whether the clocks are the same, and else estimates the shift. False with err set where nothing fits, which
 * says why. O(n log n) of the spans.
 */
bool beneath_align(struct beneath *beneath, const atomic_bool *is_cancelled, struct error *err);
/* How the clocks are known, in a sentence without its stop; and of that what the shift is, and how that is known. */
void beneath_add_clocks(struct text *out, const struct beneath *beneath);
void beneath_add_shift(struct text *out, const struct beneath *beneath);

/* The task of the lower trace that a thread is at a time of the upper one; REF_NONE for none. O(log n). */
actor_ref beneath_task_at(const struct beneath *beneath, resource_ref thread, int64_t t_ns);
/* The thread of the upper trace that a task of the lower one is; REF_NONE for none. O(1). */
resource_ref beneath_thread_of(const struct beneath *beneath, actor_ref task);

/* A thread over [t0, t1) of the upper trace, piece by piece; the pieces leave nothing out. */
struct beneath_walk {
	const struct beneath *beneath;
	uint32_t first, count; /* of its tasks */
	uint32_t task;         /* the one that `item` is of; UINT32_MAX: none */
	struct item item;
	bool is_placed;         /* the item is that at_ns lies in, or one before it */
	resource_ref processor; /* that it was on last; REF_NONE where nobody knows */
	int64_t at_ns, until_ns;
};

struct beneath_piece {
	int64_t from_ns, until_ns;
	enum beneath_state state;
	bool is_gone; /* of an unknown one: there was no such task then */
	bool is_seen; /* the scheduler has not said so, but it ran */
	bool is_doubtful; /* events of some processor were lost since, or it turns up running and nobody said so */
};

void beneath_begin(struct beneath_walk *walk, const struct beneath *beneath, resource_ref thread,
	int64_t t0_ns, int64_t t1_ns);
/* The same of that thread once more. It costs O(1) where the time comes soon after where the walk stands. */
void beneath_again(struct beneath_walk *walk, int64_t t0_ns, int64_t t1_ns);
/*
 * Begins the walk of a thread of all these, or goes on with it: one for each thread of the upper trace and one more, all
 * zero-initialised before.
 */
struct beneath_walk *beneath_walk_of(struct beneath_walk *walks, const struct beneath *beneath, resource_ref thread,
	int64_t t0_ns, int64_t t1_ns);
/* False at the end. */
bool beneath_next(struct beneath_walk *walk, struct beneath_piece *piece);

/* The spans of an actor of the upper trace that run or are in a system call, each cut to [t0, t1). */
struct beneath_spans {
	struct series series;
	struct item item; /* the next one */
	int64_t t0_ns, t1_ns;
	bool is_there;
};

void beneath_spans_begin(struct beneath_spans *spans, const struct beneath *beneath, actor_ref actor, int64_t t0_ns,
	int64_t t1_ns);
/* False at the end. */
bool beneath_spans_next(struct beneath_spans *spans, struct span *within);

/* ---- samples */

/* What the upper trace says of an instant of the lower one. */
struct beneath_place {
	int64_t time_ns;        /* of the upper trace */
	resource_ref thread;    /* REF_NONE: of none of its threads, or not within it; so are the others */
	actor_ref actor;        /* that ran there, or was in a system call; else REF_NONE, and so is: */
	resource_ref processor;
};

/* O(log n). */
struct beneath_place beneath_place_of(const struct beneath *beneath, const struct instant *instant);
/*
 * Those that threads of the upper trace were in, for marks on its lanes. On failure nothing is held, else release
 * them (analysis/samples.h). O(n log n).
 */
bool beneath_find_samples(struct samples *samples, const struct beneath *beneath, const atomic_bool *is_cancelled,
	struct error *err);

#endif
