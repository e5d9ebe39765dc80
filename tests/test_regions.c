/* Times of user regions: against the index, goroutine by goroutine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/regions.h"
#include "base/compiler.h"
#include "query/search.h"
#include "randomtrace.h"
#include "timestesting.h"
#include "trace/lane.h"
#include "tracetesting.h"

/* What of a range lies within [t0, t1). */
static int64_t
within(const struct trace *trace, const struct range *range, int64_t t0_ns, int64_t t1_ns)
{
	int64_t end_ns = trace_range_end_ns(trace, range);
	int64_t from_ns = range->start_ns > t0_ns ? range->start_ns : t0_ns;
	int64_t to_ns = end_ns < t1_ns ? end_ns : t1_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* How long the goroutine of a region did something of a type for the collector in it. */
static int64_t
helped(const struct trace *trace, enum range_type type, actor_ref goroutine, int64_t t0_ns,
	int64_t t1_ns)
{
	int64_t sum_ns = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == type && range_actor(range) == goroutine)
			sum_ns += within(trace, range, t0_ns, t1_ns);
	}
	return sum_ns;
}

static void
check_row(const char *name, const struct trace *trace, const struct actor_times *times,
	uint32_t row, int64_t t0_ns, int64_t t1_ns)
{
	const struct range *region = trace_range(trace, times->rows[row].region);
	actor_ref goroutine = times->rows[row].actor;
	assert_int_equal(region->scope, goroutine);
	if (t0_ns < region->start_ns)
		t0_ns = region->start_ns;
	if (t1_ns > trace_range_end_ns(trace, region))
		t1_ns = trace_range_end_ns(trace, region);
	times_check_row(name, trace, times, row, t0_ns, t1_ns);
	assert_int_equal(actors_time(times, row, MEASURE_ASSIST),
		helped(trace, RANGE_MARK_ASSIST, goroutine, t0_ns, t1_ns));
	assert_int_equal(actors_time(times, row, MEASURE_SWEEP),
		helped(trace, RANGE_SWEEP, goroutine, t0_ns, t1_ns));
}

static uint32_t
count_regions(const struct trace *trace, int64_t t0_ns, int64_t t1_ns, const string_id *name)
{
	uint32_t count = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		count += range->type == RANGE_REGION && range->start_ns < t1_ns &&
			 trace_range_end_ns(trace, range) >= t0_ns &&
			 (name == NULL || *name == range->name);
	}
	return count;
}

static const struct stack_frame *
place_of(const struct trace *trace, stack_id stack)
{
	return stack != STACK_NONE ? stack_leaf(&trace->stacks, stack) : NULL;
}

static void
check_groups(const struct trace *trace, const struct actor_times *times)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < times->function_count; i++) {
		const struct actor_function *group = &times->functions[i];
		count += group->count;
		for (uint32_t n = group->first; n < group->first + group->count; n++) {
			const struct range *region = trace_range(trace, times->rows[n].region);
			assert_int_equal(region->name, group->name);
			assert_ptr_equal(place_of(trace, group->stack),
				place_of(trace, region->start_stack));
		}
	}
	assert_int_equal(count, times->row_count);
}

static void
check_interval(const char *name, const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct actor_times times, named;
	struct error err = { 0 };
	struct actors_scope scope = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	assert_true(regions_build(&times, trace, &scope, &err));
	assert_int_equal(times.row_count, count_regions(trace, t0_ns, t1_ns, NULL));
	for (uint32_t i = 0; i < times.row_count; i++)
		check_row(name, trace, &times, i, t0_ns, t1_ns);
	check_groups(trace, &times);
	times_check_order(trace, &times);
	for (uint32_t i = 0; i < times.function_count; i++) {
		string_id which = times.functions[i].name;
		scope.region = &which;
		assert_true(regions_build(&named, trace, &scope, &err));
		assert_int_equal(named.row_count, count_regions(trace, t0_ns, t1_ns, &which));
		actors_release(&named);
	}
	actors_release(&times);
}

static void
check_trace(const char *name)
{
	struct trace *trace = testing_load(name);
	check_interval(name, trace, 0, trace->end_ns + 1);
	check_interval(name, trace, trace->end_ns / 3, trace->end_ns / 2);
	trace_free(trace);
}

static void
sums_are_those_of_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

/* Regions within regions, many of which have not ended where the interval does. */
static void
check_random(uint64_t seed)
{
	struct random_trace random;
	random_trace_make(&random, seed);
	const struct trace *trace = random.trace;
	check_interval("random", trace, 0, trace->end_ns + 1);
	check_interval("random", trace, trace->end_ns / 3, trace->end_ns / 2);
	random_trace_release(&random);
}

static void
regions_end_in_any_order(void **state)
{
	(void)state;
	random_each_seed(40, check_random);
}

static int64_t
sum_of(const struct actor_times *times, uint32_t measure)
{
	int64_t sum_ns = 0;
	for (uint32_t i = 0; i < times->row_count; i++)
		sum_ns += actors_time(times, i, measure);
	return sum_ns;
}

/* What has a state and what has not are all, and without a match there is no row. */
static void
queries_part_the_time(void **state)
{
	static const char *const queries[] = { "state=blocked", "state!=blocked" };
	struct trace *trace = testing_load("httpserver-go1.26");
	struct actor_times all, part;
	struct error err = { 0 };
	int64_t parts_ns = 0;
	(void)state;
	struct actors_scope scope = { .t1_ns = trace->end_ns + 1 };
	assert_true(regions_build(&all, trace, &scope, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct search *only = search_new(trace, queries[i], &err);
		assert_non_null(only);
		scope.only = only;
		assert_true(regions_build(&part, trace, &scope, &err));
		assert_true(part.row_count > 0);
		for (uint32_t n = 0; n < part.row_count; n++)
			assert_true(actors_time(&part, n, MEASURE_LIFE) > 0);
		assert_int_equal(sum_of(&part, MEASURE_BLOCKED),
			i == 0 ? sum_of(&all, MEASURE_BLOCKED) : 0);
		parts_ns += sum_of(&part, MEASURE_LIFE);
		actors_release(&part);
		search_free(only);
	}
	assert_int_equal(parts_ns, sum_of(&all, MEASURE_LIFE));
	actors_release(&all);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_index),
		cmocka_unit_test(regions_end_in_any_order),
		cmocka_unit_test(queries_part_the_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
