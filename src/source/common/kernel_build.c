/* From the kernel's events to who did what: states of tasks, slices, instants. */
#include "source/common/kernel_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort.h"
#include "source/common/processes.h"
#include "trace/builder.h"
#include "trace/slices.h"

#define NONE UINT32_MAX  /* nobody knows who runs */
#define IDLE (UINT32_MAX - 1)

enum { NESTED_MOST = 32, EVENTS_PER_LOOK = 4096 };

/* What has begun on a CPU and not ended: an interrupt in an interrupt. */
struct nested {
	uint64_t keys[NESTED_MOST];
	unsigned count;
};

struct cpu {
	uint32_t task;    /* who runs there: NONE, IDLE, or a task */
	track_ref track;  /* of interrupts; once has_track */
	struct nested interrupts;
	bool has_track, is_known;
	int64_t lost_ns; /* when events of it were lost last */
};

/* A track of a task, and what is open on it. */
struct open_track {
	track_ref track;
	uint32_t depth; /* how many are open; from NESTED_MOST on they are only counted */
	uint64_t key;   /* of the innermost */
	bool exists;
};

/* Tracks that a task may have. */
enum { CALLS, WORK, MARKS, TRACKS };
static const char *const track_names[TRACKS] = { "syscalls", "work", "marks" };

struct doing {
	actor_ref actor; /* REF_NONE: it was not seen yet, or has ended */
	uint32_t cpu;    /* where it runs, if it does */
	string_id arguments; /* of the system call that is open */
	uint8_t state;       /* enum state */
	int64_t since_ns;    /* of the state */
	bool has_state;      /* some was told */
	struct open_track tracks[TRACKS];
};

struct building {
	struct kernel *kernel;
	const struct kernel_own *own;
	struct trace *trace;
	struct builder *builder;
	struct doing *tasks;
	struct cpu *cpus;
	string_id *groups;   /* by actor */
	struct map sections; /* by text of what began and has not ended: the id of the task of the model */
	int64_t section_count;
	int64_t origin_ns, now_ns;
	int64_t known_ns; /* before that moment not all CPUs are told of */
	string_id reasons[KERNEL_STATE_COUNT];
	string_id track_names[TRACKS], interrupts, lost;
};

/* ---- who and where */

static bool
name_text(struct building *building, const char *text, string_id *id, struct error *err)
{
	return intern_add(&building->trace->strings, text, strlen(text), id, err);
}

/* Makes the actor of a task known at the time of the event. */
static bool
see_task(struct building *building, uint32_t index, actor_ref creator, struct error *err)
{
	struct doing *task = &building->tasks[index];
	string_id name;
	if (task->actor != REF_NONE)
		return true;
	if (!kernel_called(building->kernel, index, &name, err) ||
		!builder_create(building->builder, building->kernel->tasks[index].pid, creator, STACK_NONE,
			&task->actor, err) ||
		!builder_name(building->builder, task->actor, name, err))
		return false;
	task->state = STATE_UNKNOWN;
	task->has_state = false;
	for (int i = 0; i < TRACKS; i++)
		task->tracks[i] = (struct open_track){ .exists = false };
	return true;
}

/* The task with that pid, of which there is an actor; IDLE for 0, NONE for nobody. */
static bool
task_of(struct building *building, int64_t pid, uint32_t *task, struct error *err)
{
	*task = pid == 0 ? IDLE : NONE;
	return pid <= 0 || (kernel_task(building->kernel, pid, task, err) &&
				   see_task(building, *task, REF_NONE, err));
}

static bool
is_task(uint32_t task)
{
	return task < IDLE;
}

static bool
enter_state(struct building *building, uint32_t index, enum state state, struct state_change change,
	struct error *err)
{
	struct doing *task = &building->tasks[index];
	if (building->now_ns < building->known_ns && (state == STATE_READY || state == STATE_BLOCKED)) {
		state = STATE_UNKNOWN;
		change = (struct state_change){ .entry = ENTRY_STOPPED };
		if (task->state == STATE_UNKNOWN)
			return true;
	}
	task->state = (uint8_t)state;
	task->since_ns = building->now_ns;
	task->has_state = true;
	change.actor = task->actor;
	change.state = (uint8_t)state;
	change.thread = REF_NONE;
	if (change.state != STATE_READY)
		change.waker = REF_NONE;
	if (change.state != STATE_RUNNING)
		change.processor = REF_NONE;
	return builder_state(building->builder, &change, err);
}

static int64_t
since_origin(const struct building *building)
{
	return building->now_ns - building->origin_ns;
}

/* ---- slices */

static bool
open_slice(struct building *building, uint32_t index, int which, string_id name, uint64_t key,
	struct error *err)
{
	struct doing *task = &building->tasks[index];
	struct open_track *open = &task->tracks[which];
	if (!open->exists && !slices_track(building->trace->slices, TRACK_OF_ACTOR, task->actor,
				     building->track_names[which], &open->track, err))
		return false;
	open->exists = true;
	open->key = key;
	uint32_t depth = open->depth++;
	return depth >= NESTED_MOST ||
	       slices_begin(building->trace->slices, open->track, depth, since_origin(building), name, err);
}

/* The innermost ends, if there is one. */
static bool
close_slice(struct building *building, struct open_track *open, uint8_t flags, struct error *err)
{
	struct slice_end end = { since_origin(building), -1, flags };
	if (open->depth == 0)
		return true;
	uint32_t depth = --open->depth;
	return depth >= NESTED_MOST || slices_end(building->trace->slices, open->track, depth, end, err);
}

static bool
close_all(struct building *building, struct doing *task, struct error *err)
{
	for (int i = 0; i < TRACKS; i++)
		while (task->tracks[i].depth > 0)
			if (!close_slice(building, &task->tracks[i], SLICE_CUT, err))
				return false;
	return true;
}

/* A call that had not ended when the next one began: its end was lost. */
static bool
begin_call(struct building *building, uint32_t index, const struct kernel_event *event, struct error *err)
{
	struct open_track *open = &building->tasks[index].tracks[CALLS];
	building->tasks[index].arguments = event->text;
	return close_slice(building, open, SLICE_CUT, err) &&
	       open_slice(building, index, CALLS, event->name, event->key, err);
}

/*
 * The call of a task ends. Another number than it began with says that an end and a begin were lost; but
 * -1 is that of a return from a signal, which ends any.
 */
static bool
end_call(struct building *building, uint32_t index, const struct kernel_event *event, struct error *err)
{
	struct kernel *kernel = building->kernel;
	struct doing *task = &building->tasks[index];
	struct open_track *open = &task->tracks[CALLS];
	string_id detail;
	size_t length;
	if (open->depth == 0)
		return true;
	if (open->key != event->key && event->key != UINT64_MAX)
		return close_slice(building, open, SLICE_CUT, err);
	text_clear(&kernel->scratch);
	const char *text = trace_text(building->trace, task->arguments, &length);
	text_add(&kernel->scratch, text, length);
	text_add_string(&kernel->scratch, " = ");
	text = trace_text(building->trace, event->text, &length);
	text_add(&kernel->scratch, text, length);
	if (kernel->scratch.failed)
		return error_set_memory(err, "texts");
	if (!intern_add(&building->trace->strings, kernel->scratch.bytes, kernel->scratch.length, &detail,
		    err) ||
		!close_slice(building, open, event->has_failed ? SLICE_FAILED : 0, err))
		return false;
	slices_detail(building->trace->slices, open->track, 0, detail);
	return true;
}

static bool
begin_interrupt(struct building *building, struct cpu *cpu, const struct kernel_event *event,
	struct error *err)
{
	struct nested *nested = &cpu->interrupts;
	resource_ref ref;
	if (nested->count == NESTED_MOST)
		return true;
	if (!cpu->has_track && (!builder_processor(building->builder, event->cpu, &ref, err) ||
				       !slices_track(building->trace->slices, TRACK_OF_RESOURCE, ref,
					       building->interrupts, &cpu->track, err)))
		return false;
	cpu->has_track = true;
	nested->keys[nested->count] = event->key;
	return slices_begin(building->trace->slices, cpu->track, nested->count++, since_origin(building),
		event->name, err);
}

/* Ends that with the key, and cuts what is open in it; with `is_loss` all. */
static bool
end_interrupts(struct building *building, struct cpu *cpu, uint64_t key, bool is_loss, struct error *err)
{
	struct nested *nested = &cpu->interrupts;
	unsigned at = nested->count;
	while (at > 0 && !is_loss && nested->keys[at - 1] != key)
		at--;
	if (at == 0)
		return true;
	unsigned last = is_loss ? 0 : at - 1;
	while (nested->count > last) {
		bool is_cut = is_loss || nested->count > at;
		struct slice_end end = { since_origin(building), -1, is_cut ? SLICE_CUT : 0 };
		if (!slices_end(building->trace->slices, cpu->track, --nested->count, end, err))
			return false;
	}
	return true;
}

/* ---- states */

/* Who was on a CPU is not there any more, and nothing said so; it may have left or run elsewhere. */
static bool
forget_current(struct building *building, struct cpu *cpu, uint32_t number, struct error *err)
{
	uint32_t was = cpu->task;
	cpu->task = NONE;
	if (!is_task(was) || building->tasks[was].state != STATE_RUNNING || building->tasks[was].cpu != number)
		return true;
	return enter_state(building, was, STATE_UNKNOWN, (struct state_change){ .entry = ENTRY_LOST }, err);
}

static bool
run(struct building *building, struct cpu *cpu, uint32_t number, uint32_t task, enum state_entry entry,
	struct error *err)
{
	struct state_change change = { .entry = (uint8_t)entry };
	cpu->task = task;
	if (!is_task(task))
		return true;
	building->tasks[task].cpu = number;
	return builder_processor(building->builder, number, &change.processor, err) &&
	       enter_state(building, task, STATE_RUNNING, change, err);
}

/* The head of an event says who runs; the entry is ENTRY_SEEN, unless the event is that it comes. */
static bool
see_running(struct building *building, struct cpu *cpu, uint32_t number, uint32_t task,
	enum state_entry entry, struct error *err)
{
	bool is_there = cpu->task == task &&
			(!is_task(task) || (building->tasks[task].state == STATE_RUNNING &&
						   building->tasks[task].cpu == number));
	if (task == NONE || is_there)
		return true;
	return forget_current(building, cpu, number, err) && run(building, cpu, number, task, entry, err);
}

/* Somebody leaves a CPU. */
static bool
leave(struct building *building, uint32_t task, const struct kernel_event *event, struct error *err)
{
	struct state_change change = { .entry = ENTRY_BLOCKED, .stack = event->stack };
	if (event->state == KERNEL_RUNNABLE) {
		change.entry = ENTRY_STOPPED;
		change.waker = REF_NONE;
		return enter_state(building, task, STATE_READY, change, err);
	}
	if (event->state == KERNEL_DEAD) {
		change.entry = ENTRY_ENDED;
		struct doing *ends = &building->tasks[task];
		bool is_fine = close_all(building, ends, err) &&
			       enter_state(building, task, STATE_GONE, change, err);
		ends->actor = REF_NONE;
		return is_fine;
	}
	change.reason = event->state == KERNEL_OTHERWISE ? event->text : building->reasons[event->state];
	return enter_state(building, task, STATE_BLOCKED, change, err);
}

/* Who is on a CPU; nobody where it has left since, or was seen running on another one. */
static uint32_t
current_of(const struct building *building, const struct cpu *cpu, uint32_t number)
{
	const struct doing *task = is_task(cpu->task) ? &building->tasks[cpu->task] : NULL;
	return task == NULL || (task->state == STATE_RUNNING && task->cpu == number) ? cpu->task : NONE;
}

static bool
take_switch(struct building *building, struct cpu *cpu, const struct kernel_event *event, struct error *err)
{
	uint32_t prev = current_of(building, cpu, event->cpu), next;
	if ((event->other != KERNEL_NOBODY && !task_of(building, event->other, &prev, err)) ||
		!task_of(building, event->next, &next, err) ||
		!see_running(building, cpu, event->cpu, prev, ENTRY_SEEN, err))
		return false;
	if (is_task(prev) && !leave(building, prev, event, err))
		return false;
	cpu->task = NONE;
	/* Who died may be named again: by its own switch alone. */
	return (!is_task(next) || see_task(building, next, REF_NONE, err)) &&
	       run(building, cpu, event->cpu, next, ENTRY_STARTED, err);
}

/* Where a CPU is known, who runs there was seen already. Nobody who leaves it is who ran, and is no more. */
static bool
take_move(struct building *building, struct cpu *cpu, uint32_t task, const struct kernel_event *event,
	struct error *err)
{
	struct state_change change = { .entry = ENTRY_STARTED, .processor = REF_NONE };
	struct kernel_event told = *event;
	bool is_leaving = event->kind == KERNEL_LEAVE;
	if (is_leaving && !event->has_no_cpu) {
		if (task == NONE) {
			task = current_of(building, cpu, event->cpu);
			told.state = KERNEL_DEAD;
		}
		cpu->task = NONE;
	}
	if (!is_task(task))
		return true;
	bool is_running = building->tasks[task].state == STATE_RUNNING;
	if (told.state == KERNEL_UNTOLD) {
		change.entry = ENTRY_LOST;
		return !is_running || enter_state(building, task, STATE_UNKNOWN, change, err);
	}
	if (is_leaving)
		return leave(building, task, &told, err);
	return is_running || enter_state(building, task, STATE_RUNNING, change, err);
}

/* Whether it is so since before events of its CPU were lost, so that it may have been something else meanwhile. */
static bool
is_before_loss(const struct building *building, const struct doing *task)
{
	return task->since_ns <= building->cpus[task->cpu].lost_ns;
}

/*
 * A task is made runnable. What runs, or is that already, stays as it is; but where it may have slept unseen, that it
 * was woken is told.
 */
static bool
take_wake(struct building *building, const struct cpu *cpu, const struct kernel_event *event,
	struct error *err)
{
	struct state_change change = { .entry = event->kind == KERNEL_NEW ? ENTRY_CREATED : ENTRY_UNBLOCKED,
		.stack = event->stack, .waker = REF_NONE };
	actor_ref creator = REF_NONE;
	uint32_t task;
	bool is_by_task = is_task(cpu->task) && !event->is_in_interrupt && cpu->interrupts.count == 0;
	if (is_by_task) {
		change.waker = building->tasks[cpu->task].actor;
	} else {
		resource_ref ref;
		if (!builder_processor(building->builder, event->cpu, &ref, err))
			return false;
		change.waker = WAKER_PROCESSOR | ref;
	}
	if (event->kind == KERNEL_NEW && is_by_task)
		creator = change.waker;
	if (!kernel_task(building->kernel, event->other, &task, err) || !see_task(building, task, creator, err))
		return false;
	uint8_t state = building->tasks[task].state;
	if (state != STATE_RUNNING && state != STATE_READY)
		return enter_state(building, task, STATE_READY, change, err);
	return !is_before_loss(building, &building->tasks[task]) ||
	       ((state == STATE_READY ||
			builder_processor(building->builder, building->tasks[task].cpu, &change.processor, err)) &&
		       enter_state(building, task, (enum state)state, change, err));
}

static bool
take_fork(struct building *building, const struct cpu *cpu, const struct kernel_event *event,
	struct error *err)
{
	uint32_t child;
	actor_ref creator = is_task(cpu->task) ? building->tasks[cpu->task].actor : REF_NONE;
	return kernel_task(building->kernel, event->other, &child, err) &&
	       see_task(building, child, creator, err);
}

/* ---- the rest */

static bool
take_section(struct building *building, uint32_t task, const struct kernel_event *event, struct error *err)
{
	uint32_t id = map_find(&building->sections, event->text);
	struct task_note note = { .name = event->name,
		.actor = is_task(task) ? building->tasks[task].actor : REF_NONE };
	if (event->kind == KERNEL_FINISH) {
		note.id = id;
		if (id == MAP_NONE)
			return true;
		map_remove(&building->sections, event->text);
		return builder_task_end(building->builder, &note, err);
	}
	note.id = ++building->section_count;
	return map_put(&building->sections, event->text, (uint32_t)note.id, err) &&
	       builder_task_begin(building->builder, &note, 0, err);
}

static bool
add_instant(struct building *building, uint32_t task, const struct kernel_event *event, struct error *err)
{
	struct instant instant = { .type = INSTANT_LOG, .thread = REF_NONE, .task = REF_NONE,
		.actor = is_task(task) && !event->is_in_interrupt ? building->tasks[task].actor : REF_NONE,
		.stack = event->stack, .category = event->name, .text = event->text };
	return builder_processor(building->builder, event->cpu, &instant.processor, err) &&
	       builder_instant(building->builder, &instant, err);
}

static bool
take_loss(struct building *building, struct cpu *cpu, const struct kernel_event *event, struct error *err)
{
	struct kernel_event told = *event;
	struct text *text = &building->kernel->scratch;
	text_clear(text);
	if (event->key > 0)
		text_format(text, "%" PRIu64 " ", event->key);
	text_add_string(text, event->key == 1 ? "event" : "events");
	told.name = building->lost;
	cpu->lost_ns = event->time_ns;
	if (text->failed)
		return error_set_memory(err, "texts");
	return intern_add(&building->trace->strings, text->bytes, text->length, &told.text, err) &&
	       end_interrupts(building, cpu, 0, true, err) && add_instant(building, NONE, &told, err);
}

static bool
take_event(struct building *building, const struct kernel_event *event, struct error *err)
{
	struct cpu *cpu = &building->cpus[event->cpu];
	uint32_t task;
	resource_ref ref;
	building->now_ns = event->time_ns;
	/* A CPU begins with its first event. */
	if (!builder_event(building->builder, event->time_ns, err) ||
		(!event->has_no_cpu && !builder_processor(building->builder, event->cpu, &ref, err)))
		return false;
	if (event->kind == KERNEL_LOSS)
		return take_loss(building, cpu, event, err);
	if (event->kind == KERNEL_SWITCH)
		return take_switch(building, cpu, event, err);
	if (!task_of(building, event->pid, &task, err) ||
		(!event->has_no_cpu && !see_running(building, cpu, event->cpu, task,
			event->kind == KERNEL_COME ? ENTRY_STARTED : ENTRY_SEEN, err)))
		return false;
	bool is_of_task = is_task(task);
	switch ((enum kernel_kind)event->kind) {
	case KERNEL_COME:
	case KERNEL_LEAVE:
		return take_move(building, cpu, task, event, err);
	case KERNEL_WAKEUP:
		return building->kernel->has_waking || take_wake(building, cpu, event, err);
	case KERNEL_WAKING:
	case KERNEL_NEW:
		return take_wake(building, cpu, event, err);
	case KERNEL_FORK:
		return take_fork(building, cpu, event, err) && add_instant(building, task, event, err);
	case KERNEL_ENTER:
		return !is_of_task || begin_call(building, task, event, err);
	case KERNEL_RETURN:
		return !is_of_task || end_call(building, task, event, err);
	case KERNEL_BEGIN:
		return begin_interrupt(building, cpu, event, err);
	case KERNEL_END:
		return end_interrupts(building, cpu, event->key, false, err);
	case KERNEL_WORK:
		return !is_of_task || open_slice(building, task, WORK, event->name, event->key, err);
	case KERNEL_WORK_END:
		return !is_of_task || close_slice(building, &building->tasks[task].tracks[WORK], 0, err);
	case KERNEL_OPEN:
		return !is_of_task || open_slice(building, task, MARKS, event->name, 0, err);
	case KERNEL_CLOSE:
		return !is_of_task || close_slice(building, &building->tasks[task].tracks[MARKS], 0, err);
	case KERNEL_OWN:
		/* Where no CPU is known, that may be the first that is told of it. */
		if (is_of_task && !building->tasks[task].has_state &&
			!enter_state(building, task, STATE_UNKNOWN,
				(struct state_change){ .entry = ENTRY_CREATED }, err))
			return false;
		return building->own->take(building->own->context, building->builder, (uint32_t)event->key,
			is_of_task ? building->tasks[task].actor : REF_NONE, err);
	case KERNEL_GAUGE:
		return builder_gauge(building->builder, event->name, (int64_t)event->key, err);
	case KERNEL_START:
	case KERNEL_FINISH:
		return take_section(building, task, event, err);
	default:
		return add_instant(building, task, event, err);
	}
}

static bool
group_tasks(struct building *building, struct error *err)
{
	struct kernel *kernel = building->kernel;
	struct process_thread *threads = array_new(kernel->task_count, sizeof *threads, err);
	bool is_fine = threads != NULL;
	for (uint32_t i = 0; is_fine && i < kernel->task_count; i++) {
		threads[i].id = kernel->tasks[i].pid;
		threads[i].process = kernel->tasks[i].process;
		is_fine = kernel_called(kernel, i, &threads[i].name, err);
	}
	is_fine = is_fine && processes_group(building->builder, building->trace, threads, kernel->task_count,
				     &building->groups, err);
	memory_free(threads);
	return is_fine;
}

/* ---- the whole */

static int
compare_events(const void *left, const void *right)
{
	const struct kernel_event *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool
prepare(struct building *building, struct error *err)
{
	static const char *const reasons[KERNEL_STATE_COUNT] = {
		[KERNEL_ASLEEP] = KERNEL_SLEEP, [KERNEL_IN_DISK] = KERNEL_DISK, [KERNEL_IDLE] = KERNEL_NO_WORK,
		[KERNEL_STOPPED] = "stopped", [KERNEL_TRACED] = "traced", [KERNEL_PARKED] = "parked",
	};
	struct kernel *kernel = building->kernel;
	building->tasks = array_new(kernel->task_count, sizeof *building->tasks, err);
	building->cpus = array_new(kernel->cpu_count, sizeof *building->cpus, err);
	building->trace->slices = slices_new(err);
	building->builder = builder_new(building->trace, err);
	if (building->tasks == NULL || building->cpus == NULL || building->trace->slices == NULL ||
		building->builder == NULL || !name_text(building, "interrupts", &building->interrupts, err) ||
		!name_text(building, "lost", &building->lost, err))
		return false;
	for (size_t i = 0; i < kernel->task_count; i++)
		building->tasks[i].actor = REF_NONE;
	for (size_t i = 0; i < kernel->cpu_count; i++)
		building->cpus[i] = (struct cpu){ .task = NONE, .lost_ns = INT64_MIN };
	for (int i = 0; i < KERNEL_STATE_COUNT; i++)
		if (reasons[i] != NULL && !name_text(building, reasons[i], &building->reasons[i], err))
			return false;
	for (int i = 0; i < TRACKS; i++)
		if (!name_text(building, track_names[i], &building->track_names[i], err))
			return false;
	return true;
}

/* When the last CPU begins, of those whose oldest events are gone. */
static bool
find_known(struct building *building, struct error *err)
{
	struct kernel *kernel = building->kernel;
	building->known_ns = INT64_MIN;
	if (!kernel->is_overwritten)
		return true;
	bool *has_begun = array_new(kernel->cpu_count, sizeof *has_begun, err);
	if (has_begun == NULL)
		return false;
	for (size_t i = 0; i < kernel->count; i++) {
		const struct kernel_event *event = &kernel->events[i];
		if (!has_begun[event->cpu])
			building->known_ns = event->time_ns;
		has_begun[event->cpu] = true;
	}
	memory_free(has_begun);
	return true;
}

static bool
build(struct building *building, const struct progress *progress, struct error *err)
{
	struct kernel *kernel = building->kernel;
	struct sort sort = { kernel->events, kernel->count, sizeof *kernel->events, compare_events };
	if (!sort_items(&sort, progress_cancel_flag(progress), err))
		return false;
	builder_watch(building->builder, progress);
	building->origin_ns = kernel->count > 0 ? kernel->events[0].time_ns : 0;
	if (!find_known(building, err))
		return false;
	for (size_t i = 0; i < kernel->count; i++) {
		if (i % EVENTS_PER_LOOK == 0 && progress != NULL &&
			atomic_load_explicit(progress_cancel_flag(progress), memory_order_relaxed))
			return error_set(err, ERROR_CANCELLED, "cancelled");
		if (!take_event(building, &kernel->events[i], err))
			return false;
	}
	return group_tasks(building, err) && builder_finish(building->builder, err) &&
	       slices_freeze(building->trace->slices, building->trace->end_ns, err);
}

bool
kernel_finish(struct kernel *kernel, const struct kernel_own *own, const struct progress *progress,
	struct error *err)
{
	struct building building = { .kernel = kernel, .own = own, .trace = kernel->trace };
	bool is_fine = prepare(&building, err) && build(&building, progress, err);
	builder_free(building.builder);
	memory_free(building.tasks);
	memory_free(building.cpus);
	memory_free(building.groups);
	map_release(&building.sections);
	return is_fine;
}
