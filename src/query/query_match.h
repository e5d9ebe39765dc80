/* Which states a query matches. For the search; others ask that. */
#ifndef TTRACE_QUERY_QUERY_MATCH_H
#define TTRACE_QUERY_QUERY_MATCH_H

#include "query/bits.h"
#include "query/query_internal.h"
#include "trace/trace.h"

struct search_watch;

/*
 * Makes of the empty sets in `states`, one for each segment, those of the states that match;
 * to be released on failure as well. `watch` may be NULL. The patterns are used, so the
 * query is for one thread at a time.
 */
bool query_match(struct query *query, const struct trace *trace, struct search_watch *watch,
                 struct bits *states, struct error *err);

/* ---- what the files of the evaluation share */

/* A state's place; segment NULL for none. */
struct state_at {
	const struct segment *segment;
	uint32_t state;
};

/* A term, made ready for one trace. Which parts are used, its field decides. */
struct query_table {
	const struct query_term *term;
	bool is_turned;            /* what it does not say matches */
	bool kinds[KIND_MAX + 1];
	struct bits refs;          /* actors, processors, threads */
	struct bits stacks;
	struct bits *states;       /* by segment; NULL for none */
};

enum query_verdict { VERDICT_NO, VERDICT_YES, VERDICT_OPEN };

/* What the steps of a query make of what its terms say, each by its index. */
enum query_verdict query_judge(const struct query *query,
	enum query_verdict (*term)(void *context, uint32_t index), void *context);

struct query_run {
	const struct trace *trace;
	struct search_watch *watch;
	const struct query *query;
	struct query_table tables[QUERY_MOST_TERMS];
	/* What the kind alone says of the whole query; where that is not all, the terms decide. */
	enum query_verdict verdicts[KIND_MAX + 1];
	struct state_at *after;    /* by actor: its first state in the segments behind */
	const struct segment *segment; /* being looked at ... */
	uint32_t index;                /* ... and its index */
	uint64_t *words[QUERY_MOST_DEPTH + 1]; /* operands, NULL until needed */
	uint32_t word_count;           /* of each, enough for any segment */
};

/* Strings that a term's text or pattern matches, each looked at once. */
struct query_strings {
	const struct trace *trace;
	const struct query_term *term;
	bool is_any; /* all but the empty one */
	struct bits known, found;
};

bool query_strings_init(struct query_strings *strings, const struct trace *trace,
                        const struct query_term *term, struct error *err);
void query_strings_release(struct query_strings *strings);
/* The empty string stands for none, and is never one. */
bool query_strings_has(struct query_strings *strings, string_id id);
/* Whether a term that is of a text, or a pattern, is about this one. */
bool query_text_is_meant(const struct query_term *term, const char *text);

/* Makes a term's table ready (query_terms.c). */
bool query_table_init(struct query_run *run, struct query_table *table,
                      const struct query_term *term, struct error *err);
void query_table_release(const struct query_run *run, struct query_table *table);
/* Marks in `words`, which are zero, the states of the segment that the term matches. */
void query_table_fill(const struct query_run *run, const struct query_table *table,
                      uint64_t *words);
/* Whether the term says the same of all states of a kind: that is in table.kinds. */
bool query_table_is_by_kind(const struct query_table *table);

/* The terms about what lasts or happens on an actor, made into table.states (query_cover.c). */
bool query_cover_regions(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_long_regions(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_tasks(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_logs(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_labels(struct query_run *run, struct query_table *table, struct error *err);
/* Samples of a stack in table.stacks. */
bool query_cover_samples(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_losses(struct query_run *run, struct query_table *table, struct error *err);
/* Mark assists and sweeps, as far as the term asks for them. */
bool query_cover_collector(struct query_run *run, struct query_table *table, struct error *err);
bool query_cover_assists(struct query_run *run, struct query_table *table, struct error *err);

static inline const struct state_kind *
state_at_kind(const struct trace *trace, struct state_at at)
{
	return &trace->kinds[at.segment->kind[at.state] & KIND_MASK];
}

static inline void
words_add(uint64_t *words, uint32_t number)
{
	words[number / 64] |= UINT64_C(1) << (number % 64);
}

#endif
