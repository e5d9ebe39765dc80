/* Durations, moments, sizes, counts and shares, at the borders of every unit. */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

/* Also of the negative one, which has a minus before it. */
static void
check_duration(int64_t duration_ns, const char *wanted)
{
	char row[40], out[UNITS_TEXT], negative[UNITS_TEXT + 1] = "-";
	snprintf(row, sizeof(row), "%" PRId64 " ns", duration_ns);
	units_duration(out, duration_ns, false);
	check_text(row, out, wanted);
	if (duration_ns == 0)
		return;
	memcpy(negative + 1, out, strlen(out) + 1);
	units_duration(out, -duration_ns, false);
	check_text(row, out, negative);
}

static void
durations_have_three_digits(void **state)
{
	(void)state;
	static const struct {
		int64_t duration_ns;
		const char *wanted;
	} rows[] = {
		{ 0, "0 ns" },
		{ 1, "1 ns" },
		{ 999, "999 ns" },
		{ 1000, "1 \u00B5s" },
		{ 1004, "1 \u00B5s" },
		{ 1005, "1.01 \u00B5s" },
		{ 1220, "1.22 \u00B5s" },
		{ 4100, "4.1 \u00B5s" },
		{ 9994, "9.99 \u00B5s" },
		{ 9995, "10 \u00B5s" },
		{ 10049, "10 \u00B5s" },
		{ 10050, "10.1 \u00B5s" },
		{ 99949, "99.9 \u00B5s" },
		{ 99950, "100 \u00B5s" },
		{ 978000, "978 \u00B5s" },
		{ 999499, "999 \u00B5s" },
		{ 999500, "1 ms" },
		{ 999900, "1 ms" },
		{ 35700000, "35.7 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1 s" },
		{ 2413000000, "2.41 s" },
		{ 83 * SECOND, "83 s" },
		{ 99949999999, "99.9 s" },
		{ 99950000000, "100 s" },
		{ 125 * SECOND, "125 s" },
		{ 600 * SECOND - SECOND / 2 - 1, "599 s" },
		{ 600 * SECOND - SECOND / 2, "10 min" },
		{ 600 * SECOND, "10 min" },
		{ 725 * SECOND, "12 min 5 s" },
		{ HOUR - SECOND / 2 - 1, "59 min 59 s" },
		{ HOUR - SECOND / 2, "1 h" },
		{ HOUR, "1 h" },
		{ HOUR + 29 * SECOND, "1 h" },
		{ HOUR + 2 * MINUTE, "1 h 2 min" },
		{ 2 * HOUR - 30 * SECOND, "2 h" },
		{ INT64_MAX, "2562047 h 47 min" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_duration(rows[i].duration_ns, rows[i].wanted);
	char out[UNITS_TEXT];
	units_duration(out, INT64_MIN, false);
	check_text("smallest", out, "-2562047 h 47 min");
	units_duration(out, 1220, true);
	check_text("ASCII", out, "1.22 us");
}

static void
moments_have_the_digits_of_the_step(void **state)
{
	(void)state;
	static const struct {
		int64_t time_ns, step_ns, span_ns;
		const char *wanted;
	} rows[] = {
		{ 1203400000, 100000, 2 * SECOND, "1.2034 s" },
		{ 1203449999, 100000, 2 * SECOND, "1.2034 s" },
		{ 1203450000, 100000, 2 * SECOND, "1.2035 s" },
		{ 1200000000, 10000000, 2 * SECOND, "1.20 s" },
		{ 1200000000, 2500000, 2 * SECOND, "1.2000 s" },
		{ 1202500000, 2500000, 2 * SECOND, "1.2025 s" },
		{ 1200000000, 2000000, 2 * SECOND, "1.200 s" },
		{ 48900000, 153000, 129000000, "48.9 ms" },
		{ 44000000, 2000000, 129000000, "44 ms" },
		{ 0, SECOND, 10 * SECOND, "0 s" },
		{ 90 * SECOND, 20 * SECOND, 100 * SECOND, "90 s" },
		{ 0, 1, 2 * SECOND, "0.000000000 s" },
		{ 1234567891, 1, 2 * SECOND, "1.234567891 s" },
		{ 1234567, 3, 2000000, "1.234567 ms" },
		{ 1234, 7, 2000, "1.234 \u00B5s" },
		{ 999, 1, 999, "999 ns" },
		{ 5, 2, 0, "5 ns" },
		{ -1500000, 100000, 2000000, "-1.5 ms" },
		{ -1, 100000, 2000000, "0.0 ms" },
		{ 3, 1, -2000, "0.003 \u00B5s" },
		{ INT64_MAX, 1, INT64_MAX, "9223372036.854775807 s" },
		{ INT64_MIN, 1, INT64_MIN, "-9223372036.854775808 s" },
		{ INT64_MIN, INT64_MAX, INT64_MIN, "-9223372037 s" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char out[UNITS_TEXT];
		units_moment(out, rows[i].time_ns, rows[i].step_ns, rows[i].span_ns, false);
		check_text("moment", out, rows[i].wanted);
	}
	char out[UNITS_TEXT];
	units_moment(out, 1234, 1, 2000, true);
	check_text("ASCII", out, "1.234 us");
}

static void
times_for_options_read_back(void **state)
{
	(void)state;
	static const struct {
		int64_t time_ns, step_ns;
		const char *wanted;
	} rows[] = {
		{ 0, 1, "0s" },
		{ 1203410123, 1, "1.203410123s" },
		{ 1203410123, 9999, "1.20341s" },
		{ 1203419999, 10000, "1.20341s" },
		{ 500, 1, "0.0000005s" },
		{ -1500000000, 1000, "-1.5s" },
		{ -400, 1000, "0s" },
		{ INT64_MAX, 1, "9223372036.854775807s" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char out[UNITS_TEXT];
		int64_t read_ns = 0;
		struct error err = { 0 };
		units_option_time(out, rows[i].time_ns, rows[i].step_ns);
		check_text("option", out, rows[i].wanted);
		assert_true(units_parse_duration(out, &read_ns, &err));
		assert_in_range(rows[i].time_ns - read_ns + rows[i].step_ns, 0,
			2 * (uint64_t)rows[i].step_ns);
	}
}

/* On any ruler, two neighbours read differently, and the text tells the time to within half a step. */
static void
neighbours_on_a_ruler_differ(void **state)
{
	(void)state;
	const uint64_t seed = 12;
	uint64_t random = seed;
	for (int round = 0; round < 20000; round++) {
		int64_t step_ns = 1 + (int64_t)(random_next(&random) >> (24 + round % 40));
		int64_t time_ns = (int64_t)(random_next(&random) >> (4 + round % 50));
		char one[UNITS_TEXT], next[UNITS_TEXT];
		int64_t span_ns = time_ns + step_ns;
		units_moment(one, time_ns, step_ns, span_ns, false);
		units_moment(next, time_ns + step_ns, step_ns, span_ns, false);
		int64_t read_ns;
		struct error err;
		error_clear(&err);
		if (!units_parse_duration(one, &read_ns, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.message);
		int64_t off_ns = read_ns > time_ns ? read_ns - time_ns : time_ns - read_ns;
		/* A step longer than the ruler's unit leaves no decimals to be wrong in. */
		if (strcmp(one, next) == 0 || (off_ns > step_ns / 2 && off_ns > SECOND / 2))
			fail_msg("seed %" PRIu64 ": %" PRId64 " and %" PRId64 " are %s", seed,
				time_ns, time_ns + step_ns, one);
	}
}

static void
sizes_take_binary_units(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		const char *wanted;
	} rows[] = {
		{ 0, "0 B" },
		{ 512, "512 B" },
		{ 1023, "1023 B" },
		{ 1024, "1 KiB" },
		{ 1536, "1.5 KiB" },
		{ 10234, "9.99 KiB" },
		{ 10235, "10 KiB" },
		{ 1023 * 1024 + 511, "1023 KiB" },
		{ 1023 * 1024 + 512, "1 MiB" },
		{ 24536678, "23.4 MiB" },
		{ UINT64_C(1) << 30, "1 GiB" },
		{ UINT64_C(5) << 39, "2.5 TiB" },
		{ UINT64_C(1) << 50, "1 PiB" },
		{ UINT64_MAX, "16 EiB" },
		{ (UINT64_C(1) << 63) + (UINT64_C(1) << 60) / 10, "8.1 EiB" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char out[UNITS_TEXT];
		units_bytes(out, rows[i].bytes);
		check_text("bytes", out, rows[i].wanted);
	}
}

static void
counts_are_grouped(void **state)
{
	(void)state;
	static const struct {
		uint64_t count;
		const char *wanted;
	} rows[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 12345678, "12,345,678" },
		{ 123456789, "123,456,789" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char out[UNITS_TEXT];
		units_count(out, rows[i].count);
		check_text("count", out, rows[i].wanted);
	}
}

static void
changes_have_a_sign(void **state)
{
	static const struct {
		int64_t change;
		bool is_duration;
		const char *wanted;
	} rows[] = {
		{ 0, true, "=" },
		{ 0, false, "=" },
		{ 1220000, true, "+1.22 ms" },
		{ -35700, true, "-35.7 \u00b5s" },
		{ 1234, false, "+1,234" },
		{ -1, false, "-1" },
		{ INT64_MIN, false, "-9,223,372,036,854,775,807" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char row[40], out[UNITS_TEXT];
		snprintf(row, sizeof row, "%" PRId64, rows[i].change);
		units_change(out, rows[i].change, rows[i].is_duration ? UNITS_OF_DURATION : UNITS_OF_COUNT, false);
		check_text(row, out, rows[i].wanted);
	}
}

static void
shares_are_whole_only_when_whole(void **state)
{
	(void)state;
	static const struct {
		int64_t part, whole;
		const char *wanted;
	} rows[] = {
		{ 0, 100, "0%" },
		{ 5, 0, "0%" },
		{ 12, 100, "12%" },
		{ 34, 1000, "3.4%" },
		{ 30, 1000, "3%" },
		{ 12, 10000, "0.12%" },
		{ 1, 10000, "0.01%" },
		{ 5, 100000, "0.01%" },
		{ 4, 100000, "<0.01%" },
		{ 1, INT64_MAX, "<0.01%" },
		{ 994, 100000, "0.99%" },
		{ 995, 100000, "1%" },
		{ 9949, 100000, "9.9%" },
		{ 9950, 100000, "10%" },
		{ 994, 1000, "99%" },
		{ 995, 1000, ">99%" },
		{ INT64_MAX - 1, INT64_MAX, ">99%" },
		{ INT64_MAX, INT64_MAX, "100%" },
		{ 1001, 1000, ">100%" },
		{ 3, 2, "150%" },
		{ -12, 100, "-12%" },
		{ 12, -100, "-12%" },
		{ INT64_MIN, INT64_MIN, "100%" },
		{ INT64_MAX, 1, "18446744073709551615%" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char row[60], out[UNITS_TEXT];
		snprintf(row, sizeof(row), "%" PRId64 " of %" PRId64, rows[i].part, rows[i].whole);
		units_share(out, rows[i].part, rows[i].whole);
		check_text(row, out, rows[i].wanted);
	}
}

static void
durations_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t wanted_ns;
	} rows[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "0s", 0 },
		{ "1ns", 1 },
		{ "1.2s", 1200000000 },
		{ "+10ms", 10000000 },
		{ "-10ms", -10000000 },
		{ "120us", 120000 },
		{ "120\u00B5s", 120000 },
		{ "120\u03BCs", 120000 },
		{ ".5s", 500000000 },
		{ "5.s", 5 * SECOND },
		{ "1m2.5s", 62500000000 },
		{ "1h2m3s4ms5us6ns", HOUR + 2 * MINUTE + 3 * SECOND + 4005006 },
		{ "0.1h", 360 * SECOND },
		{ "0.000000000000277777777777778h", 1 },
		{ "1.9ns", 1 },
		{ "0.99999999999999999999999999999999s", 999999999 },
		{ "1.2034 s", 1203400000 },
		{ "12 min 5 s", 725 * SECOND },
		{ "1 h 2 min", HOUR + 2 * MINUTE },
		{ "1.22 \u00B5s ", 1220 },
		{ "00000000000000000000000000000001s", SECOND },
		{ "9223372036854775807ns", INT64_MAX },
		{ "9223372036.854775807s", INT64_MAX },
		{ "-9223372036854775808ns", INT64_MIN },
		{ "2562047h47m16.854775807s", INT64_MAX },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		int64_t got_ns = 77;
		struct error err;
		error_clear(&err);
		if (!units_parse_duration(rows[i].text, &got_ns, &err))
			fail_msg("%s: %s", rows[i].text, err.message);
		if (got_ns != rows[i].wanted_ns)
			fail_msg("%s: %" PRId64 " ns", rows[i].text, got_ns);
	}
}

static void
other_texts_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ "", "a number is expected at position 1" },
		{ "-", "a number is expected at position 2" },
		{ "s", "a number is expected at position 1" },
		{ ".s", "a number is expected at position 1" },
		{ " 1s", "a number is expected at position 1" },
		{ "--1s", "a number is expected at position 2" },
		{ "5", "a unit (ns, us, ms, s, m, h) is expected at position 2" },
		{ "00", "a unit (ns, us, ms, s, m, h) is expected at position 3" },
		{ "5x", "a unit (ns, us, ms, s, m, h) is expected at position 2" },
		{ "1e3s", "a unit (ns, us, ms, s, m, h) is expected at position 2" },
		{ "1s2", "a unit (ns, us, ms, s, m, h) is expected at position 4" },
		{ "1s-2s", "a number is expected at position 3" },
		{ "1..5s", "a unit (ns, us, ms, s, m, h) is expected at position 3" },
		{ "1ss", "a number is expected at position 3" },
		{ "9223372036854775808ns", "more than 292 years at position 1" },
		{ "-9223372036854775809ns", "more than 292 years at position 2" },
		{ "9223372036.854775808s", "more than 292 years at position 1" },
		{ "2562047h48m", "more than 292 years at position 9" },
		{ "99999999999999999999999999h", "more than 292 years at position 1" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		int64_t got_ns = 77;
		struct error err;
		error_clear(&err);
		if (units_parse_duration(rows[i].text, &got_ns, &err))
			fail_msg("\"%s\" was taken as %" PRId64 " ns", rows[i].text, got_ns);
		assert_int_equal(got_ns, 77);
		assert_int_equal(err.kind, ERROR_USAGE);
		char wanted[200];
		snprintf(wanted, sizeof(wanted), "bad time \"%s\": %s", rows[i].text,
			rows[i].wanted);
		check_text(rows[i].text, err.message, wanted);
	}
}

static void
sizes_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
		{ "512M", UINT64_C(512) << 20 },
		{ "2G", UINT64_C(2) << 30 },
		{ "1.5GiB", UINT64_C(3) << 29 },
		{ "1 TiB", UINT64_C(1) << 40 },
		{ "0.5K", 512 },
		{ "7B", 7 },
		{ "8388607T", UINT64_C(8388607) << 40 },
		{ "23.4 MiB", 24536678 },
	};
	static const struct {
		const char *text, *wanted;
	} refused[] = {
		{ "", "a number is expected at position 1" },
		{ "512", "a unit (B, K, M, G, T) is expected at position 4" },
		{ "-1M", "a number is expected at position 1" },
		{ "1MB", "nothing more is expected at position 3" },
		{ "1G1M", "nothing more is expected at position 3" },
		{ "8388608T", "more than any memory at position 1" },
	};
	struct error err;
	error_clear(&err);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		uint64_t got = 0;
		if (!units_parse_bytes(rows[i].text, &got, &err) || got != rows[i].bytes)
			fail_msg("%s: %" PRIu64 " %s", rows[i].text, got, err.message);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++) {
		uint64_t got = 77;
		char wanted[200];
		error_clear(&err);
		assert_false(units_parse_bytes(refused[i].text, &got, &err));
		assert_int_equal(got, 77);
		snprintf(wanted, sizeof(wanted), "bad size \"%s\": %s", refused[i].text,
			refused[i].wanted);
		check_text(refused[i].text, err.message, wanted);
	}
}

/* What units_duration() writes reads back to within the last digit that it shows. */
static void
written_durations_read_back(void **state)
{
	(void)state;
	const uint64_t seed = 2718;
	uint64_t random = seed;
	for (int round = 0; round < 20000; round++) {
		int64_t duration_ns = (int64_t)(random_next(&random) >> (1 + round % 63));
		if (round % 2 == 1)
			duration_ns = -duration_ns;
		char out[UNITS_TEXT];
		units_duration(out, duration_ns, round % 3 == 0);
		int64_t read_ns;
		struct error err;
		error_clear(&err);
		if (!units_parse_duration(out, &read_ns, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.message);
		double off = (double)read_ns - (double)duration_ns;
		double size = (double)duration_ns;
		if (off * off > size * size * 0.0085 * 0.0085)
			fail_msg("seed %" PRIu64 ": %" PRId64 " is %s", seed, duration_ns, out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_have_three_digits),
		cmocka_unit_test(moments_have_the_digits_of_the_step),
		cmocka_unit_test(times_for_options_read_back),
		cmocka_unit_test(neighbours_on_a_ruler_differ),
		cmocka_unit_test(sizes_take_binary_units),
		cmocka_unit_test(counts_are_grouped),
		cmocka_unit_test(changes_have_a_sign),
		cmocka_unit_test(shares_are_whole_only_when_whole),
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(other_texts_are_refused_with_the_place),
		cmocka_unit_test(written_durations_read_back),
		cmocka_unit_test(sizes_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
