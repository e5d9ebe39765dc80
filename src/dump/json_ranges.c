/* Open ranges by lane. */
#include "dump/json_ranges.h"

#include "base/memory.h"
#include "dump/json_lives.h"

struct json_open_range {
	bool is_open;
	enum go_range range;
	int64_t lane;
	int64_t start_ns;
	stack_id stack;
};

void
json_ranges_release(struct json_ranges *ranges)
{
	map_release(&ranges->by_lane);
	memory_free(ranges->items);
	*ranges = (struct json_ranges){ 0 };
}

/* The place of a lane, added if new; NULL when there is no memory. */
static struct json_open_range *
place_of(struct json_ranges *ranges, struct json_events *out, int64_t lane)
{
	uint32_t index = map_find(&ranges->by_lane, (uint64_t)lane);
	if (index != MAP_NONE)
		return &ranges->items[index];
	if (!array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1,
		    sizeof(*ranges->items), &out->err) ||
		!map_put(&ranges->by_lane, (uint64_t)lane, (uint32_t)ranges->count, &out->err)) {
		out->failed = true;
		return NULL;
	}
	struct json_open_range *place = &ranges->items[ranges->count++];
	*place = (struct json_open_range){ .lane = lane };
	return place;
}

static void
draw(struct json_open_range *open, struct json_events *out, int64_t end_ns, stack_id stack)
{
	if (!open->is_open)
		return;
	open->is_open = false;
	json_events_slice(out, &(struct json_slice){
				       .name = json_range_name(open->range, STRING_EMPTY),
				       .from_ns = open->start_ns,
				       .to_ns = end_ns,
				       .lane = open->lane,
				       .begin_stack = open->stack,
				       .end_stack = stack,
			       });
}

void
json_ranges_take(struct json_ranges *ranges, struct json_events *out, const struct go_event *event,
	int64_t lane, bool is_first_generation)
{
	bool is_mention = event->kind == GO_EVENT_RANGE_ACTIVE;
	struct json_open_range *place = place_of(ranges, out, lane);
	if (place == NULL || (is_mention && !is_first_generation))
		return;
	if (event->kind == GO_EVENT_RANGE_END) {
		draw(place, out, event->time_ns, event->stack);
		return;
	}
	place->is_open = true;
	place->range = event->u.range.range;
	place->start_ns = is_mention ? out->start_ns : event->time_ns;
	place->stack = event->stack;
}

void
json_ranges_finish(struct json_ranges *ranges, struct json_events *out, int64_t end_ns)
{
	for (size_t i = 0; i < ranges->count; i++)
		draw(&ranges->items[i], out, end_ns, STACK_NONE);
}
