/* Open regions of each goroutine, innermost first. */
#include "dump/json_regions.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory.h"
#include "dump/json_scope.h"

struct json_region {
	bool is_open;
	int64_t task;
	string_id name; /* empty: taken over from the creator of the goroutine */
	int64_t goroutine;
	int64_t start_ns;
	stack_id stack;
	uint32_t outer; /* index + 1 of the one around it, 0 for none */
};

void
json_regions_init(
	struct json_regions *regions, const struct json_tasks *tasks, struct json_events *out)
{
	*regions = (struct json_regions){ .tasks = tasks, .out = out };
}

void
json_regions_release(struct json_regions *regions)
{
	map_release(&regions->open);
	memory_free(regions->items);
	*regions = (struct json_regions){ 0 };
}

/* ---- drawing */

static void
draw(struct json_regions *regions, const struct json_region *region, int64_t end_ns,
	stack_id end_stack)
{
	struct json_events *out = regions->out;
	char scope[17];
	bool is_shown =
		region->name != STRING_EMPTY && json_tasks_has(regions->tasks, region->task) &&
		json_events_has_lane(out, region->goroutine) &&
		(json_events_has_time(out, region->start_ns) || json_events_has_time(out, end_ns));
	if (!is_shown)
		return;
	snprintf(scope, sizeof(scope), "%" PRIx64, (uint64_t)region->task);
	const struct json_arg task = { .key = "taskid", .number = (uint64_t)region->task };
	struct json_event event = {
		.phase = 'b',
		.name = { .first = region->name },
		.scope = scope,
		.time_ns = region->start_ns,
		.lane = region->goroutine,
		.id = ++regions->drawn_count,
		.begin_stack = region->stack,
		.color = json_task_color(region->task),
		.category = "Region",
	};
	json_events_put(out, &event);
	event.phase = 'e';
	event.time_ns = end_ns;
	event.begin_stack = end_stack;
	event.has_args = true;
	event.arg_count = 1;
	event.args = &task;
	json_events_put(out, &event);
}

/* ---- what is open */

static void
push(struct json_regions *regions, const struct json_region *region)
{
	uint32_t index;
	struct error *err = &regions->out->err;
	uint32_t outer = map_find(&regions->open, (uint64_t)region->goroutine);
	if (regions->first_free != 0) {
		index = regions->first_free - 1;
		regions->first_free = regions->items[index].outer;
	} else if (array_reserve(&regions->items, &regions->capacity, regions->count + 1,
			   sizeof(*regions->items), err)) {
		index = (uint32_t)regions->count++;
	} else {
		regions->out->failed = true;
		return;
	}
	regions->items[index] = *region;
	regions->items[index].is_open = true;
	regions->items[index].outer = outer == MAP_NONE ? 0 : outer + 1;
	if (!map_put(&regions->open, (uint64_t)region->goroutine, index, err))
		regions->out->failed = true;
}

/* Takes the innermost region of a goroutine; false when none is open. */
static bool
pop(struct json_regions *regions, int64_t goroutine, struct json_region *region)
{
	uint32_t index = map_find(&regions->open, (uint64_t)goroutine);
	if (index == MAP_NONE)
		return false;
	*region = regions->items[index];
	regions->items[index].is_open = false;
	regions->items[index].outer = regions->first_free;
	regions->first_free = index + 1;
	if (region->outer == 0)
		map_remove(&regions->open, (uint64_t)goroutine);
	else if (!map_put(&regions->open, (uint64_t)goroutine, region->outer - 1,
			 &regions->out->err))
		regions->out->failed = true;
	return true;
}

/* ---- events */

static void
end_region(struct json_regions *regions, const struct go_event *event)
{
	struct json_region region;
	if (!pop(regions, event->g, &region)) {
		region = (struct json_region){
			.task = event->u.region.task,
			.name = event->u.region.name,
			.goroutine = event->g,
			.start_ns = regions->out->start_ns,
		};
	}
	draw(regions, &region, event->time_ns, event->stack);
}

/* A new goroutine belongs to the task whose region it was created in. */
static void
inherit(struct json_regions *regions, const struct go_event *event)
{
	uint32_t index = map_find(&regions->open, (uint64_t)event->g);
	if (event->g == GO_ID_NONE || index == MAP_NONE)
		return;
	push(regions, &(struct json_region){
			      .task = regions->items[index].task,
			      .goroutine = event->u.goroutine.id,
			      .start_ns = event->time_ns,
		      });
}

static void
take_goroutine(struct json_regions *regions, const struct go_event *event)
{
	struct json_region region;
	if (event->u.goroutine.from == event->u.goroutine.to)
		return;
	if (event->u.goroutine.from == GO_NOT_EXIST)
		inherit(regions, event);
	if (!json_scope_is_death(event, regions->out->strings.strings))
		return;
	while (pop(regions, event->u.goroutine.id, &region))
		draw(regions, &region, event->time_ns, event->stack);
}

void
json_regions_take(struct json_regions *regions, const struct go_event *event)
{
	if (event->kind == GO_EVENT_REGION_BEGIN)
		push(regions, &(struct json_region){
				      .task = event->u.region.task,
				      .name = event->u.region.name,
				      .goroutine = event->g,
				      .start_ns = event->time_ns,
				      .stack = event->stack,
			      });
	else if (event->kind == GO_EVENT_REGION_END)
		end_region(regions, event);
	else if (event->kind == GO_EVENT_GOROUTINE)
		take_goroutine(regions, event);
}

void
json_regions_finish(struct json_regions *regions, int64_t end_ns)
{
	for (size_t i = 0; i < regions->count; i++) {
		if (regions->items[i].is_open)
			draw(regions, &regions->items[i], end_ns, STACK_NONE);
	}
}
