/* What is printed of slices: the table by name, of all, an interval, one actor, and of none. */
#include "base_testing.h"

#include <string.h>

#include "report/slices.h"
#include "trace/builder.h"
#include "trace/slices.h"
#include "trace/trace.h"
#include "trace/words.h"

struct test {
	struct trace *trace;
	struct report_options options;
	struct text out;
};

static string_id
name(struct test *test, const char *text)
{
	struct error err;
	string_id id;

	assert_true(intern_add(&test->trace->strings, text, strlen(text), &id, &err));
	return id;
}

struct told {
	uint32_t actor, depth;
	int64_t start_ns, end_ns, took_ns;
	const char *name;
	uint8_t flags;
};

/* In the order of a walk through a tree: what is beneath follows what it is beneath. */
static const struct told calls[] = {
	{ 0, 0, 0, 1000, 1000, "read", 0 },
	{ 0, 1, 100, 400, 300, "lock", 0 },
	{ 0, 2, 150, 250, 100, "spin", 0 },
	{ 0, 1, 500, 700, 200, "lock", 0 },
	{ 0, 0, 2000, 3000, 990, "read", 0 },
	{ 0, 1, 2000, 3000, 995, "copy", 0 }, /* more than what it is in: coarse clock */
	{ 0, 0, 4000, 5000, 1000, "read", SLICE_CUT },
	{ 0, 1, 4100, 4200, 100, "lock", 0 },
	{ 1, 0, 100, 600, 500, "read", SLICE_BEGAN_BEFORE },
	{ 1, 1, 200, 300, 100, "copy;all", 0 },
	{ 1, 0, 4500, 5000, 500, "read", SLICE_OPEN },
};

static void
make(struct test *test, bool has_slices)
{
	struct error err = { 0 };
	track_ref track;
	actor_ref actor;

	*test = (struct test){ .trace = trace_new(&err) };
	assert_non_null(test->trace);
	test->options = (struct report_options){ .width_cells = 100, .ascii = true };
	struct builder *builder = builder_new(test->trace, &err);
	assert_non_null(builder);
	assert_true(builder_event(builder, 0, &err));
	assert_true(builder_actor(builder, 7, &actor, &err) &&
		builder_name(builder, actor, name(test, "cat"), &err));
	assert_true(builder_actor(builder, 8, &actor, &err) &&
		builder_name(builder, actor, name(test, "sh"), &err));
	assert_true(builder_event(builder, 5000, &err) && builder_finish(builder, &err));
	builder_free(builder);
	if (!has_slices)
		return;
	struct slices *slices = slices_new(&err);
	assert_non_null(slices);
	for (size_t i = 0; i < ARRAY_LENGTH(calls); i++) {
		const struct told *call = &calls[i];

		assert_true(slices_track(slices, TRACK_OF_ACTOR, call->actor, name(test, "calls"),
			&track, &err));
		assert_true(slices_begin(slices, track, call->depth, call->start_ns,
			name(test, call->name), &err));
		assert_true(call->flags == SLICE_OPEN ||
			slices_end(slices, track, call->depth,
				(struct slice_end){ call->end_ns, call->took_ns, call->flags }, &err));
	}
	assert_true(slices_freeze(slices, 5000, &err));
	test->trace->slices = slices;
}

static void
end(struct test *test)
{
	text_release(&test->out);
	trace_free(test->trace);
}

static const char *
table_of(struct test *test, actor_ref actor)
{
	struct error err = { 0 };

	text_clear(&test->out);
	if (!report_slices(test->trace, actor, &test->options, &test->out, &err))
		fail_msg("%s", err.message);
	return text_string(&test->out);
}

#define TITLES                                                                                     \
	"name,calls,total_ns,self_ns,longest_ns,shortest_ns,p50_ns,p90_ns,p99_ns,partial\n"

static void
rows_are_the_sums(void **state)
{
	struct test test;

	(void)state;
	make(&test, true);
	test.options.format = REPORT_AS_CSV;
	assert_string_equal(table_of(&test, REF_NONE),
		TITLES "read,3,2490,500,1000,500,990,1000,1000,2\n"
		       "copy,1,995,995,995,995,995,995,995,0\n"
		       "lock,3,600,500,300,100,200,300,300,0\n"
		       "spin,1,100,100,100,100,100,100,100,0\n"
		       "copy;all,1,100,100,100,100,100,100,100,0\n");
	assert_string_equal(table_of(&test, 1),
		TITLES "read,1,500,0,500,500,500,500,500,1\n"
		       "copy;all,1,100,100,100,100,100,100,100,0\n");
	test.options.limit = 1;
	test.options.sort = "-name";
	assert_string_equal(table_of(&test, REF_NONE),
		TITLES "spin,1,100,100,100,100,100,100,100,0\n");
	test.options.sort = NULL;
	test.options.has_interval = true;
	test.options.t0_ns = 450;
	test.options.t1_ns = 550;
	assert_string_equal(
		table_of(&test, 0), TITLES "read,1,1000,500,1000,1000,1000,1000,1000,0\n");
	end(&test);
}

/* A name of which no call ended has no times. */
static void
text_and_json_say_the_same(void **state)
{
	struct test test;

	(void)state;
	make(&test, true);
	test.options.has_interval = true;
	test.options.t0_ns = 4000;
	test.options.t1_ns = 4150;
	test.options.format = REPORT_AS_JSON;
	assert_string_equal(table_of(&test, 0),
		"{\"table\":\"slices\",\"name\":\"lock\",\"calls\":1,\"total_ns\":100,"
		"\"self_ns\":100,\"longest_ns\":100,\"shortest_ns\":100,\"p50_ns\":100,"
		"\"p90_ns\":100,\"p99_ns\":100,\"partial\":0}\n"
		"{\"table\":\"slices\",\"name\":\"read\",\"calls\":0,\"total_ns\":null,"
		"\"self_ns\":null,\"longest_ns\":null,\"shortest_ns\":null,\"p50_ns\":null,"
		"\"p90_ns\":null,\"p99_ns\":null,\"partial\":1}\n");
	test.options.format = REPORT_AS_TEXT;
	const char *text = table_of(&test, 0);
	assert_non_null(strstr(text, "lock"));
	assert_non_null(strstr(text, "actor"));
	assert_non_null(strstr(text, "100 ns"));
	assert_null(strstr(text, "goroutine"));
	end(&test);
}

static void
a_trace_without_slices_says_so(void **state)
{
	struct test test;

	(void)state;
	make(&test, false);
	assert_non_null(strstr(table_of(&test, REF_NONE), "The trace has no slices."));
	test.options.format = REPORT_AS_CSV;
	assert_string_equal(table_of(&test, REF_NONE), TITLES);
	end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_the_sums),
		cmocka_unit_test(text_and_json_say_the_same),
		cmocka_unit_test(a_trace_without_slices_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
