/*
 * How the times of actors and regions are gathered. Only for
 * analysis/actors.c and regions.c.
 */
#ifndef TTRACE_ANALYSIS_ACTORS_INTERNAL_H
#define TTRACE_ANALYSIS_ACTORS_INTERNAL_H

#include "analysis/actors.h"
#include "base/map.h"

/* What tells the function of a row; a region's is kept, since to look at it again takes long. */
struct row_origin {
	string_id name;
	stack_id stack; /* where the region begins; STACK_NONE: nobody knows, or of an actor */
};

/* Functions and places that were seen, each with a number. */
struct numbering {
	struct map places;    /* struct stack_frame -> number, from 1 on */
	struct map functions; /* name and place -> index */
};

struct gathering {
	struct measures measures;
	struct actor_times *times;
	const struct actors_scope *scope;
	uint32_t *function_of; /* by row */
	struct numbering numbering;
	size_t row_capacity, time_capacity, function_capacity, function_of_capacity;
};

/* Begins; actors_end() is needed only after success. */
bool actors_begin(struct gathering *gathering, const struct trace *trace, struct error *err);
/*
 * Adds a row, whose times are the sums that are not 0, unless there is a query and nothing matches.
 */
bool actors_keep_row(struct gathering *gathering, const struct actor_row *row,
	const struct row_origin *origin, const int64_t *sums_ns, struct error *err);
/* Sorts rows by function, if all went well so far; else nothing is left. */
bool actors_end(struct gathering *gathering, bool is_fine, struct error *err);

#endif
