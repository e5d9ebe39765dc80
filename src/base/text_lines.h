/* Files that people write: a line each, with blank lines and comments between them. */
#ifndef TTRACE_BASE_TEXT_LINES_H
#define TTRACE_BASE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The way through such a text. */
struct text_lines {
	char *bytes;       /* which are cut: zeros take the place of newlines */
	size_t length;     /* with one more zero behind it */
	size_t at, number; /* of the line read last, from 1 on; 0 at first */
};

/*
 * The next line that says something, without a carriage return at its end; it begins with its
 * blanks. False behind the last one. A line that holds a zero byte is "", with err set.
 */
bool text_lines_next(struct text_lines *lines, char **line, struct error *err);

#endif
