/* The table of commands. */
#include "view/command.h"

#include <string.h>

#include "trace/words.h"

static const struct command_row rows[COMMAND_COUNT] = {
#define COMMAND_ROW(identifier, group, name, contexts, help)                                       \
	[COMMAND_##identifier] = { name, help, GROUP_##group, contexts },
	COMMAND_TABLE(COMMAND_ROW)
#undef COMMAND_ROW
};

static const char *const arguments[COMMAND_COUNT] = {
	[COMMAND_MARK] = "a|b",
	[COMMAND_JUMP] = "TIME",
	[COMMAND_SEARCH] = "PATTERN",
	[COMMAND_FILTER] = "QUERY",
	[COMMAND_COUNT_SPANS] = "QUERY",
	[COMMAND_BOOKMARK] = "NAME",
	[COMMAND_NOTE] = "NOTE",
	[COMMAND_LINE] = "COMMAND",
	[COMMAND_PRINT_SCREEN] = "FILE",
	[COMMAND_PALETTE] = "NAME",
	[COMMAND_GROUP_LANES] = "BY",
	[COMMAND_SORT_LANES] = "ORDER",
	[COMMAND_ANALYSE] = "NAME",
	[COMMAND_FILTER_ROWS] = "PATTERN",
	[COMMAND_FOCUS_CALLS] = "PATTERN",
	[COMMAND_IGNORE_CALLS] = "PATTERN",
	[COMMAND_INTERACTS] = "STEPS",
};

static const char *const group_names[GROUP_COUNT] = {
	[GROUP_MOVE] = "Moving",
	[GROUP_ZOOM] = "Zooming",
	[GROUP_SPAN] = "Spans and groups",
	[GROUP_LANES] = "Lanes",
	[GROUP_FIND] = "Finding",
	[GROUP_TABLES] = "Analyses",
	[GROUP_VIEW] = "Views and the program",
};

/* Another name of focus-goroutine, which no language has a word in. */
static const char focus_actor[] = "focus-actor";

enum command
command_find(const char *name, size_t length)
{
	int i = 0;
	if (strlen(focus_actor) == length && memcmp(focus_actor, name, length) == 0)
		return COMMAND_FOCUS_ACTOR;
	while (i < COMMAND_COUNT &&
		(strlen(rows[i].name) != length || memcmp(rows[i].name, name, length) != 0))
		i++;
	return (enum command)i;
}

const char *
command_name(enum command command, const struct words *words)
{
	bool is_neutral = command == COMMAND_FOCUS_ACTOR && words != NULL &&
			  strcmp(words->actor.one, "goroutine") != 0;
	return is_neutral ? focus_actor : rows[command].name;
}

const struct command_row *
command_row(enum command command)
{
	return &rows[command];
}

const char *
command_argument(enum command command)
{
	return arguments[command];
}

const char *
command_group_name(enum command_group group)
{
	return group_names[group];
}
