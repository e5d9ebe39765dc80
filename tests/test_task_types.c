/* Tasks by type: against a look at all tasks for each type. */
#include <stdlib.h>

#include "analysis/task_index.h"
#include "analysis/task_types.h"
#include "base_testing.h"
#include "golden.h"
#include "query/search.h"
#include "resulttesting.h"
#include "trace/task_times.h"
#include "tracetesting.h"

static int
compare(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

static bool
is_of(const struct trace *trace, task_ref ref, string_id name, int64_t t0_ns, int64_t t1_ns)
{
	return trace_task(trace, ref)->name == name && task_start_ns(trace, ref) < t1_ns &&
	       task_end_ns(trace, ref) >= t0_ns;
}

static void
check_type(const struct trace *trace, const struct task_type *type, int64_t t0_ns, int64_t t1_ns)
{
	int64_t *durations_ns = calloc(trace->tasks.count, sizeof *durations_ns), total_ns = 0;
	uint32_t count = 0, complete = 0;
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		if (!is_of(trace, i, type->name, t0_ns, t1_ns))
			continue;
		count++;
		if (task->began_before || task->end_ns == TIME_OPEN)
			continue;
		durations_ns[complete++] = task->end_ns - task->start_ns;
		total_ns += task->end_ns - task->start_ns;
	}
	assert_int_equal(type->count, count);
	assert_int_equal(type->complete, complete);
	assert_int_equal(type->spread.total_ns, total_ns);
	if (complete > 0) {
		qsort(durations_ns, complete, sizeof *durations_ns, compare);
		assert_int_equal(type->spread.mean_ns, total_ns / complete);
		assert_int_equal(type->spread.p50_ns, durations_ns[(complete * 50 + 99) / 100 - 1]);
		assert_int_equal(type->spread.p90_ns, durations_ns[(complete * 90 + 99) / 100 - 1]);
		assert_int_equal(type->spread.p99_ns, durations_ns[(complete * 99 + 99) / 100 - 1]);
		assert_int_equal(type->spread.max_ns, durations_ns[complete - 1]);
	}
	free(durations_ns);
}

static bool
is_in_order(const struct trace *trace, const struct task_type *before,
	const struct task_type *behind)
{
	if (before->spread.total_ns != behind->spread.total_ns)
		return before->spread.total_ns > behind->spread.total_ns;
	return testing_in_order(trace, before->name, behind->name);
}

static void
check_interval(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct task_types types;
	struct error err = { 0 };
	uint32_t count = 0;
	const struct task_scope scope = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	assert_true(task_types_build(&types, trace, &scope, &err));
	for (uint32_t i = 0; i < types.type_count; i++) {
		const struct task_type *type = &types.types[i];
		check_type(trace, type, t0_ns, t1_ns);
		assert_true(i == 0 || is_in_order(trace, type - 1, type));
		for (uint32_t n = type->first; n < type->first + type->count; n++) {
			task_ref ref = types.tasks[n];
			assert_int_equal(trace_task(trace, ref)->name, type->name);
			assert_int_equal(task_is_complete(trace_task(trace, ref)),
				n < type->first + type->complete);
			assert_int_equal(types.durations_ns[n],
				task_end_ns(trace, ref) - task_start_ns(trace, ref));
		}
		count += type->count;
	}
	assert_int_equal(count, types.task_count);
	task_types_release(&types);
}

static void
check_trace(const char *name)
{
	struct trace *trace = testing_load(name);
	check_interval(trace, 0, trace->end_ns + 1);
	check_interval(trace, trace->end_ns / 3, trace->end_ns / 2);
	trace_free(trace);
}

static void
types_equal_a_look_at_all_tasks(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

/* Of a query there are left the tasks on whose goroutine it matches meanwhile. */
static void
a_query_leaves_tasks(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.26");
	struct error err = { 0 };
	struct task_types types;
	struct search *only = search_new(trace, "state=blocked reason=sleep", &err);
	(void)state;
	assert_non_null(only);
	const struct task_scope scope = { .t1_ns = trace->end_ns + 1, .only = only };
	assert_true(task_types_build(&types, trace, &scope, &err));
	assert_true(types.task_count > 0 && types.task_count < trace->tasks.count);
	uint32_t wanted = 0;
	for (task_ref ref = 0; ref < trace->tasks.count; ref++) {
		struct lane lane = { LANE_ACTOR, trace_task(trace, ref)->start_actor };
		wanted += search_overlaps(
			only, lane, task_start_ns(trace, ref), task_end_ns(trace, ref));
	}
	assert_int_equal(types.task_count, wanted);
	task_types_release(&types);
	search_free(only);
	trace_free(trace);
}

static void
histograms_have_a_bucket_for_each_power_of_two(void **state)
{
	static const int64_t durations_ns[] = { 0, 1, 2, 3, 4, 7, 8, 1023, 1024, INT64_MAX };
	static const struct {
		int bucket;
		uint64_t count;
	} wanted[] = { { 0, 2 }, { 1, 2 }, { 2, 2 }, { 3, 1 }, { 9, 1 }, { 10, 1 }, { 62, 1 } };
	uint64_t counts[SPREAD_BUCKETS], sum = 0;
	(void)state;
	assert_int_equal(spread_log2(durations_ns, ARRAY_LENGTH(durations_ns), counts), 63);
	for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
		assert_int_equal(counts[wanted[i].bucket], wanted[i].count);
		sum += counts[wanted[i].bucket];
	}
	assert_int_equal(sum, ARRAY_LENGTH(durations_ns));
	assert_int_equal(spread_log2(durations_ns, 0, counts), 0);
}

static void
forms_are_as_agreed(void **state)
{
	static const struct {
		const char *golden, *trace;
		struct report_options options;
	} rows[] = {
		{ "tasks.txt", "httpserver-go1.26", { .width_cells = 80, .sort = "max" } },
		{ "tasks-ascii.txt", "tasks-go1.23",
			{ .width_cells = 60, .ascii = true, .limit = 1 } },
		{ "tasks.csv", "httpserver-go1.26",
			{ .format = REPORT_AS_CSV, .sort = "-count", .limit = 2 } },
		{ "tasks.json", "httpserver-go1.26", { .format = REPORT_AS_JSON, .limit = 1 } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(testing_result("tasks", trace, &rows[i].options, &out, &err));
		golden_check(rows[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_equal_a_look_at_all_tasks),
		cmocka_unit_test(a_query_leaves_tasks),
		cmocka_unit_test(histograms_have_a_bucket_for_each_power_of_two),
		cmocka_unit_test(forms_are_as_agreed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
