/* The words that commands take. */
#include "app/argument.h"

#include <string.h>

#include "analysis/lane_order.h"
#include "app/options.h"
#include "query/query_hint.h"
#include "trace/grouping.h"
#include "trace/notes.h"
#include "view/analysis.h"

static const char *const mark_words[] = { "a", "b", NULL };

/* NULL where the command takes none of a few words. */
static const char *const *
words_of(enum command command)
{
	switch ((int)command) {
	case COMMAND_MARK:
		return mark_words;
	case COMMAND_GROUP_LANES:
		return group_by_words;
	case COMMAND_SORT_LANES:
		return lane_sort_words;
	case COMMAND_PALETTE:
		return options_palette_names();
	}
	return NULL;
}

static bool
begins(const char *word, const char *argument)
{
	return strncmp(word, argument, strlen(argument)) == 0;
}

static bool
complete_word(const char *const *words, const struct prompt_place *place, const char *argument,
	size_t index, struct text *out)
{
	for (size_t i = 0; words[i] != NULL; i++) {
		unsigned needs = words == lane_sort_words ? lane_sort_needs((enum lane_sort)i) : 0;
		if (!begins(words[i], argument) || (needs & ~place->has) != 0)
			continue;
		if (index == 0) {
			text_add_string(out, words[i]);
			return true;
		}
		index--;
	}
	return false;
}

/* What a prompt cannot hold is not offered. */
static bool
is_plain(const char *name)
{
	struct text safe = { 0 };
	text_add_safe(&safe, name, strlen(name), false);
	bool is_same = safe.length == strlen(name) && memcmp(safe.bytes, name, safe.length) == 0;
	text_release(&safe);
	return is_same;
}

static bool
complete_bookmark(const struct notes *notes, const char *argument, size_t index, struct text *out)
{
	for (size_t i = 0; notes != NULL && i < notes->count; i++) {
		const char *name = notes->bookmarks[i].name;
		if (!begins(name, argument) || !is_plain(name))
			continue;
		if (index == 0) {
			text_add_string(out, name);
			return true;
		}
		index--;
	}
	return false;
}

static bool
complete_analysis(const struct prompt_place *place, const char *argument, size_t index, struct text *out)
{
	const char *name;
	for (size_t i = 0; (name = analysis_offered(place->words, place->has, i)) != NULL; i++) {
		if (!begins(name, argument) || index-- != 0)
			continue;
		text_add_string(out, name);
		return true;
	}
	return false;
}

bool
argument_complete(enum command command, const struct prompt_place *place, const char *argument,
	size_t index, struct text *out)
{
	const char *const *words = words_of(command);
	if (words != NULL)
		return complete_word(words, place, argument, index, out);
	if (command == COMMAND_BOOKMARK)
		return complete_bookmark(place->notes, argument, index, out);
	if (command == COMMAND_ANALYSE)
		return complete_analysis(place, argument, index, out);
	bool is_query = command == COMMAND_FILTER || command == COMMAND_COUNT_SPANS;
	return is_query && query_complete(argument, place->words, index, out);
}
