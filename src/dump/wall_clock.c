/* The form of RFC 3339. */
#include "dump/wall_clock.h"

#include "base/clock.h"

enum { NS_PER_SECOND = 1000000000 };

/* 9999-12-30T23:59:59Z: a day less than the last second, so that any zone stays below. */
#define SECONDS_MAX UINT64_C(253402214399)

static void
write_date_and_time(struct writer *out, const struct clock_civil *date)
{
	const struct {
		int64_t number;
		unsigned digits;
		char before;
	} parts[] = {
		{ date->year, 4, 0 },
		{ date->month, 2, '-' },
		{ date->day, 2, '-' },
		{ date->hour, 2, 'T' },
		{ date->minute, 2, ':' },
		{ date->second, 2, ':' },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		if (parts[i].before != 0)
			writer_char(out, parts[i].before);
		writer_padded(out, (uint64_t)parts[i].number, parts[i].digits);
	}
}

static void
write_zone(struct writer *out, int64_t offset)
{
	if (offset == 0) {
		writer_char(out, 'Z');
		return;
	}
	uint64_t minutes = (uint64_t)(offset < 0 ? -offset : offset) / 60;
	writer_char(out, offset < 0 ? '-' : '+');
	writer_padded(out, minutes / 60, 2);
	writer_char(out, ':');
	writer_padded(out, minutes % 60, 2);
}

void
wall_clock_write(struct writer *out, uint64_t seconds, uint64_t nanoseconds)
{
	struct clock_civil local;
	seconds = seconds < SECONDS_MAX ? seconds : SECONDS_MAX;
	seconds += nanoseconds / NS_PER_SECOND;
	int64_t offset = clock_local((int64_t)(seconds < SECONDS_MAX ? seconds : SECONDS_MAX), &local);
	write_date_and_time(out, &local);
	writer_decimals(out, nanoseconds % NS_PER_SECOND, 9);
	write_zone(out, offset);
}
