/*
 * Reads a Go execution trace: bytes in, ordered events out. Reads one
 * generation at a time, so it holds at most the bytes of one generation
 * whatever the length of the trace, from a file and from a pipe alike.
 */
#ifndef TTRACE_GOTRACE_READER_H
#define TTRACE_GOTRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/thread.h"
#include "gotrace/event.h"
#include "input/input.h"
#include "trace/stack.h"

/* What the reader learns beside the events. */
struct go_read_result {
	uint32_t go_minor;        /* the N of "go 1.N trace", once the header was read */
	uint64_t read_bytes;      /* taken from the input in all */
	uint64_t generations;     /* whose events were delivered whole */
	uint64_t events;          /* delivered, Syncs and synthetic ones included */
	uint64_t first_generation;
	uint64_t wire_events;     /* timed events and CPU samples put in order */
	uint64_t event_counts[256];  /* the same by id */
	uint64_t experimental_batches, experimental_bytes; /* by the batch, skipped */

	/* Losses: the trace ended before its input did, or in the middle of something. */
	bool is_damaged;
	struct error damage;      /* what was wrong, with its place */
	uint64_t lost_from_bytes; /* offset of the first byte that was not used */
	uint64_t lost_bytes;      /* known input that was not used, all of it behind that */
};

struct go_read_options {
	struct progress *progress; /* may be NULL; is_cancelled is looked at */
};

/*
 * Reads the whole input. Strings go to `strings`, stacks to `stacks`, events
 * to `sink`. Outcomes:
 *  - true, result->is_damaged false: all of it was read;
 *  - true, is_damaged: a damaged or cut-off tail; all that came before it was
 *    delivered, result says what was lost;
 *  - false: nothing usable (not a trace, an unsupported version, damage within the
 *    first generation before any of its events was delivered), cancelled, the
 *    sink refused, or no memory; err says why.
 * Rules: doc/format/go-trace-v2.md and go-trace-semantics.md, whole.
 */
bool go_read(struct input *in, struct intern *strings, struct stack_table *stacks,
             const struct go_sink *sink, const struct go_read_options *options,
             struct go_read_result *result, struct error *err);

/* The name of a wire event ("GoStart"), or NULL for an id without one. */
const char *go_wire_name(uint8_t wire_id);

#endif
