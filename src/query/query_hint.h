/* What a query that is being typed may become: for prompts, and for completion in shells. */
#ifndef TTRACE_QUERY_QUERY_HINT_H
#define TTRACE_QUERY_QUERY_HINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct words; /* trace/words.h */

/*
 * Writes the text with the word at its end completed in the index-th way: a field that a trace of
 * these words may have, or behind one that takes fixed words and its operator one of these. False
 * behind the last one.
 */
bool query_complete(const char *text, const struct words *words, size_t index, struct text *out);
/* Writes how the word at the end may go on, else what is wrong, else nothing. Plain ASCII. */
void query_describe(const char *text, const struct words *words, struct text *out);

#endif
