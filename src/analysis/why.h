/* Why an actor was not running at a time. */
#ifndef TTRACE_ANALYSIS_WHY_H
#define TTRACE_ANALYSIS_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/critical.h"
#include "base/error.h"
#include "trace/trace.h"

/*
 * The wait around a moment, from when the actor stopped running to when it ran again,
 * be it blocked, ready or in a syscall meanwhile; and the steps that explain it: the critical
 * path of that time, whose parts and waits are events of the trace.
 */
struct why {
	actor_ref actor;
	int64_t start_ns, end_ns;
	bool is_open; /* it did not run again within the trace */
	struct critical_path path;
};

/*
 * Of the moment t0 of what is asked, whose t1 has no say. False with ERROR_USAGE where the actor
 * was running then, or not alive. Release with why_release() after success.
 */
bool why_find(struct why *why, const struct trace *trace, const struct critical_scope *asked,
              struct error *err);
void why_release(struct why *why);

#endif
