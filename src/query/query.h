/*
 * The query language, with which spans (states of actors) are searched, filtered and found:
 *
 *     func~ServeHTTP state=blocked dur>10ms
 *     g=42 | g=43
 *     reason="chan receive" !name~^runtime
 *
 * A condition is FIELD OPERATOR VALUE; the operators are = != ~ !~ < <= > >=, and ~ is
 * "a PCRE2 pattern matches". A word that is no condition is a pattern over all texts
 * of a span, as query/search.h has them. What stands side by side must hold together; | is or, and
 * binds less; ! is not; parentheses group. Words and values end at a blank, a | or a ) that
 * they have not opened themselves, or stand in double quotes, in which \" is a quote.
 *
 * Where a span has no value for a field, != and !~ hold and all else does not; where it has
 * several, = and ~ hold if they do for one of them, != and !~ if for none.
 *
 *     g p m           ids of actor, processor and thread: 42, or G42 as the screen has it
 *     name            start function of the actor
 *     func            functions of the actor's stack: where it is blocked, in a syscall or
 *                     stopped; while ready after that the same; of a running span where it
 *                     stops, and those of CPU samples taken in it
 *     state class     running, ready, blocked, ... also in Go's words; class: as the screen
 *                     colours it, in the trace's words; assist: running, within a mark assist too
 *     reason          why it is blocked or was stopped
 *     dur start end   how long, and when since the start of the trace: 10ms, 1.2s. What is
 *                     open ends with the trace.
 *     task            id or name of a task: a region of it goes on during the span, or the
 *                     task begins, ends or logs in it
 *     task.dur        how long such a task lasts: 10ms, or a percentile of all that have its name:
 *                     p90, so that task.dur>=p90 is the slowest tenth of each type
 *     region          name of a region of the actor that goes on during the span
 *     region.dur      the same of how long such a region lasts
 *     label           a label that the actor has during the span
 *     log             category or message of a log in the span
 *     wake.g wake.name wake.func
 *                     who made it ready, and from which stack: of a blocked span who
 *                     ended it, of a running one who woke it before
 *     gc              mark or stw: of the collector or the stopped world goes on during the
 *                     span; assist or sweep: the actor does it; worker: it is one;
 *                     stopper: it has stopped the world
 *     syscall         blocked: a system call that lost its processor
 *     depth           of a slice: how many enclose it, 0 of the outermost
 *
 * In a trace with slices these are matched too, by name, dur, start, end, depth and g; func is their
 * name as well, and a pattern is looked for in it.
 */
#ifndef TTRACE_QUERY_QUERY_H
#define TTRACE_QUERY_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct query;
struct words; /* trace/words.h */

/* What one may hold at most. Each word and pattern is matched with each text of the trace once. */
enum { QUERY_MOST_BYTES = 4096, QUERY_MOST_TERMS = 64, QUERY_MOST_DEPTH = 64 };

/*
 * Compiles a query; a = before it is skipped. NULL with *note (ERROR_USAGE), which says what
 * is wrong and at which character, with its byte as the error's offset. A pattern
 * that does not compile is no error but plain text, and *note says so. Messages are in these words,
 * words_plain where no trace is known yet.
 */
struct query *query_new(const char *text, const struct words *words, struct error *note);
/*
 * What a search prompt takes: as query_new() where query_is_meant(), else the whole text is one
 * pattern, as pattern_new().
 */
struct query *query_new_search(const char *text, const struct words *words, struct error *note);
void query_free(struct query *query); /* NULL is fine */

/* Whether a text that may be either begins as a query: with = or a field and an operator. */
bool query_is_meant(const char *text);

/* How many texts could not be matched with because that would have taken too long. */
uint64_t query_skipped(const struct query *query);

#endif
