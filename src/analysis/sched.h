/* Who had a processor while somebody waited for it. */
#ifndef TTRACE_ANALYSIS_SCHED_H
#define TTRACE_ANALYSIS_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/span.h"
#include "trace/trace.h"

/*
 * The longest span, measured within the wait [from, until) of an actor, on the processor that it ran on
 * next. False where it ran no more, or nobody ran there. O(log n).
 */
bool sched_find_holder(const struct trace *trace, actor_ref waiter, int64_t from_ns, int64_t until_ns,
	struct span *holder);

#endif
