/*
 * Moments of the wall clock as people write and read them, in the time zone of the
 * environment (TZ). Moments are nanoseconds since 1970 in UTC, CLOCK_LEAST_NS at least, so
 * that the year is 1970 or later in every zone.
 */
#ifndef TTRACE_BASE_CLOCK_H
#define TTRACE_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/units.h"

#define CLOCK_LEAST_NS INT64_C(86400000000000)

struct clock_civil {
	int64_t year, month, day, hour, minute, second; /* months and days from 1 on */
};

/*
 * Date and time of day in the zone, from seconds since 1970; those of UTC where the C library
 * does not know. Returns how many seconds the zone is ahead of UTC then.
 */
int64_t clock_local(int64_t unix_s, struct clock_civil *civil);

/*
 * "15:04:05.123": with as many digits as `step_ns` (> 0) needs to tell two neighbours
 * apart; what is finer is dropped, as a clock does it.
 */
void clock_time(char out[UNITS_TEXT], int64_t unix_ns, int64_t step_ns);
/* "2026-11-21 UTC", "2026-11-21 +01:00" */
void clock_date(char out[UNITS_TEXT], int64_t unix_ns);
/* Both: "2026-11-21 15:04:05.123 UTC". Reads back with clock_parse(), from 1971 on. */
void clock_stamp(char out[UNITS_TEXT], int64_t unix_ns, int64_t step_ns);

/* Whether a text means a moment of the wall clock, not one since the start of a trace. */
bool clock_is_meant(const char *text);
/*
 * Reads "15:04", "15:04:05.123", "2026-11-21T15:04:05Z", "2026-11-21 15:04:05 +01:00" and
 * the like: without a date that of near_ns is meant, without a zone the environment's. What
 * is finer than a nanosecond is dropped. On anything else an error with the place in the
 * text, which is quoted as it is; *unix_ns is left alone.
 */
bool clock_parse(const char *text, int64_t near_ns, int64_t *unix_ns, struct error *err);

#endif
