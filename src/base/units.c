/* Quantities as text: every choice of unit is a row in a table. */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/compiler.h"

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MIN (60 * NS_PER_S)
#define NS_PER_H (60 * NS_PER_MIN)

/* To nearest, halves up; cannot overflow. */
static uint64_t
divide_rounded(uint64_t value, uint64_t divisor)
{
	uint64_t quotient = value / divisor;
	uint64_t rest = value % divisor;
	return quotient + (rest >= divisor - rest);
}

/* Decimal places that are all zero say nothing. */
static void
drop_zero_places(uint64_t *scaled, int *decimals)
{
	while (*decimals > 0 && *scaled % 10 == 0) {
		*scaled /= 10;
		--*decimals;
	}
}

/* scaled / 10^decimals, followed by suffix; a decimal point only before decimals. */
static void
write_decimal(
	char out[UNITS_TEXT], const char *sign, uint64_t scaled, int decimals, const char *suffix)
{
	char number[24]; /* 20 digits, the point, the final zero */
	char *at = number + sizeof(number) - 1;
	*at = '\0';
	for (int place = 0; place <= decimals || scaled > 0; place++) {
		if (place == decimals && decimals > 0)
			*--at = '.';
		*--at = (char)('0' + scaled % 10);
		scaled /= 10;
	}
	snprintf(out, UNITS_TEXT, "%s%s%s", sign, at, suffix);
}

/* ---- durations */

/* One way to write a duration: as a multiple of step_ns, if that stays below limit. */
struct precision {
	uint64_t step_ns;
	uint64_t limit;
	int decimals;
	const char *suffix, *ascii_suffix;
};

static const struct precision precisions[] = {
	{ 1, 1000, 0, " ns", " ns" },
	{ NS_PER_US / 100, 1000, 2, " \u00B5s", " us" },
	{ NS_PER_US / 10, 1000, 1, " \u00B5s", " us" },
	{ NS_PER_US, 1000, 0, " \u00B5s", " us" },
	{ NS_PER_MS / 100, 1000, 2, " ms", " ms" },
	{ NS_PER_MS / 10, 1000, 1, " ms", " ms" },
	{ NS_PER_MS, 1000, 0, " ms", " ms" },
	{ NS_PER_S / 100, 1000, 2, " s", " s" },
	{ NS_PER_S / 10, 1000, 1, " s", " s" },
	{ NS_PER_S, 600, 0, " s", " s" },
};

/* From ten minutes on: whole units and the next smaller ones. */
struct clock_form {
	uint64_t step_ns;
	uint64_t limit; /* in steps */
	uint64_t steps_per_unit;
	const char *unit, *step_unit;
};

static const struct clock_form clock_forms[] = {
	{ NS_PER_S, 3600, 60, "min", "s" },
	{ NS_PER_MIN, UINT64_MAX, 60, "h", "min" },
};

static void
write_clock(char out[UNITS_TEXT], const char *sign, uint64_t duration_ns)
{
	const struct clock_form *form = clock_forms;
	while (divide_rounded(duration_ns, form->step_ns) >= form->limit)
		form++;
	uint64_t steps = divide_rounded(duration_ns, form->step_ns);
	unsigned whole = (unsigned)(steps / form->steps_per_unit); /* int64 is 2.6 million hours */
	unsigned rest = (unsigned)(steps % form->steps_per_unit);
	if (rest == 0)
		snprintf(out, UNITS_TEXT, "%s%u %s", sign, whole, form->unit);
	else
		snprintf(out, UNITS_TEXT, "%s%u %s %u %s", sign, whole, form->unit, rest,
			form->step_unit);
}

void
units_duration(char out[UNITS_TEXT], int64_t duration_ns, bool ascii)
{
	const char *sign = duration_ns < 0 ? "-" : "";
	uint64_t size_ns = magnitude_i64(duration_ns);
	for (size_t i = 0; i < ARRAY_LENGTH(precisions); i++) {
		const struct precision *row = &precisions[i];
		uint64_t scaled = divide_rounded(size_ns, row->step_ns);
		if (scaled >= row->limit)
			continue;
		int decimals = row->decimals;
		drop_zero_places(&scaled, &decimals);
		write_decimal(out, sign, scaled, decimals, ascii ? row->ascii_suffix : row->suffix);
		return;
	}
	write_clock(out, sign, size_ns);
}

/* ---- moments */

struct ruler_unit {
	uint64_t unit_ns;
	int max_decimals;
	const char *suffix, *ascii_suffix;
};

static const struct ruler_unit ruler_units[] = {
	{ NS_PER_S, 9, " s", " s" },
	{ NS_PER_MS, 6, " ms", " ms" },
	{ NS_PER_US, 3, " \u00B5s", " us" },
	{ 1, 0, " ns", " ns" },
};

int
units_decimals(uint64_t unit_ns, int most, uint64_t step_ns, uint64_t *place_ns)
{
	int decimals = 0;
	uint64_t place = unit_ns;
	while (place > step_ns && decimals < most) {
		place /= 10;
		decimals++;
	}
	if (place >= 10 && step_ns % place != 0 && decimals < most && step_ns % (place / 10) == 0) {
		place /= 10;
		decimals++;
	}
	*place_ns = place;
	return decimals;
}

static const struct ruler_unit *
unit_for(int64_t span_ns)
{
	const struct ruler_unit *unit = ruler_units;
	while (unit->unit_ns > 1 && unit->unit_ns > magnitude_i64(span_ns))
		unit++;
	return unit;
}

const char *
units_moment_unit(int64_t span_ns)
{
	return unit_for(span_ns)->ascii_suffix + 1;
}

void
units_moment(char out[UNITS_TEXT], int64_t time_ns, int64_t step_ns, int64_t span_ns, bool ascii)
{
	assert(step_ns > 0);
	const struct ruler_unit *unit = unit_for(span_ns);
	uint64_t place_ns;
	int decimals = units_decimals(
		unit->unit_ns, unit->max_decimals, (uint64_t)step_ns, &place_ns);
	uint64_t scaled = divide_rounded(magnitude_i64(time_ns), place_ns);
	const char *sign = time_ns < 0 && scaled > 0 ? "-" : "";
	write_decimal(out, sign, scaled, decimals, ascii ? unit->ascii_suffix : unit->suffix);
}

/* ---- times as options take them */

void
units_option_time(char out[UNITS_TEXT], int64_t time_ns, int64_t step_ns)
{
	assert(step_ns > 0);
	uint64_t place_ns = 1, scaled = magnitude_i64(time_ns);
	int decimals = 9; /* of a second in nanoseconds */
	while (place_ns <= (uint64_t)step_ns / 10)
		place_ns *= 10;
	scaled -= scaled % place_ns;
	drop_zero_places(&scaled, &decimals);
	write_decimal(out, time_ns < 0 && scaled > 0 ? "-" : "", scaled, decimals, "s");
}

/* ---- sizes, counts and shares */

/* The number of 2^shift in bytes with `decimals` decimals, as an integer, rounded. */
static uint64_t
scale_binary(uint64_t bytes, unsigned shift, int decimals)
{
	uint64_t unit = UINT64_C(1) << shift;
	uint64_t scaled = bytes >> shift;
	uint64_t rest = bytes & (unit - 1);
	for (int i = 0; i < decimals; i++) {
		rest *= 10; /* shift is 60 at most, so this fits */
		scaled = scaled * 10 + (rest >> shift);
		rest &= unit - 1;
	}
	return scaled + (shift > 0 && rest >= unit / 2);
}

void
units_change(char out[UNITS_TEXT], int64_t change, enum units_of of, bool ascii)
{
	char distance[UNITS_TEXT];
	int64_t by = change == INT64_MIN ? INT64_MAX : change < 0 ? -change : change;
	if (of == UNITS_OF_DURATION)
		units_duration(distance, by, ascii);
	else if (of == UNITS_OF_BYTES)
		units_bytes(distance, (uint64_t)by);
	else
		units_count(distance, (uint64_t)by);
	out[0] = change == 0 ? '=' : change < 0 ? '-' : '+';
	snprintf(out + 1, UNITS_TEXT - 1, "%.*s", change == 0 ? 0 : UNITS_TEXT - 2, distance);
}

void
units_bytes(char out[UNITS_TEXT], uint64_t bytes)
{
	static const char *const suffixes[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB",
		" EiB" };
	static const struct {
		int decimals;
		uint64_t limit;
	} places[] = { { 2, 1000 }, { 1, 1000 }, { 0, 1024 } };
	for (unsigned i = 0; i < ARRAY_LENGTH(suffixes); i++) {
		for (size_t p = 0; p < ARRAY_LENGTH(places); p++) {
			uint64_t scaled = scale_binary(bytes, 10 * i, places[p].decimals);
			if (scaled >= places[p].limit)
				continue;
			int decimals = places[p].decimals;
			drop_zero_places(&scaled, &decimals);
			write_decimal(out, "", scaled, decimals, suffixes[i]);
			return;
		}
	}
}

void
units_count(char out[UNITS_TEXT], uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *to = out;
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
}

void
units_signed(char out[UNITS_TEXT], int64_t number)
{
	uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;
	*out = '-';
	units_count(number < 0 ? out + 1 : out, size);
}

/* part * scale / whole, rounded, saturating; whole is shrunk first where that could overflow. */
static uint64_t
scale_ratio(uint64_t part, uint64_t whole, uint64_t scale)
{
	while (whole > UINT64_MAX / scale) {
		whole >>= 1;
		part >>= 1;
	}
	uint64_t quotient = part / whole;
	if (quotient > UINT64_MAX / scale - 1)
		return UINT64_MAX;
	return quotient * scale + divide_rounded(part % whole * scale, whole);
}

void
units_share(char out[UNITS_TEXT], int64_t part, int64_t whole)
{
	static const struct {
		uint64_t scale; /* 100 times 10^decimals */
		uint64_t limit;
		int decimals;
	} places[] = { { 10000, 100, 2 }, { 1000, 100, 1 }, { 100, UINT64_MAX, 0 } };
	const char *sign = (part < 0) != (whole < 0) ? "-" : "";
	uint64_t a = magnitude_i64(part), b = magnitude_i64(whole);
	if (a == 0 || b == 0) {
		snprintf(out, UNITS_TEXT, "0%%");
		return;
	}
	size_t row = 0;
	while (row + 1 < ARRAY_LENGTH(places) &&
		scale_ratio(a, b, places[row].scale) >= places[row].limit)
		row++;
	uint64_t scaled = scale_ratio(a, b, places[row].scale);
	int decimals = places[row].decimals;
	if (scaled == 0) {
		snprintf(out, UNITS_TEXT, "%s<0.01%%", sign);
	} else if (scaled == 100 && decimals == 0 && a != b) {
		snprintf(out, UNITS_TEXT, "%s%s%%", sign, a < b ? ">99" : ">100");
	} else {
		drop_zero_places(&scaled, &decimals);
		write_decimal(out, sign, scaled, decimals, "%");
	}
}
