/* Whom an actor woke, or created, in an interval. */
#ifndef TTRACE_ANALYSIS_WAKES_H
#define TTRACE_ANALYSIS_WAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct wake {
	int64_t time_ns;
	actor_ref actor;         /* that became ready */
	bool is_creation;        /* it was made then */
	stack_id stack;          /* of who woke it, STACK_NONE where unknown */
};

/* By time. Zero-initialised is empty. */
struct wakes {
	struct wake *items;
	size_t count, capacity;
};

/*
 * All wakes by the actor in [from, until). There is no list from who wakes to whom: so
 * this looks, in the segments that the interval touches, at the states that began in it, each found
 * by a binary search in its run. O(runs of those segments x log n + states within).
 */
bool wakes_find(struct wakes *wakes, const struct trace *trace, actor_ref actor,
                int64_t from_ns, int64_t until_ns, struct error *err);
void wakes_release(struct wakes *wakes);

#endif
