/* What an actor did during one of its spans. */
#include "view/span_events.h"

#include <stdlib.h>

#include "analysis/wakes.h"
#include "base/memory.h"
#include "trace/lane.h"

/* The list being filled. */
struct finding {
	struct span_events *events;
	const struct trace *trace;
	const struct span *span;
	struct error *err;
};

static bool
add_event(struct finding *finding, const struct span_event *event)
{
	struct span_events *events = finding->events;
	if (event->time_ns < finding->span->start_ns || event->time_ns >= finding->span->end_ns)
		return true;
	if (!array_reserve(&events->items, &events->capacity, events->count + 1,
		    sizeof *events->items, finding->err))
		return false;
	events->items[events->count++] = *event;
	return true;
}

/* ---- wakes and creations */

static bool
add_wakes(struct finding *finding)
{
	const struct span *span = finding->span;
	struct wakes wakes;
	if (!wakes_find(&wakes, finding->trace, span->actor, span->start_ns, span->end_ns,
		    finding->err))
		return false;
	bool is_fine = true;
	for (size_t i = 0; i < wakes.count && is_fine; i++) {
		const struct wake *wake = &wakes.items[i];
		struct span_event event = {
			.time_ns = wake->time_ns,
			.type = wake->is_creation ? SPAN_EVENT_CREATED : SPAN_EVENT_WOKE,
			.ref = wake->actor,
			.stack = wake->stack,
		};
		is_fine = add_event(finding, &event);
	}
	wakes_release(&wakes);
	return is_fine;
}

/* ---- instants */

/* The refs of a key; none for a key that the index does not have. */
static uint32_t
refs_of(const struct ref_index *index, uint32_t key, const uint32_t **refs)
{
	if (key >= index->key_count)
		return 0;
	*refs = &index->refs[index->first[key]];
	return index->first[key + 1] - index->first[key];
}

static bool
add_instants(struct finding *finding)
{
	static const enum span_event_type types[INSTANT_TYPE_COUNT] = {
		[INSTANT_LOG] = SPAN_EVENT_LOG,
		[INSTANT_SAMPLE] = SPAN_EVENT_SAMPLE,
		[INSTANT_LABEL] = SPAN_EVENT_LABEL,
	};
	const struct trace *trace = finding->trace;
	const uint32_t *refs = NULL;
	uint32_t count = refs_of(&trace->actor_instants, finding->span->actor, &refs);
	for (size_t i = instants_before(trace, refs, count, finding->span->start_ns); i < count;
		i++) {
		const struct instant *instant = trace_instant(trace, refs[i]);
		struct span_event event = { instant->time_ns, types[instant->type], refs[i],
			instant->stack };
		if (instant->time_ns >= finding->span->end_ns)
			return true;
		if (!add_event(finding, &event))
			return false;
	}
	return true;
}

/* ---- ranges */

static bool
add_ranges_of(struct finding *finding, const struct ref_index *index, uint32_t key)
{
	const uint32_t *refs = NULL;
	uint32_t count = refs_of(index, key, &refs);
	for (uint32_t i = 0; i < count; i++) {
		const struct range *range = trace_range(finding->trace, refs[i]);
		struct span_event begin = { range->start_ns, SPAN_EVENT_RANGE_BEGIN, refs[i],
			range->start_stack };
		struct span_event end = { range->end_ns, SPAN_EVENT_RANGE_END, refs[i],
			range->end_stack };
		if (range->start_ns >= finding->span->end_ns)
			return true;
		if (!range->began_before && !add_event(finding, &begin))
			return false;
		if (!range->ended_after && !add_event(finding, &end))
			return false;
	}
	return true;
}

static bool
add_ranges(struct finding *finding)
{
	const struct trace *trace = finding->trace;
	if (!add_ranges_of(finding, &trace->actor_ranges, finding->span->actor))
		return false;
	return finding->span->processor == REF_NONE ||
	       add_ranges_of(finding, &trace->processor_sweeps, finding->span->processor);
}

/* ---- */

static int
compare_events(const void *left, const void *right)
{
	const struct span_event *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->ref > b->ref) - (a->ref < b->ref);
}

bool
span_events_find(struct span_events *events, const struct trace *trace, const struct span *span,
	struct error *err)
{
	struct finding finding = { events, trace, span, err };
	*events = (struct span_events){ 0 };
	if (span->actor == REF_NONE)
		return true;
	if (!add_wakes(&finding) || !add_instants(&finding) || !add_ranges(&finding)) {
		span_events_release(events);
		return false;
	}
	if (events->count > 0)
		qsort(events->items, events->count, sizeof *events->items, compare_events);
	return true;
}

void
span_events_release(struct span_events *events)
{
	memory_free(events->items);
	*events = (struct span_events){ 0 };
}
