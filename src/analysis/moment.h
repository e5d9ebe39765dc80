/* Everyone at one time: the goroutines alive at a moment, those alike folded. */
#ifndef TTRACE_ANALYSIS_MOMENT_H
#define TTRACE_ANALYSIS_MOMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* A goroutine and its state then. */
struct moment_goroutine {
	goroutine_ref goroutine;
	int64_t since_ns;              /* when the state began */
	bool is_old;                   /* or earlier: it held when the trace began */
	const struct state_kind *kind;
	proc_ref proc;                 /* where it ran; REF_NONE for others */
	/*
	 * Where it was: of one that waits, is in a syscall or was stopped exactly; of one that
	 * runs what is known last, by the last sample or from where it went on.
	 */
	stack_id stack;
};

/* Goroutines of one state, reason, stack and creation. */
struct moment_group {
	size_t first, count; /* in the goroutines */
};

struct search; /* query/search.h */

struct moment {
	int64_t t_ns;
	struct moment_goroutine *goroutines; /* group by group; within one by since_ns, then by id */
	size_t goroutine_count;
	struct moment_group *groups;         /* running ones first, then the largest */
	size_t group_count;
};

/*
 * Who was alive at t, a time within the trace, in a span that `only` matches (NULL: in any).
 * O(goroutines x log n). Release with moment_release() after success.
 */
bool moment_build(struct moment *moment, const struct trace *trace, int64_t t_ns,
                  const struct search *only, const atomic_bool *is_cancelled, struct error *err);
void moment_release(struct moment *moment);

/*
 * A state as Go's dumps of goroutines have it, not made safe: "running", "runnable", "syscall",
 * "chan receive", ...; never NULL.
 */
const char *moment_state_text(const struct trace *trace, const struct state_kind *kind,
                              size_t *length);

#endif
