/* In which order groups of actors stand, and the actors of each. */
#ifndef TTRACE_ANALYSIS_LANE_ORDER_H
#define TTRACE_ANALYSIS_LANE_ORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/trace.h"

/* By what. All but names and first runs: the most first. Of a group its actors together. */
enum lane_sort {
	LANES_AS_USUAL,     /* groups by how long they did not wait, actors by their beginning */
	LANES_BY_NAME,      /* start function */
	LANES_BY_FIRST_RUN, /* those that never ran last */
	LANES_BY_RUNNING,   /* time in all in the state, over the whole trace */
	LANES_BY_READY,
	LANES_BY_BLOCKED,
	LANES_BY_SYSCALL,
	LANES_BY_WAIT,      /* longest time blocked without a break; of a group the longest of any */
	LANES_BY_WAKES,     /* how often woken */
	LANE_SORT_COUNT
};

struct lane_order {
	enum lane_sort sort;
	group_ref *groups; /* all of the trace; last those of Go itself, or of unknown creators, labels, ... */
	size_t group_count;
	actor_ref *members; /* as trace.group_members, each group in order; NULL: as there */
};

/*
 * Orders a frozen trace. Equal ones stand as in the trace. False with ERROR_CANCELLED soon after
 * *is_cancelled becomes true (NULL: never). As usual O(groups * log n), else O(actors * log n
 * + states), 120,000 actors with 20 million states in some 100 ms. Release after success.
 */
bool lane_order_build(struct lane_order *order, const struct trace *trace, enum lane_sort sort,
                      const atomic_bool *is_cancelled, struct error *err);
void lane_order_release(struct lane_order *order);

/* "usual", "name", "first", ...: as options and commands have them, NULL at the end. */
extern const char *const lane_sort_words[LANE_SORT_COUNT + 1];
/* What a trace must have for it to order anything (enum analysis_needs, or'ed). */
unsigned lane_sort_needs(enum lane_sort sort);
/* "the busiest first", "by name", ...: in words. */
const char *lane_sort_title(enum lane_sort sort);

#endif
