/* Durations of a kind in the order of time, as maps of them are counted from. */
#ifndef TTRACE_ANALYSIS_LATENCY_TIMES_H
#define TTRACE_ANALYSIS_LATENCY_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/heat.h"
#include "analysis/latency.h"
#include "base/error.h"

struct search_watch; /* query/watch.h */

struct latency_times {
	int64_t *starts_ns; /* ascending */
	uint16_t *levels;   /* see analysis/heat.h */
	uint32_t *items;    /* which item of the latency it is, which is its rank as well */
	size_t count;
};

/*
 * O(spans), some dozen nanoseconds each. ERROR_CANCELLED where the watch (NULL is fine) says so.
 * Release with latency_times_release() in any case.
 */
bool latency_times_build(struct latency_times *times, const struct latency *latency,
                         struct search_watch *watch, struct error *err);
void latency_times_release(struct latency_times *times);

static inline struct heat_spans
latency_times_spans(const struct latency_times *times)
{
	return (struct heat_spans){ times->starts_ns, times->levels, times->items, times->count };
}

#endif
