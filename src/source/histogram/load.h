/* Reading histograms of bcc and bpftrace. */
#ifndef TTRACE_SOURCE_HISTOGRAM_LOAD_H
#define TTRACE_SOURCE_HISTOGRAM_LOAD_H

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "trace/trace.h"

struct trace_watch; /* source/source.h */

/*
 * Reads the input to its end: a trace of histograms alone. What is no histogram is passed over; lines
 * that are damaged are its damage. NULL where nothing can be read. Whoever watches is shown all so far
 * each time that nothing more has come yet; `watch` may be NULL.
 */
struct trace *histogram_load(struct input *in, const struct trace_watch *watch, struct error *err);

/* The same into a trace of profile_trace_new(), which is not frozen yet. For tests. */
bool histogram_read(struct trace *trace, struct input *in, const struct trace_watch *watch,
	struct error *err);

#endif
