/* From an input to a trace, ready for every question. */
#ifndef TTRACE_SOURCE_GO_LOAD_H
#define TTRACE_SOURCE_GO_LOAD_H

#include "base/error.h"
#include "input/input.h"
#include "source/go/bound.h"
#include "source/go/reader.h"
#include "source/go/showing.h"
#include "trace/trace.h"

struct draft_taker; /* trace/draft.h */

/*
 * Reads all of the input and builds its trace. A damaged trace of which something could
 * be read is a trace, with a damage map that has rows. NULL with err set when there is
 * nothing to show, when memory runs out, or when options->progress->is_cancelled was set.
 * options may be NULL; is_finished of the progress is left to the caller. Free with
 * trace_free().
 */
struct trace *go_load(struct input *in, const struct go_read_options *options,
                      struct error *err);
/* The same, with snapshots for those who look at it meanwhile; watch may be NULL. */
struct trace *go_load_watched(struct input *in, const struct go_read_options *options,
                              const struct trace_watch *watch, struct error *err);

/*
 * The same within a bound on memory (NULL: none), which may leave out generations: the parts
 * of the trace say which. ERROR_LIMIT where not one fits.
 */
struct trace *go_load_bounded(struct input *in, const struct go_read_options *options,
                              const struct go_bound *bound, const struct trace_watch *watch,
                              struct error *err);

/*
 * The same, but the trace has no segments: the states that goroutines enter are told to the
 * taker as they are read, and nothing is kept of them.
 */
struct trace *go_load_past(struct input *in, const struct go_read_options *options,
                           const struct draft_taker *taker, struct error *err);

/* What the reader found out of the whole; the trace has its length already. */
void go_load_take_result(struct trace *trace, const struct go_read_result *result);

#endif
