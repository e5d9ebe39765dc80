/*
 * Patterns over PCRE2: which reading of the text applies (pattern or plain,
 * with or without case), and how much work a match may be.
 */
#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "query/pattern.h"

/*
 * A text gets STEPS_FIRST steps of matching, which is plenty for any sensible
 * pattern. One that needs more is tried again with STEPS_RETRY, but only RETRIES
 * times in all. So a search over N texts takes at most N * STEPS_FIRST +
 * RETRIES * STEPS_RETRY steps (a step is some nanoseconds).
 */
enum {
	STEPS_FIRST = 2000,
	STEPS_RETRY = 200000,
	RETRIES = 200,
	DEPTH_LIMIT = 1000,    /* of backtracking, without the just-in-time compiler */
	HEAP_LIMIT_KIB = 8192, /* likewise */
	STACK_MIN_BYTES = 32 << 10,
	STACK_MAX_BYTES = 1 << 20,
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	uint32_t retries_left;
	uint64_t skipped;
	bool is_plain, is_caseless;
	struct text text;
};

/* ---- Does case matter? */

/* The length of an escape at the start of the text: \S, \x{41}, \p{Lu}, \k{Name}. */
static size_t
escape_length(const char *text)
{
	if (text[1] == '\0')
		return 1;
	if (strchr("pPNxogk", text[1]) != NULL && text[2] == '{')
		return 2 + strcspn(text + 2, "}");
	return 2;
}

/*
 * The length of what opens a group at the start of the text and holds names: (*VERB,
 * (?<Name>, (?P<Name>, (?'Name'. What follows (?: and the like is text again.
 */
static size_t
group_length(const char *text)
{
	size_t length = 1 + strcspn(text + 1, ":=!<>|')");
	if (text[length] == '<' || text[length] == '\'')
		length += 1 + strcspn(text + length + 1, ">'=!)");
	return length;
}

/* Appends the text without what is no literal letter. */
static void
add_letters(struct text *out, const char *text)
{
	bool is_quoted = false; /* between \Q and \E */
	while (*text != '\0') {
		size_t skipped = 0;
		if (*text == '\\' && (!is_quoted || text[1] == 'E')) {
			is_quoted = text[1] == 'Q';
			skipped = escape_length(text);
		} else if (*text == '(' && !is_quoted && (text[1] == '*' || text[1] == '?')) {
			skipped = group_length(text);
		} else {
			text_add(out, text++, 1);
		}
		text += skipped;
	}
}

/* Whether bytes hold a letter that is upper or title case, in any script. */
static bool
has_capital(const char *bytes, size_t length)
{
	int code = 0;
	size_t at = 0;
	pcre2_code *capital = pcre2_compile((PCRE2_SPTR) "[\\p{Lu}\\p{Lt}]", PCRE2_ZERO_TERMINATED,
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);
	pcre2_match_data *data = capital != NULL ? pcre2_match_data_create(1, NULL) : NULL;
	bool found = data != NULL &&
		     pcre2_match(capital, (PCRE2_SPTR)bytes, length, 0, 0, data, NULL) >= 0;
	pcre2_match_data_free(data);
	pcre2_code_free(capital);
	return found;
}

static bool
is_caseless(const char *text, size_t length, bool is_plain)
{
	if (is_plain)
		return !has_capital(text, length);
	struct text letters = { 0 };
	add_letters(&letters, text);
	bool found = letters.length > 0 && has_capital(letters.bytes, letters.length);
	text_release(&letters);
	return !found;
}

/* ---- Compiling */

static void
tell_plain(const char *text, size_t length, int code, size_t at, struct error *note)
{
	char reason[160];
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof(reason)) < 0)
		memcpy(reason, "not a pattern", sizeof("not a pattern"));
	error_set_at(note, ERROR_USAGE, at, "searched as plain text: %s at character %zu", reason,
		text_character_number(text, length, at));
}

static bool
compile(struct pattern *pattern, const char *text, size_t length, struct error *note)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	int code = 0;
	size_t at = 0;
	if (!pattern->is_plain) {
		pattern->is_caseless = is_caseless(text, length, false);
		uint32_t caseless = pattern->is_caseless ? PCRE2_CASELESS : 0;
		pattern->code = pcre2_compile(
			(PCRE2_SPTR)text, length, options | caseless, &code, &at, NULL);
		if (pattern->code != NULL)
			return true;
		tell_plain(text, length, code, at, note);
		pattern->is_plain = true;
	}
	pattern->is_caseless = is_caseless(text, length, true);
	uint32_t plain = PCRE2_LITERAL | (pattern->is_caseless ? PCRE2_CASELESS : 0);
	pattern->code = pcre2_compile((PCRE2_SPTR)text, length, options | plain, &code, &at, NULL);
	if (pattern->code == NULL) /* not UTF-8: then byte by byte */
		pattern->code = pcre2_compile((PCRE2_SPTR)text, length, plain, &code, &at, NULL);
	return pattern->code != NULL;
}

/* The just-in-time compiler is a gain, not a need: without it the interpreter matches. */
static bool
prepare(struct pattern *pattern)
{
	pattern->data = pcre2_match_data_create(1, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	if (pattern->data == NULL || pattern->context == NULL)
		return false;
	pcre2_set_depth_limit(pattern->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(pattern->context, HEAP_LIMIT_KIB);
	if (pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE) != 0)
		return true;
	pattern->stack = pcre2_jit_stack_create(STACK_MIN_BYTES, STACK_MAX_BYTES, NULL);
	if (pattern->stack != NULL)
		pcre2_jit_stack_assign(pattern->context, NULL, pattern->stack);
	return true;
}

struct pattern *
pattern_new(const char *text, struct error *note)
{
	bool is_plain = text[0] == '\'';
	const char *wanted = is_plain ? text + 1 : text;
	size_t length = strlen(wanted);
	if (length == 0) {
		error_set(note, ERROR_USAGE, "nothing to search for");
		return NULL;
	}
	struct pattern *pattern = memory_realloc(NULL, sizeof(*pattern));
	if (pattern != NULL) {
		*pattern = (struct pattern){ .is_plain = is_plain, .retries_left = RETRIES };
		text_add_string(&pattern->text, text);
		if (!pattern->text.failed && compile(pattern, wanted, length, note) && prepare(pattern))
			return pattern;
	}
	pattern_free(pattern);
	error_clear(note);
	error_set_memory(note, "the search");
	return NULL;
}

void
pattern_free(struct pattern *pattern)
{
	if (pattern == NULL)
		return;
	pcre2_jit_stack_free(pattern->stack);
	pcre2_match_context_free(pattern->context);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	text_release(&pattern->text);
	memory_free(pattern);
}

bool
pattern_replace(struct pattern **pattern, const char *text, struct error *note)
{
	struct pattern *made = pattern_new(text, note);
	if (made == NULL)
		return false;
	pattern_free(*pattern);
	*pattern = made;
	return true;
}

/* ---- Matching */

static int
match(struct pattern *pattern, const char *bytes, size_t length, uint32_t steps)
{
	pcre2_set_match_limit(pattern->context, steps);
	return pcre2_match(
		pattern->code, (PCRE2_SPTR)bytes, length, 0, 0, pattern->data, pattern->context);
}

bool
pattern_matches(struct pattern *pattern, const char *bytes, size_t length)
{
	int result = match(pattern, bytes, length, STEPS_FIRST);
	if (result == PCRE2_ERROR_MATCHLIMIT && pattern->retries_left > 0) {
		pattern->retries_left--;
		result = match(pattern, bytes, length, STEPS_RETRY);
	}
	if (result < 0 && result != PCRE2_ERROR_NOMATCH)
		pattern->skipped++;
	return result >= 0;
}

uint64_t
pattern_skipped(const struct pattern *pattern)
{
	return pattern->skipped;
}

bool
pattern_is_plain(const struct pattern *pattern)
{
	return pattern->is_plain;
}

const char *
pattern_text(const struct pattern *pattern)
{
	return pattern->text.bytes;
}
