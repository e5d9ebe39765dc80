/*
 * The generations of a trace of which not all is loaded, because memory is bounded: what
 * their batches' headers tell of each.
 */
#ifndef TTRACE_TRACE_PARTS_H
#define TTRACE_TRACE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct part {
	uint64_t generation; /* its number */
	uint64_t bytes, batches;
	uint32_t threads;       /* that have events in it */
	int64_t from_ns, to_ns; /* it lies in [from, to); the parts of a trace adjoin */
	bool is_loaded;
};

/* Zero-initialised: all is loaded. */
struct parts {
	struct part *rows; /* by time; those that are loaded stand together */
	size_t count;
	bool has_rest; /* more follows behind all that is known of */
};

/* What of [t0, t1) is not loaded. */
enum parts_extent { PARTS_LOADED, PARTS_MIXED, PARTS_NOT_LOADED };
enum parts_extent parts_extent(const struct parts *parts, int64_t t0_ns, int64_t t1_ns);

/*
 * Leaves of [t0, t1) what is loaded of it. False where that is all of it, or nothing, and then
 * it stays as it is.
 */
bool parts_clip(const struct parts *parts, int64_t *t0_ns, int64_t *t1_ns);

/* The part at t, or the nearest; NULL where there are none. O(log n). */
const struct part *parts_at(const struct parts *parts, int64_t t_ns);

/* How many parts are not loaded, and their bytes. */
size_t parts_missing(const struct parts *parts, uint64_t *bytes);

/* From the trace's clock to times of a trace that begins at origin_ns. */
void parts_rebase(struct parts *parts, int64_t origin_ns);
/* A table of its own; zero-initialise *copy. */
bool parts_copy(struct parts *copy, const struct parts *parts, struct error *err);
void parts_release(struct parts *parts);

#endif
