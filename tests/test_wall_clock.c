/* From the trace's clock to the wall's and back; clocks that stand anywhere. */
#include "base_testing.h"

#include <inttypes.h>

#include "base/clock.h"
#include "trace/wall_clock.h"
#include "tracetesting.h"

#define S INT64_C(1000000000)
#define WALL (1800000000 * S)

enum { POINTS_MAX = 4 };

static void
fill(struct wall_clock *wall, const struct clock_point *points)
{
	struct error err = { 0 };
	*wall = (struct wall_clock){ 0 };
	for (int i = 0; i < POINTS_MAX && points[i].unix_ns != 0; i++)
		assert_true(wall_clock_add(wall, points[i], &err));
}

static void
times_go_there_and_back(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct clock_point points[POINTS_MAX];
		int64_t trace_ns, unix_ns;
		int64_t back_ns; /* what the wall time is found as */
	} rows[] = {
		{ "behind the first", { { 10, WALL } }, 25, WALL + 15, 25 },
		{ "before the first", { { 10, WALL } }, 0, WALL - 10, 0 },
		{ "noise", { { 0, WALL }, { S, WALL + S + 64 } }, 2 * S, WALL + 2 * S, 2 * S },
		{ "set forward", { { 0, WALL }, { S, WALL + 5 * S } }, S, WALL + 5 * S, S },
		{ "before it was set forward", { { 0, WALL }, { S, WALL + 5 * S } }, S - 1,
			WALL + S - 1, S - 1 },
		{ "put back", { { 0, WALL }, { 3 * S, WALL + S } }, 4 * S, WALL + 2 * S, 3 * S + S },
		{ "twice", { { 0, WALL }, { S, WALL + 2 * S }, { 2 * S, WALL + 9 * S } }, 3 * S,
			WALL + 10 * S, 3 * S },
		{ "not in order", { { S, WALL }, { 0, WALL + 7 * S } }, 2 * S, WALL + S, 2 * S },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct wall_clock wall;
		fill(&wall, rows[i].points);
		int64_t unix_ns = wall_clock_at(&wall, rows[i].trace_ns);
		int64_t back_ns = wall_clock_find(&wall, rows[i].unix_ns);
		if (unix_ns != rows[i].unix_ns || back_ns != rows[i].back_ns)
			fail_msg("%s: %" PRId64 " and back %" PRId64, rows[i].name, unix_ns - WALL,
				back_ns);
		wall_clock_release(&wall);
	}
}

static void
a_time_that_never_was_is_that_of_the_step(void **state)
{
	(void)state;
	static const struct clock_point points[POINTS_MAX] = { { 0, WALL }, { S, WALL + 9 * S } };
	struct wall_clock wall;
	fill(&wall, points);
	assert_int_equal(wall_clock_find(&wall, WALL + 4 * S), S);
	assert_int_equal(wall_clock_find(&wall, WALL - S), -S);
	wall_clock_release(&wall);
}

static void
clocks_beyond_all_dates_are_forgotten(void **state)
{
	(void)state;
	static const struct {
		struct clock_point points[POINTS_MAX];
		int64_t origin_ns, end_ns;
		bool is_known;
	} rows[] = {
		{ { { 0 } }, 0, S, false },
		{ { { 5 * S, WALL } }, 5 * S, S, true },
		{ { { 0, 1 } }, 0, S, false },
		{ { { 0, CLOCK_LEAST_NS } }, 0, S, true },
		{ { { S, CLOCK_LEAST_NS } }, 0, S, false },
		{ { { 0, INT64_MAX } }, 0, S, false },
		{ { { 0, INT64_MAX - S } }, 0, S, false },
		{ { { 0, INT64_MAX - S } }, 0, S - 1, true },
		{ { { -((int64_t)1 << 62), WALL } }, 0, (int64_t)1 << 62, false },
		{ { { INT64_MIN, WALL } }, INT64_MAX, S, false },
		{ { { 0, WALL }, { S, INT64_MAX - S } }, 0, 3 * S, false },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct wall_clock wall;
		fill(&wall, rows[i].points);
		wall_clock_rebase(&wall, rows[i].origin_ns, rows[i].end_ns);
		if (wall_clock_is_known(&wall) != rows[i].is_known)
			fail_msg("row %zu", i);
		if (wall_clock_is_known(&wall)) {
			char out[UNITS_TEXT];
			clock_stamp(out, wall_clock_at(&wall, 0), 1);
			clock_stamp(out, wall_clock_at(&wall, rows[i].end_ns), 1);
		}
		wall_clock_release(&wall);
	}
}

/*
 * Its Syncs say what the wall clock was; twelve seconds without a step are one piece. The
 * numbers are those of the fifth: ttrace --dump=parsed FILE | grep 'Sync .* N=5 '
 */
static void
a_real_trace_keeps_one_clock(void **state)
{
	(void)state;
	struct trace *trace = testing_load("long-go1.26");
	int64_t unix_ns = 1795230460 * S + 487061997; /* its Wall: date -ud @1795230460 */
	assert_int_equal(trace->wall.count, 1);
	int64_t trace_ns = INT64_C(889785082560) - trace->origin_ns;
	int64_t off_ns = wall_clock_at(&trace->wall, trace_ns) - unix_ns;
	assert_in_range(off_ns + 64, 0, 128); /* a tick of its clock is 64 ns */
	trace_free(trace);
	trace = testing_load("long-go1.23");
	assert_false(wall_clock_is_known(&trace->wall));
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_go_there_and_back),
		cmocka_unit_test(a_time_that_never_was_is_that_of_the_step),
		cmocka_unit_test(clocks_beyond_all_dates_are_forgotten),
		cmocka_unit_test(a_real_trace_keeps_one_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
