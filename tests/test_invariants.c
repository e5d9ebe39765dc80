/*
 * What must hold of any trace, checked on each one of testdata:
 *  - the states of a goroutine have no holes and no overlaps;
 *  - at any time a proc, and a thread, runs at most one goroutine;
 *  - the time per class of an interval is that of its parts;
 *  - the sums of a group are the sums of its members;
 *  - the cells of a strip are the totals of their intervals.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "telling.h"
#include "trace/words.h"
#include "trace/lane.h"
#include "tracetesting.h"

enum { CELLS = 37, PARTITIONS = 8, INTERVALS = 12 };

/* Calls back with every lane of a trace. */
static void
each_lane(const struct trace *trace, const char *name,
	void (*check)(const struct trace *trace, const char *name, struct lane lane))
{
	for (int type = 0; type < LANE_TYPE_COUNT; type++)
		for (uint32_t ref = 0; ref < tell_lane_count(trace, (enum lane_type)type); ref++)
			check(trace, name, (struct lane){ (enum lane_type)type, ref });
}

/* ---- one goroutine */

static void
check_life(const struct trace *trace, const char *name, actor_ref ref)
{
	const struct actor *goroutine = trace_actor(trace, ref);
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	struct span span, next;
	int64_t life_start_ns, life_end_ns, at_ns = goroutine->first_ns;
	uint32_t count = 0;
	lane_life(trace, lane, &life_start_ns, &life_end_ns);
	bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &next), span = next) {
		if (span.start_ns != at_ns || span.end_ns < span.start_ns ||
			span.ordinal != count || span.actor != ref)
			fail_msg("%s: G%" PRId64 ", state %u: [%" PRId64 ", %" PRId64
				 "), wanted a start at %" PRId64,
				name, goroutine->id, count, span.start_ns, span.end_ns, at_ns);
		at_ns = span.end_ns;
		count++;
	}
	if (count == 0)
		return;
	assert_int_equal(life_start_ns, goroutine->first_ns);
	assert_int_equal(life_end_ns, at_ns);
	assert_int_equal(at_ns,
		goroutine->end_ns == TIME_OPEN ? trace->end_ns : goroutine->end_ns);
	bool has_ended = goroutine->end_ns != TIME_OPEN;
	assert_int_equal(count + has_ended, goroutine->state_count);
}

static void
check_lives(const char *name)
{
	struct trace *trace = testing_load(name);
	assert_true(trace_actor_count(trace) > 0);
	for (actor_ref g = 0; g < trace_actor_count(trace); g++)
		check_life(trace, name, g);
	trace_free(trace);
}

static void
lives_have_no_holes_and_no_overlaps(void **state)
{
	(void)state;
	testing_each(".trace", check_lives);
}

/* ---- one proc, one thread */

/* Spans of the lane in order; adds what each goroutine runs on it. */
static void
check_resource(const struct trace *trace, const char *name, struct lane lane, int64_t *running_ns)
{
	struct span span, next;
	int64_t at_ns = 0;
	uint32_t count = 0;
	bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &next), span = next) {
		if (span.start_ns < at_ns || span.end_ns < span.start_ns || span.ordinal != count)
			fail_msg("%s: lane %d %u, span %u: [%" PRId64 ", %" PRId64
				 ") begins before %" PRId64,
				name, lane.type, lane.ref, count, span.start_ns, span.end_ns,
				at_ns);
		assert_true(span.actor < trace_actor_count(trace));
		bool is_running =
			span.time_class == CLASS_RUNNING || span.time_class == CLASS_WORKER;
		assert_true(is_running || span.time_class == CLASS_SYSCALL);
		/* The goroutine says the same of itself at that time. */
		struct lane own = { .type = LANE_ACTOR, .ref = span.actor };
		struct span state;
		assert_true(lane_previous(trace, own, span.start_ns + 1, CLASS_MASK_ALL, &state));
		assert_int_equal(state.time_class, span.time_class);
		assert_true(state.end_ns >= span.end_ns);
		if (is_running)
			running_ns[span.actor] += span.end_ns - span.start_ns;
		at_ns = span.end_ns;
		count++;
	}
}

/*
 * Each running moment of a goroutine is on exactly one proc and one thread. Before Go
 * 1.22 the thread is that of the proc's latest start, which not always is told: a thread
 * may seem to run on two procs, and only the later one counts.
 */
static void
check_running(const struct trace *trace, const char *name, enum lane_type type, uint32_t lanes)
{
	uint32_t count = trace_actor_count(trace);
	int64_t *running_ns = memory_realloc(NULL, (count + 1) * sizeof(*running_ns));
	assert_non_null(running_ns);
	memset(running_ns, 0, (count + 1) * sizeof(*running_ns));
	for (uint32_t ref = 0; ref < lanes; ref++)
		check_resource(trace, name, (struct lane){ type, ref }, running_ns);
	for (actor_ref g = 0; g < count; g++) {
		int64_t totals_ns[CLASS_COUNT];
		lane_totals(trace, (struct lane){ LANE_ACTOR, g }, 0, trace->end_ns, totals_ns);
		int64_t total_ns = totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER];
		if (type == LANE_THREAD && trace->go_minor < 22)
			assert_true(running_ns[g] <= total_ns);
		else
			assert_int_equal(running_ns[g], total_ns);
	}
	memory_free(running_ns);
}

static void
check_resources(const char *name)
{
	struct trace *trace = testing_load(name);
	check_running(trace, name, LANE_PROCESSOR, trace_processor_count(trace));
	check_running(trace, name, LANE_THREAD, trace_thread_count(trace));
	trace_free(trace);
}

static void
a_proc_runs_one_goroutine_at_a_time(void **state)
{
	(void)state;
	testing_each(".trace", check_resources);
}

/* ---- intervals and their parts */

static uint64_t seed = 1;

/* An interval within the trace or around it, from all of it to nothing. */
static void
random_interval(const struct trace *trace, int64_t *t0_ns, int64_t *t1_ns)
{
	uint64_t whole = (uint64_t)trace->end_ns + 1;
	uint64_t length = whole >> (random_next(&seed) % 30);
	*t0_ns = (int64_t)(random_next(&seed) % whole) - (int64_t)(length / 2);
	*t1_ns = *t0_ns + (int64_t)length;
}

static void
check_same(const char *name, struct lane lane, const char *what, const int64_t got[CLASS_COUNT],
	const int64_t wanted[CLASS_COUNT])
{
	for (int c = 0; c < CLASS_COUNT; c++)
		if (got[c] != wanted[c])
			fail_msg("%s: lane %d %u, %s: %s is %" PRId64 ", wanted %" PRId64, name,
				lane.type, lane.ref, what, class_name(&words_plain, (enum time_class)c), got[c],
				wanted[c]);
}

static void
add_totals(int64_t sums_ns[CLASS_COUNT], const int64_t totals_ns[CLASS_COUNT])
{
	for (int c = 0; c < CLASS_COUNT; c++)
		sums_ns[c] += totals_ns[c];
}

static void
check_partition(const struct trace *trace, const char *name, struct lane lane)
{
	int64_t t0_ns, t1_ns, whole_ns[CLASS_COUNT], sums_ns[CLASS_COUNT] = { 0 };
	random_interval(trace, &t0_ns, &t1_ns);
	lane_totals(trace, lane, t0_ns, t1_ns, whole_ns);
	assert_int_equal(whole_ns[CLASS_GONE], 0);
	int64_t from_ns = t0_ns;
	for (int part = 1; part <= PARTITIONS; part++) {
		int64_t left_ns = t1_ns - from_ns, totals_ns[CLASS_COUNT];
		int64_t to_ns = part == PARTITIONS ? t1_ns
						   : from_ns + (int64_t)(random_next(&seed) %
									 (uint64_t)(left_ns + 1));
		lane_totals(trace, lane, from_ns, to_ns, totals_ns);
		add_totals(sums_ns, totals_ns);
		from_ns = to_ns;
	}
	check_same(name, lane, "parts of an interval", sums_ns, whole_ns);
}

static void
check_cells(const struct trace *trace, const char *name, struct lane lane)
{
	int64_t t0_ns, t1_ns, cells_ns[CELLS][CLASS_COUNT];
	random_interval(trace, &t0_ns, &t1_ns);
	lane_cells(trace, lane, t0_ns, t1_ns, CELLS, cells_ns);
	assert_int_equal(lane_edge(t0_ns, t1_ns, CELLS, 0), t0_ns);
	assert_int_equal(lane_edge(t0_ns, t1_ns, CELLS, CELLS), t1_ns);
	for (int i = 0; i < CELLS; i++) {
		int64_t totals_ns[CLASS_COUNT];
		lane_totals(trace, lane, lane_edge(t0_ns, t1_ns, CELLS, i),
			lane_edge(t0_ns, t1_ns, CELLS, i + 1), totals_ns);
		check_same(name, lane, "a cell", cells_ns[i], totals_ns);
	}
}

static void
check_parts(const char *name)
{
	struct trace *trace = testing_load(name);
	each_lane(trace, name, check_partition);
	trace_free(trace);
}

static void
parts_add_up_to_the_whole(void **state)
{
	(void)state;
	testing_each(".trace", check_parts);
}

static void
check_strips(const char *name)
{
	struct trace *trace = testing_load(name);
	each_lane(trace, name, check_cells);
	trace_free(trace);
}

static void
cells_are_totals(void **state)
{
	(void)state;
	testing_each(".trace", check_strips);
}

/* ---- groups */

static void
add_goroutine(const struct trace *trace, actor_ref goroutine, int64_t t0_ns, int64_t t1_ns,
	int64_t sums_ns[CLASS_COUNT])
{
	struct lane lane = { .type = LANE_ACTOR, .ref = goroutine };
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, lane, t0_ns, t1_ns, totals_ns);
	add_totals(sums_ns, totals_ns);
}

static void
check_groups_within(const struct trace *trace, const char *name, int64_t t0_ns, int64_t t1_ns)
{
	int64_t all_ns[CLASS_COUNT] = { 0 }, totals_ns[CLASS_COUNT];
	uint32_t members = 0;
	for (group_ref i = 0; i < trace->group_count; i++) {
		const struct group *group = &trace->groups[i];
		struct lane lane = { .type = LANE_GROUP, .ref = i };
		int64_t sums_ns[CLASS_COUNT] = { 0 };
		for (uint32_t m = 0; m < group->count; m++) {
			actor_ref member = trace->group_members[group->first + m];
			assert_int_equal(trace_actor(trace, member)->group, i);
			add_goroutine(trace, member, t0_ns, t1_ns, sums_ns);
		}
		lane_totals(trace, lane, t0_ns, t1_ns, totals_ns);
		check_same(name, lane, "a group", totals_ns, sums_ns);
		add_totals(all_ns, sums_ns);
		members += group->count;
	}
	struct lane all = { .type = LANE_ALL };
	lane_totals(trace, all, t0_ns, t1_ns, totals_ns);
	check_same(name, all, "all goroutines", totals_ns, all_ns);
	assert_int_equal(members, trace_actor_count(trace));
}

static void
check_groups(const char *name)
{
	struct trace *trace = testing_load(name);
	check_groups_within(trace, name, 0, trace->end_ns);
	check_groups_within(trace, name, INT64_MIN / 2, INT64_MAX / 2);
	for (int i = 0; i < INTERVALS; i++) {
		int64_t t0_ns, t1_ns;
		random_interval(trace, &t0_ns, &t1_ns);
		check_groups_within(trace, name, t0_ns, t1_ns);
	}
	trace_free(trace);
}

static void
a_group_is_the_sum_of_its_members(void **state)
{
	(void)state;
	testing_each(".trace", check_groups);
}

/* ---- segments follow one another */

static void
check_segments(const char *name)
{
	struct trace *trace = testing_load(name);
	int64_t at_ns = 0;
	for (uint32_t i = 0; i < trace->segments.count; i++) {
		const struct segment *segment = trace_segment(trace, i);
		assert_true(segment->base_ns >= at_ns && segment->end_ns >= segment->base_ns);
		for (uint32_t s = 0; s < segment->state_count; s++)
			if (segment->start[s] != START_AT_ORIGIN)
				assert_true(segment_start_ns(segment, s) <= segment->end_ns);
		at_ns = segment->end_ns;
	}
	assert_true(at_ns <= trace->end_ns);
	trace_free(trace);
}

static void
segments_follow_one_another(void **state)
{
	(void)state;
	testing_each(".trace", check_segments);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lives_have_no_holes_and_no_overlaps),
		cmocka_unit_test(a_proc_runs_one_goroutine_at_a_time),
		cmocka_unit_test(parts_add_up_to_the_whole),
		cmocka_unit_test(cells_are_totals),
		cmocka_unit_test(a_group_is_the_sum_of_its_members),
		cmocka_unit_test(segments_follow_one_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
