/*
 * The table of options: what each is called, which values it takes and where they go.
 * Only for app/options*.c.
 */
#ifndef TTRACE_APP_OPTIONS_INTERNAL_H
#define TTRACE_APP_OPTIONS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "base/error.h"
#include "base/units.h"

struct option;

/*
 * Checks the value (NULL where the option takes none) and stores it. False for wrong usage: err
 * names the option, what is wrong with the value and what is allowed.
 */
typedef bool (*option_store)(
	const struct option *option, const char *value, struct options *options, struct error *err);

struct option {
	struct option_row row;
	option_store store;
	size_t offset;            /* of the field within struct options */
	size_t has_offset;        /* of the flag beside it; 0 where it has none */
	size_t clock_offset;      /* of the text of a time of day; 0 where it takes none */
	const char *const *words; /* allowed, in the order of their enum, NULL at the end */
	bool has_default;         /* the first of the words holds without the option */
	int least, most;          /* of a number */
	bool is_act;              /* says what to do or with what this time: no setting */
};

/* In the order of --help, counted from 0; NULL behind the last. */
const struct option *option_at(size_t index);

/*
 * Reads the part of a value that names a profile: "sched", "sched,exact"; without any it is of
 * slices. False with err set, as option_store.
 */
bool option_take_profile(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err);

/* The same for the name of what the word before the colon says. */
bool option_take_name(const struct option *option, const char *value, const char *text,
	const char **name, struct error *err);

/* ---- app/options_place.c: what one looks at, as `y` names it */

bool option_store_mark(const struct option *option, const char *value, struct options *options,
	struct error *err);
bool option_store_marks(const struct option *option, const char *value, struct options *options,
	struct error *err);
bool option_store_path(const struct option *option, const char *value, struct options *options,
	struct error *err);
bool option_store_part(const struct option *option, const char *value, struct options *options,
	struct error *err);
bool option_store_line(const struct option *option, const char *value, struct options *options,
	struct error *err);

/*
 * One word up to a comma; *rest is what stands behind that, NULL for nothing. False for a word
 * that is too long.
 */
bool option_take_word(char word[UNITS_TEXT], const char *text, const char **rest);
/* An unsigned decimal number of at most `most`; false for anything else. */
bool option_read_number(const char *text, int64_t most, int64_t *number);
/* "42", or "G42" as the screen writes it. */
bool option_read_actor(const char *text, int64_t *id);

/* Whether a report is asked for whose tables can be of several files. */
bool option_is_grid(const struct options *options);
/* Parts of options_check(): how rows are sorted and counted, what only profiles have, --check. */
bool option_check_rows(const struct options *options, struct error *err);
bool option_check_profile(const struct options *options, struct error *err);
bool option_check_checks(const struct options *options, struct error *err);
bool option_check_diff(const struct options *options, struct error *err);

/* Whether it is one of the words, which end with NULL. */
bool option_is_word(const char *value, const char *const *words);

/* Takes a flag back. */
void option_clear_flag(const struct option *option, struct options *options);

/* The words that --format and --palette take for them. */
const char *option_format_word(enum option_format format);
const char *option_palette_word(enum option_palette palette);

#endif
