/* Looks at the ready states that began in an interval, run by run. */
#include "analysis/wakes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/segment.h"

struct finding {
	struct wakes *wakes;
	const struct trace *trace;
	actor_ref waker;
	int64_t from_ns, until_ns;
	struct error *err;
};

/* The first state of a run that begins at or after t. */
static uint32_t
first_from(const struct segment *segment, const struct run *run, int64_t t_ns)
{
	uint32_t low = run->first, high = run_end(run);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (segment_start_ns(segment, middle) < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
add_run(struct finding *finding, const struct segment *segment, const struct run *run)
{
	struct wakes *wakes = finding->wakes;
	uint32_t end = run_end(run);
	for (uint32_t i = first_from(segment, run, finding->from_ns); i < end; i++) {
		const struct state_kind *kind =
			&finding->trace->kinds[segment->kind[i] & KIND_MASK];
		const struct site *site = segment_site(segment, i);
		int64_t time_ns = segment_start_ns(segment, i);
		if (time_ns >= finding->until_ns)
			return true;
		if (waker_actor(kind, site->origin) != finding->waker)
			continue;
		if (!array_reserve(&wakes->items, &wakes->capacity, wakes->count + 1,
			    sizeof *wakes->items, finding->err))
			return false;
		wakes->items[wakes->count++] = (struct wake){ time_ns, run->actor,
			kind->entry == ENTRY_CREATED, site->place };
	}
	return true;
}

static bool
add_all(struct finding *finding)
{
	for (uint32_t i = 0; i < finding->trace->segments.count; i++) {
		const struct segment *segment = trace_segment_head(finding->trace, i);
		if (segment->end_ns < finding->from_ns)
			continue;
		if (segment->base_ns >= finding->until_ns)
			return true;
		segment = trace_segment(finding->trace, i);
		for (uint32_t run = 0; run < segment->run_count; run++) {
			if (segment->runs[run].actor != finding->waker &&
				!add_run(finding, segment, &segment->runs[run]))
				return false;
		}
	}
	return true;
}

static int
compare_wakes(const void *left, const void *right)
{
	const struct wake *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

bool
wakes_find(struct wakes *wakes, const struct trace *trace, actor_ref actor, int64_t from_ns,
	int64_t until_ns, struct error *err)
{
	struct finding finding = { wakes, trace, actor, from_ns, until_ns, err };
	*wakes = (struct wakes){ 0 };
	if (!add_all(&finding)) {
		wakes_release(wakes);
		return false;
	}
	if (wakes->count > 0)
		qsort(wakes->items, wakes->count, sizeof *wakes->items, compare_wakes);
	return true;
}

void
wakes_release(struct wakes *wakes)
{
	memory_free(wakes->items);
	*wakes = (struct wakes){ 0 };
}
