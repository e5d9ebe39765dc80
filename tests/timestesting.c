/* Times against the sums of the index, which test_oracle compares with Go's. */
#include "timestesting.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "trace/lane.h"
#include "tracetesting.h"

void
times_check_row(const char *name, const struct trace *trace, const struct actor_times *times,
	uint32_t row, int64_t t0_ns, int64_t t1_ns)
{
	actor_ref goroutine = times->rows[row].actor;
	int64_t totals_ns[CLASS_COUNT], life_ns = 0, states_ns = 0, reasons_ns = 0;
	lane_totals(trace, (struct lane){ LANE_ACTOR, goroutine }, t0_ns, t1_ns, totals_ns);
	for (int i = 0; i < CLASS_COUNT; i++)
		life_ns += totals_ns[i];
	for (uint32_t i = MEASURE_RUNNING; i <= MEASURE_UNKNOWN; i++)
		states_ns += actors_time(times, row, i);
	for (uint32_t i = 0; i < times->reason_count; i++)
		reasons_ns += actors_time(times, row, MEASURE_REASONS + i);
	if (actors_time(times, row, MEASURE_LIFE) != life_ns || states_ns != life_ns)
		fail_msg("%s: row %u, goroutine %u, lived %" PRId64 ", its states come to %" PRId64,
			name, row, goroutine, life_ns, states_ns);
	assert_int_equal(actors_time(times, row, MEASURE_BLOCKED), reasons_ns);
	assert_int_equal(actors_time(times, row, MEASURE_RUNNING),
		totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER]);
	assert_int_equal(actors_time(times, row, MEASURE_READY), totals_ns[CLASS_READY]);
	assert_int_equal(actors_time(times, row, MEASURE_SYSCALL), totals_ns[CLASS_SYSCALL]);
	assert_int_equal(actors_time(times, row, MEASURE_UNKNOWN), totals_ns[CLASS_UNKNOWN]);
}

static bool
is_in_order(const struct trace *trace, const struct actor_function *before,
	const struct actor_function *behind)
{
	if (before->running_ns != behind->running_ns)
		return before->running_ns > behind->running_ns;
	return testing_in_order(trace, before->name, behind->name);
}

void
times_check_order(const struct trace *trace, const struct actor_times *times)
{
	for (uint32_t i = 0; i < times->function_count; i++) {
		const struct actor_function *function = &times->functions[i];
		assert_true(i == 0 || is_in_order(trace, function - 1, function));
		for (uint32_t n = function->first + 1; n < function->first + function->count; n++)
			assert_true(actors_time(times, n, MEASURE_LIFE) <=
				    actors_time(times, n - 1, MEASURE_LIFE));
	}
}
