/* What making a profile needs while it is made. Only for analysis/profile*.c. */
#ifndef TTRACE_ANALYSIS_PROFILE_INTERNAL_H
#define TTRACE_ANALYSIS_PROFILE_INTERNAL_H

#include "analysis/profile.h"
#include "query/bits.h"
#include "trace/segment.h"

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

/* Where an actor is in what is looked for. */
struct profile_wait {
	int64_t from_ns;  /* what came before does not count: by Go's rules, when it first ran */
	int64_t since_ns; /* of the wait that goes on, as are: */
	stack_id stack;
	bool is_waiting, is_counted;
	uint8_t whose; /* enum profile_whose */
};

/* Of an actor whose states go by: whether it counts, where the runtime's do not. */
enum profile_whose {
	WHOSE_COUNTS,
	WHOSE_UNKNOWN, /* it has no name yet */
	WHOSE_RUNTIME
};

/* In from_ns: it may run yet. If it never does, all counts. */
#define PROFILE_NOT_RUN INT64_MAX

/* A wait of one of which is not known yet whether it counts: it had not run, or has no name. */
struct profile_early {
	actor_ref actor;
	struct profile_entry entry;
};

struct profile_walk {
	const struct trace *trace;
	const struct profile_scope *scope;
	struct profile *profile;
	size_t capacity;   /* of its entries */
	uint32_t *slot_of; /* stack -> index of its entry + 1 */
	size_t slot_count, slot_capacity;
	uint8_t roles[KIND_MAX + 1]; /* enum profile_role */
	uint32_t role_count;

	actor_ref actor;           /* that is looked at */
	struct profile_wait *wait; /* its own */
	struct profile_piece *pieces; /* of its regions, where the scope names some; ascending, apart */
	size_t piece_count, piece_capacity;

	struct profile_early *early;
	size_t early_count, early_capacity;
};

/* A state that an actor enters. */
struct profile_entered {
	const struct state_kind *kind;
	const struct site *site;
	enum profile_role role;
	int64_t start_ns;
	uint32_t segment, state; /* where the scope has a search; else they mean nothing */
};

/* How much of [start, end) is in the scope, and in one of the pieces if there shall be some. */
int64_t profile_within(const struct profile_walk *walk, int64_t start_ns, int64_t end_ns);
bool profile_add(struct profile_walk *walk, const struct profile_entry *more, struct error *err);
/* All was added: the entries get their order. */
void profile_walk_finish(struct profile_walk *walk);
void profile_walk_release(struct profile_walk *walk);

/* ---- profile.c */

/* Whether an actor is one that the scope asks for. */
bool profile_has_actor(const struct profile_scope *scope, const struct trace *trace, actor_ref ref);
/* Whether the state in which the actor was then matches what the scope asks for. */
bool profile_matches_at(
	const struct profile_scope *scope, const struct trace *trace, actor_ref ref, int64_t t_ns);
/* Makes the pieces those of the actor, where the scope names some. */
bool profile_find_pieces(struct profile_walk *walk, actor_ref actor, struct error *err);
/* Whether all of an interval is asked for, also what no actor is known of. */
bool profile_is_of_anybody(const struct profile_scope *scope);

/* ---- profile_wait.c */

/*
 * Whether each state of the kind counts for itself, from where it begins to where it ends; else it is
 * by Go's rules, and what came before the actor first ran counts for nothing.
 */
bool profile_counts_states(const struct profile_walk *walk);
/* What the kinds of state mean, up to that many; of a profile that is not of samples. */
void profile_set_roles(struct profile_walk *walk, uint32_t kind_count);
/* The stack that the event came with which made the actor enter the state. */
stack_id profile_stack_of(const struct profile_entered *entered);
/* The actor enters a state, of any role but ROLE_NONE. */
bool profile_enter(struct profile_walk *walk, const struct profile_entered *entered,
	struct error *err);
/* No more states of the actor will come. */
bool profile_leave(struct profile_walk *walk, struct error *err);

/* ---- profile_slices.c */

/* All of PROFILE_SLICES. Makes the profile's stacks. */
bool profile_walk_slices(struct profile_walk *walk, struct error *err);

/* ---- profile_samples.c */

/* All of PROFILE_SAMPLES. */
bool profile_walk_samples(struct profile_walk *walk, struct error *err);

/* ---- profile_beneath.c */

/* The samples of the trace beneath that are meant, by their numbers. To be released in any case. */
bool profile_choose_beneath(struct bits *meant, const struct profile_scope *scope, struct error *err);

/* ---- profile_walk.c */

/* The waits of an actor. */
bool profile_walk_states(struct profile_walk *walk, actor_ref actor, struct error *err);

#endif
