/* The words for what counts as the collector's: in options, names of pages and for people. */
#ifndef TTRACE_ANALYSIS_MUTATOR_PARTS_H
#define TTRACE_ANALYSIS_MUTATOR_PARTS_H

#include <stdbool.h>

#include "analysis/go/mutator.h"
#include "base/text.h"

struct mutator_part_words {
	const char *word; /* "stw" */
	unsigned part;    /* one of enum mutator_part */
	const char *told; /* "stop-the-world"; nouns in braces, for text_add_words() */
};

/* Counted from 0; NULL behind the last. */
const struct mutator_part_words *mutator_part_words(size_t index);

/* Several as options have them, "stw,background,assist"; false for a word that is none of them. */
bool mutator_parts_parse(const char *words, unsigned *parts);
/* Appends them so. */
void mutator_parts_add(struct text *out, unsigned parts);

#endif
