/* Runs, what interrupts them, and who set them off. */
#include "dump/json_lives.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "source/go/names.h"

/* A range of a goroutine, or a system call. */
struct json_life_range {
	bool is_syscall;
	bool was_blocked; /* of a system call */
	bool is_started;  /* it is drawn from start_ns on; else from the next run on */
	enum go_range range;
	string_id detail;
	int64_t start_ns, end_ns;
	stack_id start_stack, end_stack;
	uint32_t next; /* index + 1 */
};

void
json_lives_init(struct json_lives *lives, struct json_events *out)
{
	*lives = (struct json_lives){ .out = out };
}

void
json_lives_release(struct json_lives *lives)
{
	map_release(&lives->by_id);
	memory_free(lives->items);
	memory_free(lives->ranges);
	*lives = (struct json_lives){ 0 };
}

/* ---- the goroutines */

uint32_t
json_lives_index(const struct json_lives *lives, const struct json_life *life)
{
	return (uint32_t)(life - lives->items);
}

struct json_life *
json_lives_find(struct json_lives *lives, int64_t goroutine)
{
	uint32_t index = map_find(&lives->by_id, (uint64_t)goroutine);
	return index == MAP_NONE ? NULL : &lives->items[index];
}

/* The index of a place that is free. */
static bool
take_place(struct json_lives *lives, uint32_t *index, struct error *err)
{
	if (lives->first_free != 0) {
		assert(lives->items != NULL);
		*index = lives->first_free - 1;
		lives->first_free = lives->items[*index].next_free;
		return true;
	}
	if (!array_reserve(
		    &lives->items, &lives->capacity, lives->count + 1, sizeof(*lives->items), err))
		return false;
	*index = (uint32_t)lives->count++;
	return true;
}

struct json_life *
json_lives_add(struct json_lives *lives, int64_t goroutine)
{
	uint32_t index;
	struct json_life *known = json_lives_find(lives, goroutine);
	if (LIKELY(known != NULL))
		return known;
	if (!take_place(lives, &index, &lives->out->err) ||
		!map_put(&lives->by_id, (uint64_t)goroutine, index, &lives->out->err)) {
		lives->out->failed = true;
		return NULL;
	}
	lives->items[index] = (struct json_life){ .id = goroutine };
	return &lives->items[index];
}

static void
free_ranges(struct json_lives *lives, uint32_t *list)
{
	while (*list != 0) {
		struct json_life_range *range = &lives->ranges[*list - 1];
		uint32_t next = range->next;
		range->next = lives->first_free_range;
		lives->first_free_range = *list;
		*list = next;
	}
}

void
json_lives_bury(struct json_lives *lives, struct json_life *life)
{
	uint32_t index = json_lives_index(lives, life);
	map_remove(&lives->by_id, (uint64_t)life->id);
	free_ranges(lives, &life->active);
	free_ranges(lives, &life->completed);
	life->is_executing = false;
	life->next_free = lives->first_free;
	lives->first_free = index + 1;
}

struct json_name
json_life_name(const struct json_life *life)
{
	struct json_name name = {
		.head = "G",
		.has_number = true,
		.number = (uint64_t)life->id,
	};
	if (life->is_named) {
		name.before_first = " ";
		name.first = life->function;
	}
	if (life->has_label) {
		name.before_second = " (";
		name.second = life->label;
		name.tail = ")";
	}
	return name;
}

/* ---- ranges */

struct json_name
json_range_name(enum go_range range, string_id detail)
{
	struct json_name name = { .head = go_range_names[range] };
	if (range == GO_RANGE_STW) {
		name.first = detail;
		name.tail = ")";
	}
	return name;
}

/* Puts a range into a list; NULL when there is no memory. */
static struct json_life_range *
add_range(struct json_lives *lives, uint32_t *list)
{
	uint32_t index;
	if (lives->first_free_range != 0) {
		index = lives->first_free_range - 1;
		lives->first_free_range = lives->ranges[index].next;
	} else {
		if (!array_reserve(&lives->ranges, &lives->range_capacity, lives->range_count + 1,
			    sizeof(*lives->ranges), &lives->out->err)) {
			lives->out->failed = true;
			return NULL;
		}
		index = (uint32_t)lives->range_count++;
	}
	lives->ranges[index] = (struct json_life_range){ .next = *list };
	*list = index + 1;
	return &lives->ranges[index];
}

/* The link that leads to an active range, or to the end of them. */
static uint32_t *
find_active(struct json_lives *lives, struct json_life *life, enum go_range range, string_id detail)
{
	uint32_t *link = &life->active;
	while (*link != 0) {
		struct json_life_range *active = &lives->ranges[*link - 1];
		if (active->range == range && active->detail == detail)
			break;
		link = &active->next;
	}
	return link;
}

bool
json_life_has_range(
	const struct json_lives *lives, const struct json_life *life, enum go_range range)
{
	for (uint32_t at = life->active; at != 0; at = lives->ranges[at - 1].next) {
		if (lives->ranges[at - 1].range == range)
			return true;
	}
	return false;
}

/* Begins a range or, where it is active already, begins it anew. */
static void
begin_range(struct json_lives *lives, struct json_life *life, const struct go_event *event)
{
	enum go_range kind = event->u.range.range;
	bool is_mention = event->kind == GO_EVENT_RANGE_ACTIVE;
	uint32_t *link = find_active(lives, life, kind, event->u.range.detail);
	struct json_life_range *range =
		*link != 0 ? &lives->ranges[*link - 1] : add_range(lives, &life->active);
	if (range == NULL)
		return;
	range->range = kind;
	range->detail = event->u.range.detail;
	range->is_started = life->is_executing;
	range->start_ns = is_mention ? life->run_ns : event->time_ns;
	range->start_stack = life->is_executing ? event->stack : STACK_NONE;
}

static void
end_range(struct json_lives *lives, struct json_life *life, const struct go_event *event)
{
	uint32_t *link = find_active(lives, life, event->u.range.range, event->u.range.detail);
	if (*link == 0)
		return;
	uint32_t index = *link;
	struct json_life_range *range = &lives->ranges[index - 1];
	bool is_drawn = life->is_executing && range->is_started;
	uint32_t *list = is_drawn ? &life->completed : &lives->first_free_range;
	*link = range->next;
	range->end_ns = event->time_ns;
	range->end_stack = event->stack;
	range->next = *list;
	*list = index;
}

void
json_life_range(struct json_lives *lives, struct json_life *life, const struct go_event *event)
{
	if (event->kind == GO_EVENT_RANGE_END)
		end_range(lives, life, event);
	else
		begin_range(lives, life, event);
}

/* ---- runs */

void
json_life_start(struct json_lives *lives, struct json_life *life, int64_t time_ns, int64_t lane)
{
	for (uint32_t at = life->active; at != 0; at = lives->ranges[at - 1].next) {
		struct json_life_range *range = &lives->ranges[at - 1];
		range->is_started = true;
		range->start_ns = time_ns;
		range->start_stack = STACK_NONE;
	}
	if (life->cause.is_set) {
		json_events_flow(lives->out, &(struct json_flow){
						     .name = life->cause.name,
						     .from_ns = life->cause.time_ns,
						     .from_lane = life->cause.lane,
						     .stack = life->cause.stack,
						     .to_ns = time_ns,
						     .to_lane = lane,
					     });
		life->cause.is_set = false;
	}
	life->is_executing = true;
	life->lane = lane;
	life->run_ns = time_ns;
}

static void
draw_range(const struct json_lives *lives, const struct json_life *life,
	const struct json_life_range *range)
{
	const struct json_name word = { .head = range->was_blocked ? "yes" : "no" };
	const struct json_arg blocked = { .key = "blocked", .text = &word };
	json_events_slice(lives->out,
		&(struct json_slice){
			.name = range->is_syscall ? (struct json_name){ .head = "syscall" }
						  : json_range_name(range->range, range->detail),
			.from_ns = range->start_ns,
			.to_ns = range->end_ns,
			.lane = life->lane,
			.begin_stack = range->start_stack,
			.end_stack = range->end_stack,
			.arg = range->is_syscall ? &blocked : NULL,
		});
}

static void
draw_ranges(struct json_lives *lives, struct json_life *life, int64_t time_ns)
{
	for (uint32_t at = life->completed; at != 0; at = lives->ranges[at - 1].next)
		draw_range(lives, life, &lives->ranges[at - 1]);
	free_ranges(lives, &life->completed);
	for (uint32_t at = life->active; at != 0; at = lives->ranges[at - 1].next) {
		struct json_life_range *range = &lives->ranges[at - 1];
		range->end_ns = time_ns;
		range->end_stack = STACK_NONE;
		if (range->is_started)
			draw_range(lives, life, range);
		range->is_started = false;
	}
}

void
json_life_stop(struct json_lives *lives, struct json_life *life, int64_t time_ns, stack_id stack)
{
	if (!life->is_executing)
		return;
	json_events_slice(lives->out, &(struct json_slice){
					      .name = json_life_name(life),
					      .from_ns = life->run_ns,
					      .to_ns = time_ns,
					      .lane = life->lane,
					      .begin_stack = life->stop_stack,
					      .end_stack = stack,
				      });
	draw_ranges(lives, life, time_ns);
	life->stop_stack = stack;
	life->is_executing = false;
}

/* ---- what leads to runs */

void
json_life_created(struct json_life *life, int64_t time_ns, int64_t lane, stack_id stack)
{
	if (lane == JSON_LANE_NONE)
		return;
	life->cause = (struct json_cause){
		.is_set = true,
		.name = { .head = "go" },
		.time_ns = time_ns,
		.lane = lane,
		.stack = stack,
	};
}

static bool
is_network(const struct json_lives *lives, string_id reason)
{
	return strstr(intern_text(lives->out->strings.strings, reason, NULL), "network") != NULL;
}

void
json_life_unblock(
	struct json_lives *lives, struct json_life *life, const struct json_unblock *unblock)
{
	struct json_name name = { .head = "unblock" };
	int64_t lane = unblock->lane;
	if (life->block_reason != STRING_EMPTY) {
		name.before_first = " (";
		name.first = life->block_reason;
		name.tail = ")";
		if (is_network(lives, life->block_reason)) {
			if (!unblock->wakes_here)
				lane = GO_PROC_NETWORK;
			json_events_instant(lives->out, &(struct json_instant){
								.name = name,
								.time_ns = unblock->time_ns,
								.lane = lane,
								.stack = unblock->stack,
							});
		}
	}
	life->block_reason = STRING_EMPTY;
	if (lane == 0)
		return;
	life->cause = (struct json_cause){
		.is_set = true,
		.name = name,
		.time_ns = unblock->time_ns,
		.lane = lane,
		.stack = unblock->stack,
	};
}

/* ---- system calls */

void
json_life_syscall_begin(struct json_life *life, int64_t time_ns, int64_t lane, stack_id stack)
{
	life->is_in_syscall = true;
	life->syscall_ns = time_ns;
	life->syscall_stack = stack;
	if (life->is_executing)
		return;
	life->is_executing = true;
	life->lane = lane;
	life->run_ns = time_ns;
}

void
json_life_syscall_end(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, bool was_blocked)
{
	if (!life->is_in_syscall)
		return;
	life->is_in_syscall = false;
	struct json_life_range *range = add_range(lives, &life->completed);
	if (range == NULL)
		return;
	range->is_syscall = true;
	range->was_blocked = was_blocked;
	range->start_ns = life->syscall_ns;
	range->start_stack = life->syscall_stack;
	range->end_ns = time_ns;
}

void
json_life_syscall_blocked(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, stack_id stack)
{
	const struct json_name name = { .head = "exit blocked syscall" };
	life->cause = (struct json_cause){
		.is_set = true,
		.name = name,
		.time_ns = time_ns,
		.lane = GO_PROC_SYSCALLS,
		.stack = stack,
	};
	json_events_instant(lives->out, &(struct json_instant){
						.name = name,
						.time_ns = time_ns,
						.lane = GO_PROC_SYSCALLS,
						.stack = stack,
					});
}

/* ---- the end */

void
json_lives_finish(struct json_lives *lives, int64_t end_ns)
{
	for (size_t i = 0; i < lives->count; i++) {
		struct json_life *life = &lives->items[i];
		if (!life->is_executing)
			continue;
		json_life_syscall_end(lives, life, end_ns, false);
		json_life_stop(lives, life, end_ns, STACK_NONE);
	}
}
