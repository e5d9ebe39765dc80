/* Everyone at one time: the actors alive at a moment, those alike folded. */
#ifndef TTRACE_ANALYSIS_MOMENT_H
#define TTRACE_ANALYSIS_MOMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* An actor and its state then. */
struct moment_actor {
	actor_ref actor;
	int64_t since_ns;              /* when the state began */
	bool is_old;                   /* or earlier: it held when the trace began */
	const struct state_kind *kind;
	resource_ref processor;                 /* where it ran; REF_NONE for others */
	/*
	 * Where it was: of one that waits, is in a syscall or was stopped exactly; of one that
	 * runs what is known last, by the last sample or from where it went on.
	 */
	stack_id stack;
};

/* Actors of one state, reason, stack and creation. */
struct moment_group {
	size_t first, count; /* in the actors */
};

struct search; /* query/search.h */

struct moment {
	int64_t t_ns;
	struct moment_actor *actors; /* group by group; within one by since_ns, then by id */
	size_t actor_count;
	struct moment_group *groups;         /* running ones first, then the largest */
	size_t group_count;
};

/*
 * Who was alive at t, a time within the trace, in a span that `only` matches (NULL: in any).
 * O(actors x log n). Release with moment_release() after success.
 */
bool moment_build(struct moment *moment, const struct trace *trace, int64_t t_ns,
                  const struct search *only, const atomic_bool *is_cancelled, struct error *err);
void moment_release(struct moment *moment);

/*
 * A state as Go's dumps of actors have it, not made safe: "running", "runnable", "syscall",
 * "chan receive", ...; never NULL.
 */
const char *moment_state_text(const struct trace *trace, const struct state_kind *kind,
                              size_t *length);

#endif
