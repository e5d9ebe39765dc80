/* Who had a processor of the lower trace while somebody was without. */
#include "analysis/beneath/beneath.h"

#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/lane.h"

bool
beneath_holder(const struct beneath *beneath, resource_ref processor, int64_t from_ns, int64_t until_ns,
	struct beneath_holder *holder, struct error *err)
{
	const struct trace *below = beneath->below;
	from_ns = saturating_sub_i64(from_ns, beneath->delta_ns);
	until_ns = saturating_sub_i64(until_ns, beneath->delta_ns);
	struct lane lane = { LANE_PROCESSOR, processor };
	struct map index_of = { 0 };
	struct span span;
	int64_t *times_ns = NULL;
	size_t capacity = 0, count = 0;
	bool is_fine = true;
	*holder = (struct beneath_holder){ .actor = REF_NONE };
	bool is_there = processor != REF_NONE && (lane_span_at(below, lane, from_ns, &span) ||
							 lane_next(below, lane, from_ns, CLASS_MASK_ALL, &span));
	for (; is_there && span.start_ns < until_ns; is_there = lane_after(below, lane, &span, &span)) {
		uint32_t index = map_find(&index_of, span.actor);
		if (index == MAP_NONE) {
			index = (uint32_t)count;
			is_fine = array_reserve(&times_ns, &capacity, count + 1, sizeof *times_ns, err) &&
				  map_put(&index_of, span.actor, index, err);
			if (!is_fine)
				break;
			times_ns[count++] = 0;
		}
		times_ns[index] += span_within(&span, from_ns, until_ns);
		if (times_ns[index] > holder->time_ns)
			*holder = (struct beneath_holder){ span.actor, times_ns[index] };
	}
	memory_free(times_ns);
	map_release(&index_of);
	return is_fine;
}
