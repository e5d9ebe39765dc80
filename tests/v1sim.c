/*
 * The scheduler behind simulated traces from before Go 1.22. Each action takes one
 * moment of a clock that all procs share, writes a record to the buffer of its proc,
 * and notes what a reader must make of it. Buffers become batches in any order.
 */
#include "v1sim.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "v1writer.h"

enum {
	PROCS = 5,
	GOROUTINES_MAX = 40,
	REGIONS_MAX = 3,
	STRINGS = 6,
	STACKS = 4,
	TASKS_MAX = 8,
	TICK = 8,          /* what lies between leaves room for what comes a nanosecond later */
	NO_GOROUTINE = -1,
};

#define NONE UINT64_MAX

enum status { GONE, RUNNABLE, RUNNING, WAITING, IN_SYSCALL };

struct region {
	uint64_t task, name;
};

struct goroutine {
	enum status status;
	uint64_t id, sequence;
	unsigned last_proc;
	bool waits_for_network, is_assisting;
	struct region regions[REGIONS_MAX];
	unsigned region_count;
};

struct proc {
	bool is_running, is_mentioned, is_sweeping;
	uint64_t m;
	int g; /* index, or NO_GOROUTINE */
	struct text records;
	uint64_t start, last; /* ticks of the batch and of the record before */
};

/* What a reader must find: a part of the lines. */
struct fact {
	uint64_t time;
	size_t at, length;
};

struct sim {
	uint64_t random, now, origin;
	unsigned minor;
	struct proc procs[PROCS];
	struct goroutine goroutines[GOROUTINES_MAX];
	uint64_t next_id, next_task, collections;
	bool is_collecting;
	uint64_t tasks[TASKS_MAX][3]; /* id (0: free), parent, name */
	struct text *trace;
	struct text told;
	struct fact *facts;
	size_t fact_count, fact_capacity;
	bool is_broken; /* no memory */
};

static uint64_t
dice(struct sim *sim, uint64_t sides)
{
	sim->random = sim->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (sim->random >> 33) % sides;
}

/* ---- records */

static void
flush(struct sim *sim, unsigned p)
{
	struct proc *proc = &sim->procs[p];
	uint64_t args[] = { p, proc->start };
	if (proc->records.length == 0)
		return;
	v1w_record(sim->trace, "Batch", args, 2);
	text_add(sim->trace, proc->records.bytes, proc->records.length);
	text_release(&proc->records);
	proc->records = (struct text){ 0 };
}

static struct text *
open_batch(struct sim *sim, unsigned p)
{
	struct proc *proc = &sim->procs[p];
	if (dice(sim, 30) == 0)
		flush(sim, p);
	if (proc->records.length == 0)
		proc->start = proc->last = sim->now - dice(sim, 20);
	return &proc->records;
}

/* A record of proc p, now. */
static void
put(struct sim *sim, unsigned p, const char *name, const uint64_t *args, unsigned count)
{
	uint64_t all[6];
	struct text *records = open_batch(sim, p);
	assert(count < ARRAY_LENGTH(all));
	all[0] = sim->now - sim->procs[p].last;
	for (unsigned i = 0; i < count; i++)
		all[i + 1] = args[i];
	v1w_record(records, name, all, count + 1);
	sim->procs[p].last = sim->now;
}

#define PUT(sim, p, name, ...) \
	put(sim, p, name, (const uint64_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* ---- what a reader must find */

static void
tell_at(struct sim *sim, uint64_t time, const char *context, const char *what, uint64_t stack)
{
	struct error err = { 0 };
	size_t at = sim->told.length;
	text_format(&sim->told, "%" PRIu64 " %s %s", time - sim->origin, context, what);
	if (stack != 0)
		text_format(&sim->told, " @s%" PRIu64, stack);
	text_add_string(&sim->told, "\n");
	if (!array_reserve(&sim->facts, &sim->fact_capacity, sim->fact_count + 1,
	                   sizeof(*sim->facts), &err)) {
		sim->is_broken = true;
		return;
	}
	sim->facts[sim->fact_count++] = (struct fact){ time, at, sim->told.length - at };
}

static uint64_t
running_id(const struct sim *sim, unsigned p)
{
	int g = sim->procs[p].g;
	return g == NO_GOROUTINE ? 0 : sim->goroutines[g].id;
}

/* M/P/G of numbers of which the largest stands for none. */
static void
spell_context(char context[80], uint64_t m, uint64_t p, uint64_t g)
{
	const uint64_t ids[] = { m, p, g };
	size_t length = 0;
	for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
		const char *before = i == 0 ? "" : "/";
		if (ids[i] == NONE)
			length += (size_t)snprintf(context + length, 80 - length, "%s-", before);
		else
			length += (size_t)snprintf(context + length, 80 - length, "%s%" PRIu64,
			                           before, ids[i]);
	}
}

/* Of proc p, with another goroutine in place of its own. */
static void
context_of(const struct sim *sim, unsigned p, uint64_t g, char context[80])
{
	const struct proc *proc = &sim->procs[p];
	spell_context(context, proc->is_running ? proc->m : NONE, p, g == 0 ? NONE : g);
}

/* Of a lane in place of a proc. */
static void
lane_context(char context[80], uint64_t lane, uint64_t g)
{
	spell_context(context, NONE, lane, g == 0 ? NONE : g);
}

static void
tell(struct sim *sim, unsigned p, const char *what, uint64_t stack)
{
	char context[80];
	context_of(sim, p, running_id(sim, p), context);
	tell_at(sim, sim->now, context, what, stack);
}

static void
tell_goroutine(struct sim *sim, unsigned p, const char *change, const char *reason,
               uint64_t stack)
{
	char what[120];
	snprintf(what, sizeof(what), "g%" PRIu64 " %s%s%s%s", running_id(sim, p), change,
	         *reason ? " (" : "", reason, *reason ? ")" : "");
	tell(sim, p, what, stack);
}

/* ---- goroutines */

static uint64_t
any_stack(struct sim *sim)
{
	return dice(sim, STACKS + 1);
}

static uint64_t
any_string(struct sim *sim)
{
	return 1 + dice(sim, STRINGS);
}

/* A goroutine in that state, from a random place on; NO_GOROUTINE if there is none. */
static int
find(struct sim *sim, enum status status)
{
	unsigned first = (unsigned)dice(sim, GOROUTINES_MAX);
	for (unsigned i = 0; i < GOROUTINES_MAX; i++) {
		unsigned at = (first + i) % GOROUTINES_MAX;
		if (sim->goroutines[at].status == status)
			return (int)at;
	}
	return NO_GOROUTINE;
}

/* A new one without a word to the reader. */
static int
new_goroutine(struct sim *sim, unsigned p, uint64_t new_stack, uint64_t stack)
{
	int at = find(sim, GONE);
	if (at == NO_GOROUTINE)
		return at;
	struct goroutine *g = &sim->goroutines[at];
	*g = (struct goroutine){ RUNNABLE, sim->next_id, 1, p, false, false, { { 0, 0 } }, 0 };
	sim->next_id += 1 + dice(sim, 3);
	PUT(sim, p, "GoCreate", g->id, new_stack, stack);
	return at;
}

static void
create(struct sim *sim, unsigned p)
{
	uint64_t new_stack = any_stack(sim), stack = any_stack(sim);
	int at = new_goroutine(sim, p, new_stack, stack);
	char what[80], own[30] = "";
	if (at == NO_GOROUTINE)
		return;
	if (new_stack != 0 && new_stack != stack)
		snprintf(own, sizeof(own), " in s%" PRIu64, new_stack);
	snprintf(what, sizeof(what), "g%" PRIu64 " NotExist->Runnable%s", sim->goroutines[at].id,
	         own);
	tell(sim, p, what, stack);
}

static void
put_start(struct sim *sim, unsigned p, struct goroutine *g, uint64_t label)
{
	if (label != 0)
		PUT(sim, p, "GoStartLabel", g->id, g->sequence, label);
	else if (g->last_proc == p)
		PUT(sim, p, "GoStartLocal", g->id);
	else
		PUT(sim, p, "GoStart", g->id, g->sequence);
	g->sequence++;
}

static void
start(struct sim *sim, unsigned p, int at)
{
	struct goroutine *g = &sim->goroutines[at];
	uint64_t label = dice(sim, 10) == 0 ? any_string(sim) : 0;
	char what[40], context[80];
	put_start(sim, p, g, label);
	g->status = RUNNING;
	g->last_proc = p;
	sim->procs[p].g = at;
	tell_goroutine(sim, p, "Runnable->Running", "", 0);
	if (label == 0)
		return;
	context_of(sim, p, g->id, context);
	snprintf(what, sizeof(what), "label s%" PRIu64, label);
	tell_at(sim, sim->now + 1, context, what, 0);
}

static const struct {
	const char *name, *reason;
} blocks[] = {
	{ "GoSleep", "sleep" },
	{ "GoBlock", "" },
	{ "GoBlockSend", "chan send" },
	{ "GoBlockRecv", "chan receive" },
	{ "GoBlockSelect", "select" },
	{ "GoBlockSync", "sync" },
	{ "GoBlockCond", "sync.(*Cond).Wait" },
	{ "GoBlockGC", "GC mark assist wait for work" },
	{ "GoBlockNet", "network" },
	{ "GoSched", "runtime.Gosched" },
	{ "GoPreempt", "preempted" },
};

/* The goroutine of p leaves it, for one of the reasons. */
static void
stop(struct sim *sim, unsigned p)
{
	struct goroutine *g = &sim->goroutines[sim->procs[p].g];
	uint64_t which = dice(sim, ARRAY_LENGTH(blocks)), stack = any_stack(sim);
	bool is_ready = which >= ARRAY_LENGTH(blocks) - 2;
	PUT(sim, p, blocks[which].name, stack);
	tell_goroutine(sim, p, is_ready ? "Running->Runnable" : "Running->Waiting",
	               blocks[which].reason, stack);
	g->status = is_ready ? RUNNABLE : WAITING;
	g->waits_for_network = strcmp(blocks[which].reason, "network") == 0;
	sim->procs[p].g = NO_GOROUTINE;
}

static void
end(struct sim *sim, unsigned p)
{
	struct goroutine *g = &sim->goroutines[sim->procs[p].g];
	bool is_for_good = dice(sim, 4) == 0;
	uint64_t stack = is_for_good ? any_stack(sim) : 0;
	if (is_for_good)
		PUT(sim, p, "GoStop", stack);
	else
		put(sim, p, "GoEnd", NULL, 0);
	tell_goroutine(sim, p, is_for_good ? "Running->Waiting" : "Running->NotExist",
	               is_for_good ? "forever" : "", stack);
	g->status = GONE;
	sim->procs[p].g = NO_GOROUTINE;
}

static void
unblock(struct sim *sim, unsigned p)
{
	int at = find(sim, WAITING);
	uint64_t stack = any_stack(sim);
	char what[60], context[80];
	if (at == NO_GOROUTINE)
		return;
	struct goroutine *g = &sim->goroutines[at];
	if (g->last_proc == p)
		PUT(sim, p, "GoUnblockLocal", g->id, stack);
	else
		PUT(sim, p, "GoUnblock", g->id, g->sequence, stack);
	g->sequence++;
	g->last_proc = p;
	g->status = RUNNABLE;
	context_of(sim, p, running_id(sim, p), context);
	if (g->waits_for_network)
		lane_context(context, 1000002, running_id(sim, p));
	snprintf(what, sizeof(what), "g%" PRIu64 " Waiting->Runnable", g->id);
	tell_at(sim, sim->now, context, what, stack);
}

/* ---- syscalls */

static void
syscall(struct sim *sim, unsigned p)
{
	uint64_t stack = any_stack(sim);
	char what[60], context[80];
	PUT(sim, p, "GoSysCall", stack);
	tell_goroutine(sim, p, "Running->Syscall", "", stack);
	if (dice(sim, 2) == 0) {
		sim->now += TICK;
		put(sim, p, "GoSysBlock", NULL, 0);
		sim->goroutines[sim->procs[p].g].status = IN_SYSCALL;
		sim->procs[p].g = NO_GOROUTINE;
		return;
	}
	context_of(sim, p, running_id(sim, p), context);
	snprintf(what, sizeof(what), "g%" PRIu64 " Syscall->Running", running_id(sim, p));
	tell_at(sim, sim->now + 1, context, what, 0);
}

/* Back from a syscall since `before`, which is later than anything else that was told. */
static void
sysexit(struct sim *sim, unsigned p, int at, uint64_t before)
{
	struct goroutine *g = &sim->goroutines[at];
	uint64_t true_time = dice(sim, 3) == 0 ? 0 : before + TICK / 2;
	char what[60], context[80];
	PUT(sim, p, "GoSysExit", g->id, g->sequence, true_time);
	g->sequence++;
	g->status = RUNNABLE;
	g->last_proc = p;
	lane_context(context, 1000003, g->id);
	snprintf(what, sizeof(what), "g%" PRIu64 " Syscall->Runnable", g->id);
	tell_at(sim, true_time == 0 ? sim->now : true_time, context, what, 0);
}

/* ---- procs */

static void
proc_start(struct sim *sim, unsigned p)
{
	struct proc *proc = &sim->procs[p];
	char what[60];
	proc->m = dice(sim, 20);
	proc->is_running = true;
	PUT(sim, p, "ProcStart", proc->m);
	snprintf(what, sizeof(what), "p%u %s->Running", p,
	         proc->is_mentioned ? "Idle" : "Undetermined");
	proc->is_mentioned = true;
	tell(sim, p, what, 0);
}

static void
proc_stop(struct sim *sim, unsigned p)
{
	char what[60];
	put(sim, p, "ProcStop", NULL, 0);
	snprintf(what, sizeof(what), "p%u Running->Idle", p);
	tell(sim, p, what, 0);
	sim->procs[p].is_running = false;
}

/* ---- the collector and numbers */

static void
collect(struct sim *sim, unsigned p)
{
	uint64_t stack = any_stack(sim);
	char context[80];
	if (sim->is_collecting) {
		put(sim, p, "GCDone", NULL, 0);
		tell(sim, p, "end GC", 0);
	} else {
		PUT(sim, p, "GCStart", sim->collections++, stack);
		lane_context(context, 1000004, running_id(sim, p));
		tell_at(sim, sim->now, context, "begin GC", stack);
	}
	sim->is_collecting = !sim->is_collecting;
}

static void
stop_the_world(struct sim *sim, unsigned p)
{
	static const char *const old[] = { "GC mark termination", "GC sweep termination", "" };
	static const char *const kinds[] = { "", "GC mark termination", "GC sweep termination",
		"write heap dump", "goroutine profile" };
	uint64_t kind = sim->minor < 21 ? dice(sim, 3) : dice(sim, ARRAY_LENGTH(kinds));
	const char *name = sim->minor < 21 ? old[kind] : kinds[kind];
	char what[100];
	PUT(sim, p, "GCSTWStart", kind);
	snprintf(what, sizeof(what), "begin STW (%s) g%" PRIu64, name, running_id(sim, p));
	tell(sim, p, what, 0);
	sim->now += TICK;
	put(sim, p, "GCSTWDone", NULL, 0);
	snprintf(what, sizeof(what), "end STW (%s) g%" PRIu64, name, running_id(sim, p));
	tell(sim, p, what, 0);
}

static void
sweep(struct sim *sim, unsigned p)
{
	uint64_t stack = any_stack(sim), swept = 1 + dice(sim, 100000), reclaimed = dice(sim, 5000);
	struct proc *proc = &sim->procs[p];
	char what[100];
	if (proc->is_sweeping) {
		PUT(sim, p, "GCSweepDone", swept, reclaimed);
		snprintf(what, sizeof(what), "end sweep p%u %" PRIu64 "/%" PRIu64, p, swept,
		         reclaimed);
	} else {
		PUT(sim, p, "GCSweepStart", stack);
		snprintf(what, sizeof(what), "begin sweep p%u", p);
	}
	tell(sim, p, what, proc->is_sweeping ? 0 : stack);
	proc->is_sweeping = !proc->is_sweeping;
}

static void
assist(struct sim *sim, unsigned p)
{
	struct goroutine *g = &sim->goroutines[sim->procs[p].g];
	uint64_t stack = any_stack(sim);
	char what[60];
	if (g->is_assisting)
		put(sim, p, "GCMarkAssistDone", NULL, 0);
	else
		PUT(sim, p, "GCMarkAssistStart", stack);
	snprintf(what, sizeof(what), "%s assist g%" PRIu64, g->is_assisting ? "end" : "begin", g->id);
	tell(sim, p, what, g->is_assisting ? 0 : stack);
	g->is_assisting = !g->is_assisting;
}

static void
metric(struct sim *sim, unsigned p)
{
	static const struct {
		const char *name, *told;
	} kinds[] = { { "HeapAlloc", "heap" }, { "HeapGoal", "goal" }, { "Gomaxprocs", "procs" } };
	uint64_t which = dice(sim, 3), value = dice(sim, UINT64_C(1) << (1 + dice(sim, 40)));
	uint64_t stack = which == 2 ? any_stack(sim) : 0;
	char what[60];
	if (which == 2)
		PUT(sim, p, kinds[which].name, value, stack);
	else
		PUT(sim, p, kinds[which].name, value);
	snprintf(what, sizeof(what), "%s %" PRIu64, kinds[which].told, value);
	tell(sim, p, what, stack);
}

/* A sample of any proc and goroutine, in the buffer of whichever proc. */
static void
sample(struct sim *sim, unsigned p)
{
	uint64_t g = dice(sim, 2) == 0 ? 0 : running_id(sim, p), stack = any_stack(sim);
	uint64_t of = dice(sim, 2) == 0 ? p : NONE;
	uint64_t args[] = { dice(sim, 100), sim->now, of, g, stack };
	char context[80];
	if (sim->minor < 19)
		return;
	v1w_record(open_batch(sim, (unsigned)dice(sim, PROCS)), "CPUSample", args,
	           ARRAY_LENGTH(args));
	lane_context(context, of, g);
	tell_at(sim, sim->now, context, "sample", stack);
}

/* ---- annotations */

static void
task(struct sim *sim, unsigned p)
{
	uint64_t *slot = sim->tasks[dice(sim, TASKS_MAX)], stack = any_stack(sim);
	char what[100];
	if (slot[0] != 0) {
		PUT(sim, p, "UserTaskEnd", slot[0], stack);
		snprintf(what, sizeof(what), "end task %" PRIu64 " of %" PRIu64 " s%" PRIu64, slot[0],
		         slot[1], slot[2]);
		slot[0] = 0;
		tell(sim, p, what, stack);
		return;
	}
	slot[0] = sim->next_task++;
	slot[1] = dice(sim, slot[0]);
	slot[2] = any_string(sim);
	PUT(sim, p, "UserTaskCreate", slot[0], slot[1], slot[2], stack);
	if (slot[1] == 0)
		snprintf(what, sizeof(what), "begin task %" PRIu64 " of - s%" PRIu64, slot[0],
		         slot[2]);
	else
		snprintf(what, sizeof(what), "begin task %" PRIu64 " of %" PRIu64 " s%" PRIu64,
		         slot[0], slot[1], slot[2]);
	tell(sim, p, what, stack);
}

static void
region(struct sim *sim, unsigned p)
{
	struct goroutine *g = &sim->goroutines[sim->procs[p].g];
	bool begins = g->region_count == 0 || (g->region_count < REGIONS_MAX && dice(sim, 2) == 0);
	uint64_t stack = any_stack(sim);
	char what[80];
	if (begins)
		g->regions[g->region_count++] =
			(struct region){ dice(sim, sim->next_task), any_string(sim) };
	const struct region *top = &g->regions[g->region_count - 1];
	PUT(sim, p, "UserRegion", top->task, begins ? 0 : 1, top->name, stack);
	snprintf(what, sizeof(what), "%s region %" PRIu64 " s%" PRIu64, begins ? "begin" : "end",
	         top->task, top->name);
	g->region_count -= !begins;
	tell(sim, p, what, stack);
}

static void
user_log(struct sim *sim, unsigned p)
{
	static const char message[] = "what happened at some length, with bytes \xff \x1b.";
	uint64_t id = dice(sim, sim->next_task), key = any_string(sim), stack = any_stack(sim);
	size_t length = (size_t)dice(sim, sizeof(message));
	char what[120];
	PUT(sim, p, "UserLog", id, key, stack);
	v1w_message(&sim->procs[p].records, message, length);
	snprintf(what, sizeof(what), "log %" PRIu64 " s%" PRIu64 " %.*s", id, key, (int)length,
	         message);
	tell(sim, p, what, stack);
}

/* ---- the whole */

/* What was there when tracing began: goroutines that wait, are in a syscall, or are ready. */
static void
begin(struct sim *sim)
{
	uint64_t ready[4], count = 0;
	char what[60], context[80];
	for (unsigned i = 0; i < 9; i++, sim->now += TICK) {
		int at = new_goroutine(sim, 0, any_stack(sim), 0);
		struct goroutine *g = &sim->goroutines[at];
		bool is_ready = i % 3 == 2, is_waiting = i % 3 == 0;
		if (is_ready) {
			ready[count++] = g->id;
			continue;
		}
		sim->now += TICK;
		PUT(sim, 0, is_waiting ? "GoWaiting" : "GoInSyscall", g->id);
		g->sequence++;
		g->status = is_waiting ? WAITING : IN_SYSCALL;
		context_of(sim, 0, g->id, context);
		snprintf(what, sizeof(what), "g%" PRIu64 " Undetermined->%s", g->id,
		         is_waiting ? "Waiting" : "Syscall");
		tell_at(sim, sim->now, context, what, 0);
	}
	PUT(sim, 0, "Gomaxprocs", PROCS, 0);
	for (unsigned i = 0; i < count; i++) {
		snprintf(what, sizeof(what), "g%" PRIu64 " Undetermined->Runnable", ready[i]);
		tell_at(sim, sim->now + i, "-/-/-", what, 0);
	}
}

static void
act_on_goroutine(struct sim *sim, unsigned p)
{
	static void (*const actions[])(struct sim *sim, unsigned p) = {
		stop, stop, stop, end, create, create, unblock, unblock, unblock, syscall, syscall,
		collect, stop_the_world, assist, metric, sample, task, region, region, user_log,
	};
	actions[dice(sim, ARRAY_LENGTH(actions))](sim, p);
}

static void
act_on_idle(struct sim *sim, unsigned p, uint64_t before)
{
	uint64_t what = dice(sim, 8);
	int back = find(sim, IN_SYSCALL), ready = find(sim, RUNNABLE);
	if (what == 0)
		proc_stop(sim, p);
	else if (what == 1)
		unblock(sim, p);
	else if (what == 2)
		sweep(sim, p);
	else if (what == 3 && back != NO_GOROUTINE)
		sysexit(sim, p, back, before);
	else if (ready != NO_GOROUTINE)
		start(sim, p, ready);
	else if (what == 4)
		create(sim, p);
}

static void
act(struct sim *sim)
{
	unsigned p = (unsigned)dice(sim, PROCS);
	uint64_t before = sim->now;
	sim->now += TICK * (1 + dice(sim, 40));
	if (!sim->procs[p].is_running)
		proc_start(sim, p);
	else if (sim->procs[p].g == NO_GOROUTINE)
		act_on_idle(sim, p, before);
	else
		act_on_goroutine(sim, p);
}

static void
write_tables(struct sim *sim)
{
	uint64_t frequency = 1000000000;
	for (uint64_t i = 1; i <= STRINGS; i++) {
		char name[20];
		int length = snprintf(name, sizeof(name), "s%" PRIu64, i);
		v1w_string(sim->trace, i, name, (size_t)length);
	}
	v1w_record(sim->trace, "Frequency", &frequency, 1);
	for (uint64_t i = 1; i <= STACKS; i++) {
		uint64_t stack[] = { i, 2, 16 * i, i, 5, 10 + i, 4096, 6, 5, 1 };
		v1w_record(sim->trace, "Stack", stack, ARRAY_LENGTH(stack));
	}
}

static int
compare_facts(const void *left, const void *right)
{
	const struct fact *a = left, *b = right;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void
write_facts(struct sim *sim, struct text *lines)
{
	qsort(sim->facts, sim->fact_count, sizeof(*sim->facts), compare_facts);
	for (size_t i = 0; i < sim->fact_count; i++)
		text_add(lines, sim->told.bytes + sim->facts[i].at, sim->facts[i].length);
}

bool
v1sim_make(uint64_t seed, unsigned minor, unsigned events, struct text *trace,
           struct text *lines)
{
	struct sim sim = {
		.random = seed * 977 + minor,
		.now = 1000,
		.origin = 1000,
		.minor = minor,
		.next_id = 1,
		.next_task = 1,
		.trace = trace,
	};
	for (unsigned p = 0; p < PROCS; p++)
		sim.procs[p].g = NO_GOROUTINE;
	v1w_header(trace, minor);
	begin(&sim);
	sim.now += TICK * 4;
	for (unsigned i = 0; i < events; i++)
		act(&sim);
	for (unsigned p = 0; p < PROCS; p++)
		flush(&sim, (p + (unsigned)seed) % PROCS);
	write_tables(&sim);
	write_facts(&sim, lines);
	memory_free(sim.facts);
	text_release(&sim.told);
	return !sim.is_broken;
}
