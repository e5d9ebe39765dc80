/* The viewer's JSON: what a view is about, then its events, then the names of its lanes. */
#include "dump/dump.h"

#include "base/checked.h"
#include "base/compiler.h"
#include "dump/json_events.h"
#include "dump/json_mode.h"
#include "dump/json_pass.h"
#include "dump/json_regions.h"
#include "dump/json_scope.h"
#include "dump/json_tasks.h"
#include "dump/json_view.h"

struct json {
	const struct dump *dump;
	struct intern strings;
	struct stack_table stacks;
	struct json_pass pass;
	struct json_scope scope;
	struct json_tasks tasks;
	struct json_events events;
	struct json_view view;
	struct json_regions regions;
	bool has_regions; /* they are drawn */
	bool has_begun;
};

static const struct {
	const struct json_mode *mode;
	bool has_tasks, has_regions;
} views[] = {
	[DUMP_JSON_PROC] = { &json_proc_mode, false, false },
	[DUMP_JSON_THREAD] = { &json_thread_mode, false, false },
	[DUMP_JSON_GOROUTINE] = { &json_goroutine_mode, false, false },
	[DUMP_JSON_TASK] = { &json_goroutine_mode, true, true },
	[DUMP_JSON_FOCUSTASK] = { &json_proc_mode, true, false },
};

/* ---- what is shown */

static bool
find_scope(struct json *json, enum dump_json_view view, int64_t id, struct error *err)
{
	if (views[view].has_tasks)
		return json_tasks_find(&json->tasks, &json->scope, &json->pass, id,
			views[view].mode == &json_goroutine_mode, err);
	return view != DUMP_JSON_GOROUTINE ||
	       json_scope_of_goroutine(&json->scope, &json->pass, id, err);
}

/* The interval of the view and the one that was asked for, both. */
static void
set_window(struct json *json)
{
	const struct dump_interval *interval = &json->dump->interval;
	int64_t start_ns = json->pass.result->start_ns;
	struct json_events *events = &json->events;
	const struct json_scope *scope = &json->scope;
	events->has_window = scope->has_window || interval->has_from || interval->has_to;
	events->from_ns = scope->has_window ? scope->from_ns : INT64_MIN;
	events->to_ns = scope->has_window ? scope->to_ns : INT64_MAX;
	if (interval->has_from) {
		int64_t from_ns = saturating_add_i64(start_ns, interval->from_ns);
		events->from_ns = from_ns > events->from_ns ? from_ns : events->from_ns;
	}
	if (interval->has_to) {
		int64_t to_ns = saturating_add_i64(start_ns, interval->to_ns - 1);
		events->to_ns = to_ns < events->to_ns ? to_ns : events->to_ns;
	}
}

static void
begin(struct json *json, const struct go_event *event)
{
	json->has_begun = true;
	json->events.start_ns = event->time_ns;
	set_window(json);
	json_events_begin(&json->events);
}

/* ---- events */

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct json *json = context;
	if (UNLIKELY(!json->has_begun))
		begin(json, event);
	json_view_take(&json->view, event);
	if (json->has_regions)
		json_regions_take(&json->regions, event);
	return json_events_check(&json->events, err);
}

static void
finish(struct json *json)
{
	if (!json->has_begun)
		json_events_begin(&json->events);
	json_view_finish(&json->view);
	if (json->has_regions)
		json_regions_finish(&json->regions, json->view.last_ns);
	json_tasks_draw(&json->tasks, &json->events);
	json_events_process(&json->events, JSON_STATS, "STATS", 0);
	json_tasks_lanes(&json->tasks, &json->events);
	json_view_lanes(&json->view);
	json_events_end(&json->events);
}

static bool
write_all(struct json *json, struct error *err)
{
	json->events.is_filtered = json->scope.is_filtered;
	json->events.shown = &json->scope.goroutines;
	if (json->scope.has_focus)
		json->view.focus = json->scope.focus;
	if (!json_pass_run(&json->pass, take_event, json, err)) {
		writer_empty(json->dump->out); /* what came before the failure stays */
		return false;
	}
	finish(json);
	return json_events_check(&json->events, err) && writer_finish(json->dump->out, err);
}

/* ---- the whole */

static bool
run(struct json *json, enum dump_json_view view, int64_t id, struct error *err)
{
	if (!intern_init(&json->strings, err) || !stack_table_init(&json->stacks, err))
		return false;
	json_events_init(&json->events, json->dump->out, &json->strings, &json->stacks);
	json_view_init(&json->view, views[view].mode, &json->events);
	json_regions_init(&json->regions, &json->tasks, &json->events);
	json->has_regions = views[view].has_regions;
	return find_scope(json, view, id, err) && write_all(json, err);
}

bool
dump_json(const struct dump *dump, struct input *in, enum dump_json_view view, int64_t id,
	struct go_read_result *result, struct error *err)
{
	struct json json = { .dump = dump };
	json.pass = (struct json_pass){
		.in = in,
		.progress = dump->progress,
		.strings = &json.strings,
		.stacks = &json.stacks,
		.result = result,
	};
	bool is_fine = run(&json, view, id, err);
	json_regions_release(&json.regions);
	json_view_release(&json.view);
	json_events_release(&json.events);
	json_tasks_release(&json.tasks);
	json_scope_release(&json.scope);
	stack_table_release(&json.stacks);
	intern_release(&json.strings);
	return is_fine;
}
