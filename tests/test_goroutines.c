/*
 * What goroutines did, by function: against the sums of the index, which test_oracle compares
 * with Go's, and percentiles against a sort.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/go/assists.h"
#include "analysis/actors.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "golden.h"
#include "report/report.h"
#include "resulttesting.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "timestesting.h"
#include "tracetesting.h"

/* ---- durations */

static void
percentiles_equal_a_sort(void **state)
{
	(void)state;
	int64_t values[10] = { 50, 10, 40, 20, 30, 100, 70, 60, 90, 80 };
	struct spread spread = spread_of(values, 10, 0);
	assert_int_equal(spread.total_ns, 550);
	assert_int_equal(spread.mean_ns, 55);
	assert_int_equal(spread.p50_ns, 50);
	assert_int_equal(spread.p90_ns, 90);
	assert_int_equal(spread.p99_ns, 100);
	assert_int_equal(spread.max_ns, 100);
	/* Zeros come before all others: of twenty the tenth is the last of them. */
	spread = spread_of(values, 10, 10);
	assert_int_equal(spread.mean_ns, 27);
	assert_int_equal(spread.p50_ns, 0);
	assert_int_equal(spread.p90_ns, 80);
	int64_t one = 10;
	spread = spread_of(&one, 1, 0);
	assert_int_equal(spread.p50_ns, 10);
	assert_int_equal(spread.p99_ns, 10);
	spread = spread_of(values, 0, 5);
	assert_int_equal(spread.total_ns, 0);
	assert_int_equal(spread.max_ns, 0);
}

static int
compare(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

/* Every percentile is the least duration that so many are not above. */
static void
check_spread(const struct actor_times *times, const struct actor_function *function,
	uint32_t measure, const struct actor_spreads *all, int64_t *sorted)
{
	uint32_t longest = all->longest[measure];
	struct spread spread = all->spreads[measure];
	int64_t total_ns = 0;
	for (uint32_t i = 0; i < function->count; i++) {
		sorted[i] = actors_time(times, function->first + i, measure);
		total_ns += sorted[i];
	}
	assert_in_range(longest, function->first, function->first + function->count - 1);
	assert_int_equal(actors_time(times, longest, measure), spread.max_ns);
	qsort(sorted, function->count, sizeof(*sorted), compare);
	assert_int_equal(spread.total_ns, total_ns);
	assert_int_equal(spread.mean_ns, total_ns / function->count);
	assert_int_equal(spread.p50_ns, sorted[(function->count * 50 + 99) / 100 - 1]);
	assert_int_equal(spread.p90_ns, sorted[(function->count * 90 + 99) / 100 - 1]);
	assert_int_equal(spread.p99_ns, sorted[(function->count * 99 + 99) / 100 - 1]);
	assert_int_equal(spread.max_ns, sorted[function->count - 1]);
}

/* ---- goroutines */

static void
check_interval(const char *name, const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct actor_times times;
	struct error err = { 0 };
	uint32_t count = 0;
	struct actors_scope scope = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	assert_true(actors_build(&times, trace, &scope, &err));
	int64_t *sorted = array_new(times.row_count, sizeof(*sorted), &err);
	struct pieces assists;
	assert_true(assists_build(&assists, trace, NULL, &err));
	for (uint32_t i = 0; i < times.row_count; i++) {
		struct lane lane = { LANE_ACTOR, times.rows[i].actor };
		times_check_row(name, trace, &times, i, t0_ns, t1_ns);
		assert_int_equal(actors_time(&times, i, MEASURE_ASSISTING),
			pieces_time(&assists, lane, t0_ns, t1_ns));
	}
	pieces_release(&assists);
	times_check_order(trace, &times);
	for (uint32_t i = 0; i < times.function_count; i++) {
		const struct actor_function *function = &times.functions[i];
		count += function->count;
		struct actor_spreads all;
		assert_true(actors_spread(&times, function, &all, &err));
		for (uint32_t n = 0; n < MEASURE_REASONS + times.reason_count; n++)
			check_spread(&times, function, n, &all, sorted);
	}
	assert_int_equal(count, times.row_count);
	memory_free(sorted);
	actors_release(&times);
}

static void
check_trace(const char *name)
{
	struct trace *trace = testing_load(name);
	struct actor_times times;
	struct error err = { 0 };
	check_interval(name, trace, 0, trace->end_ns + 1);
	check_interval(name, trace, trace->end_ns / 3, trace->end_ns / 2);
	struct actors_scope scope = { .t1_ns = trace->end_ns + 1 };
	assert_true(actors_build(&times, trace, &scope, &err));
	assert_int_equal(times.row_count, trace_actor_count(trace));
	assert_int_equal(times.function_count, trace->group_count);
	actors_release(&times);
	trace_free(trace);
}

static void
sums_are_those_of_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

/* ---- printed */

static const struct {
	const char *name;
	enum report_format format;
	const char *report, *sort;
} forms[] = {
	{ "goroutines.txt", REPORT_AS_TEXT, "goroutines", NULL },
	{ "goroutines.csv", REPORT_AS_CSV, "goroutines", "ready" },
	{ "goroutines.json", REPORT_AS_JSON, "goroutines", NULL },
	{ "goroutines-p99.txt", REPORT_AS_TEXT, "goroutines", "p99" },
	{ "function.txt", REPORT_AS_TEXT, "function", NULL },
	{ "function.csv", REPORT_AS_CSV, "function", NULL },
	{ "function.json", REPORT_AS_JSON, "function", "-g" },
	{ "regions.txt", REPORT_AS_TEXT, "regions", "took" },
	{ "regions.csv", REPORT_AS_CSV, "regions", NULL },
	{ "region.txt", REPORT_AS_TEXT, "region", NULL },
	{ "region.csv", REPORT_AS_CSV, "region", "syscall" },
};

/* The name of the region that a trace mentions first. */
static string_id
first_region(const struct trace *trace)
{
	range_ref ref = 0;
	while (trace_range(trace, ref)->type != RANGE_REGION)
		ref++;
	return trace_range(trace, ref)->name;
}

/* As many rows as the index has states, and one after the other all of its life. */
static void
states_follow_each_other(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.26");
	struct report_options options = { .format = REPORT_AS_CSV };
	actor_ref goroutine = trace_find_actor(trace, 22);
	struct lane lane = { LANE_ACTOR, goroutine };
	struct text out = { 0 };
	struct error err = { 0 };
	int64_t at_ns = trace_actor(trace, goroutine)->first_ns;
	uint32_t rows = 0;
	(void)state;
	assert_true(report_actor_states(trace, goroutine, &options, &out, &err));
	for (const char *line = strchr(out.bytes, '\n') + 1; *line != '\0';
		line = strchr(line, '\n') + 1) {
		char *end;
		assert_int_equal(strtoll(line, &end, 10), at_ns);
		at_ns += strtoll(end + 1, NULL, 10);
		rows++;
	}
	assert_int_equal(at_ns, trace->end_ns);
	assert_int_equal(rows, lane_count(trace, lane, 0, trace->end_ns + 1));
	options = (struct report_options){
		.format = REPORT_AS_JSON, .sort = "for", .limit = 3
	};
	text_clear(&out);
	assert_true(report_actor_states(trace, goroutine, &options, &out, &err));
	golden_check("goroutine-states.json", &out);
	text_release(&out);
	trace_free(trace);
}

static void
forms_are_as_agreed(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .width_cells = 100, .limit = 2 };
	actor_ref server = trace_find_actor(trace, 57);
	assert_int_not_equal(server, REF_NONE);
	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
		string_id name = strcmp(forms[i].report, "region") == 0 ? first_region(trace)
									: trace_actor(trace, server)->name;
		struct text out = { 0 };
		struct error err = { 0 };
		options.format = forms[i].format;
		options.sort = forms[i].sort;
		assert_true(testing_result_with(forms[i].report, trace_text(trace, name, NULL),
			trace, &options, &out, &err));
		golden_check(forms[i].name, &out);
		text_release(&out);
	}
	trace_free(trace);
}

/* Where no state is of a class, nobody reads of it. */
static void
what_a_trace_cannot_tell_is_no_column(void **state)
{
	static const char *const none[] = { "assisting", "assist_ns", "sweep_ns", "ready_ns", ",ready,", "max_g" };
	static const char *const some[] = { "running_ns", "syscall_ns", "blocked_ns", ",blocked,", "max_task" };
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .format = REPORT_AS_CSV };
	struct words words = *trace->words;
	struct text out = { 0 };
	struct error err = { 0 };
	words.classes[CLASS_READY].name = words.classes[CLASS_WORKER].name = NULL;
	words.keys.id = "task";
	trace->words = &words;
	assert_true(testing_result("goroutines", trace, &options, &out, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++)
		assert_null(strstr(out.bytes, none[i]));
	for (size_t i = 0; i < ARRAY_LENGTH(some); i++)
		assert_non_null(strstr(out.bytes, some[i]));
	text_clear(&out);
	assert_true(testing_result("utilisation", trace, &options, &out, &err));
	text_add(&out, "", 1);
	assert_non_null(strstr(out.bytes, "start_ns,duration_ns,procs,running,syscalls\n"));
	text_clear(&out);
	assert_true(report_summary(trace, &options, &out, &err));
	text_add(&out, "", 1);
	assert_non_null(strstr(out.bytes, "alive_at_end,lost_places,lost_bytes,dropped_events\n"));
	assert_non_null(strstr(out.bytes, "function,count,running_ns,blocked_ns,syscall_ns\n"));
	text_release(&out);

	/* What waits need is that some are named. */
	assert_int_equal(analysis_has(trace) & (NEEDS_WAITS | NEEDS_READY | NEEDS_BLOCKED),
		NEEDS_WAITS | NEEDS_BLOCKED);
	memset(words.classes, 0, sizeof words.classes);
	assert_int_equal(analysis_has(trace) & (NEEDS_WAITS | NEEDS_SYSCALLS), 0);
	words.classes[CLASS_READY].name = "queued";
	assert_int_equal(analysis_has(trace) & (NEEDS_WAITS | NEEDS_READY | NEEDS_BLOCKED),
		NEEDS_WAITS | NEEDS_READY);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_equal_a_sort),
		cmocka_unit_test(sums_are_those_of_the_index),
		cmocka_unit_test(states_follow_each_other),
		cmocka_unit_test(forms_are_as_agreed),
		cmocka_unit_test(what_a_trace_cannot_tell_is_no_column),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
