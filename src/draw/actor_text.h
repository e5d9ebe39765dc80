/* The text about one actor: who it is, what its time went into, and its life state by state. */
#ifndef TTRACE_DRAW_ACTOR_TEXT_H
#define TTRACE_DRAW_ACTOR_TEXT_H

#include "analysis/life.h"
#include "draw/prose.h"

struct actor_text {
	actor_ref actor;
	const struct life *life;   /* of this interval */
	int64_t t0_ns, t1_ns;
	bool has_interval;         /* it was asked for, and is not all of the trace */
	const struct search *only; /* states that it matches are told; NULL: all */
	const char *query;         /* what that is, safe text; NULL: nothing */
	bool has_cursor;
	int64_t cursor_ns;         /* the state at that time is told first */
};

/* Facts, the stack that created it, and two lists. O(states). */
void actor_tell(struct prose *prose, const struct actor_text *text);

#endif
