/*
 * From v1 to v2: a function for each sort of v1 event checks it and delivers
 * what it becomes. Those of ranges and annotations are in files of their own.
 */
#include "source/go/v1_convert_internal.h"

#include <inttypes.h>
#include <string.h>

#include "source/go/tables.h"

/* ---- what is wrong */

static bool
refuse(struct v1_step *step, struct error *err, const char *what)
{
	step->is_about_trace = true;
	return error_set_at(err, ERROR_ORDER, step->record.offset_bytes, "event %s of goroutine %"
	                    PRId64 " on proc %" PRId64 ": %s", v1_kinds[step->record.id].name,
	                    step->g, step->p, what);
}

bool
v1_require(struct v1_step *step, bool holds, const char *what, struct error *err)
{
	return LIKELY(holds) || refuse(step, err, what);
}

/* The "running check" of section 6. */
static bool
require_running(struct v1_step *step, struct error *err)
{
	return v1_require(step, step->event->g != V1_G_NONE, "no goroutine runs", err) &&
	       v1_require(step,
	                  step->goroutine->status == V1_RUNNING && step->proc->g == step->event->g,
	                  "the goroutine is not running", err);
}

static bool
require_status(struct v1_step *step, const struct v1_goroutine *goroutine, enum v1_status status,
               struct error *err)
{
	static const char *const problems[] = {
		"the goroutine exists already",
		"the goroutine is not runnable",
		"the goroutine is not running",
		"the goroutine is not waiting",
	};
	return v1_require(step, goroutine->status == status, problems[status], err);
}

/* ---- delivery */

struct go_event
v1_event_of(const struct v1_step *step, enum go_event_kind kind, enum wire_id wire_id)
{
	return (struct go_event){
		.kind = kind,
		.wire_id = (uint8_t)wire_id,
		.m = step->m,
		.p = step->p,
		.g = step->g,
		.stack = step->stack,
	};
}

bool
v1_deliver(struct v1_converter *converter, const struct v1_step *step, struct go_event *event,
           struct error *err)
{
	converter->delivery->result->event_counts[event->wire_id]++;
	return delivery_event(converter->delivery, event, step->time_ns, err);
}

static bool
deliver_goroutine(struct v1_converter *converter, const struct v1_step *step, enum wire_id wire_id,
                  enum go_state from, enum go_state to, struct error *err)
{
	struct go_event event = v1_event_of(step, GO_EVENT_GOROUTINE, wire_id);
	event.u.goroutine.id = step->g;
	event.u.goroutine.from = from;
	event.u.goroutine.to = to;
	event.u.goroutine.reason = converter->reasons[step->record.id];
	event.u.goroutine.stack = step->stack;
	return v1_deliver(converter, step, &event, err);
}

/* ---- procs */

static bool
deliver_proc(struct v1_converter *converter, const struct v1_step *step, enum proc_state from,
             enum proc_state to, struct error *err)
{
	bool is_first = !step->proc->is_mentioned;
	enum wire_id id = to == PROC_IDLE ? WIRE_PROC_STOP : WIRE_PROC_START;
	struct go_event event =
		v1_event_of(step, GO_EVENT_PROC, is_first ? WIRE_PROC_STATUS : id);
	step->proc->is_mentioned = true;
	event.u.proc.id = step->p;
	event.u.proc.from = is_first ? PROC_UNDETERMINED : from;
	event.u.proc.to = to;
	return v1_deliver(converter, step, &event, err);
}

static bool
proc_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, !step->proc->is_running, "the proc is running already", err))
		return false;
	step->proc->is_running = true;
	step->m = step->proc->m = (int64_t)step->record.args[1];
	return deliver_proc(converter, step, PROC_IDLE, PROC_RUNNING, err);
}

static bool
proc_stop(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, step->proc->is_running, "the proc is not running", err) ||
	    !v1_require(step, step->proc->g == V1_G_NONE, "a goroutine runs on the proc", err))
		return false;
	step->proc->is_running = false;
	step->proc->m = GO_ID_NONE;
	return deliver_proc(converter, step, PROC_RUNNING, PROC_IDLE, err);
}

/* ---- metrics */

static bool
deliver_metric(struct v1_converter *converter, const struct v1_step *step, enum wire_id wire_id,
               enum go_metric metric, struct error *err)
{
	struct go_event event = v1_event_of(step, GO_EVENT_METRIC, wire_id);
	event.u.metric.metric = metric;
	event.u.metric.value = step->record.args[1];
	return v1_deliver(converter, step, &event, err);
}

static bool
heap_alloc(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return deliver_metric(converter, step, WIRE_HEAP_ALLOC, GO_METRIC_HEAP_ALLOC, err);
}

static bool
heap_goal(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return deliver_metric(converter, step, WIRE_HEAP_GOAL, GO_METRIC_HEAP_GOAL, err);
}

/* Goroutines that are older than the trace and of which nothing else was said were ready. */
static bool
end_first_phase(struct v1_converter *converter, const struct v1_step *step, struct error *err)
{
	struct v1_state *state = &converter->state;
	struct v1_step status = *step;
	status.m = status.p = status.g = GO_ID_NONE;
	status.stack = STACK_NONE;
	state->is_started = true;
	for (size_t i = 0; i < state->early_count; i++) {
		uint32_t index = state->early[i];
		if (!state->goroutines[index].is_unmentioned)
			continue;
		struct go_event event = v1_event_of(&status, GO_EVENT_GOROUTINE, WIRE_GO_STATUS);
		event.u.goroutine.id = (int64_t)converter->order->goroutine_ids[index];
		event.u.goroutine.from = GO_UNDETERMINED;
		event.u.goroutine.to = GO_RUNNABLE;
		event.u.goroutine.reason = STRING_EMPTY;
		event.u.goroutine.stack = STACK_NONE;
		if (!v1_deliver(converter, &status, &event, err))
			return false;
	}
	return true;
}

static bool
gomaxprocs(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!converter->state.is_started)
		return end_first_phase(converter, step, err);
	return deliver_metric(converter, step, WIRE_PROCS_CHANGE, GO_METRIC_GOMAXPROCS, err);
}

/* ---- goroutines */

/* The goroutine that the first operand names. */
static uint32_t
subject_of(const struct v1_converter *converter, const struct v1_step *step)
{
	return id_map_find(&converter->order->index_of, step->record.args[1]);
}

static bool
go_create(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	uint32_t index = subject_of(converter, step);
	struct v1_goroutine *created = &converter->state.goroutines[index];
	if ((step->event->g != V1_G_NONE && !require_running(step, err)) ||
	    !v1_require(step, !created->is_known, "the new goroutine exists already", err))
		return false;
	created->is_known = true;
	created->status = V1_RUNNABLE;
	if (!converter->state.is_started)
		return v1_state_add_early(&converter->state, index, err);
	struct go_event event = v1_event_of(step, GO_EVENT_GOROUTINE, WIRE_GO_CREATE);
	event.u.goroutine.id = (int64_t)step->record.args[1];
	event.u.goroutine.from = GO_NOT_EXIST;
	event.u.goroutine.to = GO_RUNNABLE;
	event.u.goroutine.reason = STRING_EMPTY;
	event.u.goroutine.stack =
		v1_file_stack(converter->order->file, (uint32_t)step->record.args[2]);
	return v1_deliver(converter, step, &event, err);
}

static bool
start(struct v1_step *step, struct error *err)
{
	if (!require_status(step, step->goroutine, V1_RUNNABLE, err) ||
	    !v1_require(step, step->proc->g == V1_G_NONE, "another goroutine runs on the proc",
	                err))
		return false;
	step->goroutine->status = V1_RUNNING;
	step->goroutine->is_unmentioned = false;
	step->proc->g = step->event->g;
	return true;
}

static bool
go_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!start(step, err))
		return false;
	if (!converter->state.is_started)
		return deliver_goroutine(converter, step, WIRE_GO_STATUS, GO_UNDETERMINED,
		                         GO_RUNNING, err);
	return deliver_goroutine(converter, step, WIRE_GO_START, GO_RUNNABLE, GO_RUNNING, err);
}

static bool
go_start_label(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	struct go_event label = v1_event_of(step, GO_EVENT_LABEL, WIRE_GO_LABEL);
	label.u.label.label = v1_file_string(converter->order->file, step->record.args[3]);
	return start(step, err) &&
	       deliver_goroutine(converter, step, WIRE_GO_START, GO_RUNNABLE, GO_RUNNING, err) &&
	       v1_deliver(converter, step, &label, err);
}

/* The goroutine that runs leaves its proc. */
static bool
leave(struct v1_step *step, enum v1_status status, struct error *err)
{
	if (!require_running(step, err))
		return false;
	step->goroutine->status = (uint8_t)status;
	step->goroutine->waits_for_network = step->record.id == V1_GO_BLOCK_NET;
	step->proc->g = V1_G_NONE;
	return true;
}

static bool
go_end(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!leave(step, V1_DEAD, err))
		return false;
	v1_state_drop_regions(&converter->state, step->goroutine);
	return deliver_goroutine(converter, step, WIRE_GO_DESTROY, GO_RUNNING, GO_NOT_EXIST, err);
}

/* Blocked for good. */
static bool
go_stop(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return leave(step, V1_DEAD, err) &&
	       deliver_goroutine(converter, step, WIRE_GO_BLOCK, GO_RUNNING, GO_WAITING, err);
}

static bool
go_yield(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return leave(step, V1_RUNNABLE, err) &&
	       deliver_goroutine(converter, step, WIRE_GO_STOP, GO_RUNNING, GO_RUNNABLE, err);
}

static bool
go_block(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return leave(step, V1_WAITING, err) &&
	       deliver_goroutine(converter, step, WIRE_GO_BLOCK, GO_RUNNING, GO_WAITING, err);
}

/* The lane of a wake: by a timer, or for the network. */
void
v1_set_lane(struct v1_step *step, enum go_pseudo_proc lane)
{
	step->p = lane;
	step->m = GO_ID_NONE;
}

static bool
go_unblock(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	const struct v1_order *order = converter->order;
	struct v1_goroutine *woken = &converter->state.goroutines[subject_of(converter, step)];
	uint64_t waker = order->goroutine_ids[step->event->g];
	bool is_timer = id_map_find(&order->file->timers, waker) != MAP_NONE;
	if (!require_status(step, step->goroutine, V1_RUNNING, err) ||
	    !v1_require(step, is_timer || step->proc->g == step->event->g,
	                "another goroutine runs on the proc", err) ||
	    !v1_require(step, woken->status == V1_WAITING,
	                "the goroutine that is to be woken is not waiting", err))
		return false;
	woken->status = V1_RUNNABLE;
	if (is_timer)
		v1_set_lane(step, GO_PROC_TIMERS);
	if (woken->waits_for_network)
		v1_set_lane(step, GO_PROC_NETWORK);
	struct go_event event = v1_event_of(step, GO_EVENT_GOROUTINE, WIRE_GO_UNBLOCK);
	event.u.goroutine.id = (int64_t)step->record.args[1];
	event.u.goroutine.from = GO_WAITING;
	event.u.goroutine.to = GO_RUNNABLE;
	event.u.goroutine.reason = STRING_EMPTY;
	event.u.goroutine.stack = STACK_NONE;
	return v1_deliver(converter, step, &event, err);
}

static bool
deliver_old(struct v1_converter *converter, struct v1_step *step, enum go_state state,
            struct error *err)
{
	if (!require_status(step, step->goroutine, V1_RUNNABLE, err))
		return false;
	step->goroutine->status = V1_WAITING;
	step->goroutine->is_unmentioned = false;
	return deliver_goroutine(converter, step, WIRE_GO_STATUS, GO_UNDETERMINED, state, err);
}

static bool
go_waiting(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return deliver_old(converter, step, GO_WAITING, err);
}

static bool
go_in_syscall(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	return deliver_old(converter, step, GO_SYSCALL, err);
}

/* ---- syscalls */

static bool
go_syscall(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!require_running(step, err) ||
	    !deliver_goroutine(converter, step, WIRE_GO_SYSCALL_BEGIN, GO_RUNNING, GO_SYSCALL,
	                       err))
		return false;
	if (step->event->is_blocking)
		return true;
	step->stack = STACK_NONE;
	return deliver_goroutine(converter, step, WIRE_GO_SYSCALL_END, GO_SYSCALL, GO_RUNNING,
	                         err);
}

static bool
go_sysblock(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	(void)converter;
	return leave(step, V1_WAITING, err);
}

static bool
go_sysexit(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!require_status(step, step->goroutine, V1_WAITING, err))
		return false;
	step->goroutine->status = V1_RUNNABLE;
	v1_set_lane(step, GO_PROC_SYSCALLS);
	return deliver_goroutine(converter, step, WIRE_GO_SYSCALL_END_BLOCKED, GO_SYSCALL,
	                         GO_RUNNABLE, err);
}

/* ---- samples */

static bool
cpu_sample(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	step->m = GO_ID_NONE;
	step->p = (int64_t)step->record.args[2];
	struct go_event event = v1_event_of(step, GO_EVENT_SAMPLE, WIRE_CPU_SAMPLE);
	return v1_deliver(converter, step, &event, err);
}

/* No reader of the supported versions has a translation for it, and no writer writes it. */
static bool
futile_wakeup(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	(void)converter;
	return refuse(step, err, "unexpected event type");
}

/* ---- the whole */

static const struct {
	v1_rule *rule;
	const char *reason; /* why a goroutine stops or blocks, in v2's words; NULL: none */
} translations[V1_ID_COUNT] = {
	[V1_GOMAXPROCS] = { gomaxprocs, NULL },
	[V1_PROC_START] = { proc_start, NULL },
	[V1_PROC_STOP] = { proc_stop, NULL },
	[V1_GC_START] = { v1_gc_start, NULL },
	[V1_GC_DONE] = { v1_gc_done, NULL },
	[V1_STW_START] = { v1_stw_start, NULL },
	[V1_STW_DONE] = { v1_stw_done, NULL },
	[V1_SWEEP_START] = { v1_sweep_start, NULL },
	[V1_SWEEP_DONE] = { v1_sweep_done, NULL },
	[V1_GO_CREATE] = { go_create, NULL },
	[V1_GO_START] = { go_start, NULL },
	[V1_GO_START_LOCAL] = { go_start, NULL },
	[V1_GO_START_LABEL] = { go_start_label, NULL },
	[V1_GO_END] = { go_end, NULL },
	[V1_GO_STOP] = { go_stop, "forever" },
	[V1_GO_SCHED] = { go_yield, "runtime.Gosched" },
	[V1_GO_PREEMPT] = { go_yield, "preempted" },
	[V1_GO_SLEEP] = { go_block, "sleep" },
	[V1_GO_BLOCK] = { go_block, NULL },
	[V1_GO_BLOCK_SEND] = { go_block, "chan send" },
	[V1_GO_BLOCK_RECV] = { go_block, "chan receive" },
	[V1_GO_BLOCK_SELECT] = { go_block, "select" },
	[V1_GO_BLOCK_SYNC] = { go_block, "sync" },
	[V1_GO_BLOCK_COND] = { go_block, "sync.(*Cond).Wait" },
	[V1_GO_BLOCK_NET] = { go_block, "network" },
	[V1_GO_BLOCK_GC] = { go_block, "GC mark assist wait for work" },
	[V1_GO_UNBLOCK] = { go_unblock, NULL },
	[V1_GO_UNBLOCK_LOCAL] = { go_unblock, NULL },
	[V1_GO_WAITING] = { go_waiting, NULL },
	[V1_GO_IN_SYSCALL] = { go_in_syscall, NULL },
	[V1_GO_SYSCALL] = { go_syscall, NULL },
	[V1_GO_SYSBLOCK] = { go_sysblock, NULL },
	[V1_GO_SYSEXIT] = { go_sysexit, NULL },
	[V1_GO_SYSEXIT_LOCAL] = { go_sysexit, NULL },
	[V1_HEAP_ALLOC] = { heap_alloc, NULL },
	[V1_HEAP_GOAL] = { heap_goal, NULL },
	[V1_FUTILE_WAKEUP] = { futile_wakeup, NULL },
	[V1_ASSIST_START] = { v1_assist_start, NULL },
	[V1_ASSIST_DONE] = { v1_assist_done, NULL },
	[V1_TASK_CREATE] = { v1_task_create, NULL },
	[V1_TASK_END] = { v1_task_end, NULL },
	[V1_REGION] = { v1_region, NULL },
	[V1_LOG] = { v1_user_log, NULL },
	[V1_CPU_SAMPLE] = { cpu_sample, NULL },
};

static bool
intern_reasons(struct v1_converter *converter, struct error *err)
{
	for (size_t i = 0; i < V1_ID_COUNT; i++) {
		const char *reason = translations[i].reason;
		if (reason != NULL && !intern_add(converter->order->file->strings, reason,
		                                  strlen(reason), &converter->reasons[i], err))
			return false;
	}
	return true;
}

/* Ticks as nanoseconds since the first event (section 5). */
static int64_t
ns_of(const struct v1_order *order, double ns_per_tick, int64_t ticks)
{
	uint64_t passed = (uint64_t)ticks - (uint64_t)order->first_ticks;
	double ns = (double)passed * ns_per_tick;
	return ns < (double)GO_TIME_MAX_NS ? (int64_t)ns : GO_TIME_MAX_NS;
}

static void
step_init(const struct v1_converter *converter, const struct v1_event *event, struct v1_step *step)
{
	const struct v1_order *order = converter->order;
	const struct v1_file *file = order->file;
	v1_file_record(file, event->at, &step->record);
	step->event = event;
	step->goroutine = &converter->state.goroutines[event->g];
	step->proc = &converter->state.procs[event->list];
	step->time_ns = ns_of(order, converter->ns_per_tick, event->ticks);
	step->m = step->proc->m;
	step->p = event->list < file->list_count ? file->lists[event->list].p : GO_ID_NONE;
	step->g = event->g == V1_G_NONE ? GO_ID_NONE : (int64_t)order->goroutine_ids[event->g];
	step->stack = v1_file_stack(file, v1_stack_operand(&step->record));
	step->is_about_trace = false;
}

/* total: how many events there are in all. */
static bool
publish(struct v1_converter *converter, size_t total, struct error *err)
{
	enum { PROGRESS_EVENTS = 1 << 12 };
	const struct v1_order *order = converter->order;
	if (order->count % PROGRESS_EVENTS != 0)
		return true;
	double share = (3 - (double)order->count / ((double)total + 1)) / 3;
	converter->delivery->done_bytes = (uint64_t)((double)order->file->byte_count * share);
	return delivery_progress(converter->delivery, err);
}

/* The event at hand is of no use, and so are those behind it. */
static void
drop_rest(struct v1_order *order, struct v1_event event)
{
	do
		v1_order_lose(order, &event);
	while (v1_order_take(order, &event));
}

static bool
convert_events(struct v1_converter *converter, struct error *disorder, struct error *err)
{
	struct v1_order *order = converter->order;
	struct error trouble = { .kind = ERROR_NONE };
	size_t total = order->count;
	struct v1_event event;
	struct v1_step step;
	while (v1_order_take(order, &event)) {
		step_init(converter, &event, &step);
		if (!publish(converter, total, err))
			return false;
		if (LIKELY(translations[step.record.id].rule(converter, &step, &trouble))) {
			converter->delivery->result->wire_events++;
			continue;
		}
		if (!step.is_about_trace) {
			*err = trouble;
			return false;
		}
		if (disorder->kind == ERROR_NONE)
			*disorder = trouble;
		drop_rest(order, event);
	}
	return true;
}

static bool
deliver_first_sync(struct delivery *delivery, struct error *err)
{
	struct go_event sync = { 0 };
	/* Times start at 0 and the Sync stands before them. */
	delivery->last_time_ns = -2;
	return delivery->syncs_at_ends || delivery_sync(delivery, &sync, -1, err);
}

int64_t
v1_convert_ns(const struct v1_order *order, int64_t ticks)
{
	double ns_per_tick = 1e9 / (double)order->file->frequency;
	return ticks > order->first_ticks ? ns_of(order, ns_per_tick, ticks) : 0;
}

bool
v1_convert(struct v1_order *order, struct delivery *delivery, struct error *disorder,
           struct error *err)
{
	struct v1_converter converter = {
		.order = order,
		.delivery = delivery,
		.ns_per_tick = 1e9 / (double)order->file->frequency,
	};
	bool ok = v1_state_init(&converter.state, order, err) &&
	          intern_reasons(&converter, err) && deliver_first_sync(delivery, err) &&
	          convert_events(&converter, disorder, err);
	v1_state_release(&converter.state);
	return ok;
}
