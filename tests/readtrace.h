/*
 * Reads a trace for a test and keeps what came out of it: one line per event
 * but Sync, in the form
 *
 *     M/P/G what
 *
 * with the context before the event, `-` for none, and what as in
 * "g5 Runnable->Running", "p0 Running->Idle" or "RangeBegin".
 */
#ifndef TTRACE_TESTS_READTRACE_H
#define TTRACE_TESTS_READTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "source/go/reader.h"

enum { READTRACE_SYNCS_MAX = 16 };

struct readtrace {
	bool ok;                     /* what go_read() returned */
	struct go_read_result result;
	struct error err;            /* of go_read(), or the damage */
	struct intern strings;
	struct stack_table stacks;
	struct text events;          /* the lines */
	uint64_t event_count;        /* Syncs included */
	bool is_out_of_order;        /* some time did not increase */
	int64_t first_time_ns, last_time_ns;
	uint64_t sync_count;
	struct go_event syncs[READTRACE_SYNCS_MAX];
	uint64_t generation_count;   /* calls of the sink's generation() */
	size_t generation_ends[READTRACE_SYNCS_MAX]; /* lengths of `events` at those */
	struct go_event last;        /* event, Sync or not */
	/* Set before reading: how many bytes a read gives at most (0: any), what to refuse. */
	size_t read_bytes_max;
	uint64_t refuse_event;       /* the sink refuses its n-th event, 0: none */
	struct progress *progress;
	bool is_lenient;
};

/* Both fill *out, which must be zero but for what is to be set before reading. */
void readtrace_bytes(struct readtrace *out, const void *bytes, size_t size);
/* Assembles a text trace first; a mistake in it fails the test. */
void readtrace_text(struct readtrace *out, const char *text);
void readtrace_release(struct readtrace *out);

/* The message of the failure or damage, "" when there is none. */
const char *readtrace_problem(const struct readtrace *out);

#endif
