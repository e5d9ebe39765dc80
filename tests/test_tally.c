/* A summary made while the trace is read says what that of the loaded trace does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "alltraces.h"
#include "base/compiler.h"
#include "draw/viewport.h"
#include "report/report.h"
#include "source/go/load.h"
#include "source/go/sums.h"
#include "tracetesting.h"

static struct trace *
load(const void *bytes, size_t size, struct error *err)
{
	struct go_read_options options = { .is_lenient = true };
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, err));
	struct trace *trace = go_load(&in, &options, err);
	input_close(&in);
	return trace;
}

static struct trace *
sum_up(const void *bytes, size_t size, int64_t t0_ns, int64_t t1_ns, struct tally *tally,
	struct error *err)
{
	struct go_read_options options = { .is_lenient = true };
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, err));
	struct trace *trace = go_sum_up(&in, &options, t0_ns, t1_ns, tally, err);
	input_close(&in);
	return trace;
}

/* Of an interval of the trace that was loaded, or all of it where it has no length. */
static void
check_interval(const char *name, const void *bytes, size_t size, const struct trace *whole,
	struct viewport interval)
{
	struct text expected = { 0 }, got = { 0 };
	struct error err = { 0 };
	struct tally tally;
	struct report_options options = {
		.file_name = "a.trace",
		.width_cells = 120,
		.has_interval = viewport_span(interval) > 0,
		.t0_ns = interval.t0_ns,
		.t1_ns = interval.t1_ns,
	};
	bool is_all = !options.has_interval;
	struct trace *sums = sum_up(bytes, size, is_all ? 0 : interval.t0_ns,
		is_all ? INT64_MAX : interval.t1_ns, &tally, &err);
	if (sums == NULL)
		fail_msg("%s: %s", name, err.message);
	assert_int_equal(sums->segments.count, 0);
	for (int i = 0; i < 2; i++) {
		options.format = i == 0 ? REPORT_AS_JSON : REPORT_AS_TEXT;
		assert_true(report_summary(whole, &options, &expected, &err));
		assert_true(report_tally(sums, &tally, &options, &got, &err));
	}
	if (strcmp(expected.bytes, got.bytes) != 0)
		fail_msg("%s, %lld to %lld:\n%sshould be\n%s", name, (long long)interval.t0_ns,
			(long long)interval.t1_ns, got.bytes, expected.bytes);
	text_release(&expected);
	text_release(&got);
	tally_release(&tally);
	trace_free(sums);
}

static void
check_bytes(const char *name, const void *bytes, size_t size)
{
	struct error err = { 0 }, same = { 0 };
	struct tally tally;
	struct trace *whole = load(bytes, size, &err);
	if (whole == NULL) {
		assert_null(sum_up(bytes, size, 0, INT64_MAX, &tally, &same));
		assert_string_equal(err.message, same.message);
		return;
	}
	int64_t end_ns = whole->end_ns;
	const struct viewport intervals[] = {
		{ 0, 0 },
		{ 0, end_ns / 3 },
		{ end_ns / 3, end_ns / 2 },
		{ end_ns / 2, end_ns },
		{ end_ns / 2, INT64_MAX },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(intervals); i++)
		if (i == 0 || end_ns > 3)
			check_interval(name, bytes, size, whole, intervals[i]);
	trace_free(whole);
}

/* ---- tests */

static void
check_file(const char *name)
{
	alltraces_file(name, check_bytes);
}

static void
sums_are_those_of_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_file);
}

static void
sums_of_simulated_traces_are_those_of_the_index(void **state)
{
	(void)state;
	alltraces_simulated(check_bytes);
}

/* What is cut off, left out or changed is repaired in the same way. */
static void
sums_of_damaged_traces_are_those_of_the_index(void **state)
{
	(void)state;
	alltraces_damaged(check_bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_index),
		cmocka_unit_test(sums_of_simulated_traces_are_those_of_the_index),
		cmocka_unit_test(sums_of_damaged_traces_are_those_of_the_index),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
