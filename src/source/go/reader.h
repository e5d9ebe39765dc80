/*
 * Reads a Go execution trace: bytes in, ordered events out. Reads one
 * generation at a time, so it holds at most the bytes of one generation
 * whatever the length of the trace, from a file and from a pipe alike. A trace of
 * the form before Go 1.22 has no generations and is held as a whole, with 24 bytes
 * for each of its events; it is delivered as one generation of the newer form.
 */
#ifndef TTRACE_SOURCE_GO_READER_H
#define TTRACE_SOURCE_GO_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "source/go/event.h"
#include "source/go/result.h"

/*
 * A stretch of whole generations of a trace that is binary as it is in its file. Each
 * generation is complete in itself, so the first of them is read like the first of a trace.
 */
struct go_window {
	uint64_t from_bytes;     /* where the first one begins; 0 for that of the trace */
	uint64_t batches_before; /* in the file, for messages */
	uint64_t most_bytes;     /* held of a generation, else ERROR_MEMORY; 0: any number */
	/* Called before the first one is read, if the trace has generations; may be NULL. */
	void (*begins)(void *context);
	/*
	 * Asked behind each generation, when all of it was delivered, whether the one at
	 * at_bytes of the input is wanted; not at the end of a file. NULL: all are. Where
	 * reading ends that way all states become unknown, since nobody knows how they went on.
	 */
	bool (*goes_on)(void *context, uint64_t at_bytes);
	void *context;
};

struct go_read_options {
	struct progress *progress; /* may be NULL; is_cancelled is looked at */
	const struct go_window *window; /* NULL: all of the trace */
	/*
	 * Delivers a Sync at the end of each generation and nowhere else, as Go 1.22 and
	 * 1.23 do (doc/format/go-trace-semantics.md, section 6), so that also the times are
	 * theirs: an event that follows at the same instant comes 1 ns later. A trace
	 * older than 1.22 has none then.
	 */
	bool syncs_at_ends;
	/*
	 * Makes the best of what strictly is no trace (doc/DESIGN.md, "Damage") and tells it
	 * as damage. A trace that is fine reads the same either way.
	 */
	bool is_lenient;
};

/*
 * Reads the whole input. Strings, stacks and events go to the sink. Outcomes:
 *  - true, result->damage empty: all of it was read;
 *  - true, damage with a row: a damaged or cut-off tail; all that came before it was
 *    delivered, the row says what was lost;
 *  - false: nothing usable (not a trace, an unsupported version, damage within the
 *    first generation before any of its events was delivered; before 1.22 also
 *    damage that leaves no frequency), cancelled, the sink refused, or no memory;
 *    err says why.
 * Rules: doc/format/go-trace-v2.md, go-trace-semantics.md and go-trace-v1.md, whole.
 */
bool go_read(struct input *in, const struct go_sink *sink, const struct go_read_options *options,
             struct go_read_result *result, struct error *err);

/*
 * Takes the header alone: the N of "go 1.N trace". False with err set when it is none,
 * and then *minor is 0, or of a version that cannot be read.
 */
bool go_read_header(struct input *in, uint32_t *minor, struct error *err);

#endif
