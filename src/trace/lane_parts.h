/* What lane.c and lane_sums.c share. Not for others. */
#ifndef TTRACE_TRACE_LANE_PARTS_H
#define TTRACE_TRACE_LANE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

/* A group of one actor is answered by that actor. */
struct lane lane_resolve(const struct trace *trace, struct lane lane);
/* Of LANE_GC or LANE_STW. */
const struct cover *cover_of(const struct trace *trace, struct lane lane);
/* The last piece of a cover that begins at or before t; false before the first. O(log n). */
bool cover_find(const struct cover *cover, int64_t t_ns, uint32_t *index);

#endif
