/*
 * Whose code a stack is of: a frame is the program's own unless it is of Go's standard library.
 * Every table, finding and page that names one frame of a stack asks here which.
 *
 * The library's files lie beside those of package runtime, under GOROOT/src. In a program built
 * with -trimpath, and for files that lie nowhere (_cgo_gotypes.go), the first part of the package
 * tells. Commands of Go itself (GOROOT/src/cmd) are programs.
 */
#ifndef TTRACE_TRACE_OWN_CODE_H
#define TTRACE_TRACE_OWN_CODE_H

#include "trace/trace.h"

/* A file of package runtime, for trace.runtime_file; STRING_EMPTY for none. O(frames). */
string_id own_code_find_runtime(const struct trace *trace);

/*
 * What is named for a stack of that actor (REF_NONE: unknown): the part of it from its innermost
 * own frame on; where it has none, the same of the stack that created the actor, or its
 * creator, and so on, unless it is one of the runtime's; else the outermost frame. STACK_NONE for
 * STACK_NONE. O(depth).
 */
stack_id own_code_stack(const struct trace *trace, stack_id stack, actor_ref actor);
/* Whether that is not a part of the stack itself but of the one that created the actor. */
bool own_code_is_creation(const struct trace *trace, stack_id stack, stack_id named);
/* The leaf of that, NULL for no stack. */
const struct stack_frame *own_code_frame(const struct trace *trace, stack_id stack,
                                         actor_ref actor);

#endif
