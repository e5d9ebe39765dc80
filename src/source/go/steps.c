/* From Go's events to the builder's words: doc/format/go-trace-semantics.md, section 7. */
#include "source/go/steps_internal.h"

#include <string.h>

#include "base/memory.h"
#include "trace/state.h"

/*
 * The most places that one event takes: a thread, two goroutines and a proc or two that
 * become known, a name, and the event itself or what it changes.
 */
enum { PLACES_PER_EVENT = 8 + STEP_EVENT_PLACES };

static bool
exchange(struct step_writer *writer, bool ends_generation, struct error *err)
{
	size_t count = (size_t)(writer->next - writer->steps);

	writer->steps = writer->exchange(writer->context, count, ends_generation, err);
	writer->next = writer->steps;
	writer->full = writer->steps == NULL ? NULL : writer->steps + STEP_BLOCK - PLACES_PER_EVENT;
	return writer->steps != NULL;
}

static bool
make_room(struct step_writer *writer, struct error *err)
{
	return step_writer_has_room(writer) || exchange(writer, false, err);
}

/* ---- refs */

/* The next ref stands for this id from now on; the step that says so is left to be filled. */
static struct step *
add_ref(struct step_writer *writer, struct step_refs *refs, enum step_kind kind, int64_t id,
        struct go_mark *mark, struct error *err)
{
	struct step *step;

	if (!id_map_put(&refs->of, (uint64_t)id, refs->count, err))
		return NULL;
	step = step_append(writer, kind);
	step->known.id = id;
	step->ref = refs->count++;
	if (mark != NULL)
		mark->number = refs->count;
	return step;
}

/* Also says of it that it has no name. */
static struct step *
add_goroutine(struct step_writer *writer, enum step_kind kind, int64_t id, struct go_mark *mark,
              struct error *err)
{
	uint32_t ref = writer->goroutines.count;

	if (!array_reserve(&writer->is_named, &writer->named_capacity, (size_t)ref + 1,
	                   sizeof(*writer->is_named), err))
		return NULL;
	writer->is_named[ref] = false;
	return add_ref(writer, &writer->goroutines, kind, id, mark, err);
}

/* The ref that the mark tells; REF_NONE where there is none. */
static inline uint32_t
marked(const struct go_mark *mark)
{
	return mark != NULL ? mark->number - 1 : REF_NONE;
}

/*
 * The ref of an id; where it has none yet it is false, and *ref the one that it gets when it is
 * added next. Only broken bytes number anything below 0; to the model it is nobody.
 */
static bool
find_ref(const struct step_refs *refs, int64_t id, struct go_mark *mark, uint32_t *ref)
{
	*ref = marked(mark);
	if (*ref != REF_NONE || id < 0)
		return true;
	*ref = id_map_find(&refs->of, (uint64_t)id);
	if (*ref == REF_NONE) {
		*ref = refs->count;
		return false;
	}
	if (mark != NULL)
		mark->number = *ref + 1;
	return true;
}

static bool
goroutine_of(struct step_writer *writer, int64_t id, struct go_mark *mark, actor_ref *ref,
             struct error *err)
{
	return find_ref(&writer->goroutines, id, mark, ref) ||
	       add_goroutine(writer, STEP_GOROUTINE, id, mark, err) != NULL;
}

/* None also for the lanes that stand in for a proc in a v1 trace. */
static bool
proc_of(struct step_writer *writer, int64_t id, struct go_mark *mark, resource_ref *ref,
        struct error *err)
{
	int64_t proc = go_event_proc(id);

	return find_ref(&writer->procs, proc, mark, ref) ||
	       add_ref(writer, &writer->procs, STEP_PROC, proc, mark, err) != NULL;
}

static bool
thread_of(struct step_writer *writer, int64_t id, struct go_mark *mark, resource_ref *ref,
          struct error *err)
{
	return find_ref(&writer->threads, id, mark, ref) ||
	       add_ref(writer, &writer->threads, STEP_THREAD, id, mark, err) != NULL;
}

/* Who acted: the goroutine of the context, else its proc, see segment.h. */
static bool
waker_of(struct step_writer *writer, const struct go_event *event, uint32_t *waker,
         struct error *err)
{
	if (event->g >= 0)
		return goroutine_of(writer, event->g, event->g_mark, waker, err);
	if (!proc_of(writer, event->p, event->p_mark, waker, err))
		return false;
	if (*waker != REF_NONE)
		*waker |= WAKER_PROCESSOR;
	return true;
}

/* ---- changes of state */

/* From a state to the same is no change. */
const struct step_transition step_transitions[GO_STATE_COUNT][GO_STATE_COUNT] = {
	[GO_UNDETERMINED] = {
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_LOST, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STATUS, true },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STATUS, true },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_STATUS, true },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_STATUS, true },
	},
	[GO_NOT_EXIST] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_CREATED, true },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_CREATED, true },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_CREATED, true },
	},
	[GO_RUNNABLE] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, true },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STARTED, true },
	},
	[GO_RUNNING] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STOPPED, true },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_BLOCKED, true },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, true },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_SYSCALL, true },
	},
	[GO_SYSCALL] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, true },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_RETURNED, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_RETURNED, true },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, true },
	},
	[GO_WAITING] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_UNBLOCKED, true },
	},
};

bool
step_state_of(const struct go_event *event, uint8_t *state)
{
	const struct step_transition *transition =
		&step_transitions[event->u.goroutine.from][event->u.goroutine.to];

	*state = transition->state;
	return transition->is_change;
}

/* The goroutine that the event is about, which begins with some events. */
static bool
subject_of(struct step_writer *writer, const struct go_event *event, actor_ref *ref,
           struct error *err)
{
	actor_ref creator;
	int64_t id = event->u.goroutine.id;
	struct go_mark *mark = event->u.goroutine.mark;
	struct step *step;

	if (event->u.goroutine.from != GO_NOT_EXIST || id < 0)
		return goroutine_of(writer, id, mark, ref, err);
	if (!goroutine_of(writer, event->g, event->g_mark, &creator, err))
		return false;
	*ref = writer->goroutines.count;
	step = add_goroutine(writer, STEP_CREATE, id, mark, err);
	if (step == NULL)
		return false;
	step->known.creator = creator;
	step->known.stack = event->stack;
	return true;
}

/* The outermost function of a goroutine's stack is its name, where it is known. */
static void
name_actor(struct step_writer *writer, actor_ref goroutine, struct go_mark *mark,
               stack_id stack)
{
	string_id function = stack_root(writer->stacks, stack)->function;
	struct step *step;

	if (!writer->is_named[goroutine] && function != STRING_EMPTY) {
		step = step_append(writer, STEP_NAME);
		step->ref = goroutine;
		step->function = function;
		writer->is_named[goroutine] = true;
	}
	if (mark != NULL)
		mark->is_named = writer->is_named[goroutine];
}

int64_t
step_proc_of(const struct go_event *event)
{
	bool is_told_by_other = event->u.goroutine.from == GO_UNDETERMINED &&
	                        event->u.goroutine.to == GO_SYSCALL && event->m == GO_ID_NONE;

	return is_told_by_other ? GO_ID_NONE : event->p;
}

/* Finds what a change refers to, and makes it known where it is new. */
static bool
know_change(struct step_writer *writer, const struct go_event *event, unsigned told,
            struct step_change *change, struct error *err)
{
	stack_id own_stack = event->u.goroutine.stack;

	change->waker = change->proc = REF_NONE;
	if (!thread_of(writer, event->m, event->m_mark, &change->thread, err) ||
	    !subject_of(writer, event, &change->goroutine, err))
		return false;
	if (change->goroutine == REF_NONE)
		return true;
	if (own_stack != STACK_NONE)
		name_actor(writer, change->goroutine, event->u.goroutine.mark, own_stack);
	if ((told & STEP_WOKEN) != 0 && !waker_of(writer, event, &change->waker, err))
		return false;
	return (told & STEP_EXECUTING) == 0 || step_proc_of(event) == GO_ID_NONE ||
	       proc_of(writer, event->p, event->p_mark, &change->proc, err);
}

static bool
write_change(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	enum go_state from = event->u.goroutine.from, to = event->u.goroutine.to;
	struct step_change change = {
		.stack = event->stack,
		.own_stack = event->u.goroutine.stack,
		.reason = event->u.goroutine.reason,
		.is_by_timer = event->p == GO_PROC_TIMERS,
	};

	bool is_change = step_transitions[from][to].is_change;

	if (!know_change(writer, event, is_change ? step_told(from, to) : 0, &change, err))
		return false;
	if (is_change && change.goroutine != REF_NONE)
		step_put_change(writer, from, to, &change, 0);
	return true;
}

static bool
write_proc(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	resource_ref proc;

	if (!proc_of(writer, event->u.proc.id, NULL, &proc, err))
		return false;
	if (proc != REF_NONE && event->u.proc.from == PROC_RUNNING &&
	    event->u.proc.to != PROC_RUNNING)
		step_append(writer, STEP_PROC_LOST)->ref = proc;
	return true;
}

/* ---- what a goroutine does besides */

static struct step *
append_work(struct step_writer *writer, enum step_kind kind, actor_ref goroutine,
            int64_t task, string_id name)
{
	struct step *step = step_append(writer, kind);

	step->ref = goroutine;
	step->work.task = task;
	step->work.name = name;
	return step;
}

static bool
write_region(struct step_writer *writer, const struct go_event *event, enum step_kind kind,
             struct error *err)
{
	actor_ref goroutine;

	if (!goroutine_of(writer, event->g, event->g_mark, &goroutine, err))
		return false;
	append_work(writer, kind, goroutine, event->u.region.task, event->u.region.name)
		->work.stack = event->stack;
	return true;
}

static bool
write_task(struct step_writer *writer, const struct go_event *event, enum step_kind kind,
           struct error *err)
{
	actor_ref goroutine;

	if (!goroutine_of(writer, event->g, event->g_mark, &goroutine, err))
		return false;
	append_work(writer, kind, goroutine, event->u.task.id, event->u.task.name)
		->work.stack = event->stack;
	if (kind == STEP_TASK_BEGIN)
		step_append(writer, STEP_NOTHING)->work.task = event->u.task.parent;
	return true;
}

static void
write_metric(struct step_writer *writer, const struct go_event *event)
{
	struct step *step = step_append(writer, STEP_METRIC);

	step->ref = event->u.metric.metric;
	step->value = event->u.metric.value;
}

/* ---- whole events */

/* Makes known what a whole event refers to, in the order in which the builder asks for it. */
static bool
mention(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	uint32_t ref;

	switch (event->kind) {
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		return goroutine_of(writer, event->g, event->g_mark, &ref, err) &&
		       (event->u.range.scope_p >= 0
		                ? proc_of(writer, event->u.range.scope_p, NULL, &ref, err)
		                : goroutine_of(writer, event->u.range.scope_g, NULL, &ref, err));
	case GO_EVENT_LABEL:
	case GO_EVENT_SAMPLE:
	case GO_EVENT_LOG:
		return goroutine_of(writer, go_event_goroutine(event),
		                    event->g > 0 ? event->g_mark : NULL, &ref, err) &&
		       proc_of(writer, event->p, event->p_mark, &ref, err);
	case GO_EVENT_SYNC:
	case GO_EVENT_EXPERIMENTAL:
	case GO_EVENT_METRIC: /* what follows has steps of its own */
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
	case GO_EVENT_GOROUTINE:
	case GO_EVENT_PROC:
	case GO_EVENT_KIND_COUNT:
		break;
	}
	return true;
}

static bool
write_whole(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	if (!mention(writer, event, err))
		return false;
	step_append(writer, STEP_EVENT);
	memcpy(writer->next, event, sizeof(*event));
	writer->next += STEP_EVENT_PLACES;
	return true;
}

static bool
write_event(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	resource_ref thread;

	if (event->kind == GO_EVENT_GOROUTINE)
		return write_change(writer, event, err);
	/* A thread that never runs a goroutine is known all the same. */
	if (!thread_of(writer, event->m, event->m_mark, &thread, err))
		return false;
	switch (event->kind) {
	case GO_EVENT_PROC:
		return write_proc(writer, event, err);
	case GO_EVENT_REGION_BEGIN:
		return write_region(writer, event, STEP_REGION_BEGIN, err);
	case GO_EVENT_REGION_END:
		return write_region(writer, event, STEP_REGION_END, err);
	case GO_EVENT_TASK_BEGIN:
		return write_task(writer, event, STEP_TASK_BEGIN, err);
	case GO_EVENT_TASK_END:
		return write_task(writer, event, STEP_TASK_END, err);
	case GO_EVENT_METRIC:
		write_metric(writer, event);
		return true;
	case GO_EVENT_SYNC:
	case GO_EVENT_GOROUTINE:
	case GO_EVENT_LABEL:
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
	case GO_EVENT_LOG:
	case GO_EVENT_SAMPLE:
	case GO_EVENT_EXPERIMENTAL:
	case GO_EVENT_KIND_COUNT:
		break;
	}
	return write_whole(writer, event, err);
}

/* ---- the sink */

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct step_writer *writer = context;
	struct step *first;

	if (!make_room(writer, err))
		return false;
	first = writer->next;
	if (event->kind == GO_EVENT_SYNC)
		return write_whole(writer, event, err);
	if (!write_event(writer, event, err))
		return false;
	if (writer->next == first)
		step_append(writer, STEP_NOTHING);
	first->time_ns = event->time_ns;
	return true;
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct step_writer *writer = context;

	(void)generation;
	if (!make_room(writer, err))
		return false;
	writer->is_past_first = true;
	step_append(writer, STEP_GENERATION)->counts = (struct table_counts){
		.strings = intern_count(writer->strings),
		.frames = writer->stacks->frames.count,
		.nodes = stack_count(writer->stacks),
	};
	return exchange(writer, true, err);
}

void
step_writer_init(struct step_writer *writer, step_exchange *exchange_steps, void *context,
                 struct intern *strings, struct stack_table *stacks)
{
	*writer = (struct step_writer){
		.exchange = exchange_steps,
		.context = context,
		.strings = strings,
		.stacks = stacks,
	};
}

struct go_sink
step_writer_sink(struct step_writer *writer)
{
	return (struct go_sink){
		.event = take_event,
		.generation = take_generation,
		.steps = writer,
		.context = writer,
		.strings = writer->strings,
		.stacks = writer->stacks,
	};
}

bool
step_writer_finish(struct step_writer *writer, struct error *err)
{
	return exchange(writer, false, err);
}

void
step_writer_release(struct step_writer *writer)
{
	id_map_release(&writer->goroutines.of);
	id_map_release(&writer->procs.of);
	id_map_release(&writer->threads.of);
	memory_free(writer->is_named);
}
