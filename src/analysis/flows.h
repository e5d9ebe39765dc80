/* The flows of one span of an actor: what woke it, and whom it woke. */
#ifndef TTRACE_ANALYSIS_FLOWS_H
#define TTRACE_ANALYSIS_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

/*
 * The ready state that tells what woke a span's actor: the span itself, the one after a
 * wait, the one before running. False where there is none. The span may be one of a
 * actor, a processor or a thread. O(log n).
 */
bool flows_ready(const struct trace *trace, const struct span *span, struct span *ready);

/*
 * The lane of what made an actor ready: of an actor, else of the processor on which that was seen;
 * false where neither is known.
 */
bool flows_waker_lane(struct waker waker, struct lane *lane);

/* From who woke, or created, to who became ready. */
struct flow {
	int64_t time_ns;
	struct lane from, to; /* actors; from may be a processor */
};

/* By time, the one that led to the span among them. Zero-initialised is empty. */
struct flows {
	struct flow *items;
	size_t count, capacity;
};

enum { FLOWS_MOST_SEGMENTS = 4 };

/*
 * Fills the flows, which are cleared before. Whom it woke is left out where the span touches more
 * segments than FLOWS_MOST_SEGMENTS, which bounds the cost: one of wakes_find().
 */
bool flows_find(struct flows *flows, const struct trace *trace, const struct span *span,
                struct error *err);
void flows_release(struct flows *flows);

#endif
