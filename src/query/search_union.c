/*
 * The union of the matches of many actors. Segments follow one another in time, so
 * one after the other is sorted and put behind what there is.
 */
#include "base/memory.h"

#include <assert.h>
#include "query/radix.h"
#include "query/search_internal.h"
#include "trace/lane.h"

struct item_list {
	struct radix_item *items;
	size_t count, capacity;
};

static bool
add_item(struct item_list *list, uint64_t key, uint64_t value, struct error *err)
{
	if (!array_reserve(
		    &list->items, &list->capacity, list->count + 1, sizeof(*list->items), err))
		return false;
	list->items[list->count++] = (struct radix_item){ key, value };
	return true;
}

/* ---- the runs that have matches: segment and index in the directory */

static bool
add_runs(const struct search *search, actor_ref actor, struct item_list *runs,
	struct error *err)
{
	const struct run_list *list = &search->trace->directory.actors;
	const uint32_t *before = search->states.before;
	uint32_t end = list->first[actor + 1];
	for (uint32_t i = list->first[actor]; i < end; i++)
		if (before[i] != before[i + 1] && !add_item(runs, list->runs[i].segment, i, err))
			return false;
	return true;
}

static bool
collect_runs(
	const struct search *search, struct lane lane, struct item_list *runs, struct error *err)
{
	const struct trace *trace = search->trace;
	uint32_t first = 0, count = trace_actor_count(trace);
	if (lane.type == LANE_GROUP) {
		first = trace->groups[lane.ref].first;
		count = trace->groups[lane.ref].count;
	}
	for (uint32_t i = 0; i < count; i++) {
		actor_ref actor =
			lane.type == LANE_GROUP ? trace->group_members[first + i] : i;
		if (!add_runs(search, actor, runs, err) ||
			!search_goes_on(search, trace_actor(trace, actor)->state_count))
			return false;
	}
	return radix_sort(runs->items, runs->count, NULL, err);
}

/* ---- the pieces of one run: neighbours that match are one */

/* When the last state of a run ends; what is open holds at the trace's very end too. */
static int64_t
run_end_ns(const struct search *search, actor_ref actor, uint32_t index)
{
	const struct run_list *list = &search->trace->directory.actors;
	if (index + 1 < list->first[actor + 1]) {
		struct run_ref next = list->runs[index + 1];
		const struct segment *segment = trace_segment(search->trace, next.segment);
		return segment_start_ns(segment, segment->runs[next.run].first);
	}
	int64_t end_ns = trace_actor(search->trace, actor)->end_ns;
	return end_ns == TIME_OPEN ? search->trace->end_ns + 1 : end_ns;
}

static bool
add_pieces(const struct search *search, uint32_t index, struct item_list *pieces, struct error *err)
{
	struct run_ref ref = search->trace->directory.actors.runs[index];
	const struct segment *segment = trace_segment(search->trace, ref.segment);
	const struct run *run = &segment->runs[ref.run];
	const struct bits *set = &search->states.sets[ref.segment];
	uint32_t end = run_end(run);
	uint32_t i = bits_next(set, run->first, end, true);
	while (i < end) {
		uint32_t after = bits_next(set, i, end, false);
		int64_t end_ns = after < end ? segment_start_ns(segment, after)
					     : run_end_ns(search, run->actor, index);
		int64_t start_ns = segment_start_ns(segment, i);
		if (!add_item(pieces, (uint64_t)start_ns, (uint64_t)end_ns, err))
			return false;
		i = bits_next(set, after, end, true);
	}
	return true;
}

/* ---- the union */

/* The piece begins no earlier than those before it; it grows the last one if they touch. */
static bool
unite(struct match_union *matches, int64_t start_ns, int64_t end_ns, struct error *err)
{
	struct match_piece *last = matches->count > 0 ? &matches->pieces[matches->count - 1] : NULL;
	if (last != NULL && start_ns <= last->end_ns) {
		if (end_ns > last->end_ns)
			last->end_ns = end_ns;
		return true;
	}
	if (!array_reserve(&matches->pieces, &matches->capacity, matches->count + 1,
		    sizeof(*matches->pieces), err))
		return false;
	matches->pieces[matches->count++] = (struct match_piece){ start_ns, end_ns };
	return true;
}

static bool
unite_sorted(struct match_union *matches, struct item_list *pieces, struct error *err)
{
	if (!radix_sort(pieces->items, pieces->count, NULL, err))
		return false;
	for (size_t i = 0; i < pieces->count; i++)
		if (!unite(matches, (int64_t)pieces->items[i].key, (int64_t)pieces->items[i].value,
			    err))
			return false;
	pieces->count = 0;
	return true;
}

/* What began with the trace may stand in any segment, but comes first in time. */
static bool
unite_old(const struct search *search, const struct item_list *runs, struct item_list *pieces,
	struct match_union *matches, struct error *err)
{
	const struct run_list *list = &search->trace->directory.actors;
	const int64_t start_ns = search->trace->start_ns;
	int64_t end_ns = start_ns;
	for (size_t i = 0; i < runs->count; i++) {
		uint32_t index = (uint32_t)runs->items[i].value;
		const struct segment *segment =
			trace_segment(search->trace, list->runs[index].segment);
		uint32_t first = segment->runs[list->runs[index].run].first;
		if (segment->start[first] != START_AT_ORIGIN ||
			!bits_has(&search->states.sets[list->runs[index].segment], first))
			continue;
		pieces->count = 0;
		if (!add_pieces(search, index, pieces, err))
			return false;
		assert(pieces->count > 0);
		if ((int64_t)pieces->items[0].value > end_ns)
			end_ns = (int64_t)pieces->items[0].value;
	}
	pieces->count = 0;
	return end_ns == start_ns || unite(matches, start_ns, end_ns, err);
}

static bool
unite_runs(const struct search *search, const struct item_list *runs, struct item_list *pieces,
	struct match_union *matches, struct error *err)
{
	if (!unite_old(search, runs, pieces, matches, err))
		return false;
	for (size_t i = 0; i < runs->count; i++) {
		bool is_last = i + 1 == runs->count || runs->items[i + 1].key != runs->items[i].key;
		if (!search_goes_on(search, 0) ||
			!add_pieces(search, (uint32_t)runs->items[i].value, pieces, err) ||
			(is_last && !unite_sorted(matches, pieces, err)))
			return false;
	}
	return true;
}

void
match_union_build(const struct search *search, struct lane lane, struct match_union *matches)
{
	struct item_list runs = { 0 }, pieces = { 0 };
	struct error err = { 0 };
	bool is_whole = collect_runs(search, lane, &runs, &err) &&
			unite_runs(search, &runs, &pieces, matches, &err);
	if (!is_whole)
		match_union_release(matches);
	array_trim(&matches->pieces, &matches->capacity, matches->count, sizeof(*matches->pieces));
	/* Without memory it stays empty; what was cancelled can be asked for again. */
	if (is_whole || search_goes_on(search, 0))
		atomic_store_explicit(&matches->is_built, true, memory_order_release);
	memory_free(runs.items);
	memory_free(pieces.items);
}

void
search_unite_groups(struct search *search)
{
	for (group_ref i = 0; i < search->trace->group_count && search_goes_on(search, 0); i++) {
		struct lane lane = { LANE_GROUP, i };
		if (search->trace->groups[i].count == 1)
			continue; /* who shows it asks for its actor */
		match_union_build(search, lane, &search->groups[i]);
	}
}

/* ---- slices */

/* The parts of a slice during which its actor ran, to the processors on which it did. */
static bool
add_parts(const struct search *search, actor_ref actor, const struct slice *slice,
	struct item_list *parts, struct error *err)
{
	struct lane lane = { LANE_ACTOR, actor };
	struct span span, next;
	/* A slice may begin before anything is known of its actor. */
	bool is_there = lane_span_at(search->trace, lane, slice->start_ns, &span) ||
			(lane_next(search->trace, lane, slice->start_ns, CLASS_MASK_ALL, &span) &&
				span.start_ns < slice->end_ns);
	while (is_there) {
		int64_t start_ns = span.start_ns > slice->start_ns ? span.start_ns : slice->start_ns;
		int64_t end_ns = span.end_ns < slice->end_ns ? span.end_ns : slice->end_ns;
		if (span.processor != REF_NONE && !add_item(&parts[span.processor],
							  (uint64_t)start_ns, (uint64_t)end_ns, err))
			return false;
		is_there = lane_after(search->trace, lane, &span, &next) &&
			   next.start_ns < slice->end_ns;
		span = next;
	}
	return true;
}

static bool
add_slice(struct search *search, const struct slice *slice, struct item_list *parts,
	struct error *err)
{
	const struct slices *slices = search->trace->slices;
	const struct track *track =
		slices_track_at(slices, slices_track_of_column(slices, slice->column));
	if (!unite(&search->slice_unions[search->processor_count], slice->start_ns, slice->end_ns, err))
		return false;
	if (track->owner == TRACK_OF_RESOURCE)
		return add_item(&parts[track->ref], (uint64_t)slice->start_ns,
			(uint64_t)slice->end_ns, err);
	return track->owner != TRACK_OF_ACTOR || add_parts(search, track->ref, slice, parts, err);
}

bool
search_unite_slices(struct search *search, struct error *err)
{
	enum { SLICES_PER_LOOK = 1024 };
	uint64_t count = search->slices.count;
	if (count == 0)
		return true;
	search->processor_count = trace_processor_count(search->trace);
	search->slice_unions = array_new((size_t)search->processor_count + 1,
		sizeof *search->slice_unions, err);
	struct item_list *parts = array_new(search->processor_count, sizeof *parts, err);
	bool is_fine = search->slice_unions != NULL && parts != NULL;
	for (uint64_t i = 0; is_fine && i < count; i++) {
		struct slice slice;
		search_slice(search, i, &slice);
		is_fine = (i % SLICES_PER_LOOK != 0 || search_watch_check(search->watch, 0, err)) &&
			  add_slice(search, &slice, parts, err);
	}
	for (uint32_t i = 0; parts != NULL && i < search->processor_count; i++) {
		is_fine = is_fine && unite_sorted(&search->slice_unions[i], &parts[i], err);
		memory_free(parts[i].items);
	}
	memory_free(parts);
	return is_fine;
}

void
match_union_release(struct match_union *matches)
{
	memory_free(matches->pieces);
	*matches = (struct match_union){ 0 };
}
