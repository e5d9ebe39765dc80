/* Gathers events of the kernel, and what tasks are called. */
#include "source/common/kernel_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* To which function_graph and latency format cut names. */
enum { GRAPH_CUT_BYTES = 7, LATENCY_CUT_BYTES = 8 };

const struct reason_class kernel_reasons[] = {
	{ KERNEL_SLEEP, CLASS_SLEEP },
	{ KERNEL_DISK, CLASS_RUNTIME },
	{ KERNEL_NO_WORK, CLASS_IDLE },
	{ NULL, CLASS_OTHER },
};

struct kernel *
kernel_new(struct trace *trace, struct error *err)
{
	struct kernel *kernel = array_new(1, sizeof *kernel, err);
	if (kernel == NULL)
		return NULL;
	kernel->trace = trace;
	kernel->last_ns = INT64_MIN;
	return kernel;
}

void
kernel_free(struct kernel *kernel)
{
	if (kernel == NULL)
		return;
	memory_free(kernel->events);
	memory_free(kernel->tasks);
	memory_free(kernel->last_on);
	map_release(&kernel->task_of);
	text_release(&kernel->scratch);
	memory_free(kernel);
}

struct kernel *
kernel_copy(const struct kernel *kernel, struct trace *trace, struct error *err)
{
	struct kernel *copy = kernel_new(trace, err);
	if (copy == NULL)
		return NULL;
	copy->events = array_copy(kernel->events, kernel->count, sizeof *kernel->events, err);
	copy->tasks = array_copy(kernel->tasks, kernel->task_count, sizeof *kernel->tasks, err);
	copy->last_on = array_copy(kernel->last_on, kernel->cpu_count, sizeof *kernel->last_on, err);
	if (copy->events == NULL || copy->tasks == NULL || copy->last_on == NULL ||
		!map_copy(&copy->task_of, &kernel->task_of, err)) {
		kernel_free(copy);
		return NULL;
	}
	copy->count = copy->capacity = kernel->count;
	copy->task_count = copy->task_capacity = kernel->task_count;
	copy->cpu_count = copy->cpu_capacity = kernel->cpu_count;
	copy->counts = kernel->counts;
	copy->last_ns = kernel->last_ns;
	copy->has_waking = kernel->has_waking;
	copy->is_overwritten = kernel->is_overwritten;
	return copy;
}

bool
kernel_task(struct kernel *kernel, int64_t pid, uint32_t *task, struct error *err)
{
	*task = map_find(&kernel->task_of, (uint64_t)pid);
	if (*task != MAP_NONE)
		return true;
	if (!array_reserve(&kernel->tasks, &kernel->task_capacity, kernel->task_count + 1,
		    sizeof *kernel->tasks, err) ||
		!map_put(&kernel->task_of, (uint64_t)pid, (uint32_t)kernel->task_count, err))
		return false;
	kernel->tasks[kernel->task_count] = (struct kernel_task){ .pid = pid };
	*task = (uint32_t)kernel->task_count++;
	return true;
}

/* Where a name is told again it is not looked up again. */
static bool
set_name(struct kernel *kernel, string_id *id, struct scan name, struct error *err)
{
	size_t length;
	const char *known = intern_text(&kernel->trace->strings, *id, &length);
	return text_compare(known, length, name.at, scan_left(&name)) == 0 ||
	       intern_add(&kernel->trace->strings, name.at, scan_left(&name), id, err);
}

static bool
is_name(struct scan name)
{
	return !scan_is_end(&name) && !scan_is(&name, "<...>");
}

bool
kernel_name(struct kernel *kernel, int64_t pid, struct scan name, struct error *err)
{
	uint32_t task;
	if (pid <= 0)
		return true;
	if (!kernel_task(kernel, pid, &task, err))
		return false;
	return !is_name(name) || set_name(kernel, &kernel->tasks[task].head_name, name, err);
}

bool
kernel_process(struct kernel *kernel, int64_t pid, int64_t process, struct error *err)
{
	uint32_t task;
	if (pid <= 0 || process <= 0)
		return true;
	if (!kernel_task(kernel, pid, &task, err))
		return false;
	kernel->tasks[task].process = process;
	return true;
}

bool
kernel_name_field(struct kernel *kernel, int64_t pid, struct scan name, struct error *err)
{
	uint32_t task;
	if (pid <= 0)
		return true;
	if (!kernel_task(kernel, pid, &task, err))
		return false;
	return !is_name(name) || set_name(kernel, &kernel->tasks[task].field_name, name, err);
}

static bool
add(struct kernel *kernel, struct kernel_event *event, struct error *err)
{
	if (kernel->count >= UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "more than 2^32 events");
	size_t cpus = (size_t)event->cpu + 1, before = kernel->cpu_count;
	if (!array_reserve(&kernel->events, &kernel->capacity, kernel->count + 1, sizeof *kernel->events,
		    err) ||
		!array_reserve(&kernel->last_on, &kernel->cpu_capacity, cpus, sizeof *kernel->last_on, err))
		return false;
	for (; before < cpus; before++)
		kernel->last_on[before] = 0;
	kernel->cpu_count = before;
	/* A loss is told of later than it began. */
	if (event->kind != KERNEL_LOSS) {
		kernel->counts.backwards += event->time_ns < kernel->last_ns;
		kernel->last_ns = event->time_ns;
	}
	event->order = (uint32_t)kernel->count;
	kernel->events[kernel->count++] = *event;
	if (!event->has_no_cpu)
		kernel->last_on[event->cpu] = (uint32_t)kernel->count;
	return true;
}

static struct kernel_event
event_of(const struct kernel_head *head, enum kernel_kind kind)
{
	return (struct kernel_event){ .time_ns = head->time_ns,
		.pid = head->pid > INT32_MAX ? KERNEL_NOBODY : (int32_t)head->pid,
		.cpu = head->cpu == KERNEL_NO_CPU ? 0 : (uint16_t)head->cpu,
		.has_no_cpu = head->cpu == KERNEL_NO_CPU,
		.kind = kind & 31,
		.is_in_interrupt = head->is_in_interrupt };
}

bool
kernel_add_own(struct kernel *kernel, const struct kernel_head *head, uint32_t number, struct error *err)
{
	struct kernel_event event = event_of(head, KERNEL_OWN);
	event.key = number;
	return add(kernel, &event, err);
}

/* One that was read; with its name and fields where they are all that there is to tell. */
static bool
add_read(struct kernel *kernel, struct kernel_event *event, struct scan name, struct scan fields,
	struct error *err)
{
	struct intern *strings = &kernel->trace->strings;
	bool is_instant = event->kind == KERNEL_OTHER || event->kind == KERNEL_FORK;
	return (!is_instant || (intern_add(strings, name.at, scan_left(&name), &event->name, err) &&
				       intern_add(strings, fields.at, scan_left(&fields), &event->text, err))) &&
	       add(kernel, event, err);
}

bool
kernel_add_move(struct kernel *kernel, const struct kernel_head *head, enum kernel_move move, struct error *err)
{
	static const enum kernel_state states[] = {
		[KERNEL_IS_PREEMPTED] = KERNEL_RUNNABLE, [KERNEL_SLEEPS] = KERNEL_ASLEEP, [KERNEL_DIES] = KERNEL_DEAD,
		[KERNEL_IS_UNTOLD] = KERNEL_UNTOLD,
	};
	struct kernel_event event = event_of(head, move == KERNEL_COMES ? KERNEL_COME : KERNEL_LEAVE);
	event.state = states[move] & 15;
	kernel->counts.switches += move != KERNEL_COMES && move != KERNEL_IS_UNTOLD;
	return add(kernel, &event, err);
}

bool
kernel_add_known(struct kernel *kernel, const struct kernel_head *head, struct scan name, struct scan fields,
	bool *is_known, struct error *err)
{
	struct kernel_event event = event_of(head, KERNEL_OTHER);
	if (!kernel_read_fields(kernel, name, fields, &event, err))
		return false;
	*is_known = event.kind != KERNEL_OTHER;
	return !*is_known || add_read(kernel, &event, name, fields, err);
}

bool
kernel_add(struct kernel *kernel, const struct kernel_head *head, struct scan name, struct scan fields,
	struct error *err)
{
	struct kernel_event event = event_of(head, KERNEL_OTHER);
	return kernel_read_fields(kernel, name, fields, &event, err) &&
	       add_read(kernel, &event, name, fields, err);
}

void
kernel_set_stack(struct kernel *kernel, uint32_t cpu, stack_id stack)
{
	if (cpu < kernel->cpu_count && kernel->last_on[cpu] != 0)
		kernel->events[kernel->last_on[cpu] - 1].stack = stack;
}

bool
kernel_lose(struct kernel *kernel, uint32_t cpu, uint64_t count, int64_t time_ns, struct error *err)
{
	bool has_last = cpu < kernel->cpu_count && kernel->last_on[cpu] != 0;
	struct kernel_event event = { .time_ns = has_last ? kernel->events[kernel->last_on[cpu] - 1].time_ns : time_ns,
		.pid = KERNEL_NOBODY,
		.cpu = (uint16_t)cpu,
		.kind = KERNEL_LOSS,
		.key = count };
	kernel->counts.lost_events += count;
	return add(kernel, &event, err);
}

void
kernel_tell_overwritten(struct kernel *kernel)
{
	kernel->is_overwritten = true;
}

const struct kernel_counts *
kernel_counts(const struct kernel *kernel)
{
	return &kernel->counts;
}

int64_t
kernel_last_ns(const struct kernel *kernel)
{
	return kernel->last_ns != INT64_MIN ? kernel->last_ns : 0;
}

bool
kernel_called(struct kernel *kernel, uint32_t task, string_id *name, struct error *err)
{
	const struct kernel_task *it = &kernel->tasks[task];
	size_t head_length, field_length;
	const char *head = intern_text(&kernel->trace->strings, it->head_name, &head_length);
	const char *field = intern_text(&kernel->trace->strings, it->field_name, &field_length);
	bool is_cut = (head_length == GRAPH_CUT_BYTES || head_length == LATENCY_CUT_BYTES) &&
		      field_length > head_length && memcmp(head, field, head_length) == 0;
	*name = head_length == 0 || is_cut ? it->field_name : it->head_name;
	if (*name != STRING_EMPTY)
		return true;
	text_clear(&kernel->scratch);
	text_format(&kernel->scratch, "pid %" PRId64, it->pid);
	if (kernel->scratch.failed)
		return error_set_memory(err, "names");
	return intern_add(&kernel->trace->strings, kernel->scratch.bytes, kernel->scratch.length, name, err);
}
