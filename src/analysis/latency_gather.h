/*
 * The spans of a kind, one after the other.
 *
 * A span belongs to an interval if it overlaps it, at the very start and end of the trace also if
 * it only touches it, and is told with all of its duration, also where it reaches beyond: else the
 * shorter the interval, the shorter all latencies would seem. One that began before the trace, did
 * not end in it or was lost in a damaged part is told with what the trace has of it, since what
 * hangs is what one looks for.
 */
#ifndef TTRACE_ANALYSIS_LATENCY_GATHER_H
#define TTRACE_ANALYSIS_LATENCY_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/latency_kind.h"
#include "base/error.h"
#include "trace/trace.h"

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

struct latency_scope {
	int64_t t0_ns, t1_ns;      /* [t0, t1) */
	actor_ref actor;           /* whose spans; REF_NONE: of all */
	/*
	 * States that it does not match are left out; a span of another sort counts where a state
	 * of its actor within it matches: of a collection who began it, of a task who began it,
	 * else who ended it. NULL: all.
	 */
	struct search *only;
	/*
	 * Also the runtime's own actors; else they only count where one of them is asked for.
	 * Mark phases and stops of the world are everybody's.
	 */
	bool with_runtime;
};

/* Whether the spans of all actors count, none is left out for being the runtime's. */
bool latency_is_of_all(const struct latency_kind *kind, const struct latency_scope *scope);

struct latency_found {
	int64_t start_ns, end_ns;
	uint64_t place; /* a task_ref, a range_ref, or of a state its segment << 32 | its number there */
	bool is_cut;    /* the trace does not have all of it */
};

struct latency_gather {
	const struct trace *trace; /* frozen */
	const struct latency_kind *kind;
	const struct latency_scope *scope;
	/*
	 * NULL is fine; else counts what was looked at, latency_work() in all, and can end it with
	 * ERROR_CANCELLED; where a query is to be searched for first, it is told to expect that as
	 * well.
	 */
	struct search_watch *watch;
	/* Told of each span, in no order; where it sets err and says false, that is the end. */
	bool (*tell)(void *context, const struct latency_found *found, struct error *err);
	void *context;
	uint64_t skipped; /* comes out: texts that a query's patterns would have taken too long for */
};

/*
 * Some nanoseconds a state or range, and some more for each span of the kind; with `only` O(log n)
 * for each range or task of it.
 */
bool latency_gather(struct latency_gather *gather, struct error *err);
uint64_t latency_work(const struct trace *trace, const struct latency_kind *kind);
/* Whether spans of the kind are states. */
bool latency_is_of_states(enum latency_type type);

#endif
