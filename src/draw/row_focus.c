/* What touched one actor: counted over all states, then put in order. */
#include "draw/row_focus.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct tally {
	uint32_t ref, count;
};

/* How often each ref was seen. */
struct tallies {
	uint32_t *counts;
	size_t key_count, capacity;
};

static bool
tallies_init(struct tallies *tallies, size_t key_count, struct error *err)
{
	*tallies = (struct tallies){ .key_count = key_count };
	if (!array_reserve(&tallies->counts, &tallies->capacity, key_count + 1,
		    sizeof *tallies->counts, err))
		return false;
	memset(tallies->counts, 0, (key_count + 1) * sizeof *tallies->counts);
	return true;
}

static void
tally_add(struct tallies *tallies, uint32_t ref)
{
	if (ref < tallies->key_count)
		tallies->counts[ref]++;
}

static int
compare_tallies(const void *left, const void *right)
{
	const struct tally *a = left, *b = right;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->ref > b->ref) - (a->ref < b->ref);
}

/* The refs that were seen, most often first. */
static bool
tallies_list(const struct tallies *tallies, struct ref_list *list, struct error *err)
{
	struct tally *seen = NULL;
	size_t count = 0, capacity = 0;
	for (uint32_t ref = 0; ref < tallies->key_count; ref++) {
		if (tallies->counts[ref] == 0)
			continue;
		if (!array_reserve(&seen, &capacity, count + 1, sizeof *seen, err)) {
			memory_free(seen);
			return false;
		}
		seen[count++] = (struct tally){ ref, tallies->counts[ref] };
	}
	if (count > 0)
		qsort(seen, count, sizeof *seen, compare_tallies);
	bool has_room =
		array_reserve(&list->items, &list->capacity, count, sizeof *list->items, err);
	for (size_t i = 0; has_room && i < count; i++)
		list->items[i] = seen[i].ref;
	list->count = has_room ? count : 0;
	memory_free(seen);
	return has_room;
}

struct counting {
	actor_ref actor;
	const struct trace *trace;
	struct tallies wakers, woken, processors;
};

/* Who woke the actor, whom it woke, where it ran, within one run of states. */
static void
count_run(struct counting *counting, const struct segment *segment, const struct run *run)
{
	bool is_own = run->actor == counting->actor;
	for (uint32_t i = run->first; i < run_end(run); i++) {
		const struct state_kind *kind =
			&counting->trace->kinds[segment->kind[i] & KIND_MASK];
		uint32_t origin = segment_site(segment, i)->origin;
		actor_ref waker = waker_actor(kind, origin);
		if (is_own)
			tally_add(&counting->wakers, waker);
		if (waker == counting->actor)
			tally_add(&counting->woken, run->actor);
		if (kind->state == STATE_RUNNING && is_own)
			tally_add(&counting->processors, origin);
	}
}

static void
count_all(struct counting *counting)
{
	for (uint32_t i = 0; i < counting->trace->segments.count; i++) {
		const struct segment *segment = trace_segment(counting->trace, i);
		for (uint32_t run = 0; run < segment->run_count; run++)
			count_run(counting, segment, &segment->runs[run]);
	}
	counting->wakers.counts[counting->actor] = 0;
	counting->woken.counts[counting->actor] = 0;
}

bool
row_focus_build(struct row_focus *focus, const struct trace *trace, actor_ref actor,
	struct error *err)
{
	struct counting counting = { .actor = actor, .trace = trace };
	size_t actor_count = trace_actor_count(trace);
	*focus = (struct row_focus){ .actor = actor };
	bool is_built = tallies_init(&counting.wakers, actor_count, err) &&
			tallies_init(&counting.woken, actor_count, err) &&
			tallies_init(&counting.processors, trace_processor_count(trace), err);
	if (is_built) {
		count_all(&counting);
		is_built = tallies_list(&counting.wakers, &focus->wakers, err) &&
			   tallies_list(&counting.woken, &focus->woken, err) &&
			   tallies_list(&counting.processors, &focus->processors, err);
	}
	if (!is_built)
		row_focus_release(focus);
	memory_free(counting.wakers.counts);
	memory_free(counting.woken.counts);
	memory_free(counting.processors.counts);
	return is_built;
}

void
row_focus_release(struct row_focus *focus)
{
	memory_free(focus->wakers.items);
	memory_free(focus->woken.items);
	memory_free(focus->processors.items);
	*focus = (struct row_focus){ .actor = REF_NONE };
}
