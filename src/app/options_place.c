/* Options that say what one looks at: marks, a critical path, lines. */
#include <string.h>

#include "app/options_internal.h"
#include "base/units.h"

bool
option_take_word(char word[UNITS_TEXT], const char *text, const char **rest)
{
	const char *comma = strchr(text, ',');
	size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);
	*rest = comma != NULL ? comma + 1 : NULL;
	if (length >= UNITS_TEXT)
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	return true;
}

/* A time of the trace; false for anything else. */
static bool
take_time(const char *text, int64_t *time_ns, const char **rest)
{
	char word[UNITS_TEXT];
	struct error ignored;
	error_clear(&ignored);
	return option_take_word(word, text, rest) &&
	       units_parse_duration(word, time_ns, &ignored) && *time_ns >= 0;
}

/* "1.2s,1.3s", the second behind the first. */
static bool
take_interval(const char *text, int64_t *from_ns, int64_t *until_ns)
{
	const char *rest;
	return take_time(text, from_ns, &rest) && rest != NULL &&
	       take_time(rest, until_ns, &rest) && rest == NULL && *until_ns > *from_ns;
}

/* "1.2s", to the cursor, or "1.2s,1.3s". */
bool
option_store_mark(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	int64_t from_ns, until_ns = 0;
	const char *rest;
	bool has_end = strchr(value, ',') != NULL;
	if (has_end ? !take_interval(value, &from_ns, &until_ns)
		    : !take_time(value, &from_ns, &rest))
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted a time such as 1.2s, or two as 1.2s,1.3s",
			option->row.name, value);
	options->has_mark = true;
	options->has_mark_end = has_end;
	options->mark_ns = from_ns;
	options->mark_end_ns = until_ns;
	return true;
}

/* "1.2s,1.3s", "1.2s," or ",1.3s". */
bool
option_store_marks(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	const char *rest = strchr(value, ',');
	bool has_first = rest != value;
	bool has_second = rest != NULL && rest[1] != '\0';
	bool is_fine = rest != NULL && (has_first || has_second);
	const char *behind = rest;
	if (is_fine && has_first)
		is_fine = take_time(value, &options->note_mark_ns[MARK_A], &behind);
	if (is_fine && has_second)
		is_fine = take_time(rest + 1, &options->note_mark_ns[MARK_B], &behind) &&
			  behind == NULL;
	if (!is_fine)
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted two times as 1.2s,1.3s, of which one may be missing",
			option->row.name, value);
	options->has_note_mark[MARK_A] = has_first;
	options->has_note_mark[MARK_B] = has_second;
	return true;
}

/* "G42,1.2s,1.3s" */
bool
option_store_path(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	char word[UNITS_TEXT];
	const char *rest;
	options->has_path = option_take_word(word, value, &rest) && rest != NULL &&
			    option_read_actor(word, &options->path) &&
			    take_interval(rest, &options->path_from_ns, &options->path_to_ns);
	return options->has_path ||
	       error_set(err, ERROR_USAGE,
		       "--%s=%s: wanted a goroutine and two times, such as G42,1.2s,1.3s",
		       option->row.name, value);
}

/* "1.2s", "1.2s,1.3s", or "G42". */
bool
option_store_part(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct go_wish wish = { 0 };
	const char *rest;
	bool is_fine;
	if (*value == 'G') {
		is_fine = option_read_actor(value, &wish.goroutine);
	} else if (strchr(value, ',') != NULL) {
		is_fine = take_interval(value, &wish.from_ns, &wish.to_ns);
	} else {
		is_fine = take_time(value, &wish.from_ns, &rest);
		wish.to_ns = wish.from_ns;
	}
	if (!is_fine)
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted a time such as 1.2s, two as 1.2s,1.3s, or G42",
			option->row.name, value);
	options->part = wish;
	options->has_part = true;
	return true;
}

/* ---- lines */

/* "12", or "12,3": counted from 1. */
static bool
take_place(const char *text, struct view_place *place)
{
	char word[UNITS_TEXT];
	const char *rest;
	int64_t line, top = 1;
	bool is_fine = option_take_word(word, text, &rest) &&
		       option_read_number(word, INT32_MAX, &line) &&
		       (rest == NULL || option_read_number(rest, INT32_MAX, &top)) && line > 0 &&
		       top > 0;
	if (is_fine)
		*place = (struct view_place){ (size_t)line - 1, (size_t)top - 1 };
	return is_fine;
}

bool
option_store_line(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	bool *is_given = (bool *)(void *)((char *)options + option->has_offset);
	struct view_place *place = (void *)((char *)options + option->offset);
	*is_given = take_place(value, place);
	return *is_given ||
	       error_set(err, ERROR_USAGE,
		       "--%s=%s: wanted the number of a line, or with that of the first one on "
		       "the screen as 12,3",
		       option->row.name, value);
}
