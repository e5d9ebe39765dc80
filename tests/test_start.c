/* From options to the first viewport, on a real trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/registry.h"
#include "app/start.h"
#include "base/units.h"
#include "source/go/words.h"
#include "trace/lane.h"
#include "tracetesting.h"

#define MS INT64_C(1000000)

static int
load_trace(void **state)
{
	*state = testing_load("httpserver-go1.23");
	return 0;
}

static int
free_trace(void **state)
{
	trace_free(*state);
	return 0;
}

static enum outcome
find(const struct trace *trace, const struct options *options, struct start *start,
	struct error *err)
{
	struct options read = *options;
	error_clear(err);
	if (options->report_parameter != NULL)
		assert_true(analysis_read(read.analysis, options->report_parameter, 0,
			&read.report_asked, err));
	enum outcome outcome = start_find(start, &read, trace, err);
	options_forget_report(&read);
	return outcome;
}

struct start_row {
	const char *name;
	struct options options;
	int64_t t0_ns, t1_ns, cursor_ns;
};

static void
check_start(const struct trace *trace, const struct start_row *row)
{
	struct start start;
	struct error err;
	if (find(trace, &row->options, &start, &err) != OUTCOME_FINE)
		fail_msg("%s: %s", row->name, err.message);
	if (start.viewport.t0_ns != row->t0_ns || start.viewport.t1_ns != row->t1_ns ||
		start.cursor_ns != row->cursor_ns)
		fail_msg("%s: [%lld, %lld), cursor %lld", row->name,
			(long long)start.viewport.t0_ns, (long long)start.viewport.t1_ns,
			(long long)start.cursor_ns);
	assert_int_equal(start.focus, REF_NONE);
}

static void
intervals_follow_from_the_options(void **state)
{
	const struct trace *trace = *state;
	const int64_t end_ns = trace->end_ns;
	const struct start_row rows[] = {
		{ "nothing", { 0 }, 0, end_ns, end_ns / 2 },
		{ "at", { .has_at = true, .at_ns = 5 * MS }, 0, end_ns, 5 * MS },
		{ "at and interval",
			{ .has_at = true,
				.at_ns = 50 * MS,
				.has_interval = true,
				.interval_ns = 10 * MS },
			45 * MS, 55 * MS, 50 * MS },
		{ "at near the start and interval",
			{ .has_at = true,
				.at_ns = 2 * MS,
				.has_interval = true,
				.interval_ns = 10 * MS },
			0, 7 * MS, 2 * MS },
		{ "from and to",
			{ .has_from = true, .from_ns = 10 * MS, .has_to = true, .to_ns = 20 * MS },
			10 * MS, 20 * MS, 15 * MS },
		{ "from", { .has_from = true, .from_ns = 100 * MS }, 100 * MS, end_ns,
			100 * MS + (end_ns - 100 * MS) / 2 },
		{ "to beyond the end", { .has_to = true, .to_ns = INT64_MAX }, 0, end_ns,
			end_ns / 2 },
		{ "from and interval",
			{ .has_from = true,
				.from_ns = 10 * MS,
				.has_interval = true,
				.interval_ns = 4 * MS },
			10 * MS, 14 * MS, 12 * MS },
		{ "from and endless interval",
			{ .has_from = true,
				.from_ns = 10 * MS,
				.has_interval = true,
				.interval_ns = INT64_MAX },
			10 * MS, end_ns, 10 * MS + (end_ns - 10 * MS) / 2 },
		{ "to and interval",
			{ .has_to = true,
				.to_ns = 10 * MS,
				.has_interval = true,
				.interval_ns = 4 * MS },
			6 * MS, 10 * MS, 8 * MS },
		{ "interval", { .has_interval = true, .interval_ns = 4 * MS }, 0, 4 * MS, 2 * MS },
		{ "at and one nanosecond",
			{ .has_at = true, .at_ns = 7, .has_interval = true, .interval_ns = 1 }, 7,
			8, 7 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_start(trace, &rows[i]);
}

/* A part of the trace will do if more of it would not change what is shown, but for its end. */
static void
a_part_has_to_have_what_is_asked_for(void **state)
{
	const struct trace *trace = *state;
	const int64_t end_ns = trace->end_ns;
	const struct {
		struct options options;
		bool is_settled;
	} rows[] = {
		{ { 0 }, true },
		{ { .has_at = true, .at_ns = 5 * MS }, true },
		{ { .has_at = true, .at_ns = end_ns }, false },
		{ { .has_from = true, .from_ns = MS, .has_to = true, .to_ns = 2 * MS }, true },
		{ { .has_to = true, .to_ns = end_ns }, false },
		{ { .has_from = true, .from_ns = MS }, false },
		{ { .has_from = true, .from_ns = end_ns }, false },
		{ { .has_path = true, .path = 1, .path_to_ns = end_ns }, true },
		{ { .has_path = true, .path = 1, .path_to_ns = end_ns + 1 }, false },
		{ { .has_actor = true, .actor = 1 }, false },
		{ { .has_actor = true, .actor = 123456789 }, false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct start start;
		if (start_is_settled(&start, &rows[i].options, trace) != rows[i].is_settled)
			fail_msg("row %zu", i);
	}
}

static void
a_goroutine_is_fitted_to_its_life(void **state)
{
	const struct trace *trace = *state;
	struct options options = { .has_actor = true, .actor = 89 };
	struct start start;
	struct error err;
	assert_int_equal(find(trace, &options, &start, &err), OUTCOME_FINE);
	assert_int_equal(trace_actor(trace, start.focus)->id, 89);
	struct lane lane = { LANE_ACTOR, start.focus };
	int64_t first_ns, end_ns;
	lane_life(trace, lane, &first_ns, &end_ns);
	assert_int_equal(start.viewport.t0_ns, first_ns);
	assert_int_equal(start.viewport.t1_ns, end_ns);
	assert_int_equal(start.cursor_ns, first_ns);
	assert_false(start.has_interval);

	options.has_at = true;
	options.at_ns = end_ns - 1;
	assert_int_equal(find(trace, &options, &start, &err), OUTCOME_FINE);
	assert_int_equal(start.viewport.t0_ns, first_ns);
	assert_int_equal(start.viewport.t1_ns, end_ns);
	assert_int_equal(start.cursor_ns, end_ns - 1);
	assert_true(end_ns < trace->end_ns);
	for (options.at_ns = first_ns - 1; options.at_ns <= end_ns;
		options.at_ns += end_ns - first_ns + 1) {
		assert_int_equal(find(trace, &options, &start, &err), OUTCOME_FINE);
		assert_int_equal(start.viewport.t0_ns, 0);
		assert_int_equal(start.viewport.t1_ns, trace->end_ns);
		assert_int_equal(start.cursor_ns, options.at_ns);
	}
}

static void
a_goroutine_that_is_not_there_has_neighbours(void **state)
{
	static const struct {
		int64_t id;
		const char *message;
	} rows[] = {
		{ 9999, "goroutine 9999 is not in the trace; the nearest are 311, 321, 322 and "
			"323" },
		{ INT64_MAX, "goroutine 9223372036854775807 is not in the trace; "
			     "the nearest are 311, 321, 322 and 323" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct options options = { .has_actor = true, .actor = rows[i].id };
		struct start start;
		struct error err;
		assert_int_equal(find(*state, &options, &start, &err), OUTCOME_NO);
		assert_string_equal(err.message, rows[i].message);
	}
}

/* Of tasks by id; of functions, regions and tasks by name. */
static void
what_is_not_there_has_names_that_are_like_it(void **state)
{
	static const struct {
		struct options options;
		const char *message;
	} rows[] = {
		{ { .has_task = true, .task = 9999 },
			"task 9999 is not in the trace; the nearest are 473, 474, 475 and 476" },
		{ { .report = REPORT_RESULT, .analysis = &function_kind, .report_parameter = "main.mian" },
			"no goroutine of the trace starts with main.mian; the nearest are "
			"main.main, " },
		{ { .region = "querry" }, "the trace has no region querry; the nearest are query, " },
		{ { .report = REPORT_RESULT, .analysis = &region_kind, .report_parameter = "end" },
			"the trace has no region end; the nearest are render, " },
		{ { .report = REPORT_RESULT, .analysis = &heat_kind, .report_parameter = "region=prase" },
			"the trace has no region prase; the nearest are parse, " },
		{ { .report = REPORT_RESULT, .analysis = &heat_kind, .report_parameter = "task=requests" },
			"the trace has no task requests; the nearest are request, " },
		{ { .report = REPORT_RESULT, .analysis = &heat_kind, .report_parameter = "block=nope" }, "the trace has no reason nope, and none is known by that name" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct start start;
		struct error err;
		assert_int_equal(find(*state, &rows[i].options, &start, &err), OUTCOME_NO);
		if (strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("%s", err.message);
	}
}

static void
times_beyond_the_end_are_refused(void **state)
{
	static const struct options rows[] = {
		{ .has_at = true, .at_ns = INT64_MAX },
		{ .has_from = true, .from_ns = 200 * MS },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct start start;
		struct error err;
		assert_int_equal(find(*state, &rows[i], &start, &err), OUTCOME_USAGE);
		const char *last = strstr(err.message, "; its last moment is ");
		assert_non_null(last);
		struct options again = { .has_at = true };
		struct error none = { 0 };
		assert_true(units_parse_duration(
			last + strlen("; its last moment is "), &again.at_ns, &none));
		assert_int_equal(find(*state, &again, &start, &none), OUTCOME_FINE);
		again.at_ns++;
		assert_int_equal(find(*state, &again, &start, &none), OUTCOME_USAGE);
	}
}

/* contention-go1.26 begins at 03:08:10.626586 and takes 60 ms. */
static void
times_of_day_are_read_by_the_clock_of_the_trace(void **state)
{
	(void)state;
	static const struct {
		struct options options;
		int64_t t0_ms, t1_ms, cursor_ms; /* rounded down */
		const char *message;             /* NULL: it is fine */
	} rows[] = {
		{ { .has_from = true,
			  .from_clock = "03:08:10.65",
			  .has_to = true,
			  .to_clock = "2026-11-21 03:08:10.66 UTC" },
			23, 33, 28, NULL },
		{ { .has_at = true,
			  .at_clock = "03:08:10.65",
			  .has_interval = true,
			  .interval_ns = 2 * MS },
			22, 24, 23, NULL },
		{ { .has_from = true, .from_clock = "03:08:10.65", .has_to = true, .to_ns = 30 * MS },
			23, 30, 26, NULL },
		{ { .has_from = true,
			  .from_clock = "03:08:10.66",
			  .has_to = true,
			  .to_clock = "03:08:10.65" },
			0, 0, 0, "--to must be later than --from" },
		{ { .has_at = true, .at_clock = "03:08:10" }, 0, 0, 0,
			"--at=03:08:10: the trace is from 2026-11-21 03:08:10.62658 UTC to "
			"2026-11-21 03:08:10.68701 UTC" },
		{ { .has_to = true, .to_clock = "03:09" }, 0, 0, 0,
			"--to=03:09: the trace is from 2026-11-21 03:08:10.62658 UTC to "
			"2026-11-21 03:08:10.68701 UTC" },
	};
	struct trace *trace = testing_load("contention-go1.26");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct start start;
		struct error err;
		enum outcome outcome = find(trace, &rows[i].options, &start, &err);
		assert_int_equal(outcome, rows[i].message ? OUTCOME_USAGE : OUTCOME_FINE);
		if (rows[i].message != NULL) {
			assert_string_equal(err.message, rows[i].message);
			continue;
		}
		assert_int_equal(start.viewport.t0_ns / MS, rows[i].t0_ms);
		assert_int_equal(start.viewport.t1_ns / MS, rows[i].t1_ms);
		assert_int_equal(start.cursor_ns / MS, rows[i].cursor_ms);
	}
	trace_free(trace);
}

static void
without_a_clock_times_of_day_are_refused(void **state)
{
	static const struct {
		struct options options;
		const char *message; /* NULL: the screen says it */
	} rows[] = {
		{ { .has_at = true, .at_clock = "03:08" }, "--at=03:08: " WALL_CLOCK_UNKNOWN },
		{ { .time = TIME_WALL, .report = REPORT_LANES }, "--time=wall: " WALL_CLOCK_UNKNOWN },
		{ { .time = TIME_WALL }, NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct start start;
		struct error err;
		enum outcome outcome = find(*state, &rows[i].options, &start, &err);
		assert_int_equal(outcome, rows[i].message ? OUTCOME_USAGE : OUTCOME_FINE);
		if (rows[i].message != NULL)
			assert_string_equal(err.message, rows[i].message);
	}
}

static void
an_empty_trace_has_a_viewport(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	struct trace *trace = go_trace_new(&err);
	assert_non_null(trace);
	struct options options = { 0 }, one = { .has_actor = true, .actor = 1 };
	struct start start;
	assert_int_equal(find(trace, &options, &start, &err), OUTCOME_FINE);
	assert_int_equal(start.viewport.t0_ns, 0);
	assert_int_equal(start.viewport.t1_ns, 1);
	assert_int_equal(find(trace, &one, &start, &err), OUTCOME_NO);
	assert_string_equal(err.message, "goroutine 1 is not in the trace: none is");
	struct options named = { .region = "nope" };
	error_clear(&err);
	assert_int_equal(find(trace, &named, &start, &err), OUTCOME_NO);
	assert_string_equal(err.message, "the trace has no region nope: none is");
	trace_free(trace);
}

static void
durations_of_what_is_there_are_no_slip(void **state)
{
	static const char *const kinds[] = { "sched", "block=select", "block=wait for debug call",
		"block", "region=query", "task=request" };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct options options = { .report = REPORT_RESULT, .analysis = &heat_kind,
			.report_parameter = kinds[i] };
		struct start start;
		struct error err = { 0 };
		assert_int_equal(find(*state, &options, &start, &err), OUTCOME_FINE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_follow_from_the_options),
		cmocka_unit_test(a_part_has_to_have_what_is_asked_for),
		cmocka_unit_test(a_goroutine_is_fitted_to_its_life),
		cmocka_unit_test(a_goroutine_that_is_not_there_has_neighbours),
		cmocka_unit_test(what_is_not_there_has_names_that_are_like_it),
		cmocka_unit_test(times_beyond_the_end_are_refused),
		cmocka_unit_test(times_of_day_are_read_by_the_clock_of_the_trace),
		cmocka_unit_test(without_a_clock_times_of_day_are_refused),
		cmocka_unit_test(an_empty_trace_has_a_viewport),
		cmocka_unit_test(durations_of_what_is_there_are_no_slip),
	};
	return cmocka_run_group_tests(tests, load_trace, free_trace);
}
