/*
 * What the headers of the batches tell of a trace: its generations, how large they are and
 * when they were. Payloads are skipped, so it takes about as many system calls as there are
 * batches, and no time that depends on what is in them.
 */
#ifndef TTRACE_SOURCE_GO_OUTLINE_H
#define TTRACE_SOURCE_GO_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"
#include "trace/wall_clock.h"

struct outline_generation {
	uint64_t number;
	uint64_t from_bytes, to_bytes; /* in the input; those of all generations adjoin */
	uint64_t batches_before;       /* in the file */
	uint64_t batches;
	uint64_t timed_bytes;          /* of payloads of events, which the reader leaves there */
	uint32_t threads;              /* that have events in it */
	/*
	 * By the trace's clock. It begins with its first batch and ends where the next one
	 * begins; the last one with its last event.
	 */
	int64_t from_ns, to_ns;
	uint64_t frequency; /* that it tells; 0 for none */
	bool has_clock;
	struct clock_point clock;
};

/* Zero-initialised has no generations; outline_release() frees. */
struct outline {
	struct outline_generation *generations; /* as they stand in the file */
	size_t count, capacity;
	unsigned minor;        /* the N of "go 1.N trace" */
	uint64_t broken_bytes; /* where no batch stands where one should; 0 for nowhere */
};

/*
 * Looks at an input that can be rewound and that may be read meanwhile. What stands behind
 * broken bytes counts to the generation before them. Input that is no binary trace from
 * Go 1.22 on has no generations, and that is no failure. Tells in->progress how far it is. False
 * for want of memory, where the file cannot be read, or when that is cancelled.
 */
bool outline_read(struct outline *outline, const struct input *in, struct error *err);
void outline_release(struct outline *outline);

#endif
