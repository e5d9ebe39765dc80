/*
 * How often slices of each name occurred, how long they took, and how much of that was their own.
 *
 * A slice belongs to an interval if it overlaps it, and is told with all that it took, also where
 * it reaches beyond.
 */
#ifndef TTRACE_ANALYSIS_SLICE_TIMES_H
#define TTRACE_ANALYSIS_SLICE_TIMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/ref.h"
#include "trace/slices.h"

struct search;

struct slice_times_scope {
	int64_t t0_ns, t1_ns; /* [t0, t1) */
	/* Tracks of one owner stand together, and so do those of owners of one kind. */
	track_ref first_track;
	uint32_t track_count;
	const struct search *only; /* slices that match; NULL: all */
};

/* The tracks of an actor, or of everything for REF_NONE, in all of time. */
struct slice_times_scope slice_times_scope_of(const struct slices *slices, actor_ref actor);

/* A slice as a walk tells it. */
struct slice_told {
	track_ref track;
	uint32_t depth;
	const struct slice *slice;
	bool is_call;    /* it ended: neither cut nor open */
	int64_t self_ns; /* of a call: as in struct slice_time */
};

struct slice_walk {
	const struct slices *slices;
	struct slice_times_scope scope;
	const atomic_bool *is_cancelled; /* NULL: never */
	bool (*take)(void *context, const struct slice_told *told, struct error *err);
	void *context;
};

/*
 * Tells all slices of the scope: track by track, the outermost depth first, each depth in the order
 * of time. Ends where take() fails. O(n) as below.
 */
bool slice_walk(const struct slice_walk *walk, struct error *err);

enum { SLICE_CALLEES_MOST = 20000 };

/*
 * The own time of one slice, as in struct slice_time. False where that is not known: of no call, of
 * one whose begin was lost, and where it has more than SLICE_CALLEES_MOST beneath. O(log n) and
 * those beneath.
 */
bool slice_self(const struct slices *slices, const struct slice *slice, int64_t *self_ns);

/* Times are of calls, and stay at INT64_MAX where they would be more. */
struct slice_time {
	string_id name;
	uint64_t calls;   /* that ended; one that calls itself counts twice, also in the total */
	uint64_t partial; /* cut or open: in nothing else here */
	int64_t total_ns;
	/*
	 * Less what calls directly beneath took, at least 0 for each. A call of which the begin was
	 * lost has none: it is not known what was beneath.
	 */
	int64_t self_ns;
	int64_t longest_ns, shortest_ns;
	int64_t p50_ns, p90_ns, p99_ns; /* nearest rank */
};

struct slice_times {
	struct slice_time *rows; /* greatest total first, then by name */
	size_t count;
};

/*
 * O(n) for the n slices of the scope and those directly beneath one of them, and 4 bytes for each
 * name up to the largest. ERROR_CANCELLED soon after *is_cancelled became true (NULL: never).
 * Release after success.
 */
bool slice_times_build(struct slice_times *times, const struct slices *slices,
	const struct slice_times_scope *scope, const atomic_bool *is_cancelled, struct error *err);
void slice_times_release(struct slice_times *times);

#endif
