/* Cuts the line at its blanks and looks the name up. */
#include "app/cmdline.h"

#include <string.h>

enum { MOST_DESCRIBED = 12 };

/* A line in its parts. */
struct parts {
	long count;          /* 0 for none */
	size_t name, length; /* where the name is */
	const char *rest;    /* behind the name and its blanks */
	bool is_open;        /* the line ends with the name, so that it may go on */
};

static size_t
blanks(const char *text)
{
	return strspn(text, " \t");
}

static struct parts
cut(const char *line)
{
	struct parts parts = { .name = blanks(line) };
	for (; line[parts.name] >= '0' && line[parts.name] <= '9'; parts.name++) {
		parts.count = parts.count * 10 + (line[parts.name] - '0');
		if (parts.count > CMDLINE_MAX_COUNT)
			parts.count = CMDLINE_MAX_COUNT;
	}
	parts.name += blanks(line + parts.name);
	parts.length = strcspn(line + parts.name, " \t");
	parts.rest = line + parts.name + parts.length;
	parts.is_open = *parts.rest == '\0';
	parts.rest += blanks(parts.rest);
	return parts;
}

static bool
begins(enum command command, const struct words *words, const char *name, size_t length)
{
	return strncmp(command_name(command, words), name, length) == 0;
}

static bool
applies(enum command command, unsigned context)
{
	return (command_row(command)->contexts & context) != 0;
}

/* The index-th command of the context whose name begins so; COMMAND_COUNT behind the last. */
static enum command
find_nth(unsigned context, const struct words *words, const char *name, size_t length, size_t index)
{
	for (int i = 0; i < COMMAND_COUNT; i++) {
		enum command command = (enum command)i;
		if (!applies(command, context) || !begins(command, words, name, length))
			continue;
		if (index == 0)
			return command;
		index--;
	}
	return COMMAND_COUNT;
}

static bool
find(const char *name, size_t length, unsigned context, enum command *command, struct error *err)
{
	*command = command_find(name, length);
	if (*command != COMMAND_COUNT)
		return applies(*command, context) ||
		       error_set(err, ERROR_USAGE, "%s does nothing here",
			       command_row(*command)->name);
	*command = find_nth(context, NULL, name, length, 0);
	enum command other = find_nth(context, NULL, name, length, 1);
	if (*command == COMMAND_COUNT)
		return error_set(
			err, ERROR_USAGE, "there is no command %.*s", (int)length, name);
	if (other != COMMAND_COUNT)
		return error_set(err, ERROR_USAGE, "%.*s may be %s or %s", (int)length, name,
			command_row(*command)->name, command_row(other)->name);
	return true;
}

bool
cmdline_parse(const char *line, unsigned context, struct cmdline *cmdline, struct error *err)
{
	struct parts parts = cut(line);
	if (parts.length == 0)
		return error_set(err, ERROR_USAGE, "wanted the name of a command");
	enum command command;
	if (!find(line + parts.name, parts.length, context, &command, err))
		return false;
	if (*parts.rest != '\0' && command_argument(command) == NULL)
		return error_set(err, ERROR_USAGE, "%s takes nothing behind its name",
			command_row(command)->name);
	*cmdline = (struct cmdline){
		.command = command,
		.count = parts.count > 0 ? parts.count : 1,
		.argument = *parts.rest != '\0' ? parts.rest : NULL,
	};
	return true;
}

bool
cmdline_complete(unsigned context, const struct words *words, const char *line, size_t index,
	struct text *out)
{
	struct parts parts = cut(line);
	if (!parts.is_open)
		return false;
	enum command command = find_nth(context, words, line + parts.name, parts.length, index);
	if (command == COMMAND_COUNT)
		return false;
	text_add(out, line, parts.name);
	text_add_string(out, command_name(command, words));
	if (command_argument(command) != NULL)
		text_add_string(out, " ");
	return true;
}

const char *
cmdline_argument(const char *line, unsigned context, enum command *command)
{
	struct parts parts = cut(line);
	struct error ignored;
	error_clear(&ignored);
	if (parts.is_open ||
		!find(line + parts.name, parts.length, context, command, &ignored))
		return NULL;
	return parts.rest;
}

static void
describe_one(enum command command, const struct words *words, bool is_open, struct text *out)
{
	const struct command_row *row = command_row(command);
	const char *argument = command_argument(command);
	if (is_open)
		text_add_string(out, command_name(command, words));
	if (argument != NULL)
		text_format(out, "%s%s", is_open ? " " : "", argument);
	text_format(out, "%s%s", out->length > 0 ? ": " : "", row->help);
}

void
cmdline_describe(unsigned context, const struct words *words, const char *line, struct text *out)
{
	struct parts parts = cut(line);
	const char *name = line + parts.name;
	if (!parts.is_open) {
		enum command command = command_find(name, parts.length);
		if (command != COMMAND_COUNT)
			describe_one(command, words, false, out);
		return;
	}
	if (find_nth(context, words, name, parts.length, 1) == COMMAND_COUNT) {
		enum command command = find_nth(context, words, name, parts.length, 0);
		if (command != COMMAND_COUNT)
			describe_one(command, words, true, out);
		return;
	}
	for (size_t i = 0; i < MOST_DESCRIBED; i++) {
		enum command command = find_nth(context, words, name, parts.length, i);
		if (command == COMMAND_COUNT)
			return;
		text_format(out, "%s%s", i > 0 ? "  " : "", command_name(command, words));
	}
}
