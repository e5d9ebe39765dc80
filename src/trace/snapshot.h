/*
 * The part of a snapshot that is taken over from the trace it is of: what only ever grows
 * is shared, rows that may change are copied. What is built from those is the builder's.
 */
#ifndef TTRACE_TRACE_SNAPSHOT_H
#define TTRACE_TRACE_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* Who looks at a trace while it is read. */
struct trace_watch {
	/* Takes over a snapshot; called on the thread that builds, which waits for it. */
	void (*show)(void *context, struct trace *snapshot);
	void *context;
	/* Between two snapshots lies so many times the time that the earlier one took. */
	unsigned rest;
};

/* A trace without what is built when a trace is frozen. O(all rows that may change). */
struct trace *snapshot_new(struct trace *of, const struct table_counts *counts,
                           struct error *err);

#endif
