/*
 * What is printed of slices: the table by name, and profiles of their own time. Of all, an interval,
 * one actor, and of none.
 */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slice_times.h"
#include "graphtesting.h"
#include "jsonread.h"
#include "oraclefile.h"
#include "query/search.h"
#include "query/watch.h"
#include "report/critical.h"
#include "report/flamegraph.h"
#include "report/pprof.h"
#include "report/profile.h"
#include "resulttesting.h"
#include "trace/builder.h"
#include "trace/slices.h"
#include "trace/trace.h"
#include "trace/words.h"
#include "tracetesting.h"
#include "view/analyses.h"
#include "view/profile_page.h"

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
static const struct told few[] = {
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
make_trace(struct test *test)
{
	struct error err = { 0 };
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
}

static void
make(struct test *test)
{
	struct error err = { 0 };
	track_ref track;

	make_trace(test);
	struct slices *slices = slices_new(&err);
	assert_non_null(slices);
	for (size_t i = 0; i < ARRAY_LENGTH(few); i++) {
		const struct told *call = &few[i];

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
	if (!testing_result_of("slices", test->trace, actor, &test->options, &test->out, &err))
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
	make(&test);
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
/* Those that a query finds, as --find lists them; what is beneath them is not their own all the same. */
static void
a_query_leaves_what_matches(void **state)
{
	static const struct {
		const char *query, *rows;
	} queries[] = {
		{ "name=lock", "lock,3,600,500,300,100,200,300,300,0\n" },
		{ "dur<300ns", "lock,2,300,300,200,100,100,200,200,0\n"
			       "spin,1,100,100,100,100,100,100,100,0\n"
			       "copy;all,1,100,100,100,100,100,100,100,0\n" },
		{ "name=read depth=0 actor=7", "read,2,1990,500,1000,990,990,1000,1000,1\n" },
		{ "state=running", "" },
	};
	struct test test;
	struct text wanted = { 0 };
	struct error err = { 0 };

	(void)state;
	make(&test);
	test.options.format = REPORT_AS_CSV;
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct search *only = search_new(test.trace, queries[i].query, &err);

		assert_non_null(only);
		test.options.only = only;
		text_clear(&wanted);
		text_format(&wanted, "%s%s", TITLES, queries[i].rows);
		check_text(queries[i].query, table_of(&test, REF_NONE), text_string(&wanted));
		search_free(only);
	}
	text_release(&wanted);
	end(&test);
}

static void
text_and_json_say_the_same(void **state)
{
	struct test test;

	(void)state;
	make(&test);
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
	make_trace(&test);
	assert_non_null(strstr(table_of(&test, REF_NONE), "The trace has no slices."));
	test.options.format = REPORT_AS_CSV;
	assert_string_equal(table_of(&test, REF_NONE), TITLES);
	end(&test);
}

/* ---- profiles */

static struct profile_request
request_of(const struct test *test)
{
	return (struct profile_request){
		.kind = PROFILE_SLICES, .scope = profile_whole(test->trace) };
}

static const char *
print(struct test *test, const struct profile_request *request,
	bool (*report)(const struct trace *trace, const struct profile_request *request,
		const struct report_options *options, struct text *out, struct error *err))
{
	struct error err = { 0 };

	text_clear(&test->out);
	if (!report(test->trace, request, &test->options, &test->out, &err))
		fail_msg("%s", err.message);
	return text_string(&test->out);
}

static void
stacks_are_what_slices_are_in(void **state)
{
	struct test test;

	(void)state;
	make(&test);
	struct profile_request request = request_of(&test);
	assert_string_equal(print(&test, &request, report_folded),
		"cat;read 500\ncat;read;copy 995\ncat;read;lock 500\ncat;read;lock;spin 100\n"
		"sh;read;copy:all 100\n");
	request.scope.actor = 1;
	assert_string_equal(print(&test, &request, report_folded), "sh;read;copy:all 100\n");
	request.scope.actor = REF_NONE;
	request.focus = "lock";
	assert_string_equal(print(&test, &request, report_folded),
		"cat;read;lock 500\ncat;read;lock;spin 100\n");
	request.ignore = "spin";
	request.is_inverted = true;
	assert_string_equal(print(&test, &request, report_folded), "lock;read;cat 500\n");
	request = request_of(&test);
	request.scope.t0_ns = 450;
	request.scope.t1_ns = 550;
	assert_string_equal(print(&test, &request, report_folded), "cat;read 500\ncat;read;lock 200\n");
	end(&test);
}

static void
all_forms_of_a_profile_take_them(void **state)
{
	struct test test;
	const char *missing;

	(void)state;
	make(&test);
	struct profile_request request = request_of(&test);
	const char *text = print(&test, &request, report_top);
	assert_non_null(strstr(text, "Type: time\n"));
	assert_non_null(strstr(text, "2195ns, 100% of 2195ns total"));
	assert_non_null(strstr(text, "     995ns 45.33% 45.33%      995ns 45.33%  copy\n"));
	assert_non_null(strstr(text, "     2195ns   100%  read\n"));
	assert_non_null(strstr(text, "        0     0%   100%      100ns  4.56%  sh\n"));
	text = print(&test, &request, report_tree);
	assert_non_null(strstr(text, "event 'slices'"));
	assert_non_null(strstr(text, "[.] spin"));
	text = print(&test, &request, report_flamegraph);
	assert_non_null(strstr(text, "Own time of slices"));
	assert_non_null(strstr(text, "copy;all"));
	if (report_pprof_is_available(&missing))
		assert_true(strlen(print(&test, &request, report_pprof)) > 0);
	test.options.format = REPORT_AS_CSV;
	request.is_inverted = true;
	assert_string_equal(print(&test, &request, report_tree),
		"depth,ns,self_ns,percent,function\n"
		"1,2095,0,95.4441913,cat\n2,2095,500,95.4441913,read\n"
		"3,995,995,45.3302961,copy\n3,600,500,27.3348519,lock\n"
		"4,100,100,4.55580866,spin\n1,100,0,4.55580866,sh\n"
		"2,100,0,4.55580866,read\n3,100,100,4.55580866,copy;all\n");
	end(&test);
}

static void
a_page_of_their_profile_has_the_same_numbers(void **state)
{
	struct test test;
	struct error err = { 0 };

	(void)state;
	make(&test);
	struct analysis_work work = {
		.trace = test.trace,
		.scope = { .is_all = true, .actor = REF_NONE, .task = REF_NONE },
	};
	void *request = top_kind.read("slices", 0, &err);
	work.parameter = request;
	assert_non_null(request);
	struct profile_numbers *numbers = profile_analysis.build(&work, &err);
	assert_non_null(numbers);
	assert_int_equal(numbers->whole, 2195);
	assert_int_equal(numbers->top->column_count, 5);
	size_t length;
	const char *first = intern_text(
		numbers->top->own_texts, (string_id)*figures_cell(numbers->top, 0, 0, 0), &length);
	assert_true(length == 4 && memcmp(first, "copy", 4) == 0);
	assert_int_equal(*figures_cell(numbers->top, 0, 0, 1), 995);
	profile_analysis.release(numbers);
	top_kind.forget(request);
	end(&test);
}

static void
without_slices_there_is_no_profile(void **state)
{
	struct test test;
	struct error err = { 0 };

	(void)state;
	make_trace(&test);
	struct profile_request request = request_of(&test);
	assert_false(report_folded(test.trace, &request, &test.options, &test.out, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.message, "the trace has no slices"));
	end(&test);
}

/* ---- against a naive sum */

enum { CALLS = 300, NAMES = 4, DEPTHS = 5, PATH = 64 };

struct naive {
	int64_t took_ns, beneath_ns;
	char path[PATH];
	uint8_t flags;
};

/* Random calls; what they are in is known from the order in which they are told. */
static size_t
make_random(struct test *test, uint64_t seed, struct naive *calls)
{
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	uint64_t random = seed;
	size_t count = 0;

	make_trace(test);
	for (uint32_t actor = 0; actor < 2; actor++) {
		size_t open[DEPTHS];
		uint32_t depth = 0;
		int64_t t_ns = 0;
		track_ref track;

		assert_true(slices_track(slices, TRACK_OF_ACTOR, actor, 0, &track, &err));
		for (int i = 0; i < CALLS || depth > 0; i++) {
			if (i < CALLS && depth < DEPTHS && (depth == 0 || random_below(&random, 2) == 0)) {
				char own[] = { (char)('a' + random_below(&random, NAMES)), '\0' };
				struct naive *call = &calls[count];

				*call = (struct naive){ 0 };
				snprintf(call->path, sizeof call->path, "%.40s;%s",
					depth > 0 ? calls[open[depth - 1]].path
					: actor == 0 ? "cat" : "sh", own);
				t_ns += 1 + (int64_t)random_below(&random, 5);
				assert_true(slices_begin(
					slices, track, depth, t_ns, name(test, own), &err));
				open[depth++] = count++;
				continue;
			}
			struct naive *call = &calls[open[--depth]];

			call->took_ns = (int64_t)random_below(&random, 20);
			call->flags = (uint8_t)(random_below(&random, 4) == 0
							? 1 << random_below(&random, 3) : 0);
			if (depth > 0 && (call->flags & (SLICE_OPEN | SLICE_CUT)) == 0)
				calls[open[depth - 1]].beneath_ns += call->took_ns;
			t_ns += (int64_t)random_below(&random, 4);
			assert_true(slices_end(slices, track, depth,
				(struct slice_end){ t_ns, call->took_ns, call->flags }, &err));
		}
	}
	assert_true(slices_freeze(slices, 100000, &err));
	test->trace->slices = slices;
	return count;
}

static int64_t
naive_self(const struct naive *calls, size_t count, const char *path, size_t length)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		if (calls[i].flags == 0 && calls[i].took_ns > calls[i].beneath_ns &&
			(path == NULL || (strlen(calls[i].path) == length &&
						 memcmp(calls[i].path, path, length) == 0)))
			sum_ns += calls[i].took_ns - calls[i].beneath_ns;
	return sum_ns;
}

static void
folded_stacks_sum_to_own_time(void **state)
{
	static struct naive calls[2 * CALLS];

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct error err = { 0 };
		struct slice_times times;
		struct test test;
		int64_t folded_ns = 0, table_ns = 0;
		size_t count = make_random(&test, seed, calls);
		struct slice_times_scope scope = slice_times_scope_of(test.trace->slices, REF_NONE);
		struct profile_request request = request_of(&test);

		request.scope.t1_ns = INT64_MAX;
		for (const char *line = print(&test, &request, report_folded); *line != '\0';
			line = strchr(line, '\n') + 1) {
			size_t length = strcspn(line, " ");
			int64_t ns = strtoll(line + length, NULL, 10);

			assert_int_equal(ns, naive_self(calls, count, line, length));
			folded_ns += ns;
		}
		assert_true(slice_times_build(&times, test.trace->slices, &scope, NULL, &err));
		for (size_t i = 0; i < times.count; i++)
			table_ns += times.rows[i].self_ns;
		slice_times_release(&times);
		assert_true(folded_ns > 0);
		assert_int_equal(folded_ns, table_ns);
		assert_int_equal(folded_ns, naive_self(calls, count, NULL, 0));
		end(&test);
	}
}

/* ---- when something goes wrong */

static struct test shared;

static bool
print_all(struct error *err)
{
	struct profile_request request = request_of(&shared);
	struct text out = { 0 };
	bool is_fine =
		testing_result_of("slices", shared.trace, REF_NONE, &shared.options, &out, err) &&
		report_top(shared.trace, &request, &shared.options, &out, err) &&
		report_tree(shared.trace, &request, &shared.options, &out, err) &&
		report_folded(shared.trace, &request, &shared.options, &out, err) &&
		report_flamegraph(shared.trace, &request, &shared.options, &out, err);
	bool is_whole = !out.failed;

	text_release(&out);
	return is_fine && (is_whole || error_set_memory(err, "what is printed"));
}

static void
want_of_memory_is_an_error(void **state)
{
	(void)state;
	make(&shared);
	assert_true(fail_each_allocation("slices in print", print_all) > 40);
	end(&shared);
}

static void
who_gives_up_gets_no_profile(void **state)
{
	struct test test;
	struct profile profile;
	struct error err = { 0 };
	struct search_watch watch = { .is_cancelled = true };

	(void)state;
	make(&test);
	struct profile_request request = request_of(&test);
	request.scope.watch = &watch;
	assert_false(profile_build(&profile, test.trace, PROFILE_SLICES, &request.scope, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	end(&test);
}

/* ---- against the oracles of function_graph inputs */

static void
read_file(const char *input, const char *ending, struct text *out)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/function_graph/%s%s", getenv("TTRACE_TESTDATA"), input, ending);
	*out = (struct text){ 0 };
	assert_true(oraclefile_read(path, out));
}

/* The tasks and slices of an input as a trace; the graph gives them away. */
static void
make_of(struct test *test, struct fgraph *graph)
{
	struct error err = { 0 };
	actor_ref actor;

	*test = (struct test){ .trace = trace_new(&err) };
	assert_non_null(test->trace);
	test->options = (struct report_options){ .width_cells = 100, .ascii = true };
	intern_release(&test->trace->strings);
	test->trace->strings = graph->strings;
	graph->strings = (struct intern){ 0 };
	struct builder *builder = builder_new(test->trace, &err);
	assert_non_null(builder);
	assert_true(builder_event(builder, 0, &err));
	for (size_t i = 0; i < graph->task_count; i++)
		assert_true(builder_actor(builder, (int64_t)i + 1, &actor, &err) && actor == i &&
			(graph->tasks[i].name == STRING_EMPTY ||
				builder_name(builder, actor, graph->tasks[i].name, &err)));
	assert_true(builder_event(builder, graph->end_ns, &err) && builder_finish(builder, &err));
	builder_free(builder);
	test->trace->slices = graph->slices;
	graph->slices = NULL;
}

/* "null" is 0: the oracle has 0 where no call ended. */
static int64_t
number_of(struct jsonslice object, const char *key)
{
	struct jsonslice value;

	if (!jsonread_find(object, key, &value))
		fail_msg("%s is missing", key);
	return jsonslice_number(value);
}

static void
check_row(const char *input, struct jsonslice row, struct jsonslice functions)
{
	static const char *const keys[][2] = { { "calls", "calls" }, { "total_ns", "total_ns" },
		{ "self_ns", "self_ns" }, { "shortest_ns", "min_ns" }, { "longest_ns", "max_ns" },
		{ "partial", "partial" } };
	struct jsonslice name, wanted;
	char key[200];

	assert_true(jsonread_find(row, "name", &name) && name.length > 2);
	snprintf(key, sizeof key, "%.*s", (int)name.length - 2, name.bytes + 1);
	if (!jsonread_find(functions, key, &wanted))
		fail_msg("%s: the oracle has no %s", input, key);
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (number_of(row, keys[i][0]) != number_of(wanted, keys[i][1]))
			fail_msg("%s: %s of %s is %" PRId64 ", not %" PRId64, input, keys[i][0], key,
				number_of(row, keys[i][0]), number_of(wanted, keys[i][1]));
}

static void
numbers_are_those_of_the_oracles(void **state)
{
	static const char *const inputs[] = { "abstime-proc", "cut", "latency", "lost", "plain",
		"retval-args", "trace-cmd" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input, json;
		struct fgraph graph;
		struct error err = { 0 };
		struct test test;
		struct jsonslice functions, name, value;
		int64_t folded_ns = 0;
		size_t rows = 0, wanted = 0;

		read_file(inputs[i], ".txt", &input);
		read_file(inputs[i], ".oracle.json", &json);
		struct jsonslice oracle = { json.bytes, json.length };
		assert_true(graphtesting_read(&graph, input.bytes, input.length, 0, &err));
		make_of(&test, &graph);
		assert_true(jsonread_find(oracle, "functions", &functions));
		test.options.format = REPORT_AS_JSON;
		for (const char *line = table_of(&test, REF_NONE); *line != '\0';
			line = strchr(line, '\n') + 1, rows++)
			check_row(inputs[i], (struct jsonslice){ line, strcspn(line, "\n") }, functions);
		struct jsonread in = jsonread_over(functions);
		while (jsonread_member(&in, &name, &value))
			wanted++;
		assert_int_equal(rows, wanted);

		struct profile_request request = request_of(&test);
		for (const char *line = print(&test, &request, report_folded); *line != '\0';
			line = strchr(line, '\n') + 1) {
			const char *number = strchr(line, '\n');

			while (number[-1] != ' ') /* names may hold blanks */
				number--;
			folded_ns += strtoll(number, NULL, 10);
		}
		assert_int_equal(folded_ns, number_of(oracle, "sum_self_ns"));
		end(&test);
		fgraph_release(&graph);
		text_release(&input);
		text_release(&json);
	}
}

/* Actors run on nothing; a task is called as the trace calls it. */
static void
a_path_needs_no_processors(void **state)
{
	static const struct words words = { .source = "plain", .actor = { "call", "calls", '\0' },
		.task = { "packet", "packets", '\0' } };
	struct test test;
	struct error err = { 0 };

	(void)state;
	make(&test);
	test.trace->words = &words;
	assert_true(report_critical(test.trace, 0, REF_NONE, &test.options, &test.out, &err));
	assert_non_null(strstr(text_string(&test.out), "call 7 cat"));
	assert_null(strstr(text_string(&test.out), "(null)"));
	end(&test);
	test.trace = testing_load("tasks-go1.23");
	test.trace->words = &words;
	test.out = (struct text){ 0 };
	assert_true(report_critical(test.trace, REF_NONE, 0, &test.options, &test.out, &err));
	assert_non_null(strstr(text_string(&test.out), "Critical path of packet "));
	end(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_the_sums),
		cmocka_unit_test(a_query_leaves_what_matches),
		cmocka_unit_test(text_and_json_say_the_same),
		cmocka_unit_test(a_trace_without_slices_says_so),
		cmocka_unit_test(stacks_are_what_slices_are_in),
		cmocka_unit_test(all_forms_of_a_profile_take_them),
		cmocka_unit_test(a_page_of_their_profile_has_the_same_numbers),
		cmocka_unit_test(without_slices_there_is_no_profile),
		cmocka_unit_test(folded_stacks_sum_to_own_time),
		cmocka_unit_test(want_of_memory_is_an_error),
		cmocka_unit_test(who_gives_up_gets_no_profile),
		cmocka_unit_test(a_path_needs_no_processors),
		cmocka_unit_test(numbers_are_those_of_the_oracles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
