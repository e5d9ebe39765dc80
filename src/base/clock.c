/* The C library knows the time zones; calendar and forms are ours. */
#include "base/clock.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)

enum {
	SECONDS_PER_DAY = 86400,
	FIRST_YEAR = 1970,
	LAST_YEAR = 2262, /* the nanoseconds end in April */
	MOST_DIGITS = 9,
};

/* ---- calendar */

static bool
is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int64_t
days_in(int64_t year, int64_t month)
{
	static const int64_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Seconds from 1970 to it, as if it were UTC. */
static int64_t
civil_seconds(const struct clock_civil *civil)
{
	int64_t before = civil->year - 1;
	int64_t days = 365 * (civil->year - FIRST_YEAR) + (before / 4 - before / 100 + before / 400) -
		       (1969 / 4 - 1969 / 100 + 1969 / 400);
	for (int64_t month = 1; month < civil->month; month++)
		days += days_in(civil->year, month);
	days += civil->day - 1;
	return days * SECONDS_PER_DAY + (civil->hour * 60 + civil->minute) * 60 + civil->second;
}

int64_t
clock_local(int64_t unix_s, struct clock_civil *civil)
{
	time_t time = (time_t)unix_s;
	struct tm tm = { .tm_year = FIRST_YEAR - 1900, .tm_mday = 1 };
	if (localtime_r(&time, &tm) == NULL)
		(void)gmtime_r(&time, &tm);
	*civil = (struct clock_civil){ tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
		tm.tm_sec };
	return civil_seconds(civil) - unix_s;
}

/* ---- writing */

static void
add_time(char out[UNITS_TEXT], const struct clock_civil *civil, int64_t within_ns, int64_t step_ns)
{
	uint64_t place_ns;
	int digits = units_decimals(NS_PER_S, MOST_DIGITS, (uint64_t)step_ns, &place_ns);
	size_t used = strlen(out);
	snprintf(out + used, UNITS_TEXT - used, "%02d:%02d:%02d", (int)civil->hour,
		(int)civil->minute, (int)civil->second);
	used = strlen(out);
	if (digits > 0)
		snprintf(out + used, UNITS_TEXT - used, ".%0*" PRIu64, digits,
			(uint64_t)within_ns / place_ns);
}

static void
add_date(char out[UNITS_TEXT], const struct clock_civil *civil)
{
	snprintf(out, UNITS_TEXT, "%04d-%02d-%02d ", (int)civil->year, (int)civil->month,
		(int)civil->day);
}

static void
add_zone(char out[UNITS_TEXT], int64_t offset_s)
{
	int minutes = (int)((offset_s < 0 ? -offset_s : offset_s) / 60);
	size_t used = strlen(out);
	if (minutes == 0)
		snprintf(out + used, UNITS_TEXT - used, "UTC");
	else
		snprintf(out + used, UNITS_TEXT - used, "%c%02d:%02d", offset_s < 0 ? '-' : '+',
			minutes / 60 % 100, minutes % 60);
}

void
clock_time(char out[UNITS_TEXT], int64_t unix_ns, int64_t step_ns)
{
	assert(unix_ns >= CLOCK_LEAST_NS && step_ns > 0);
	struct clock_civil civil;
	clock_local(unix_ns / NS_PER_S, &civil);
	out[0] = '\0';
	add_time(out, &civil, unix_ns % NS_PER_S, step_ns);
}

void
clock_date(char out[UNITS_TEXT], int64_t unix_ns)
{
	assert(unix_ns >= CLOCK_LEAST_NS);
	struct clock_civil civil;
	int64_t offset_s = clock_local(unix_ns / NS_PER_S, &civil);
	add_date(out, &civil);
	add_zone(out, offset_s);
}

void
clock_stamp(char out[UNITS_TEXT], int64_t unix_ns, int64_t step_ns)
{
	assert(unix_ns >= CLOCK_LEAST_NS && step_ns > 0);
	struct clock_civil civil;
	int64_t offset_s = clock_local(unix_ns / NS_PER_S, &civil);
	add_date(out, &civil);
	add_time(out, &civil, unix_ns % NS_PER_S, step_ns);
	snprintf(out + strlen(out), UNITS_TEXT - strlen(out), " ");
	add_zone(out, offset_s);
}

/* ---- reading */

struct reader {
	const char *text; /* the whole, for messages */
	const char *at;
	struct error *err;
};

static bool
fail(const struct reader *reader, const char *what)
{
	return error_set(reader->err, ERROR_USAGE, "bad time \"%.80s\": %s at position %zu",
		reader->text, what, (size_t)(reader->at - reader->text) + 1);
}

/* Exactly so many digits, for a number from least to most. */
static bool
take_number(struct reader *reader, int digits, int64_t least, int64_t most, int64_t *number)
{
	int64_t value = 0;
	for (int i = 0; i < digits; i++) {
		if (reader->at[i] < '0' || reader->at[i] > '9')
			return fail(reader, "a number of two digits (four for a year) is expected");
		value = value * 10 + (reader->at[i] - '0');
	}
	if (value < least || value > most)
		return fail(reader, "there is no such hour, day or year");
	reader->at += digits;
	*number = value;
	return true;
}

static bool
take_char(struct reader *reader, char c)
{
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool
has_date(const char *text)
{
	return strspn(text, "0123456789") == 4 && text[4] == '-';
}

static bool
take_date(struct reader *reader, struct clock_civil *civil)
{
	if (!take_number(reader, 4, FIRST_YEAR + 1, LAST_YEAR, &civil->year))
		return false;
	if (!take_char(reader, '-'))
		return fail(reader, "- is expected");
	if (!take_number(reader, 2, 1, 12, &civil->month))
		return false;
	if (!take_char(reader, '-'))
		return fail(reader, "- is expected");
	if (!take_number(reader, 2, 1, days_in(civil->year, civil->month), &civil->day))
		return false;
	if (take_char(reader, 'T') || take_char(reader, ' '))
		return true;
	return fail(reader, "T or a blank, and the time, is expected");
}

static bool
take_time(struct reader *reader, struct clock_civil *civil, int64_t *within_ns)
{
	if (!take_number(reader, 2, 0, 23, &civil->hour))
		return false;
	if (!take_char(reader, ':'))
		return fail(reader, ": is expected");
	if (!take_number(reader, 2, 0, 59, &civil->minute))
		return false;
	civil->second = 0;
	*within_ns = 0;
	if (!take_char(reader, ':'))
		return true;
	if (!take_number(reader, 2, 0, 59, &civil->second))
		return false;
	if (!take_char(reader, '.'))
		return true;
	if (*reader->at < '0' || *reader->at > '9')
		return fail(reader, "digits are expected");
	for (int64_t place_ns = NS_PER_S / 10; *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
		*within_ns += (*reader->at - '0') * place_ns;
		place_ns /= 10;
	}
	return true;
}

/* "Z", "UTC", "+01:00" or "+0100", maybe behind a blank; *has_zone says whether there was one. */
static bool
take_zone(struct reader *reader, bool *has_zone, int64_t *offset_s)
{
	int64_t hours = 0, minutes = 0;
	while (take_char(reader, ' '))
		continue;
	*has_zone = *reader->at != '\0';
	*offset_s = 0;
	if (!*has_zone || take_char(reader, 'Z'))
		return true;
	if (strncmp(reader->at, "UTC", 3) == 0) {
		reader->at += 3;
		return true;
	}
	bool is_west = *reader->at == '-';
	if (!take_char(reader, '-') && !take_char(reader, '+'))
		return fail(reader, "the end or a zone (Z, +01:00) is expected");
	if (!take_number(reader, 2, 0, 23, &hours))
		return false;
	take_char(reader, ':');
	if (!take_number(reader, 2, 0, 59, &minutes))
		return false;
	*offset_s = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
	return true;
}

/* Where the clock is put back an hour has two meanings: one of them is taken. */
static int64_t
local_offset(int64_t civil_s)
{
	struct clock_civil ignored;
	int64_t guess_s = civil_s - clock_local(civil_s, &ignored);
	return clock_local(guess_s, &ignored);
}

bool
clock_is_meant(const char *text)
{
	return strchr(text, ':') != NULL || has_date(text);
}

bool
clock_parse(const char *text, int64_t near_ns, int64_t *unix_ns, struct error *err)
{
	struct reader reader = { text, text, err };
	struct clock_civil civil = { FIRST_YEAR, 1, 1, 0, 0, 0 };
	int64_t within_ns = 0, offset_s = 0;
	bool has_zone = false, is_dated = has_date(text);
	if (is_dated && !take_date(&reader, &civil))
		return false;
	if (!take_time(&reader, &civil, &within_ns) || !take_zone(&reader, &has_zone, &offset_s))
		return false;
	if (*reader.at != '\0')
		return fail(&reader, "the end is expected");
	int64_t civil_s = civil_seconds(&civil);
	if (!is_dated) {
		int64_t near_s = near_ns / NS_PER_S;
		int64_t near_offset_s = has_zone ? offset_s : clock_local(near_s, &civil);
		civil_s += (near_s + near_offset_s) / SECONDS_PER_DAY * SECONDS_PER_DAY;
	}
	if (!has_zone)
		offset_s = local_offset(civil_s);
	int64_t unix_s = civil_s - offset_s;
	if (unix_s > (INT64_MAX - within_ns) / NS_PER_S)
		return fail(&reader, "there is no moment so late");
	*unix_ns = unix_s * NS_PER_S + within_ns;
	return true;
}
