/* A scheduler that knows no reason: any valid step at any time. */
#include "randomtrace.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "source/go/words.h"
#include "trace/builder.h"

enum { FUNCTIONS = 5, POLLER = 2, REASONS = 6, STACKS = 12 };

/* A goroutine on its way. */
struct walker {
	enum state state;
	bool is_known, is_worker;
	resource_ref proc;
	resource_ref thread;
	uint32_t depth; /* of regions */
};

struct maker {
	struct random_trace *random;
	struct builder *builder;
	uint64_t chance; /* state of the random numbers */
	int64_t origin_ns, now_ns;
	struct walker walkers[RANDOM_GOROUTINES];
	uint32_t old_count; /* goroutines that were there before the trace */
	string_id functions[FUNCTIONS], reasons[REASONS];
	stack_id stacks[STACKS];
	bool proc_is_taken[RANDOM_PROCS], thread_is_taken[RANDOM_THREADS];
	bool gc_is_open, stw_is_open;
	bool is_first_generation;
	uint32_t proc_count, thread_count;
	bool is_skewed; /* nearly all happens to one goroutine */
};

static const char *const reason_names[REASONS] = { "chan receive", "select", "network", "sleep",
	"sync", "" };
static const enum time_class reason_classes[REASONS] = { CLASS_CHANNEL, CLASS_SELECT,
	CLASS_NETWORK, CLASS_SLEEP, CLASS_SYNC, CLASS_OTHER };

static void
check(bool ok, const struct maker *maker, const struct error *err)
{
	if (!ok)
		fail_msg("seed %" PRIu64 ": %s", maker->random->seed, err->message);
}

static uint32_t
below(struct maker *maker, uint32_t limit)
{
	return (uint32_t)random_below(&maker->chance, limit);
}

/* ---- plain lists */

static struct plain_span *
plain_last(struct plain_lane *lane)
{
	return lane->count > 0 ? &lane->spans[lane->count - 1] : NULL;
}

static void
plain_add(struct plain_lane *lane, struct plain_span span)
{
	struct error err = { 0 };
	assert_true(array_reserve(
		&lane->spans, &lane->capacity, lane->count + 1, sizeof(*lane->spans), &err));
	lane->spans[lane->count++] = span;
}

/* Ends the last span, if it is open. */
static void
plain_end(struct plain_lane *lane, int64_t now_ns)
{
	struct plain_span *last = plain_last(lane);
	if (last != NULL && last->is_open) {
		last->is_open = false;
		last->end_ns = now_ns;
	}
}

/* ---- states */

static void
leave_resources(struct maker *maker, actor_ref g)
{
	struct random_trace *random = maker->random;
	struct walker *walker = &maker->walkers[g];
	if (walker->proc != REF_NONE) {
		plain_end(&random->procs[walker->proc], maker->now_ns);
		maker->proc_is_taken[walker->proc] = false;
	}
	if (walker->thread != REF_NONE) {
		plain_end(&random->threads[walker->thread], maker->now_ns);
		maker->thread_is_taken[walker->thread] = false;
	}
	walker->proc = walker->thread = REF_NONE;
}

static enum time_class
class_of(const struct maker *maker, const struct state_change *change)
{
	switch (change->state) {
	case STATE_RUNNING:
		return maker->walkers[change->actor].is_worker ? CLASS_WORKER
								       : CLASS_RUNNING;
	case STATE_READY:
		return CLASS_READY;
	case STATE_SYSCALL:
		return CLASS_SYSCALL;
	case STATE_BLOCKED:
		for (int i = 0; i < REASONS; i++)
			if (maker->reasons[i] == change->reason)
				return reason_classes[i];
		return CLASS_OTHER;
	case STATE_UNKNOWN:
		return CLASS_UNKNOWN;
	case STATE_GONE:
	case STATE_COUNT:
		break;
	}
	return CLASS_GONE;
}

/* The wakes are the ready states that the network or a timer began, or that follow a system call. */
static void
note_wake(struct maker *maker, const struct plain_span *before, const struct plain_span *ready)
{
	struct random_trace *random = maker->random;
	if (before == NULL || ready->time_class != CLASS_READY)
		return;
	if (ready->waker.type == WAKER_NETWORK || ready->waker.type == WAKER_NETWORK_OR_DEADLINE)
		plain_add(&random->wakes[WAKE_NETWORK], *ready);
	else if (ready->waker.type == WAKER_TIMER)
		plain_add(&random->wakes[WAKE_TIMER], *ready);
	else if (before->time_class == CLASS_SYSCALL)
		plain_add(&random->wakes[WAKE_SYSCALL], *ready);
}

/* As waker.h has it: what ended a wait of that class, with or without a goroutine at work. */
static struct waker
waker_after(const struct maker *maker, enum time_class waited, const struct state_change *change)
{
	bool has_goroutine = change->waker < WAKER_PROCESSOR;
	bool has_proc = !has_goroutine && change->waker != REF_NONE;
	bool is_in_poller = change->stack != STACK_NONE &&
			    stack_leaf(&maker->random->trace->stacks, change->stack)->function ==
				    maker->functions[POLLER];
	uint32_t proc = has_proc ? change->waker - WAKER_PROCESSOR : REF_NONE;
	if (change->entry != ENTRY_CREATED && change->entry != ENTRY_UNBLOCKED)
		return WAKER_NONE;
	if (change->entry == ENTRY_UNBLOCKED && change->is_by_timer)
		return (struct waker){ WAKER_TIMER, proc };
	if (waited == CLASS_NETWORK && !is_in_poller)
		return (struct waker){ has_proc ? WAKER_NETWORK_OR_DEADLINE : WAKER_NETWORK, proc };
	if (has_goroutine)
		return (struct waker){ WAKER_ACTOR, change->waker };
	if (has_proc && (waited == CLASS_CHANNEL || waited == CLASS_SELECT || waited == CLASS_SLEEP))
		return (struct waker){ WAKER_TIMER, proc };
	return has_proc ? (struct waker){ WAKER_SCHEDULER, proc } : WAKER_NONE;
}

/*
 * The rule of the model: what the first generation only mentions holds since time 0, unless the
 * proc or thread has had something else on it.
 */
static bool
is_dated_back(const struct maker *maker, const struct state_change *change)
{
	const struct random_trace *random = maker->random;
	if (!change->is_old)
		return false;
	bool executes = change->state == STATE_RUNNING || change->state == STATE_SYSCALL;
	return !executes ||
	       ((change->processor == REF_NONE || random->procs[change->processor].count == 0) &&
		       random->threads[change->thread].count == 0);
}

/* The change goes to the builder and, as spans, into the plain lists. */
static void
change_state(struct maker *maker, const struct state_change *change)
{
	struct random_trace *random = maker->random;
	struct walker *walker = &maker->walkers[change->actor];
	struct plain_lane *lane = &random->goroutines[change->actor];
	struct error err = { 0 };
	struct plain_span span = {
		.start_ns = is_dated_back(maker, change) ? 0 : maker->now_ns,
		.is_open = true,
		.time_class = class_of(maker, change),
		.goroutine = change->actor,
		.waker = WAKER_NONE,
		.proc = change->processor,
		.thread = change->thread,
	};
	if (change->state == STATE_READY) {
		const struct plain_span *before = plain_last(lane);
		span.waker = waker_after(
			maker, before == NULL ? CLASS_UNKNOWN : before->time_class, change);
		bool is_seen = span.waker.type == WAKER_UNKNOWN ||
			       span.waker.type == WAKER_ACTOR ||
			       span.waker.type == WAKER_SCHEDULER;
		bool is_wake = change->entry == ENTRY_CREATED || change->entry == ENTRY_UNBLOCKED;
		span.waker_stack = is_wake && is_seen ? change->stack : STACK_NONE;
	}
	if (change->state != STATE_RUNNING &&
		(change->state != STATE_READY || change->entry == ENTRY_STOPPED))
		span.stack = change->stack;
	check(builder_state(maker->builder, change, &err), maker, &err);
	leave_resources(maker, change->actor);
	plain_end(lane, maker->now_ns);
	note_wake(maker, plain_last(lane), &span);
	walker->state = change->state;
	walker->is_known = true;
	if (change->state == STATE_GONE)
		return;
	plain_add(lane, span);
	walker->proc = change->processor;
	walker->thread = change->thread;
	if (change->processor != REF_NONE) {
		plain_add(&random->procs[change->processor], span);
		maker->proc_is_taken[change->processor] = true;
	}
	if (change->thread != REF_NONE) {
		plain_add(&random->threads[change->thread], span);
		maker->thread_is_taken[change->thread] = true;
	}
}

/* A resource that is free, REF_NONE if there is none. */
static uint32_t
free_one(struct maker *maker, const bool *is_taken, uint32_t count)
{
	uint32_t from = below(maker, count);
	for (uint32_t i = 0; i < count; i++)
		if (!is_taken[(from + i) % count])
			return (from + i) % count;
	return REF_NONE;
}

static struct state_change
new_change(struct maker *maker, actor_ref g, enum state state, enum state_entry entry)
{
	return (struct state_change){
		.actor = g,
		.state = (uint8_t)state,
		.entry = (uint8_t)entry,
		.waker = REF_NONE,
		.processor = REF_NONE,
		.thread = REF_NONE,
		.stack = state == STATE_GONE || state == STATE_RUNNING
				 ? STACK_NONE
				 : maker->stacks[below(maker, STACKS)],
	};
}

static void
run(struct maker *maker, actor_ref g, enum state_entry entry, bool is_old)
{
	struct state_change change = new_change(maker, g, STATE_RUNNING, entry);
	change.processor = free_one(maker, maker->proc_is_taken, maker->proc_count);
	change.thread = free_one(maker, maker->thread_is_taken, maker->thread_count);
	change.is_old = is_old;
	if (change.processor != REF_NONE && change.thread != REF_NONE)
		change_state(maker, &change);
}

static void
block(struct maker *maker, actor_ref g, enum state_entry entry, bool is_old)
{
	struct state_change change = new_change(maker, g, STATE_BLOCKED, entry);
	change.reason = maker->reasons[below(maker, REASONS)];
	change.is_old = is_old;
	change_state(maker, &change);
}

static void
wake(struct maker *maker, actor_ref g, enum state_entry entry, bool is_old)
{
	struct state_change change = new_change(maker, g, STATE_READY, entry);
	uint32_t by = below(maker, 3);
	if (by == 0)
		change.waker = below(maker, maker->random->goroutine_count);
	else if (by == 1)
		change.waker = WAKER_PROCESSOR + below(maker, maker->proc_count);
	change.is_by_timer = below(maker, 16) == 0;
	change.is_old = is_old;
	change_state(maker, &change);
}

/* Enters a system call, keeping proc and thread; as an old one maybe without a proc. */
static void
enter_syscall(struct maker *maker, actor_ref g, bool is_old)
{
	struct state_change change =
		new_change(maker, g, STATE_SYSCALL, is_old ? ENTRY_STATUS : ENTRY_SYSCALL);
	change.is_old = is_old;
	change.processor = maker->walkers[g].proc;
	change.thread = maker->walkers[g].thread;
	if (is_old) {
		change.thread = free_one(maker, maker->thread_is_taken, maker->thread_count);
		if (below(maker, 2) == 0)
			change.processor = free_one(maker, maker->proc_is_taken, maker->proc_count);
	}
	if (change.thread != REF_NONE)
		change_state(maker, &change);
}

static void
end(struct maker *maker, actor_ref g)
{
	struct state_change change = new_change(maker, g, STATE_GONE, ENTRY_ENDED);
	struct random_trace *random = maker->random;
	change_state(maker, &change);
	for (size_t i = 0; i < random->region_count; i++)
		if (random->regions[i].goroutine == g && random->regions[i].end_ns == TIME_OPEN)
			random->regions[i].end_ns = maker->now_ns;
}

/* Somebody takes the proc of a goroutine in a system call. */
static void
lose_proc(struct maker *maker, actor_ref g)
{
	struct error err = { 0 };
	struct walker *walker = &maker->walkers[g];
	if (walker->proc == REF_NONE)
		return;
	check(builder_processor_lost(maker->builder, walker->proc, &err), maker, &err);
	plain_end(&maker->random->procs[walker->proc], maker->now_ns);
	maker->proc_is_taken[walker->proc] = false;
	walker->proc = REF_NONE;
}

/* From now on it works for the collector: its running state goes on as another span. */
static void
become_gc_worker(struct maker *maker, actor_ref g)
{
	struct random_trace *random = maker->random;
	struct walker *walker = &maker->walkers[g];
	struct error err = { 0 };
	check(builder_worker(maker->builder, g, &err), maker, &err);
	if (walker->is_worker)
		return;
	walker->is_worker = true;
	struct plain_span span = *plain_last(&random->goroutines[g]);
	struct plain_lane *lanes[] = { &random->goroutines[g], &random->procs[walker->proc],
		&random->threads[walker->thread] };
	span.start_ns = maker->now_ns;
	span.time_class = CLASS_WORKER;
	for (size_t i = 0; i < ARRAY_LENGTH(lanes); i++) {
		plain_end(lanes[i], maker->now_ns);
		plain_add(lanes[i], span);
	}
}

static void
step_running(struct maker *maker, actor_ref g)
{
	switch (below(maker, 12)) {
	case 0:
		wake(maker, g, ENTRY_STOPPED, false);
		break;
	case 1:
	case 2:
	case 3:
		enter_syscall(maker, g, false);
		break;
	case 4:
		/* Those that nearly all happens to live on. */
		if (below(maker, 4) == 0 && !(maker->is_skewed && g < 2))
			end(maker, g);
		break;
	case 5:
		if (below(maker, 4) == 0)
			become_gc_worker(maker, g);
		break;
	default:
		block(maker, g, ENTRY_BLOCKED, false);
	}
}

/* Back from the call: with its proc it runs on; else it waits for one. */
static void
step_syscall(struct maker *maker, actor_ref g)
{
	struct walker *walker = &maker->walkers[g];
	if (below(maker, 3) == 0) {
		lose_proc(maker, g);
		return;
	}
	if (walker->proc == REF_NONE) {
		struct state_change ready = new_change(maker, g, STATE_READY, ENTRY_RETURNED);
		ready.stack = STACK_NONE;
		change_state(maker, &ready);
		return;
	}
	struct state_change change = new_change(maker, g, STATE_RUNNING, ENTRY_RETURNED);
	change.processor = walker->proc;
	change.thread = walker->thread;
	change_state(maker, &change);
}

static void
mention(struct maker *maker, actor_ref g)
{
	switch (below(maker, 4)) {
	case 0:
		run(maker, g, ENTRY_STATUS, true);
		break;
	case 1:
		wake(maker, g, ENTRY_STATUS, true);
		break;
	case 2:
		enter_syscall(maker, g, true);
		break;
	default:
		block(maker, g, ENTRY_STATUS, true);
	}
}

/* Some are never named; some have gone through states of several segments before they are. */
static void
maybe_name(struct maker *maker, actor_ref g, uint32_t odds)
{
	struct error err = { 0 };
	uint32_t function = below(maker, FUNCTIONS);
	if (maker->random->names[g] != STRING_EMPTY || below(maker, odds) > 0)
		return;
	check(builder_name(maker->builder, g, maker->functions[function], &err), maker, &err);
	maker->random->names[g] = maker->functions[function];
}

static void
step_goroutine(struct maker *maker, actor_ref g)
{
	struct walker *walker = &maker->walkers[g];
	if (!walker->is_known) {
		if (maker->is_first_generation)
			mention(maker, g);
		return;
	}
	maybe_name(maker, g, 4);
	switch (walker->state) {
	case STATE_RUNNING:
		step_running(maker, g);
		break;
	case STATE_READY:
		run(maker, g, ENTRY_STARTED, false);
		break;
	case STATE_BLOCKED:
		wake(maker, g, ENTRY_UNBLOCKED, false);
		break;
	case STATE_SYSCALL:
		step_syscall(maker, g);
		break;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_COUNT:
		break;
	}
}

/* ---- what else there is in a trace */

static void
create(struct maker *maker)
{
	struct random_trace *random = maker->random;
	struct error err = { 0 };
	actor_ref creator = below(maker, random->goroutine_count), ref;
	if (random->goroutine_count == RANDOM_GOROUTINES)
		return;
	actor_ref g = random->goroutine_count++;
	check(builder_create(maker->builder, g + 1, creator, maker->stacks[0], &ref, &err), maker,
		&err);
	assert_int_equal(ref, g);
	maybe_name(maker, g, 2);
	maker->walkers[g] = (struct walker){ .proc = REF_NONE, .thread = REF_NONE };
	wake(maker, g, ENTRY_CREATED, false);
}

/* A collection or a stop of the world begins, or the one that is open ends. */
static void
toggle_range(struct maker *maker, enum range_type type, bool *is_open, struct plain_lane *lane)
{
	struct error err = { 0 };
	struct range range = { .type = (uint8_t)type,
		.scope = type == RANGE_STW ? 0 : REF_NONE,
		.beginner = 0,
		.task = REF_NONE,
		.parent = REF_NONE };
	if (*is_open) {
		assert_true(builder_range_end(maker->builder, &range));
		plain_end(lane, maker->now_ns);
	} else {
		check(builder_range_begin(maker->builder, &range, &err), maker, &err);
		plain_add(lane, (struct plain_span){ .start_ns = maker->now_ns,
					.is_open = true,
					.time_class = CLASS_RUNNING });
	}
	*is_open = !*is_open;
}

static void
step_region(struct maker *maker)
{
	struct random_trace *random = maker->random;
	actor_ref g = below(maker, random->goroutine_count);
	struct walker *walker = &maker->walkers[g];
	struct error err = { 0 };
	if (!walker->is_known || walker->state != STATE_RUNNING)
		return;
	struct range region = { .type = RANGE_REGION,
		.scope = g,
		.beginner = g,
		.name = maker->reasons[0],
		.task = REF_NONE,
		.parent = REF_NONE };
	if (walker->depth > 0 && below(maker, 2) == 0) {
		assert_true(builder_range_end(maker->builder, &region));
		size_t last = random->region_count;
		while (last-- > 0)
			if (random->regions[last].goroutine == g &&
				random->regions[last].depth == walker->depth &&
				random->regions[last].end_ns == TIME_OPEN)
				break;
		random->regions[last].end_ns = maker->now_ns;
		walker->depth--;
		return;
	}
	check(builder_range_begin(maker->builder, &region, &err), maker, &err);
	check(array_reserve(&random->regions, &random->region_capacity, random->region_count + 1,
		      sizeof(*random->regions), &err),
		maker, &err);
	random->regions[random->region_count++] = (struct plain_region){
		.goroutine = g,
		.start_ns = maker->now_ns,
		.end_ns = TIME_OPEN,
		.depth = ++walker->depth,
		.range = random->trace->ranges.count - 1,
	};
}

static void
step_counter(struct maker *maker)
{
	struct plain_counter *counter = &maker->random->counter;
	struct error err = { 0 };
	uint64_t value = random_next(&maker->chance) >> below(maker, 64);
	check(builder_counter(maker->builder, COUNTER_HEAP_ALLOC, value, &err), maker, &err);
	check(array_reserve(&counter->time_ns, &counter->time_capacity, counter->count + 1,
		      sizeof(*counter->time_ns), &err) &&
			array_reserve(&counter->value, &counter->value_capacity, counter->count + 1,
				sizeof(*counter->value), &err),
		maker, &err);
	counter->time_ns[counter->count] = maker->now_ns;
	counter->value[counter->count++] = value;
}

static void
step_log(struct maker *maker)
{
	struct error err = { 0 };
	struct instant log = { .type = INSTANT_LOG,
		.actor = below(maker, maker->random->goroutine_count),
		.processor = REF_NONE,
		.thread = REF_NONE,
		.task = REF_NONE,
		.text = maker->reasons[below(maker, REASONS)] };
	check(builder_instant(maker->builder, &log, &err), maker, &err);
}

/* Mostly short, sometimes long, now and then longer than 32 bits of nanoseconds. */
static int64_t
gap_ns(struct maker *maker)
{
	static const uint64_t limits[] = { 3, 100, 10000, 1000000 };
	uint32_t kind = below(maker, 2000);
	if (kind == 0)
		return INT64_C(5000000000);
	return 1 + (int64_t)(random_next(&maker->chance) % limits[kind % ARRAY_LENGTH(limits)]);
}

static void
tick(struct maker *maker, int64_t gap)
{
	struct error err = { 0 };
	maker->now_ns += gap;
	check(builder_event(maker->builder, maker->origin_ns + maker->now_ns, &err), maker, &err);
}

/* Now and then one follows in which no goroutine changes: some lose their procs. */
static void
end_generation(struct maker *maker)
{
	struct error err = { 0 };
	check(builder_generation_end(maker->builder, &err), maker, &err);
	maker->is_first_generation = false;
	if (below(maker, 3) > 0)
		return;
	tick(maker, gap_ns(maker));
	for (actor_ref g = 0; g < maker->random->goroutine_count; g++)
		if (maker->walkers[g].state == STATE_SYSCALL)
			lose_proc(maker, g);
	check(builder_generation_end(maker->builder, &err), maker, &err);
}

/* A goroutine, rather not one that waits in vain for a proc, or is gone. */
static actor_ref
choose(struct maker *maker)
{
	actor_ref chosen = 0;
	for (int tries = 0; tries < 8; tries++) {
		bool is_favoured = maker->is_skewed && below(maker, 8) > 0;
		chosen = below(maker, is_favoured ? 2 : maker->random->goroutine_count);
		enum state state = maker->walkers[chosen].state;
		if (state == STATE_RUNNING || state == STATE_BLOCKED || state == STATE_SYSCALL)
			break;
	}
	return chosen;
}

static void
step(struct maker *maker)
{
	struct random_trace *random = maker->random;
	switch (below(maker, 40)) {
	case 0:
		if (below(maker, 3) == 0)
			create(maker);
		break;
	case 1:
		toggle_range(maker, RANGE_GC_MARK, &maker->gc_is_open, &random->gc);
		break;
	case 2:
		toggle_range(maker, RANGE_STW, &maker->stw_is_open, &random->stw);
		break;
	case 3:
	case 4:
		step_counter(maker);
		break;
	case 5:
	case 6:
		step_region(maker);
		break;
	case 7:
		step_log(maker);
		break;
	case 8:
		if (below(maker, 12) == 0)
			end_generation(maker);
		break;
	default:
		step_goroutine(maker, choose(maker));
	}
}

/* ---- the whole */

static void
make_tables(struct maker *maker)
{
	struct trace *trace = maker->random->trace;
	struct error err = { 0 };
	char name[32];
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		int length = snprintf(name, sizeof(name),
			i == POLLER ? "internal/poll.function%" PRIu32 : "main.function%" PRIu32, i);
		check(intern_add(&trace->strings, name, (size_t)length, &maker->functions[i], &err),
			maker, &err);
	}
	for (uint32_t i = 0; i < REASONS; i++)
		check(intern_add(&trace->strings, reason_names[i], strlen(reason_names[i]),
			      &maker->reasons[i], &err),
			maker, &err);
	for (uint32_t i = 0; i < STACKS; i++) {
		struct stack_frame frame = { .line = i, .function = maker->functions[i % FUNCTIONS] };
		frame_id id;
		stack_id caller = i < FUNCTIONS ? STACK_NONE : maker->stacks[below(maker, i)];
		check(stack_table_add_frame(&trace->stacks, &frame, &id, &err) &&
				stack_table_add_node(
					&trace->stacks, caller, id, &maker->stacks[i], &err),
			maker, &err);
	}
}

/* Goroutines older than the trace are known to the builder before anything happens to them. */
static void
make_old_goroutines(struct maker *maker)
{
	struct random_trace *random = maker->random;
	struct error err = { 0 };
	random->goroutine_count = 2 + below(maker, 12);
	for (actor_ref g = 0, ref; g < random->goroutine_count; g++) {
		check(builder_actor(maker->builder, g + 1, &ref, &err), maker, &err);
		assert_int_equal(ref, g);
		maybe_name(maker, g, 2);
		maker->walkers[g] = (struct walker){ .proc = REF_NONE, .thread = REF_NONE };
	}
	maker->proc_count = 1 + below(maker, RANDOM_PROCS);
	maker->thread_count = maker->proc_count + below(maker, RANDOM_THREADS - RANDOM_PROCS + 1);
	for (uint32_t i = 0, ref; i < maker->proc_count; i++)
		check(builder_processor(maker->builder, i, &ref, &err), maker, &err);
	for (uint32_t i = 0, ref; i < maker->thread_count; i++)
		check(builder_thread(maker->builder, 1000 + i, &ref, &err), maker, &err);
}

static void
close_lanes(struct plain_lane *lanes, size_t count, int64_t end_ns)
{
	for (size_t i = 0; i < count; i++)
		if (lanes[i].count > 0 && plain_last(&lanes[i])->is_open)
			plain_last(&lanes[i])->end_ns = end_ns;
}

static void
finish(struct maker *maker)
{
	struct random_trace *random = maker->random;
	struct error err = { 0 };
	tick(maker, 1 + below(maker, 1000));
	check(builder_generation_end(maker->builder, &err), maker, &err);
	check(builder_finish(maker->builder, &err), maker, &err);
	builder_free(maker->builder);
	random->end_ns = maker->now_ns;
	close_lanes(random->goroutines, random->goroutine_count, random->end_ns);
	close_lanes(random->procs, maker->proc_count, random->end_ns);
	close_lanes(random->threads, maker->thread_count, random->end_ns);
	close_lanes(&random->gc, 1, random->end_ns);
	close_lanes(&random->stw, 1, random->end_ns);
	/* What began as ready ends as it did on the goroutine's lane. */
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		close_lanes(&random->wakes[row], 1, random->end_ns);
}

void
random_trace_make(struct random_trace *random, uint64_t seed)
{
	struct error err = { 0 };
	struct maker maker = { .random = random, .chance = seed, .is_first_generation = true };
	*random = (struct random_trace){ .seed = seed, .trace = go_trace_new(&err) };
	assert_non_null(random->trace);
	maker.builder = builder_new(random->trace, &err);
	assert_non_null(maker.builder);
	maker.origin_ns = (int64_t)(random_next(&maker.chance) >> 20);
	maker.is_skewed = below(&maker, 2) == 0;
	tick(&maker, 0);
	make_tables(&maker);
	make_old_goroutines(&maker);
	uint32_t steps = 50 + below(&maker, below(&maker, 3) == 0 ? 8000 : 600);
	for (uint32_t i = 0; i < steps; i++) {
		if (i > 0)
			tick(&maker, gap_ns(&maker));
		step(&maker);
	}
	finish(&maker);
}

static void
release_lanes(struct plain_lane *lanes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memory_free(lanes[i].spans);
}

void
random_trace_release(struct random_trace *random)
{
	release_lanes(random->goroutines, RANDOM_GOROUTINES);
	release_lanes(random->procs, RANDOM_PROCS);
	release_lanes(random->threads, RANDOM_THREADS);
	release_lanes(random->wakes, WAKE_ROW_COUNT);
	release_lanes(&random->gc, 1);
	release_lanes(&random->stw, 1);
	memory_free(random->counter.time_ns);
	memory_free(random->counter.value);
	memory_free(random->regions);
	trace_free(random->trace);
}

void
random_each_seed(uint64_t count, void (*function)(uint64_t seed))
{
	const char *only = getenv("TTRACE_SEED");
	if (only != NULL) {
		function(strtoull(only, NULL, 0));
		return;
	}
	for (uint64_t seed = 1; seed <= count; seed++)
		function(seed);
}
