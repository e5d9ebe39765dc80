/* Segments larger than usual, where very many goroutines have few states each. */
#include "base/compiler.h"
#include "base_testing.h"
#include "base/compiler.h"
#include "trace/builder.h"
#include "trace/lane.h"
#include "trace/regroup.h"

enum { PROCS = 3, STEP_NS = 10, STATES_PER_ROUND = 3 };

/* Each goroutine in turn becomes ready, runs and blocks, as often as there are rounds. */
struct crowd {
	uint32_t goroutines, rounds;
	bool is_varied; /* each state has a stack of its own */
	bool is_brief;  /* each goroutine ends instead of blocking */
	struct trace *trace;
	uint64_t work_bytes; /* that building it took beside it */
};

static uint32_t
number_of(const struct crowd *crowd, uint32_t goroutine, uint32_t round, uint32_t step)
{
	return (round * crowd->goroutines + goroutine) * STATES_PER_ROUND + step;
}

static stack_id
stack_of(const struct crowd *crowd, uint32_t number)
{
	return crowd->is_varied ? number + 1 : 1 + number % 7;
}

static struct state_change
change_of(const struct crowd *crowd, uint32_t goroutine, uint32_t round, uint32_t step)
{
	static const struct {
		uint8_t state, entry;
	} steps[STATES_PER_ROUND] = {
		{ STATE_READY, ENTRY_UNBLOCKED },
		{ STATE_RUNNING, ENTRY_STARTED },
		{ STATE_BLOCKED, ENTRY_BLOCKED },
	};
	bool runs = steps[step].state == STATE_RUNNING;
	if (crowd->is_brief && steps[step].state == STATE_BLOCKED)
		return (struct state_change){
			.actor = goroutine,
			.state = STATE_GONE,
			.entry = ENTRY_ENDED,
			.waker = REF_NONE,
			.processor = REF_NONE,
			.thread = REF_NONE,
		};
	return (struct state_change){
		.actor = goroutine,
		.state = steps[step].state,
		.entry = steps[step].entry,
		.stack = runs ? STACK_NONE : stack_of(crowd, number_of(crowd, goroutine, round, step)),
		.waker = step == 0 ? (goroutine + round) % crowd->goroutines : REF_NONE,
		.processor = runs ? goroutine % PROCS : REF_NONE,
		.thread = runs ? goroutine % (PROCS + 1) : REF_NONE,
	};
}

static void
tell(struct builder *builder, const struct crowd *crowd, uint32_t goroutine, uint32_t round)
{
	struct error err = { 0 };
	for (uint32_t step = 0; step < STATES_PER_ROUND; step++) {
		struct state_change change = change_of(crowd, goroutine, round, step);
		int64_t time_ns = (int64_t)number_of(crowd, goroutine, round, step) * STEP_NS;
		assert_true(builder_event(builder, time_ns, &err));
		assert_true(builder_state(builder, &change, &err));
	}
}

static void
crowd_make(struct crowd *crowd)
{
	struct error err = { 0 };
	uint32_t ref;
	crowd->trace = trace_new(&err);
	struct builder *builder = builder_new(crowd->trace, &err);
	assert_non_null(builder);
	for (int64_t id = 0; id < PROCS + 1; id++)
		assert_true((id == PROCS || builder_processor(builder, id, &ref, &err)) &&
			    builder_thread(builder, id, &ref, &err));
	for (uint32_t i = 0; i < crowd->goroutines; i++)
		assert_true(builder_actor(builder, i, &ref, &err));
	for (uint32_t round = 0; round < crowd->rounds; round++)
		for (uint32_t i = 0; i < crowd->goroutines; i++)
			tell(builder, crowd, i, round);
	assert_true(builder_generation_end(builder, &err));
	crowd->work_bytes = builder_bytes(builder) - trace_built_bytes(crowd->trace);
	assert_true(builder_finish(builder, &err));
	builder_free(builder);
}

static void
check_span(const struct crowd *crowd, struct lane lane, uint32_t goroutine, uint32_t round,
	uint32_t step)
{
	struct state_change wanted = change_of(crowd, goroutine, round, step);
	int64_t start_ns = (int64_t)number_of(crowd, goroutine, round, step) * STEP_NS;
	struct span span;
	assert_true(lane_previous(crowd->trace, lane, start_ns + 1, CLASS_MASK_ALL, &span));
	assert_int_equal(span.start_ns, start_ns);
	assert_int_equal(span.actor, goroutine);
	assert_int_equal(span.kind->state, wanted.state);
	assert_int_equal(span.processor, wanted.processor);
	assert_int_equal(span.thread, wanted.thread);
	assert_int_equal(span.waker.ref, wanted.waker);
	assert_int_equal(wanted.state == STATE_READY ? span.waker_stack : span.stack, wanted.stack);
}

static void
check_round(const struct crowd *crowd, uint32_t goroutine, uint32_t round)
{
	for (uint32_t step = 0; step < STATES_PER_ROUND; step++)
		check_span(crowd, (struct lane){ LANE_ACTOR, goroutine }, goroutine, round, step);
	check_span(crowd, (struct lane){ LANE_PROCESSOR, goroutine % PROCS }, goroutine, round, 1);
	check_span(crowd, (struct lane){ LANE_THREAD, goroutine % (PROCS + 1) }, goroutine, round, 1);
}

static void
crowd_check(const struct crowd *crowd)
{
	int64_t sums_ns[CLASS_COUNT];
	for (uint32_t round = 0; round < crowd->rounds; round++)
		for (uint32_t i = round; i < crowd->goroutines; i += 37)
			check_round(crowd, i, round);
	all_changes_until(&crowd->trace->all, &crowd->trace->end_ns, 1, &sums_ns);
	assert_int_equal(sums_ns[CLASS_RUNNING],
		(int64_t)crowd->goroutines * crowd->rounds * STEP_NS);
}

static void
few_states_of_very_many_make_large_segments(void **state)
{
	(void)state;
	struct crowd crowd = { .goroutines = 20000, .rounds = 3 };
	crowd_make(&crowd);
	assert_int_equal(crowd.trace->segments.count, 1);
	assert_true(trace_segment(crowd.trace, 0)->state_count > SEGMENT_NARROW);
	crowd_check(&crowd);
	trace_free(crowd.trace);
}

static void
very_many_that_end_do_not(void **state)
{
	(void)state;
	struct crowd crowd = { .goroutines = 20000, .rounds = 1, .is_brief = true };
	crowd_make(&crowd);
	assert_true(crowd.trace->segments.count > 1);
	assert_true(trace_segment(crowd.trace, 0)->state_count <= SEGMENT_NARROW / 2);
	trace_free(crowd.trace);
}

static void
as_many_sites_as_fit_end_a_segment(void **state)
{
	(void)state;
	struct crowd crowd = { .goroutines = 20000, .rounds = 4, .is_varied = true };
	crowd_make(&crowd);
	assert_true(crowd.trace->segments.count > 1);
	assert_int_equal(trace_segment(crowd.trace, 0)->site_count, SEGMENT_SITES);
	crowd_check(&crowd);
	trace_free(crowd.trace);
}

static uint64_t
work_bytes_of(struct crowd crowd)
{
	crowd_make(&crowd);
	trace_free(crowd.trace);
	return crowd.work_bytes;
}

/* What every trace takes is no part of a bound, what large segments take is. */
static void
columns_of_large_segments_count(void **state)
{
	(void)state;
	enum { ROUNDS = 4, GROUP = 20000, BYTES_PER_STATE = 12 };
	uint64_t usual = work_bytes_of((struct crowd){ .goroutines = GROUP, .rounds = 1 });
	uint64_t large = work_bytes_of((struct crowd){ .goroutines = GROUP, .rounds = ROUNDS });
	uint64_t states = (uint64_t)GROUP * STATES_PER_ROUND * (ROUNDS - 1);
	assert_true(large >= usual + states * BYTES_PER_STATE);
	assert_int_equal(work_bytes_of((struct crowd){ .goroutines = 10, .rounds = 30000 }),
		work_bytes_of((struct crowd){ .goroutines = 10, .rounds = 300 }));
}

static void
facts_stand_in_order_and_stay_with_the_trace(void **state)
{
	(void)state;
	static const char *const keys[] = { "records", "spans", "spans" };
	struct error err = { 0 };
	struct trace *trace = trace_new(&err);
	assert_non_null(trace);
	size_t bytes = trace_bytes(trace);
	for (uint64_t i = 0; i < ARRAY_LENGTH(keys); i++)
		assert_true(trace_add_fact(trace, keys[i], UINT64_MAX - i, &err));
	assert_true(trace_bytes(trace) >= bytes + sizeof(struct trace_fact) * ARRAY_LENGTH(keys));
	struct trace *regrouped = trace_regroup(trace, GROUP_BY_LABEL, NULL, &err);
	assert_non_null(regrouped);
	trace_free(trace);
	assert_int_equal(regrouped->facts.count, ARRAY_LENGTH(keys));
	for (uint64_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		assert_string_equal(regrouped->facts.items[i].key, keys[i]);
		assert_true(regrouped->facts.items[i].value == UINT64_MAX - i);
	}
	trace_free(regrouped);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_states_of_very_many_make_large_segments),
		cmocka_unit_test(very_many_that_end_do_not),
		cmocka_unit_test(as_many_sites_as_fit_end_a_segment),
		cmocka_unit_test(facts_stand_in_order_and_stay_with_the_trace),
		cmocka_unit_test(columns_of_large_segments_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
