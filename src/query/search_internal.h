/* What the files of the search share: the sets of matches. Not for others. */
#ifndef TTRACE_QUERY_SEARCH_INTERNAL_H
#define TTRACE_QUERY_SEARCH_INTERNAL_H

#include <stdatomic.h>

#include "query/bits.h"
#include "query/search.h"
#include "query/slice_match.h"
#include "query/watch.h"

/*
 * Matches in the runs of a directory's list. before has one item per run of the
 * list and one more: the matches in all runs of the list that come earlier.
 */
struct run_matches {
	struct bits *sets; /* per segment: its states, or the entries of its column */
	uint32_t *before;
};

/* When a lane without an order of its own has a match: disjoint, ascending. */
struct match_union {
	struct match_piece {
		int64_t start_ns, end_ns;
	} *pieces;
	size_t count, capacity;
	atomic_bool is_built; /* set last: what stands above is good from then on */
};

struct search {
	const struct trace *trace;
	struct search_watch *watch; /* while a worker makes it and unites its groups, else NULL */
	uint32_t segment_count;
	struct bits actors; /* that match by name or id */
	struct run_matches states, processors, threads;
	struct match_union *groups; /* per group of the trace */
	uint32_t group_count;       /* 0 where there was no room for them */
	struct match_union all;
	struct slice_matches slices;
	/* When slices match: of all, and of the actors that ran on each processor. NULL: none does. */
	struct match_union *slice_unions;
	uint32_t processor_count; /* of these, before that of all */

	/* In time order come first the matches that began with the trace, by actor ... */
	actor_ref *old;
	uint64_t old_count;
	/* ... and then those of each segment, which has `start` of all before it. */
	uint64_t *start;  /* one more at the end */
	uint32_t **order; /* per segment: its matches by start, NULL until asked for */
};

static inline uint32_t
run_count(const struct run_list *list)
{
	return list->first[list->key_count];
}

struct query;

/* What there is to say about it once it is made: the error where it is NULL, or texts left out. */
void search_tell(const struct search *search, const struct query *query,
                 const struct error *err, struct error *note);

/* Notes units as done; false when the search is not wanted any more. */
bool search_goes_on(const struct search *search, uint64_t units);
/* Builds the unions of all groups, unless it is cancelled. */
void search_unite_groups(struct search *search);

/* Prepares the order: counts per segment, the old ones. */
bool search_order_init(struct search *search, struct error *err);
void search_order_release(struct search *search);
/* Builds slice_unions. O(m log m) for the m parts of matching slices between two states. */
bool search_unite_slices(struct search *search, struct error *err);
/* Builds the union for LANE_GROUP or LANE_ALL; without memory it stays empty. */
void match_union_build(const struct search *search, struct lane lane, struct match_union *matches);
void match_union_release(struct match_union *matches);

#endif
