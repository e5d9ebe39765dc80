/*
 * Which key means which command. The key map, the hints of the bottom line,
 * the help screen and the man page are read from the same rows.
 */
#ifndef TTRACE_APP_KEYS_H
#define TTRACE_APP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "view/command.h"

struct key_row {
	const char *key; /* as struct screen_event writes it */
	enum command command;
	unsigned contexts; /* enum command_context, or'ed: where the key means this */
};

/* All rows; the first row of a command has the key that hints show. */
const struct key_row *keys_table(size_t *count);

/* The command of a key in a context; false when it has none there. */
bool keys_find(const char *key, unsigned context, enum command *command);

/* Appends all keys of a command in a context: "Left h". */
void keys_add_names(struct text *out, enum command command, unsigned context);

/* What must be there for a hint to be of use. */
enum hint_need { NEEDS_NOTHING, NEEDS_SEARCH, NEEDS_MARK, NEEDS_DAMAGE, NEEDS_PART };

/* One hint of the bottom line: the keys of one or two commands and a word. */
struct key_hint {
	enum command first, second; /* the same twice for one command */
	const char *word;
	unsigned contexts;
	int rank;          /* 1 goes last when room is short */
	enum hint_need need;
};

/* All hints, in the order in which they are shown. */
const struct key_hint *keys_hints(size_t *count);

/* Appends the keys of a hint: "+ -", or arrows as signs where the screen has them. */
void keys_add_hint(struct text *out, const struct key_hint *hint, unsigned context, bool ascii);

#endif
