/* From Go's events to the builder's words: doc/format/go-trace-semantics.md, section 7. */
#include "gotrace/steps.h"

#include <string.h>

#include "base/memory.h"

/*
 * The most places that one event takes: a thread, two goroutines and a proc or two that
 * become known, a name, and the event itself or what it changes.
 */
enum { PLACES_PER_EVENT = 8 + STEP_EVENT_PLACES };

static struct step *
append(struct step_writer *writer, enum step_kind kind)
{
	struct step *step = &writer->steps[writer->count++];

	step->kind = (uint8_t)kind;
	step->is_first = false;
	return step;
}

static bool
exchange(struct step_writer *writer, bool ends_generation, struct error *err)
{
	writer->steps = writer->exchange(writer->context, writer->count, ends_generation, err);
	writer->count = 0;
	return writer->steps != NULL;
}

static bool
make_room(struct step_writer *writer, struct error *err)
{
	return LIKELY(writer->steps != NULL &&
	              writer->count + PLACES_PER_EVENT <= STEP_BLOCK) ||
	       exchange(writer, false, err);
}

/* ---- refs */

/* The next ref stands for this id from now on; the step that says so is left to be filled. */
static struct step *
add_ref(struct step_writer *writer, struct step_refs *refs, enum step_kind kind, int64_t id,
        struct error *err)
{
	struct step *step;

	if (id_map_find(&refs->of, (uint64_t)id) != MAP_NONE)
		id_map_set(&refs->of, (uint64_t)id, refs->count);
	else if (!id_map_add(&refs->of, (uint64_t)id, refs->count, err))
		return NULL;
	step = append(writer, kind);
	step->u.known.id = id;
	step->u.known.ref = refs->count++;
	return step;
}

/* Also says of it that it has no name. */
static struct step *
add_goroutine(struct step_writer *writer, enum step_kind kind, int64_t id, struct error *err)
{
	uint32_t ref = writer->goroutines.count;

	if (!array_reserve(&writer->is_named, &writer->named_capacity, (size_t)ref + 1,
	                   sizeof(*writer->is_named), err))
		return NULL;
	writer->is_named[ref] = false;
	return add_ref(writer, &writer->goroutines, kind, id, err);
}

/* Only broken bytes number anything below 0; to the model it is nobody. */
static inline bool
goroutine_of(struct step_writer *writer, int64_t id, goroutine_ref *ref, struct error *err)
{
	*ref = id < 0 ? REF_NONE : id_map_find(&writer->goroutines.of, (uint64_t)id);
	if (LIKELY(*ref != REF_NONE) || id < 0)
		return true;
	*ref = writer->goroutines.count;
	return add_goroutine(writer, STEP_GOROUTINE, id, err) != NULL;
}

/* A proc or a thread. */
static inline bool
resource_of(struct step_writer *writer, struct step_refs *refs, enum step_kind kind, int64_t id,
            uint32_t *ref, struct error *err)
{
	*ref = id < 0 ? REF_NONE : id_map_find(&refs->of, (uint64_t)id);
	if (LIKELY(*ref != REF_NONE) || id < 0)
		return true;
	*ref = refs->count;
	return add_ref(writer, refs, kind, id, err) != NULL;
}

/* None also for the lanes that stand in for a proc in a v1 trace. */
static inline bool
proc_of(struct step_writer *writer, int64_t id, proc_ref *ref, struct error *err)
{
	return resource_of(writer, &writer->procs, STEP_PROC, go_event_proc(id), ref, err);
}

/* The system numbers threads as it likes, so those seen lately are looked up by their last bits. */
static inline bool
thread_of(struct step_writer *writer, int64_t id, thread_ref *ref, struct error *err)
{
	struct recent_thread *recent = &writer->recent[(uint64_t)id % STEP_RECENT_THREADS];

	if (UNLIKELY(recent->id != id)) {
		if (!resource_of(writer, &writer->threads, STEP_THREAD, id, &recent->ref, err))
			return false;
		recent->id = id;
	}
	*ref = recent->ref;
	return true;
}

/* Who acted: the goroutine of the context, else its proc, see segment.h. */
static bool
waker_of(struct step_writer *writer, const struct go_event *event, uint32_t *waker,
         struct error *err)
{
	if (event->g >= 0)
		return goroutine_of(writer, event->g, waker, err);
	if (!proc_of(writer, event->p, waker, err))
		return false;
	if (*waker != REF_NONE)
		*waker |= WAKER_PROC;
	return true;
}

/* ---- changes of state */

/* What is told of a change. */
enum {
	IS_KNOWN = 1,
	IS_WOKEN = 2,     /* somebody else did it: its stack and who it was */
	IS_EXECUTING = 4, /* it has a thread, and maybe a proc, from here on */
	HAS_STACK = 8     /* the goroutine's own stack says where */
};

/* What it means that a goroutine goes from one state to another; from == to is no change. */
static const struct transition {
	uint8_t state, entry, told;
} transitions[GO_STATE_COUNT][GO_STATE_COUNT] = {
	[GO_UNDETERMINED] = {
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STATUS, IS_KNOWN },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STATUS, IS_KNOWN | IS_EXECUTING },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_STATUS, IS_KNOWN | HAS_STACK },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_STATUS,
			IS_KNOWN | HAS_STACK | IS_EXECUTING },
	},
	[GO_NOT_EXIST] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_CREATED, IS_KNOWN | IS_WOKEN },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_CREATED, IS_KNOWN | HAS_STACK },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_CREATED,
			IS_KNOWN | HAS_STACK | IS_EXECUTING },
	},
	[GO_RUNNABLE] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STARTED, IS_KNOWN | IS_EXECUTING },
	},
	[GO_RUNNING] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STOPPED, IS_KNOWN | HAS_STACK },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_BLOCKED, IS_KNOWN | HAS_STACK },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, IS_KNOWN },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_SYSCALL,
			IS_KNOWN | HAS_STACK | IS_EXECUTING },
	},
	[GO_SYSCALL] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_RETURNED, IS_KNOWN | IS_EXECUTING },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_RETURNED, IS_KNOWN },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, IS_KNOWN },
	},
	[GO_WAITING] = {
		[GO_UNDETERMINED] = { STATE_UNKNOWN, ENTRY_LOST, IS_KNOWN },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_UNBLOCKED, IS_KNOWN | IS_WOKEN },
	},
};

/* The goroutine that the event is about, which begins with some events. */
static bool
subject_of(struct step_writer *writer, const struct go_event *event, goroutine_ref *ref,
           struct error *err)
{
	goroutine_ref creator;
	int64_t id = event->u.goroutine.id;
	struct step *step;

	if (event->u.goroutine.from != GO_NOT_EXIST || id < 0)
		return goroutine_of(writer, id, ref, err);
	if (!goroutine_of(writer, event->g, &creator, err))
		return false;
	*ref = writer->goroutines.count;
	step = add_goroutine(writer, STEP_CREATE, id, err);
	if (step == NULL)
		return false;
	step->u.known.creator = creator;
	step->u.known.stack = event->stack;
	return true;
}

/* The outermost function of a goroutine's stack is its name, where it is known. */
static void
name_goroutine(struct step_writer *writer, goroutine_ref goroutine, stack_id stack)
{
	string_id function = stack_root(writer->stacks, stack)->function;
	struct step *step;

	if (function == STRING_EMPTY)
		return;
	step = append(writer, STEP_NAME);
	step->u.named.goroutine = goroutine;
	step->u.named.function = function;
	writer->is_named[goroutine] = true;
}

/* `thread` is that of the event. */
static bool
write_change(struct step_writer *writer, const struct go_event *event, thread_ref thread,
             struct error *err)
{
	const struct transition *transition =
		&transitions[event->u.goroutine.from][event->u.goroutine.to];
	stack_id own_stack = event->u.goroutine.stack;
	uint32_t goroutine, waker = REF_NONE, proc = REF_NONE;
	unsigned told = transition->told;

	if (UNLIKELY(!subject_of(writer, event, &goroutine, err)))
		return false;
	if (UNLIKELY(goroutine == REF_NONE))
		return true;
	if (own_stack != STACK_NONE && UNLIKELY(!writer->is_named[goroutine]))
		name_goroutine(writer, goroutine, own_stack);
	if (UNLIKELY(told == 0))
		return true;
	if ((told & IS_WOKEN) != 0 && !waker_of(writer, event, &waker, err))
		return false;
	if ((told & IS_EXECUTING) != 0 && !proc_of(writer, event->p, &proc, err))
		return false;
	append(writer, STEP_STATE)->u.change = (struct state_change){
		.goroutine = goroutine,
		.reason = event->u.goroutine.reason,
		.stack = (told & IS_WOKEN) != 0    ? event->stack
		         : (told & HAS_STACK) != 0 ? own_stack : STACK_NONE,
		.waker = waker,
		.proc = proc,
		.thread = (told & IS_EXECUTING) != 0 ? thread : REF_NONE,
		.state = transition->state,
		.entry = transition->entry,
		.is_old = event->u.goroutine.from == GO_UNDETERMINED && !writer->is_past_first,
		.is_by_timer = (told & IS_WOKEN) != 0 && event->p == GO_PROC_TIMERS,
	};
	return true;
}

static bool
write_proc(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	proc_ref proc;

	if (!proc_of(writer, event->u.proc.id, &proc, err))
		return false;
	if (proc != REF_NONE && event->u.proc.from == PROC_RUNNING &&
	    event->u.proc.to != PROC_RUNNING)
		append(writer, STEP_PROC_LOST)->u.proc = proc;
	return true;
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
		return goroutine_of(writer, event->g, &ref, err) &&
		       (event->u.range.scope_p >= 0
		                ? proc_of(writer, event->u.range.scope_p, &ref, err)
		                : goroutine_of(writer, event->u.range.scope_g, &ref, err));
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		return goroutine_of(writer, event->g, &ref, err);
	case GO_EVENT_LABEL:
	case GO_EVENT_SAMPLE:
	case GO_EVENT_LOG:
		return goroutine_of(writer, go_event_goroutine(event), &ref, err) &&
		       proc_of(writer, event->p, &ref, err);
	case GO_EVENT_SYNC:
	case GO_EVENT_METRIC:
	case GO_EVENT_GOROUTINE:
	case GO_EVENT_PROC:
	case GO_EVENT_EXPERIMENTAL:
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
	append(writer, STEP_EVENT);
	memcpy(&writer->steps[writer->count], event, sizeof(*event));
	writer->count += STEP_EVENT_PLACES;
	return true;
}

static bool
write_event(struct step_writer *writer, const struct go_event *event, struct error *err)
{
	thread_ref thread;

	/* A thread that never runs a goroutine is known all the same. */
	if (!thread_of(writer, event->m, &thread, err))
		return false;
	if (LIKELY(event->kind == GO_EVENT_GOROUTINE))
		return write_change(writer, event, thread, err);
	if (event->kind == GO_EVENT_PROC)
		return write_proc(writer, event, err);
	return write_whole(writer, event, err);
}

/* ---- the sink */

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct step_writer *writer = context;
	size_t first;

	if (UNLIKELY(!make_room(writer, err)))
		return false;
	first = writer->count;
	if (UNLIKELY(event->kind == GO_EVENT_SYNC))
		return write_whole(writer, event, err);
	if (UNLIKELY(!write_event(writer, event, err)))
		return false;
	if (writer->count == first)
		append(writer, STEP_NOTHING);
	writer->steps[first].time_ns = event->time_ns;
	writer->steps[first].is_first = true;
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
	append(writer, STEP_GENERATION);
	writer->steps[writer->count - 1].u.counts = (struct table_counts){
		.strings = intern_count(writer->strings),
		.frames = writer->stacks->frames.count,
		.nodes = stack_count(writer->stacks),
	};
	return exchange(writer, true, err);
}

void
step_writer_init(struct step_writer *writer, step_exchange *exchange_steps, void *context,
                 const struct intern *strings, const struct stack_table *stacks)
{
	*writer = (struct step_writer){
		.exchange = exchange_steps,
		.context = context,
		.strings = strings,
		.stacks = stacks,
	};
	for (int i = 0; i < STEP_RECENT_THREADS; i++)
		writer->recent[i] = (struct recent_thread){ GO_ID_NONE, REF_NONE };
}

struct go_sink
step_writer_sink(struct step_writer *writer)
{
	return (struct go_sink){
		.event = take_event,
		.generation = take_generation,
		.context = writer,
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
