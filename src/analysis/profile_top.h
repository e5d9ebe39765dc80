/* A profile by function: what `pprof -top` tells. */
#ifndef TTRACE_ANALYSIS_PROFILE_TOP_H
#define TTRACE_ANALYSIS_PROFILE_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/profile.h"
#include "base/error.h"
#include "trace/trace.h"

struct top_row {
	string_id function;
	const char *name; /* of the trace, raw bytes; "<unknown>" where there is none */
	size_t name_length;
	int64_t flat; /* of the stacks that it is the leaf of, in the profile's unit */
	int64_t open; /* of the first what has not ended */
	int64_t cum;  /* of those that it is in, each once */
	uint32_t seen_in; /* for making it: the last entry that it was in, counted from 1 */
};

enum top_order {
	TOP_BY_FLAT, /* the most first; then by name */
	TOP_BY_CUM,
	TOP_BY_NAME
};

struct profile_top {
	struct top_row *rows;
	uint32_t row_count;
};

/* O(frames of the profile's stacks). Release with profile_top_release() after success. */
bool profile_top_build(struct profile_top *top, const struct trace *trace,
	const struct profile *profile, enum top_order order, struct error *err);
void profile_top_release(struct profile_top *top);

#endif
