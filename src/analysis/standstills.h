/*
 * Times in which nobody of a program runs though somebody could, and whether a quota of CPU time makes them. A
 * container with a CPU limit behaves so.
 */
#ifndef TTRACE_ANALYSIS_STANDSTILLS_H
#define TTRACE_ANALYSIS_STANDSTILLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

enum {
	STANDSTILL_LEAST_NS = 5000000,
	STANDSTILL_TIMES = 5 /* so many, at one period */
};

struct still {
	int64_t start_ns, end_ns;
};

/* Zero-initialised has none; the items are the caller's to free. */
struct standstills {
	struct still *items; /* by time */
	size_t count, capacity;
	int64_t cell_ns;   /* how far their edges may be off */
	int64_t period_ns; /* of a quota's */
};

/* What is shorter than the least is left out. */
bool standstills_add(struct standstills *stills, int64_t start_ns, int64_t end_ns, struct error *err);
/*
 * Whether they end at one period, of 10 ms to 1 s, some of which may be left out, and either a CPU was idle for half of
 * them or more or the period is the kernel's own. Those that do not end so are then dropped. The trace is that of the
 * CPUs. O(n log n).
 */
bool standstills_judge(struct standstills *stills, const struct trace *trace, bool *is_quota, struct error *err);

#endif
