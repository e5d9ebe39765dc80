/* Simulated traces of the form before Go 1.22 are read as the simulation says. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "v1sim.h"
#include "v1testing.h"

/* The lines without the Syncs around them. */
static void
drop_syncs(struct text *lines)
{
	size_t first = strcspn(lines->bytes, "\n") + 1, last = lines->length - 1;
	while (last > first && lines->bytes[last - 1] != '\n')
		last--;
	memmove(lines->bytes, lines->bytes + first, last - first);
	lines->length = last - first;
	lines->bytes[lines->length] = '\0';
}

static void
fail_at_difference(const char *name, const char *got, const char *wanted)
{
	size_t line = 0;
	for (size_t i = 0; got[i] == wanted[i]; i++)
		line = got[i] == '\n' ? i + 1 : line;
	fail_msg("%s: got\n%.*s\nwanted\n%.*s", name, (int)strcspn(got + line, "\n"), got + line,
	         (int)strcspn(wanted + line, "\n"), wanted + line);
}

static void
check_seed(uint64_t seed, unsigned minor, unsigned events)
{
	struct text trace = { 0 }, wanted = { 0 };
	struct v1_reading got = { 0 };
	char name[80];
	snprintf(name, sizeof(name), "go 1.%u, seed %" PRIu64, minor, seed);
	assert_true(v1sim_make(seed, minor, events, &trace, &wanted));
	v1_read_bytes(&got, trace.bytes, trace.length);
	if (got.err.kind != ERROR_NONE)
		fail_msg("%s: %s", name, got.err.message);
	assert_int_equal(got.sync_count, 2);
	drop_syncs(&got.lines);
	if (strcmp(got.lines.bytes, wanted.bytes) != 0)
		fail_at_difference(name, got.lines.bytes, wanted.bytes);
	v1_reading_release(&got);
	text_release(&trace);
	text_release(&wanted);
}

static void
simulated_traces_are_read(void **state)
{
	static const unsigned minors[] = { 11, 19, 21 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(minors); i++) {
		for (uint64_t seed = 1; seed <= 40; seed++)
			check_seed(seed, minors[i], seed < 20 ? 60 : 800);
	}
	check_seed(1000, 21, 30000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simulated_traces_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
