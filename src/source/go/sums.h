/* From an input to sums of it, whatever its length: in memory for one generation and what lives. */
#ifndef TTRACE_SOURCE_GO_SUMS_H
#define TTRACE_SOURCE_GO_SUMS_H

#include <stdint.h>

#include "base/error.h"
#include "input/input.h"
#include "source/go/reader.h"
#include "trace/tally.h"

/*
 * Reads all of the input and sums up [t0, t1) of it; t1 may lie behind its end. The trace that
 * comes of it has length, clocks, damage and allocations as go_load() gives them, procs and
 * threads, and else only what the tally refers to. NULL with err set as for go_load(). Free it
 * with trace_free(), and release the tally.
 */
struct trace *go_sum_up(struct input *in, const struct go_read_options *options, int64_t t0_ns,
                        int64_t t1_ns, struct tally *tally, struct error *err);

#endif
