/* The word at the end of a query, and the names that begin with it. */
#include "query/query_hint.h"

#include <string.h>

#include "query/query_internal.h"

/* What is typed at the end of a text. */
struct ending {
	size_t at;              /* where the name or the value begins */
	enum query_field field; /* whose value it is; FIELD_COUNT: it is a field's name itself */
};

/* Where the last word begins; false within quotes. */
static bool
find_word(const char *text, size_t *at)
{
	bool is_quoted = false;
	*at = 0;
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
			is_quoted = !is_quoted;
		else if (!is_quoted && strchr(" \t(|!", text[i]) != NULL && text[i + 1] != '=' &&
			 text[i + 1] != '~')
			*at = i + 1;
	}
	*at += *at == 0 && text[0] == '=';
	return !is_quoted;
}

static bool
find_ending(const char *text, struct ending *ending)
{
	size_t name, operator;
	if (!find_word(text, &ending->at))
		return false;
	enum query_field field = query_field_find(text + ending->at, &name);
	ending->field = FIELD_COUNT;
	if (field == FIELD_COUNT ||
		query_relation_find(text + ending->at + name, &operator) == RELATION_NONE)
		return true;
	ending->field = field;
	ending->at += name + operator;
	return true;
}

/* The index-th name or word that the ending may become; NULL behind the last one. */
static const char *
find_nth(const char *text, const struct ending *ending, const struct words *words, size_t index)
{
	const char *typed = text + ending->at, *name;
	for (size_t i = 0; (name = query_field_word(ending->field, words, i)) != NULL; i++) {
		if (strncmp(name, typed, strlen(typed)) != 0)
			continue;
		if (index-- == 0)
			return name;
	}
	return NULL;
}

/* A word with blanks is one only in quotes. */
static void
add_name(struct text *out, const char *name)
{
	const char *quote = strchr(name, ' ') != NULL ? "\"" : "";
	text_format(out, "%s%s%s", quote, name, quote);
}

bool
query_complete(const char *text, const struct words *words, size_t index, struct text *out)
{
	struct ending ending;
	const char *name = NULL;
	if (find_ending(text, &ending))
		name = find_nth(text, &ending, words, index);
	if (name == NULL)
		return false;
	text_add(out, text, ending.at);
	add_name(out, name);
	return true;
}

void
query_describe(const char *text, const struct words *words, struct text *out)
{
	struct ending ending;
	struct error note;
	const char *name;
	error_clear(&note);
	bool has_ending = find_ending(text, &ending);
	bool is_whole = has_ending && find_nth(text, &ending, words, 0) != NULL &&
			strcmp(find_nth(text, &ending, words, 0), text + ending.at) == 0;
	for (size_t i = 0; has_ending && !is_whole; i++) {
		if ((name = find_nth(text, &ending, words, i)) == NULL)
			break;
		text_add_string(out, i == 0 ? "" : " ");
		add_name(out, name);
	}
	if (out->length > 0)
		return;
	struct query *query = query_new(text, words, &note);
	if (query == NULL)
		text_add_safe(out, note.message, strlen(note.message), true);
	query_free(query);
}
