/*
 * Between the two halves of mutator_build(): finding what the collector took, and summing it up.
 * Only for analysis/mutator*.c.
 */
#ifndef TTRACE_ANALYSIS_MUTATOR_INTERNAL_H
#define TTRACE_ANALYSIS_MUTATOR_INTERNAL_H

#include "analysis/go/mutator.h"

enum mutator_change_type {
	CHANGE_PROCESSORS, /* `amount` is how many there are from now on */
	CHANGE_STW,
	CHANGE_PROCESSOR /* of one processor */
};

enum { MUTATOR_CHANGE_TYPES = CHANGE_PROCESSOR + 1 };

/* Processors beyond these are not looked at: no program has so many. */
enum { MUTATOR_PROCESSORS_MOST = 1 << 16 };

struct mutator_change {
	int64_t time_ns;
	int64_t amount; /* added to what is going on */
	uint32_t processor; /* what Go calls its id, below MUTATOR_PROCESSORS_MOST */
	enum mutator_change_type type;
};

/* Zero-initialise all but the first six. */
struct mutator_changes {
	const struct trace *trace;
	unsigned parts;
	int64_t from_ns, until_ns; /* what does not touch that leaves no trace in it */
	struct search_watch *watch;
	struct error *err;
	int64_t known_ns; /* what is before does not count; INT64_MIN: all does */
	struct mutator_change *items;
	size_t count, capacity;
};

/* Finds all of them, in no order; the items are the caller's to free in any case. */
bool mutator_find_changes(struct mutator_changes *changes);

/*
 * Lets the first of equal series stand for all of them: processors of which the collector wants
 * nothing are alike, and a hostile trace tells of 65,536. O(steps).
 */
bool mutator_merge_equal(struct mutator *mutator, struct error *err);

/* The id of a processor; REF_NONE for one that is not looked at. */
uint32_t mutator_processor_index(const struct trace *trace, resource_ref processor);

static inline bool
mutator_is_as_go(unsigned parts)
{
	return (parts & MUTATOR_AS_GO) != 0;
}

#endif
