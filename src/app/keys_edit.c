/* Changing what keys mean, and telling how. */
#include <string.h>

#include "app/keys.h"
#include "base/compiler.h"

/* The views that a line of the config can name. */
static const struct {
	const char *name;
	unsigned context;
} views[] = { { "timeline", IN_TIMELINE }, { "detail", IN_DETAIL }, { "walk", IN_WALK },
	{ "bookmarks", IN_BOOKMARKS }, { "help", IN_HELP }, { "analysis", IN_ANALYSIS },
	{ "chart", IN_CHART } };

static const char *const named_keys[] = { "Left", "Right", "Up", "Down", "Home", "End", "PageUp",
	"PageDown", "Insert", "Delete", "Backspace", "Enter", "Escape", "Tab", "Space" };

enum { LAST_FUNCTION_KEY = 24 };

bool
keys_find_context(const char *name, unsigned *context)
{
	for (size_t i = 0; i < ARRAY_LENGTH(views); i++) {
		if (strcmp(views[i].name, name) == 0) {
			*context = views[i].context;
			return true;
		}
	}
	return false;
}

/* ---- names of keys */

static bool
is_function_key(const char *name)
{
	if (name[0] != 'F')
		return false;
	size_t digits = strspn(name + 1, "0123456789");
	if (name[1] == '0' || digits == 0 || digits > 2 || name[1 + digits] != '\0')
		return false;
	int number = digits == 1 ? name[1] - '0' : (name[1] - '0') * 10 + (name[2] - '0');
	return number <= LAST_FUNCTION_KEY;
}

static bool
is_named_key(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(named_keys); i++) {
		if (strcmp(named_keys[i], name) == 0)
			return true;
	}
	return is_function_key(name);
}

static bool
is_character(const char *name)
{
	size_t length = strlen(name);
	struct text_char c = { 0 };
	if (length > 0)
		c = text_decode(name, length);
	return c.is_valid && c.length == length && c.code_point > ' ' && c.code_point != 0x7f &&
	       !(c.code_point >= 0x80 && c.code_point < 0xa0) && !text_is_hidden(c.code_point);
}

/* Modifiers come in one order, and a character has its Shift in it. */
static bool
is_key(const char *name)
{
	static const char *const modifiers[] = { "C-", "M-", "S-" };
	bool has_shift = false;
	for (size_t i = 0; i < ARRAY_LENGTH(modifiers); i++) {
		if (strncmp(name, modifiers[i], 2) != 0 || name[2] == '\0')
			continue;
		has_shift = modifiers[i][0] == 'S';
		name += 2;
	}
	return is_named_key(name) || (is_character(name) && !has_shift);
}

static bool
check_key(const char *key, struct error *err)
{
	if (!is_key(key))
		return error_set(err, ERROR_USAGE,
			"there is no key %.40s; keys are written as x, C-x, M-x, Left, S-Left, F5, "
			"Space",
			key);
	if (key[0] >= '1' && key[0] <= '9' && key[1] == '\0')
		return error_set(err, ERROR_USAGE, "counts begin with %s, so it is no key", key);
	return true;
}

/* ---- changing */

void
keys_edit(struct key_editor *editor)
{
	const struct key_map *usual = keys_usual();
	memcpy(editor->rows, usual->rows, usual->count * sizeof usual->rows[0]);
	editor->map = (struct key_map){ editor->rows, usual->count };
	editor->added = 0;
}

static void
drop_row(struct key_editor *editor, size_t at)
{
	editor->map.count--;
	memmove(editor->rows + at, editor->rows + at + 1,
		(editor->map.count - at) * sizeof editor->rows[0]);
	if (at < editor->added)
		editor->added--;
}

static void
take_meaning(struct key_editor *editor, const char *key, unsigned contexts)
{
	for (size_t i = editor->map.count; i-- > 0;) {
		if (strcmp(editor->rows[i].key, key) != 0)
			continue;
		editor->rows[i].contexts &= ~contexts;
		if (editor->rows[i].contexts == 0)
			drop_row(editor, i);
	}
}

bool
keys_bind(struct key_editor *editor, const char *key, enum command command, unsigned contexts,
	struct error *err)
{
	if (!check_key(key, err))
		return false;
	take_meaning(editor, key, contexts);
	if (editor->map.count == KEYS_MOST)
		return error_set(err, ERROR_LIMIT, "there are too many keys");
	struct key_row *row = &editor->rows[editor->added];
	memmove(row + 1, row, (editor->map.count - editor->added) * sizeof *row);
	*row = (struct key_row){ key, command, contexts };
	editor->map.count++;
	editor->added++;
	return true;
}

bool
keys_unbind(struct key_editor *editor, const char *key, unsigned contexts, struct error *err)
{
	if (!check_key(key, err))
		return false;
	take_meaning(editor, key, contexts);
	return true;
}

/* ---- telling */

/* What the row says of contexts that there are. */
static unsigned
true_contexts(const struct key_row *row)
{
	unsigned all = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(views); i++)
		all |= views[i].context;
	return row->contexts & all & command_row(row->command)->contexts;
}

static void
print_row(const struct key_row *row, struct text *out)
{
	const char *name = command_row(row->command)->name;
	struct key_row everywhere = { row->key, row->command, IN_ANY };
	if (true_contexts(row) == true_contexts(&everywhere)) {
		text_format(out, "bind %s %s\n", row->key, name);
		return;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(views); i++) {
		if ((true_contexts(row) & views[i].context) != 0)
			text_format(out, "bind %s %s %s\n", views[i].name, row->key, name);
	}
}

void
keys_print(const struct key_editor *editor, struct text *out)
{
	const struct key_map *usual = keys_usual();
	enum command ignored;
	for (size_t i = 0; i < usual->count; i++) {
		for (size_t v = 0; v < ARRAY_LENGTH(views); v++) {
			bool is_gone =
				(true_contexts(&usual->rows[i]) & views[v].context) != 0 &&
				!keys_find(&editor->map, usual->rows[i].key, views[v].context,
					&ignored);
			if (is_gone)
				text_format(out, "unbind %s %s\n", views[v].name,
					usual->rows[i].key);
		}
	}
	for (size_t i = 0; i < editor->map.count; i++)
		print_row(&editor->rows[i], out);
}
