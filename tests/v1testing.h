/*
 * Reads traces of the form before Go 1.22 for tests, and tells each event, Syncs
 * included, on a line:
 *
 *     TIME M/P/G WHAT
 *
 * with `-` for none, and what as in "g5 Running->Waiting (chan send) @f", where f
 * is the function of the leaf of the stack, "p0 Idle->Running", "heap 4096",
 * "begin STW (read mem stats) g1" or "log 1 category message".
 */
#ifndef TTRACE_TESTS_V1TESTING_H
#define TTRACE_TESTS_V1TESTING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intern.h"
#include "base/text.h"
#include "source/go/reader.h"

struct v1_reading {
	bool ok;              /* what go_read() returned */
	struct go_read_result result;
	struct error err;     /* of go_read(), or the damage */
	struct text lines;
	uint64_t event_count; /* Syncs included */
	uint64_t sync_count;
	bool is_out_of_order; /* some time did not increase */

	/* While reading. */
	struct intern strings;
	struct stack_table stacks;
	int64_t last_time_ns;
};

/* Appends a text (v1writer.h) as bytes; a mistake in it fails the test. */
void v1_assemble(const char *text, struct text *out);

/* Fills *out, which must be zero. */
void v1_read_bytes(struct v1_reading *out, const void *bytes, size_t size);
/* Assembles a text first. */
void v1_read_text(struct v1_reading *out, const char *text);
void v1_reading_release(struct v1_reading *out);

#endif
