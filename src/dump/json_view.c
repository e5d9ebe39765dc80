/* Events by kind. */
#include "dump/json_view.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "dump/json_mode.h"
#include "dump/own_stack.h"

static bool
is_executing(enum go_state state)
{
	return state == GO_RUNNING || state == GO_SYSCALL;
}

/* ---- goroutines */

static void
learn_name(struct json_life *life, const struct go_event *event, const struct json_view *view)
{
	stack_id stack = event->u.goroutine.stack;
	if (life->is_named || !own_stack_is_present(event, true))
		return;
	life->is_named = true;
	if (stack != STACK_NONE)
		life->function = stack_root(view->out->frames.stacks, stack)->function;
}

static void
change_run(struct json_view *view, struct json_life *life, const struct json_change *change)
{
	const struct json_mode *mode = view->mode;
	const struct go_event *event = change->event;
	bool was_executing = is_executing(change->from), executes = is_executing(change->to);
	if (was_executing && !executes && (!mode->runs_on_procs || change->from == GO_RUNNING)) {
		if (change->to == GO_WAITING)
			life->block_reason = event->u.goroutine.reason;
		json_life_stop(&view->lives, life, event->time_ns, event->stack);
	}
	if (!was_executing && executes && (!mode->runs_on_procs || change->to == GO_RUNNING)) {
		bool is_own = !mode->runs_on_procs && !mode->runs_on_threads;
		json_life_start(
			&view->lives, life, change->begin_ns, is_own ? life->id : change->lane);
	}
	if (change->from == GO_WAITING) {
		const struct json_unblock unblock = {
			.time_ns = event->time_ns,
			.lane = change->lane,
			.wakes_here = mode->runs_on_threads,
			.stack = event->stack,
		};
		json_life_unblock(&view->lives, life, &unblock);
	}
	if (change->from == GO_NOT_EXIST && change->to == GO_RUNNABLE)
		json_life_created(life, event->time_ns, change->lane, event->stack);
}

static enum json_class
class_of(const struct json_view *view, const struct json_life *life, enum go_state state)
{
	switch (state) {
	case GO_RUNNABLE:
		return JSON_CLASS_RUNNABLE;
	case GO_RUNNING:
	case GO_SYSCALL:
		return JSON_CLASS_RUNNING;
	case GO_WAITING:
		return json_life_has_range(&view->lives, life, GO_RANGE_MARK_ASSIST)
			       ? JSON_CLASS_GC_WAITING
			       : JSON_CLASS_WAITING;
	case GO_UNDETERMINED:
	case GO_NOT_EXIST:
	case GO_STATE_COUNT:
		break;
	}
	return JSON_CLASS_DEAD;
}

void
json_view_know_thread(struct json_view *view, int64_t thread)
{
	struct error *err = &view->out->err;
	if (!view->mode->runs_on_threads || thread == GO_ID_NONE ||
		map_find(&view->threads, (uint64_t)thread) != MAP_NONE)
		return;
	if (!array_reserve(&view->thread_list, &view->thread_capacity, view->thread_count + 1,
		    sizeof(*view->thread_list), err) ||
		!map_put(&view->threads, (uint64_t)thread, 0, err)) {
		view->out->failed = true;
		return;
	}
	view->thread_list[view->thread_count++] = thread;
}

static void
take_goroutine(struct json_view *view, const struct go_event *event)
{
	struct json_life *life = json_lives_add(&view->lives, event->u.goroutine.id);
	struct json_change change = {
		.event = event,
		.from = event->u.goroutine.from,
		.to = event->u.goroutine.to,
		.lane = view->mode->lane(event),
	};
	json_view_know_thread(view, event->m);
	if (life == NULL)
		return;
	learn_name(life, event, view);
	if (change.from == change.to)
		return;
	change.begin_ns = change.from == GO_UNDETERMINED ? view->out->start_ns : event->time_ns;
	change_run(view, life, &change);
	if (change.from == GO_SYSCALL)
		view->mode->leave_syscall(view, life, &change);
	if (change.to == GO_SYSCALL)
		view->mode->enter_syscall(view, life, &change);
	json_counters_goroutine(&view->counters, view->out, event->time_ns,
		class_of(view, life, change.from), class_of(view, life, change.to));
	bool is_drawn = life->is_executing || life->holds_proc ||
			(view->out->is_filtered && json_events_has_lane(view->out, life->id));
	if (change.to == GO_NOT_EXIST && !is_drawn)
		json_lives_bury(&view->lives, life);
}

/* ---- other events */

static void
take_label(struct json_view *view, const struct go_event *event)
{
	struct json_life *life = json_lives_find(&view->lives, event->g);
	if (life == NULL)
		return;
	life->has_label = true;
	life->label = event->u.label.label;
}

static void
take_range(struct json_view *view, const struct go_event *event)
{
	if (event->u.range.scope_g != GO_ID_NONE) {
		struct json_life *life = json_lives_find(&view->lives, event->u.range.scope_g);
		if (life != NULL)
			json_life_range(&view->lives, life, event);
		return;
	}
	int64_t lane = event->u.range.scope_p;
	if (lane == GO_ID_NONE)
		lane = GO_PROC_GC;
	else if (!view->mode->runs_on_procs)
		return;
	json_ranges_take(&view->ranges, view->out, event, lane, !view->saw_sync);
}

static void
take_sample(struct json_view *view, const struct go_event *event)
{
	int64_t lane = view->mode->lane(event);
	if (lane == GO_ID_NONE)
		return;
	json_events_instant(view->out, &(struct json_instant){
					       .name = { .head = "CPU profile sample" },
					       .time_ns = event->time_ns,
					       .lane = lane,
					       .stack = event->stack,
				       });
}

static void
take_log(struct json_view *view, const struct go_event *event)
{
	struct json_instant instant = {
		.name = { .second = event->u.log.message },
		.time_ns = event->time_ns,
		.lane = view->mode->lane(event),
		.stack = event->stack,
		.category = "user event",
	};
	if (instant.lane == GO_ID_NONE)
		return;
	if (event->u.log.category != STRING_EMPTY) {
		instant.name.head = "[";
		instant.name.first = event->u.log.category;
		instant.name.before_second = "] ";
	}
	json_events_instant(view->out, &instant);
}

void
json_view_take(struct json_view *view, const struct go_event *event)
{
	view->last_ns = event->time_ns;
	switch (event->kind) {
	case GO_EVENT_SYNC:
		view->saw_sync = true;
		break;
	case GO_EVENT_METRIC:
		json_counters_metric(&view->counters, view->out, event);
		break;
	case GO_EVENT_LABEL:
		take_label(view, event);
		break;
	case GO_EVENT_SAMPLE:
		take_sample(view, event);
		break;
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		take_range(view, event);
		break;
	case GO_EVENT_LOG:
		take_log(view, event);
		break;
	case GO_EVENT_GOROUTINE:
		take_goroutine(view, event);
		break;
	case GO_EVENT_PROC:
		view->mode->proc(view, event);
		break;
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
	case GO_EVENT_EXPERIMENTAL:
	case GO_EVENT_KIND_COUNT:
		break;
	}
}

/* ---- beginning and end */

void
json_view_init(struct json_view *view, const struct json_mode *mode, struct json_events *out)
{
	*view = (struct json_view){
		.mode = mode,
		.out = out,
		.focus = GO_ID_NONE,
		.highest_proc = -1,
	};
	json_lives_init(&view->lives, out);
}

void
json_view_release(struct json_view *view)
{
	json_lives_release(&view->lives);
	json_ranges_release(&view->ranges);
	map_release(&view->syscalls);
	map_release(&view->threads);
	memory_free(view->thread_list);
	*view = (struct json_view){ 0 };
}

void
json_view_finish(struct json_view *view)
{
	json_ranges_finish(&view->ranges, view->out, view->last_ns);
	json_lives_finish(&view->lives, view->last_ns);
}

void
json_view_lanes(struct json_view *view)
{
	static const struct {
		const char *name;
		int64_t lane, place;
	} special[] = {
		{ "GC", GO_PROC_GC, -6 },
		{ "Network", GO_PROC_NETWORK, -5 },
		{ "Timers", GO_PROC_TIMERS, -4 },
		{ "Syscalls", GO_PROC_SYSCALLS, -3 },
	};
	json_events_process(view->out, JSON_RESOURCES, view->mode->process, 2);
	for (size_t i = 0; i < ARRAY_LENGTH(special); i++) {
		const struct json_name name = { .head = special[i].name };
		json_events_lane(
			view->out, JSON_RESOURCES, special[i].lane, &name, special[i].place);
	}
	view->mode->lanes(view);
}
