/*
 * What lane_cells() tells of all actors, for the states alone that a search matches: how long
 * actors were in each class, of any interval.
 */
#ifndef TTRACE_ANALYSIS_CLASS_TIMES_H
#define TTRACE_ANALYSIS_CLASS_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "query/radix.h"
#include "trace/span.h"
#include "trace/trace.h"

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

/*
 * Up to a moment t that is `count` states that began less those that ended, times t, less
 * the sum of the moments at which they did: all modulo 2^64, as only the difference of
 * two of them is asked for.
 */
struct class_sums {
	uint64_t counts[CLASS_COUNT], moments_ns[CLASS_COUNT];
};

struct class_times {
	struct radix_item *changes; /* key: when; value: the class, and whether it is left */
	size_t count, capacity;
	struct class_sums *blocks;  /* what is before each CLASS_TIMES_BLOCK of them */
};

enum { CLASS_TIMES_BLOCK = 256 };

struct class_times_scope {
	class_mask mask;     /* states of these classes */
	int64_t t0_ns, t1_ns; /* [t0, t1), which is all that may be asked for then */
	const struct search *only;
	struct search_watch *watch; /* counts states looked at; NULL: nobody watches */
};

/*
 * O(states of the interval), 16 bytes for each end of one that matches and twice that on the way.
 * ERROR_CANCELLED where the watch ends it. Release with class_times_release() after success.
 */
bool class_times_build(struct class_times *times, const struct trace *trace,
                       const struct class_times_scope *scope, struct error *err);
void class_times_release(struct class_times *times);

/* As lane_cells() cuts and fills them. O(cells (log n + CLASS_TIMES_BLOCK)). */
void class_times_cells(const struct class_times *times, int64_t t0_ns, int64_t t1_ns, int cells,
                       int64_t (*totals_ns)[CLASS_COUNT]);

/*
 * The same of all of the scope, once: O(states of the interval + cells) time, O(cells) memory.
 * ERROR_CANCELLED where the watch ends it.
 */
bool class_times_fill(const struct trace *trace, const struct class_times_scope *scope, int cells,
                      int64_t (*totals_ns)[CLASS_COUNT], struct error *err);

#endif
