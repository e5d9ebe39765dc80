/*
 * The naive model: one pass over the ordered events writes down what each of them says,
 * then every question is a scan.
 */
#include "naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "source/go/reader.h"

#define NONE SIZE_MAX

/* A new zeroed item at the end of an array. */
static void *
append(void *array, size_t *count, size_t *capacity, size_t item_size)
{
	struct error err = { 0 };
	if (!array_reserve(array, capacity, *count + 1, item_size, &err))
		fail_msg("%s", err.message);
	char *items;
	memcpy(&items, array, sizeof items);
	char *item = items + (*count)++ * item_size;
	memset(item, 0, item_size);
	return item;
}

const char *
naive_text(const struct naive *naive, string_id id, size_t *length)
{
	return intern_text(&naive->strings, id, length);
}

static bool
text_is(const struct naive *naive, string_id id, const char *wanted)
{
	size_t length;
	const char *text = naive_text(naive, id, &length);
	return length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* ---- keeping the events */

static bool
keep_event(void *context, const struct go_event *event, struct error *err)
{
	struct naive *naive = context;
	(void)err;
	if (event->kind == GO_EVENT_SYNC)
		return true;
	if (naive->event_count == 0)
		naive->origin_ns = event->time_ns;
	struct go_event *kept = append(
		&naive->events, &naive->event_count, &naive->event_capacity, sizeof *naive->events);
	*kept = *event;
	kept->time_ns -= naive->origin_ns;
	naive->end_ns = kept->time_ns;
	return true;
}

/* ---- going through them */

/* A proc or thread, and what is on it now. */
struct holder {
	int64_t id;
	size_t state; /* NONE for nothing */
};

struct holders {
	struct holder *items;
	size_t count, capacity;
};

struct replay {
	struct naive *naive;
	struct holders procs, threads;
	const struct go_event *event;
};

/* NULL for one that had nothing on it yet. */
static struct holder *
find_holder(const struct holders *holders, int64_t id)
{
	for (size_t i = 0; i < holders->count; i++)
		if (holders->items[i].id == id)
			return &holders->items[i];
	return NULL;
}

static struct holder *
take_holder(struct holders *holders, int64_t id)
{
	struct holder *found = find_holder(holders, id);
	if (found != NULL)
		return found;
	found = append(&holders->items, &holders->count, &holders->capacity, sizeof *found);
	*found = (struct holder){ id, NONE };
	return found;
}

static void
leave_proc(struct replay *replay, int64_t id)
{
	struct holder *proc = find_holder(&replay->procs, id);
	if (proc == NULL || proc->state == NONE)
		return;
	struct naive_state *state = &replay->naive->states[proc->state];
	state->proc_end_ns = replay->event->time_ns;
	state->is_on_proc = false;
	proc->state = NONE;
}

static void
leave_thread(struct replay *replay, int64_t id)
{
	struct holder *thread = find_holder(&replay->threads, id);
	if (thread == NULL || thread->state == NONE)
		return;
	struct naive_state *state = &replay->naive->states[thread->state];
	state->thread_end_ns = replay->event->time_ns;
	state->is_on_thread = false;
	thread->state = NONE;
}

static void
take_proc(struct replay *replay, size_t index, int64_t id)
{
	leave_proc(replay, id);
	replay->naive->states[index].proc = id;
	if (id == GO_ID_NONE)
		return;
	take_holder(&replay->procs, id)->state = index;
	replay->naive->states[index].is_on_proc = true;
}

static void
take_thread(struct replay *replay, size_t index, int64_t id)
{
	leave_thread(replay, id);
	replay->naive->states[index].thread = id;
	if (id == GO_ID_NONE)
		return;
	take_holder(&replay->threads, id)->state = index;
	replay->naive->states[index].is_on_thread = true;
}

/* The goroutine with that id now, NONE where nothing was said of it. */
static size_t
find_goroutine(const struct naive *naive, int64_t id)
{
	uint32_t found = id < 0 ? MAP_NONE : map_find(&naive->goroutine_of, (uint64_t)id);
	return found == MAP_NONE ? NONE : found;
}

static size_t
add_goroutine(struct naive *naive, int64_t id)
{
	struct error err = { 0 };
	struct naive_goroutine *added = append(&naive->goroutines, &naive->goroutine_count,
		&naive->actor_capacity, sizeof *added);
	*added = (struct naive_goroutine){ .id = id, .first_state = NONE, .last_state = NONE };
	size_t index = naive->goroutine_count - 1;
	if (!map_put(&naive->goroutine_of, (uint64_t)id, (uint32_t)index, &err))
		fail_msg("%s", err.message);
	return index;
}

/* A sample may speak of one whose state is only told later. */
static size_t
mentioned_goroutine(struct naive *naive, int64_t id)
{
	size_t found = find_goroutine(naive, id);
	return found != NONE ? found : add_goroutine(naive, id);
}

/* By the outermost function of the first stack that has one. */
static void
name_actor(struct naive *naive, struct naive_goroutine *goroutine, stack_id stack)
{
	if (stack == STACK_NONE || goroutine->name != STRING_EMPTY)
		return;
	while (stack_caller(&naive->stacks, stack) != STACK_NONE)
		stack = stack_caller(&naive->stacks, stack);
	goroutine->name = stack_leaf(&naive->stacks, stack)->function;
	if (text_is(naive, goroutine->name, "runtime.gcBgMarkWorker"))
		goroutine->is_worker = true;
}

static void
end_state(struct replay *replay, size_t index)
{
	struct naive_state *state = &replay->naive->states[index];
	state->end_ns = replay->event->time_ns;
	state->is_open = false;
	if (state->is_on_proc)
		leave_proc(replay, state->proc);
	if (state->is_on_thread)
		leave_thread(replay, state->thread);
}

/* Ends the state before it, and is the last one from now on. */
static size_t
begin_state(struct replay *replay, size_t goroutine, int64_t start_ns)
{
	struct naive *naive = replay->naive;
	struct naive_state *added =
		append(&naive->states, &naive->state_count, &naive->state_capacity, sizeof *added);
	size_t index = naive->state_count - 1;
	size_t before = naive->goroutines[goroutine].last_state;
	*added = (struct naive_state){
		.goroutine = goroutine,
		.next = NONE,
		.start_ns = start_ns,
		.end_ns = naive->end_ns,
		.is_open = true,
		.proc = GO_ID_NONE,
		.thread = GO_ID_NONE,
		.proc_end_ns = naive->end_ns,
		.thread_end_ns = naive->end_ns,
	};
	if (before == NONE)
		naive->goroutines[goroutine].first_state = index;
	else
		naive->states[before].next = index;
	naive->goroutines[goroutine].last_state = index;
	return index;
}

static enum time_class
class_of(const struct naive *naive, enum state state, string_id reason, bool is_worker)
{
	static const struct {
		const char *reason;
		enum time_class time_class;
	} reasons[] = {
		{ "chan receive", CLASS_CHANNEL },
		{ "chan send", CLASS_CHANNEL },
		{ "select", CLASS_SELECT },
		{ "sync", CLASS_SYNC },
		{ "sync.(*Cond).Wait", CLASS_SYNC },
		{ "synctest", CLASS_SYNC },
		{ "network", CLASS_NETWORK },
		{ "sleep", CLASS_SLEEP },
		{ "forever", CLASS_FOREVER },
		{ "GC mark assist wait for work", CLASS_RUNTIME },
		{ "GC weak to strong wait", CLASS_RUNTIME },
		{ "wait until GC ends", CLASS_RUNTIME },
		{ "GC background sweeper wait", CLASS_IDLE },
		{ "system goroutine wait", CLASS_IDLE },
	};
	if (state == STATE_RUNNING)
		return is_worker ? CLASS_WORKER : CLASS_RUNNING;
	if (state == STATE_READY)
		return CLASS_READY;
	if (state == STATE_SYSCALL)
		return CLASS_SYSCALL;
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (text_is(naive, reason, reasons[i].reason))
			return reasons[i].time_class;
	return CLASS_OTHER;
}

static enum state
state_of(enum go_state state)
{
	switch (state) {
	case GO_RUNNABLE:
		return STATE_READY;
	case GO_RUNNING:
		return STATE_RUNNING;
	case GO_WAITING:
		return STATE_BLOCKED;
	case GO_SYSCALL:
		return STATE_SYSCALL;
	case GO_NOT_EXIST:
	case GO_UNDETERMINED:
	case GO_STATE_COUNT:
		break;
	}
	return STATE_GONE;
}

/* The stack that tells of a state: of what it waits in, or of who ended its waiting. */
static stack_id
stack_of(const struct go_event *event)
{
	enum go_state from = event->u.goroutine.from, to = event->u.goroutine.to;
	if (to == GO_WAITING || to == GO_SYSCALL || (from == GO_RUNNING && to == GO_RUNNABLE))
		return event->u.goroutine.stack;
	if (to == GO_RUNNABLE && (from == GO_WAITING || from == GO_NOT_EXIST))
		return event->stack;
	return STACK_NONE;
}

/* A first mention tells of the time before it, unless something else was on its proc or thread. */
static bool
is_since_origin(const struct replay *replay, bool is_executing)
{
	const struct go_event *event = replay->event;
	if (event->u.goroutine.from != GO_UNDETERMINED)
		return false;
	return !is_executing || (find_holder(&replay->procs, event->p) == NULL &&
					find_holder(&replay->threads, event->m) == NULL);
}

/* Whoever woke it did so by closing a file or setting its deadline, as its stack says. */
static bool
is_from_poller(const struct naive *naive, stack_id stack)
{
	if (stack == STACK_NONE)
		return false;
	size_t length;
	const char *name = intern_text(
		&naive->strings, stack_leaf(&naive->stacks, stack)->function, &length);
	return length > 14 && memcmp(name, "internal/poll.", 14) == 0;
}

/* What ended the state before; whoever is named has no part in it where a row tells of that. */
static void
note_wakes(const struct replay *replay, struct naive_state *state, size_t before)
{
	const struct go_event *event = replay->event;
	if (before == NONE || state->state != STATE_READY)
		return;
	const struct naive_state *from = &replay->naive->states[before];
	bool is_wait = from->state == STATE_BLOCKED && event->u.goroutine.from == GO_WAITING;
	bool has_proc = event->p >= 0 && go_event_proc(event->p) >= 0;
	bool is_timed = from->time_class == CLASS_CHANNEL || from->time_class == CLASS_SELECT ||
			from->time_class == CLASS_SLEEP;
	state->is_network_wake = is_wait && from->time_class == CLASS_NETWORK &&
				 !is_from_poller(replay->naive, event->stack);
	state->is_timer_wake = is_wait && (event->p == GO_PROC_TIMERS ||
						  (is_timed && has_proc && event->g < 0));
	state->is_syscall_wake = from->state == STATE_SYSCALL;
	if (state->is_network_wake || state->is_timer_wake)
		state->stack = STACK_NONE;
}

static size_t
subject_of(struct replay *replay)
{
	const struct go_event *event = replay->event;
	size_t goroutine = event->u.goroutine.from == GO_NOT_EXIST
				   ? add_goroutine(replay->naive, event->u.goroutine.id)
				   : mentioned_goroutine(replay->naive, event->u.goroutine.id);
	name_actor(
		replay->naive, &replay->naive->goroutines[goroutine], event->u.goroutine.stack);
	return goroutine;
}

static void
replay_goroutine(struct replay *replay)
{
	struct naive *naive = replay->naive;
	const struct go_event *event = replay->event;
	enum state to = state_of(event->u.goroutine.to);
	bool is_executing = to == STATE_RUNNING || to == STATE_SYSCALL;
	size_t goroutine = subject_of(replay);
	if (event->u.goroutine.from == event->u.goroutine.to)
		return;
	size_t before = naive->goroutines[goroutine].last_state;
	if (before != NONE)
		end_state(replay, before);
	if (to == STATE_GONE)
		return;

	bool is_old = is_since_origin(replay, is_executing);
	size_t index = begin_state(replay, goroutine, is_old ? 0 : event->time_ns);
	struct naive_state *state = &naive->states[index];
	state->state = to;
	state->reason = event->u.goroutine.reason;
	state->stack = stack_of(event);
	state->time_class =
		class_of(naive, to, state->reason, naive->goroutines[goroutine].is_worker);
	note_wakes(replay, state, before);
	if (is_executing) {
		take_proc(replay, index, event->p);
		take_thread(replay, index, event->m);
	}
}

/* From the label on it runs for the collector. */
static void
replay_worker_label(struct replay *replay, size_t goroutine)
{
	struct naive *naive = replay->naive;
	size_t before = naive->goroutines[goroutine].last_state;
	if (naive->goroutines[goroutine].is_worker)
		return;
	naive->goroutines[goroutine].is_worker = true;
	if (before == NONE || naive->states[before].time_class != CLASS_RUNNING)
		return;
	int64_t proc = naive->states[before].is_on_proc ? naive->states[before].proc : GO_ID_NONE;
	int64_t thread = naive->states[before].thread;
	end_state(replay, before);
	size_t index = begin_state(replay, goroutine, replay->event->time_ns);
	naive->states[index].state = STATE_RUNNING;
	naive->states[index].reason = naive->states[before].reason;
	naive->states[index].time_class = CLASS_WORKER;
	take_proc(replay, index, proc);
	take_thread(replay, index, thread);
}

static struct naive_moment *
add_moment(struct replay *replay, string_id first, string_id second)
{
	struct naive *naive = replay->naive;
	struct naive_moment *moment = append(
		&naive->moments, &naive->moment_count, &naive->moment_capacity, sizeof *moment);
	moment->time_ns = replay->event->time_ns;
	moment->goroutine = NONE;
	moment->proc = replay->event->p;
	moment->thread = replay->event->m;
	if (replay->event->g > 0)
		moment->goroutine = mentioned_goroutine(naive, replay->event->g);
	moment->texts[0] = first;
	moment->texts[1] = second;
	return moment;
}

static void
replay_label(struct replay *replay)
{
	static const char collector[] = "GC (";
	string_id label = replay->event->u.label.label;
	size_t length;
	const char *text = naive_text(replay->naive, label, &length);
	const struct naive_moment *moment = add_moment(replay, label, STRING_EMPTY);
	if (moment->goroutine != NONE && length >= sizeof collector - 1 &&
		memcmp(text, collector, sizeof collector - 1) == 0)
		replay_worker_label(replay, moment->goroutine);
}

/* What a range event is about. */
static struct naive_range
range_of(const struct replay *replay)
{
	static const enum range_type types[GO_RANGE_COUNT] = {
		[GO_RANGE_STW] = RANGE_STW,
		[GO_RANGE_GC_MARK] = RANGE_GC_MARK,
		[GO_RANGE_GC_SWEEP] = RANGE_SWEEP,
		[GO_RANGE_MARK_ASSIST] = RANGE_MARK_ASSIST,
	};
	const struct go_event *event = replay->event;
	size_t goroutine = find_goroutine(replay->naive, event->g);
	struct naive_range range = { .goroutine = goroutine, .is_open = true };
	if (event->kind == GO_EVENT_REGION_BEGIN || event->kind == GO_EVENT_REGION_END) {
		range.type = RANGE_REGION;
		range.name = event->u.region.name;
		range.scope = (int64_t)goroutine;
		return range;
	}
	range.type = types[event->u.range.range];
	range.name = event->u.range.detail;
	range.scope = event->u.range.scope_p;
	if (event->u.range.scope_g != GO_ID_NONE) {
		range.goroutine = find_goroutine(replay->naive, event->u.range.scope_g);
		range.scope = (int64_t)range.goroutine;
	} else if (event->kind == GO_EVENT_RANGE_ACTIVE ||
		   (event->kind == GO_EVENT_RANGE_END && range.type == RANGE_GC_MARK)) {
		range.goroutine = NONE; /* that began it */
	}
	return range;
}

/* The one that began last and is open, NULL for none. */
static struct naive_range *
find_open(struct naive *naive, const struct naive_range *like)
{
	for (size_t i = naive->range_count; i > 0; i--) {
		struct naive_range *range = &naive->ranges[i - 1];
		if (range->is_open && range->type == like->type && range->scope == like->scope)
			return range;
	}
	return NULL;
}

/* One that is said to be active began before the trace, or is known already. */
static void
replay_range(struct replay *replay)
{
	struct naive *naive = replay->naive;
	enum go_event_kind kind = replay->event->kind;
	bool is_end = kind == GO_EVENT_RANGE_END || kind == GO_EVENT_REGION_END;
	bool is_begin = kind == GO_EVENT_RANGE_BEGIN || kind == GO_EVENT_REGION_BEGIN;
	struct naive_range range = range_of(replay);
	struct naive_range *open = find_open(naive, &range);
	if (open != NULL && !is_begin) {
		open->is_open = !is_end;
		open->end_ns = is_end ? replay->event->time_ns : naive->end_ns;
		if (open->goroutine == NONE)
			open->goroutine = range.goroutine;
		return;
	}
	range.start_ns = is_begin ? replay->event->time_ns : 0;
	range.end_ns = is_end ? replay->event->time_ns : naive->end_ns;
	range.is_open = !is_end;
	*(struct naive_range *)append(
		&naive->ranges, &naive->range_count, &naive->range_capacity, sizeof range) = range;
}

static void
replay_event(struct replay *replay)
{
	const struct go_event *event = replay->event;
	struct naive_moment *sample;
	switch (event->kind) {
	case GO_EVENT_GOROUTINE:
		replay_goroutine(replay);
		break;
	case GO_EVENT_PROC:
		if (event->u.proc.from == PROC_RUNNING && event->u.proc.to == PROC_IDLE)
			leave_proc(replay, event->u.proc.id);
		break;
	case GO_EVENT_LABEL:
		replay_label(replay);
		break;
	case GO_EVENT_SAMPLE:
		sample = add_moment(replay, STRING_EMPTY, STRING_EMPTY);
		sample->is_sample = true;
		sample->stack = event->stack;
		break;
	case GO_EVENT_LOG:
		add_moment(replay, event->u.log.category, event->u.log.message)->is_log = true;
		break;
	case GO_EVENT_TASK_BEGIN:
		add_moment(replay, event->u.task.name, STRING_EMPTY);
		break;
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		replay_range(replay);
		break;
	case GO_EVENT_SYNC:
	case GO_EVENT_METRIC:
	case GO_EVENT_TASK_END:
	case GO_EVENT_EXPERIMENTAL:
	case GO_EVENT_KIND_COUNT:
		break;
	}
}

void
naive_read(struct naive *naive, struct input *in)
{
	const struct go_read_options options = { 0 };
	const struct go_sink sink = {
		.event = keep_event,
		.context = naive,
		.strings = &naive->strings,
		.stacks = &naive->stacks,
	};
	struct go_read_result result;
	struct error err = { 0 };
	*naive = (struct naive){ 0 };
	if (!intern_init(&naive->strings, &err) || !stack_table_init(&naive->stacks, &err) ||
		!go_read(in, &sink, &options, &result, &err))
		fail_msg("%s", err.message);
	if (result.damage.count > 0)
		fail_msg("%s", result.damage.rows[0].first.message);
	struct replay replay = { .naive = naive };
	for (size_t i = 0; i < naive->event_count; i++) {
		replay.event = &naive->events[i];
		replay_event(&replay);
	}
	memory_free(replay.procs.items);
	memory_free(replay.threads.items);
}

void
naive_release(struct naive *naive)
{
	intern_release(&naive->strings);
	stack_table_release(&naive->stacks);
	memory_free(naive->events);
	memory_free(naive->goroutines);
	memory_free(naive->states);
	memory_free(naive->ranges);
	memory_free(naive->moments);
	map_release(&naive->goroutine_of);
	*naive = (struct naive){ 0 };
}
