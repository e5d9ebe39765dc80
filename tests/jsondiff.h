/*
 * Compares two answers of the viewer (doc/format/cmd-trace-views.md, section 4) as sets
 * with counts of their events: the order of events, the numbers of stacks and those that
 * join an arrow's or a region's two ends are of no account; names, times, lanes, arguments
 * and the frames of stacks are.
 *
 * Since Go 1.25 the viewer's time begins with the opening Sync, a little earlier than
 * the first event: their_lead_ns, 0 for an answer of Go 1.23. What has time 0 is since
 * the start of the trace, in either.
 */
#ifndef TTRACE_TESTS_JSONDIFF_H
#define TTRACE_TESTS_JSONDIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { JSONDIFF_SHOWN = 5 }; /* differences of each side that are told */

struct jsondiff {
	size_t events;       /* of the first answer, both ends of an arrow as one */
	size_t ours, theirs; /* events that only one side has */
	struct text problem; /* the first of them, or what is wrong; empty for equal */
};

/* Whether they are equal. Release it in either case. */
bool jsondiff_compare(struct jsondiff *diff, const struct text *ours, const struct text *theirs,
	int64_t their_lead_ns);
void jsondiff_release(struct jsondiff *diff);

#endif
