/* The ready state next to a span tells what woke it; the wakes within tell the rest. */
#include "analysis/flows.h"

#include "analysis/wakes.h"
#include "base/memory.h"
#include "trace/lane.h"

static struct lane
lane_of(actor_ref actor)
{
	return (struct lane){ LANE_ACTOR, actor };
}

static bool
add(struct flows *flows, struct flow flow, struct error *err)
{
	if (!array_reserve(&flows->items, &flows->capacity, flows->count + 1, sizeof flow, err))
		return false;
	flows->items[flows->count++] = flow;
	return true;
}

bool
flows_ready(const struct trace *trace, const struct span *span, struct span *ready)
{
	struct lane lane = lane_of(span->actor);
	struct span here = *span;
	if (span->kind == NULL || !lane_span_at(trace, lane, span->start_ns, &here))
		return false;
	enum state state = here.kind->state;
	bool has_ready = true;
	*ready = here;
	if (state == STATE_BLOCKED)
		has_ready = lane_after(trace, lane, &here, ready);
	else if (state != STATE_READY)
		has_ready = lane_before(trace, lane, &here, ready);
	return has_ready && ready->kind != NULL && ready->kind->state == STATE_READY;
}

bool
flows_waker_lane(struct waker waker, struct lane *lane)
{
	if (waker.ref == REF_NONE)
		return false;
	enum lane_type type = waker.type == WAKER_ACTOR ? LANE_ACTOR : LANE_PROCESSOR;
	*lane = (struct lane){ type, waker.ref };
	return true;
}

static bool
add_wake_of(
	struct flows *flows, const struct trace *trace, const struct span *span, struct error *err)
{
	struct span ready;
	if (!flows_ready(trace, span, &ready))
		return true;
	struct flow flow = { .time_ns = ready.start_ns, .to = lane_of(ready.actor) };
	return !flows_waker_lane(ready.waker, &flow.from) || add(flows, flow, err);
}

/* How many segments an interval touches, counted up to the limit. */
static uint32_t
count_segments(const struct trace *trace, int64_t from_ns, int64_t until_ns)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < trace->segments.count && count <= FLOWS_MOST_SEGMENTS; i++) {
		const struct segment *segment = trace_segment_head(trace, i);
		count += segment->end_ns >= from_ns && segment->base_ns < until_ns;
	}
	return count;
}

static bool
add_wakes_by(
	struct flows *flows, const struct trace *trace, const struct span *span, struct error *err)
{
	struct wakes wakes;
	if (count_segments(trace, span->start_ns, span->end_ns) > FLOWS_MOST_SEGMENTS)
		return true;
	if (!wakes_find(&wakes, trace, span->actor, span->start_ns, span->end_ns, err))
		return false;
	bool is_fine = true;
	for (size_t i = 0; i < wakes.count && is_fine; i++)
		is_fine = add(flows,
			(struct flow){ wakes.items[i].time_ns, lane_of(span->actor),
				lane_of(wakes.items[i].actor) },
			err);
	wakes_release(&wakes);
	return is_fine;
}

bool
flows_find(
	struct flows *flows, const struct trace *trace, const struct span *span, struct error *err)
{
	flows->count = 0;
	if (span->actor == REF_NONE || span->kind == NULL)
		return true;
	return add_wake_of(flows, trace, span, err) && add_wakes_by(flows, trace, span, err);
}

void
flows_release(struct flows *flows)
{
	memory_free(flows->items);
	*flows = (struct flows){ 0 };
}
