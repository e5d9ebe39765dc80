/*
 * What the values of a profile are: times, sizes, or how many of something. Values count the unit
 * of the input, so that sums are exact; what is shown, and the cells of tables, are in the
 * program's own units.
 */
#ifndef TTRACE_RESULT_MEASURE_H
#define TTRACE_RESULT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "result/result.h"

enum { MEASURE_NAME_BYTES = 64 };

struct measure {
	enum figure_type type; /* FIGURE_DURATION, FIGURE_BYTES or FIGURE_AMOUNT */
	int64_t scale;         /* ns or bytes that a value of 1 stands for; of amounts 1 */
	int decimals;          /* of amounts: values count 10^-decimals of the unit; 0 to 9 */
	/* Safe text, cut to fit. The unit is "" for a count of nothing in particular. */
	char name[MEASURE_NAME_BYTES], unit[MEASURE_NAME_BYTES];
	char plain_unit[MEASURE_NAME_BYTES]; /* as the input has it: "nanoseconds" */
	char caption[MEASURE_NAME_BYTES];    /* what somebody wrote above the values; maybe "" */
};

/* Times in nanoseconds, and a number of samples. */
extern const struct measure measure_time, measure_samples;

/*
 * What a unit means: "nanoseconds", "ms", "bytes", "kilobytes", "count", "requests". O(1).
 * Source of the aliases: google/pprof, internal/measurement.
 */
struct measure measure_of_unit(const char *name, size_t name_length, const char *unit,
	size_t unit_length, int decimals);

/* For readers of ASCII: its words have no other characters. */
void measure_make_ascii(struct measure *measure);

/* Whether it is how many, of nothing with a unit. */
bool measure_is_count(const struct measure *measure);

/* A value as the cell of a column of the measure's type; at most INT64_MAX, at least -INT64_MAX. */
int64_t measure_cell(const struct measure *measure, int64_t value);

/* "1.22 s", "34.5 KiB", "1,234"; "-" before what is less than nothing. */
void measure_add(struct text *out, const struct measure *measure, int64_t value, bool ascii);
/* The same of a difference: "+1.22 s", "-12", "=" for none. */
void measure_add_change(struct text *out, const struct measure *measure, int64_t change, bool ascii);
/*
 * " samples", with a blank in front: what follows an amount, where it has no unit the name of what is
 * counted; "" where the value has its unit.
 */
void measure_add_unit(struct text *out, const struct measure *measure);
/* The end of a key for programs: "ns", "bytes", "samples", "count". */
const char *measure_key(const struct measure *measure);
/* What columns of it are titled: "time", "bytes", "samples", "count". */
const char *measure_title(const struct measure *measure);

/* An amount that counts 10^-decimals: "1,234.5" with all digits that it has; the same as "1234.5". */
void amount_add(struct text *out, int64_t value, int decimals);
void amount_add_plain(struct text *out, int64_t value, int decimals);

#endif
