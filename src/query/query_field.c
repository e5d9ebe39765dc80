/* The fields of the query language: a table of names, and of the values that each takes. */
#include "query/query_internal.h"

#include <string.h>

#include "base/compiler.h"
#include "base/units.h"
#include "trace/state.h"
#include "trace/words.h"

enum value_kind {
	VALUE_NUMBER,
	VALUE_TIME,
	VALUE_TIME_OR_QUANTILE,
	VALUE_TEXT,
	VALUE_WORD,
	VALUE_NUMBER_OR_TEXT
};

struct word {
	const char *word;
	unsigned value;
	class_mask classes; /* a trace that can have none of them has no such word */
};

/* Ours, and Go's own. */
static const struct word state_words[] = {
	{ "running", STATE_RUNNING, CLASS_BIT(CLASS_RUNNING) },
	{ "ready", STATE_READY, CLASS_BIT(CLASS_READY) },
	{ "runnable", STATE_READY, CLASS_BIT(CLASS_READY) },
	{ "blocked", STATE_BLOCKED, CLASS_MASK_BLOCKED },
	{ "waiting", STATE_BLOCKED, CLASS_MASK_BLOCKED },
	{ "syscall", STATE_SYSCALL, CLASS_BIT(CLASS_SYSCALL) },
	{ "unknown", STATE_UNKNOWN, CLASS_BIT(CLASS_UNKNOWN) },
	{ "undetermined", STATE_UNKNOWN, CLASS_BIT(CLASS_UNKNOWN) },
	{ NULL, 0, 0 },
};

static const struct word gc_words[] = {
	{ "mark", QUERY_GC_MARK, CLASS_MASK_ALL },
	{ "stw", QUERY_GC_STW, CLASS_MASK_ALL },
	{ "assist", QUERY_GC_ASSIST, CLASS_MASK_ALL },
	{ "sweep", QUERY_GC_SWEEP, CLASS_MASK_ALL },
	{ "worker", QUERY_GC_WORKER, CLASS_MASK_ALL },
	{ "stopper", QUERY_GC_STOPPER, CLASS_MASK_ALL },
	{ NULL, 0, 0 },
};

static const struct word syscall_words[] = {
	{ "blocked", QUERY_SYSCALL_BLOCKED, CLASS_MASK_ALL },
	{ NULL, 0, 0 },
};

static const struct field_row {
	const char *name, *go_name, *model_name; /* the last two NULL for none */
	enum query_field field;
	enum value_kind kind;
	const struct word *words;
	char letter; /* that may stand before a number */
	enum time_class needs; /* CLASS_GONE: any trace has it */
} rows[] = {
	{ "g", "goroutine", "actor", FIELD_ACTOR, VALUE_NUMBER, NULL, 'G', CLASS_GONE },
	{ "p", "proc", "processor", FIELD_PROCESSOR, VALUE_NUMBER, NULL, 'P', CLASS_GONE },
	{ "m", NULL, "thread", FIELD_THREAD, VALUE_NUMBER, NULL, 'M', CLASS_GONE },
	{ "name", NULL, NULL, FIELD_NAME, VALUE_TEXT, NULL, 0, CLASS_GONE },
	{ "func", NULL, NULL, FIELD_FUNC, VALUE_TEXT, NULL, 0, CLASS_GONE },
	{ "state", NULL, NULL, FIELD_STATE, VALUE_WORD, state_words, 0, CLASS_GONE },
	{ "class", NULL, NULL, FIELD_CLASS, VALUE_TEXT, NULL, 0, CLASS_GONE }, /* of the trace's words */
	{ "reason", NULL, NULL, FIELD_REASON, VALUE_TEXT, NULL, 0, CLASS_OTHER },
	{ "dur", NULL, NULL, FIELD_DURATION, VALUE_TIME, NULL, 0, CLASS_GONE },
	{ "start", NULL, NULL, FIELD_START, VALUE_TIME, NULL, 0, CLASS_GONE },
	{ "end", NULL, NULL, FIELD_END, VALUE_TIME, NULL, 0, CLASS_GONE },
	{ "task", NULL, NULL, FIELD_TASK, VALUE_NUMBER_OR_TEXT, NULL, 0, CLASS_GONE },
	{ "task.dur", NULL, NULL, FIELD_TASK_DURATION, VALUE_TIME_OR_QUANTILE, NULL, 0, CLASS_GONE },
	{ "region", NULL, NULL, FIELD_REGION, VALUE_TEXT, NULL, 0, CLASS_GONE },
	{ "region.dur", NULL, NULL, FIELD_REGION_DURATION, VALUE_TIME_OR_QUANTILE, NULL, 0, CLASS_GONE },
	{ "label", NULL, NULL, FIELD_LABEL, VALUE_TEXT, NULL, 0, CLASS_GONE },
	{ "log", NULL, NULL, FIELD_LOG, VALUE_TEXT, NULL, 0, CLASS_GONE },
	{ "wake.g", NULL, "wake.actor", FIELD_WAKE_ACTOR, VALUE_NUMBER, NULL, 'G', CLASS_READY },
	{ "wake.name", NULL, NULL, FIELD_WAKE_NAME, VALUE_TEXT, NULL, 0, CLASS_READY },
	{ "wake.func", NULL, NULL, FIELD_WAKE_FUNC, VALUE_TEXT, NULL, 0, CLASS_READY },
	{ "gc", NULL, NULL, FIELD_GC, VALUE_WORD, gc_words, 0, CLASS_WORKER },
	{ "syscall", NULL, NULL, FIELD_SYSCALL, VALUE_WORD, syscall_words, 0, CLASS_SYSCALL },
	{ "depth", NULL, NULL, FIELD_DEPTH, VALUE_NUMBER, NULL, 0, CLASS_GONE },
};

/* Two characters before one of them. */
static const struct {
	const char *text;
	enum query_relation relation;
} relations[] = {
	{ "!=", RELATION_NOT_EQUAL },
	{ "!~", RELATION_NOT_MATCHES },
	{ "<=", RELATION_AT_MOST },
	{ ">=", RELATION_AT_LEAST },
	{ "==", RELATION_EQUAL },
	{ "=", RELATION_EQUAL },
	{ "~", RELATION_MATCHES },
	{ "<", RELATION_LESS },
	{ ">", RELATION_MORE },
};

static size_t
name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz.");
}

static bool
is_name(const char *name, const char *text, size_t length)
{
	return name != NULL && strlen(name) == length && memcmp(name, text, length) == 0;
}

static const struct field_row *
row_of(enum query_field field)
{
	size_t i = 0;
	while (rows[i].field != field)
		i++;
	return &rows[i];
}

enum query_field
query_field_find(const char *text, size_t *length)
{
	*length = name_length(text);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (is_name(rows[i].name, text, *length) ||
			is_name(rows[i].go_name, text, *length) ||
			is_name(rows[i].model_name, text, *length))
			return rows[i].field;
	return FIELD_COUNT;
}

enum query_relation
query_relation_find(const char *text, size_t *length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(relations); i++) {
		*length = strlen(relations[i].text);
		if (strncmp(text, relations[i].text, *length) == 0)
			return relations[i].relation;
	}
	*length = 0;
	return RELATION_NONE;
}

/* Whether anything of such a trace can have the field. */
static bool
is_there(const struct field_row *row, const struct words *words)
{
	return words->classes[row->needs].name != NULL &&
	       (row->field != FIELD_THREAD || words->thread.one != NULL);
}

/* Go's short names are those of its columns. */
static const char *
name_of(const struct field_row *row, const struct words *words)
{
	return words->keys.id != NULL || row->model_name == NULL ? row->name : row->model_name;
}

static const char *
class_word(const struct words *words, size_t index)
{
	for (size_t i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		if (words->classes[i].name != NULL && index-- == 0)
			return words->classes[i].name;
	return index == 0 ? words->assist : NULL;
}

const char *
query_field_word(enum query_field field, const struct words *words, size_t index)
{
	if (field == FIELD_CLASS)
		return class_word(words, index);
	for (size_t i = 0; field == FIELD_COUNT && i < ARRAY_LENGTH(rows); i++)
		if (is_there(&rows[i], words) && index-- == 0)
			return name_of(&rows[i], words);
	if (field == FIELD_COUNT)
		return NULL;
	const struct word *word = row_of(field)->words;
	class_mask classes = words_classes(words);
	for (; word != NULL && word->word != NULL; word++)
		if ((word->classes & classes) != 0 && index-- == 0)
			return word->word;
	return NULL;
}

void
query_field_list(struct text *out, enum query_field field, const struct words *words,
	const char *between)
{
	const char *word;
	for (size_t i = 0; (word = query_field_word(field, words, i)) != NULL; i++)
		text_format(out, "%s%s", i > 0 ? between : "", word);
}

/* ---- values */

static bool
is_pattern_relation(enum query_relation relation)
{
	return relation == RELATION_MATCHES || relation == RELATION_NOT_MATCHES;
}

static bool
is_order(enum query_relation relation)
{
	return relation >= RELATION_LESS;
}

void
query_term_range(struct query_term *term, enum query_relation relation, int64_t value)
{
	term->test = TEST_RANGE;
	term->least = relation == RELATION_LESS || relation == RELATION_AT_MOST ? INT64_MIN : value;
	term->most = relation == RELATION_MORE || relation == RELATION_AT_LEAST ? INT64_MAX : value;
	if (relation == RELATION_MORE && value == INT64_MAX)
		term->most = INT64_MIN; /* nothing is more */
	else if (relation == RELATION_MORE)
		term->least++;
	if (relation == RELATION_LESS && value == INT64_MIN)
		term->least = INT64_MAX;
	else if (relation == RELATION_LESS)
		term->most--;
}

/* A whole number with nothing behind it; false also for one beyond 63 bits. */
static bool
read_number(const char *text, int64_t *number)
{
	int64_t value = 0;
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		int digit = *text - '0';
		if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

static bool
set_number(struct query_term *term, const struct field_row *row, enum query_relation relation,
	struct error *note)
{
	const char *text = term->text;
	int64_t value = 0;
	if (row->letter != 0 && (*text == row->letter || *text == row->letter - 'A' + 'a'))
		text++;
	if (!read_number(text, &value))
		return error_set(note, ERROR_USAGE, " wants a whole number");
	query_term_range(term, relation, value);
	return true;
}

static bool
set_time(struct query_term *term, const struct field_row *row, enum query_relation relation,
	struct error *note)
{
	struct error cause;
	int64_t value = 0;
	error_clear(&cause);
	if (!units_parse_duration(term->text, &value, &cause))
		return error_set(note, ERROR_USAGE, " wants a time such as 10ms or 1.2s%s",
			row->kind == VALUE_TIME_OR_QUANTILE ? ", or a percentile such as p90" : "");
	query_term_range(term, relation, value);
	return true;
}

/* "p90", of what has the same name; else a time. */
static bool
set_quantile(struct query_term *term, const struct field_row *row, enum query_relation relation,
	struct error *note)
{
	int64_t part = 0;
	size_t length = term->text[0] == 'p' ? units_parse_millionths(term->text + 1, &part) : 0;
	if (length == 0 || term->text[1 + length] != '\0' || part > (int64_t)QUERY_WHOLE)
		return set_time(term, row, relation, note);
	term->test = TEST_QUANTILE;
	term->relation = relation;
	term->least = part;
	return true;
}

static bool
set_text(struct query_term *term, enum query_relation relation, struct error *note)
{
	if (!is_pattern_relation(relation)) {
		term->test = TEST_TEXT;
		return true;
	}
	term->test = TEST_PATTERN;
	struct error own;
	error_clear(&own);
	term->pattern = pattern_new(term->text, &own);
	if (own.kind != ERROR_NONE)
		error_set(note, own.kind, "%s%s", term->pattern != NULL ? ": " : " has ", own.message);
	return term->pattern != NULL;
}

static bool
refuse_word(const struct field_row *row, const struct words *words, struct error *note)
{
	struct text list = { 0 };
	query_field_list(&list, row->field, words, ", ");
	error_set(note, ERROR_USAGE, " is one of: %s", text_string(&list));
	text_release(&list);
	return false;
}

static bool
set_words(struct query_term *term, const struct field_row *row, enum query_relation relation,
	const struct words *words, struct error *note)
{
	if (is_pattern_relation(relation) && !set_text(term, relation, note))
		return false;
	for (const struct word *word = row->words; word->word != NULL; word++) {
		size_t length = strlen(word->word);
		bool is_meant = term->pattern != NULL
					? pattern_matches(term->pattern, word->word, length)
					: is_name(word->word, term->text, term->text_length);
		if (is_meant)
			term->words |= UINT32_C(1) << word->value;
	}
	term->test = TEST_WORDS;
	return term->words != 0 || refuse_word(row, words, note);
}

static bool
is_measure(enum value_kind kind)
{
	return kind == VALUE_NUMBER || kind == VALUE_TIME || kind == VALUE_TIME_OR_QUANTILE;
}

/* What this kind of value cannot be asked. */
static bool
is_wrong_relation(enum value_kind kind, enum query_relation relation)
{
	if (is_measure(kind))
		return is_pattern_relation(relation);
	return kind != VALUE_NUMBER_OR_TEXT && is_order(relation);
}

bool
query_term_set(struct query_term *term, enum query_relation relation, const struct words *words,
	bool *is_operator, struct error *note)
{
	int64_t ignored;
	if (term->field == FIELD_ACTOR && is_pattern_relation(relation))
		term->field = FIELD_NAME;
	const struct field_row *row = row_of(term->field);
	term->is_negated = relation == RELATION_NOT_EQUAL || relation == RELATION_NOT_MATCHES;
	*is_operator = is_wrong_relation(row->kind, relation);
	if (*is_operator)
		return error_set(note, ERROR_USAGE, " takes %s",
			is_measure(row->kind) ? "= != < <= > and >=" : "= != ~ and !~");
	switch (row->kind) {
	case VALUE_NUMBER:
		return set_number(term, row, relation, note);
	case VALUE_TIME:
		return set_time(term, row, relation, note);
	case VALUE_TIME_OR_QUANTILE:
		return set_quantile(term, row, relation, note);
	case VALUE_TEXT:
		return set_text(term, relation, note);
	case VALUE_WORD:
		return set_words(term, row, relation, words, note);
	case VALUE_NUMBER_OR_TEXT:
		break;
	}
	if (is_order(relation) ||
		(!is_pattern_relation(relation) && read_number(term->text, &ignored)))
		return set_number(term, row, relation, note);
	return set_text(term, relation, note);
}
