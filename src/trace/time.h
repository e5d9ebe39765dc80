/* Moments of the trace: nanoseconds, signed. */
#ifndef TTRACE_TRACE_TIME_H
#define TTRACE_TRACE_TIME_H

#include <stdint.h>

#define TIME_OPEN INT64_MAX /* an end that lies outside of the trace */

/*
 * Where cell `index` of `cells` equal ones of [t0, t1) begins: t0 + index * (t1 - t0) / cells,
 * rounded down; index == cells: where the last one ends.
 */
static inline int64_t
lane_edge(int64_t t0_ns, int64_t t1_ns, int cells, int index)
{
	uint64_t width = (uint64_t)t1_ns - (uint64_t)t0_ns;
	uint64_t count = (uint64_t)cells, i = (uint64_t)index;

	/* width * i / count without overflow. */
	return (int64_t)((uint64_t)t0_ns + width / count * i + width % count * i / count);
}

#endif
