/* The events of the file as text and counted, against the bytes they come from. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dumptesting.h"
#include "gotrace_testing.h"
#include "oraclefile.h"
#include "tracetesting.h"

static void
dump_file(struct dumptest *got, enum dumptest_form form, const char *name)
{
	got->form = form;
	dumptest_file(got, testing_path(name, ".trace"));
	if (!got->ok)
		fail_msg("%s: %s", name, got->err.message);
	assert_false(got->result.damage.count > 0);
}

/* ---- there and back */

static void
check_round_trip(const char *name)
{
	struct dumptest wire = { 0 }, direct = { 0 }, back = { 0 };
	wire.form = DUMPTEST_WIRE;
	dumptest_file(&wire, testing_path(name, ".trace"));
	if (wire.result.go_minor < 22) {
		assert_false(wire.ok);
		dumptest_release(&wire);
		return;
	}
	assert_true(wire.ok);
	dump_file(&direct, DUMPTEST_PARSED, name);
	dumptest_bytes(&back, wire.text.bytes, wire.text.length);
	if (!back.ok)
		fail_msg("%s: %s", name, back.err.message);
	assert_int_equal(back.result.damage.count, 0);
	if (strcmp(back.text.bytes, direct.text.bytes) != 0)
		fail_msg("%s: the text form says something else than the bytes", name);
	dumptest_release(&back);
	dumptest_release(&direct);
	dumptest_release(&wire);
}

static void
the_text_form_says_the_same_as_the_bytes(void **state)
{
	(void)state;
	testing_each(".trace", check_round_trip);
}

static void
a_small_trace_comes_back_as_it_was(void **state)
{
	(void)state;
	static const char text[] =
		"Trace Go1.26\n"
		"EventBatch gen=3 m=18446744073709551615 time=10 size=16\n"
		"Sync\n"
		"Frequency freq=1000000000\n"
		"ClockSnapshot dt=1 mono=2 sec=3 nsec=4\n"
		"EventBatch gen=3 m=7 time=10 size=99\n" /* as it is, though it is wrong */
		"GoCreate dt=1 new_g=2 new_stack=18446744073709551615 stack=0\n"
		"GoDestroy dt=0\n"
		"Strings\n"
		"String id=1\n"
		"\tdata=\"a\\nb\\x1b\\\"\\u202e\\xff\"\n"
		"String id=2\n"
		"\tdata=\"\"\n"
		"Stacks\n"
		"Stack id=1 nframes=2\n"
		"\tpc=255 func=1 file=2 line=3\n"
		"\tpc=1 func=2 file=1 line=4\n"
		"Stack id=2 nframes=0\n"
		"CPUSamples\n"
		"CPUSample time=1 m=2 p=3 g=4 stack=5\n"
		"ExperimentalBatch exp=1 gen=3 m=7 time=10\n"
		"\tdata=\"\\x00\\x01\"\n"
		"Span dt=1 id=2 npages_value=3 kindclass=4\n"
		"EndOfGeneration\n";
	struct dumptest got = { .form = DUMPTEST_WIRE };
	dumptest_text(&got, text);
	assert_true(got.ok);
	assert_string_equal(got.text.bytes, text);
	dumptest_release(&got);
}

/* ---- what is wrong */

static void
the_older_form_is_refused_by_its_version(void **state)
{
	(void)state;
	static const char header[16] = "go 1.19 trace";
	const enum dumptest_form forms[] = { DUMPTEST_WIRE, DUMPTEST_FOOTPRINT };
	for (size_t i = 0; i < 2; i++) {
		struct dumptest got = { .form = forms[i] };
		dumptest_bytes(&got, header, sizeof(header));
		assert_false(got.ok);
		assert_non_null(strstr(got.err.message, "go 1.19"));
		assert_string_equal(got.text.bytes, "");
		dumptest_release(&got);
	}
}

static const struct broken_row {
	const char *name, *text;
	size_t cut_bytes; /* off the end */
	const char *problem, *last_line;
} broken_rows[] = {
	{ "an id of a later version",
		GO22 BATCH("1", "0", "1") "GoDestroy dt=1\nGoSwitch dt=1 g=2 g_seq=3\n", 0,
		"found invalid event type 45", "GoDestroy dt=1\n" },
	{ "the end in the middle of an event",
		GO22 BATCH("1", "0", "1") "GoDestroy dt=1\nGoUnblock dt=1 g=2 g_seq=3 stack=4\n", 2,
		"", "GoDestroy dt=1\n" },
	{ "the end in the middle of a text",
		GO22 BATCH("1", "0", "1") "Strings\nString id=1\n\tdata=\"abcdef\"\n", 3, "",
		"Strings\n" },
	{ "the end in the middle of a stack",
		GO22 BATCH("1", "0",
			"1") "Stacks\nStack id=1 nframes=1\n\tpc=1 func=2 file=3 line=4\n",
		1, "", "Stacks\n" },
};

static bool
ends_with(const struct text *text, const char *end)
{
	size_t length = strlen(end);
	return text->length >= length && strcmp(text->bytes + text->length - length, end) == 0;
}

static void
what_comes_before_the_damage_is_dumped(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken_rows) / sizeof(broken_rows[0]); i++) {
		const struct broken_row *row = &broken_rows[i];
		struct dumptest got = { .form = DUMPTEST_WIRE };
		struct text bytes = { 0 };
		testing_assemble(row->text, &bytes);
		dumptest_bytes(&got, bytes.bytes, bytes.length - row->cut_bytes);
		if (!got.ok || got.result.damage.count == 0 ||
			strstr(got.result.damage.rows[0].first.message, row->problem) == NULL ||
			!ends_with(&got.text, row->last_line))
			fail_msg("%s: \"%s\", \"%s\", dumped\n%s", row->name, got.err.message,
				got.result.damage.rows[0].first.message, got.text.bytes);
		assert_int_not_equal(got.result.damage.rows[0].first.offset_bytes, ERROR_NO_OFFSET);
		text_release(&bytes);
		dumptest_release(&got);
	}
}

static void
cut_anywhere_it_ends_in_good_order(void **state)
{
	(void)state;
	struct text bytes = { 0 };
	assert_true(oraclefile_read(testing_path("samples-go1.26", ".trace"), &bytes));
	for (size_t length = 0; length < bytes.length; length += 1 + length / 64) {
		struct dumptest wire = { .form = DUMPTEST_WIRE };
		struct dumptest part = { .form = DUMPTEST_WIRE, .interval = { .has_from = true } };
		dumptest_bytes(&wire, bytes.bytes, length);
		dumptest_bytes(&part, bytes.bytes, length);
		assert_true(wire.ok || wire.err.kind != ERROR_NONE);
		assert_int_equal(wire.ok, part.ok);
		assert_string_equal(wire.text.bytes, part.text.bytes);
		assert_int_equal(wire.result.damage.rows[0].from_bytes,
			part.result.damage.rows[0].from_bytes);
		dumptest_release(&wire);
		dumptest_release(&part);
	}
	text_release(&bytes);
}

/* ---- intervals */

#define GENERATION(gen, time)                                                                      \
	"EventBatch gen=" gen " m=0 time=" time " size=4\nHeapAlloc dt=5 heapalloc_value=" gen     \
	"\n"                                                                                       \
	"EventBatch gen=" gen " m=" NONE " time=" time " size=6\nFrequency freq=1000000000\n"

static const struct interval_row {
	struct dump_interval interval;
	const char *text;
} interval_rows[] = {
	{ { .has_from = true },
		GO22 GENERATION("1", "100") GENERATION("2", "110") GENERATION("3", "120") },
	{ { .has_from = true, .from_ns = 5 },
		GO22 GENERATION("1", "100") GENERATION("2", "110") GENERATION("3", "120") },
	{ { .has_from = true, .from_ns = 6 }, GO22 GENERATION("2", "110") GENERATION("3", "120") },
	{ { .has_to = true, .to_ns = 11 }, GO22 GENERATION("1", "100") GENERATION("2", "110") },
	{ { .has_to = true, .to_ns = 10 }, GO22 GENERATION("1", "100") },
	{ { .has_from = true, .from_ns = 12, .has_to = true, .to_ns = 13 },
		GO22 GENERATION("2", "110") },
	{ { .has_from = true, .from_ns = 100 }, GO22 },
};

static void
an_interval_takes_whole_generations(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(interval_rows) / sizeof(interval_rows[0]); i++) {
		struct dumptest got = { .form = DUMPTEST_WIRE,
			.interval = interval_rows[i].interval };
		dumptest_text(&got,
			GO22 GENERATION("1", "100") GENERATION("2", "110") GENERATION("3", "120"));
		assert_true(got.ok);
		assert_string_equal(got.text.bytes, interval_rows[i].text);
		dumptest_release(&got);
	}
}

/* A trace of many generations that do not fit the window at once. */
static void
generations_of_a_real_trace(void **state)
{
	(void)state;
	struct dumptest part = { .interval = { .has_from = true,
					 .from_ns = INT64_C(3000000000),
					 .has_to = true,
					 .to_ns = INT64_C(5000000000) } };
	struct dumptest parsed = { 0 };
	struct text bytes = { 0 };
	dump_file(&part, DUMPTEST_WIRE, "long-go1.23");
	assert_in_range(part.result.generations, 2, 4);
	testing_assemble(part.text.bytes, &bytes);
	dumptest_bytes(&parsed, bytes.bytes, bytes.length);
	assert_true(parsed.ok);
	assert_false(parsed.result.damage.count > 0);
	assert_int_equal(parsed.result.generations, part.result.generations);
	text_release(&bytes);
	dumptest_release(&parsed);
	dumptest_release(&part);
}

/* ---- footprint */

/* Adds up the second number of each line and the whole; the header has none. */
static void
add_up(const char *table, uint64_t *bytes, uint64_t *events)
{
	char name[40];
	uint64_t row_bytes, row_events;
	*bytes = *events = 0;
	for (const char *line = table; *line != '\0'; line = strchr(line, '\n') + 1) {
		if (sscanf(line, "%39s %" SCNu64 " %*s %" SCNu64, name, &row_bytes, &row_events) ==
			3) {
			*bytes += row_bytes;
			*events += row_events;
		}
	}
}

static void
footprint_counts_what_the_dump_shows(void **state)
{
	(void)state;
	struct dumptest got = { 0 };
	uint64_t bytes, events;
	dump_file(&got, DUMPTEST_FOOTPRINT, "tasks-go1.26");
	assert_non_null(
		strstr(got.text.bytes, "Event                Bytes  %       Count  %\n"
				       "-                    -      -       -      -\n"
				       "String               57852  67.32%  497    12.36%\n"
				       "Stack                10668  12.41%  199    4.95%\n"
				       "UserRegionBegin      3384   3.94%   616    15.32%\n"));
	assert_non_null(
		strstr(got.text.bytes, "GoSyscallEnd         5      0.01%   2      0.05%\n"
				       "GCBegin              5      0.01%   1      0.02%\n"));
	assert_non_null(
		strstr(got.text.bytes, "<unknown (255)>      0      0.00%   0      0.00%\n"));
	add_up(got.text.bytes, &bytes, &events);
	assert_int_equal(events, got.result.events);
	/* All but the header and the padding of the sizes of batches. */
	assert_in_range(bytes, got.result.read_bytes - 16 - 20 * 10, got.result.read_bytes - 16);
	dumptest_release(&got);
}

/* Go 1.26 refuses the trace, Go 1.23 and 1.24 know the names. */
static void
footprint_names_the_experiments_of_1_23(void **state)
{
	(void)state;
	struct dumptest got = { 0 };
	dump_file(&got, DUMPTEST_FOOTPRINT, "allocfree-go1.23");
	assert_non_null(strstr(got.text.bytes, "\nHeapObjectAlloc "));
	assert_null(strstr(got.text.bytes, "<unknown (132)>"));
	assert_non_null(
		strstr(got.text.bytes, "<unknown (137)>      0      0.00%   0      0.00%\n"));
	dumptest_release(&got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_form_says_the_same_as_the_bytes),
		cmocka_unit_test(a_small_trace_comes_back_as_it_was),
		cmocka_unit_test(the_older_form_is_refused_by_its_version),
		cmocka_unit_test(what_comes_before_the_damage_is_dumped),
		cmocka_unit_test(cut_anywhere_it_ends_in_good_order),
		cmocka_unit_test(an_interval_takes_whole_generations),
		cmocka_unit_test(generations_of_a_real_trace),
		cmocka_unit_test(footprint_counts_what_the_dump_shows),
		cmocka_unit_test(footprint_names_the_experiments_of_1_23),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
