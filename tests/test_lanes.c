/*
 * The order and the groups of lanes on random traces, against keys from plain lists of the same events. A
 * failure names the seed; TTRACE_SEED=N tries that one alone.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/arrangement.h"
#include "base/memory.h"
#include "base_testing.h"
#include "query/search.h"
#include "randomtrace.h"
#include "trace/lane.h"
#include "trace/runtime.h"

enum { SEEDS = 40 };

static bool
is_wait(enum time_class time_class)
{
	return time_class != CLASS_GONE && time_class != CLASS_UNKNOWN &&
	       time_class != CLASS_RUNNING && time_class != CLASS_WORKER &&
	       time_class != CLASS_READY && time_class != CLASS_SYSCALL;
}

static bool
is_running(enum time_class time_class)
{
	return time_class == CLASS_RUNNING || time_class == CLASS_WORKER;
}

static bool
counts(enum lane_sort sort, enum time_class time_class)
{
	return sort == LANES_BY_RUNNING   ? is_running(time_class)
	       : sort == LANES_BY_READY   ? time_class == CLASS_READY
	       : sort == LANES_BY_SYSCALL ? time_class == CLASS_SYSCALL
					  : is_wait(time_class);
}

/* What a goroutine is sorted by; for all but first runs the greatest comes first. */
static int64_t
value_of(const struct plain_lane *lane, enum lane_sort sort)
{
	int64_t value = sort == LANES_BY_FIRST_RUN ? INT64_MAX : 0;
	for (size_t i = 0; i < lane->count; i++) {
		const struct plain_span *span = &lane->spans[i];
		int64_t length_ns = span->end_ns - span->start_ns;
		if (sort == LANES_BY_FIRST_RUN) {
			if (is_running(span->time_class) && span->start_ns < value)
				value = span->start_ns;
		} else if (sort == LANES_BY_WAKES) {
			value += i > 0 && span->time_class == CLASS_READY &&
				 is_wait(lane->spans[i - 1].time_class);
		} else if (counts(sort, span->time_class)) {
			if (sort != LANES_BY_WAIT)
				value += length_ns;
			else if (length_ns > value)
				value = length_ns;
		}
	}
	return value;
}

static int64_t
value_of_group(const struct random_trace *random, const struct group *group, enum lane_sort sort)
{
	int64_t all = sort == LANES_BY_FIRST_RUN ? INT64_MAX : 0;
	for (uint32_t i = 0; i < group->count; i++) {
		actor_ref ref = random->trace->group_members[group->first + i];
		int64_t value = value_of(&random->goroutines[ref], sort);
		if (sort == LANES_BY_FIRST_RUN)
			all = value < all ? value : all;
		else if (sort == LANES_BY_WAIT)
			all = value > all ? value : all;
		else
			all += value;
	}
	return all;
}

/* Whether one with the value a may stand before one with the value b. */
static bool
may_precede(enum lane_sort sort, int64_t a, uint32_t ref_a, int64_t b, uint32_t ref_b)
{
	if (a == b)
		return ref_a < ref_b;
	return (a < b) == (sort == LANES_BY_FIRST_RUN);
}

/* Each of [0, count) once. */
static void
check_permutation(const uint32_t *refs, size_t count)
{
	bool *seen = array_new(count, sizeof *seen, &(struct error){ 0 });
	assert_non_null(seen);
	for (size_t i = 0; i < count; i++) {
		assert_true(refs[i] < count && !seen[refs[i]]);
		seen[refs[i]] = true;
	}
	memory_free(seen);
}

static bool
is_last(const struct trace *trace, const struct group *group)
{
	return group->name == STRING_EMPTY || trace_is_runtime_name(trace, group->name);
}

static void
check_groups(const struct random_trace *random, const struct lane_order *order)
{
	const struct trace *trace = random->trace;
	assert_int_equal(order->group_count, trace->group_count);
	check_permutation(order->groups, order->group_count);
	for (size_t i = 1; i < order->group_count; i++) {
		const struct group *a = &trace->groups[order->groups[i - 1]];
		const struct group *b = &trace->groups[order->groups[i]];
		bool is_a_last = is_last(trace, a);
		if (is_a_last != is_last(trace, b)) {
			assert_false(is_a_last);
			continue;
		}
		if (order->sort == LANES_BY_NAME) {
			assert_true(order->groups[i - 1] < order->groups[i]);
			continue;
		}
		if (!may_precede(order->sort, value_of_group(random, a, order->sort),
			    order->groups[i - 1], value_of_group(random, b, order->sort),
			    order->groups[i]))
			fail_msg("seed %" PRIu64 ", %s: group %zu", random->seed,
				lane_sort_words[order->sort], i);
	}
}

static void
check_members(const struct random_trace *random, const struct lane_order *order)
{
	const struct trace *trace = random->trace;
	check_permutation(order->members, random->goroutine_count);
	for (group_ref group = 0; group < trace->group_count; group++) {
		const actor_ref *members = &order->members[trace->groups[group].first];
		for (uint32_t i = 0; i < trace->groups[group].count; i++) {
			assert_int_equal(trace_actor(trace, members[i])->group, group);
			if (i == 0)
				continue;
			if (order->sort == LANES_BY_NAME)
				assert_true(members[i - 1] < members[i]);
			else if (!may_precede(order->sort,
					 value_of(&random->goroutines[members[i - 1]], order->sort),
					 members[i - 1],
					 value_of(&random->goroutines[members[i]], order->sort),
					 members[i]))
				fail_msg("seed %" PRIu64 ", %s: group %u, goroutine %u",
					random->seed, lane_sort_words[order->sort], group, i);
		}
	}
}

static void
check_orders(uint64_t seed)
{
	static struct random_trace random;
	random_trace_make(&random, seed);
	for (int sort = LANES_BY_NAME; sort < LANE_SORT_COUNT; sort++) {
		struct error err = { 0 };
		struct lane_order order;
		assert_true(lane_order_build(
			&order, random.trace, (enum lane_sort)sort, NULL, &err));
		check_groups(&random, &order);
		check_members(&random, &order);
		lane_order_release(&order);
	}
	random_trace_release(&random);
}

static void
lanes_stand_in_the_order_of_a_scan(void **state)
{
	(void)state;
	random_each_seed(SEEDS, check_orders);
}

/* ---- groups */

static int
compare_times(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/* How long the goroutine was in a region of the task, piece by piece between all their ends. */
static int64_t
time_in_task(const struct trace *trace, actor_ref goroutine, task_ref task)
{
	enum { MOST = 4000 };
	static int64_t ends_ns[2 * MOST];
	static range_ref regions[MOST];
	size_t count = 0;
	int64_t sum_ns = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type != RANGE_REGION || range->scope != goroutine || range->task != task)
			continue;
		assert_true(count < MOST);
		ends_ns[2 * count] = range->start_ns;
		ends_ns[2 * count + 1] =
			range->end_ns == TIME_OPEN ? trace->end_ns : range->end_ns;
		regions[count++] = i;
	}
	qsort(ends_ns, 2 * count, sizeof *ends_ns, compare_times);
	for (size_t piece = 0; piece + 1 < 2 * count; piece++) {
		bool is_in = false;
		for (size_t i = 0; i < count && !is_in; i++) {
			const struct range *range = trace_range(trace, regions[i]);
			is_in = range->start_ns <= ends_ns[piece] &&
				(range->end_ns == TIME_OPEN || range->end_ns > ends_ns[piece]);
		}
		sum_ns += is_in ? ends_ns[piece + 1] - ends_ns[piece] : 0;
	}
	return sum_ns;
}

static bool
has_task(const struct trace *trace, actor_ref goroutine, task_ref task)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION && range->scope == goroutine && range->task == task)
			return true;
	}
	return false;
}

static void
check_task(const struct trace *trace, actor_ref goroutine, task_ref key)
{
	int64_t most_ns = key == REF_NONE ? -1 : time_in_task(trace, goroutine, key);
	assert_true(key == REF_NONE || has_task(trace, goroutine, key));
	for (task_ref task = 0; task < trace->tasks.count; task++) {
		if (has_task(trace, goroutine, task))
			assert_true(time_in_task(trace, goroutine, task) <= most_ns);
	}
}

static uint32_t
main_class(const struct plain_lane *lane)
{
	int64_t totals_ns[CLASS_COUNT] = { 0 };
	uint32_t most = CLASS_GONE;
	for (size_t i = 0; i < lane->count; i++)
		totals_ns[lane->spans[i].time_class] +=
			lane->spans[i].end_ns - lane->spans[i].start_ns;
	for (uint32_t i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		most = totals_ns[i] > totals_ns[most] ? i : most;
	return most;
}

/* Each goroutine is in one group, which is that of its key. */
static void
check_keys(const struct random_trace *random, const struct trace *trace)
{
	enum group_by by = trace_grouped_by(trace);
	check_permutation(trace->group_members, random->goroutine_count);
	for (actor_ref i = 0; i < random->goroutine_count; i++) {
		const struct actor *goroutine = trace_actor(trace, i);
		uint32_t key = trace_group_key(trace, trace_group_of(trace, i));
		if (by == GROUP_BY_CREATOR)
			assert_int_equal(key, goroutine->creator);
		else if (by == GROUP_BY_LABEL)
			assert_int_equal(key, goroutine->label);
		else if (by == GROUP_BY_TASK)
			check_task(trace, i, key);
		else
			assert_int_equal(key, main_class(&random->goroutines[i]));
	}
	for (group_ref group = 0; group < trace->group_count; group++) {
		const struct group *members = &trace->groups[group];
		assert_true(members->count > 0);
		assert_true(!trace_group_is_unknown(trace, group) ||
			    group + 1 == trace->group_count);
		for (uint32_t i = 0; i < members->count; i++)
			assert_int_equal(
				trace_group_of(trace, trace->group_members[members->first + i]),
				group);
		for (group_ref other = 0; other < group; other++)
			assert_true(trace_group_key(trace, other) != trace_group_key(trace, group));
	}
}

/* What a group does is what its goroutines do. */
static void
check_sums(const struct trace *trace, uint64_t *chance)
{
	for (group_ref ref = 0; ref < trace->group_count; ref++) {
		const struct group *group = &trace->groups[ref];
		int64_t t0_ns = (int64_t)random_below(chance, (size_t)trace->end_ns + 1);
		int64_t t1_ns = t0_ns + (int64_t)random_below(chance, (size_t)trace->end_ns + 1);
		int64_t got[CLASS_COUNT], wanted[CLASS_COUNT] = { 0 };
		assert_true(lane_is_known(trace, (struct lane){ LANE_GROUP, ref }));
		lane_totals(trace, (struct lane){ LANE_GROUP, ref }, t0_ns, t1_ns, got);
		for (uint32_t i = 0; i < group->count; i++) {
			int64_t part[CLASS_COUNT];
			struct lane lane = { LANE_ACTOR,
				trace->group_members[group->first + i] };
			lane_totals(trace, lane, t0_ns, t1_ns, part);
			for (int c = 0; c < CLASS_COUNT; c++)
				wanted[c] += part[c];
		}
		assert_memory_equal(got, wanted, sizeof got);
	}
}

/* A search of the trace as it was before knows the groups now. */
static void
check_search(const struct trace *of, const struct trace *trace, uint64_t *chance)
{
	struct error note = { 0 };
	struct search *search = search_new(of, "state=blocked dur>1us", &note);
	assert_non_null(search);
	search_regroup(search, trace);
	for (group_ref ref = 0; ref < trace->group_count; ref++) {
		const struct group *group = &trace->groups[ref];
		int64_t t0_ns = (int64_t)random_below(chance, (size_t)trace->end_ns + 1);
		int64_t t1_ns = t0_ns + (int64_t)random_below(chance, 1000) + 1;
		bool overlaps = false, has_any = false;
		for (uint32_t i = 0; i < group->count; i++) {
			struct lane lane = { LANE_ACTOR,
				trace->group_members[group->first + i] };
			overlaps = overlaps || search_overlaps(search, lane, t0_ns, t1_ns);
			has_any = has_any || search_has_any(search, lane);
		}
		struct lane lane = { LANE_GROUP, ref };
		assert_int_equal(search_overlaps(search, lane, t0_ns, t1_ns), overlaps);
		assert_int_equal(search_has_any(search, lane), has_any);
	}
	search_free(search);
}

static void
check_groups_by(uint64_t seed)
{
	static struct random_trace random;
	uint64_t chance = seed;
	random_trace_make(&random, seed);
	for (int by = GROUP_BY_CREATOR; by < GROUP_BY_COUNT; by++) {
		struct error err = { 0 };
		struct trace *trace =
			trace_regroup(random.trace, (enum group_by)by, NULL, &err);
		assert_non_null(trace);
		assert_ptr_equal(trace_ungrouped(trace), random.trace);
		check_keys(&random, trace);
		for (group_ref ref = 0; ref < trace->group_count; ref++)
			assert_int_equal(lane_is_known(trace, (struct lane){ LANE_GROUP, ref }),
				trace->groups[ref].count == 1);
		assert_true(groups_list_changes(trace, NULL, &err));
		check_sums(trace, &chance);
		check_search(random.trace, trace, &chance);
		trace_free(trace);
	}
	random_trace_release(&random);
}

static void
groups_are_those_of_a_scan(void **state)
{
	(void)state;
	random_each_seed(SEEDS, check_groups_by);
}

/* A job that nobody wants any more has not built anything. */
static void
an_order_is_cancelled(void **state)
{
	(void)state;
	static struct random_trace random;
	struct arrange_plan plan = { .sort = LANES_BY_WAIT };
	struct lane_order order;
	struct error err = { 0 };
	atomic_bool is_cancelled = true;
	random_trace_make(&random, 3);
	assert_false(lane_order_build(&order, random.trace, plan.sort, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_null(order.groups);
	err = (struct error){ 0 };
	struct arrange_job *job = arrange_job_start(random.trace, plan, NULL, NULL, &err);
	assert_non_null(job);
	arrange_job_end(job);
	random_trace_release(&random);
}

/* Each allocation fails once. */
static void
without_memory_there_is_no_order(void **state)
{
	(void)state;
	static struct random_trace random;
	struct arrange_plan plan = { .by = GROUP_BY_TASK, .sort = LANES_BY_WAKES };
	bool is_built = false;
	random_trace_make(&random, 5);
	for (uint64_t countdown = 1; !is_built; countdown++) {
		struct arrangement arrangement;
		struct error err = { 0 };
		memory_fail_after(countdown);
		is_built = arrangement_build(&arrangement, random.trace, plan, NULL, &err) &&
			   arrangement_list_changes(&arrangement, NULL, &err);
		memory_fail_after(0);
		assert_int_equal(err.kind, is_built ? ERROR_NONE : ERROR_MEMORY);
		arrangement_release(&arrangement);
	}
	random_trace_release(&random);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_stand_in_the_order_of_a_scan),
		cmocka_unit_test(groups_are_those_of_a_scan),
		cmocka_unit_test(an_order_is_cancelled),
		cmocka_unit_test(without_memory_there_is_no_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
