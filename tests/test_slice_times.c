/*
 * Times of slices by name against a naive sum: here each call knows who called it, from the order
 * in which they were told.
 */
#include "base_testing.h"

#include <stdlib.h>

#include "analysis/slice_times.h"

enum { NAMES = 9, TRACKS = 3, MOST_DEPTHS = 5, NO_CALLER = -1 };

struct call {
	int64_t start_ns, end_ns, took_ns;
	string_id name;
	uint32_t track;
	int caller; /* among the calls; NO_CALLER for none */
	uint8_t flags;
};

struct calls {
	struct call *items;
	size_t count, capacity;
};

static bool
is_whole(const struct call *call)
{
	return (call->flags & (SLICE_OPEN | SLICE_CUT)) == 0;
}

/* Calls of one track. After one has ended, the next begins later. */
static bool
tell_track(struct slices *slices, struct calls *calls, uint32_t number, uint64_t *random,
	struct error *err)
{
	int open[MOST_DEPTHS];
	uint32_t depth = 0;
	int64_t t_ns = 0;
	track_ref track;

	if (!slices_track(slices, TRACK_OF_ACTOR, number, 0, &track, err))
		return false;
	for (int i = 0; i < 400; i++) {
		if (depth < MOST_DEPTHS && (depth == 0 || random_below(random, 2) == 0)) {
			if (!array_reserve(&calls->items, &calls->capacity, calls->count + 1,
				    sizeof *calls->items, err))
				return false;
			t_ns += 1 + (int64_t)random_below(random, 30);
			calls->items[calls->count] = (struct call){ .start_ns = t_ns,
				.name = (string_id)random_below(random, NAMES), .track = number,
				.caller = depth > 0 ? open[depth - 1] : NO_CALLER };
			if (!slices_begin(slices, track, depth, t_ns,
				    calls->items[calls->count].name, err))
				return false;
			open[depth++] = (int)calls->count++;
			continue;
		}
		struct call *call = &calls->items[open[--depth]];

		t_ns += (int64_t)random_below(random, 20);
		call->end_ns = t_ns;
		call->took_ns = random_below(random, 2) == 0 ? (int64_t)random_below(random, 90)
		                                             : t_ns - call->start_ns;
		if (random_below(random, 5) == 0)
			call->flags = (uint8_t)(1 << random_below(random, 3));
		if (!slices_end(slices, track, depth,
			    (struct slice_end){ t_ns, call->took_ns, call->flags }, err))
			return false;
	}
	while (depth > 0) {
		struct call *call = &calls->items[open[--depth]];

		call->end_ns = 100000;
		call->took_ns = call->end_ns - call->start_ns;
		call->flags = SLICE_OPEN;
	}
	return true;
}

/* The calls have to be released also on failure. */
static struct slices *
tell(struct calls *calls, uint64_t seed, struct error *err)
{
	struct slices *slices = slices_new(err);
	uint64_t random = seed;
	bool is_fine = slices != NULL;

	*calls = (struct calls){ 0 };
	for (uint32_t i = 0; is_fine && i < TRACKS; i++)
		is_fine = tell_track(slices, calls, i, &random, err);
	if (is_fine && slices_freeze(slices, 100000, err))
		return slices;
	slices_free(slices);
	return NULL;
}

static int
compare_times(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

static struct slice_time
naive_time(const struct calls *calls, const struct slice_times_scope *scope, string_id name)
{
	struct slice_time sum = { .name = name };
	int64_t *took_ns = calloc(calls->count + 1, sizeof *took_ns);

	assert_non_null(took_ns);
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		int64_t self_ns = call->took_ns;

		if (call->name != name || call->track < scope->first_track ||
			call->track - scope->first_track >= scope->track_count ||
			scope->t0_ns >= scope->t1_ns || call->start_ns >= scope->t1_ns ||
			(call->end_ns <= scope->t0_ns && call->start_ns < scope->t0_ns))
			continue;
		if (!is_whole(call)) {
			sum.partial++;
			continue;
		}
		for (size_t k = 0; k < calls->count; k++)
			if (calls->items[k].caller == (int)i && is_whole(&calls->items[k]))
				self_ns -= calls->items[k].took_ns;
		took_ns[sum.calls++] = call->took_ns;
		sum.total_ns += call->took_ns;
		if (call->flags != SLICE_BEGAN_BEFORE && self_ns > 0)
			sum.self_ns += self_ns;
	}
	qsort(took_ns, sum.calls, sizeof *took_ns, compare_times);
	if (sum.calls > 0) {
		sum.shortest_ns = took_ns[0];
		sum.longest_ns = took_ns[sum.calls - 1];
		sum.p50_ns = took_ns[(sum.calls * 50 + 99) / 100 - 1];
		sum.p90_ns = took_ns[(sum.calls * 90 + 99) / 100 - 1];
		sum.p99_ns = took_ns[(sum.calls * 99 + 99) / 100 - 1];
	}
	free(took_ns);
	return sum;
}

static void
check_scope(uint64_t seed, const struct slices *slices, const struct calls *calls,
	const struct slice_times_scope *scope)
{
	struct error err = { 0 };
	struct slice_times times;
	size_t rows = 0;

	if (!slice_times_build(&times, slices, scope, NULL, &err))
		fail_msg("%s", err.message);
	for (string_id name = 0; name < NAMES; name++) {
		struct slice_time wanted = naive_time(calls, scope, name);
		const struct slice_time *got = NULL;

		for (size_t i = 0; i < times.count; i++)
			if (times.rows[i].name == name)
				got = &times.rows[i];
		if ((got != NULL) != (wanted.calls + wanted.partial > 0))
			fail_msg("seed %d: name %u: there %d", (int)seed, name, got != NULL);
		if (got == NULL)
			continue;
		rows++;
		if (got->calls != wanted.calls || got->partial != wanted.partial ||
			got->total_ns != wanted.total_ns || got->self_ns != wanted.self_ns ||
			got->longest_ns != wanted.longest_ns ||
			got->shortest_ns != wanted.shortest_ns || got->p50_ns != wanted.p50_ns ||
			got->p90_ns != wanted.p90_ns || got->p99_ns != wanted.p99_ns)
			fail_msg("seed %d: name %u in [%lld, %lld): calls %d of %d, total %lld of %lld, "
				 "self %lld of %lld, p50 %lld of %lld",
				(int)seed, name, (long long)scope->t0_ns, (long long)scope->t1_ns,
				(int)got->calls, (int)wanted.calls, (long long)got->total_ns,
				(long long)wanted.total_ns, (long long)got->self_ns,
				(long long)wanted.self_ns, (long long)got->p50_ns,
				(long long)wanted.p50_ns);
	}
	assert_int_equal(rows, times.count);
	for (size_t i = 1; i < times.count; i++)
		assert_true(times.rows[i - 1].total_ns > times.rows[i].total_ns ||
			    (times.rows[i - 1].total_ns == times.rows[i].total_ns &&
				    times.rows[i - 1].name < times.rows[i].name));
	slice_times_release(&times);
	assert_null(times.rows);
}

/* What one slice has for itself adds up to what its name has. */
static void
check_each(const struct slices *slices)
{
	const struct slice_times_scope all = slice_times_scope_of(slices, REF_NONE);
	struct error err = { 0 };
	struct slice_times times;
	int64_t sums_ns[NAMES] = { 0 };

	assert_true(slice_times_build(&times, slices, &all, NULL, &err));
	for (column_ref column = 0; column < slices_column_count(slices); column++) {
		for (uint32_t i = 0; i < slices_in_column(slices, column); i++) {
			struct slice slice;
			int64_t self_ns;

			slices_get(slices, column, i, &slice);
			if (slice_self(slices, &slice, &self_ns))
				sums_ns[slice.name] += self_ns;
			else
				assert_true(slice.flags != 0);
		}
	}
	for (size_t i = 0; i < times.count; i++)
		assert_true(times.rows[i].self_ns == sums_ns[times.rows[i].name]);
	slice_times_release(&times);
}

static void
test_random_calls(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct error err = { 0 };
		struct calls calls;
		struct slices *slices = tell(&calls, seed, &err);
		uint64_t random = seed;

		assert_non_null(slices);
		check_scope(seed, slices, &calls,
			&(struct slice_times_scope){ INT64_MIN, INT64_MAX, 0, TRACKS, NULL });
		for (int i = 0; i < 20; i++) {
			const struct slice_times_scope scope = {
				.t0_ns = (int64_t)random_below(&random, 5000),
				.t1_ns = (int64_t)random_below(&random, 5000),
				.first_track = (track_ref)random_below(&random, TRACKS),
				.track_count = 1,
			};
			check_scope(seed, slices, &calls, &scope);
		}
		check_each(slices);
		slices_free(slices);
		memory_free(calls.items);
	}
}

/* Where two meet, what begins there is beneath the later one, and what ends there the earlier. */
static void
test_touching(void **state)
{
	(void)state;
	const struct {
		const char *name;
		int64_t start_ns, length_ns, took_ns;
		int64_t first_ns, second_ns; /* own time of [0, 10) and [at, at + 10) */
		int64_t at_ns;
	} rows[] = {
		{ "beneath the second", 10, 4, 4, 10, 6, 10 },
		{ "ends with the first", 8, 2, 2, 8, 10, 10 },
		{ "without length", 10, 0, 3, 10, 7, 10 },
		{ "without length at an end", 10, 0, 3, 7, 10, 15 },
		{ "without length at the end", 20, 0, 3, 10, 7, 10 },
		{ "between both", 10, 4, 4, 10, 10, 15 },
		{ "beneath the second alone", 15, 4, 4, 10, 6, 15 },
		{ "longer than the first", 5, 40, 40, 0, 10, 45 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = { 0 };
		struct slices *slices = slices_new(&err);
		struct slice_times times;
		track_ref track;

		assert_true(slices_track(slices, TRACK_OF_ACTOR, 0, 0, &track, &err));
		assert_true(slices_begin(slices, track, 0, 0, 1, &err));
		assert_true(slices_end(slices, track, 0, (struct slice_end){ 10, -1, 0 }, &err));
		assert_true(slices_begin(slices, track, 0, rows[i].at_ns, 2, &err));
		assert_true(slices_end(
			slices, track, 0, (struct slice_end){ rows[i].at_ns + 10, -1, 0 }, &err));
		assert_true(slices_begin(slices, track, 1, rows[i].start_ns, 3, &err));
		assert_true(slices_end(slices, track, 1,
			(struct slice_end){
				rows[i].start_ns + rows[i].length_ns, rows[i].took_ns, 0 },
			&err));
		assert_true(slices_freeze(slices, 100, &err));
		const struct slice_times_scope scope = { 0, 100, 0, 1, NULL };
		assert_true(slice_times_build(&times, slices, &scope, NULL, &err));
		for (size_t k = 0; k < times.count; k++) {
			int64_t wanted_ns = times.rows[k].name == 1   ? rows[i].first_ns
			                    : times.rows[k].name == 2 ? rows[i].second_ns
			                                              : rows[i].took_ns;
			if (times.rows[k].self_ns != wanted_ns)
				fail_msg("%s: %u has %lld, wanted %lld", rows[i].name,
					times.rows[k].name, (long long)times.rows[k].self_ns,
					(long long)wanted_ns);
		}
		slice_times_release(&times);
		slices_free(slices);
	}
}

/* Ages that sum to more than there is. */
static void
test_ages(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	struct slice_times times;
	track_ref track;

	for (uint32_t i = 0; i < 3; i++) {
		assert_true(slices_track(slices, TRACK_OF_ACTOR, i, 0, &track, &err));
		assert_true(slices_begin(slices, track, 0, INT64_MIN, 0, &err));
		assert_true(
			slices_end(slices, track, 0, (struct slice_end){ INT64_MAX, -1, 0 }, &err));
	}
	assert_true(slices_freeze(slices, 0, &err));
	const struct slice_times_scope scope = { INT64_MIN, INT64_MAX, 0, 3, NULL };
	assert_true(slice_times_build(&times, slices, &scope, NULL, &err));
	assert_int_equal(times.rows[0].calls, 3);
	assert_true(times.rows[0].total_ns == INT64_MAX && times.rows[0].self_ns == INT64_MAX);
	slice_times_release(&times);
	slices_free(slices);
}

static void
test_cancelled(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct calls calls;
	struct slices *slices = tell(&calls, 1, &err);
	struct slice_times times;
	const struct slice_times_scope scope = { INT64_MIN, INT64_MAX, 0, TRACKS, NULL };
	atomic_bool is_cancelled = true;

	assert_non_null(slices);
	assert_false(slice_times_build(&times, slices, &scope, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	slices_free(slices);
	memory_free(calls.items);
}

static struct slices *shared;

static bool
build(struct error *err)
{
	struct slice_times times;
	const struct slice_times_scope scope = { INT64_MIN, INT64_MAX, 0, TRACKS, NULL };

	if (!slice_times_build(&times, shared, &scope, NULL, err))
		return false;
	slice_times_release(&times);
	return true;
}

static void
test_no_memory(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct calls calls;

	shared = tell(&calls, 1, &err);
	assert_non_null(shared);
	assert_true(fail_each_allocation("slice times", build) >= 4);
	slices_free(shared);
	memory_free(calls.items);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_calls),
		cmocka_unit_test(test_touching),
		cmocka_unit_test(test_ages),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
