/* One look at what is around a slice, one at what is beneath it, one at all of its name. */
#include "analysis/slice_life.h"

#include "analysis/slice_times.h"
#include "base/checked.h"
#include "base/job.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"

enum {
	SLICES_AT_ONCE = 100000, /* are looked at in some milliseconds */
	SLICES_PER_LOOK = 4096,  /* between two looks whether it is cancelled */
};

struct look {
	struct slice_life *life;
	const struct slices *slices;
	const atomic_bool *is_cancelled;
	struct error *err;
};

static bool
goes_on(const struct look *look, uint64_t number)
{
	return number % SLICES_PER_LOOK != 0 || job_goes_on(look->is_cancelled, look->err);
}

/* ---- around it */

static bool
find_around(struct look *look)
{
	struct slice_life *life = look->life;
	const struct slices *slices = look->slices;
	column_ref column = life->slice.column;
	uint32_t index = life->slice.index;
	life->above = array_new_unset(life->depth, sizeof *life->above, look->err);
	if (life->above == NULL)
		return false;
	for (uint32_t depth = life->depth; depth-- > 0;) {
		struct slice *above = &life->above[life->above_count];
		life->above_count += slices_at(
			slices, life->track->first_column + depth, life->slice.start_ns, above);
	}
	life->has_before = index > 0;
	if (life->has_before)
		slices_get(slices, column, index - 1, &life->before);
	life->has_after = index + 1 < slices_in_column(slices, column);
	if (life->has_after)
		slices_get(slices, column, index + 1, &life->after);
	life->has_self = slice_self(slices, &life->slice, &life->self_ns);
	return true;
}

/* ---- beneath it */

/* Those directly beneath: [*first, *end) of the next column, by the rule of slice_times.h. */
static void
range_beneath(const struct look *look, uint32_t *first, uint32_t *end)
{
	const struct slice_life *life = look->life;
	const struct slice *slice = &life->slice;
	column_ref column = slice->column + 1;
	struct slice next;
	*first = *end = 0;
	if (life->depth + 1 == life->track->depth_count ||
		!slices_next(look->slices, column, slice->start_ns, &next))
		return;
	*first = *end = next.index;
	uint32_t ignored, until, count = slices_in_column(look->slices, column);
	slices_range(look->slices, column, slice->start_ns, slice->end_ns, &ignored, &until);
	*end = until > *first ? until : *first;
	/* Those without length at its very end, unless another one begins there. */
	for (; *end < count; ++*end) {
		slices_get(look->slices, column, *end, &next);
		if (next.end_ns > slice->end_ns ||
			(life->has_after && next.start_ns >= life->after.start_ns))
			break;
	}
}

/* Keeps it if it is among the longest. */
static void
keep_longest(struct slice_life *life, const struct slice *slice)
{
	size_t at = life->longest_count;
	while (at > 0 && life->longest[at - 1].took_ns < slice->took_ns)
		at--;
	if (at == SLICE_LIFE_LONGEST)
		return;
	if (life->longest_count < SLICE_LIFE_LONGEST)
		life->longest_count++;
	for (size_t i = life->longest_count - 1; i > at; i--)
		life->longest[i] = life->longest[i - 1];
	life->longest[at] = *slice;
}

static int
compare_kins(const void *left, const void *right)
{
	const struct slice_kin *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static bool
add_kin(struct look *look, struct map *by_name, size_t *capacity, const struct slice *slice)
{
	struct slice_life *life = look->life;
	uint32_t at = map_find(by_name, slice->name);
	if (at == MAP_NONE) {
		at = (uint32_t)life->kin_count;
		if (!array_reserve(&life->kins, capacity, life->kin_count + 1, sizeof *life->kins,
			    look->err) ||
			!map_put(by_name, slice->name, at, look->err))
			return false;
		life->kins[life->kin_count++] =
			(struct slice_kin){ .name = slice->name, .longest = *slice };
	}
	struct slice_kin *kin = &life->kins[at];
	kin->count++;
	kin->total_ns = saturating_add_i64(kin->total_ns, slice->took_ns);
	if (slice->took_ns > kin->longest.took_ns)
		kin->longest = *slice;
	return true;
}

static bool
look_beneath(struct look *look)
{
	struct slice_life *life = look->life;
	struct map by_name = { 0 };
	size_t capacity = 0;
	uint32_t first, end;
	bool is_fine = true;
	range_beneath(look, &first, &end);
	for (uint32_t i = first; is_fine && i < end; i++) {
		struct slice slice;
		slices_get(look->slices, life->slice.column + 1, i, &slice);
		life->beneath_count++;
		life->beneath_ns = saturating_add_i64(life->beneath_ns, slice.took_ns);
		keep_longest(life, &slice);
		is_fine = add_kin(look, &by_name, &capacity, &slice) && goes_on(look, i);
	}
	map_release(&by_name);
	const struct sort sort = { life->kins, life->kin_count, sizeof *life->kins, compare_kins };
	return is_fine && sort_items(&sort, look->is_cancelled, look->err);
}

/* ---- those of its name */

static bool
look_at_named(struct look *look)
{
	struct slice_life *life = look->life;
	uint64_t count = slices_named(look->slices, life->slice.name);
	int64_t *took_ns = array_new_unset((size_t)count, sizeof *took_ns, look->err);
	bool is_fine = took_ns != NULL;
	for (uint64_t i = 0; is_fine && i < count; i++) {
		struct slice slice;
		slices_get_named(look->slices, life->slice.name, i, &slice);
		is_fine = goes_on(look, i);
		if ((slice.flags & (SLICE_OPEN | SLICE_CUT)) != 0) {
			life->named_partial++;
			continue;
		}
		if (life->named_count == 0 || slice.took_ns > life->named_longest.took_ns)
			life->named_longest = slice;
		if (life->named_count == 0 || slice.took_ns < life->named_shortest_ns)
			life->named_shortest_ns = slice.took_ns;
		life->named_longer += slice.took_ns > life->slice.took_ns;
		took_ns[life->named_count++] = slice.took_ns;
	}
	if (is_fine)
		life->named = spread_of(took_ns, (size_t)life->named_count, 0);
	memory_free(took_ns);
	return is_fine;
}

/* ---- the whole */

bool
slice_life_build(struct slice_life *life, const struct slices *slices, const struct slice *slice,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct look look = { life, slices, is_cancelled, err };
	uint32_t first, end;
	*life = (struct slice_life){ .slice = *slice };
	life->track = slices_track_at(slices, slices_track_of_column(slices, slice->column));
	life->depth = slice->column - life->track->first_column;
	if (!find_around(&look)) {
		slice_life_release(life);
		return false;
	}
	range_beneath(&look, &first, &end);
	bool is_large = end - first + slices_named(slices, slice->name) > SLICES_AT_ONCE;
	bool is_fine = is_cancelled == NULL && is_large
			       ? error_set(err, ERROR_LIMIT, "there is more than can be shown at once")
			       : look_beneath(&look) && look_at_named(&look);
	if (!is_fine)
		slice_life_release(life);
	return is_fine;
}

void
slice_life_release(struct slice_life *life)
{
	memory_free(life->above);
	memory_free(life->kins);
	*life = (struct slice_life){ 0 };
}
