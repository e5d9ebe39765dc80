/* Samples of the lower trace: which actor of the upper one their thread ran then. */
#include "analysis/beneath/beneath.h"
#include "analysis/samples.h"
#include "base/checked.h"
#include "base/job.h"
#include "base/memory.h"
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

bool
beneath_find_samples(struct samples *samples, const struct beneath *beneath, const atomic_bool *is_cancelled,
	struct error *err)
{
	const struct trace *below = beneath->below;
	struct sampled *items = NULL;
	uint32_t count = 0;
	size_t capacity = 0;
	bool is_fine = true;
	*samples = (struct samples){ .trace = below, .delta_ns = beneath->delta_ns };
	for (uint32_t i = 0; is_fine && i < below->instants.count; i++) {
		const struct instant *instant = trace_instant(below, i);
		if (i % 1024 == 0 && !job_goes_on(is_cancelled, err))
			is_fine = false;
		if (!is_fine || instant->type != INSTANT_SAMPLE)
			continue;
		struct beneath_place place = beneath_place_of(beneath, instant);
		if (place.thread == REF_NONE)
			continue;
		is_fine = array_reserve(&items, &capacity, (size_t)count + 1, sizeof *items, err);
		if (is_fine)
			items[count++] = (struct sampled){ i, place.actor, place.processor, place.thread };
	}
	is_fine = is_fine && samples_index(samples, beneath->above, items, count, err);
	memory_free(items);
	return is_fine;
}
