/* Which actors are the runtime's own. */
#ifndef TTRACE_TRACE_RUNTIME_H
#define TTRACE_TRACE_RUNTIME_H

#include <stdbool.h>

#include "trace/trace.h"

/*
 * Whether a start function, or an actor, is of Go's own runtime. One that is not known is taken for
 * the program's, of which nothing may be hidden. This alone says whom analyses leave out unless they
 * are asked for all.
 */
bool trace_is_runtime_name(const struct trace *trace, string_id name);
bool trace_is_runtime(const struct trace *trace, actor_ref actor);

#endif
