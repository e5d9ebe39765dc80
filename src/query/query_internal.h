/* A compiled query, for those who evaluate it. Not for others. */
#ifndef TTRACE_QUERY_QUERY_INTERNAL_H
#define TTRACE_QUERY_QUERY_INTERNAL_H

#include "query/pattern.h"
#include "query/query.h"
#include "trace/state.h"
#include "trace/words.h"

enum query_field {
	FIELD_WORD, /* any text of the span */
	FIELD_ACTOR,
	FIELD_PROCESSOR,
	FIELD_THREAD,
	FIELD_NAME,
	FIELD_FUNC,
	FIELD_STATE,
	FIELD_CLASS,
	FIELD_REASON,
	FIELD_DURATION,
	FIELD_START,
	FIELD_END,
	FIELD_TASK,
	FIELD_TASK_DURATION,
	FIELD_REGION,
	FIELD_REGION_DURATION,
	FIELD_LABEL,
	FIELD_LOG,
	FIELD_WAKE_ACTOR,
	FIELD_WAKE_NAME,
	FIELD_WAKE_FUNC,
	FIELD_GC,
	FIELD_SYSCALL,
	FIELD_DEPTH,
	FIELD_COUNT
};

enum query_relation {
	RELATION_NONE,
	RELATION_EQUAL,
	RELATION_NOT_EQUAL,
	RELATION_MATCHES,
	RELATION_NOT_MATCHES,
	RELATION_LESS,
	RELATION_AT_MOST,
	RELATION_MORE,
	RELATION_AT_LEAST
};

/* What `gc` can be. */
enum query_gc {
	QUERY_GC_MARK,
	QUERY_GC_STW,
	QUERY_GC_ASSIST,
	QUERY_GC_SWEEP,
	QUERY_GC_WORKER,
	QUERY_GC_STOPPER
};
/* What `syscall` can be. */
enum query_syscall { QUERY_SYSCALL_BLOCKED };

enum query_test {
	TEST_RANGE,   /* a number or time from least to most */
	TEST_QUANTILE, /* how a time is related to what `least` millionths of a percent have at most */
	TEST_TEXT,    /* this text and no other */
	TEST_PATTERN,
	TEST_WORDS    /* one of a fixed set of words */
};

struct query_term {
	enum query_field field;
	enum query_test test;
	bool is_negated; /* by != or !~ */
	enum query_relation relation; /* of TEST_QUANTILE */
	int64_t least, most;
	const char *text; /* in query.texts */
	size_t text_length;
	struct pattern *pattern;
	uint32_t words; /* 1 << enum state, query_gc, query_syscall */
};

/* A query in postfix form: each step takes its operands from a stack and puts its result there. */
enum query_operator { STEP_TERM, STEP_NOT, STEP_AND, STEP_OR };

struct query_step {
	enum query_operator operator;
	uint32_t term; /* of STEP_TERM */
};

/* What the part of a quantile is of: 1% is 1000000. */
#define QUERY_WHOLE UINT64_C(100000000)

enum { QUERY_MOST_STEPS = 4 * QUERY_MOST_TERMS };

struct query {
	struct query_term terms[QUERY_MOST_TERMS];
	size_t term_count;
	struct query_step steps[QUERY_MOST_STEPS]; /* never needs more than QUERY_MOST_DEPTH + 1 operands */
	size_t step_count;
	char *texts;
};

/* The only pattern of a query that is one bare word, else NULL. */
struct pattern *query_word(const struct query *query);

/* ---- fields (query_field.c) */

/*
 * The field of which a name, ours, Go's or the model's ("g", "goroutine", "actor"), is at the start of the text, and
 * how long that is; FIELD_COUNT for none.
 */
enum query_field query_field_find(const char *text, size_t *length);
/* The operator at the start of the text and its length; RELATION_NONE for none. */
enum query_relation query_relation_find(const char *text, size_t *length);

/*
 * Fills a term whose field, text and text_length are known; the text is zero-terminated. A
 * pattern for an actor is one for its name, which the field becomes. False
 * with a message that goes on behind the field's name and says nothing of the place; when the fault
 * is the operator's, *is_operator.
 */
bool query_term_set(struct query_term *term, enum query_relation relation,
	const struct words *words, bool *is_operator, struct error *note);
/* Makes it one of TEST_RANGE: != is that of = turned round. */
void query_term_range(struct query_term *term, enum query_relation relation, int64_t value);
/*
 * The index-th of the words that a field takes in such a trace, or with FIELD_COUNT of the names of the
 * fields that it has; NULL behind the last one.
 */
const char *query_field_word(enum query_field field, const struct words *words, size_t index);
/* Appends all of these for a message: "g p m ...". */
void query_field_list(struct text *out, enum query_field field, const struct words *words,
	const char *between);

#endif
