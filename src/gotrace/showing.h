/* When a snapshot of the trace that is being built is worth its cost, and taking it. */
#ifndef TTRACE_GOTRACE_SHOWING_H
#define TTRACE_GOTRACE_SHOWING_H

#include <stdint.h>

#include "base/thread.h"
#include "gotrace/result.h"
#include "trace/builder.h"

/* Who looks at a trace while it is read. */
struct trace_watch {
	/* Takes over a snapshot; called on the thread that builds, which waits for it. */
	void (*show)(void *context, struct trace *snapshot);
	void *context;
	/* Between two snapshots lies so many times the time that the earlier one took. */
	unsigned rest;
};

/* Zero-initialised shows nothing. */
struct showing {
	const struct trace_watch *watch;     /* NULL: nobody looks */
	const struct progress *progress;     /* of reading; may be NULL */
	const struct go_read_result *result; /* only the version is looked at */
	int64_t ended_ns, took_ns;           /* the snapshot before; 0 before the first */
};

/*
 * A generation has ended. Its snapshot is left out too soon after the one before, and
 * where the input is known to have ended, since the trace itself comes then. Without memory for
 * one there is a picture less.
 */
void showing_generation(struct showing *showing, struct builder *builder,
                        const struct table_counts *counts);

#endif
