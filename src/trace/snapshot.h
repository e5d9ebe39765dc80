/*
 * The part of a snapshot that is taken over from the trace it is of: what only ever grows
 * is shared, rows that may change are copied. What is built from those is the builder's.
 */
#ifndef TTRACE_TRACE_SNAPSHOT_H
#define TTRACE_TRACE_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* A trace without what is built when a trace is frozen. O(all rows that may change). */
struct trace *snapshot_new(struct trace *of, const struct table_counts *counts,
                           struct error *err);

#endif
