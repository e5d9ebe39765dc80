/* What a processor did in an interval, by actor. */
#ifndef TTRACE_ANALYSIS_TURNS_H
#define TTRACE_ANALYSIS_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/trace.h"

enum { TURNS_MOST_SPANS = 1000 }; /* of a processor, looked at one by one */

struct turn {
	actor_ref actor;
	int64_t time_ns;
};

struct turns {
	struct turn items[TURNS_MOST_SPANS]; /* one an actor */
	size_t count;
	int64_t busy_ns; /* of the interval, exact in any case */
};

/*
 * Which actors a processor ran in [from, until). Where it has more than TURNS_MOST_SPANS spans
 * there the longest of them is all that is told. O(log n + spans).
 */
void turns_find(struct turns *turns, const struct trace *trace, resource_ref processor,
	int64_t from_ns, int64_t until_ns);
/* The one with most time, which may then be set to 0 to ask again; NULL when all are 0. */
struct turn *turns_longest(struct turns *turns);

#endif
