/* Two walks along the columns: one adds up, one lays what calls took side by side, name by name. */
#include "analysis/slice_times.h"

#include <assert.h>

#include "analysis/registry.h"
#include "analysis/spread.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/search.h"

enum { SLICES_PER_LOOK = 4096 }; /* between two looks whether it is cancelled */

#define NO_ROW UINT32_MAX

struct walk {
	const struct slices *slices;
	const struct slice_times_scope *scope;
	const atomic_bool *is_cancelled;
	struct error *err;
	uint64_t looked; /* at slices */
	bool (*take)(void *context, const struct slice_told *told, struct error *err);
	void *context;
	struct slice_time *rows;
	size_t row_count, row_capacity;
	uint32_t *row_of_name; /* NO_ROW for none */
	size_t name_count, name_capacity;
	int64_t *took_ns; /* of all calls, those of a row together */
	size_t *next;     /* for each row: where its next call goes */
};

static bool
goes_on(struct walk *walk)
{
	return ++walk->looked % SLICES_PER_LOOK != 0 || job_goes_on(walk->is_cancelled, walk->err);
}

/* A slice that does not match still takes from the own time of the one that it is in. */
static bool
is_asked_for(const struct walk *walk, column_ref column, uint32_t index)
{
	const struct search *only = walk->scope != NULL ? walk->scope->only : NULL;
	return only == NULL || search_slices_have(only, column, index, index + 1);
}

static bool
is_call(const struct slice *slice)
{
	return (slice->flags & (SLICE_OPEN | SLICE_CUT)) == 0;
}

/* The row of a name, made if new; NULL without memory. */
static struct slice_time *
row_of(struct walk *walk, string_id name)
{
	if (name >= walk->name_count) {
		if (!array_reserve(&walk->row_of_name, &walk->name_capacity, (size_t)name + 1,
			    sizeof *walk->row_of_name, walk->err))
			return NULL;
		while (walk->name_count <= name)
			walk->row_of_name[walk->name_count++] = NO_ROW;
	}
	if (walk->row_of_name[name] == NO_ROW) {
		if (!array_reserve(&walk->rows, &walk->row_capacity, walk->row_count + 1,
			    sizeof *walk->rows, walk->err))
			return NULL;
		walk->rows[walk->row_count] = (struct slice_time){ .name = name };
		walk->row_of_name[name] = (uint32_t)walk->row_count++;
	}
	return &walk->rows[walk->row_of_name[name]];
}

/* ---- own time */

/* The slices at a depth, as they are passed by while those above are walked along. */
struct beneath {
	column_ref column;
	uint32_t next, count; /* count 0 where there is no such depth */
};

/*
 * What calls directly beneath a slice took. A slice is beneath the last one that begins no later,
 * if it begins before that ends, or ends with it. `next` follows above; NULL where nothing does.
 */
static bool
time_beneath(struct walk *walk, struct beneath *beneath, const struct slice *above,
	const struct slice *next, int64_t *sum_ns)
{
	*sum_ns = 0;
	for (; beneath->next < beneath->count; beneath->next++) {
		struct slice slice;

		slices_get(walk->slices, beneath->column, beneath->next, &slice);
		if (next != NULL ? slice.start_ns >= next->start_ns
		                 : slice.start_ns > above->end_ns)
			return true;
		if (is_call(&slice) &&
			(slice.start_ns < above->end_ns || slice.end_ns <= above->end_ns))
			*sum_ns = saturating_add_i64(*sum_ns, slice.took_ns);
		if (!goes_on(walk))
			return false;
	}
	return true;
}

/* ---- the walks */

static bool
tell_column(struct walk *walk, track_ref ref, uint32_t depth, uint32_t first, uint32_t end)
{
	const struct track *track = slices_track_at(walk->slices, ref);
	column_ref column = track->first_column + depth;
	struct beneath beneath = { .column = column + 1 };
	struct slice slice, next;
	int64_t beneath_ns;

	if (first == end)
		return true;
	slices_get(walk->slices, column, first, &slice);
	if (depth + 1 < track->depth_count &&
		slices_next(walk->slices, column + 1, slice.start_ns, &next)) {
		beneath.next = next.index;
		beneath.count = slices_in_column(walk->slices, column + 1);
	}
	for (uint32_t i = first; i < end; i++) {
		bool has_next = i + 1 < slices_in_column(walk->slices, column);

		if (has_next)
			slices_get(walk->slices, column, i + 1, &next);
		if (!time_beneath(walk, &beneath, &slice, has_next ? &next : NULL, &beneath_ns))
			return false;
		struct slice_told told = { .track = ref, .depth = depth, .slice = &slice,
			.is_call = is_call(&slice) };
		if (told.is_call && (slice.flags & SLICE_BEGAN_BEFORE) == 0 &&
			slice.took_ns > beneath_ns)
			told.self_ns = slice.took_ns - beneath_ns;
		if ((is_asked_for(walk, column, i) &&
			    !walk->take(walk->context, &told, walk->err)) ||
			!goes_on(walk))
			return false;
		if (has_next)
			slice = next;
	}
	return true;
}

static bool
take_self(void *context, const struct slice_told *told, struct error *err)
{
	(void)err;
	*(int64_t *)context = told->self_ns;
	return true;
}

bool
slice_self(const struct slices *slices, const struct slice *slice, int64_t *self_ns)
{
	struct error ignored;
	struct walk walk = {
		.slices = slices, .take = take_self, .context = self_ns, .err = &ignored
	};
	track_ref ref = slices_track_of_column(slices, slice->column);
	const struct track *track = slices_track_at(slices, ref);
	uint32_t depth = slice->column - track->first_column, first = 0, end = 0;

	if (!is_call(slice) || (slice->flags & SLICE_BEGAN_BEFORE) != 0)
		return false;
	if (depth + 1 < track->depth_count)
		slices_range(slices, slice->column + 1, slice->start_ns, slice->end_ns, &first, &end);
	error_clear(&ignored);
	return end - first <= SLICE_CALLEES_MOST &&
	       tell_column(&walk, ref, depth, slice->index, slice->index + 1);
}

static bool
place_column(struct walk *walk, track_ref ref, uint32_t depth, uint32_t first, uint32_t end)
{
	const struct track *track = slices_track_at(walk->slices, ref);

	for (uint32_t i = first; i < end; i++) {
		column_ref column = track->first_column + depth;
		struct slice slice;

		slices_get(walk->slices, column, i, &slice);
		if (is_call(&slice) && is_asked_for(walk, column, i))
			walk->took_ns[walk->next[walk->row_of_name[slice.name]]++] = slice.took_ns;
		if (!goes_on(walk))
			return false;
	}
	return true;
}

/* Along the slices [first, end) of each column that overlap the interval. */
static bool
walk_columns(struct walk *walk, bool (*look)(struct walk *walk, track_ref ref, uint32_t depth,
				       uint32_t first, uint32_t end))
{
	const struct slice_times_scope *scope = walk->scope;

	assert(scope->first_track <= slices_track_count(walk->slices) &&
		scope->track_count <= slices_track_count(walk->slices) - scope->first_track);
	for (uint32_t i = 0; i < scope->track_count; i++) {
		track_ref ref = scope->first_track + i;
		const struct track *track = slices_track_at(walk->slices, ref);

		if (!job_goes_on(walk->is_cancelled, walk->err))
			return false;
		for (uint32_t depth = 0; depth < track->depth_count; depth++) {
			uint32_t first, end;

			slices_range(walk->slices, track->first_column + depth, scope->t0_ns,
				scope->t1_ns, &first, &end);
			if (!look(walk, ref, depth, first, end))
				return false;
		}
	}
	return true;
}

bool
slice_walk(const struct slice_walk *of, struct error *err)
{
	struct walk walk = { .slices = of->slices, .scope = &of->scope,
		.is_cancelled = of->is_cancelled, .err = err, .take = of->take,
		.context = of->context };

	return walk_columns(&walk, tell_column);
}

/* ---- by name */

static bool
add_slice(void *context, const struct slice_told *told, struct error *err)
{
	struct walk *walk = context;
	const struct slice *slice = told->slice;
	struct slice_time *row = row_of(walk, slice->name);

	(void)err;
	if (row == NULL)
		return false;
	if (!told->is_call) {
		row->partial++;
		return true;
	}
	if (row->calls++ == 0 || slice->took_ns < row->shortest_ns)
		row->shortest_ns = slice->took_ns;
	if (slice->took_ns > row->longest_ns)
		row->longest_ns = slice->took_ns;
	row->total_ns = saturating_add_i64(row->total_ns, slice->took_ns);
	row->self_ns = saturating_add_i64(row->self_ns, told->self_ns);
	return true;
}

static bool
find_percentiles(struct walk *walk)
{
	size_t calls = 0;

	walk->next = array_new_unset(walk->row_count, sizeof *walk->next, walk->err);
	if (walk->next == NULL)
		return false;
	for (size_t i = 0; i < walk->row_count; i++) {
		walk->next[i] = calls;
		calls += walk->rows[i].calls;
	}
	walk->took_ns = array_new_unset(calls, sizeof *walk->took_ns, walk->err);
	if (walk->took_ns == NULL || !walk_columns(walk, place_column))
		return false;
	for (size_t i = 0; i < walk->row_count; i++) {
		struct slice_time *row = &walk->rows[i];
		struct spread spread =
			spread_of(&walk->took_ns[walk->next[i] - row->calls], row->calls, 0);

		row->p50_ns = spread.p50_ns;
		row->p90_ns = spread.p90_ns;
		row->p99_ns = spread.p99_ns;
		if (!job_goes_on(walk->is_cancelled, walk->err))
			return false;
	}
	return true;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct slice_time *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

struct slice_times_scope
slice_times_scope_of(const struct slices *slices, actor_ref actor)
{
	struct slice_times_scope scope = { INT64_MIN, INT64_MAX, 0, slices_track_count(slices), NULL };

	if (actor != REF_NONE)
		slices_tracks_of(
			slices, TRACK_OF_ACTOR, actor, &scope.first_track, &scope.track_count);
	return scope;
}

bool
slice_times_build(struct slice_times *times, const struct slices *slices,
	const struct slice_times_scope *scope, const atomic_bool *is_cancelled, struct error *err)
{
	struct walk walk = {
		.slices = slices, .scope = scope, .is_cancelled = is_cancelled, .err = err,
		.take = add_slice, .context = &walk
	};
	bool is_fine = walk_columns(&walk, tell_column) && find_percentiles(&walk);
	const struct sort by_total = { walk.rows, walk.row_count, sizeof *walk.rows, compare_rows };

	is_fine = is_fine && sort_items(&by_total, is_cancelled, err);
	memory_free(walk.row_of_name);
	memory_free(walk.next);
	memory_free(walk.took_ns);
	if (!is_fine) {
		memory_free(walk.rows);
		return false;
	}
	*times = (struct slice_times){ walk.rows, walk.row_count };
	return true;
}

void
slice_times_release(struct slice_times *times)
{
	memory_free(times->rows);
	*times = (struct slice_times){ 0 };
}

/* ---- as a table */

static const struct result_column columns[] = {
	DIMENSION("name", "name", FIGURE_STRING, .least_cells = 12),
	MEASURE("calls", "calls", FIGURE_COUNT),
	MEASURE("total_ns", "total", FIGURE_DURATION),
	MEASURE("self_ns", "self", FIGURE_DURATION),
	MEASURE("longest_ns", "longest", FIGURE_DURATION),
	MEASURE("shortest_ns", "shortest", FIGURE_DURATION, .rank = 6),
	MEASURE("p50_ns", "p50", FIGURE_DURATION, .rank = 3),
	MEASURE("p90_ns", "p90", FIGURE_DURATION, .rank = 4),
	MEASURE("p99_ns", "p99", FIGURE_DURATION, .rank = 2),
	MEASURE("partial", "partial", FIGURE_COUNT, .rank = 5),
};

static bool
add_row(struct result_sink *sink, const struct slice_time *time, struct error *err)
{
	int64_t cells[ARRAY_LENGTH(columns)] = { time->name, (int64_t)time->calls, time->total_ns,
		time->self_ns, time->longest_ns, time->shortest_ns, time->p50_ns, time->p90_ns,
		time->p99_ns, (int64_t)time->partial };

	for (size_t i = 2; time->calls == 0 && i + 1 < ARRAY_LENGTH(columns); i++)
		cells[i] = FIGURE_NONE;
	return sink->row(sink, cells, NULL, err);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct slices *slices = work->trace->slices;
	const struct result_table table = {
		.name = "slices",
		.title = "By name",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 2,
		.none = slices == NULL ? "The trace has no slices." : "none",
	};
	struct slice_times times = { 0 };

	if (slices != NULL) {
		struct slice_times_scope scope = slice_times_scope_of(slices, work->scope.actor);

		scope.only = work->only;
		if (!work->scope.is_all) {
			scope.t0_ns = work->scope.t0_ns;
			scope.t1_ns = work->scope.t1_ns;
		}
		if (!slice_times_build(&times, slices, &scope, &work->watch.is_cancelled, err))
			return false;
	}
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < times.count; i++)
		is_fine = add_row(sink, &times.rows[i], err);
	slice_times_release(&times);
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind slices_kind = {
	.name = "slices",
	.help = "by name: how many, how long, on their own",
	.heading = "Slices",
	.title = "Slices by name",
	.needs = NEEDS_SLICES,
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY,
	.fill = fill,
};
