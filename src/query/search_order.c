/*
 * Matches in time order. Segments follow one another in time, so it is enough to
 * sort each one by itself, and only when somebody comes by. States that began
 * with the trace may stand in any segment (where they were first mentioned), so they
 * are kept apart.
 */
#include <string.h>

#include "base/memory.h"
#include "query/radix.h"
#include "query/search_internal.h"
#include "trace/series.h"

/* ---- the old ones: the first state of an actor where it began with the trace */

static bool
first_state(
	const struct search *search, actor_ref actor, struct run_ref *at, uint32_t *state)
{
	const struct run_list *list = &search->trace->directory.actors;
	if (list->first[actor] == list->first[actor + 1])
		return false;
	*at = list->runs[list->first[actor]];
	*state = trace_segment(search->trace, at->segment)->runs[at->run].first;
	return true;
}

static bool
is_old_match(const struct search *search, actor_ref actor, uint32_t *segment)
{
	struct run_ref at;
	uint32_t state;
	if (!first_state(search, actor, &at, &state))
		return false;
	*segment = at.segment;
	return trace_segment(search->trace, at.segment)->start[state] == START_AT_ORIGIN &&
	       bits_has(&search->states.sets[at.segment], state);
}

static bool
collect_old(struct search *search, struct error *err)
{
	size_t capacity = 0;
	for (actor_ref g = 0; g < trace_actor_count(search->trace); g++) {
		uint32_t segment;
		if (!is_old_match(search, g, &segment))
			continue;
		if (!array_reserve(&search->old, &capacity, search->old_count + 1,
			    sizeof(*search->old), err))
			return false;
		search->old[search->old_count++] = g;
		search->start[segment + 1]--; /* it is not counted there */
	}
	return true;
}

bool
search_order_init(struct search *search, struct error *err)
{
	size_t count = (size_t)search->segment_count + 1;
	search->start = memory_realloc(NULL, count * sizeof(*search->start));
	search->order = memory_realloc(NULL, count * sizeof(*search->order));
	if (search->order != NULL)
		memset(search->order, 0, count * sizeof(*search->order));
	if (search->start == NULL || search->order == NULL)
		return error_set_memory(err, "the search");
	for (uint32_t i = 0; i < search->segment_count; i++) {
		const struct bits *states = &search->states.sets[i];
		search->start[i + 1] = bits_below(states, states->limit);
	}
	if (!collect_old(search, err))
		return false;
	search->start[0] = search->old_count;
	for (uint32_t i = 0; i < search->segment_count; i++)
		search->start[i + 1] += search->start[i];
	return true;
}

void
search_order_release(struct search *search)
{
	for (uint32_t i = 0; search->order != NULL && i < search->segment_count; i++)
		memory_free(search->order[i]);
	memory_free(search->order);
	memory_free(search->start);
	memory_free(search->old);
}

/* ---- the order within a segment */

static size_t
order_count(const struct search *search, uint32_t segment)
{
	return (size_t)(search->start[segment + 1] - search->start[segment]);
}

static size_t
collect_items(const struct search *search, uint32_t segment, struct radix_item *items)
{
	const uint32_t *start = trace_segment(search->trace, segment)->start;
	const struct bits *states = &search->states.sets[segment];
	size_t count = 0;
	uint32_t i = bits_next(states, 0, states->limit, true);
	for (; i < states->limit; i = bits_next(states, i + 1, states->limit, true))
		if (start[i] != START_AT_ORIGIN)
			items[count++] = (struct radix_item){ start[i], i };
	return count;
}

/* NULL without memory; a segment without matches is not asked for. */
static const uint32_t *
segment_order(struct search *search, uint32_t segment)
{
	if (search->order[segment] != NULL)
		return search->order[segment];
	size_t count = order_count(search, segment);
	struct error err = { 0 };
	struct radix_item *items = memory_realloc(NULL, count * sizeof(*items));
	uint32_t *order = memory_realloc(NULL, count * sizeof(*order));
	if (items == NULL || order == NULL ||
		!radix_sort(items, collect_items(search, segment, items), NULL, &err)) {
		memory_free(order);
		memory_free(items);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)items[i].value;
	memory_free(items);
	search->order[segment] = order;
	return order;
}

/* How many in the order come before a start, which is relative to the segment's base. */
static size_t
order_before(const struct segment *segment, const uint32_t *order, size_t count, int64_t offset_ns)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if ((int64_t)segment->start[order[middle]] < offset_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- questions */

/* The span of a state. */
static bool
span_of(const struct search *search, uint32_t segment, uint32_t state, struct span *span)
{
	const struct segment *where = trace_segment(search->trace, segment);
	const struct run *run = segment_run_of(where, state);
	uint32_t ordinal = segment_run_past(where, run).ordinal;
	struct lane lane = { .type = LANE_ACTOR, .ref = run->actor };
	struct series series;
	struct item item;
	if (!series_open(search->trace, lane, &series))
		return false;
	series_item(&series, ordinal + (state - run->first), &item);
	item_span(&series, &item, span);
	return true;
}

/* The segment that holds the index-th match, which is not an old one. */
static uint32_t
segment_of_index(const struct search *search, uint64_t index)
{
	uint32_t low = 0, high = search->segment_count;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (search->start[middle] <= index)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool
search_match(struct search *search, uint64_t index, struct span *span)
{
	if (index >= search_count(search))
		return false;
	if (index < search->old_count) {
		struct run_ref at;
		uint32_t state;
		return first_state(search, search->old[index], &at, &state) &&
		       span_of(search, at.segment, state, span);
	}
	uint32_t segment = segment_of_index(search, index);
	const uint32_t *order = segment_order(search, segment);
	return order != NULL &&
	       span_of(search, segment, order[index - search->start[segment]], span);
}

/* The place of an actor in the old ones, which holds it. */
static uint64_t
old_index(const struct search *search, actor_ref actor)
{
	uint64_t low = 0, high = search->old_count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (search->old[middle] < actor)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
search_index(struct search *search, uint32_t segment, uint32_t state, uint64_t *index)
{
	if (!search_matches(search, segment, state))
		return false;
	const struct segment *where = trace_segment(search->trace, segment);
	if (where->start[state] == START_AT_ORIGIN) {
		*index = old_index(search, segment_run_of(where, state)->actor);
		return true;
	}
	const uint32_t *order = segment_order(search, segment);
	if (order == NULL)
		return false;
	size_t count = order_count(search, segment);
	size_t at = order_before(where, order, count, where->start[state]);
	while (at < count && order[at] != state)
		at++;
	*index = search->start[segment] + at;
	return at < count;
}

uint64_t
search_before(struct search *search, int64_t t_ns)
{
	if (t_ns <= 0)
		return 0;
	uint32_t segment = trace_segment_until(search->trace, t_ns);
	if (segment == search->segment_count || order_count(search, segment) == 0)
		return search->start[segment];
	const uint32_t *order = segment_order(search, segment);
	if (order == NULL)
		return search->start[segment];
	const struct segment *where = trace_segment(search->trace, segment);
	return search->start[segment] +
	       order_before(where, order, order_count(search, segment), t_ns - where->base_ns);
}

bool
search_next(struct search *search, int64_t t_ns, struct span *span, uint64_t *index)
{
	if (t_ns == INT64_MAX)
		return false;
	uint64_t found = search_before(search, t_ns + 1);
	if (!search_match(search, found, span))
		return false;
	if (index != NULL)
		*index = found;
	return true;
}

bool
search_previous(struct search *search, int64_t t_ns, struct span *span, uint64_t *index)
{
	uint64_t found = search_before(search, t_ns);
	if (found == 0 || !search_match(search, found - 1, span))
		return false;
	if (index != NULL)
		*index = found - 1;
	return true;
}
