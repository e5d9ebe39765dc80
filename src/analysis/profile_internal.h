/* What making a profile needs while it is made. Only for analysis/profile*.c. */
#ifndef TTRACE_ANALYSIS_PROFILE_INTERNAL_H
#define TTRACE_ANALYSIS_PROFILE_INTERNAL_H

#include "analysis/profile.h"

/* What entering a state means for the profile. */
enum profile_role {
	ROLE_NONE,  /* nothing */
	ROLE_MEANT, /* what is looked for begins */
	ROLE_SAME,  /* the same state for another reason: begins nothing, ends nothing */
	ROLE_OTHER, /* it ends */
	ROLE_LOST   /* nobody knows when it ended */
};

struct profile_piece {
	int64_t start_ns, end_ns;
};

struct profile_walk {
	const struct trace *trace;
	const struct profile_scope *scope;
	struct profile *profile;
	size_t capacity;   /* of its entries */
	uint32_t *slot_of; /* stack -> index of its entry + 1 */
	uint8_t roles[KIND_MAX + 1]; /* enum profile_role */

	/* Of the goroutine: what came before does not count, nor what is in none of the pieces. */
	int64_t from_ns;
	struct profile_piece *pieces; /* of the regions, where the scope names some; ascending, apart */
	size_t piece_count, piece_capacity;

	/* The wait that goes on. */
	bool is_waiting, is_counted;
	stack_id stack;
	int64_t since_ns;
};

/* How much of [start, end) counts. */
int64_t profile_within(const struct profile_walk *walk, int64_t start_ns, int64_t end_ns);
bool profile_add(struct profile_walk *walk, stack_id stack, uint64_t count, int64_t ns,
	struct error *err);

/* What the kinds of state mean for a profile that is not of samples. */
void profile_set_roles(struct profile_walk *walk);
/* The waits of a goroutine. */
bool profile_walk_states(struct profile_walk *walk, goroutine_ref goroutine, struct error *err);

#endif
