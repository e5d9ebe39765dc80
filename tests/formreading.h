/*
 * Strict readers of what reports are written in: they find what another program would stumble over.
 * Each returns whether the bytes (with a final zero) are right, else `problem` says what is wrong where.
 */
#ifndef TTRACE_TESTS_FORMREADING_H
#define TTRACE_TESTS_FORMREADING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Lines of JSON, each an object of texts, numbers, true, false and null, no key twice. */
bool formreading_json(const char *bytes, struct text *problem);
/*
 * Tables of RFC 4180 with an empty line between them: titles, none twice, and as many values in each
 * row, each on a line.
 */
bool formreading_csv(const char *bytes, struct text *problem);
/*
 * Markdown with headings, lists, tables whose rows have as many cells as their titles, paragraphs
 * and code blocks, all of which end; outside of code nothing that would be other markup, a link
 * or HTML.
 */
bool formreading_markdown(const char *bytes, struct text *problem);

#endif
