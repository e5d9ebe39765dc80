/*
 * What is measured of an actor over a stretch of time, added up while one goes along its states.
 */
#ifndef TTRACE_ANALYSIS_MEASURES_H
#define TTRACE_ANALYSIS_MEASURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/series.h"
#include "trace/trace.h"

/* The states that follow the first add up to it. */
enum actor_measure {
	MEASURE_LIFE,
	MEASURE_RUNNING,
	MEASURE_READY,
	MEASURE_SYSCALL,
	MEASURE_BLOCKED, /* for whatever reason */
	MEASURE_UNKNOWN,
	MEASURE_ASSIST,  /* the actor helped the collector to mark, in whatever state */
	MEASURE_SWEEP,   /* it swept */
	MEASURE_ASSISTING, /* it ran, within assists: a part of running */
	MEASURE_REASONS, /* from here on: blocked, for one reason each */
	MEASURE_MOST = MEASURE_REASONS + KIND_MAX + 1
};

/* What stands for a reason that the trace does not tell. */
#define MEASURE_NO_REASON "(no reason told)"

/* "running", "blocked": the state, also of a measure of one reason. */
const char *measure_word(uint32_t measure);

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

/* Ranges of one type by the actor that began them, disjoint, with the time before each. */
struct measured_ranges {
	uint32_t *first; /* actor -> index into pieces; one more at the end */
	uint32_t *next;  /* while they are listed: where the next one of an actor goes */
	struct measured_piece *pieces;
};

struct measures {
	const struct trace *trace;
	const struct search *only; /* states that it does not match are left out; NULL: none are */
	struct search_watch *watch; /* NULL: nobody watches */
	string_id *reasons;        /* that occur, each once; one's measure is MEASURE_REASONS + index */
	uint32_t reason_count;
	uint8_t of_kind[KIND_MAX + 1]; /* of a blocked state its reason's */
	struct measured_ranges assists, sweeps; /* only without `only` */
};

/*
 * O(kinds + ranges). To the watch (NULL is fine) a range is a unit of work; ERROR_CANCELLED where
 * it says so. Release with measures_release() after success.
 */
bool measures_init(struct measures *measures, const struct trace *trace, const struct search *only,
	struct search_watch *watch, struct error *err);
void measures_release(struct measures *measures);
/* How many there are: the fixed ones and the reasons. */
uint32_t measures_count(const struct measures *measures);

/* Where one stands among the ranges of an actor. */
struct range_cursor {
	uint32_t first, next, end; /* those that begin before that are [first, next) */
};

/* An actor on the way. */
struct measure_walk {
	const struct measures *measures;
	actor_ref actor;
	struct series series;
	struct item item;        /* the state that it is in */
	struct item next;        /* the one after it, where that is in another run */
	bool is_over, has_next, is_in_run; /* the next one is in the same run */
	int64_t at_ns, end_ns;   /* where it stands; where the state ends */
	struct range_cursor assists, sweeps;
	struct range_cursor ran; /* the assists, up to where the states were added up */
	int64_t assists_ns, sweeps_ns; /* before where it began */
	int64_t sums_ns[MEASURE_MOST]; /* so far, of all but the life and what it is blocked in all */
};

/* Stands at a moment, from which on is added up. O(log n). */
void measure_walk_begin(struct measure_walk *walk, const struct measures *measures,
                        actor_ref actor, int64_t t_ns);
/*
 * Goes on to a later moment, or the same. O(states and ranges passed). It stops soon after the watch
 * says so, and what it has added up is then of no use.
 */
void measure_walk_to(struct measure_walk *walk, int64_t t_ns);
/*
 * All measures between two moments, where the sums of the walk were `before_ns` at the first and it
 * stands at the other; before_ns NULL: the first is where it began. O(measures).
 */
void measure_walk_between(
	const struct measure_walk *walk, const int64_t *before_ns, int64_t *sums_ns);

#endif
