/*
 * Sums of troubles by key, and of each by place: where most of the time was lost is where to
 * look, and the longest there is the one to look at.
 */
#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "trace/own_code.h"
#include "trace/runtime.h"

enum { NO_PLACE = UINT32_MAX };

bool
trouble_sums_init(struct trouble_sums *sums, struct finder *finder)
{
	*sums = (struct trouble_sums){ .finder = finder };
	return bits_init(&sums->seen, trace_actor_count(finder->trace), finder->err);
}

void
trouble_sums_release(struct trouble_sums *sums)
{
	array_release(&sums->items);
	array_release(&sums->places);
	map_release(&sums->line_numbers);
	map_release(&sums->place_of);
	bits_release(&sums->seen);
}

static struct trouble_sum *
sum_of(struct trouble_sums *sums, uint32_t key)
{
	if (!array_reserve(&sums->items, &sums->capacity, (size_t)key + 1, sizeof *sums->items,
		    sums->finder->err))
		return NULL;
	for (; sums->count <= key; sums->count++)
		sums->items[sums->count] = (struct trouble_sum){ .first_place = NO_PLACE };
	return &sums->items[key];
}

/* A number for each line of code, 0 for an unknown one. */
static bool
number_line(struct trouble_sums *sums, const struct stack_frame *frame, uint32_t *number)
{
	uint64_t key = frame == NULL ? 0 : (uint64_t)frame->function << 32 | (uint32_t)frame->line;
	*number = frame == NULL ? 0 : map_find(&sums->line_numbers, key);
	if (*number != MAP_NONE)
		return true;
	*number = (uint32_t)sums->line_numbers.count + 1;
	return map_put(&sums->line_numbers, key, *number, sums->finder->err);
}

static struct trouble_place *
place_of(struct trouble_sums *sums, uint32_t key, const struct trouble *trouble)
{
	const struct trace *trace = sums->finder->trace;
	struct error *err = sums->finder->err;
	bool is_known = trouble->actor == REF_NONE ||
			!trace_is_runtime(trace, trouble->actor);
	stack_id own = is_known ? own_code_stack(trace, trouble->stack, trouble->actor)
				: STACK_NONE;
	uint32_t line, index;
	if (!number_line(sums, own == STACK_NONE ? NULL : stack_leaf(&trace->stacks, own), &line))
		return NULL;
	index = map_find(&sums->place_of, (uint64_t)key << 32 | line);
	if (index != MAP_NONE)
		return &sums->places[index];
	index = (uint32_t)sums->place_count;
	if (!array_reserve(&sums->places, &sums->place_capacity, (size_t)index + 1,
		    sizeof *sums->places, err) ||
		!map_put(&sums->place_of, (uint64_t)key << 32 | line, index, err))
		return NULL;
	sums->places[index] =
		(struct trouble_place){ .stack = own, .next = sums->items[key].first_place };
	sums->items[key].first_place = index;
	sums->place_count++;
	return &sums->places[index];
}

static bool
is_longer(const struct trouble *a, const struct trouble *b)
{
	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	return a->actor < b->actor;
}

bool
trouble_sums_add(struct trouble_sums *sums, uint32_t key, const struct trouble *trouble)
{
	struct trouble_sum *sum = sum_of(sums, key);
	struct trouble_place *place = sum == NULL ? NULL : place_of(sums, key, trouble);
	bool is_known = trouble->actor != REF_NONE;
	if (place == NULL)
		return false;
	if (sum->count == 0 || is_longer(trouble, &sum->longest))
		sum->longest = *trouble;
	if (place->count == 0 || is_longer(trouble, &place->longest))
		place->longest = *trouble;
	sum->count++;
	place->count++;
	sum->lost_ns = saturating_add_i64(sum->lost_ns, trouble->lost_ns);
	place->lost_ns = saturating_add_i64(place->lost_ns, trouble->lost_ns);
	sum->actors += is_known && !bits_has(&sums->seen, trouble->actor);
	if (is_known)
		bits_add(&sums->seen, trouble->actor);
	return true;
}

/* Keeps the places with most time in order; of equals the one that came first. */
static void
rank_place(const struct trouble_sums *sums, uint32_t best[FINDING_PLACES], uint32_t index)
{
	for (int i = 0; i < FINDING_PLACES; i++) {
		uint32_t other = best[i];
		int64_t lost_ns = sums->places[index].lost_ns;
		if (other != NO_PLACE && (sums->places[other].lost_ns > lost_ns ||
				(sums->places[other].lost_ns == lost_ns && other < index)))
			continue;
		best[i] = index;
		if (other == NO_PLACE)
			return;
		index = other;
	}
}

static void
set_longest(struct finding *finding, const struct trouble *longest)
{
	finding->lane = (struct lane){ LANE_ACTOR, longest->actor };
	finding->actor = longest->actor;
	finding->start_ns = longest->start_ns;
	finding->end_ns = longest->end_ns;
	finding->longest_ns = longest->lost_ns;
}

static void
add_places(struct finding *finding, const struct trouble_sums *sums, const struct trouble_sum *sum)
{
	uint32_t best[FINDING_PLACES] = { NO_PLACE, NO_PLACE, NO_PLACE };
	for (uint32_t i = sum->first_place; i != NO_PLACE; i = sums->places[i].next) {
		if (sums->places[i].stack == STACK_NONE)
			continue;
		finding->place_count++;
		rank_place(sums, best, i);
	}
	for (int i = 0; i < FINDING_PLACES && best[i] != NO_PLACE; i++) {
		const struct trouble_place *place = &sums->places[best[i]];
		finding->places[i] = (struct finding_place){ place->stack, place->count,
			place->lost_ns };
	}
	if (best[0] != NO_PLACE && sums->places[best[0]].lost_ns >= sum->lost_ns / 2) {
		finding->stack = finding->places[0].stack;
		set_longest(finding, &sums->places[best[0]].longest);
	}
}

struct finding
trouble_sums_finding(const struct trouble_sums *sums, uint32_t key, enum finding_kind kind)
{
	struct finding finding = {
		.kind = kind, .idle_processor = REF_NONE, .is_query_whole = true
	};
	if (key >= sums->count || sums->items[key].count == 0)
		return finding;
	const struct trouble_sum *sum = &sums->items[key];
	finding.lost_ns = finding.total_ns = sum->lost_ns;
	finding.count = sum->count;
	finding.actors = sum->actors;
	set_longest(&finding, &sum->longest);
	add_places(&finding, sums, sum);
	return finding;
}
