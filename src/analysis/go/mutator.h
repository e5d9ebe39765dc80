/*
 * Mutator utilisation: which share of the processors the program itself had, since the rest
 * was the collector's, as a step function of time; and the least of its means over windows of
 * one width (MMU). doc/format/cmd-trace-views.md, section 10.
 */
#ifndef TTRACE_ANALYSIS_MUTATOR_H
#define TTRACE_ANALYSIS_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* What counts as the collector's, and how. */
enum mutator_part {
	MUTATOR_STW = 1 << 0,        /* the world stopped for a collection: all processors */
	MUTATOR_BACKGROUND = 1 << 1, /* mark workers, but for those on idle processors */
	MUTATOR_ASSIST = 1 << 2,     /* actors that were made to mark */
	MUTATOR_SWEEP = 1 << 3,
	MUTATOR_PER_PROCESSOR = 1 << 4,   /* one function for each processor, without dedicated workers */
	/*
	 * As Go's own page has it: a worker that is labelled a second time never gives its
	 * processor back, so that the utilisation only falls.
	 */
	MUTATOR_AS_GO = 1 << 5
};

enum { MUTATOR_USUAL = MUTATOR_STW | MUTATOR_BACKGROUND | MUTATOR_ASSIST };

/* From a time on to that of the next step; the share is within [0, 1]. */
struct mutator_step {
	int64_t time_ns;
	double share;
};

/*
 * Of all processors, or of one for as long as it was there. The last step ends it and has share 0.
 */
struct mutator_series {
	struct mutator_step *steps; /* times ascend, neighbours differ */
	long double *area_ns;       /* the integral up to each step */
	size_t count, capacity;
	resource_ref processor;     /* REF_NONE where it is of all; of equal ones the first */
	uint32_t weight;            /* how many equal ones it stands for, at least 1 */
};

struct mutator {
	struct mutator_series *series; /* none equal to another */
	size_t count, capacity;
};

struct search_watch; /* query/watch.h */

/* What is asked. */
struct mutator_scope {
	unsigned parts;             /* enum mutator_part, or'ed */
	int64_t from_ns, until_ns;  /* [from, until) */
	struct search_watch *watch; /* a unit of work is a range or an instant; NULL is fine */
};

/*
 * The functions over the interval; none where the trace does not say how many processors there are.
 * O(n log n) for n collections, stops, sweeps, assists and turns of mark workers; with
 * MUTATOR_PER_PROCESSOR a stop costs as much as there are processors, and ERROR_LIMIT ends that
 * where it gets out of hand. ERROR_CANCELLED where the watch says so. Release with
 * mutator_release() in any case.
 */
bool mutator_build(struct mutator *mutator, const struct trace *trace,
	const struct mutator_scope *scope, struct error *err);
/* How many units the watch will be told of. */
uint64_t mutator_work(const struct trace *trace);
void mutator_release(struct mutator *mutator);

/* From the first step of any to the last one; 0 without any. */
int64_t mutator_duration_ns(const struct mutator *mutator);

/* The mean of the first series between two moments within it. O(log steps). */
double mutator_mean(const struct mutator *mutator, int64_t from_ns, int64_t until_ns);

/*
 * The least mean over all windows of this width within a series; a series that is shorter is one
 * window. 0 for a width of 0 or less, 1 where there is no series. Looks at the steps around what is
 * about as bad, which are few where the width is many steps long; at worst O(steps).
 */
double mutator_least(const struct mutator *mutator, int64_t window_ns);

struct mutator_window {
	int64_t start_ns;
	double share;
	int64_t width_ns; /* less than asked for where there is no more */
	resource_ref processor; /* REF_NONE: all */
};

/*
 * The worst windows of this width that do not overlap, worst first, at most `most`; of equal
 * ones the earliest. Returns how many. For each as mutator_least().
 */
size_t mutator_worst(const struct mutator *mutator, int64_t window_ns, struct mutator_window *worst,
	size_t most);

/*
 * For each of `count` ascending quantiles within [0, 1] the least share that this part of all
 * windows does not exceed, each position of a window weighing the same; to a part in 10^12.
 * As mutator_least(), of the windows around the answers.
 */
bool mutator_quantiles(const struct mutator *mutator, int64_t window_ns, const double *quantiles,
                       size_t count, double *shares, struct error *err);

/* What a curve has of one width: the least share, and quantiles for these parts of all windows. */
enum { MUTATOR_POINT_PARTS = 3 };
extern const double mutator_point_parts[MUTATOR_POINT_PARTS];

struct mutator_point {
	int64_t width_ns;
	double least, shares[MUTATOR_POINT_PARTS];
};

/* Both of them. */
bool mutator_point(const struct mutator *mutator, int64_t width_ns, struct mutator_point *point,
                   struct error *err);

/*
 * The widths of windows that are worth a curve: from where the least mean is still about 0, a
 * power of a thousand nanoseconds, to a million times that or to all of it.
 */
void mutator_range(const struct mutator *mutator, int64_t *least_ns, int64_t *most_ns);
/* The i-th of `count` widths between these, in equal ratios; i < count, count > 1. */
int64_t mutator_width(int64_t least_ns, int64_t most_ns, int i, int count);

#endif
