/*
 * What the user looks for: a PCRE2 pattern, or plain text. Matching is bounded:
 * neither a pattern nor a text of a hostile file can make it run away.
 */
#ifndef TTRACE_QUERY_PATTERN_H
#define TTRACE_QUERY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct pattern;

/*
 * Case matters only if the text has a capital letter; in a pattern those of escapes
 * (\S) do not count. A leading ' makes the rest plain text. A pattern that
 * does not compile becomes plain text, and *note says so (ERROR_USAGE, with the
 * error and its place). NULL for an empty text or without memory, told by *note.
 */
struct pattern *pattern_new(const char *text, struct error *note);
void pattern_free(struct pattern *pattern); /* NULL is fine */
/*
 * Puts a pattern of the text in place of *pattern; false without one, and that one
 * stays. As pattern_new().
 */
bool pattern_replace(struct pattern **pattern, const char *text, struct error *note);

/*
 * Whether it matches anywhere in the bytes, which may be any: a character that is
 * no UTF-8 matches nothing. Not for several threads at once.
 */
bool pattern_matches(struct pattern *pattern, const char *bytes, size_t length);
/* How many texts it could not be matched with because that would have taken too long. */
uint64_t pattern_skipped(const struct pattern *pattern);

bool pattern_is_plain(const struct pattern *pattern);
/* What it was made of. */
const char *pattern_text(const struct pattern *pattern);

#endif
