/* A profile by function: what `pprof -top` tells. */
#ifndef TTRACE_ANALYSIS_PROFILE_TOP_H
#define TTRACE_ANALYSIS_PROFILE_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/profile.h"
#include "base/error.h"
#include "result/result.h"
#include "trace/trace.h"

/* Of samples without a time: whether calls of the function were inlined into its callers. */
enum top_inlining { TOP_CALLED, TOP_PARTLY_INLINED, TOP_INLINED };

struct top_row {
	string_id function;
	const char *name; /* of the trace, raw bytes; "<unknown>" where there is none */
	size_t name_length;
	int64_t flat; /* of the stacks that it is the leaf of, in the profile's unit */
	int64_t open; /* of the first what has not ended */
	int64_t cum;  /* of those that it is in, each once */
	uint8_t inlining; /* enum top_inlining */
	uint32_t seen_in; /* for making it: the last entry that it was in, counted from 1 */
};

/* Who called whom, of samples without a time; a function that calls itself is none. */
struct top_edge {
	string_id caller, callee;
	int64_t weight;   /* of the samples that have it, each once */
	bool is_inlined;  /* wherever it was */
	uint32_t seen_in; /* for making it, as above */
};

struct profile_top {
	struct top_row *rows;
	uint32_t row_count;
	struct top_edge *edges;
	size_t edge_count;
};

/*
 * In the order of "flat", which is usual, "cum", both with the most first, whatever the sign, and then by name, or
 * "function"; "-" before it turns that round. NULL: the usual one. O(frames of the profile's
 * stacks). Release with profile_top_release() after success.
 */
bool profile_top_build(struct profile_top *top, const struct profile *profile, const char *sort, struct error *err);
void profile_top_release(struct profile_top *top);
/* Tells its first rows as a table: analysis/profile_tables.c. */
bool profile_top_tell(const struct profile_top *top, uint32_t row_count,
	const struct profile *profile, struct result_sink *sink, struct error *err);

#endif
