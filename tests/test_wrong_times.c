/*
 * A few changed bytes do not make a trace longer: of small traces of every version single
 * bytes are changed, and eight at once, at seeded places. TTRACE_PLACES says how many of each
 * a trace gets with each seed, TTRACE_SEED the first seed and TTRACE_SEEDS how many;
 * TTRACE_TRACES names a folder with more traces.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "damagecheck.h"
#include "input/cursor.h"
#include "input/input.h"
#include "source/go/generation.h"
#include "source/go/header.h"
#include "source/go/load.h"
#include "source/go/v1_wire.h"
#include "source/go/wire.h"
#include "tracetesting.h"
#include "v1writer.h"

enum { SEED = 1, SEEDS = 4, PLACES = 12, BYTES_AT_ONCE = 8, LONGER_PERCENT = 10 };

static unsigned
number_of(const char *name, unsigned usual)
{
	const char *named = getenv(name);
	return named != NULL ? (unsigned)strtoul(named, NULL, 10) : usual;
}

/* What was tried of all traces. */
static struct {
	unsigned tried, unusable, named, exempt, too_long;
} sums;

static uint64_t
next_random(uint64_t *random)
{
	*random += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t mixed = (*random ^ *random >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
	return mixed ^ mixed >> 31;
}

static struct trace *
load(const uint8_t *bytes, size_t size)
{
	const struct go_read_options options = { .is_lenient = true };
	struct error err = { 0 };
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *trace = go_load(&in, &options, &err);
	input_close(&in);
	return trace;
}

/* ---- frequencies: one that is told once has to be believed */

enum { FREQUENCIES_MAX = 16, FREQUENCY_BYTES = 1 + VARINT_MAX_BYTES };

struct frequencies {
	size_t at[FREQUENCIES_MAX]; /* of the records */
	unsigned count;
};

static void
add_frequency(struct frequencies *found, size_t at)
{
	if (found->count < FREQUENCIES_MAX)
		found->at[found->count++] = at;
}

static void
find_frequencies(struct frequencies *found, const uint8_t *bytes, size_t size, unsigned minor)
{
	/* 15,625,000 ticks per second, as wherever the clock counts nanoseconds. */
	static const uint8_t usual[] = { WIRE_FREQUENCY, 0xa8, 0xd6, 0xb9, 0x07 };
	struct cursor cursor = cursor_over(bytes + HEADER_BYTES, size - HEADER_BYTES, HEADER_BYTES);
	struct error err = { 0 };
	struct v1_record record;
	*found = (struct frequencies){ 0 };
	if (minor >= MINOR_FIRST_V2) {
		for (size_t at = 0; at + sizeof(usual) <= size; at++) {
			if (memcmp(bytes + at, usual, sizeof(usual)) == 0)
				add_frequency(found, at);
		}
		return;
	}
	while (cursor_left(&cursor) > 0) {
		size_t at = (size_t)cursor_offset(&cursor);
		assert_true(v1_decode(&cursor, minor, &record, &err));
		if (record.id == V1_FREQUENCY)
			add_frequency(found, at);
	}
}

static bool
is_exempt(const struct frequencies *frequencies, size_t place)
{
	return frequencies->count == 1 && place >= frequencies->at[0] &&
		place < frequencies->at[0] + FREQUENCY_BYTES;
}

/* ---- changed bytes */

struct intact {
	const char *name;
	struct text bytes;
	struct frequencies frequencies;
	int64_t end_ns;
};

static void
try_changed(const struct intact *intact, unsigned count, uint64_t *random)
{
	const char *name = intact->name;
	size_t size = intact->bytes.length;
	bool exempt = false;
	uint8_t *changed = memory_realloc(NULL, size);
	char what[200] = "";
	assert_non_null(changed);
	memcpy(changed, intact->bytes.bytes, size);
	for (unsigned i = 0; i < count; i++) {
		size_t place = next_random(random) % size;
		exempt |= is_exempt(&intact->frequencies, place);
		changed[place] ^= (uint8_t)(1 + next_random(random) % 255);
		size_t used = strlen(what);
		snprintf(what + used, sizeof(what) - used, " %zu:%u", place, changed[place]);
	}
	struct trace *trace = load(changed, size);
	sums.tried++;
	sums.unusable += trace == NULL;
	if (trace != NULL) {
		int64_t longest_ns = intact->end_ns + intact->end_ns * LONGER_PERCENT / 100;
		const char *problem = damage_map_problem(&trace->damage, size);
		if (problem != NULL)
			fail_msg("%s,%s: %s", name, what, problem);
		sums.named += trace->damage.count > 0;
		sums.exempt += exempt;
		if (trace->end_ns > longest_ns && !exempt) {
			sums.too_long++;
			print_error("%s,%s: %lld ns instead of %lld\n", name, what,
				(long long)trace->end_ns, (long long)intact->end_ns);
		}
	}
	trace_free(trace);
	memory_free(changed);
}

/* A trace that was not damaged, and none of it is told to be. */
static void
intact_read(struct intact *intact, const char *name, const char *path)
{
	*intact = (struct intact){ .name = name };
	testing_read(path, &intact->bytes);
	const uint8_t *bytes = (const uint8_t *)intact->bytes.bytes;
	size_t size = intact->bytes.length;
	uint32_t minor;
	assert_true(header_parse(bytes, &minor));
	find_frequencies(&intact->frequencies, bytes, size, minor);
	struct trace *trace = load(bytes, size);
	assert_non_null(trace);
	if (trace->damage.count > 0)
		fail_msg("%s: %s", name, trace->damage.rows[0].first.message);
	intact->end_ns = trace->end_ns;
	trace_free(trace);
}

static void
try_file(const char *name, const char *path)
{
	unsigned seed = number_of("TTRACE_SEED", SEED), seeds = number_of("TTRACE_SEEDS", SEEDS);
	struct intact intact;
	intact_read(&intact, name, path);
	for (uint64_t behind = seed + seeds; seed < behind; seed++) {
		uint64_t random = seed;
		for (unsigned i = 0; i < number_of("TTRACE_PLACES", PLACES); i++) {
			try_changed(&intact, 1, &random);
			try_changed(&intact, BYTES_AT_ONCE, &random);
		}
	}
	text_release(&intact.bytes);
}

static void
try_trace_of_testdata(const char *name)
{
	try_file(name, testing_path(name, ".trace"));
}

static void
try_folder(const char *folder)
{
	DIR *entries = opendir(folder);
	assert_non_null(entries);
	for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
		char path[4096];
		const char *dot = strrchr(entry->d_name, '.');
		if (dot == NULL || strcmp(dot, ".trace") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		try_file(entry->d_name, path);
	}
	closedir(entries);
}

static void
changed_bytes_make_no_trace_longer(void **state)
{
	const char *folder = getenv("TTRACE_TRACES");
	(void)state;
	if (folder != NULL)
		try_folder(folder);
	else
		testing_each(".trace", try_trace_of_testdata);
	print_message("%u tried, %u unusable, %u of which damage is named, %u changed frequencies, "
		"%u too long\n", sums.tried, sums.unusable, sums.named, sums.exempt, sums.too_long);
	assert_int_equal(sums.too_long, 0);
}

/* ---- traces that are cut off, with no byte of them wrong */

static void
cut_off(const char *name)
{
	enum { PIECES = 12 };
	struct intact intact;
	intact_read(&intact, name, testing_path(name, ".trace"));
	for (size_t piece = 1; piece < PIECES; piece++) {
		size_t size = intact.bytes.length * piece / PIECES;
		struct trace *trace = load((const uint8_t *)intact.bytes.bytes, size);
		for (uint32_t i = 0; trace != NULL && i < trace->damage.count; i++) {
			const struct damage *row = &trace->damage.rows[i];
			if (row->moved_times + row->guessed_ends > 0)
				fail_msg("%s, %zu bytes: %s", name, size, row->first.message);
		}
		trace_free(trace);
	}
	text_release(&intact.bytes);
}

static void
times_of_cut_traces_are_believed(void **state)
{
	(void)state;
	testing_each(".trace", cut_off);
}

/* ---- single bytes of which it is known what they do */

static void
check_one(const struct intact *intact, size_t place, uint8_t value, uint64_t moved_times,
	const char *problem)
{
	uint8_t *bytes = (uint8_t *)intact->bytes.bytes;
	uint8_t kept = bytes[place];
	bytes[place] = value;
	struct trace *trace = load(bytes, intact->bytes.length);
	bytes[place] = kept;
	assert_non_null(trace);
	assert_int_equal(trace->end_ns, intact->end_ns);
	assert_int_equal(trace->damage.count, 1);
	const struct damage *row = &trace->damage.rows[0];
	assert_int_equal(row->moved_times, moved_times);
	assert_int_equal(row->cause, DAMAGE_CHANGED);
	if (strstr(row->first.message, problem) == NULL)
		fail_msg("byte %zu: %s", place, row->first.message);
	trace_free(trace);
}

/*
 * All batches that tell the end are lost, and the only one with events is read from the wrong
 * byte on, so that sequence numbers seem to be steps: nobody believes those events, nor
 * their times.
 */
static void
misread_events_do_not_tell_the_end(void **state)
{
	static const struct {
		size_t place;
		uint8_t value;
	} changes[] = {
		{ 9473, 23 }, { 35321, 6 }, { 52996, 63 }, { 65506, 100 }, { 83346, 165 },
		{ 141359, 197 }, { 149571, 28 }, { 162380, 183 },
	};
	struct intact intact;
	(void)state;
	intact_read(&intact, "gcheavy", testing_path("gcheavy-go1.22", ".trace"));
	uint8_t *bytes = (uint8_t *)intact.bytes.bytes;
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++)
		bytes[changes[i].place] = changes[i].value;
	struct trace *trace = load(bytes, intact.bytes.length);
	assert_non_null(trace);
	assert_in_range(trace->end_ns, intact.end_ns / 2, intact.end_ns);
	assert_int_equal(trace->damage.rows[0].guessed_ends, 1);
	text_release(&intact.bytes);
	trace_free(trace);
}

/*
 * A batch of generation 8 seems to be from a day before the trace, so that of all time
 * since then a small share is long; and a step of another batch is 29 s.
 */
static void
no_generation_begins_before_the_one_before_it(void **state)
{
	enum { STEP = 45993, TIME = 48019 };
	struct intact intact;
	(void)state;
	intact_read(&intact, "long", testing_path("long-go1.22", ".trace"));
	uint8_t *bytes = (uint8_t *)intact.bytes.bytes;
	bytes[STEP] = 207;
	bytes[TIME] = 81;
	struct trace *trace = load(bytes, intact.bytes.length);
	assert_non_null(trace);
	assert_int_equal(trace->end_ns, intact.end_ns);
	text_release(&intact.bytes);
	trace_free(trace);
}

/* A step of more than an hour in generation 2, while generation 3 begins after a second. */
static void
a_step_of_an_hour_is_none(void **state)
{
	enum { STEP = 12723 };
	struct intact intact;
	(void)state;
	intact_read(&intact, "long", testing_path("jumps/long-go1.26", ".trace"));
	check_one(&intact, STEP, 187, 1, "jumps to behind what follows");
	text_release(&intact.bytes);
}

static void
a_frequency_that_others_contradict_is_not_believed(void **state)
{
	struct intact intact;
	(void)state;
	intact_read(&intact, "long", testing_path("jumps/long-go1.26", ".trace"));
	assert_int_equal(intact.frequencies.count, 3);
	for (unsigned i = 0; i < intact.frequencies.count; i++)
		check_one(&intact, intact.frequencies.at[i] + 2, 0xff, 0, "clock frequency of");
	text_release(&intact.bytes);
	intact_read(&intact, "long", testing_path("long-go1.22", ".trace"));
	for (unsigned i = 0; i < intact.frequencies.count; i++)
		check_one(&intact, intact.frequencies.at[i] + 2, 0xff, 0, "clock frequency of");
	text_release(&intact.bytes);
}

/* It is told once and nothing says otherwise; but no version of Go writes that. */
static void
an_odd_frequency_is_named(void **state)
{
	struct text bytes = { 0 };
	struct frequencies found;
	(void)state;
	testing_read(testing_path("jumps/stopped-go1.21", ".trace"), &bytes);
	find_frequencies(&found, (const uint8_t *)bytes.bytes, bytes.length, 21);
	assert_int_equal(found.count, 1);
	/* A frequency of 7 in as many bytes. */
	uint8_t *at = (uint8_t *)bytes.bytes + found.at[0] + 1;
	for (uint8_t value = 7; *at >= 0x80; value = 0)
		*at++ = 0x80 | value;
	*at = 0;
	struct trace *trace = load((const uint8_t *)bytes.bytes, bytes.length);
	assert_non_null(trace);
	assert_int_equal(trace->damage.count, 1);
	assert_non_null(strstr(trace->damage.rows[0].first.message,
		"a clock frequency of 7 ticks per second: no version of Go writes that, and all "
		"times depend on it"));
	text_release(&bytes);
	trace_free(trace);
}

/* ---- jumps that are true */

/* Five seconds and more, in which the program was stopped or had nothing to do. */
static void
true_jumps_stay(void **state)
{
	static const char *const names[] = { "stopped-go1.21", "stopped-go1.22", "stopped-go1.26",
		"idle-go1.21", "idle-go1.26" };
	enum { LEAST_NS = 1000000000 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		char path[64];
		struct intact intact;
		snprintf(path, sizeof(path), "jumps/%s", names[i]);
		intact_read(&intact, names[i], testing_path(path, ".trace"));
		if (intact.end_ns / LEAST_NS != 5)
			fail_msg("%s lasts %lld ns", names[i], (long long)intact.end_ns);
		text_release(&intact.bytes);
	}
}

/*
 * Of Go 1.19: a program with one goroutine, which sleeps for five seconds and is then woken on
 * the same proc, or on one that did nothing before.
 */
static void
an_idle_program_of_go_1_19_stays(void **state)
{
#define IDLE_START "go 1.19\nBatch 0 1000000000\nGoCreate 0 1 0 0\nProcStart 10 7\n" \
	"GoStart 10 1 1\nHeapAlloc 10 4096\nGoSleep 10 0\nProcStop 10\n"
#define IDLE_END "GoStop 10 0\nFrequency 1000000000\nBatch 0 6000000300\n" \
	"String 1 main.main\nString 2 main.go\nStack 1 1 10 1 2 3\n"
	static const struct {
		const char *name, *text;
		int64_t end_ns;
	} rows[] = {
		{ "one proc", IDLE_START "ProcStart 5000000000 7\nGoUnblock 10 1 2 0\n"
		  "GoStartLocal 10 1\nHeapAlloc 10 8192\n" IDLE_END, 5000000080 },
		{ "another proc", IDLE_START "Batch 1 6000000000\nProcStart 10 8\n"
		  "GoUnblock 10 1 2 0\nGoStartLocal 10 1\nHeapAlloc 10 8192\n" IDLE_END, 5000000040 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text bytes = { 0 };
		char problem[200] = "";
		if (!v1w_assemble(rows[i].text, &bytes, problem))
			fail_msg("%s: %s", rows[i].name, problem);
		struct trace *trace = load((const uint8_t *)bytes.bytes, bytes.length);
		assert_non_null(trace);
		if (trace->damage.count > 0)
			fail_msg("%s: %s", rows[i].name, trace->damage.rows[0].first.message);
		if (trace->end_ns != rows[i].end_ns)
			fail_msg("%s: ends at %lld", rows[i].name, (long long)trace->end_ns);
		trace_free(trace);
		text_release(&bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_bytes_make_no_trace_longer),
		cmocka_unit_test(times_of_cut_traces_are_believed),
		cmocka_unit_test(misread_events_do_not_tell_the_end),
		cmocka_unit_test(no_generation_begins_before_the_one_before_it),
		cmocka_unit_test(a_step_of_an_hour_is_none),
		cmocka_unit_test(a_frequency_that_others_contradict_is_not_believed),
		cmocka_unit_test(an_odd_frequency_is_named),
		cmocka_unit_test(true_jumps_stay),
		cmocka_unit_test(an_idle_program_of_go_1_19_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
