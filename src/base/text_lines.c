/* Cuts a text at its newlines. */
#include "base/text_lines.h"

#include <string.h>

static char *
cut(struct text_lines *lines, size_t *length)
{
	char *line = lines->bytes + lines->at;
	size_t rest = lines->length - lines->at;
	const char *newline = memchr(line, '\n', rest);
	*length = newline != NULL ? (size_t)(newline - line) : rest;
	line[*length] = '\0';
	lines->at += *length + (newline != NULL);
	lines->number++;
	return line;
}

bool
text_lines_next(struct text_lines *lines, char **line, struct error *err)
{
	while (lines->at < lines->length) {
		size_t length;
		*line = cut(lines, &length);
		if (strlen(*line) < length) {
			error_set(err, ERROR_USAGE, "a zero byte is no text");
			**line = '\0';
			return true;
		}
		if (length > 0 && (*line)[length - 1] == '\r')
			(*line)[length - 1] = '\0';
		const char *word = *line + strspn(*line, " \t");
		if (*word != '\0' && *word != '#')
			return true;
	}
	return false;
}
