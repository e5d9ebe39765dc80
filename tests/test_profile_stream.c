/* A profile made while the trace is read is the one of the loaded trace. */
#include <string.h>

#include "alltraces.h"
#include "base_testing.h"
#include "passing.h"
#include "source/go/load.h"
#include "tracetesting.h"

static void
check_without_trace(const struct passing *passing, const struct error *err)
{
	struct error same = { 0 };
	struct profile none;
	assert_null(passing_load(passing, &none, &same));
	assert_string_equal(same.message, err->message);
}

static void
check_bytes(const char *name, const void *bytes, size_t size)
{
	struct passing passing = { bytes, size, { .is_lenient = true }, PROFILE_NET, PROFILE_STACKED,
		false };
	struct error err = { 0 };
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *whole = go_load(&in, &passing.options, &err);
	input_close(&in);
	if (whole == NULL) {
		check_without_trace(&passing, &err);
		return;
	}
	for (int i = 0; i < PROFILE_KIND_COUNT * 4; i++) {
		passing.kind = (enum profile_kind)(i / 4);
		passing.rule = (enum profile_rule)(i % 3);
		passing.with_runtime = i % 4 == 0;
		const char *problem = passing_problem(&passing, whole);
		if (problem != NULL)
			fail_msg("%s, %s: %s", name, profile_name(passing.kind), problem);
	}
	trace_free(whole);
}

static void
check_file(const char *name)
{
	alltraces_file(name, check_bytes);
}

static void
profiles_are_those_of_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_file);
}

static void
profiles_of_simulated_traces_are_those_of_the_index(void **state)
{
	(void)state;
	alltraces_simulated(check_bytes);
}

static void
profiles_of_damaged_traces_are_those_of_the_index(void **state)
{
	(void)state;
	alltraces_damaged(check_bytes);
}

/* ---- without memory */

static const char scarce_name[] = "tasks-go1.23";
static struct passing scarce = { .options = { .is_lenient = true }, .kind = PROFILE_SCHED };

static bool
attempt(struct error *err)
{
	struct profile profile;
	struct trace *trace = passing_load(&scarce, &profile, err);
	if (trace == NULL)
		return false;
	profile_release(&profile);
	trace_free(trace);
	return true;
}

static void
want_of_memory_is_an_error(void **state)
{
	struct text bytes = { 0 };
	(void)state;
	testing_read(testing_path(scarce_name, ".trace"), &bytes);
	scarce.bytes = bytes.bytes;
	scarce.size = bytes.length;
	fail_each_allocation("a profile of what goes by", attempt);
	text_release(&bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_are_those_of_the_index),
		cmocka_unit_test(profiles_of_simulated_traces_are_those_of_the_index),
		cmocka_unit_test(profiles_of_damaged_traces_are_those_of_the_index),
		cmocka_unit_test(want_of_memory_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
