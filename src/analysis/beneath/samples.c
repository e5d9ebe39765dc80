/* Samples of the lower trace: which actor of the upper one their thread ran then. */
#include "analysis/beneath/beneath.h"
#include "base/checked.h"
#include "trace/lane.h"
#include "trace/sample_set.h"

bool
beneath_has_samples(const struct trace *below)
{
	return below->samples != NULL && below->samples->instants != NULL && below->clock != TRACE_CLOCK_NONE;
}

struct beneath_place
beneath_place_of(const struct beneath *beneath, const struct instant *instant)
{
	struct beneath_place place = { .time_ns = saturating_add_i64(instant->time_ns, beneath->delta_ns),
		.thread = REF_NONE,
		.actor = REF_NONE,
		.processor = REF_NONE };
	struct span span;
	if (instant->actor == REF_NONE || place.time_ns < 0 || place.time_ns > beneath->above->end_ns)
		return place;
	place.thread = beneath->thread_of[instant->actor];
	if (place.thread != REF_NONE &&
		lane_span_at(beneath->above, (struct lane){ LANE_THREAD, place.thread }, place.time_ns, &span)) {
		place.actor = span.actor;
		place.processor = span.processor;
	}
	return place;
}
