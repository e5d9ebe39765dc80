/*
 * Slices against a naive list of the same: every question, about columns of all sizes, at times
 * near each other and as far apart as 64 bits allow, and with each allocation failing.
 */
#include "base_testing.h"

#include <stdlib.h>

#include "trace/lane.h"
#include "trace/slices.h"

enum { MOST_TRACKS = 12, MOST_DEPTHS = 6, NAMES = 40 };

/* ---- the naive list */

struct naive_column {
	struct slice *items; /* column is not set */
	size_t count, capacity;
};

struct naive_track {
	enum track_owner owner;
	uint32_t ref;
	string_id name;
	track_ref track;
	uint32_t depth_count;
	struct naive_column depths[MOST_DEPTHS];
};

struct naive {
	struct naive_track tracks[MOST_TRACKS];
	int track_count;
	uint64_t count;
};

static void
naive_release(struct naive *naive)
{
	for (int i = 0; i < naive->track_count; i++)
		for (int depth = 0; depth < MOST_DEPTHS; depth++)
			memory_free(naive->tracks[i].depths[depth].items);
}

static uint64_t
naive_part(const struct slice *slice, int64_t t0_ns, int64_t t1_ns)
{
	int64_t start_ns = slice->start_ns > t0_ns ? slice->start_ns : t0_ns;
	int64_t end_ns = slice->end_ns < t1_ns ? slice->end_ns : t1_ns;

	return start_ns < end_ns ? (uint64_t)end_ns - (uint64_t)start_ns : 0;
}

static bool
naive_overlaps(const struct slice *slice, int64_t t0_ns, int64_t t1_ns)
{
	return t0_ns < t1_ns && slice->start_ns < t1_ns &&
	       (slice->end_ns > t0_ns || slice->start_ns >= t0_ns);
}

static int64_t
at_most(uint64_t time_ns)
{
	return time_ns > INT64_MAX ? INT64_MAX : (int64_t)time_ns;
}

static int64_t
naive_covered(const struct naive_column *column, int64_t t0_ns, int64_t t1_ns)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < column->count; i++)
		sum_ns += naive_part(&column->items[i], t0_ns, t1_ns);
	return at_most(sum_ns);
}

static uint32_t
naive_longest(const struct naive_column *column, int64_t t0_ns, int64_t t1_ns)
{
	uint32_t best = UINT32_MAX;
	uint64_t best_ns = 0;

	for (size_t i = 0; i < column->count; i++) {
		uint64_t part_ns = naive_part(&column->items[i], t0_ns, t1_ns);

		if (naive_overlaps(&column->items[i], t0_ns, t1_ns) &&
			(best == UINT32_MAX || part_ns > best_ns)) {
			best = (uint32_t)i;
			best_ns = part_ns;
		}
	}
	return best;
}

/* ---- filling both */

/* How times go in a scenario. */
enum times { CLOSE, WIDE, HOSTILE, TIMES };

struct scenario {
	uint64_t seed;
	enum times times;
	int tracks;
	int steps;       /* for each track */
	bool with_took;  /* else the input says none, or the length */
	bool with_detail;
};

static int64_t
random_step(const struct scenario *scenario, uint64_t *random)
{
	if (random_below(random, 4) == 0)
		return 0;
	switch (scenario->times) {
	case CLOSE:
		return (int64_t)random_below(random, 2000);
	case WIDE:
		return (int64_t)(random_next(random) >> (29 + random_below(random, 30)));
	case HOSTILE:
		return (int64_t)(random_next(random) >> (2 + random_below(random, 60)));
	case TIMES:
		break;
	}
	return 0;
}

static int64_t
later(int64_t t_ns, int64_t step_ns)
{
	return t_ns > INT64_MAX - step_ns ? INT64_MAX : t_ns + step_ns;
}

static bool
begin_both(struct slices *slices, struct naive_track *track, uint32_t depth, int64_t start_ns,
	string_id name, struct error *err)
{
	struct naive_column *column = &track->depths[depth];

	if (!slices_begin(slices, track->track, depth, start_ns, name, err))
		return false;
	if (!array_reserve(&column->items, &column->capacity, column->count + 1,
		    sizeof *column->items, err))
		return false;
	if (column->count > 0 && start_ns < column->items[column->count - 1].end_ns)
		start_ns = column->items[column->count - 1].end_ns;
	column->items[column->count] = (struct slice){ .start_ns = start_ns, .name = name,
		.flags = SLICE_OPEN, .index = (uint32_t)column->count };
	column->count++;
	if (depth >= track->depth_count)
		track->depth_count = depth + 1;
	return true;
}

static void
detail_both(struct slices *slices, struct naive_track *track, uint32_t depth, uint32_t detail)
{
	struct naive_column *column = &track->depths[depth];

	slices_detail(slices, track->track, depth, detail);
	column->items[column->count - 1].detail = detail;
}

static bool
end_both(struct slices *slices, struct naive_track *track, uint32_t depth, int64_t end_ns,
	int64_t took_ns, uint8_t flags, struct error *err)
{
	struct slice *slice = &track->depths[depth].items[track->depths[depth].count - 1];

	if (!slices_end(
		    slices, track->track, depth, (struct slice_end){ end_ns, took_ns, flags }, err))
		return false;
	slice->end_ns = end_ns > slice->start_ns ? end_ns : slice->start_ns;
	slice->took_ns = took_ns >= 0
	                         ? took_ns
	                         : at_most((uint64_t)slice->end_ns - (uint64_t)slice->start_ns);
	slice->flags = flags;
	return true;
}

/* Calls nest on the track, as a reader would tell them, and some begin too soon. */
static bool
fill_track(struct slices *slices, struct naive_track *track, const struct scenario *scenario,
	uint64_t *random, int64_t *t_ns, struct error *err)
{
	uint32_t open = 0;

	for (int i = 0; i < scenario->steps; i++) {
		*t_ns = later(*t_ns, random_step(scenario, random));
		if (open < MOST_DEPTHS && (open == 0 || random_below(random, 2) == 0)) {
			int64_t start_ns = random_below(random, 50) == 0 ? *t_ns / 2 : *t_ns;
			string_id name = (string_id)random_below(random, NAMES) *
			                 (string_id)(random_below(random, 3) > 0);

			if (!begin_both(slices, track, open, start_ns, name, err))
				return false;
			open++;
		} else {
			int64_t took_ns = -1;

			if (scenario->with_took && random_below(random, 3) > 0)
				took_ns = random_step(scenario, random);
			if (scenario->with_detail && random_below(random, 2) == 0)
				detail_both(slices, track, open - 1, (uint32_t)random_next(random));
			if (!end_both(slices, track, open - 1, *t_ns, took_ns,
				    (uint8_t)(random_below(random, 4) * SLICE_BEGAN_BEFORE), err))
				return false;
			if (scenario->with_detail && random_below(random, 2) == 0)
				detail_both(slices, track, open - 1, (uint32_t)random_next(random));
			open--;
		}
	}
	return true;
}

/* Fills both and freezes. The naive list has to be released also on failure. */
static struct slices *
fill(struct naive *naive, const struct scenario *scenario, int64_t *end_ns, struct error *err)
{
	uint64_t random = scenario->seed;
	struct slices *slices = slices_new(err);
	*naive = (struct naive){ .track_count = scenario->tracks };
	*end_ns = INT64_MIN;

	if (slices == NULL)
		return NULL;
	for (int i = 0; i < scenario->tracks; i++) {
		struct naive_track *track = &naive->tracks[i];

		/* Few owners, so that some have several tracks. */
		track->owner = (enum track_owner)random_below(&random, 4);
		track->ref = (uint32_t)random_below(&random, 3) * (UINT32_MAX / 2);
		track->name = (string_id)i;
		if (!slices_track(slices, track->owner, track->ref, track->name, &track->track, err))
			goto failed;
	}
	for (int i = 0; i < scenario->tracks; i++) {
		struct naive_track *track = &naive->tracks[i];
		int64_t t_ns = scenario->times == HOSTILE ? -(INT64_C(1) << 62)
		                                          : (int64_t)random_below(&random, 1000);
		track_ref again;

		if (!slices_track(slices, track->owner, track->ref, track->name, &again, err))
			goto failed;
		assert_int_equal(again, track->track);
		if (!fill_track(slices, track, scenario, &random, &t_ns, err))
			goto failed;
		if (t_ns > *end_ns)
			*end_ns = t_ns;
	}
	*end_ns = later(*end_ns, random_step(scenario, &random));
	if (!slices_freeze(slices, *end_ns, err))
		goto failed;
	for (int i = 0; i < naive->track_count; i++) {
		for (int depth = 0; depth < MOST_DEPTHS; depth++) {
			struct naive_column *column = &naive->tracks[i].depths[depth];

			naive->count += column->count;
			for (size_t k = 0; k < column->count; k++) {
				struct slice *slice = &column->items[k];

				if (slice->flags != SLICE_OPEN)
					continue;
				slice->end_ns = *end_ns > slice->start_ns ? *end_ns : slice->start_ns;
				slice->took_ns =
					at_most((uint64_t)slice->end_ns - (uint64_t)slice->start_ns);
			}
		}
	}
	return slices;
failed:
	slices_free(slices);
	return NULL;
}

/* ---- comparing */

static void
check_slice(uint64_t seed, const char *question, const struct slice *got,
	const struct slice *wanted, column_ref column)
{
	if (got->start_ns != wanted->start_ns || got->end_ns != wanted->end_ns ||
		got->took_ns != wanted->took_ns || got->name != wanted->name ||
		got->detail != wanted->detail || got->flags != wanted->flags ||
		got->index != wanted->index || got->column != column)
		fail_msg("seed %llu: %s: column %u: slice %u, wanted %u",
			(unsigned long long)seed, question, column, got->index, wanted->index);
}

static void
check_found(uint64_t seed, const char *question, bool is_found, const struct slice *got,
	const struct slice *wanted, column_ref column)
{
	if (is_found != (wanted != NULL))
		fail_msg("seed %llu: %s: column %u: found %d", (unsigned long long)seed, question,
			column, is_found);
	if (is_found)
		check_slice(seed, question, got, wanted, column);
}

static void
check_number(uint64_t seed, const char *question, column_ref column, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("seed %llu: %s: column %u: %lld, wanted %lld", (unsigned long long)seed,
			question, column, (long long)got, (long long)wanted);
}

/* A time at, beside or between the ends of slices, or anywhere. */
static int64_t
random_time(const struct naive_column *column, uint64_t *random)
{
	if (column->count == 0 || random_below(random, 20) == 0)
		return (int64_t)random_next(random);

	const struct slice *slice = &column->items[random_below(random, column->count)];
	switch (random_below(random, 5)) {
	case 0: return slice->start_ns;
	case 1: return slice->end_ns;
	case 2: return slice->start_ns - (slice->start_ns > INT64_MIN);
	case 3: return slice->end_ns + (slice->end_ns < INT64_MAX);
	default: return slice->start_ns / 2 + slice->end_ns / 2;
	}
}

static void
check_moment(uint64_t seed, const struct slices *slices, column_ref ref,
	const struct naive_column *column, int64_t t_ns)
{
	const struct slice *at = NULL, *next = NULL, *previous = NULL;
	struct slice got;

	for (size_t i = 0; i < column->count; i++) {
		const struct slice *slice = &column->items[i];

		if (slice->start_ns <= t_ns && t_ns < slice->end_ns)
			at = slice;
		if (slice->start_ns < t_ns)
			previous = slice;
		if (next == NULL && slice->start_ns >= t_ns)
			next = slice;
	}
	check_found(seed, "at", slices_at(slices, ref, t_ns, &got), &got, at, ref);
	check_found(seed, "next", slices_next(slices, ref, t_ns, &got), &got, next, ref);
	check_found(seed, "previous", slices_previous(slices, ref, t_ns, &got), &got, previous, ref);
}

static void
check_interval(uint64_t seed, const struct slices *slices, column_ref ref,
	const struct naive_column *column, int64_t t0_ns, int64_t t1_ns)
{
	uint32_t first, end, count = 0, longest = naive_longest(column, t0_ns, t1_ns);
	uint32_t wanted_first = 0;
	struct slice got;

	for (size_t i = column->count; i-- > 0;) {
		if (naive_overlaps(&column->items[i], t0_ns, t1_ns)) {
			wanted_first = (uint32_t)i;
			count++;
		}
	}
	slices_range(slices, ref, t0_ns, t1_ns, &first, &end);
	check_number(seed, "range", ref, end - first, count);
	if (count > 0)
		check_number(seed, "range's first", ref, first, wanted_first);
	check_number(seed, "covered", ref, slices_covered(slices, ref, t0_ns, t1_ns),
		naive_covered(column, t0_ns, t1_ns));
	check_found(seed, "longest", slices_longest(slices, ref, t0_ns, t1_ns, &got), &got,
		longest == UINT32_MAX ? NULL : &column->items[longest], ref);
}

static void
check_cells(uint64_t seed, const struct slices *slices, column_ref ref,
	const struct naive_column *column, int64_t t0_ns, int64_t t1_ns, int count)
{
	struct slice_cell cells[100];

	slices_cells(slices, ref, t0_ns, t1_ns, count, cells);
	for (int i = 0; i < count; i++) {
		int64_t from_ns = lane_edge(t0_ns, t1_ns, count, i);
		int64_t until_ns = lane_edge(t0_ns, t1_ns, count, i + 1);

		check_number(seed, "cell", ref, cells[i].covered_ns,
			naive_covered(column, from_ns, until_ns));
		check_number(seed, "longest of a cell", ref, cells[i].longest,
			naive_longest(column, from_ns, until_ns));
	}
}

static void
check_names(uint64_t seed, const struct slices *slices, const struct naive *naive, int64_t t0_ns,
	int64_t t1_ns)
{
	uint64_t counts[NAMES + 2] = { 0 };
	int64_t times_ns[NAMES + 2] = { 0 };

	for (int i = 0; i < naive->track_count; i++) {
		for (int depth = 0; depth < MOST_DEPTHS; depth++) {
			const struct naive_column *column = &naive->tracks[i].depths[depth];
			uint64_t sums_ns[NAMES] = { 0 };

			for (size_t k = 0; k < column->count; k++) {
				const struct slice *slice = &column->items[k];

				counts[slice->name]++;
				sums_ns[slice->name] += naive_part(slice, t0_ns, t1_ns);
			}
			for (int name = 0; name < NAMES; name++) {
				int64_t sum_ns = at_most(sums_ns[name]);

				times_ns[name] = times_ns[name] > INT64_MAX - sum_ns
				                         ? INT64_MAX
				                         : times_ns[name] + sum_ns;
			}
		}
	}
	for (string_id name = 0; name < NAMES + 2; name++) {
		check_number(seed, "named", name, (int64_t)slices_named(slices, name),
			(int64_t)counts[name]);
		check_number(seed, "time of a name", name,
			slices_named_time(slices, name, t0_ns, t1_ns), times_ns[name]);
	}
}

static const struct naive_track *
naive_find(const struct naive *naive, const struct track *track)
{
	for (int i = 0; i < naive->track_count; i++)
		if (naive->tracks[i].owner == track->owner && naive->tracks[i].ref == track->ref &&
			naive->tracks[i].name == track->name)
			return &naive->tracks[i];
	return NULL;
}

static void
check_tracks(const struct slices *slices, const struct naive *naive)
{
	column_ref columns = 0;

	assert_int_equal(slices_track_count(slices), naive->track_count);
	for (track_ref i = 0; i < slices_track_count(slices); i++) {
		const struct track *track = slices_track_at(slices, i);
		const struct naive_track *wanted = naive_find(naive, track);
		track_ref first;
		uint32_t count, wanted_count = 0;

		assert_non_null(wanted);
		assert_int_equal(track->depth_count, wanted->depth_count);
		assert_int_equal(track->first_column, columns);
		for (uint32_t depth = 0; depth < track->depth_count; depth++)
			assert_int_equal(slices_track_of_column(slices, columns++), i);

		/* The names are numbers in the order in which tracks were made. */
		slices_tracks_of(slices, (enum track_owner)track->owner, track->ref, &first, &count);
		for (int k = 0; k < naive->track_count; k++)
			wanted_count += naive->tracks[k].owner == track->owner &&
			                naive->tracks[k].ref == track->ref;
		assert_int_equal(count, wanted_count);
		for (uint32_t k = 0; k < count; k++) {
			const struct track *other = slices_track_at(slices, first + k);

			assert_int_equal(other->owner, track->owner);
			assert_int_equal(other->ref, track->ref);
			if (k > 0)
				assert_true(slices_track_at(slices, first + k - 1)->name < other->name);
		}
		slices_tracks_of(slices, (enum track_owner)track->owner, 7, &first, &count);
		assert_int_equal(count, 0);
	}
	assert_int_equal(slices_column_count(slices), columns);
	assert_int_equal(slices_count(slices), naive->count);
}

static void
check_all(const struct scenario *scenario, int questions)
{
	struct naive naive;
	struct error err = { 0 };
	int64_t end_ns;
	uint64_t random = scenario->seed + 1;
	struct slices *slices = fill(&naive, scenario, &end_ns, &err);

	if (slices == NULL)
		fail_msg("seed %llu: %s", (unsigned long long)scenario->seed, err.message);
	check_tracks(slices, &naive);
	for (track_ref i = 0; i < slices_track_count(slices); i++) {
		const struct track *track = slices_track_at(slices, i);
		const struct naive_track *wanted = naive_find(&naive, track);

		for (uint32_t depth = 0; depth < track->depth_count; depth++) {
			const struct naive_column *column = &wanted->depths[depth];
			column_ref ref = track->first_column + depth;
			struct slice got;

			assert_int_equal(slices_in_column(slices, ref), column->count);
			for (uint32_t k = 0; k < column->count; k++) {
				slices_get(slices, ref, k, &got);
				check_slice(scenario->seed, "get", &got, &column->items[k], ref);
			}
			for (int k = 0; k < questions; k++) {
				int64_t t0_ns = random_time(column, &random);
				int64_t t1_ns = random_time(column, &random);

				check_moment(scenario->seed, slices, ref, column, t0_ns);
				check_interval(scenario->seed, slices, ref, column, t0_ns, t1_ns);
				if (t0_ns <= t1_ns && k % 8 == 0)
					check_cells(scenario->seed, slices, ref, column, t0_ns, t1_ns,
						1 + (int)random_below(&random, 100));
			}
			check_interval(scenario->seed, slices, ref, column, INT64_MIN, INT64_MAX);
			check_cells(scenario->seed, slices, ref, column, INT64_MIN, INT64_MAX, 7);
			check_moment(scenario->seed, slices, ref, column, INT64_MIN);
			check_moment(scenario->seed, slices, ref, column, INT64_MAX);
		}
	}
	for (int k = 0; k < questions; k++) {
		const struct naive_column *column = &naive.tracks[0].depths[0];

		check_names(scenario->seed, slices, &naive, random_time(column, &random),
			random_time(column, &random));
	}
	check_names(scenario->seed, slices, &naive, INT64_MIN, INT64_MAX);
	slices_free(slices);
	naive_release(&naive);
}

static void
test_small(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		uint64_t random = seed;
		const struct scenario scenario = {
			.seed = seed,
			.times = (enum times)(seed % TIMES),
			.tracks = 1 + (int)random_below(&random, MOST_TRACKS),
			.steps = (int)random_below(&random, 300),
			.with_took = random_below(&random, 2) == 0,
			.with_detail = random_below(&random, 2) == 0,
		};

		check_all(&scenario, 10);
	}
}

/* Several levels of groups. */
static void
test_large(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= TIMES; seed++) {
		const struct scenario scenario = { seed, (enum times)(seed % TIMES), 1, 200000, true,
			false };

		check_all(&scenario, 20);
	}
}

/* A column of so many that groups of groups of groups are asked. */
static void
test_flat(void **state)
{
	(void)state;
	enum { COUNT = 600000, LONGEST = 400000 };
	struct naive naive = { .track_count = 1 };
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	uint64_t random = 5;
	struct naive_track *track = &naive.tracks[0];

	assert_true(slices_track(slices, TRACK_OF_TRACE, 0, 1, &track->track, &err));
	for (int64_t i = 0; i < COUNT; i++) {
		int64_t length_ns = i == LONGEST ? 99 : (int64_t)random_below(&random, 90);

		assert_true(begin_both(slices, track, 0, i * 100, (string_id)i % 3, &err));
		assert_true(end_both(slices, track, 0, i * 100 + length_ns, -1, 0, &err));
	}
	assert_true(slices_freeze(slices, 0, &err));
	for (int k = 0; k < 200; k++)
		check_interval(5, slices, 0, &track->depths[0],
			(int64_t)random_below(&random, COUNT * 100),
			(int64_t)random_below(&random, COUNT * 100));
	check_cells(5, slices, 0, &track->depths[0], -5, COUNT * 100 + 5, 77);
	check_names(5, slices, &naive, 1234567, 23456789);
	slices_free(slices);
	naive_release(&naive);
}

static void
test_without_slices(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	track_ref first, track;
	uint32_t count;

	assert_true(slices_freeze(slices, 5, &err));
	assert_int_equal(slices_track_count(slices), 0);
	assert_int_equal(slices_column_count(slices), 0);
	assert_int_equal(slices_count(slices), 0);
	slices_tracks_of(slices, TRACK_OF_ACTOR, 0, &first, &count);
	assert_int_equal(count, 0);
	assert_int_equal(slices_named(slices, 0), 0);
	assert_int_equal(slices_named_time(slices, 0, INT64_MIN, INT64_MAX), 0);
	slices_free(slices);
	slices_free(NULL);

	/* A track without slices stands between two that have some. */
	slices = slices_new(&err);
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(slices_track(slices, TRACK_OF_JOB, i, 0, &track, &err));
		if (i == 1)
			continue;
		assert_true(slices_begin(slices, track, 0, 10, 0, &err));
		assert_true(slices_end(slices, track, 0, (struct slice_end){ 20, -1, 0 }, &err));
	}
	assert_true(slices_freeze(slices, 5, &err));
	assert_int_equal(slices_column_count(slices), 2);
	assert_int_equal(slices_track_of_column(slices, 0), 0);
	assert_int_equal(slices_track_of_column(slices, 1), 2);
	slices_free(slices);
}

/* Many depths at once cost little, and those left out are there without slices. */
static void
test_a_deep_one(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	struct slice slice;
	track_ref track;
	uint32_t first, end;
	struct slice_cell cell;

	for (uint32_t i = 0; i < 20; i++) {
		assert_true(slices_track(slices, TRACK_OF_ACTOR, i, 0, &track, &err));
		assert_true(slices_begin(slices, track, UINT16_MAX - 1, 10, 3, &err));
		assert_true(slices_end(
			slices, track, UINT16_MAX - 1, (struct slice_end){ 20, -1, 0 }, &err));
	}
	assert_true(slices_freeze(slices, 50, &err));
	assert_int_equal(slices_column_count(slices), 20 * UINT16_MAX);
	assert_true(slices_bytes(slices) < (size_t)20 * UINT16_MAX * 9);
	assert_true(slices_at(slices, UINT16_MAX - 1, 15, &slice));
	assert_int_equal(slice.name, 3);
	assert_int_equal(slices_in_column(slices, 4), 0);
	assert_false(slices_at(slices, 4, 15, &slice));
	assert_false(slices_next(slices, 4, 0, &slice));
	assert_false(slices_previous(slices, 4, 100, &slice));
	assert_false(slices_longest(slices, 4, 0, 100, &slice));
	slices_range(slices, 4, 0, 100, &first, &end);
	assert_int_equal(end - first, 0);
	assert_int_equal(slices_covered(slices, 4, 0, 100), 0);
	slices_cells(slices, 4, 0, 100, 1, &cell);
	assert_int_equal(cell.covered_ns, 0);
	assert_int_equal(cell.longest, UINT32_MAX);
	slices_free(slices);
}

/* Times at the ends of what fits 32 bits, each in a column of its own. */
static void
test_wide_times(void **state)
{
	(void)state;
	const int64_t ends[] = { 0, 1, INT32_MAX, INT64_C(1) << 31, UINT32_MAX - 1, UINT32_MAX,
		INT64_C(1) << 32, INT64_MAX - 7 };
	enum { ENDS = sizeof ends / sizeof ends[0] };
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	struct slice slice;
	track_ref track;

	/* The second slice of each begins, lasts and took so long. */
	for (uint32_t i = 0; i < ENDS * ENDS * ENDS; i++) {
		int64_t start_ns = ends[i % ENDS] / 2, length_ns = ends[i / ENDS % ENDS] / 2;

		assert_true(slices_track(slices, TRACK_OF_TRACE, i, 0, &track, &err));
		assert_true(slices_begin(slices, track, 0, 0, 0, &err));
		assert_true(slices_end(slices, track, 0, (struct slice_end){ 0, -1, 0 }, &err));
		assert_true(slices_begin(slices, track, 0, start_ns * 2, 0, &err));
		assert_true(slices_end(slices, track, 0,
			(struct slice_end){
				later(start_ns * 2, length_ns * 2 + 1), ends[i / ENDS / ENDS], 0 },
			&err));
	}
	assert_true(slices_freeze(slices, 0, &err));
	for (uint32_t i = 0; i < ENDS * ENDS * ENDS; i++) {
		int64_t start_ns = ends[i % ENDS] / 2 * 2, length_ns = ends[i / ENDS % ENDS] / 2 * 2 + 1;

		slices_get(slices, i, 1, &slice);
		assert_true(slice.start_ns == start_ns);
		assert_true(slice.end_ns == later(start_ns, length_ns));
		assert_true(slice.took_ns == ends[i / ENDS / ENDS]);
	}
	slices_free(slices);
}

/* What the header promises: a million short ones, and as many that last years. */
static void
test_bytes(void **state)
{
	(void)state;
	enum { COUNT = 1000000 };
	const struct {
		const char *name;
		int64_t every_ns, took_ns;
		size_t most_bytes; /* each */
	} rows[] = {
		{ "laid out", 1000, -1, 18 },
		{ "stamped", 1000, 499, 22 },
		{ "sparse", INT64_C(5) * 1000 * 1000 * 1000, -1, 42 },
		{ "ages", INT64_MAX / COUNT, 7, 42 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = { 0 };
		struct slices *slices = slices_new(&err);
		track_ref track;

		assert_true(slices_track(slices, TRACK_OF_ACTOR, 0, 0, &track, &err));
		for (int64_t k = 0; k < COUNT; k++) {
			int64_t start_ns = k * rows[i].every_ns;

			assert_true(slices_begin(slices, track, 0, start_ns, (string_id)k % 50, &err));
			assert_true(slices_end(slices, track, 0,
				(struct slice_end){
					start_ns + rows[i].every_ns / 2, rows[i].took_ns, 0 },
				&err));
		}
		assert_true(slices_freeze(slices, 0, &err));
		if (slices_bytes(slices) > COUNT * rows[i].most_bytes)
			fail_msg("%s: %zu bytes", rows[i].name, slices_bytes(slices));
		slices_free(slices);
	}
}

static bool
fill_small(struct error *err)
{
	static const struct scenario scenario = { 3, WIDE, 5, 300, true, true };
	struct naive naive;
	int64_t end_ns;
	struct slices *slices = fill(&naive, &scenario, &end_ns, err);
	bool is_fine = slices != NULL;

	slices_free(slices);
	naive_release(&naive);
	return is_fine;
}

static void
test_no_memory(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("slices", fill_small) > 40);
}

static void
test_a_lost_detail(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct slices *slices = slices_new(&err);
	track_ref track;

	assert_true(slices_track(slices, TRACK_OF_TRACE, 0, 0, &track, &err));
	assert_true(slices_begin(slices, track, 0, 0, 0, &err));
	memory_fail_after(1);
	slices_detail(slices, track, 0, 7);
	memory_fail_after(0);
	assert_true(slices_end(slices, track, 0, (struct slice_end){ 1, -1, 0 }, &err));
	assert_false(slices_freeze(slices, 1, &err));
	assert_int_equal(err.kind, ERROR_MEMORY);
	slices_free(slices);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_without_slices),
		cmocka_unit_test(test_a_deep_one),
		cmocka_unit_test(test_wide_times),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_a_lost_detail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
