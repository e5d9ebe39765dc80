/* The slices of a trace that a query matches. For the search; others ask that. */
#ifndef TTRACE_QUERY_SLICE_MATCH_H
#define TTRACE_QUERY_SLICE_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "query/bits.h"
#include "query/query_internal.h"
#include "query/watch.h"
#include "trace/slices.h"
#include "trace/trace.h"

struct slice_match {
	int64_t start_ns;
	column_ref column;
	uint32_t index;
};

/* Zero-initialised is none. */
struct slice_matches {
	struct slice_match *items; /* by start, column, index */
	size_t count, capacity;
	struct bits *sets;         /* by column; NULL where nothing matches */
	uint32_t set_count;
};

/*
 * A slice has a name (also func, and what a word is looked for in), dur, start, end, depth, and g: the
 * actor that it is of, or p: the processor. Other fields it has no value for. `watch` may be NULL. To
 * be released on failure as well. O(slices * terms), O(m log m) for m matches of 16 bytes each.
 */
bool slice_matches_find(struct slice_matches *matches, const struct trace *trace,
	const struct query *query, struct search_watch *watch, struct error *err);
void slice_matches_release(struct slice_matches *matches);

#endif
