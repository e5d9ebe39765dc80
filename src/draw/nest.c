/* Slices, regions and logs of the tracks that are unfolded. */
#include "draw/nest.h"

#include <string.h>

#include "base/memory.h"
#include "query/bits.h"
#include "query/search.h"

/* ---- one */

/* Those of the refs of a key for which `keeps` says so; *count of them, to be freed. */
static uint32_t *
choose(const struct trace *trace, const struct ref_index *index, uint32_t key,
	bool (*keeps)(const struct trace *, uint32_t), size_t *count, struct error *err)
{
	uint32_t first = key < index->key_count ? index->first[key] : 0;
	uint32_t end = key < index->key_count ? index->first[key + 1] : 0;
	uint32_t *kept = array_new_unset(end - first, sizeof *kept, err);
	*count = 0;
	for (uint32_t i = first; kept != NULL && i < end; i++)
		if (keeps(trace, index->refs[i]))
			kept[(*count)++] = index->refs[i];
	return kept;
}

static bool
is_region(const struct trace *trace, uint32_t range)
{
	return trace_range(trace, range)->type == RANGE_REGION;
}

static bool
is_log(const struct trace *trace, uint32_t instant)
{
	return trace_instant(trace, instant)->type == INSTANT_LOG;
}

/* Of an actor. O(its ranges and instants). Release with nest_release() after success. */
static bool
build(struct nest *nest, const struct trace *trace, actor_ref actor, struct error *err)
{
	struct nest built = { .lane = { LANE_ACTOR, actor } };
	column_ref first;
	size_t count = 0;
	slice_rows_of(trace, built.lane, &first, &built.slice_rows);
	range_ref *regions =
		choose(trace, &trace->actor_ranges, actor, is_region, &count, err);
	bool is_fine = regions != NULL && region_rows_build(&built.regions, &built.region_count,
						  trace, regions, count, err);
	memory_free(regions);
	if (is_fine)
		built.logs = choose(trace, &trace->actor_instants, actor, is_log,
			&built.log_count, err);
	if (built.logs == NULL) {
		nest_release(&built);
		return false;
	}
	*nest = built;
	return true;
}

bool
nest_build_of_processor(struct nest *nest, const struct trace *trace, resource_ref processor,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct nest built = { .lane = { LANE_PROCESSOR, processor } };
	column_ref first;
	slice_rows_of(trace, built.lane, &first, &built.slice_rows);
	if (!slice_rows_ran(&built.ran, trace, processor, is_cancelled, err))
		return false;
	if (built.ran != NULL)
		built.ran_rows = slices_track_at(built.ran, 0)->depth_count;
	*nest = built;
	return true;
}

static void
release_matches(struct nest *nest, enum slice_search which)
{
	for (uint32_t i = 0; nest->ran_matches[which] != NULL && i < nest->ran_rows; i++)
		bits_release(&nest->ran_matches[which][i]);
	memory_free(nest->ran_matches[which]);
	nest->ran_matches[which] = NULL;
}

bool
nest_match(struct nest *nest, const struct trace *trace, enum slice_search which,
	const struct search *search, uint32_t number, struct error *err)
{
	if (nest->ran == NULL || nest->ran_search[which] == number)
		return true;
	release_matches(nest, which);
	nest->ran_search[which] = number;
	if (search == NULL || search_slice_count(search) == 0)
		return true;
	nest->ran_matches[which] = array_new(nest->ran_rows, sizeof(struct bits), err);
	if (nest->ran_matches[which] == NULL)
		return false;
	for (column_ref column = 0; column < nest->ran_rows; column++) {
		struct bits *matches = &nest->ran_matches[which][column];
		uint32_t count = slices_in_column(nest->ran, column);
		struct slice_row row = { .slices = nest->ran, .is_parts = true };
		if (!bits_init(matches, count, err)) {
			release_matches(nest, which);
			return false;
		}
		for (uint32_t i = 0; i < count; i++) {
			struct slice slice;
			slices_get(nest->ran, column, i, &slice);
			slice_row_whole(&row, trace, &slice);
			if (search_slices_have(
				    search, slice.column, slice.index, slice.index + 1))
				bits_add(matches, i);
		}
		bits_rank(matches);
	}
	return true;
}

void
nest_release(struct nest *nest)
{
	for (int which = 0; which < SLICE_SEARCHES; which++)
		release_matches(nest, (enum slice_search)which);
	slices_free(nest->ran);
	region_rows_free(nest->regions, nest->region_count);
	memory_free(nest->logs);
	memory_free(nest->actors);
	*nest = (struct nest){ 0 };
}

struct slice_row
nest_slices(const struct nest *nest, const struct trace *trace, uint32_t part)
{
	column_ref first;
	uint32_t own;
	if (part < nest->slice_rows) {
		slice_rows_of(trace, nest->lane, &first, &own);
		return (struct slice_row){ .slices = trace->slices, .column = first + part };
	}
	struct slice_row row = { nest->ran, part - nest->slice_rows, true, { NULL } };
	for (int which = 0; which < SLICE_SEARCHES; which++)
		if (nest->ran_matches[which] != NULL)
			row.matches[which] = &nest->ran_matches[which][row.column];
	return row;
}

/* ---- those that are open */

enum answer { NOT_ASKED, NOT_ANY, SOME };

bool
nests_init(struct nests *nests, const struct trace *trace, struct error *err)
{
	uint32_t actors = trace_actor_count(trace);
	*nests = (struct nests){ 0 };
	nests->answers = array_new(actors, sizeof *nests->answers, err);
	return nests->answers != NULL;
}

void
nests_release(struct nests *nests)
{
	for (size_t i = 0; i < nests->count; i++)
		nest_release(&nests->items[i]);
	memory_free(nests->items);
	memory_free(nests->answers);
	*nests = (struct nests){ 0 };
}

/* Whether any of the refs of a key is one of those. */
static bool
is_any(const struct trace *trace, const struct ref_index *index, uint32_t key,
	bool (*is_one)(const struct trace *, uint32_t))
{
	if (key >= index->key_count)
		return false;
	for (uint32_t i = index->first[key]; i < index->first[key + 1]; i++)
		if (is_one(trace, index->refs[i]))
			return true;
	return false;
}

static bool
has_slices(const struct trace *trace, struct lane lane)
{
	column_ref first;
	uint32_t count;
	slice_rows_of(trace, lane, &first, &count);
	return count > 0;
}

bool
nests_has_any(const struct nests *nests, const struct trace *trace, struct lane lane)
{
	if (lane.type == LANE_PROCESSOR)
		return trace->slices != NULL && slices_count(trace->slices) > 0;
	uint8_t *answer = &nests->answers[lane.ref];
	if (*answer == NOT_ASKED)
		*answer = has_slices(trace, lane) ||
					  is_any(trace, &trace->actor_ranges, lane.ref, is_region) ||
					  is_any(trace, &trace->actor_instants, lane.ref, is_log)
				  ? SOME
				  : NOT_ANY;
	return *answer == SOME;
}

size_t
nests_find(const struct nests *nests, struct lane lane)
{
	for (size_t i = 0; i < nests->count; i++)
		if (nests->items[i].lane.type == lane.type && nests->items[i].lane.ref == lane.ref)
			return i;
	return SIZE_MAX;
}

bool
nests_add(struct nests *nests, const struct nest *nest, struct error *err)
{
	if (!array_reserve(
		    &nests->items, &nests->capacity, nests->count + 1, sizeof *nests->items, err))
		return false;
	nests->items[nests->count++] = *nest;
	return true;
}

bool
nests_open(
	struct nests *nests, const struct trace *trace, struct lane lane, struct error *err)
{
	struct nest nest;
	bool is_built = lane.type == LANE_PROCESSOR
				? nest_build_of_processor(&nest, trace, lane.ref, NULL, err)
				: build(&nest, trace, lane.ref, err);
	if (!is_built)
		return false;
	if (nests_add(nests, &nest, err))
		return true;
	nest_release(&nest);
	return false;
}

struct nest
nests_take(struct nests *nests, size_t index)
{
	struct nest taken = nests->items[index];
	nests->count--;
	memmove(&nests->items[index], &nests->items[index + 1],
		(nests->count - index) * sizeof *nests->items);
	return taken;
}

void
nests_put_back(struct nests *nests, size_t index, const struct nest *nest)
{
	memmove(&nests->items[index + 1], &nests->items[index],
		(nests->count - index) * sizeof *nests->items);
	nests->items[index] = *nest;
	nests->count++;
}
