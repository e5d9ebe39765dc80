/*
 * All that can be asked of a trace, as text: two traces that tell the same are the same to whoever
 * looks at them.
 */
#ifndef TTRACE_TESTS_TELLING_H
#define TTRACE_TESTS_TELLING_H

#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"

/* How many lanes of a type the trace has; their refs are below. */
uint32_t tell_lane_count(const struct trace *trace, enum lane_type type);
/* Appends every span of every lane, cells, wakes, counters, ranges, instants, reports, pictures. */
void tell_trace(const struct trace *trace, struct text *out);

#endif
