/* A profile made while the trace is read is the one of the loaded trace. */
#include <string.h>

#include "alltraces.h"
#include "analysis/profile_stream.h"
#include "base_testing.h"
#include "gotrace/load.h"
#include "tracetesting.h"

struct asked {
	const char *name; /* of the trace */
	const void *bytes;
	size_t size;
	enum profile_kind kind;
	enum profile_rule rule;
};

static const struct go_read_options lenient = { .is_lenient = true };

/* The trace that goes with the profile, NULL where there is none. */
static struct trace *
stream(const struct asked *asked, struct profile *profile, struct error *err)
{
	struct input in;
	struct trace *trace = NULL;
	struct profile_stream *stream = profile_stream_new(asked->kind, asked->rule, err);
	if (stream == NULL || !input_open_memory(&in, asked->bytes, asked->size, err)) {
		profile_stream_free(stream);
		return NULL;
	}
	struct draft_taker taker = profile_stream_taker(stream);
	trace = go_load_past(&in, &lenient, &taker, err);
	if (trace != NULL && !profile_stream_finish(stream, trace, profile, err)) {
		trace_free(trace);
		trace = NULL;
	}
	profile_stream_free(stream);
	input_close(&in);
	return trace;
}

/* Entries are told by stacks, which have the same numbers in both traces. */
static void
check_profile(const struct asked *asked, const struct trace *whole)
{
	struct profile wanted, got;
	struct error err = { 0 };
	struct profile_scope scope = profile_whole(whole);
	scope.rule = asked->rule;
	assert_true(profile_build(&wanted, whole, asked->kind, &scope, &err));
	struct trace *trace = stream(asked, &got, &err);
	if (trace == NULL)
		fail_msg("%s: %s", asked->name, err.message);
	assert_int_equal(trace->segments.count, 0);
	assert_int_equal(trace->event_count, whole->event_count);
	assert_int_equal(trace->damage.count, whole->damage.count);
	assert_int_equal(stack_count(&trace->stacks), stack_count(&whole->stacks));
	bool is_same = got.kind == wanted.kind && got.count == wanted.count && got.ns == wanted.ns &&
		       got.entry_count == wanted.entry_count;
	for (uint32_t i = 0; is_same && i < got.entry_count; i++)
		is_same = got.entries[i].stack == wanted.entries[i].stack &&
			  got.entries[i].count == wanted.entries[i].count &&
			  got.entries[i].ns == wanted.entries[i].ns;
	if (!is_same)
		fail_msg("%s, %s: %lld ns in %u stacks, should be %lld in %u", asked->name,
			profile_name(asked->kind), (long long)got.ns, got.entry_count,
			(long long)wanted.ns, wanted.entry_count);
	profile_release(&wanted);
	profile_release(&got);
	trace_free(trace);
}

static void
check_bytes(const char *name, const void *bytes, size_t size)
{
	struct asked asked = { .name = name, .bytes = bytes, .size = size };
	struct error err = { 0 };
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *whole = go_load(&in, &lenient, &err);
	input_close(&in);
	if (whole == NULL) {
		struct error same = { 0 };
		struct profile none;
		assert_null(stream(&asked, &none, &same));
		assert_string_equal(same.message, err.message);
		return;
	}
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		for (int rule = PROFILE_STACKED; rule <= PROFILE_EXACT; rule++) {
			asked.kind = (enum profile_kind)kind;
			asked.rule = (enum profile_rule)rule;
			check_profile(&asked, whole);
		}
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

static struct asked scarce = { .name = "tasks-go1.23", .kind = PROFILE_SCHED };

static bool
attempt(struct error *err)
{
	struct profile profile;
	struct trace *trace = stream(&scarce, &profile, err);
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
	testing_read(testing_path(scarce.name, ".trace"), &bytes);
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
