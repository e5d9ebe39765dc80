/*
 * The line typed behind ":": a count, the name of a command or the beginning of one, and
 * what the command is to work on. The names are those of the table of commands.
 */
#ifndef TTRACE_APP_CMDLINE_H
#define TTRACE_APP_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "view/command.h"

enum { CMDLINE_MAX_COUNT = 999999 };

struct cmdline {
	enum command command;
	long count;           /* at least 1 */
	const char *argument; /* within the line; NULL for none */
};

/*
 * "zoom-in", "5 next-span", "jump 1.2s", "zoom-i". False for a name that no command of the
 * context has, or several; for an argument that the command does not take; for an empty line.
 */
bool cmdline_parse(
	const char *line, unsigned context, struct cmdline *cmdline, struct error *err);

/* Writes the line with its name completed in the index-th way; false behind the last one. */
bool cmdline_complete(unsigned context, const struct words *words, const char *line, size_t index, struct text *out);

/* Behind the name of a command and a blank: that command, and what stands there; else NULL. */
const char *cmdline_argument(const char *line, unsigned context, enum command *command);

/* Writes what the line may become: the names, or of the only one what it does. Plain ASCII. */
void cmdline_describe(unsigned context, const struct words *words, const char *line, struct text *out);

#endif
