/* Snapshots of what may still change: they stay as they were, whatever the builder is told then. */
#include "base_testing.h"
#include "trace/builder.h"
#include "trace/lane.h"

enum { BETWEEN_NS = 10, TASK = 7, ROUNDS = 300, OPEN_EVERY = 3 };

struct stage {
	struct builder *builder;
	struct trace *trace;
	int64_t now_ns;
	struct error err;
};

static void
stage_begin(struct stage *stage)
{
	uint32_t ref;
	*stage = (struct stage){ .trace = trace_new(&stage->err) };
	stage->builder = builder_new(stage->trace, &stage->err);
	assert_non_null(stage->builder);
	for (int64_t i = 0; i < ROUNDS; i++)
		assert_true(builder_actor(stage->builder, i, &ref, &stage->err));
	assert_true(builder_event(stage->builder, 0, &stage->err));
}

static void
pass(struct stage *stage)
{
	stage->now_ns += BETWEEN_NS;
	assert_true(builder_event(stage->builder, stage->now_ns, &stage->err));
}

static struct trace *
snapshot_of(struct stage *stage)
{
	struct table_counts counts = {
		.strings = stage->trace->strings.entries.count,
		.frames = stage->trace->stacks.frames.count,
		.nodes = stage->trace->stacks.nodes.count,
	};
	struct trace *snapshot;
	assert_true(builder_generation_end(stage->builder, &stage->err));
	snapshot = builder_snapshot(stage->builder, &counts, &stage->err);
	assert_non_null(snapshot);
	return snapshot;
}

static void
stage_end(struct stage *stage)
{
	assert_true(builder_finish(stage->builder, &stage->err));
	builder_free(stage->builder);
	trace_free(stage->trace);
}

static bool
is_left_open(uint32_t round)
{
	return round % OPEN_EVERY == 0;
}

static int64_t
begun_ns(uint32_t round)
{
	return ((int64_t)round * 2 + 1) * BETWEEN_NS;
}

static void
regions_stay_open_in_a_snapshot(void **state)
{
	(void)state;
	struct stage stage;
	stage_begin(&stage);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct range range = { .type = RANGE_REGION, .scope = i, .beginner = i };
		const struct range end = { .type = RANGE_REGION, .scope = i, .end_stack = 5 };
		pass(&stage);
		assert_true(builder_range_begin(stage.builder, &range, &stage.err));
		pass(&stage);
		assert_true(is_left_open(i) || builder_range_end(stage.builder, &end));
	}
	struct trace *snapshot = snapshot_of(&stage);
	pass(&stage);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		const struct range end = { .type = RANGE_REGION, .scope = i, .end_stack = 6 };
		assert_int_equal(builder_range_end(stage.builder, &end), is_left_open(i));
	}
	assert_int_equal(snapshot->ranges.count, ROUNDS);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		const struct range *then = trace_range(snapshot, i), *now = trace_range(stage.trace, i);
		bool was_open = is_left_open(i);
		assert_int_equal(then->start_ns, begun_ns(i));
		assert_int_equal(then->end_ns, was_open ? TIME_OPEN : begun_ns(i) + BETWEEN_NS);
		assert_int_equal(then->end_stack, was_open ? STACK_NONE : 5);
		assert_int_equal(then->ended_after, was_open);
		assert_int_equal(now->end_ns, was_open ? stage.now_ns : then->end_ns);
		assert_int_equal(region_at(snapshot, i, stage.now_ns), was_open ? i : REF_NONE);
	}
	trace_free(snapshot);
	stage_end(&stage);
}

static void
begin_task(struct stage *stage, int64_t id)
{
	const struct task_note note = { .id = id };
	assert_true(builder_task_begin(stage->builder, &note, 0, &stage->err));
}

static void
end_task(struct stage *stage, int64_t id)
{
	const struct task_note note = { .id = id, .actor = 1 };
	assert_true(builder_task_end(stage->builder, &note, &stage->err));
}

static void
tasks_stay_open_in_a_snapshot(void **state)
{
	(void)state;
	struct stage stage;
	stage_begin(&stage);
	begin_task(&stage, TASK);
	begin_task(&stage, TASK + 1);
	pass(&stage);
	end_task(&stage, TASK);
	struct trace *snapshot = snapshot_of(&stage);
	pass(&stage);
	end_task(&stage, TASK + 1);
	assert_int_equal(trace_task(snapshot, 0)->end_ns, BETWEEN_NS);
	assert_int_equal(trace_task(snapshot, 1)->end_ns, TIME_OPEN);
	assert_int_equal(trace_task(stage.trace, 1)->end_ns, 2 * BETWEEN_NS);
	trace_free(snapshot);
	stage_end(&stage);
}

static void
a_task_ends_once(void **state)
{
	(void)state;
	struct stage stage;
	stage_begin(&stage);
	begin_task(&stage, TASK);
	pass(&stage);
	end_task(&stage, TASK);
	pass(&stage);
	end_task(&stage, TASK);
	assert_int_equal(trace_task(stage.trace, 0)->end_ns, BETWEEN_NS);
	assert_int_equal(stage.trace->tasks.count, 1);
	stage_end(&stage);
}

static void
values_come_without_a_snapshot_seeing_them(void **state)
{
	(void)state;
	struct stage stage;
	uint64_t value, least, greatest;
	stage_begin(&stage);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		pass(&stage);
		assert_true(builder_counter(stage.builder, COUNTER_HEAP_ALLOC, i, &stage.err));
	}
	struct trace *snapshot = snapshot_of(&stage);
	int64_t then_ns = stage.now_ns;
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		pass(&stage);
		assert_true(builder_counter(
			stage.builder, COUNTER_HEAP_ALLOC, ROUNDS + i, &stage.err));
	}
	assert_true(counter_at(snapshot, COUNTER_HEAP_ALLOC, stage.now_ns, &value));
	assert_int_equal(value, ROUNDS);
	assert_true(counter_range(
		snapshot, COUNTER_HEAP_ALLOC, 0, stage.now_ns, &least, &greatest));
	assert_true(least == 1 && greatest == ROUNDS);
	assert_true(builder_finish(stage.builder, &stage.err));
	assert_true(counter_range(
		stage.trace, COUNTER_HEAP_ALLOC, then_ns, stage.now_ns + 1, &least, &greatest));
	assert_true(least == ROUNDS && greatest == (uint64_t)2 * ROUNDS);
	builder_free(stage.builder);
	trace_free(stage.trace);
	/* It shares what it has with the trace, which so lives on. */
	assert_true(counter_at(snapshot, COUNTER_HEAP_ALLOC, BETWEEN_NS, &value));
	assert_int_equal(value, 1);
	trace_free(snapshot);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions_stay_open_in_a_snapshot),
		cmocka_unit_test(tasks_stay_open_in_a_snapshot),
		cmocka_unit_test(a_task_ends_once),
		cmocka_unit_test(values_come_without_a_snapshot_seeing_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
