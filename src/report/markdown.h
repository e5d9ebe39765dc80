/*
 * Pieces of Markdown, as GitHub reads it. Text that comes in is safe text (base/text.h); whatever it
 * says, none of it becomes markup, a link or HTML.
 */
#ifndef TTRACE_REPORT_MARKDOWN_H
#define TTRACE_REPORT_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "draw/table.h"

/* What code blocks begin and end with, each on a line. */
#define MARKDOWN_FENCE_BEGIN "```text\n"
#define MARKDOWN_FENCE_END "```\n"

/* Appends text that does not stand at the beginning of a line. */
void markdown_add(struct text *out, const char *safe, size_t length);
/* Appends text as code: a command, which is copied as it is. */
void markdown_add_code(struct text *out, const char *safe, size_t length);
/*
 * Appends a line that the two above have made, and ends it. It begins with `lead`, "## " or "- "; with
 * NULL it is a paragraph, and nothing at its beginning makes anything else of it.
 */
void markdown_add_line(struct text *out, const char *lead, const char *line);
/*
 * Appends the table's rows, whole, with spaces in front kept. Its widths are those that columns are
 * filled up to, and grow. With titles the table begins.
 */
void markdown_add_table(struct text *out, struct table *table, bool with_titles, bool ascii);
/* Changes lines of a code block, from byte `start` on, that would end it: they move to the right. */
void markdown_keep_fence(struct text *out, size_t start);

#endif
