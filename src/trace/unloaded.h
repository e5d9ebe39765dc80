/* A trace that has parts, while nothing of it is loaded. */
#ifndef TTRACE_TRACE_UNLOADED_H
#define TTRACE_TRACE_UNLOADED_H

#include "base/error.h"
#include "trace/trace.h"

/*
 * As long as `of`, with its clock and its parts, none of them loaded; it refers to nothing of it.
 * It may be shown as any other. Free with trace_free(); NULL and err for want of memory.
 */
struct trace *unloaded_trace(const struct trace *of, struct error *err);

#endif
