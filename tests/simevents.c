/*
 * The events of procs and goroutines, one function each: the bytes, the fact,
 * and the change of state that doc/format/go-trace-semantics.md gives it.
 */

#include "simcore.h"

#include <assert.h>

static void
tell_go(struct sim *s, const struct sim_g *g, enum sim_state from, enum sim_state to)
{
	s->fact.subject = (int64_t)g->id;
	s->fact.from = from;
	s->fact.to = to;
	sim_fact_end(s);
}

static void
tell_proc(struct sim *s, const struct sim_p *p, enum sim_state from, enum sim_state to)
{
	s->fact.subject = (int64_t)p->id;
	s->fact.from = from;
	s->fact.to = to;
	sim_fact_end(s);
}

/* ---- statuses */

/* The codes of GoStatus. */
static const uint8_t go_status_codes[] = {
	[SIM_READY] = 1, [SIM_RUNNING] = 2, [SIM_IN_SYSCALL] = 3, [SIM_BLOCKED] = 4
};

static void
emit_go_status(struct sim *s, struct sim_m *m, struct sim_g *g)
{
	uint64_t holder = g->m != NULL ? g->m->id : WIRE_NONE;
	assert(g->state < sizeof go_status_codes && go_status_codes[g->state] != 0);
	uint64_t code = go_status_codes[g->state];
	if (s->options.version < 23 || g->stack == 0 || g->state == SIM_RUNNING) {
		sim_emit(s, m, WIRE_GO_STATUS, (uint64_t[]){ g->id, holder, code }, SIM_FACT_GO);
		return;
	}
	uint64_t stack = sim_stack_id(s, g->stack);
	sim_emit(s, m, WIRE_GO_STATUS_STACK, (uint64_t[]){ g->id, holder, code, stack }, SIM_FACT_GO);
	s->fact.stack = g->stack;
	s->fact.subject_stack = g->stack;
}

static void
tell_active_range(struct sim *s, enum sim_range range, int64_t g, int64_t p)
{
	s->fact.range = range;
	s->fact.range_g = g;
	s->fact.range_p = p;
	sim_fact_end(s);
}

void
sim_go_status(struct sim *s, struct sim_m *m, struct sim_g *g)
{
	if (g->gen == s->gen)
		return;
	emit_go_status(s, m, g);
	/* Semantics 3.4: for a syscall on another thread the context is that thread,
	 * with its goroutine if the reader has heard of the two. */
	if (g->state == SIM_IN_SYSCALL && g->m != m) {
		s->fact.m = (int64_t)g->m->id;
		s->fact.g = g->is_known ? (int64_t)g->id : s->fact.g;
	}
	tell_go(s, g, g->is_known ? g->state : SIM_UNKNOWN, g->state);
	g->is_known = true;
	g->gen = s->gen;
	g->seq = 0;
	if (g->is_assisting) {
		sim_emit(s, m, WIRE_GC_MARK_ASSIST_ACTIVE, &g->id, SIM_FACT_RANGE_ACTIVE);
		tell_active_range(s, SIM_RANGE_ASSIST, (int64_t)g->id, -1);
	}
}

/*
 * A proc in a syscall, mentioned by another thread than the one that holds
 * it, is written as abandoned. If the trace has not mentioned it before, no
 * reader can know who holds it: it is lost to its thread.
 */
static enum sim_p_status
status_to_write(struct sim_m *m, struct sim_p *p)
{
	if (p->status != P_SYSCALL || p->m == m)
		return p->status;
	if (!p->is_known) {
		p->last_m = p->m->id;
		p->m->p = NULL;
		p->m = NULL;
		p->status = P_ABANDONED;
	}
	return P_ABANDONED;
}

void
sim_proc_status(struct sim *s, struct sim_m *m, struct sim_p *p)
{
	if (p->gen == s->gen)
		return;
	assert(p->status != P_RUNNING || p->m == m);
	enum sim_p_status status = status_to_write(m, p);
	sim_emit(s, m, WIRE_PROC_STATUS, (uint64_t[]){ p->id, status }, SIM_FACT_PROC);
	if (status != p->status) { /* promoted: told in the context of its holder */
		s->fact.m = (int64_t)p->m->id;
		s->fact.p = (int64_t)p->id;
		s->fact.g = sim_g_id(p->m->g);
	}
	enum sim_state state = p->m != NULL ? SIM_RUNNING : SIM_IDLE;
	enum sim_state unseen = s->gen == s->first_gen ? SIM_UNKNOWN : SIM_DEAD;
	tell_proc(s, p, p->is_known ? state : unseen, state);
	p->is_known = true;
	p->gen = s->gen;
	p->seq = 0;
	if (p->is_sweeping) {
		sim_emit(s, m, WIRE_GC_SWEEP_ACTIVE, &p->id, SIM_FACT_RANGE_ACTIVE);
		tell_active_range(s, SIM_RANGE_SWEEP, -1, (int64_t)p->id);
	}
}

void
sim_own_status(struct sim *s, struct sim_m *m)
{
	if (m->p != NULL)
		sim_proc_status(s, m, m->p);
	if (m->g != NULL)
		sim_go_status(s, m, m->g);
}

/* ---- procs */

void
sim_proc_start(struct sim *s, struct sim_m *m, struct sim_p *p)
{
	assert(m->p == NULL && p->status == P_IDLE);
	sim_own_status(s, m);
	sim_proc_status(s, m, p);
	sim_emit(s, m, WIRE_PROC_START, (uint64_t[]){ p->id, ++p->seq }, SIM_FACT_PROC);
	tell_proc(s, p, SIM_IDLE, SIM_RUNNING);
	p->status = P_RUNNING;
	p->m = m;
	m->p = p;
}

static void
proc_to_idle(struct sim_p *p)
{
	if (p->m != NULL)
		p->m->p = NULL;
	p->m = NULL;
	p->status = P_IDLE;
}

void
sim_proc_stop(struct sim *s, struct sim_m *m)
{
	struct sim_p *p = m->p;
	assert(p != NULL && !p->is_sweeping);
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_PROC_STOP, NULL, SIM_FACT_PROC);
	tell_proc(s, p, SIM_RUNNING, SIM_IDLE);
	proc_to_idle(p);
}

void
sim_proc_steal(struct sim *s, struct sim_m *m, struct sim_p *p)
{
	sim_own_status(s, m);
	sim_proc_status(s, m, p);
	assert(p->status == P_SYSCALL || p->status == P_ABANDONED);
	uint64_t holder = p->m != NULL ? p->m->id : p->last_m;
	sim_emit(s, m, WIRE_PROC_STEAL, (uint64_t[]){ p->id, ++p->seq, holder }, SIM_FACT_PROC);
	tell_proc(s, p, p->m != NULL ? SIM_RUNNING : SIM_IDLE, SIM_IDLE);
	proc_to_idle(p);
}

/* ---- goroutines */

static void
tell_reason(struct sim *s, enum pool_reason reason, uint32_t stack)
{
	s->fact.text = s->pool.texts[pool_reason(&s->pool, reason)];
	s->fact.stack = stack;
	s->fact.subject_stack = stack;
}

static void
bind(struct sim_m *m, struct sim_g *g)
{
	m->g = g;
	g->m = m;
}

static struct sim_g *
unbind(struct sim_m *m)
{
	struct sim_g *g = m->g;
	m->g = NULL;
	g->m = NULL;
	return g;
}

struct sim_g *
sim_go_create(struct sim *s, struct sim_m *m, bool is_coroutine)
{
	sim_own_status(s, m);
	enum sim_state state = is_coroutine ? SIM_BLOCKED : SIM_READY;
	struct sim_g *g = sim_go_new(s, state);
	if (g == NULL)
		return NULL;
	g->stack = sim_any_stack(s, STACKS_ENTRY);
	uint32_t stack = m->g != NULL ? sim_any_stack(s, STACKS_CREATE) : 0;
	uint64_t args[] = { g->id, sim_stack_id(s, g->stack), sim_stack_id(s, stack) };
	sim_emit(s, m, is_coroutine ? WIRE_GO_CREATE_BLOCKED : WIRE_GO_CREATE, args, SIM_FACT_GO);
	s->fact.stack = stack;
	s->fact.subject_stack = g->stack;
	tell_go(s, g, SIM_DEAD, state);
	g->is_known = true;
	g->is_coroutine = is_coroutine;
	g->gen = s->gen;
	sim_enqueue(s, g, is_coroutine ? QUEUE_COROUTINE : QUEUE_READY);
	return g;
}

void
sim_go_start(struct sim *s, struct sim_m *m, struct sim_g *g)
{
	assert(m->p != NULL && m->g == NULL && g->state == SIM_READY);
	sim_own_status(s, m);
	sim_go_status(s, m, g);
	sim_emit(s, m, WIRE_GO_START, (uint64_t[]){ g->id, ++g->seq }, SIM_FACT_GO);
	tell_go(s, g, SIM_READY, SIM_RUNNING);
	sim_dequeue(s, g);
	g->state = SIM_RUNNING;
	bind(m, g);
}

/* The end of a running goroutine's turn. */
static struct sim_g *
leave(struct sim *s, struct sim_m *m, unsigned wire_id, enum pool_reason reason, uint32_t stack)
{
	assert(m->p != NULL && m->g != NULL && m->g->state == SIM_RUNNING);
	sim_own_status(s, m);
	uint64_t args[] = { sim_text_id(s, pool_reason(&s->pool, reason)), sim_stack_id(s, stack) };
	sim_emit(s, m, wire_id, args, SIM_FACT_GO);
	tell_reason(s, reason, stack);
	struct sim_g *g = m->g;
	enum sim_state to = wire_id == WIRE_GO_STOP ? SIM_READY : SIM_BLOCKED;
	tell_go(s, g, SIM_RUNNING, to);
	unbind(m);
	g->state = to;
	g->stack = stack;
	return g;
}

void
sim_go_stop(struct sim *s, struct sim_m *m, enum pool_reason reason)
{
	uint32_t stack = sim_any_stack(s, reason == REASON_GOSCHED ? STACKS_YIELD : STACKS_RUN);
	sim_enqueue(s, leave(s, m, WIRE_GO_STOP, reason, stack), QUEUE_READY);
}

void
sim_go_block(struct sim *s, struct sim_m *m, enum pool_reason reason, uint32_t stack,
	enum sim_queue queue)
{
	sim_enqueue(s, leave(s, m, WIRE_GO_BLOCK, reason, stack), queue);
}

void
sim_go_destroy(struct sim *s, struct sim_m *m)
{
	sim_own_status(s, m);
	assert(m->g->state == SIM_RUNNING);
	sim_emit(s, m, WIRE_GO_DESTROY, NULL, SIM_FACT_GO);
	tell_go(s, m->g, SIM_RUNNING, SIM_DEAD);
	sim_go_free(s, unbind(m));
}

void
sim_go_unblock(struct sim *s, struct sim_m *m, struct sim_g *g)
{
	assert(g->state == SIM_BLOCKED);
	sim_own_status(s, m);
	sim_go_status(s, m, g);
	uint32_t stack = m->g != NULL ? sim_any_stack(s, STACKS_WAKE) : 0;
	uint64_t args[] = { g->id, ++g->seq, sim_stack_id(s, stack) };
	sim_emit(s, m, WIRE_GO_UNBLOCK, args, SIM_FACT_GO);
	s->fact.stack = stack;
	tell_go(s, g, SIM_BLOCKED, SIM_READY);
	sim_dequeue(s, g);
	g->state = SIM_READY;
	sim_enqueue(s, g, QUEUE_READY);
}

/* The two events that a reader adds to a switch, semantics 3.2. */
static void
tell_switch(struct sim *s, struct sim_m *m, struct sim_g *g, bool is_destroy)
{
	int64_t time_ns = s->fact.time_ns;
	tell_go(s, g, SIM_BLOCKED, SIM_READY);
	sim_fact_begin(s, m, SIM_FACT_GO, is_destroy ? WIRE_GO_DESTROY : WIRE_GO_BLOCK, time_ns);
	s->fact.is_synthetic = true;
	tell_go(s, m->g, SIM_RUNNING, is_destroy ? SIM_DEAD : SIM_BLOCKED);
	sim_fact_begin(s, m, SIM_FACT_GO, WIRE_GO_START, time_ns);
	s->fact.is_synthetic = true;
	s->fact.g = -1;
	tell_go(s, g, SIM_READY, SIM_RUNNING);
}

void
sim_go_switch(struct sim *s, struct sim_m *m, struct sim_g *g, bool is_destroy)
{
	assert(m->p != NULL && m->g->state == SIM_RUNNING && g->state == SIM_BLOCKED);
	sim_own_status(s, m);
	sim_go_status(s, m, g);
	sim_emit(s, m, is_destroy ? WIRE_GO_SWITCH_DESTROY : WIRE_GO_SWITCH,
		(uint64_t[]){ g->id, ++g->seq }, SIM_FACT_GO);
	tell_switch(s, m, g, is_destroy);
	struct sim_g *from = unbind(m);
	if (is_destroy) {
		sim_go_free(s, from);
	} else {
		from->state = SIM_BLOCKED;
		sim_enqueue(s, from, QUEUE_COROUTINE);
	}
	sim_dequeue(s, g);
	g->state = SIM_RUNNING;
	bind(m, g);
}

/* ---- system calls */

void
sim_syscall_begin(struct sim *s, struct sim_m *m)
{
	assert(m->p != NULL && m->g->state == SIM_RUNNING && !m->p->is_sweeping);
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_SYSCALL);
	sim_emit(s, m, WIRE_GO_SYSCALL_BEGIN, (uint64_t[]){ ++m->p->seq, sim_stack_id(s, stack) },
		SIM_FACT_GO);
	s->fact.stack = stack;
	s->fact.subject_stack = stack;
	tell_go(s, m->g, SIM_RUNNING, SIM_IN_SYSCALL);
	m->g->state = SIM_IN_SYSCALL;
	m->g->stack = stack;
	m->p->status = P_SYSCALL;
}

void
sim_syscall_end(struct sim *s, struct sim_m *m)
{
	assert(m->p != NULL && m->p->status == P_SYSCALL && m->g->state == SIM_IN_SYSCALL);
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_GO_SYSCALL_END, NULL, SIM_FACT_GO);
	tell_go(s, m->g, SIM_IN_SYSCALL, SIM_RUNNING);
	m->g->state = SIM_RUNNING;
	m->p->status = P_RUNNING;
}

void
sim_syscall_end_blocked(struct sim *s, struct sim_m *m)
{
	assert(m->p == NULL || m->p->status == P_RUNNING);
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_GO_SYSCALL_END_BLOCKED, NULL, SIM_FACT_GO);
	tell_go(s, m->g, SIM_IN_SYSCALL, SIM_READY);
	struct sim_g *g = unbind(m);
	g->state = SIM_READY;
	sim_enqueue(s, g, QUEUE_READY);
}

void
sim_create_syscall(struct sim *s, struct sim_m *m)
{
	assert(m->g == NULL);
	struct sim_g *g = sim_go_new(s, SIM_IN_SYSCALL);
	if (g == NULL)
		return;
	sim_emit(s, m, WIRE_GO_CREATE_SYSCALL, &g->id, SIM_FACT_GO);
	tell_go(s, g, SIM_DEAD, SIM_IN_SYSCALL);
	g->is_known = true;
	g->is_foreign = true;
	g->gen = s->gen;
	bind(m, g);
}

void
sim_destroy_syscall(struct sim *s, struct sim_m *m)
{
	assert(m->g->state == SIM_IN_SYSCALL);
	sim_own_status(s, m);
	struct sim_p *p = m->p;
	sim_emit(s, m, WIRE_GO_DESTROY_SYSCALL, NULL, SIM_FACT_GO);
	if (p != NULL) { /* semantics 3.2: a steal is reported first */
		struct sim_fact destroy = s->fact;
		s->fact.kind = SIM_FACT_PROC;
		s->fact.wire_id = WIRE_PROC_STEAL;
		s->fact.is_synthetic = true;
		tell_proc(s, p, SIM_RUNNING, SIM_IDLE);
		s->fact = destroy;
		p->status = P_ABANDONED;
		p->last_m = m->id;
		p->m = NULL;
		m->p = NULL;
	}
	tell_go(s, m->g, SIM_IN_SYSCALL, SIM_DEAD);
	sim_go_free(s, unbind(m));
}
