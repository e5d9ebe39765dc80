/* Values of profiles as pprof writes them. */
#ifndef TTRACE_REPORT_PROFILE_WORDS_H
#define TTRACE_REPORT_PROFILE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/profile.h"

/* One unit for all values of a table. */
struct profile_unit {
	const char *name; /* as good as the measure */
	double factor;    /* how many of the profile's values it is */
};

/* Fit for values from the least that is not 0, without its sign, to the total. */
struct profile_unit profile_unit_choose(const struct measure *measure, int64_t least, int64_t total);

enum { PROFILE_WORD = 96 }; /* room for the words below, final zero included */

/* "1.25ms", "0" */
void profile_value_word(char out[PROFILE_WORD], struct profile_unit unit, int64_t value);
/* "  100%", "12.34%", " 0.12%": six cells, or more for what is much less. */
void profile_share_word(char out[PROFILE_WORD], int64_t part, int64_t whole);

/* How many hundredths of the whole the part is; 0 where there is no whole. */
double profile_percent(int64_t part, int64_t whole);

/*
 * Where the folders of a function's package end: behind the last slash that stands before a
 * bracket of any kind.
 */
size_t profile_path_length(const char *name, size_t length);

#endif
