/*
 * Which key means which command. The key map, the hints of the bottom line,
 * the help screen and the man page are read from the same rows.
 */
#ifndef TTRACE_APP_KEYS_H
#define TTRACE_APP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "view/command.h"

struct key_row {
	const char *key; /* as struct screen_event writes it */
	enum command command;
	unsigned contexts; /* enum command_context, or'ed: where the key means this */
};

/* What the keys mean: the first row of a command has the key that hints show. */
struct key_map {
	const struct key_row *rows;
	size_t count;
};

/* The keys as they are unless the user has others. */
const struct key_map *keys_usual(void);

/* The command of a key in a context; false when it has none there. */
bool keys_find(
	const struct key_map *map, const char *key, unsigned context, enum command *command);

/* Appends all keys of a command in a context: "Left h". */
void keys_add_names(const struct key_map *map, struct text *out, enum command command,
	unsigned context);

/* Finds a view by its name, "timeline"; false for none. */
bool keys_find_context(const char *name, unsigned *context);

/* Rows that one may have: every key there is, several times over. */
enum { KEYS_MOST = 1000 };

/* A map that is being changed; may not be moved. */
struct key_editor {
	struct key_map map; /* of these rows */
	struct key_row rows[KEYS_MOST];
	size_t added; /* of them: they stand first, in the order in which they came */
};

/* Begins with the usual keys. */
void keys_edit(struct key_editor *editor);
/*
 * Gives a key a meaning in contexts, where it loses any other. The name must outlive the editor.
 * False and err for the name of no key, and for digits, which counts are made of.
 */
bool keys_bind(struct key_editor *editor, const char *key, enum command command,
	unsigned contexts, struct error *err);
/* Takes all meaning in the contexts from a key. False and err for the name of no key. */
bool keys_unbind(
	struct key_editor *editor, const char *key, unsigned contexts, struct error *err);
/* Appends the lines of a config that lead from the usual keys to these. */
void keys_print(const struct key_editor *editor, struct text *out);

/* What must be there for a hint to be of use. */
enum hint_need { NEEDS_NOTHING, NEEDS_SEARCH, NEEDS_MARK, NEEDS_FILTER, NEEDS_DAMAGE, NEEDS_PART, NEEDS_CAUSES,
	NEEDS_WAY_BACK, NEEDS_NO_WAY_BACK };

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

/*
 * Appends the keys of a hint: "+ -", or arrows as signs where the screen has them. False where a
 * command of it has no key.
 */
bool keys_add_hint(const struct key_map *map, struct text *out, const struct key_hint *hint,
	unsigned context, bool ascii);

#endif
