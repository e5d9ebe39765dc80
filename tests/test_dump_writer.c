/* Numbers, quoted text and the wall clock as they are written, and writing that fails. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/text.h"
#include "dump/wall_clock.h"
#include "dump/writer.h"
#include "dumptesting.h"

static void
numbers_of_any_size(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct writer out;
	struct error err = { 0 };
	assert_true(writer_init(&out, dumptest_collect, &text, &err));
	const uint64_t numbers[] = { 0, 9, 10, 99, 100, 101, 12345, 1000000, UINT64_MAX };
	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++) {
		writer_u64(&out, numbers[i]);
		writer_char(&out, ' ');
	}
	dumptest_check_written(&out, "0 9 10 99 100 101 12345 1000000 18446744073709551615 ");
	writer_i64(&out, -1);
	writer_i64(&out, INT64_MIN);
	writer_i64(&out, INT64_MAX);
	dumptest_check_written(&out, "-1-92233720368547758089223372036854775807");
	writer_hex(&out, 0);
	writer_hex(&out, 0x45bda6);
	writer_hex(&out, UINT64_MAX);
	dumptest_check_written(&out, "045bda6ffffffffffffffff");
	writer_padded(&out, 7, 2);
	writer_padded(&out, 123, 2);
	writer_padded(&out, 0, 9);
	dumptest_check_written(&out, "07123000000000");
	writer_release(&out);
	text_release(&text);
}

static const struct quote_row {
	const char *bytes;
	size_t length;
	const char *quoted;
} quote_rows[] = {
	{ "", 0, "\"\"" }, { "plain text", 10, "\"plain text\"" },
	{ "a\"b\\c", 5, "\"a\\\"b\\\\c\"" }, { "\a\b\f\n\r\t\v", 7, "\"\\a\\b\\f\\n\\r\\t\\v\"" },
	{ "\0\x1b\x7f", 3, "\"\\x00\\x1b\\x7f\"" },
	{ "\xff"
	  "a\xc3",
		3, "\"\\xffa\\xc3\"" },
	{ "\xc3\xbc\xe4\xb8\x96", 5, "\"\xc3\xbc\xe4\xb8\x96\"" },      /* printable */
	{ "\xc2\x85\xc2\xa0\xc2\xad", 6, "\"\\u0085\\u00a0\\u00ad\"" }, /* C1, space, hyphen */
	{ "\xe2\x80\xae\xef\xbf\xbd", 6, "\"\\u202e\xef\xbf\xbd\"" },   /* override, U+FFFD */
	{ "\xed\xa0\x80", 3, "\"\\xed\\xa0\\x80\"" },                   /* a surrogate */
	{ "\xf3\xa0\x80\x81\xf0\x9f\x98\x80", 8, "\"\\U000e0001\xf0\x9f\x98\x80\"" },
	{ "\xe2\xbf\xbc\xf0\xb1\x8d\x90", 7, "\"\\u2ffc\xf0\xb1\x8d\x90\"" }, /* 15.1, 15.0 */
};

static void
text_is_quoted_as_go_does(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct writer out;
	struct error err = { 0 };
	assert_true(writer_init(&out, dumptest_collect, &text, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(quote_rows); i++) {
		writer_quoted(&out, quote_rows[i].bytes, quote_rows[i].length);
		dumptest_check_written(&out, quote_rows[i].quoted);
	}
	writer_release(&out);
	text_release(&text);
}

static void
long_texts_keep_their_order(void **state)
{
	(void)state;
	enum { LENGTH = 3 * WRITER_BUFFER_BYTES };
	struct text text = { 0 };
	struct writer out;
	struct error err = { 0 };
	char *bytes = malloc(LENGTH);
	assert_non_null(bytes);
	for (size_t i = 0; i < LENGTH; i++)
		bytes[i] = (char)('a' + i % 23);
	assert_true(writer_init(&out, dumptest_collect, &text, &err));
	for (size_t length = 1; length <= LENGTH; length *= 3)
		writer_add(&out, bytes, length);
	assert_true(writer_finish(&out, &err));
	size_t at = 0;
	for (size_t length = 1; length <= LENGTH; length *= 3) {
		assert_memory_equal(text.bytes + at, bytes, length);
		at += length;
	}
	assert_int_equal(text.length, at);
	writer_release(&out);
	text_release(&text);
	free(bytes);
}

struct failing {
	unsigned calls;
};

static bool
fail_at_once(void *context, const char *bytes, size_t length, struct error *err)
{
	struct failing *failing = context;
	(void)bytes;
	(void)length;
	failing->calls++;
	return error_set(err, ERROR_IO, "failure %u", failing->calls);
}

static void
a_failure_sticks(void **state)
{
	(void)state;
	struct failing failing = { 0 };
	struct writer out;
	struct error err = { 0 };
	assert_true(writer_init(&out, fail_at_once, &failing, &err));
	for (unsigned i = 0; i < WRITER_BUFFER_BYTES; i++)
		writer_string(&out, "three ");
	assert_false(writer_finish(&out, &err));
	assert_string_equal(err.message, "failure 1");
	assert_int_equal(failing.calls, 1);
	writer_release(&out);
}

static const struct clock_row {
	const char *zone;
	uint64_t seconds, nanoseconds;
	const char *text;
} clock_rows[] = {
	{ "UTC0", 0, 0, "1970-01-01T00:00:00Z" },
	{ "UTC0", 1795230623, 466192034, "2026-11-21T03:10:23.466192034Z" },
	{ "UTC0", 951827696, 120000000, "2000-02-29T12:34:56.12Z" },
	{ "UTC0", 951827696, 3000000007, "2000-02-29T12:34:59.000000007Z" },
	{ "ABC-5:30", 1798741799, 1, "2026-12-31T23:59:59.000000001+05:30" },
	{ "ABC-5:30", 1798741800, 0, "2027-01-01T00:00:00+05:30" },
	{ "ABC3", 1798761600, 0, "2026-12-31T21:00:00-03:00" },
	{ "UTC0", UINT64_MAX, UINT64_MAX, "9999-12-30T23:59:59.709551615Z" },
};

static void
wall_clock_in_its_zone(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct writer out;
	struct error err = { 0 };
	assert_true(writer_init(&out, dumptest_collect, &text, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(clock_rows); i++) {
		setenv("TZ", clock_rows[i].zone, 1);
		tzset();
		wall_clock_write(&out, clock_rows[i].seconds, clock_rows[i].nanoseconds);
		dumptest_check_written(&out, clock_rows[i].text);
	}
	writer_release(&out);
	text_release(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_any_size),
		cmocka_unit_test(text_is_quoted_as_go_does),
		cmocka_unit_test(long_texts_keep_their_order),
		cmocka_unit_test(a_failure_sticks),
		cmocka_unit_test(wall_clock_in_its_zone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
