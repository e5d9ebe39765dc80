/* When a task began and ended, cut to what is loaded of the trace. */
#ifndef TTRACE_TRACE_TASK_TIMES_H
#define TTRACE_TRACE_TASK_TIMES_H

#include <stdint.h>

#include "trace/trace.h"

static inline int64_t
task_start_ns(const struct trace *trace, task_ref task)
{
	int64_t start_ns = trace_task(trace, task)->start_ns;
	return start_ns < trace->start_ns ? trace->start_ns : start_ns;
}

static inline int64_t
task_end_ns(const struct trace *trace, task_ref task)
{
	int64_t end_ns = trace_task(trace, task)->end_ns;
	return end_ns > trace->end_ns ? trace->end_ns : end_ns;
}

#endif
