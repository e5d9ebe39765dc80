/*
 * Durations, times, sizes and counts as people write and read them.
 */
#ifndef TTRACE_BASE_UNITS_H
#define TTRACE_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { UNITS_TEXT = 40 }; /* room for any result below, final zero included */

/*
 * A duration with three significant digits and its unit: "0 ns", "12 ns",
 * "1.22 µs" ("us" in ASCII), "35.7 ms", "1 ms" (no zeros behind the point),
 * "125 s"; from ten minutes on "12 min 5 s", from an hour on "1 h 2 min".
 * Rounds to nearest; a carry moves to the next unit (999.9 µs is "1 ms").
 */
void units_duration(char out[UNITS_TEXT], int64_t duration_ns, bool ascii);

/*
 * A moment on the ruler, with as many digits as `step_ns` (> 0) needs to tell two
 * neighbours apart: 1.2034 s with a step of 100 µs, 1.200 s with one of 2.5 ms. The
 * unit (s, ms, µs or ns) is the same for all moments of one ruler: the largest that
 * is not above span_ns, the largest absolute time shown.
 */
void units_moment(
	char out[UNITS_TEXT], int64_t time_ns, int64_t step_ns, int64_t span_ns, bool ascii);

/*
 * How many decimals (at most `most`) a multiple of unit_ns needs to tell moments step_ns (> 0)
 * apart: so many that the last place is no coarser than the step, and one more where that makes
 * the step a whole number of places (2.5 ms needs the half). *place_ns is the last place.
 */
int units_decimals(uint64_t unit_ns, int most, uint64_t step_ns, uint64_t *place_ns);

/* The unit of moments up to span_ns, as units_parse_duration() takes it: "s", "ms", "us" or "ns". */
const char *units_moment_unit(int64_t span_ns);

/*
 * A time as options take it: "1.20341s", "-0.5s"; of what is finer than step_ns (> 0) at
 * least the power of ten below it is kept. Reads back with units_parse_duration().
 */
void units_option_time(char out[UNITS_TEXT], int64_t time_ns, int64_t step_ns);

/*
 * Reads a time as --at, --from, --interval and the jump prompt take it: a decimal
 * number with Go's units (ns, us, µs, ms, s, m or min, h), several parts allowed
 * ("1m2.5s"), an optional sign; "0" needs no unit. Blanks may stand between numbers
 * and units, so our own output reads back. What is finer than a nanosecond is
 * dropped. On anything else, or beyond int64, an error with the place in the text,
 * which is quoted as it is; *duration_ns is left alone.
 */
bool units_parse_duration(const char *text, int64_t *duration_ns, struct error *err);

enum units_of { UNITS_OF_COUNT, UNITS_OF_DURATION, UNITS_OF_BYTES };

/* "+1.22 ms", "-12", "+3 KiB": a change of one of these, "=" for none. */
void units_change(char out[UNITS_TEXT], int64_t change, enum units_of of, bool ascii);

/* "512 B", "23.4 MiB": three significant digits (four from 1000 to 1023), binary units. */
void units_bytes(char out[UNITS_TEXT], uint64_t bytes);

/*
 * Reads the number at the start of a text that has at most six digits behind its point, in
 * millionths; returns its length, 0 where there is none or it is too large.
 */
size_t units_parse_millionths(const char *text, int64_t *millionths);

/*
 * Reads a size as --memory takes it: a decimal number and its unit ("512M", "1.5GiB", "2 G"),
 * where K, M, G and T count by 1024 with and without iB behind them, and B is one byte. Errors as
 * for durations.
 */
bool units_parse_bytes(const char *text, uint64_t *bytes, struct error *err);

/* 12345678 as "12,345,678". */
void units_count(char out[UNITS_TEXT], uint64_t count);
/* The same with a sign where it is below 0. */
void units_signed(char out[UNITS_TEXT], int64_t number);

/*
 * part of whole as "12%", "3.4%", "0.12%", "<0.01%", "0%"; "100%" only when equal (else
 * ">99%" or ">100%"), "0%" only for nothing, or when there is no whole.
 */
void units_share(char out[UNITS_TEXT], int64_t part, int64_t whole);

#endif
