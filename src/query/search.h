/*
 * Search over the whole trace, for a pattern or by a query (query/query.h). A pattern is
 * matched once against each text (names of actors, functions of stacks, reasons, names of
 * regions and tasks, logs, labels); from there on a match is a bit: every state of an actor has
 * one, and the questions below only count bits.
 *
 * A state matches a pattern when one of these does
 *  - its actor, as "G42 main.worker" or by its name alone;
 *  - the reason for which it blocked or stopped;
 *  - a function of its stack, for a ready state of the stack of whoever woke it;
 *  - a log (category or message), a label or a function of a CPU sample in it;
 *  - the name of a region or task (or range, such as a kind of stop-the-world)
 *    that its actor began in it.
 */
#ifndef TTRACE_QUERY_SEARCH_H
#define TTRACE_QUERY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/slices.h"
#include "trace/span.h"
#include "trace/trace.h"

struct query;
struct search;
struct search_watch;

/*
 * Searches a frozen trace, which must outlive the result. The text is a query if
 * query_is_meant(), else one pattern of PCRE2: case matters only if it has a capital.
 * With a leading ' the rest is plain
 * text. What does not compile is searched as plain text, and *note says
 * why and where; *note also tells when the pattern was too costly for some texts,
 * which then count as not matching. NULL for an empty pattern or a wrong query (ERROR_USAGE) or
 * without memory, with *note saying so. Cost: each distinct text once for each pattern, and some
 * nanoseconds per state and condition.
 */
struct search *search_new(const struct trace *trace, const char *text, struct error *note);
/* The same for a query, which is needed no longer. */
struct search *search_query(const struct trace *trace, struct query *query, struct error *note);
/*
 * The same on a thread beside: `watch` (query/watch.h), which outlives the search, counts how far
 * it is and can end it, with ERROR_CANCELLED. It expects a unit for each state besides, for what is
 * then done with the search. On failure NULL with err set.
 */
struct search *search_with(const struct trace *trace, struct query *query,
                           struct search_watch *watch, struct error *err);
void search_free(struct search *search); /* NULL is fine */
/*
 * From now on asked for lanes of that trace, which is the one that was searched but for its groups
 * (trace/regroup.h). No job may be making it. NULL is fine. Without memory
 * nothing of a group matches.
 */
void search_regroup(struct search *search, const struct trace *trace);

/* Slices of the trace that match. O(1). */
uint64_t search_slice_count(const struct search *search);
/* The match with that number, by start, which is below that count. O(1). */
void search_slice(const struct search *search, uint64_t index, struct slice *slice);
/* How many come before the first that starts at t or later. O(log n). */
uint64_t search_slices_before(const struct search *search, int64_t t_ns);
/* Whether slices [first, end) of a column of the trace have a match. O(1). */
bool search_slices_have(
	const struct search *search, column_ref column, uint32_t first, uint32_t end);

/* Whether any slice or span matches. O(1). */
bool search_finds(const struct search *search);

/*
 * Whether one of an actor matches, or of who ran on a processor; of other lanes none does. O(its
 * columns).
 */
bool search_has_slices(const struct search *search, struct lane lane);

/* Spans (states of actors) that match. O(1). */
uint64_t search_count(const struct search *search);
/* Actors that have some; where slices match, that have such. O(actors). */
uint32_t search_actor_count(const struct search *search);
/* Whether a state matches; segment and state as in struct span. O(1). */
bool search_matches(const struct search *search, uint32_t segment, uint32_t state);
/* Whether an actor's name or id matches; of a query, whether all its states do. O(1). */
bool search_matches_actor(const struct search *search, actor_ref actor);

/*
 * Whether anything on the lane matches, at any time. O(1), of a group O(its actors). GC
 * and STW lanes have nothing.
 */
bool search_has_any(const struct search *search, struct lane lane);

/*
 * Whether a matching span overlaps [t0, t1) on the lane. GC and STW lanes have
 * none. O(log n). For LANE_GROUP and LANE_ALL the first question builds
 * the union of their matches (some nanoseconds per state of theirs), kept until the
 * search is freed; so these questions are for one thread at a time. Should memory run out
 * the answer is false.
 */
bool search_overlaps(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns);
/* The same for each cell of a strip, cells as lane_cells() cuts them. */
void search_cells(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns,
                  int cells, bool *marks);

/*
 * Whether something that an actor did, or began, in [start, end) or at the start alone is asked
 * for: a state within that matches. NULL asks for all, and of REF_NONE nobody knows. O(log n).
 */
bool search_asks_for(struct search *search, actor_ref actor, int64_t start_ns,
                     int64_t end_ns);

/*
 * Whether these questions have their answer: while a worker unites the matches of groups
 * (query/search_job.h), nothing of a group matches that it has not come to. O(1).
 */
bool search_is_settled(const struct search *search, struct lane lane);

/*
 * All matches in the order of their start (at the same start in that of their
 * place in the trace), numbered from 0. Like above for one thread; the order of a segment
 * is built when first needed. False beyond the end, or without memory.
 */
bool search_match(struct search *search, uint64_t index, struct span *span);
/* Which match a state is; false if it is none. */
bool search_index(struct search *search, uint32_t segment, uint32_t state, uint64_t *index);
/* How many matches start before t: the index of the first that does not. */
uint64_t search_before(struct search *search, int64_t t_ns);

/*
 * The first match that starts after t, the last one that starts before it, with its
 * index (which may be NULL); false if there is none. From match to match, also where
 * several start together, go by search_index() and search_match().
 */
bool search_next(struct search *search, int64_t t_ns, struct span *span, uint64_t *index);
bool search_previous(struct search *search, int64_t t_ns, struct span *span, uint64_t *index);

#endif
