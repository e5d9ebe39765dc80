/* The tree of a task: gathered in one pass, drawn behind another. */
#include "dump/json_tasks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/memory.h"

/* Where and when it began or ended. */
struct task_end {
	bool is_known;
	int64_t time_ns; /* the trace's own where it is not known */
	int64_t goroutine;
	stack_id stack;
};

struct json_task {
	int64_t id, parent; /* GO_ID_NONE: the parent is not known */
	string_id name;
	struct task_end begin, end;
};

void
json_tasks_release(struct json_tasks *tasks)
{
	map_release(&tasks->by_id);
	memory_free(tasks->items);
	*tasks = (struct json_tasks){ 0 };
}

bool
json_tasks_has(const struct json_tasks *tasks, int64_t task)
{
	return map_find(&tasks->by_id, (uint64_t)task) != MAP_NONE;
}

/* ---- gathering */

struct gathering {
	struct json_tasks *tasks;
	struct json_scope *scope;
	int64_t root;
	bool wants_goroutines;
	bool is_there; /* the root was mentioned */
	bool has_begun;
	int64_t start_ns, end_ns; /* of the trace */
};

static bool
add_task(struct json_tasks *tasks, int64_t id, struct error *err)
{
	if (json_tasks_has(tasks, id))
		return true;
	if (!array_reserve(&tasks->items, &tasks->capacity, tasks->count + 1, sizeof(*tasks->items),
		    err) ||
		!map_put(&tasks->by_id, (uint64_t)id, (uint32_t)tasks->count, err))
		return false;
	tasks->items[tasks->count++] = (struct json_task){ .id = id, .parent = GO_ID_NONE };
	return true;
}

/* The goroutine of an event has to do with the task. */
static bool
involve(struct gathering *gathering, int64_t task, const struct go_event *event, struct error *err)
{
	struct json_scope *scope = gathering->scope;
	if (task == gathering->root) {
		gathering->is_there = true;
		bool is_first = !scope->has_focus || event->kind == GO_EVENT_TASK_BEGIN;
		if (is_first && event->kind != GO_EVENT_REGION_BEGIN) {
			scope->has_focus = true;
			scope->focus = event->g;
		}
	}
	return !gathering->wants_goroutines || event->g == GO_ID_NONE ||
	       map_put(&scope->goroutines, (uint64_t)event->g, 0, err);
}

static bool
take_task(struct gathering *gathering, const struct go_event *event, struct error *err)
{
	struct json_tasks *tasks = gathering->tasks;
	int64_t id = event->u.task.id, parent = event->u.task.parent;
	if (parent != GO_ID_NONE && json_tasks_has(tasks, parent) && !add_task(tasks, id, err))
		return false;
	uint32_t index = map_find(&tasks->by_id, (uint64_t)id);
	if (index == MAP_NONE)
		return true;
	struct json_task *task = &tasks->items[index];
	bool is_begin = event->kind == GO_EVENT_TASK_BEGIN;
	*(is_begin ? &task->begin : &task->end) = (struct task_end){
		.is_known = true,
		.time_ns = event->time_ns,
		.goroutine = event->g,
		.stack = event->stack,
	};
	task->name = event->u.task.name;
	if (parent != GO_ID_NONE)
		task->parent = parent;
	return involve(gathering, id, event, err);
}

static bool
gather(void *context, const struct go_event *event, struct error *err)
{
	struct gathering *gathering = context;
	if (!gathering->has_begun)
		gathering->start_ns = event->time_ns;
	gathering->has_begun = true;
	gathering->end_ns = event->time_ns;
	if (event->kind == GO_EVENT_TASK_BEGIN || event->kind == GO_EVENT_TASK_END)
		return take_task(gathering, event, err);
	if (event->kind == GO_EVENT_REGION_END && event->u.region.task == gathering->root)
		gathering->is_there = true;
	int64_t task = GO_ID_NONE;
	if (event->kind == GO_EVENT_REGION_BEGIN)
		task = event->u.region.task;
	else if (event->kind == GO_EVENT_LOG)
		task = event->u.log.task;
	return task == GO_ID_NONE || !json_tasks_has(gathering->tasks, task) ||
	       involve(gathering, task, event, err);
}

static int
compare_tasks(const void *left, const void *right)
{
	const struct json_task *a = left, *b = right;
	if (a->begin.time_ns != b->begin.time_ns)
		return a->begin.time_ns < b->begin.time_ns ? -1 : 1;
	if (a->end.time_ns != b->end.time_ns)
		return a->end.time_ns < b->end.time_ns ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Ends that were not seen are those of the trace; then the tasks are put in order. */
static void
complete(const struct gathering *gathering)
{
	struct json_tasks *tasks = gathering->tasks;
	for (size_t i = 0; i < tasks->count; i++) {
		struct json_task *task = &tasks->items[i];
		if (!task->begin.is_known)
			task->begin.time_ns = gathering->start_ns;
		if (!task->end.is_known)
			task->end.time_ns = gathering->end_ns;
		if (task->id == gathering->root) {
			gathering->scope->from_ns = task->begin.time_ns;
			gathering->scope->to_ns = task->end.time_ns;
		}
	}
	qsort(tasks->items, tasks->count, sizeof(*tasks->items), compare_tasks);
}

bool
json_tasks_find(struct json_tasks *tasks, struct json_scope *scope, struct json_pass *pass,
	int64_t task, bool wants_goroutines, struct error *err)
{
	struct gathering gathering = {
		.tasks = tasks,
		.scope = scope,
		.root = task,
		.wants_goroutines = wants_goroutines,
	};
	*scope = (struct json_scope){ .has_window = true, .is_filtered = wants_goroutines };
	if (!add_task(tasks, task, err) || !json_pass_look(pass, gather, &gathering, err))
		return false;
	if (!gathering.is_there)
		return error_set(err, ERROR_USAGE, "task %" PRId64 " is not in the trace", task);
	complete(&gathering);
	return true;
}

/* ---- drawing */

const char *
json_task_color(int64_t task)
{
	static const char *const colors[] = {
		"thread_state_uninterruptible",
		"thread_state_iowait",
		"thread_state_running",
		"thread_state_runnable",
		"thread_state_unknown",
		"light_memory_dump",
		"background_memory_dump",
		"detailed_memory_dump",
		"good",
		"bad",
		"terrible",
		"olive",
		"rail_response",
		"rail_animation",
		"rail_idle",
		"rail_load",
		"heap_dump_child_node_arrow",
		"cq_build_running",
		"cq_build_passed",
		"cq_build_failed",
		"cq_build_abandoned",
		"cq_build_attempt_runnig",
		"cq_build_attempt_passed",
	};
	return task == 0 ? NULL : colors[(uint64_t)task % ARRAY_LENGTH(colors)];
}

static void
add_arg(struct json_arg *args, size_t *count, const char *key, int64_t number)
{
	if (number != 0)
		args[(*count)++] = (struct json_arg){ .key = key, .number = (uint64_t)number };
}

static void
draw_task(const struct json_task *task, struct json_events *out)
{
	struct json_arg args[3];
	size_t count = 0;
	if (!json_events_has_time(out, task->begin.time_ns) &&
		!json_events_has_time(out, task->end.time_ns))
		return;
	add_arg(args, &count, "id", task->id);
	add_arg(args, &count, "start_g", task->begin.goroutine);
	add_arg(args, &count, "end_g", task->end.goroutine);
	json_events_put(out, &(struct json_event){
				     .phase = 'X',
				     .name = { .first = task->name },
				     .time_ns = task->begin.time_ns,
				     .duration_ns = task->end.time_ns - task->begin.time_ns,
				     .section = JSON_TASKS,
				     .lane = task->id,
				     .begin_stack = task->begin.stack,
				     .end_stack = task->end.stack,
				     .has_args = true,
				     .arg_count = count,
				     .args = args,
				     .color = json_task_color(task->id),
			     });
}

static void
draw_arrow(const struct json_task *task, struct json_events *out)
{
	const struct json_flow flow = {
		.name = { .head = "newTask" },
		.from_ns = task->begin.time_ns,
		.from_lane = task->parent,
		.to_ns = task->begin.time_ns,
		.to_lane = task->id,
		.stack = task->begin.stack,
	};
	bool is_shown = task->parent != GO_ID_NONE && task->begin.is_known &&
			json_events_has_time(out, task->begin.time_ns);
	if (is_shown)
		json_events_put_flow(out, &flow, JSON_TASKS);
}

void
json_tasks_draw(const struct json_tasks *tasks, struct json_events *out)
{
	for (size_t i = 0; i < tasks->count; i++) {
		draw_task(&tasks->items[i], out);
		draw_arrow(&tasks->items[i], out);
	}
}

void
json_tasks_lanes(const struct json_tasks *tasks, struct json_events *out)
{
	if (tasks->count == 0)
		return;
	json_events_process(out, JSON_TASKS, "TASKS", 1);
	for (size_t i = 0; i < tasks->count; i++) {
		const struct json_name name = {
			.head = "T",
			.has_number = true,
			.number = (uint64_t)tasks->items[i].id,
			.before_first = " ",
			.first = tasks->items[i].name,
		};
		json_events_lane(out, JSON_TASKS, tasks->items[i].id, &name, (int64_t)i);
	}
}
