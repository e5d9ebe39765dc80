/*
 * Dumps and exports: what is written while the trace is read, to standard output, a
 * pager, or the file of -o.
 */
#ifndef TTRACE_APP_STREAM_H
#define TTRACE_APP_STREAM_H

#include <stdbool.h>

#include "app/environment.h"
#include "app/options.h"
#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "source/go/result.h"
#include "trace/trace.h"

struct stream {
	const struct options *options; /* with a dump or an export */
	const struct environment *environment;
	struct input *input;
	const struct trace *trace; /* that an export is of; NULL: the input's */
	struct progress *progress;
};

/*
 * True when all was written, or the reader has gone early; *result says what was lost of
 * a damaged trace. A signal that asks to end removes the half file; *signal is its
 * number then, else 0.
 */
bool stream_run(
	const struct stream *stream, struct go_read_result *result, int *signal, struct error *err);

#endif
