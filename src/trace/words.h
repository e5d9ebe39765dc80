/*
 * What the things of a trace are called: the words of where it comes from. Go's actors are
 * goroutines, the kernel's are tasks. Screen, reports and queries ask here and know no language.
 */
#ifndef TTRACE_TRACE_WORDS_H
#define TTRACE_TRACE_WORDS_H

#include <stdarg.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/text.h"

struct noun {
	const char *one, *many; /* small letters; NULL where such a trace has none */
	char letter;            /* before an id, as in "G42"; '\0': the word stands there, "task 42" */
};

/* Of static storage: a source has one. Plain ASCII. */
struct words {
	const char *source; /* as `--source=` names it */
	struct noun actor, processor, thread, group, task;
	const char *actor_key; /* of a column of their ids, for programs; NULL: the noun */
};

/* The model's own words, for a trace that no source has named. */
extern const struct words words_plain;

/*
 * Adds a text in which names of nouns stand in braces for the trace's words: {actor}, {actors},
 * {processor}, {thread}, {group}, {task}. {Actors} begins with a capital, {an actor} has "a" or
 * "an" in front. Braces around anything else stay. O(length).
 */
void text_add_words(struct text *out, const struct words *words, const char *pattern);
/* The same with a pattern that is a format of printf() once the words stand in it. */
void text_format_words(struct text *out, const struct words *words, const char *pattern, ...)
	ATTR_PRINTF(3, 4);
void text_format_words_list(struct text *out, const struct words *words, const char *pattern,
	va_list args) ATTR_PRINTF(3, 0);

/* error_set() with such a pattern. Returns false. */
bool error_set_words(struct error *err, enum error_kind kind, const struct words *words,
	const char *pattern, ...) ATTR_PRINTF(4, 5);
/* The word of a pattern that is one name in braces; any other text is returned as it is. */
const char *words_title(const struct words *words, const char *pattern);
/* The same for the key of a column, where {id} stands for what ids of actors are called. */
const char *words_key(const struct words *words, const char *pattern);

/* "the program's goroutines", or "all goroutines" where the runtime's own count as well. */
void text_add_whose(struct text *out, const struct words *words, bool is_of_all);
/* "G42", or "task 42" where the noun has no letter. */
void text_add_id(struct text *out, const struct noun *noun, int64_t id);

#endif
