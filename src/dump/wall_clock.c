/* The C library knows calendar and time zone; the form is ours. */
#include "dump/wall_clock.h"

#include <time.h>

enum { NS_PER_SECOND = 1000000000 };

/* 9999-12-30T23:59:59Z: a day less than the last second, so that any zone stays below. */
#define SECONDS_MAX UINT64_C(253402214399)

static void
write_date_and_time(struct writer *out, const struct tm *date)
{
	const struct {
		int number;
		unsigned digits;
		char before;
	} parts[] = {
		{ date->tm_year + 1900, 4, 0 },
		{ date->tm_mon + 1, 2, '-' },
		{ date->tm_mday, 2, '-' },
		{ date->tm_hour, 2, 'T' },
		{ date->tm_min, 2, ':' },
		{ date->tm_sec, 2, ':' },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		if (parts[i].before != 0)
			writer_char(out, parts[i].before);
		writer_padded(out, (uint64_t)parts[i].number, parts[i].digits);
	}
}

static void
write_decimals(struct writer *out, uint64_t nanoseconds)
{
	unsigned digits = 9;
	if (nanoseconds == 0)
		return;
	for (; nanoseconds % 10 == 0; digits--)
		nanoseconds /= 10;
	writer_char(out, '.');
	writer_padded(out, nanoseconds, digits);
}

/* Seconds from UTC to local time; the two dates are at most a day apart. */
static int
offset_between(const struct tm *utc, const struct tm *local)
{
	int days = local->tm_yday - utc->tm_yday;
	if (local->tm_year != utc->tm_year)
		days = local->tm_year > utc->tm_year ? 1 : -1;
	return ((days * 24 + local->tm_hour - utc->tm_hour) * 60 + local->tm_min - utc->tm_min) *
		       60 +
	       local->tm_sec - utc->tm_sec;
}

static void
write_zone(struct writer *out, int offset)
{
	if (offset == 0) {
		writer_char(out, 'Z');
		return;
	}
	unsigned minutes = (unsigned)(offset < 0 ? -offset : offset) / 60;
	writer_char(out, offset < 0 ? '-' : '+');
	writer_padded(out, minutes / 60, 2);
	writer_char(out, ':');
	writer_padded(out, minutes % 60, 2);
}

void
wall_clock_write(struct writer *out, uint64_t seconds, uint64_t nanoseconds)
{
	struct tm utc, local;
	seconds = seconds < SECONDS_MAX ? seconds : SECONDS_MAX;
	seconds += nanoseconds / NS_PER_SECOND;
	time_t time = (time_t)(seconds < SECONDS_MAX ? seconds : SECONDS_MAX);
	if (gmtime_r(&time, &utc) == NULL)
		return;
	if (localtime_r(&time, &local) == NULL)
		local = utc;
	write_date_and_time(out, &local);
	write_decimals(out, nanoseconds % NS_PER_SECOND);
	write_zone(out, offset_between(&utc, &local));
}
