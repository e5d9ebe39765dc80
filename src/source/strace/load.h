/*
 * Strace as a trace: its threads are the actors, by pid. A call is a slice on the track "syscalls" of
 * its thread, whose detail is the string_id of "(ARGUMENTS) = RESULT", and a state besides: in a call,
 * or in the program's own code. Signals and ends are instants of these categories.
 *
 * A call has SLICE_CUT where nothing says how long it took: then it is drawn up to the next line of
 * its thread.
 */
#ifndef TTRACE_SOURCE_STRACE_LOAD_H
#define TTRACE_SOURCE_STRACE_LOAD_H

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "trace/snapshot.h"
#include "trace/trace.h"

/*
 * Reads the input to its end; any bytes make a trace. NULL for want of memory, if the input fails,
 * and once the progress is cancelled. That, and who looks meanwhile, may be NULL.
 */
struct trace *strace_load(struct input *in, const struct trace_watch *watch,
	const struct progress *progress, struct error *err);

#endif
