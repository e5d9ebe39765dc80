/* How many of something go on at once, of two kinds: those on a CPU and those that are ready for one. */
#ifndef TTRACE_ANALYSIS_BENEATH_LEVELS_H
#define TTRACE_ANALYSIS_BENEATH_LEVELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* From that time on so many more, or less. */
struct level {
	int64_t time_ns;
	int32_t on, ready;
};

/* Zero-initialised has none; the items are the caller's to free. */
struct levels {
	struct level *items; /* in the order of time once they are sorted */
	size_t count, capacity;
};

/* One of a kind goes on for [from, until). */
bool levels_add_on(struct levels *levels, int64_t from_ns, int64_t until_ns, struct error *err);
bool levels_add_ready(struct levels *levels, int64_t from_ns, int64_t until_ns, struct error *err);
/* O(n log n). */
bool levels_sort(struct levels *levels, const atomic_bool *is_cancelled, struct error *err);

#endif
