/* One actor's life in numbers: time by state and by reason. */
#ifndef TTRACE_ANALYSIS_LIFE_H
#define TTRACE_ANALYSIS_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

/* Time in one state; of a blocked actor also by reason. */
struct life_total {
	enum state state;
	enum time_class time_class; /* of a total by reason */
	bool is_reason;             /* a part of the total of its state before it */
	string_id reason;
	uint32_t count;             /* spans that overlap the interval; of a state, runs as one each */
	int64_t total_ns;           /* clipped to the interval, as is longest */
	struct span longest;
};

struct search; /* query/search.h */

struct life {
	int64_t t0_ns, t1_ns;  /* what of the interval the actor lived; both equal for nothing */
	/*
	 * In the order of enum state, under each state its reasons by time, longest first;
	 * left out where a state has no reason.
	 */
	struct life_total *totals;
	uint32_t total_count;
	uint32_t span_count;
};

/* What of whose life is added up. */
struct life_scope {
	actor_ref actor;
	int64_t t0_ns, t1_ns;      /* [t0, t1) */
	const struct search *only; /* states that it matches; NULL: all */
};

/* O(states). Release with life_release() after success. */
bool life_build(struct life *life, const struct trace *trace, const struct life_scope *scope,
	struct error *err);
void life_release(struct life *life);

/* The first span of the actor that overlaps [t0, t1), to be followed by lane_after(). */
bool life_first(const struct trace *trace, actor_ref actor, int64_t t0_ns, int64_t t1_ns,
                struct span *span);

/*
 * Actors whose ids are nearest to one that is not there: at most `most` of
 * them in `ids`, ascending. Returns how many.
 */
uint32_t life_nearest(const struct trace *trace, int64_t id, int64_t *ids, uint32_t most);

#endif
