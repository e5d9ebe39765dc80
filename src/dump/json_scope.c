/* Passes over the trace that find the neighbours of a goroutine. */
#include "dump/json_scope.h"

#include <inttypes.h>
#include <string.h>

void
json_scope_release(struct json_scope *scope)
{
	map_release(&scope->goroutines);
	*scope = (struct json_scope){ 0 };
}

bool
json_scope_is_death(const struct go_event *event, const struct intern *strings)
{
	if (event->u.goroutine.to == GO_NOT_EXIST)
		return true;
	return event->u.goroutine.to == GO_WAITING &&
	       strcmp(intern_text(strings, event->u.goroutine.reason, NULL), "forever") == 0;
}

enum { ROUNDS = 2 };

/* Looks for those who woke any that was found before, and at the life of one goroutine. */
struct look {
	struct json_scope *scope;
	uint32_t round;
	const struct intern *strings;
	bool is_there, has_run, has_ended;
	bool has_begun; /* any event was seen */
	int64_t run_ns, end_ns;
};

static void
look_at_life(struct look *look, const struct go_event *event)
{
	if (event->u.goroutine.id != look->scope->focus)
		return;
	look->is_there = true;
	if (event->u.goroutine.to == GO_RUNNING && !look->has_run) {
		look->has_run = true;
		look->run_ns = event->time_ns;
	}
	if (json_scope_is_death(event, look->strings) && !look->has_ended) {
		look->has_ended = true;
		look->end_ns = event->time_ns;
	}
}

/* Each goroutine of the scope is kept with the round in which it was found. */
static bool
look_at_wake(const struct look *look, const struct go_event *event, struct error *err)
{
	struct map *found = &look->scope->goroutines;
	if (event->u.goroutine.from != GO_WAITING || event->g == GO_ID_NONE)
		return true;
	uint32_t woken = map_find(found, (uint64_t)event->u.goroutine.id);
	if (woken == MAP_NONE || woken > look->round ||
		map_find(found, (uint64_t)event->g) != MAP_NONE)
		return true;
	return map_put(found, (uint64_t)event->g, look->round + 1, err);
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct look *look = context;
	if (!look->has_begun)
		look->run_ns = event->time_ns;
	look->has_begun = true;
	if (!look->has_ended)
		look->end_ns = event->time_ns;
	if (event->kind != GO_EVENT_GOROUTINE || event->u.goroutine.from == event->u.goroutine.to)
		return true;
	look_at_life(look, event);
	return look_at_wake(look, event, err);
}

bool
json_scope_of_goroutine(
	struct json_scope *scope, struct json_pass *pass, int64_t goroutine, struct error *err)
{
	*scope = (struct json_scope){
		.has_window = true,
		.is_filtered = true,
		.has_focus = true,
		.focus = goroutine,
	};
	if (!map_put(&scope->goroutines, (uint64_t)goroutine, 0, err))
		return false;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct look look = { .scope = scope, .round = round, .strings = pass->strings };
		if (!json_pass_look(pass, take_event, &look, err))
			return false;
		if (!look.is_there)
			return error_set(err, ERROR_USAGE,
				"goroutine %" PRId64 " is not in the trace", goroutine);
		scope->from_ns = look.run_ns;
		scope->to_ns = look.end_ns;
	}
	return true;
}
