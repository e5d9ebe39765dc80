/*
 * From text to postfix form, by a stack of the operators that wait for what stands behind
 * them. So nothing recurses, and the stack's limit is the deepest nesting there is.
 */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "query/query_internal.h"

#define BLANKS " \t\r\n"

/* What waits on the stack. */
enum waiting { WAITS_GROUP, WAITS_NOT, WAITS_AND, WAITS_OR };

struct parser {
	struct query *query;
	const char *text;
	size_t length, at;
	char *next_text; /* where the next term's text goes */
	struct {
		enum waiting what;
		size_t at;
	} stack[QUERY_MOST_DEPTH];
	size_t depth;
	bool has_operand; /* what stands before `at` is complete */
	const struct words *words; /* of messages */
	struct error *note;
};

/* ---- errors */

static bool
fail_at(const struct parser *parser, size_t at, const char *what)
{
	/* What a pattern before it had to say does not matter any more. */
	error_clear(parser->note);
	return error_set_at(parser->note, ERROR_USAGE, at, "%s, at character %zu", what,
		text_character_number(parser->text, parser->length, at));
}

/* ---- steps */

static bool
add_step(struct parser *parser, enum query_operator operator, uint32_t term)
{
	struct query *query = parser->query;
	if (query->step_count == QUERY_MOST_STEPS)
		return fail_at(parser, parser->at, "the query is too long");
	query->steps[query->step_count++] = (struct query_step){ operator, term };
	return true;
}

static bool
push(struct parser *parser, enum waiting what, size_t at)
{
	if (parser->depth == QUERY_MOST_DEPTH)
		return fail_at(parser, at, "the query is nested too deeply");
	parser->stack[parser->depth].what = what;
	parser->stack[parser->depth++].at = at;
	return true;
}

/* Carries out what waits and binds at least as tightly as `what`. */
static bool
reduce(struct parser *parser, enum waiting what)
{
	static const enum query_operator operators[] = {
		[WAITS_NOT] = STEP_NOT,
		[WAITS_AND] = STEP_AND,
		[WAITS_OR] = STEP_OR,
	};
	while (parser->depth > 0) {
		enum waiting top = parser->stack[parser->depth - 1].what;
		if (top == WAITS_GROUP || top > what)
			return true;
		parser->depth--;
		if (!add_step(parser, operators[top], 0))
			return false;
	}
	return true;
}

/* Before what begins an operand: side by side is and. */
static bool
begin_operand(struct parser *parser)
{
	if (!parser->has_operand)
		return true;
	parser->has_operand = false;
	return reduce(parser, WAITS_AND) && push(parser, WAITS_AND, parser->at);
}

/* ---- texts */

static bool
ends_word(char c, size_t opened)
{
	return c == '\0' || strchr(BLANKS, c) != NULL || (opened == 0 && (c == '|' || c == ')'));
}

/* A bare word: parentheses that it opens itself belong to it, as in net/http.(*conn).serve. */
static void
take_bare(struct parser *parser)
{
	size_t opened = 0;
	for (char c; !ends_word(c = parser->text[parser->at], opened); parser->at++) {
		opened += c == '(';
		opened -= c == ')';
		*parser->next_text++ = c;
	}
}

static bool
take_quoted(struct parser *parser)
{
	size_t start = parser->at++;
	for (;; parser->at++) {
		char c = parser->text[parser->at];
		if (c == '\0')
			return fail_at(parser, start, "this quote is not closed");
		if (c == '"')
			break;
		if (c == '\\' && parser->text[parser->at + 1] == '"')
			c = parser->text[++parser->at];
		*parser->next_text++ = c;
	}
	parser->at++;
	return true;
}

/* The text that stands here, zero-terminated, as the term's. */
static bool
take_text(struct parser *parser, struct query_term *term)
{
	term->text = parser->next_text;
	if (parser->text[parser->at] != '"')
		take_bare(parser);
	else if (!take_quoted(parser))
		return false;
	term->text_length = (size_t)(parser->next_text - term->text);
	*parser->next_text++ = '\0';
	return true;
}

/* ---- terms */

static size_t
skip_blanks(const char *text, size_t at)
{
	return at + strspn(text + at, BLANKS);
}

/* A field here and its operator, which blanks may part; RELATION_NONE and nothing taken if not. */
static enum query_relation
take_field(struct parser *parser, enum query_field *field, size_t *operator_at)
{
	size_t name, relation;
	const char *here = parser->text + parser->at;
	*field = query_field_find(here, &name);
	*operator_at = name == 0 ? parser->at : skip_blanks(parser->text, parser->at + name);
	enum query_relation found = query_relation_find(parser->text + *operator_at, &relation);
	bool is_apart = *operator_at > parser->at + name;
	/* Only a known name can have its operator apart: before a blank anything may be a word. */
	if (name == 0 || found == RELATION_NONE || (is_apart && *field == FIELD_COUNT))
		return RELATION_NONE;
	parser->at = *operator_at + relation;
	return found;
}

static bool
refuse_field(const struct parser *parser, size_t at)
{
	struct text message = { 0 };
	text_add_string(&message, "there is no such field (quoted it is a text); there are ");
	query_field_list(&message, FIELD_COUNT, parser->words, " ");
	fail_at(parser, at, text_string(&message));
	text_release(&message);
	return false;
}

/* start: where the field's name is. */
static bool
take_condition(struct parser *parser, struct query_term *term, enum query_relation relation,
	size_t start, size_t operator_at)
{
	bool is_operator;
	struct error own;
	error_clear(&own);
	parser->at = skip_blanks(parser->text, parser->at);
	size_t value_at = parser->at;
	if (ends_word(parser->text[parser->at], 0))
		return fail_at(parser, parser->at, "a value is missing");
	if (!take_text(parser, term))
		return false;
	bool is_set = query_term_set(term, relation, parser->words, &is_operator, &own);
	size_t name;
	query_field_find(parser->text + start, &name);
	struct text message = { 0 };
	text_add(&message, parser->text + start, name);
	text_add_string(&message, own.message);
	if (!is_set && own.kind == ERROR_MEMORY)
		*parser->note = own;
	else if (!is_set)
		fail_at(parser, is_operator ? operator_at : value_at, text_string(&message));
	else if (own.kind != ERROR_NONE)
		error_set(parser->note, own.kind, "%s", text_string(&message));
	text_release(&message);
	return is_set;
}

static bool
take_word(struct parser *parser, struct query_term *term)
{
	size_t start = parser->at;
	term->test = TEST_PATTERN;
	if (!take_text(parser, term))
		return false;
	if (term->text_length == 0 || strcmp(term->text, "'") == 0)
		return fail_at(parser, start, "there is nothing to look for");
	struct error own;
	error_clear(&own);
	term->pattern = pattern_new(term->text, &own);
	if (own.kind != ERROR_NONE)
		error_set(parser->note, own.kind, "%s", own.message);
	return term->pattern != NULL;
}

static bool
take_term(struct parser *parser)
{
	struct query *query = parser->query;
	size_t start = parser->at, operator_at;
	if (query->term_count == QUERY_MOST_TERMS)
		return fail_at(parser, start, "there are too many conditions");
	struct query_term *term = &query->terms[query->term_count++];
	enum query_field field;
	enum query_relation relation = take_field(parser, &field, &operator_at);
	if (relation != RELATION_NONE && field == FIELD_COUNT)
		return refuse_field(parser, start);
	term->field = relation != RELATION_NONE ? field : FIELD_WORD;
	bool is_taken = relation != RELATION_NONE
				? take_condition(parser, term, relation, start, operator_at)
				: take_word(parser, term);
	parser->has_operand = true;
	return is_taken && add_step(parser, STEP_TERM, (uint32_t)(query->term_count - 1));
}

/* ---- the whole */

static bool
close_group(struct parser *parser)
{
	if (!parser->has_operand)
		return fail_at(parser, parser->at, "a condition is missing");
	if (!reduce(parser, WAITS_OR))
		return false;
	if (parser->depth == 0)
		return fail_at(parser, parser->at, "nothing is open that this ) closes");
	parser->depth--;
	parser->at++;
	return true;
}

static bool
take_or(struct parser *parser)
{
	if (!parser->has_operand)
		return fail_at(parser, parser->at, "a condition is missing");
	parser->has_operand = false;
	return reduce(parser, WAITS_OR) && push(parser, WAITS_OR, parser->at++);
}

/* Two of them are none. */
static bool
take_not(struct parser *parser)
{
	if (!begin_operand(parser))
		return false;
	size_t at = parser->at++;
	if (parser->depth > 0 && parser->stack[parser->depth - 1].what == WAITS_NOT) {
		parser->depth--;
		return true;
	}
	return push(parser, WAITS_NOT, at);
}

static bool
take_next(struct parser *parser)
{
	switch (parser->text[parser->at]) {
	case '(':
		return begin_operand(parser) && push(parser, WAITS_GROUP, parser->at++);
	case ')':
		return close_group(parser);
	case '|':
		return take_or(parser);
	case '!':
		return take_not(parser);
	default:
		return begin_operand(parser) && take_term(parser);
	}
}

static bool
parse(struct parser *parser)
{
	parser->at = skip_blanks(parser->text, parser->at);
	parser->at += parser->text[parser->at] == '=';
	for (;;) {
		parser->at = skip_blanks(parser->text, parser->at);
		if (parser->at == parser->length)
			break;
		if (!take_next(parser))
			return false;
	}
	if (!parser->has_operand)
		return fail_at(parser, parser->at, "a condition is missing");
	if (!reduce(parser, WAITS_OR))
		return false;
	if (parser->depth > 0)
		return fail_at(parser, parser->stack[parser->depth - 1].at,
			"this ( is not closed");
	return true;
}

static struct query *
new_query(size_t length, struct error *note)
{
	struct query *query = array_new(1, sizeof(*query), note);
	if (query == NULL)
		return NULL;
	/* Each term's text ends in a zero. */
	query->texts = array_new(length + QUERY_MOST_TERMS, 1, note);
	if (query->texts != NULL)
		return query;
	query_free(query);
	return NULL;
}

struct query *
query_new(const char *text, const struct words *words, struct error *note)
{
	size_t length = strlen(text);
	struct parser parser = { .text = text, .length = length, .words = words, .note = note };
	if (length > QUERY_MOST_BYTES) {
		fail_at(&parser, QUERY_MOST_BYTES, "the query is too long");
		return NULL;
	}
	parser.query = new_query(length, note);
	if (parser.query == NULL)
		return NULL;
	parser.next_text = parser.query->texts;
	if (parse(&parser))
		return parser.query;
	query_free(parser.query);
	return NULL;
}

/* One bare word: the whole text is a pattern. As pattern_new(). */
static struct query *
new_pattern_query(const char *text, struct error *note)
{
	struct query *query = new_query(0, note);
	if (query == NULL)
		return NULL;
	query->term_count = query->step_count = 1;
	query->terms[0] = (struct query_term){ .field = FIELD_WORD, .test = TEST_PATTERN };
	query->terms[0].pattern = pattern_new(text, note);
	query->steps[0] = (struct query_step){ STEP_TERM, 0 };
	if (query->terms[0].pattern != NULL)
		return query;
	query_free(query);
	return NULL;
}

struct query *
query_new_search(const char *text, const struct words *words, struct error *note)
{
	return query_is_meant(text) ? query_new(text, words, note) : new_pattern_query(text, note);
}

void
query_free(struct query *query)
{
	if (query == NULL)
		return;
	for (size_t i = 0; i < query->term_count; i++)
		pattern_free(query->terms[i].pattern);
	memory_free(query->texts);
	memory_free(query);
}

bool
query_is_meant(const char *text)
{
	size_t name, relation;
	if (text[0] == '=')
		return true;
	text += strspn(text, "!( ");
	return query_field_find(text, &name) != FIELD_COUNT &&
	       query_relation_find(text + name, &relation) != RELATION_NONE;
}

struct pattern *
query_word(const struct query *query)
{
	bool is_word = query->step_count == 1 && query->terms[0].field == FIELD_WORD;
	return is_word ? query->terms[0].pattern : NULL;
}

uint64_t
query_skipped(const struct query *query)
{
	uint64_t skipped = 0;
	for (size_t i = 0; i < query->term_count; i++)
		if (query->terms[i].pattern != NULL)
			skipped += pattern_skipped(query->terms[i].pattern);
	return skipped;
}
