/*
 * A few changed bytes do not make a trace longer: of small traces of every version single
 * bytes are changed, and eight at once, at seeded places. TTRACE_PLACES says how many of each
 * a trace gets, TTRACE_SEED chooses others, TTRACE_TRACES names a folder with more traces.
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

#include "base/memory.h"
#include "damagecheck.h"
#include "gotrace/load.h"
#include "input/input.h"
#include "tracetesting.h"

enum { PLACES = 12, BYTES_AT_ONCE = 8, LONGER_PERCENT = 10 };

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

static bool
names_frequency(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->damage.count; i++) {
		if (strstr(trace->damage.rows[i].first.message, "clock frequency") != NULL)
			return true;
	}
	return false;
}

static void
try_changed(const char *name, const uint8_t *bytes, size_t size, int64_t whole_ns, unsigned count,
	uint64_t *random)
{
	uint8_t *changed = memory_realloc(NULL, size);
	char what[200] = "";
	assert_non_null(changed);
	memcpy(changed, bytes, size);
	for (unsigned i = 0; i < count; i++) {
		size_t place = next_random(random) % size;
		changed[place] ^= (uint8_t)(1 + next_random(random) % 255);
		size_t used = strlen(what);
		snprintf(what + used, sizeof(what) - used, " %zu:%u", place, changed[place]);
	}
	struct trace *trace = load(changed, size);
	sums.tried++;
	sums.unusable += trace == NULL;
	if (trace != NULL) {
		int64_t longest_ns = whole_ns + whole_ns * LONGER_PERCENT / 100;
		const char *problem = damage_map_problem(&trace->damage, size);
		if (problem != NULL)
			fail_msg("%s,%s: %s", name, what, problem);
		sums.named += trace->damage.count > 0;
		sums.exempt += names_frequency(trace);
		if (trace->end_ns > longest_ns && !names_frequency(trace)) {
			sums.too_long++;
			print_error("%s,%s: %lld ns instead of %lld\n", name, what,
				(long long)trace->end_ns, (long long)whole_ns);
		}
	}
	trace_free(trace);
	memory_free(changed);
}

static void
try_file(const char *name, const char *path)
{
	struct text bytes = { 0 };
	uint64_t random = number_of("TTRACE_SEED", 1);
	testing_read(path, &bytes);
	struct trace *whole = load((const uint8_t *)bytes.bytes, bytes.length);
	assert_non_null(whole);
	if (whole->damage.count > 0)
		fail_msg("%s is damaged before anything was done to it: %s", name,
			whole->damage.rows[0].first.message);
	for (unsigned i = 0; i < number_of("TTRACE_PLACES", PLACES); i++) {
		try_changed(name, (const uint8_t *)bytes.bytes, bytes.length, whole->end_ns, 1,
			&random);
		try_changed(name, (const uint8_t *)bytes.bytes, bytes.length, whole->end_ns,
			BYTES_AT_ONCE, &random);
	}
	trace_free(whole);
	text_release(&bytes);
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
	print_message("%u tried, %u unusable, %u of which damage is named, %u by frequency, "
		"%u too long\n", sums.tried, sums.unusable, sums.named, sums.exempt, sums.too_long);
	assert_int_equal(sums.too_long, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_bytes_make_no_trace_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
