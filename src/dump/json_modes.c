/* Lanes of procs, of threads and of goroutines. */
#include "dump/json_mode.h"
#include "dump/json_view.h"

/* ---- proc mode */

static int64_t
proc_lane(const struct go_event *event)
{
	return event->p;
}

/* Takes the life that is in a system call on a proc; NULL when there is none. */
static struct json_life *
take_syscall(struct json_view *view, int64_t proc)
{
	uint32_t index = map_find(&view->syscalls, (uint64_t)proc);
	if (index == MAP_NONE)
		return NULL;
	map_remove(&view->syscalls, (uint64_t)proc);
	view->lives.items[index].holds_proc = false;
	return &view->lives.items[index];
}

static void
leave_syscall_on_proc(
	struct json_view *view, struct json_life *life, const struct json_change *change)
{
	const struct go_event *event = change->event;
	if (change->to != GO_RUNNING)
		json_life_syscall_blocked(&view->lives, life, event->time_ns, event->stack);
	if (event->p != GO_ID_NONE && take_syscall(view, event->p) != NULL)
		json_life_syscall_end(&view->lives, life, event->time_ns, false);
}

static void
enter_syscall_on_proc(
	struct json_view *view, struct json_life *life, const struct json_change *change)
{
	int64_t proc = change->event->p;
	if (proc == GO_ID_NONE)
		return;
	json_life_syscall_begin(life, change->begin_ns, proc, change->event->stack);
	take_syscall(view, proc);
	life->holds_proc = true;
	if (!map_put(&view->syscalls, (uint64_t)proc, json_lives_index(&view->lives, life),
		    &view->out->err))
		view->out->failed = true;
}

/* "proc start" and "proc stop"; false when nothing of the kind happened. */
static bool
draw_proc_change(struct json_view *view, const struct go_event *event, int64_t lane)
{
	enum proc_state from = event->u.proc.from, to = event->u.proc.to;
	bool starts = to == PROC_RUNNING;
	if (from == to || (!starts && from != PROC_RUNNING))
		return false;
	const struct json_arg thread = { .key = "ThreadID", .number = (uint64_t)event->m };
	const struct json_arg proc = { .key = "proc", .number = (uint64_t)event->u.proc.id };
	struct json_instant instant = {
		.name = { .head = starts ? "proc start" : "proc stop" },
		.time_ns = from == PROC_UNDETERMINED ? view->out->start_ns : event->time_ns,
		.lane = lane,
		.stack = event->stack,
		.has_args = starts || view->mode->runs_on_threads,
	};
	if (starts)
		instant.arg = &thread;
	else if (view->mode->runs_on_threads && event->u.proc.id != 0)
		instant.arg = &proc;
	json_events_instant(view->out, &instant);
	json_counters_procs(&view->counters, view->out, instant.time_ns, starts ? 1 : -1);
	return true;
}

static void
take_proc_on_proc(struct json_view *view, const struct go_event *event)
{
	int64_t proc = event->u.proc.id;
	if (proc > view->highest_proc)
		view->highest_proc = proc;
	if (!draw_proc_change(view, event, proc) || event->u.proc.to == PROC_RUNNING)
		return;
	struct json_life *life = take_syscall(view, proc);
	if (life == NULL)
		return;
	json_life_syscall_end(&view->lives, life, event->time_ns, true);
	json_life_stop(&view->lives, life, event->time_ns, STACK_NONE);
}

static void
write_proc(struct json_view *view, int64_t proc)
{
	const struct json_name name = {
		.head = "Proc ",
		.has_number = true,
		.number = (uint64_t)proc,
	};
	json_events_lane(view->out, JSON_RESOURCES, proc, &name, proc);
}

/*
 * All up to the highest, as Go does; where no machine has as many, that one alone: a few bytes of a
 * trace shall not become megabytes.
 */
static void
write_procs(struct json_view *view)
{
	enum { PROCS_MAX = 1 << 12 };
	if (view->highest_proc >= PROCS_MAX) {
		write_proc(view, view->highest_proc);
		return;
	}
	for (int64_t proc = 0; proc <= view->highest_proc; proc++)
		write_proc(view, proc);
}

const struct json_mode json_proc_mode = {
	.process = "PROCS",
	.runs_on_procs = true,
	.lane = proc_lane,
	.leave_syscall = leave_syscall_on_proc,
	.enter_syscall = enter_syscall_on_proc,
	.proc = take_proc_on_proc,
	.lanes = write_procs,
};

/* ---- thread mode */

static int64_t
thread_lane(const struct go_event *event)
{
	return event->m;
}

static void
leave_syscall_on_thread(
	struct json_view *view, struct json_life *life, const struct json_change *change)
{
	json_life_syscall_end(&view->lives, life, change->event->time_ns, change->to != GO_RUNNING);
}

static void
enter_syscall(struct json_view *view, struct json_life *life, const struct json_change *change)
{
	bool is_own = !view->mode->runs_on_threads;
	json_life_syscall_begin(
		life, change->begin_ns, is_own ? life->id : change->lane, change->event->stack);
}

static void
take_proc_on_thread(struct json_view *view, const struct go_event *event)
{
	json_view_know_thread(view, event->m);
	draw_proc_change(view, event, event->m);
}

static void
write_threads(struct json_view *view)
{
	for (size_t i = 0; i < view->thread_count; i++) {
		const struct json_name name = {
			.head = "Thread ",
			.has_number = true,
			.number = (uint64_t)view->thread_list[i],
		};
		json_events_lane(view->out, JSON_RESOURCES, view->thread_list[i], &name,
			view->thread_list[i]);
	}
}

const struct json_mode json_thread_mode = {
	.process = "OS THREADS",
	.runs_on_threads = true,
	.lane = thread_lane,
	.leave_syscall = leave_syscall_on_thread,
	.enter_syscall = enter_syscall,
	.proc = take_proc_on_thread,
	.lanes = write_threads,
};

/* ---- goroutine mode */

static int64_t
goroutine_lane(const struct go_event *event)
{
	return event->g;
}

static void
leave_syscall_alone(
	struct json_view *view, struct json_life *life, const struct json_change *change)
{
	const struct go_event *event = change->event;
	bool was_blocked = change->to != GO_RUNNING;
	json_life_syscall_end(&view->lives, life, event->time_ns, was_blocked);
	if (was_blocked)
		json_life_syscall_blocked(&view->lives, life, event->time_ns, event->stack);
}

static void
ignore_proc(struct json_view *view, const struct go_event *event)
{
	(void)view;
	(void)event;
}

static void
write_goroutines(struct json_view *view)
{
	enum { FOCUS_PLACE = -2 };
	for (size_t i = 0; i < view->lives.count; i++) {
		const struct json_life *life = &view->lives.items[i];
		const struct json_name name = json_life_name(life);
		if (json_lives_find(&view->lives, life->id) == life &&
			json_events_has_lane(view->out, life->id))
			json_events_lane(view->out, JSON_RESOURCES, life->id, &name,
				life->id == view->focus ? FOCUS_PLACE : life->id);
	}
}

const struct json_mode json_goroutine_mode = {
	.process = "G",
	.lane = goroutine_lane,
	.leave_syscall = leave_syscall_alone,
	.enter_syscall = enter_syscall,
	.proc = ignore_proc,
	.lanes = write_goroutines,
};
