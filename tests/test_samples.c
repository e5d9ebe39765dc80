/*
 * CPU samples by goroutine, proc and thread against the naive model: random questions, each
 * answered as well by a scan of the ordered events.
 */
#include <inttypes.h>

#include "analysis/samples.h"
#include "base_testing.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "tracetesting.h"

enum { SIMULATED = 12, LANES = 4, QUESTIONS = 10 };

static unsigned samples_seen;

/* What a scan says of samples within [t0, t1). */
struct wanted {
	uint32_t count;
	const struct naive_span *next, *previous; /* at t or later, before t */
};

static struct wanted
scan(const struct naive_spans *spans, int64_t t0_ns, int64_t t1_ns, int64_t t_ns)
{
	struct wanted wanted = { 0 };
	for (size_t i = 0; i < spans->count; i++) {
		const struct naive_span *span = &spans->items[i];
		if (span->start_ns < t0_ns || span->start_ns >= t1_ns)
			continue;
		wanted.count++;
		if (span->start_ns < t_ns)
			wanted.previous = span;
		else if (wanted.next == NULL)
			wanted.next = span;
	}
	return wanted;
}

/* Whether a found sample is the one of a scan: the time and the frames of its stack. */
static bool
is_same(const struct pair *pair, uint32_t got, const struct naive_span *wanted)
{
	if (got == REF_NONE || wanted == NULL)
		return got == REF_NONE && wanted == NULL;
	const struct instant *instant = trace_instant(pair->trace, got);
	const struct naive_moment *moment = &pair->naive.moments[wanted->state];
	return instant->type == INSTANT_SAMPLE && instant->time_ns == moment->time_ns &&
	       stack_depth(&pair->trace->stacks, instant->stack) ==
		       stack_depth(&pair->naive.stacks, moment->stack);
}

static void
check_question(struct pair *pair, const struct samples *samples, struct lane lane,
	const struct naive_spans *spans)
{
	int64_t t0_ns = pair_moment(pair), t1_ns = pair_moment(pair), t_ns = pair_moment(pair);
	if (t0_ns > t1_ns) {
		int64_t swapped_ns = t0_ns;
		t0_ns = t1_ns;
		t1_ns = swapped_ns;
	}
	struct wanted all = scan(spans, INT64_MIN, INT64_MAX, t_ns);
	struct wanted within = scan(spans, t0_ns, t1_ns, t_ns);
	if (samples_count(samples, lane, t0_ns, t1_ns) != within.count)
		fail_msg("%s: %s: %" PRIu32 " samples wanted in [%" PRId64 ", %" PRId64 ")",
			pair->name, pair_lane_name(pair, lane), within.count, t0_ns, t1_ns);
	if (!is_same(pair, samples_next(samples, lane, t_ns), all.next) ||
		!is_same(pair, samples_previous(samples, lane, t_ns), all.previous) ||
		!is_same(pair, samples_within(samples, lane, t0_ns, t1_ns, t_ns),
			within.next != NULL ? within.next : within.previous))
		fail_msg("%s: %s: another sample at %" PRId64 " within [%" PRId64 ", %" PRId64 ")",
			pair->name, pair_lane_name(pair, lane), t_ns, t0_ns, t1_ns);
	samples_seen += within.count;
}

static void
check_pair(struct pair *pair)
{
	static const enum lane_type types[] = { LANE_ACTOR, LANE_PROCESSOR, LANE_THREAD, LANE_ALL };
	struct samples samples;
	struct naive_spans spans = { 0 };
	struct error err = { 0 };
	assert_true(samples_build(&samples, pair->trace, &err));
	for (int type = 0; type <= LANE_TASK; type++) {
		if (type > LANE_THREAD && type != LANE_ALL)
			assert_int_equal(samples_count(&samples, (struct lane){ (enum lane_type)type, 0 },
						 0, INT64_MAX), 0);
	}
	for (unsigned i = 0; i < ARRAY_LENGTH(types) * LANES; i++) {
		struct lane lane;
		if (!pair_lane(pair, types[i / LANES], &lane))
			continue;
		if (lane.type == LANE_ACTOR && pair->goroutines[lane.ref] == SIZE_MAX)
			continue;
		pair_samples(pair, lane, &spans);
		for (int question = 0; question < QUESTIONS; question++)
			check_question(pair, &samples, lane, &spans);
	}
	naive_spans_release(&spans);
	samples_release(&samples);
}

static void
samples_are_found_as_a_scan_finds_them(void **state)
{
	(void)state;
	samples_seen = 0;
	pair_each(3, SIMULATED, check_pair);
	assert_true(samples_seen > 0);
}

static void
samples_of_a_growing_trace_are_found(void **state)
{
	(void)state;
	pair_each_snapshot(7, 4, check_pair);
}

/* Sums of a group's rows are no place for single samples. */
static void
other_lanes_have_none(void **state)
{
	(void)state;
	static const enum lane_type types[] = { LANE_GROUP, LANE_GC, LANE_STW };
	struct trace *trace = testing_load("samples-go1.26");
	struct samples samples;
	struct error err = { 0 };
	assert_true(samples_build(&samples, trace, &err));
	struct lane all = { LANE_ALL, 0 };
	assert_int_equal(samples_count(&samples, all, 0, INT64_MAX), 37);
	for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
		struct lane lane = { types[i], 0 };
		assert_int_equal(samples_count(&samples, lane, 0, INT64_MAX), 0);
		assert_int_equal(samples_next(&samples, lane, 0), REF_NONE);
	}
	samples_release(&samples);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_found_as_a_scan_finds_them),
		cmocka_unit_test(samples_of_a_growing_trace_are_found),
		cmocka_unit_test(other_lanes_have_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
