/* Moments of the wall clock: written, and read back, in several zones. */
#include "base_testing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

#define S INT64_C(1000000000)
/* 2026-11-21T03:07:36Z */
#define MORNING (1795230456 * S)

static void
set_zone(const char *zone)
{
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
}

/* Zones by rule, so that no data base of zones is needed. */
static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3";
static const char new_york[] = "EST5EDT,M3.2.0,M11.1.0";
static const char kolkata[] = "IST-5:30";

static void
moments_are_written(void **state)
{
	(void)state;
	static const struct {
		const char *zone;
		int64_t unix_ns, step_ns;
		const char *time, *date, *stamp;
	} rows[] = {
		{ "UTC", MORNING + 483772255, S, "03:07:36", "2026-11-21 UTC",
			"2026-11-21 03:07:36 UTC" },
		{ "UTC", MORNING + 483772255, 60 * S, "03:07:36", "2026-11-21 UTC",
			"2026-11-21 03:07:36 UTC" },
		{ "UTC", MORNING + 999999999, S / 10, "03:07:36.9", "2026-11-21 UTC",
			"2026-11-21 03:07:36.9 UTC" },
		{ "UTC", MORNING + 483772255, 2500000, "03:07:36.4837", "2026-11-21 UTC",
			"2026-11-21 03:07:36.4837 UTC" },
		{ "UTC", MORNING + 483772255, 1234567, "03:07:36.483", "2026-11-21 UTC",
			"2026-11-21 03:07:36.483 UTC" },
		{ "UTC", MORNING + 5, 1, "03:07:36.000000005", "2026-11-21 UTC",
			"2026-11-21 03:07:36.000000005 UTC" },
		{ berlin, MORNING, S, "04:07:36", "2026-11-21 +01:00",
			"2026-11-21 04:07:36 +01:00" },
		{ new_york, MORNING, S, "22:07:36", "2026-11-20 -05:00",
			"2026-11-20 22:07:36 -05:00" },
		{ kolkata, MORNING, S, "08:37:36", "2026-11-21 +05:30",
			"2026-11-21 08:37:36 +05:30" },
		/* 2024-02-29T12:00:00Z, 2000-03-01T00:00:00Z, 2100-03-01T00:00:00Z */
		{ "UTC", 1709208000 * S, S, "12:00:00", "2024-02-29 UTC",
			"2024-02-29 12:00:00 UTC" },
		{ "UTC", 951868800 * S, S, "00:00:00", "2000-03-01 UTC",
			"2000-03-01 00:00:00 UTC" },
		{ "UTC", 4107542400 * S, S, "00:00:00", "2100-03-01 UTC",
			"2100-03-01 00:00:00 UTC" },
		{ new_york, CLOCK_LEAST_NS, S, "19:00:00", "1970-01-01 -05:00",
			"1970-01-01 19:00:00 -05:00" },
		{ "UTC", INT64_MAX, 1, "23:47:16.854775807", "2262-04-11 UTC",
			"2262-04-11 23:47:16.854775807 UTC" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char out[UNITS_TEXT];
		set_zone(rows[i].zone);
		clock_time(out, rows[i].unix_ns, rows[i].step_ns);
		assert_string_equal(out, rows[i].time);
		clock_date(out, rows[i].unix_ns);
		assert_string_equal(out, rows[i].date);
		clock_stamp(out, rows[i].unix_ns, rows[i].step_ns);
		assert_string_equal(out, rows[i].stamp);
	}
	set_zone("UTC");
}

static void
moments_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *zone, *text;
		int64_t unix_ns;
	} rows[] = {
		{ "UTC", "03:07", MORNING - 36 * S },
		{ "UTC", "03:07:36", MORNING },
		{ "UTC", "03:07:36.5", MORNING + S / 2 },
		{ "UTC", "03:07:36.483772255", MORNING + 483772255 },
		{ "UTC", "03:07:36.4837722559", MORNING + 483772255 },
		{ "UTC", "2026-11-21T03:07:36.123Z", MORNING + 123000000 },
		{ "UTC", "2026-11-21 03:07:36 UTC", MORNING },
		{ "UTC", "2026-11-21T04:07:36+01:00", MORNING },
		{ "UTC", "2026-11-21T04:07:36+0100", MORNING },
		{ "UTC", "04:07:36+01:00", MORNING },
		{ "UTC", "22:07:36-05:00", MORNING },
		{ "UTC", "2024-02-29T12:00:00", 1709208000 * S },
		{ "UTC", "2100-03-01T00:00:00", 4107542400 * S },
		{ berlin, "04:07:36", MORNING },
		{ berlin, "2026-11-21T04:07:36", MORNING },
		{ berlin, "2026-11-21T03:07:36Z", MORNING },
		/* In summer the clock there is another hour ahead. */
		{ berlin, "2026-07-01T12:00:00", 1782900000 * S },
		{ new_york, "22:07:36", MORNING },
		{ new_york, "2026-11-20T22:07:36", MORNING },
		{ kolkata, "08:37:36", MORNING },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err = { 0 };
		int64_t unix_ns = -1;
		set_zone(rows[i].zone);
		assert_true(clock_is_meant(rows[i].text));
		if (!clock_parse(rows[i].text, MORNING, &unix_ns, &err))
			fail_msg("%s: %s", rows[i].text, err.message);
		if (unix_ns != rows[i].unix_ns)
			fail_msg("%s in %s: %" PRId64 ", should be %" PRId64, rows[i].text,
				rows[i].zone, unix_ns, rows[i].unix_ns);
	}
	set_zone("UTC");
}

static void
what_is_written_reads_back(void **state)
{
	(void)state;
	static const char *const zones[] = { "UTC", berlin, new_york, kolkata };
	for (size_t zone = 0; zone < ARRAY_LENGTH(zones); zone++) {
		set_zone(zones[zone]);
		/* Prime steps over two centuries: all times of day and of the year. */
		for (int64_t s = 400 * 86400; s < INT64_C(9100000000); s += 7919 * 997) {
			char out[UNITS_TEXT];
			int64_t unix_ns = s * S + s % S, back_ns = 0;
			struct error err = { 0 };
			clock_stamp(out, unix_ns, 1);
			if (!clock_parse(out, MORNING, &back_ns, &err) || back_ns != unix_ns)
				fail_msg("%s (%s): %" PRId64 ": %s", out, zones[zone], unix_ns,
					err.message);
		}
	}
	set_zone("UTC");
}

static void
anything_else_is_refused_with_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *position;
	} rows[] = {
		{ "", "position 1" },
		{ "3:07", "position 1" },
		{ "24:00", "position 1" },
		{ "03:60", "position 4" },
		{ "03:07:60", "position 7" },
		{ "03:07:", "position 7" },
		{ "03:07:36.", "position 10" },
		{ "03:07:36x", "position 9" },
		{ "03:07:36 +1", "position 11" },
		{ "03:07:36Zx", "position 10" },
		{ "2026-13-01T00:00", "position 6" },
		{ "2026-02-29T00:00", "position 9" },
		{ "2026-02-28", "position 11" },
		{ "1970-01-01T00:00", "position 1" },
		{ "2263-01-01T00:00", "position 1" },
		{ "2026-1", "position 6" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err = { 0 };
		int64_t unix_ns = 42;
		assert_false(clock_parse(rows[i].text, MORNING, &unix_ns, &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_int_equal(unix_ns, 42);
		if (strstr(err.message, rows[i].position) == NULL)
			fail_msg("%s: %s", rows[i].text, err.message);
	}
	assert_false(clock_is_meant("1.2s"));
	assert_false(clock_is_meant("2026"));
	assert_true(clock_is_meant("2026-02-28"));
}

/* They end in 2262-04-11, 23:47:16.854775807 UTC. */
static void
what_nanoseconds_cannot_tell_is_refused(void **state)
{
	(void)state;
	const int64_t near_ns = INT64_MAX - 2 * S;
	static const struct {
		const char *zone, *text;
		int64_t unix_ns; /* 42: refused */
	} rows[] = {
		{ "UTC", "23:59", 42 },
		{ "UTC", "23:47:17", 42 },
		{ "UTC", "23:47:16.854775808", 42 },
		{ "UTC", "23:47:16.854775807", INT64_MAX },
		{ "UTC", "23:47:16", INT64_MAX - 854775807 },
		{ "UTC", "2262-04-11 23:47:16.854775807 UTC", INT64_MAX },
		{ "UTC", "2262-04-12 00:00", 42 },
		{ "UTC", "2262-12-31 23:59:59", 42 },
		{ "UTC", "2262-04-11 23:47:00 -00:01", 42 },
		{ new_york, "20:00", 42 },
		{ kolkata, "2262-04-12 05:17:17", 42 },
		{ kolkata, "2262-04-12 05:17:16.854775807 +05:30", INT64_MAX },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err = { 0 };
		int64_t unix_ns = 42;
		set_zone(rows[i].zone);
		bool is_read = clock_parse(rows[i].text, near_ns, &unix_ns, &err);
		if (is_read != (rows[i].unix_ns != 42) || unix_ns != rows[i].unix_ns)
			fail_msg("%s in %s: %" PRId64 ", should be %" PRId64, rows[i].text,
				rows[i].zone, unix_ns, rows[i].unix_ns);
		assert_int_equal(err.kind, is_read ? ERROR_NONE : ERROR_USAGE);
	}
	set_zone("UTC");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_are_written),
		cmocka_unit_test(moments_are_read),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(anything_else_is_refused_with_its_place),
		cmocka_unit_test(what_nanoseconds_cannot_tell_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
