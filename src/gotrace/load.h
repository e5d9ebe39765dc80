/* From an input to a trace, ready for every question. */
#ifndef TTRACE_GOTRACE_LOAD_H
#define TTRACE_GOTRACE_LOAD_H

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "trace/trace.h"

/*
 * Reads all of the input and builds its trace. A damaged trace of which something could
 * be read is a trace, with a damage map that has rows. NULL with err set when there is nothing to
 * show, when memory runs out, or when progress->is_cancelled was set. progress may
 * be NULL; its is_finished is left to the caller. Free with trace_free().
 */
struct trace *go_load(struct input *in, struct progress *progress, struct error *err);

#endif
