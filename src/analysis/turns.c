/* Shares of a processor's time by actor. */
#include "analysis/turns.h"

#include <stdlib.h>

#include "trace/lane.h"

static void
add_turn(struct turns *turns, const struct span *span, int64_t from_ns, int64_t until_ns)
{
	turns->items[turns->count++] =
		(struct turn){ span->actor, span_within(span, from_ns, until_ns) };
}

static int
compare_actors(const void *left, const void *right)
{
	const struct turn *a = left, *b = right;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

/* The turns of an actor become one. */
static void
unite_turns(struct turns *turns)
{
	size_t count = 0;
	qsort(turns->items, turns->count, sizeof turns->items[0], compare_actors);
	for (size_t i = 0; i < turns->count; i++) {
		if (count > 0 && turns->items[count - 1].actor == turns->items[i].actor)
			turns->items[count - 1].time_ns += turns->items[i].time_ns;
		else
			turns->items[count++] = turns->items[i];
	}
	turns->count = count;
}

void
turns_find(struct turns *turns, const struct trace *trace, resource_ref ref, int64_t from_ns,
	int64_t until_ns)
{
	struct lane processor = { LANE_PROCESSOR, ref };
	int64_t totals_ns[CLASS_COUNT];
	struct span span, next;
	turns->count = 0;
	turns->busy_ns = 0;
	lane_totals(trace, processor, from_ns, until_ns, totals_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		turns->busy_ns += totals_ns[i];
	if (lane_count(trace, processor, from_ns, until_ns) > TURNS_MOST_SPANS) {
		if (lane_longest(trace, processor, from_ns, until_ns, CLASS_MASK_ALL, &span))
			add_turn(turns, &span, from_ns, until_ns);
		return;
	}
	bool is_there = lane_span_at(trace, processor, from_ns, &span) ||
			lane_next(trace, processor, from_ns, CLASS_MASK_ALL, &span);
	while (is_there && span.start_ns < until_ns && turns->count < TURNS_MOST_SPANS) {
		add_turn(turns, &span, from_ns, until_ns);
		is_there = lane_after(trace, processor, &span, &next);
		span = next;
	}
	unite_turns(turns);
}

struct turn *
turns_longest(struct turns *turns)
{
	struct turn *longest = NULL;
	for (size_t i = 0; i < turns->count; i++) {
		struct turn *turn = &turns->items[i];
		if (turn->time_ns > 0 && (longest == NULL || turn->time_ns > longest->time_ns))
			longest = turn;
	}
	return longest;
}
