/* The tables of keys and hints. */
#include "app/keys.h"

#include <string.h>

#include "base/compiler.h"

enum { IN_TEXT = IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS };

static const struct key_row keys[] = {
	{ "Left", COMMAND_LEFT, IN_TIMELINE | IN_CHART },
	{ "h", COMMAND_LEFT, IN_TIMELINE | IN_CHART },
	{ "Right", COMMAND_RIGHT, IN_TIMELINE | IN_CHART },
	{ "l", COMMAND_RIGHT, IN_TIMELINE | IN_CHART },
	{ "Up", COMMAND_UP, IN_ANY },
	{ "k", COMMAND_UP, IN_ANY },
	{ "Down", COMMAND_DOWN, IN_ANY },
	{ "j", COMMAND_DOWN, IN_ANY },
	{ "PageUp", COMMAND_PAGE_UP, IN_ANY },
	{ "C-b", COMMAND_PAGE_UP, IN_ANY },
	{ "b", COMMAND_PAGE_UP, IN_TEXT },
	{ "PageDown", COMMAND_PAGE_DOWN, IN_ANY },
	{ "Space", COMMAND_PAGE_DOWN, IN_ANY },
	{ "C-f", COMMAND_PAGE_DOWN, IN_ANY },
	{ "C-u", COMMAND_HALF_PAGE_UP, IN_ANY },
	{ "C-d", COMMAND_HALF_PAGE_DOWN, IN_ANY },
	{ "g", COMMAND_FIRST_ROW, IN_ANY },
	{ "C-Home", COMMAND_FIRST_ROW, IN_TIMELINE },
	{ "Home", COMMAND_FIRST_ROW, IN_TEXT },
	{ "G", COMMAND_LAST_ROW, IN_ANY },
	{ "C-End", COMMAND_LAST_ROW, IN_TIMELINE },
	{ "End", COMMAND_LAST_ROW, IN_TEXT },
	{ "<", COMMAND_PAN_LEFT, IN_TIMELINE | IN_CHART },
	{ "S-Left", COMMAND_PAN_LEFT, IN_TIMELINE | IN_CHART },
	{ "H", COMMAND_PAN_LEFT, IN_TIMELINE | IN_CHART },
	{ ">", COMMAND_PAN_RIGHT, IN_TIMELINE | IN_CHART },
	{ "S-Right", COMMAND_PAN_RIGHT, IN_TIMELINE | IN_CHART },
	{ "Home", COMMAND_TRACE_START, IN_TIMELINE | IN_CHART },
	{ "^", COMMAND_TRACE_START, IN_TIMELINE | IN_CHART },
	{ "End", COMMAND_TRACE_END, IN_TIMELINE | IN_CHART },
	{ "$", COMMAND_TRACE_END, IN_TIMELINE | IN_CHART },

	{ "+", COMMAND_ZOOM_IN, IN_TIMELINE | IN_CHART },
	{ "=", COMMAND_ZOOM_IN, IN_TIMELINE | IN_CHART },
	{ "-", COMMAND_ZOOM_OUT, IN_TIMELINE | IN_CHART },
	{ "_", COMMAND_ZOOM_OUT, IN_TIMELINE | IN_CHART },
	{ "0", COMMAND_FIT_ALL, IN_TIMELINE | IN_CHART },
	{ "f", COMMAND_FIT_ALL, IN_TIMELINE },
	{ "z", COMMAND_FIT_SELECTION, IN_TIMELINE },
	{ "v", COMMAND_MARK, IN_TIMELINE },
	{ "A", COMMAND_MARK_A, IN_TIMELINE },
	{ "B", COMMAND_MARK_B, IN_TIMELINE },

	{ "[", COMMAND_PREVIOUS_SPAN, IN_TIMELINE | IN_DETAIL | IN_CHART },
	{ "]", COMMAND_NEXT_SPAN, IN_TIMELINE | IN_DETAIL | IN_CHART },
	{ "(", COMMAND_PREVIOUS_SAMPLE, IN_TIMELINE },
	{ ")", COMMAND_NEXT_SAMPLE, IN_TIMELINE },
	{ "s", COMMAND_STACK_LANES, IN_TIMELINE },
	{ "L", COMMAND_LONGEST_SPAN, IN_TIMELINE | IN_CHART },
	{ "c", COMMAND_WAKER, IN_TIMELINE | IN_DETAIL },
	{ "{", COMMAND_WAKER, IN_TIMELINE | IN_DETAIL },
	{ "}", COMMAND_WOKEN, IN_TIMELINE },
	{ "w", COMMAND_WHY, IN_TIMELINE | IN_WALK },
	{ "W", COMMAND_CRITICAL_PATH, IN_TIMELINE | IN_WALK },
	{ "D", COMMAND_EVERYONE, IN_TIMELINE },
	{ "F", COMMAND_FINDINGS, IN_TIMELINE },
	{ "i", COMMAND_FOCUS_ACTOR, IN_TIMELINE },
	{ "R", COMMAND_REQUESTS, IN_TIMELINE },
	{ "J", COMMAND_NEXT_REQUEST, IN_TIMELINE },
	{ "K", COMMAND_PREVIOUS_REQUEST, IN_TIMELINE },
	{ "b", COMMAND_ACROSS, IN_TIMELINE },
	{ "e", COMMAND_EDIT, IN_TIMELINE | IN_DETAIL | IN_ANALYSIS | IN_CHART },
	{ "o", COMMAND_FOLD, IN_TIMELINE | IN_ANALYSIS },
	{ "Enter", COMMAND_OPEN, IN_TIMELINE | IN_DETAIL | IN_WALK | IN_ANALYSIS | IN_CHART },

	{ "Z", COMMAND_FOLD_PANEL, IN_TIMELINE },
	{ "O", COMMAND_GROUP_LANES, IN_TIMELINE },
	{ "S", COMMAND_SORT_LANES, IN_TIMELINE },
	{ "d", COMMAND_HIDE_LANE, IN_TIMELINE },
	{ "p", COMMAND_PIN_LANE, IN_TIMELINE },
	{ "I", COMMAND_INTERACTS, IN_TIMELINE },
	{ "E", COMMAND_SHOW_LANES, IN_TIMELINE },

	{ "t", COMMAND_JUMP, IN_TIMELINE },
	{ "/", COMMAND_SEARCH, IN_TIMELINE | IN_TEXT },
	{ "n", COMMAND_NEXT_MATCH, IN_TIMELINE | IN_TEXT },
	{ "N", COMMAND_PREVIOUS_MATCH, IN_TIMELINE | IN_TEXT },
	{ "&", COMMAND_FILTER, IN_TIMELINE },
	{ "#", COMMAND_COUNT_SPANS, IN_TIMELINE },
	{ "m", COMMAND_BOOKMARK, IN_TIMELINE },
	{ "'", COMMAND_BOOKMARKS, IN_TIMELINE },
	{ "d", COMMAND_DROP_BOOKMARK, IN_BOOKMARKS },
	{ "e", COMMAND_NOTE, IN_BOOKMARKS },
	{ "x", COMMAND_NEXT_DAMAGE, IN_TIMELINE },
	{ "X", COMMAND_PREVIOUS_DAMAGE, IN_TIMELINE },
	{ "r", COMMAND_LOAD_PART, IN_TIMELINE },
	{ "Escape", COMMAND_CLEAR_SEARCH, IN_ANY },

	{ "a", COMMAND_ANALYSE, IN_TIMELINE | IN_ANALYSIS | IN_CHART },
	{ "f", COMMAND_NEXT_FORM, IN_ANALYSIS | IN_CHART },
	{ "s", COMMAND_NEXT_STATISTIC, IN_ANALYSIS },
	{ "<", COMMAND_SORT_LEFT, IN_ANALYSIS },
	{ ",", COMMAND_SORT_LEFT, IN_ANALYSIS },
	{ ">", COMMAND_SORT_RIGHT, IN_ANALYSIS },
	{ ".", COMMAND_SORT_RIGHT, IN_ANALYSIS },
	{ "r", COMMAND_REVERSE, IN_ANALYSIS },
	{ "Left", COMMAND_COLUMN_LEFT, IN_ANALYSIS },
	{ "h", COMMAND_COLUMN_LEFT, IN_ANALYSIS },
	{ "Right", COMMAND_COLUMN_RIGHT, IN_ANALYSIS },
	{ "l", COMMAND_COLUMN_RIGHT, IN_ANALYSIS },
	{ "E", COMMAND_UNFOLD_ALL, IN_ANALYSIS },
	{ "c", COMMAND_FOLD_ALL, IN_ANALYSIS },
	{ "-", COMMAND_WIDEN, IN_ANALYSIS },
	{ "&", COMMAND_FILTER_ROWS, IN_ANALYSIS },
	{ "F", COMMAND_FOCUS_CALLS, IN_ANALYSIS },
	{ "I", COMMAND_IGNORE_CALLS, IN_ANALYSIS },
	{ "R", COMMAND_RUNTIME, IN_ANALYSIS | IN_CHART },
	{ "s", COMMAND_COUNT_STOPS, IN_CHART },
	{ "b", COMMAND_COUNT_BACKGROUND, IN_CHART },
	{ "m", COMMAND_COUNT_ASSISTS, IN_CHART },
	{ "w", COMMAND_COUNT_SWEEPING, IN_CHART },
	{ "p", COMMAND_EACH_PROCESSOR, IN_CHART },

	{ "u", COMMAND_UNDO, IN_TIMELINE | IN_CHART },
	{ "C-r", COMMAND_REDO, IN_TIMELINE | IN_CHART },
	{ "Tab", COMMAND_NEXT_VIEW, IN_ANY },
	{ ":", COMMAND_LINE, IN_ANY },
	{ "?", COMMAND_HELP, IN_ANY & ~(unsigned)IN_HELP },
	{ "F1", COMMAND_HELP, IN_ANY & ~(unsigned)IN_HELP },
	{ "T", COMMAND_CLOCK, IN_TIMELINE | IN_DETAIL | IN_WALK | IN_ANALYSIS | IN_CHART },
	{ "y", COMMAND_YANK, IN_ANY },
	{ "P", COMMAND_PRINT_SCREEN, IN_ANY },
	{ "C", COMMAND_PALETTE, IN_ANY },
	{ "M", COMMAND_MOUSE, IN_ANY },
	{ "C-l", COMMAND_REFRESH, IN_ANY },
	{ "C-z", COMMAND_SUSPEND, IN_ANY },
	{ "q", COMMAND_CLOSE, IN_ANY },
	{ "?", COMMAND_CLOSE, IN_HELP },
	{ "Backspace", COMMAND_CLOSE, IN_TEXT | IN_CHART },
	{ "Q", COMMAND_QUIT, IN_ANY },
	{ "C-c", COMMAND_QUIT, IN_ANY },
};

static const struct key_hint hints[] = {
	{ COMMAND_CLEAR_SEARCH, COMMAND_CLEAR_SEARCH, "drop mark", IN_TIMELINE, 3, NEEDS_MARK },
	{ COMMAND_CLEAR_SEARCH, COMMAND_CLEAR_SEARCH, "all rows", IN_TIMELINE, 3, NEEDS_FILTER },
	{ COMMAND_FIT_SELECTION, COMMAND_FIT_SELECTION, "fit it", IN_TIMELINE, 3, NEEDS_MARK },
	{ COMMAND_LOAD_PART, COMMAND_LOAD_PART, "load this part", IN_TIMELINE, 1, NEEDS_PART },
	{ COMMAND_LEFT, COMMAND_RIGHT, "move", IN_TIMELINE | IN_CHART, 7, NEEDS_NOTHING },
	{ COMMAND_UP, COMMAND_DOWN, "row", IN_TIMELINE, 8, NEEDS_NOTHING },
	{ COMMAND_UP, COMMAND_DOWN, "line", IN_TEXT | IN_CHART, 7, NEEDS_NOTHING },
	{ COMMAND_PAGE_UP, COMMAND_PAGE_DOWN, "page", IN_TEXT, 12, NEEDS_NOTHING },
	{ COMMAND_ZOOM_IN, COMMAND_ZOOM_OUT, "zoom", IN_TIMELINE | IN_CHART, 3, NEEDS_NOTHING },
	{ COMMAND_PREVIOUS_SPAN, COMMAND_NEXT_SPAN, "span", IN_TIMELINE | IN_DETAIL, 5, NEEDS_NOTHING },
	{ COMMAND_NEXT_MATCH, COMMAND_PREVIOUS_MATCH, "match", IN_TIMELINE, 4, NEEDS_SEARCH },
	{ COMMAND_NEXT_DAMAGE, COMMAND_PREVIOUS_DAMAGE, "damage", IN_TIMELINE, 6, NEEDS_DAMAGE },
	{ COMMAND_SEARCH, COMMAND_SEARCH, "search", IN_TIMELINE | IN_TEXT, 6, NEEDS_NOTHING },
	{ COMMAND_FILTER, COMMAND_FILTER, "filter", IN_TIMELINE, 17, NEEDS_NOTHING },
	{ COMMAND_OPEN, COMMAND_OPEN, "open", IN_TIMELINE, 9, NEEDS_NOTHING },
	{ COMMAND_OPEN, COMMAND_OPEN, "its life", IN_DETAIL, 12, NEEDS_NOTHING },
	{ COMMAND_OPEN, COMMAND_OPEN, "go there", IN_WALK | IN_CHART, 2, NEEDS_NOTHING },
	{ COMMAND_OPEN, COMMAND_OPEN, "open", IN_ANALYSIS, 2, NEEDS_NOTHING },
	{ COMMAND_SORT_LEFT, COMMAND_SORT_RIGHT, "sort", IN_ANALYSIS, 4, NEEDS_NOTHING },
	{ COMMAND_NEXT_STATISTIC, COMMAND_NEXT_STATISTIC, "statistic", IN_ANALYSIS, 6, NEEDS_NOTHING },
	{ COMMAND_NEXT_FORM, COMMAND_NEXT_FORM, "form", IN_ANALYSIS | IN_CHART, 5, NEEDS_NOTHING },
	{ COMMAND_FILTER_ROWS, COMMAND_FILTER_ROWS, "rows", IN_ANALYSIS, 8, NEEDS_NOTHING },
	{ COMMAND_FOCUS_CALLS, COMMAND_FOCUS_CALLS, "focus", IN_ANALYSIS, 13, NEEDS_NOTHING },
	{ COMMAND_DROP_BOOKMARK, COMMAND_DROP_BOOKMARK, "drop", IN_BOOKMARKS, 3, NEEDS_NOTHING },
	{ COMMAND_NOTE, COMMAND_NOTE, "note", IN_BOOKMARKS, 3, NEEDS_NOTHING },
	{ COMMAND_WHY, COMMAND_CRITICAL_PATH, "why", IN_TIMELINE, 10, NEEDS_NOTHING },
	{ COMMAND_LONGEST_SPAN, COMMAND_LONGEST_SPAN, "longest", IN_TIMELINE, 10, NEEDS_NOTHING },
	{ COMMAND_WAKER, COMMAND_WAKER, "waker", IN_TIMELINE | IN_DETAIL, 11, NEEDS_CAUSES },
	{ COMMAND_FOCUS_ACTOR, COMMAND_FOCUS_ACTOR, "alone", IN_TIMELINE, 12, NEEDS_NOTHING },
	{ COMMAND_MARK, COMMAND_MARK, "mark", IN_TIMELINE, 13, NEEDS_NOTHING },
	{ COMMAND_JUMP, COMMAND_JUMP, "time", IN_TIMELINE, 14, NEEDS_NOTHING },
	{ COMMAND_FIT_ALL, COMMAND_FIT_ALL, "all", IN_TIMELINE, 15, NEEDS_NOTHING },
	{ COMMAND_UNDO, COMMAND_UNDO, "undo", IN_TIMELINE, 16, NEEDS_NOTHING },
	{ COMMAND_BOOKMARK, COMMAND_BOOKMARKS, "bookmark", IN_TIMELINE, 18, NEEDS_NOTHING },
	{ COMMAND_ANALYSE, COMMAND_ANALYSE, "analyse", IN_TIMELINE, 11, NEEDS_NOTHING },
	{ COMMAND_HELP, COMMAND_HELP, "help", IN_ANY & ~(unsigned)IN_HELP, 1, NEEDS_NOTHING },
	{ COMMAND_CLOSE, COMMAND_CLOSE, "quit", IN_TIMELINE, 2, NEEDS_NO_WAY_BACK },
	{ COMMAND_CLOSE, COMMAND_CLOSE, "back", IN_TIMELINE, 2, NEEDS_WAY_BACK },
	{ COMMAND_CLOSE, COMMAND_CLOSE, "back", IN_TEXT | IN_CHART, 1, NEEDS_NOTHING },
};

/* Keys that have a sign of their own; without it the command's next key is shown. */
static const struct {
	const char *key, *sign;
} signs[] = {
	{ "Left", "\u2190" },
	{ "Up", "\u2191" },
	{ "Right", "\u2192" },
	{ "Down", "\u2193" },
};

const struct key_map *
keys_usual(void)
{
	static const struct key_map usual = { keys, ARRAY_LENGTH(keys) };
	return &usual;
}

const struct key_hint *
keys_hints(size_t *count)
{
	*count = ARRAY_LENGTH(hints);
	return hints;
}

bool
keys_find(const struct key_map *map, const char *key, unsigned context, enum command *command)
{
	for (size_t i = 0; i < map->count; i++) {
		if ((map->rows[i].contexts & context) == 0 || strcmp(map->rows[i].key, key) != 0)
			continue;
		*command = map->rows[i].command;
		return true;
	}
	return false;
}

static bool
is_key_of(const struct key_row *row, enum command command, unsigned context)
{
	return row->command == command && (row->contexts & context) != 0;
}

void
keys_add_names(
	const struct key_map *map, struct text *out, enum command command, unsigned context)
{
	const char *separator = "";
	for (size_t i = 0; i < map->count; i++) {
		if (!is_key_of(&map->rows[i], command, context))
			continue;
		text_add_string(out, separator);
		text_add_string(out, map->rows[i].key);
		separator = " ";
	}
}

static const char *
sign_of(const char *key)
{
	for (size_t i = 0; i < ARRAY_LENGTH(signs); i++) {
		if (strcmp(signs[i].key, key) == 0)
			return signs[i].sign;
	}
	return NULL;
}

/* What stands for a command in a hint, "" for no key; is_sign: it needs no blank around it. */
static const char *
hint_key(const struct key_map *map, enum command command, unsigned context, bool ascii,
	bool *is_sign)
{
	const char *only = "";
	*is_sign = false;
	for (size_t i = 0; i < map->count; i++) {
		if (!is_key_of(&map->rows[i], command, context))
			continue;
		const char *sign = sign_of(map->rows[i].key);
		if (sign != NULL && ascii) {
			only = map->rows[i].key;
			continue;
		}
		*is_sign = sign != NULL;
		return sign != NULL ? sign : map->rows[i].key;
	}
	return only;
}

bool
keys_add_hint(const struct key_map *map, struct text *out, const struct key_hint *hint,
	unsigned context, bool ascii)
{
	bool is_sign, is_second_sign;
	const char *first = hint_key(map, hint->first, context, ascii, &is_sign);
	const char *second = hint_key(map, hint->second, context, ascii, &is_second_sign);
	if (*first == '\0' || *second == '\0')
		return false;
	text_add_string(out, first);
	if (hint->second == hint->first)
		return true;
	if (!is_sign)
		text_add_string(out, " ");
	text_add_string(out, second);
	return true;
}
