/* What the kinds of findings share. Only for analysis/findings*.c. */
#ifndef TTRACE_ANALYSIS_FINDINGS_INTERNAL_H
#define TTRACE_ANALYSIS_FINDINGS_INTERNAL_H

#include "analysis/findings.h"
#include "analysis/state_scan.h"
#include "base/map.h"
#include "base/text.h"
#include "query/bits.h"

/* Looking for one kind after the other. */
struct finder {
	const struct trace *trace;
	int64_t t0_ns, t1_ns;
	const struct findings_scope *scope;
	struct search_watch *watch;
	struct findings *findings;
	struct error *err;
	struct bits throttled; /* groups that a quota stops: their long waits are told by that */
	struct bits stuck; /* actors whose last state is told as blocked all the time, or to the end */
};

/* A span, a stop, an assist: something that took time. */
struct trouble {
	actor_ref actor;
	int64_t start_ns, end_ns;
	int64_t lost_ns; /* of that, what counts */
	stack_id stack;  /* where it was; STACK_NONE: unknown, or no place is to blame */
};

/* Troubles that become one finding. */
struct trouble_sum {
	uint64_t count;
	uint32_t actors;
	int64_t lost_ns;
	struct trouble longest;
	uint32_t first_place; /* of its places, in no order */
};

/* Those of a sum at one line of the program. */
struct trouble_place {
	stack_id stack; /* STACK_NONE: unknown */
	uint64_t count;
	int64_t lost_ns;
	struct trouble longest;
	uint32_t next;
};

/* Sums by small numbers of the caller's. An actor is counted in the first that it is added to. */
struct trouble_sums {
	struct finder *finder;
	struct trouble_sum *items; /* by key */
	size_t count, capacity;
	struct trouble_place *places;
	size_t place_count, place_capacity;
	struct map line_numbers, place_of;
	struct bits seen;
};

bool trouble_sums_init(struct trouble_sums *sums, struct finder *finder);
/* Also of sums that are zero-initialised. */
void trouble_sums_release(struct trouble_sums *sums);
/* Adds to the sum of that key, and to the one of its line of code. O(depth). */
bool trouble_sums_add(struct trouble_sums *sums, uint32_t key, const struct trouble *trouble);
/* What it comes to, ranked by that, without its query. Its count may be 0. O(its places). */
struct finding trouble_sums_finding(
	const struct trouble_sums *sums, uint32_t key, enum finding_kind kind);

/* Of a trouble that lies within the interval at least in part. */
int64_t finder_clip(const struct finder *finder, const struct trouble *trouble);
/* Nothing in [start, end) is missing from the trace. */
bool finder_is_known(const struct finder *finder, int64_t start_ns, int64_t end_ns);
/* Whether the query that the findings are for matches a state, or the one of an actor at t. */
bool finder_asks_for(const struct finder *finder, uint32_t segment, uint32_t state);
bool finder_asks_for_time(const struct finder *finder, actor_ref actor, int64_t t_ns);
bool finder_matters(const struct finder *finder, int64_t lost_ns);
/* How many there were at most within the interval. */
uint64_t finder_processors(const struct finder *finder);
/*
 * Adds the finding with that query, joined to the one that the findings are for, if any; the text
 * is released in any case.
 */
bool finder_add(struct finder *finder, struct finding *finding, struct text *query);

/* ---- queries (findings_query.c): each appends a condition and a blank */

/* Whether a query stands in the quotes of any shell as it is. */
bool query_is_plain_query(const char *query);
/* `name="main.worker"`; false where the name cannot be typed. */
bool query_add_string(struct text *query, const struct trace *trace, const char *field,
                      string_id id);
/* What overlaps the interval, where that is not the whole trace. */
void query_add_interval(struct text *query, const struct finder *finder);
/* This very span of an actor; and the longest one of a finding. */
void query_add_span(struct text *query, const struct trace *trace, actor_ref actor,
                    int64_t start_ns);
void query_add_longest(struct text *query, const struct trace *trace,
                       const struct finding *finding);
/*
 * `conditions` and those spans of the sum that have this start function; where that cannot be
 * typed, the longest one. Tells in the finding which.
 */
void query_add_group(struct text *query, const struct finder *finder, struct finding *finding,
                     const char *conditions);

/* ---- the kinds; false with err set, or without where it was ended */

bool find_delays(struct finder *finder);  /* idle processors, hogs: findings_ready.c */
bool find_forever(struct finder *finder); /* findings_blocked.c */
bool find_leaks(struct finder *finder);
bool find_convoys(struct finder *finder); /* findings_convoy.c; when it is known who is stuck */
bool find_syscalls(struct finder *finder);
bool find_stops(struct finder *finder);   /* findings_gc.c */
bool find_assists(struct finder *finder);
bool find_collections(struct finder *finder);
bool find_requests(struct finder *finder); /* findings_requests.c */
bool find_disk(struct finder *finder);     /* and the next three: findings_kernel.c */
bool find_interrupts(struct finder *finder);
bool find_calls(struct finder *finder);
bool find_quotas(struct finder *finder); /* before all others */
bool find_beneath(struct finder *finder); /* beneath/findings.c */

#endif
