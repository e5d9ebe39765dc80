/* The mark phases of the collector, each with who did what in it. */
#ifndef TTRACE_ANALYSIS_CYCLES_H
#define TTRACE_ANALYSIS_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/lane.h"
#include "trace/trace.h"

struct gc_cycle {
	struct span span;
	int64_t stops_ns; /* the sum of the stops that touch it, at its begin and end */
	int64_t assists_ns, workers_ns;
	uint32_t assists;
	int64_t around; /* while it is made: assists that cover this one and those that follow, as a difference */
};

struct gc_cycles {
	struct gc_cycle *items; /* by time */
	size_t count, capacity;
};

/* Those that overlap [t0, t1). O(cycles log n + ranges). Release after success. */
bool gc_cycles_build(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns,
                     int64_t t1_ns, struct error *err);
void gc_cycles_release(struct gc_cycles *cycles);

/* The part of all procs that the collector's workers had; -1 where the trace does not tell. */
double gc_cycle_share(const struct gc_cycle *cycle, const struct trace *trace);
/* Who began it, REF_NONE where nobody knows. */
goroutine_ref gc_cycle_beginner(const struct gc_cycle *cycle, const struct trace *trace);

#endif
