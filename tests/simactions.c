/*
 * What the simulated scheduler does next. A step picks a thread and lets it do
 * something that its state allows; what a running goroutine does is drawn
 * from the weights of the options.
 */

#include "simcore.h"

#include <assert.h>

#define STUCK_EVERY 200   /* one block in so many is forever */
#define QUIET_EVERY 8     /* after one turn in so many a thread computes for a while */
#define COMPUTE_GAPS 200  /* at most so many times the mean gap */
#define IDLE_GAPS 120     /* likewise, for a thread that finds nothing to do */
#define GC_MIN_EVENTS 200 /* length of a GC cycle */

static const uint32_t kind_mark_termination = 0, kind_sweep_termination = 1, kind_gomaxprocs = 2,
	first_other_kind = 4; /* in the pool's texts for stop-the-world */

/* ---- helpers */

static struct sim_p *
idle_processor(struct sim *s)
{
	uint32_t start = sim_below(s, s->active_procs);
	for (uint32_t i = 0; i < s->active_procs; i++) {
		struct sim_p *p = &s->procs[(start + i) % s->active_procs];
		if (p->status == P_IDLE)
			return p;
	}
	return NULL;
}

static void
be_quiet(struct sim *s, struct sim_m *m, uint32_t gaps)
{
	uint64_t gap_ticks = s->options.mean_gap_ticks * s->tick_unit;
	m->quiet_until = s->now + gap_ticks * (1 + sim_below(s, gaps));
}

static void
start_actor(struct sim *s, struct sim_m *m, struct sim_g *g)
{
	sim_go_start(s, m, g);
	if (g->is_worker) {
		enum pool_reason label = sim_one_in(s, 3) ? REASON_GC_IDLE : REASON_GC_DEDICATED;
		sim_label(s, m, pool_reason(&s->pool, label));
	}
}

static void
stop_thread(struct sim *s, struct sim_m *by, struct sim_m *m)
{
	if (m->p->status == P_SYSCALL) {
		sim_proc_steal(s, by, m->p);
		return;
	}
	if (m->p->is_sweeping)
		sim_sweep_end(s, m);
	if (m->g != NULL)
		sim_go_stop(s, m, REASON_PREEMPTED);
	sim_proc_stop(s, m);
}

static void
stop_the_world(struct sim *s, struct sim_m *by, uint32_t kind)
{
	sim_stw_begin(s, by, kind);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		struct sim_m *m = &s->threads[i];
		if (m != by && m->p != NULL)
			stop_thread(s, by, m);
	}
	for (uint32_t i = 0; i < s->options.procs; i++) {
		if (s->procs[i].status == P_ABANDONED)
			sim_proc_steal(s, by, &s->procs[i]);
	}
}

static uint32_t
stw_kind(const struct sim *s, uint32_t index)
{
	return s->pool.kinds[TEXTS_STW].first + index;
}

/* ---- what a running goroutine does; false: not now */

static bool
block(struct sim *s, struct sim_m *m, enum pool_reason reason, enum pool_stacks stacks,
	enum sim_queue queue)
{
	uint32_t stack = sim_any_stack(s, stacks);
	if (!m->g->is_main && s->stuck_count < s->options.goroutines / 8 &&
		sim_one_in(s, STUCK_EVERY)) {
		s->stuck_count++;
		sim_go_block(s, m, REASON_FOREVER, stack, QUEUE_NONE);
	} else {
		sim_go_block(s, m, reason, stack, queue);
	}
	return true;
}

static bool
do_channel(struct sim *s, struct sim_m *m)
{
	if (sim_one_in(s, 2))
		return block(s, m, REASON_CHAN_SEND, STACKS_CHAN_SEND, QUEUE_BLOCKED);
	return block(s, m, REASON_CHAN_RECEIVE, STACKS_CHAN_RECEIVE, QUEUE_BLOCKED);
}

static bool
do_sync(struct sim *s, struct sim_m *m)
{
	if (sim_one_in(s, 4))
		return block(s, m, REASON_COND, STACKS_COND, QUEUE_BLOCKED);
	return block(s, m, REASON_SYNC, STACKS_LOCK, QUEUE_BLOCKED);
}

static bool
do_select(struct sim *s, struct sim_m *m)
{
	return block(s, m, REASON_SELECT, STACKS_SELECT,
		sim_one_in(s, 2) ? QUEUE_BLOCKED : QUEUE_EXTERNAL);
}

static bool
do_network(struct sim *s, struct sim_m *m)
{
	return block(s, m, REASON_NETWORK, STACKS_NETWORK, QUEUE_EXTERNAL);
}

static bool
do_sleep(struct sim *s, struct sim_m *m)
{
	return block(s, m, REASON_SLEEP, STACKS_SLEEP, QUEUE_EXTERNAL);
}

static bool
do_wake(struct sim *s, struct sim_m *m)
{
	bool is_enough = s->queues[QUEUE_READY].count > 4 * s->active_procs;
	struct sim_g *g = is_enough && !sim_one_in(s, 8) ? NULL : sim_pick(s, QUEUE_BLOCKED);
	if (g != NULL)
		sim_go_unblock(s, m, g);
	return g != NULL;
}

static bool
do_preempt(struct sim *s, struct sim_m *m)
{
	sim_go_stop(s, m, REASON_PREEMPTED);
	return true;
}

static bool
do_yield(struct sim *s, struct sim_m *m)
{
	sim_go_stop(s, m, REASON_GOSCHED);
	return true;
}

static bool
do_syscall(struct sim *s, struct sim_m *m)
{
	sim_syscall_begin(s, m);
	if (sim_one_in(s, 2))
		sim_syscall_end(s, m);
	return true;
}

static bool
is_free_to_exit(const struct sim_g *g)
{
	return !g->is_main && !g->is_foreign && !g->is_assisting;
}

static bool
do_coroutine(struct sim *s, struct sim_m *m)
{
	if (s->options.version < 23 || m->g->is_foreign)
		return false;
	struct sim_g *g = sim_pick(s, QUEUE_COROUTINE);
	bool is_full = s->queues[QUEUE_COROUTINE].count >= 4 + s->options.goroutines / 16;
	if (g == NULL || (!is_full && sim_one_in(s, 4)))
		return sim_go_create(s, m, true) != NULL;
	bool is_destroy = m->g->is_coroutine && is_free_to_exit(m->g) && sim_one_in(s, 4);
	sim_go_switch(s, m, g, is_destroy);
	return true;
}

static bool
do_create(struct sim *s, struct sim_m *m)
{
	if (s->live.count >= s->options.goroutines && !sim_one_in(s, 8))
		return false;
	return sim_go_create(s, m, false) != NULL;
}

/* A coroutine ends by switching to another one. */
static bool
do_exit(struct sim *s, struct sim_m *m)
{
	bool is_wanted = s->live.count > s->options.goroutines || sim_one_in(s, 8);
	if (!is_wanted || m->g->is_coroutine || !is_free_to_exit(m->g))
		return false;
	sim_go_destroy(s, m);
	return true;
}

static void
gc_cycle_begin(struct sim *s, struct sim_m *m)
{
	uint32_t kind = stw_kind(s, kind_sweep_termination);
	stop_the_world(s, m, kind);
	sim_gc_begin(s, m);
	s->gc_end_event = s->event_count + GC_MIN_EVENTS + sim_below(s, 800);
	struct sim_g *worker;
	while ((worker = sim_pick(s, QUEUE_WORKER)) != NULL)
		sim_go_unblock(s, m, worker);
	sim_stw_end(s, m, kind);
}

static void
gc_cycle_end(struct sim *s, struct sim_m *m)
{
	uint32_t kind = stw_kind(s, kind_mark_termination);
	stop_the_world(s, m, kind);
	sim_gc_end(s, m);
	s->heap_bytes = s->heap_bytes / 2 + 4096;
	sim_heap(s, m, WIRE_HEAP_ALLOC, s->heap_bytes);
	sim_heap(s, m, WIRE_HEAP_GOAL, s->heap_bytes * 2);
	sim_stw_end(s, m, kind);
}

static bool
do_gc(struct sim *s, struct sim_m *m)
{
	if (s->is_gc_on)
		return false;
	gc_cycle_begin(s, m);
	return true;
}

static bool
do_stw(struct sim *s, struct sim_m *m)
{
	uint32_t others = s->pool.kinds[TEXTS_STW].count - first_other_kind;
	uint32_t kind = stw_kind(s, first_other_kind + sim_below(s, others));
	stop_the_world(s, m, kind);
	sim_stw_end(s, m, kind);
	return true;
}

/* The proc of the caller must be one of those that stay. */
static bool
do_procs(struct sim *s, struct sim_m *m)
{
	uint32_t least = (uint32_t)m->p->id + 1;
	if (least < s->options.procs / 2)
		least = s->options.procs / 2;
	uint32_t kind = stw_kind(s, kind_gomaxprocs);
	stop_the_world(s, m, kind);
	s->active_procs = least + sim_below(s, s->options.procs - least + 1);
	sim_procs_change(s, m);
	sim_stw_end(s, m, kind);
	return true;
}

static bool
do_assist(struct sim *s, struct sim_m *m)
{
	if (!s->is_gc_on || m->g->is_assisting)
		return false;
	sim_assist_begin(s, m);
	if (sim_one_in(s, 3))
		sim_go_block(s, m, REASON_ASSIST_WAIT, sim_any_stack(s, STACKS_ALLOC),
			QUEUE_EXTERNAL);
	return true;
}

static bool
do_sweep(struct sim *s, struct sim_m *m)
{
	if (s->is_gc_on)
		return false;
	sim_sweep_begin(s, m);
	return true;
}

static bool
do_heap(struct sim *s, struct sim_m *m)
{
	s->heap_bytes += 8192 * (uint64_t)(1 + sim_below(s, 64));
	sim_heap(s, m, WIRE_HEAP_ALLOC, s->heap_bytes);
	return true;
}

static bool
do_task(struct sim *s, struct sim_m *m)
{
	bool is_end = s->task_count == SIM_MAX_TASKS || sim_one_in(s, 2);
	if (!is_end)
		sim_task_begin(s, m);
	else if (s->task_count > 0)
		sim_task_end(s, m, sim_below(s, s->task_count));
	return !is_end || s->task_count > 0;
}

static bool
do_region(struct sim *s, struct sim_m *m)
{
	uint8_t depth = m->g->region_count;
	if (depth == SIM_MAX_REGIONS || (depth > 0 && sim_one_in(s, 2)))
		sim_region_end(s, m);
	else
		sim_region_begin(s, m);
	return true;
}

static bool
do_log(struct sim *s, struct sim_m *m)
{
	sim_log(s, m);
	return true;
}

static bool
do_label(struct sim *s, struct sim_m *m)
{
	sim_label(s, m, sim_any_text(s, TEXTS_LABEL));
	return true;
}

static bool
do_sample(struct sim *s, struct sim_m *m)
{
	sim_sample(s, m);
	return true;
}

static bool
do_experiment(struct sim *s, struct sim_m *m)
{
	if (s->options.version < 23)
		return false;
	unsigned id = WIRE_SPAN + sim_below(s, WIRE_GOROUTINE_STACK_FREE - WIRE_SPAN + 1);
	uint64_t args[] = { sim_below(s, 1u << 20), 1 + sim_below(s, 8), sim_below(s, 136) };
	sim_experiment(s, m, id, args);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(struct sim *s, struct sim_m *m); /* NULL: not the goroutine's to do */
} activities[SIM_ACTIVITY_COUNT] = {
	[SIM_CHANNEL] = { "channel", do_channel },
	[SIM_SYNC] = { "sync", do_sync },
	[SIM_SELECT] = { "select", do_select },
	[SIM_NETWORK] = { "network", do_network },
	[SIM_SLEEP] = { "sleep", do_sleep },
	[SIM_WAKE] = { "wake", do_wake },
	[SIM_PREEMPT] = { "preempt", do_preempt },
	[SIM_YIELD] = { "yield", do_yield },
	[SIM_SYSCALL] = { "syscall", do_syscall },
	[SIM_STEAL] = { "steal", NULL },
	[SIM_COROUTINE] = { "coroutine", do_coroutine },
	[SIM_CGO] = { "cgo", NULL },
	[SIM_CREATE] = { "create", do_create },
	[SIM_EXIT] = { "exit", do_exit },
	[SIM_GC] = { "gc", do_gc },
	[SIM_STW] = { "stw", do_stw },
	[SIM_ASSIST] = { "assist", do_assist },
	[SIM_SWEEP] = { "sweep", do_sweep },
	[SIM_HEAP] = { "heap", do_heap },
	[SIM_PROCS] = { "procs", do_procs },
	[SIM_TASK] = { "task", do_task },
	[SIM_REGION] = { "region", do_region },
	[SIM_LOG] = { "log", do_log },
	[SIM_LABEL] = { "label", do_label },
	[SIM_SAMPLE] = { "sample", do_sample },
	[SIM_EXPERIMENT] = { "experiment", do_experiment },
};

const char *
sim_activity_name(enum sim_activity activity)
{
	assert(activity < SIM_ACTIVITY_COUNT);
	return activities[activity].name;
}

/* The slots of the wheel are shared out by weight; no weight at all is one slot of yields. */
void
sim_fill_wheel(struct sim *s)
{
	uint32_t total = 0;
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++)
		total += activities[i].run != NULL ? s->options.mix[i] : 0;
	s->wheel[0] = SIM_YIELD;
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++) {
		uint32_t weight = activities[i].run != NULL ? s->options.mix[i] : 0;
		if (weight == 0)
			continue;
		uint32_t slots = 1 + (uint32_t)((uint64_t)weight * SIM_WHEEL_SLOTS / total);
		while (slots-- > 0)
			s->wheel[s->wheel_count++] = (uint8_t)i;
	}
	s->wheel_count += s->wheel_count == 0;
}

/* ---- steps by the state of the thread */

static void
return_to_c(struct sim *s, struct sim_m *m)
{
	sim_syscall_begin(s, m);
	m->g->is_leaving = true;
	if (sim_one_in(s, 2))
		sim_destroy_syscall(s, m);
}

static void
worker_step(struct sim *s, struct sim_m *m)
{
	if (!s->is_gc_on)
		sim_go_block(s, m, REASON_SYSTEM, sim_any_stack(s, STACKS_WORKER), QUEUE_WORKER);
	else if (sim_one_in(s, 16))
		sim_go_stop(s, m, REASON_PREEMPTED);
	else if (s->options.mix[SIM_SAMPLE] > 0 && sim_one_in(s, 8))
		sim_sample(s, m);
	else
		be_quiet(s, m, IDLE_GAPS);
}

/* Too few are ready to keep the procs busy: then those that run wake others. */
static bool
is_starving(struct sim *s)
{
	return s->options.mix[SIM_WAKE] > 0 &&
		s->queues[QUEUE_READY].count < 2 * s->active_procs && sim_one_in(s, 2);
}

static void
running_step(struct sim *s, struct sim_m *m)
{
	struct sim_g *g = m->g;
	if (m->p->is_sweeping) {
		if (sim_one_in(s, 2))
			sim_sweep_end(s, m);
		else
			do_heap(s, m);
	} else if (g->is_worker) {
		worker_step(s, m);
	} else if (s->is_gc_on && s->event_count >= s->gc_end_event) {
		gc_cycle_end(s, m);
	} else if (g->is_assisting && sim_one_in(s, 4)) {
		sim_assist_end(s, m);
	} else if (g->is_foreign && !g->is_assisting && sim_one_in(s, 6)) {
		return_to_c(s, m);
	} else if (!is_starving(s) || !do_wake(s, m)) {
		activities[s->wheel[sim_below(s, s->wheel_count)]].run(s, m);
	}
	if (sim_one_in(s, QUIET_EVERY))
		be_quiet(s, m, COMPUTE_GAPS);
}

/* Back from a syscall that cost the proc: with another one at once, or not. */
static void
return_blocked(struct sim *s, struct sim_m *m)
{
	struct sim_g *g = m->g;
	struct sim_p *p = sim_one_in(s, 2) ? idle_processor(s) : NULL;
	if (p != NULL)
		sim_proc_start(s, m, p);
	sim_syscall_end_blocked(s, m);
	if (p != NULL)
		start_actor(s, m, g);
}

static void
syscall_step(struct sim *s, struct sim_m *m)
{
	if (sim_one_in(s, 4)) {
		be_quiet(s, m, COMPUTE_GAPS);
	} else if (m->g->is_leaving) {
		if (m->p == NULL || sim_one_in(s, 4))
			sim_destroy_syscall(s, m);
	} else if (m->p != NULL && s->options.mix[SIM_STEAL] > 0 && sim_one_in(s, 16)) {
		sim_proc_steal(s, m, m->p); /* from itself */
		return_blocked(s, m);
	} else if (sim_one_in(s, 2)) {
		if (m->p != NULL)
			sim_syscall_end(s, m);
		else
			return_blocked(s, m);
	}
}

/* Has a proc and nothing to run on it. */
static void
spinning_step(struct sim *s, struct sim_m *m)
{
	struct sim_g *timer = sim_one_in(s, 16) ? sim_pick(s, QUEUE_EXTERNAL) : NULL;
	struct sim_g *ready = sim_pick(s, QUEUE_READY);
	if (timer != NULL)
		sim_go_unblock(s, m, timer);
	else if (ready != NULL)
		start_actor(s, m, ready);
	else if (s->live.count < s->options.goroutines && sim_one_in(s, 16))
		sim_go_create(s, m, false);
	else if (sim_one_in(s, 2))
		sim_proc_stop(s, m);
}

static bool
try_steal(struct sim *s, struct sim_m *m)
{
	struct sim_p *p = &s->procs[sim_below(s, s->options.procs)];
	bool is_wanted = p->status == P_ABANDONED ||
		(p->status == P_SYSCALL && sim_below(s, 16) < s->options.mix[SIM_STEAL]);
	if (!is_wanted)
		return false;
	sim_proc_steal(s, m, p);
	if (p->id < s->active_procs && !m->is_foreign && !sim_one_in(s, 4))
		sim_proc_start(s, m, p);
	return true;
}

/* The network poller runs on any thread; now and then nobody says who it was. */
static bool
try_poll(struct sim *s, struct sim_m *m)
{
	enum sim_queue queue = sim_one_in(s, 64) ? QUEUE_BLOCKED : QUEUE_EXTERNAL;
	/* The more wait, the sooner one of them is woken. */
	bool is_due = sim_below(s, 1 + s->options.goroutines / 2) < s->queues[queue].count;
	struct sim_g *g = is_due ? sim_pick(s, queue) : NULL;
	if (g != NULL)
		sim_go_unblock(s, sim_one_in(s, 64) ? &s->nobody : m, g);
	return g != NULL;
}

static void
idle_step(struct sim *s, struct sim_m *m)
{
	if (m->is_foreign && sim_below(s, 256) < s->options.mix[SIM_CGO]) {
		sim_create_syscall(s, m);
		return;
	}
	if (try_steal(s, m) || try_poll(s, m))
		return;
	bool is_needed = s->queues[QUEUE_READY].count > 0 || sim_one_in(s, 32);
	struct sim_p *p = is_needed && !m->is_foreign ? idle_processor(s) : NULL;
	if (p != NULL)
		sim_proc_start(s, m, p);
	else
		be_quiet(s, m, IDLE_GAPS);
}

/* All threads are quiet: time passes until one is not. */
static struct sim_m *
wait_for_thread(struct sim *s)
{
	struct sim_m *first = s->threads;
	for (uint32_t i = 1; i < s->thread_count; i++) {
		if (s->threads[i].quiet_until < first->quiet_until)
			first = &s->threads[i];
	}
	s->now = first->quiet_until;
	s->last_m = NULL;
	return first;
}

static struct sim_m *
next_thread(struct sim *s)
{
	struct sim_m *start = s->threads + sim_below(s, s->thread_count);
	struct sim_m *end = s->threads + s->thread_count;
	for (struct sim_m *m = start; m < end; m++) {
		if (m->quiet_until <= s->now)
			return m;
	}
	for (struct sim_m *m = s->threads; m < start; m++) {
		if (m->quiet_until <= s->now)
			return m;
	}
	return wait_for_thread(s);
}

void
sim_step(struct sim *s)
{
	struct sim_m *m = next_thread(s);
	if (m->g != NULL && m->g->state == SIM_IN_SYSCALL)
		syscall_step(s, m);
	else if (m->g != NULL)
		running_step(s, m);
	else if (m->p != NULL)
		spinning_step(s, m);
	else
		idle_step(s, m);
}
