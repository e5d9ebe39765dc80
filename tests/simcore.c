/* Time, batches, facts and lists of the simulated scheduler; see simcore.h. */

#include "simcore.h"

#include <assert.h>
#include <stdlib.h>

/* How often an event has the tick of its own thread's event before, per cent. */
#define SAME_TICK_PER_CENT 2

/* ---- time */

/* The arithmetic of go-trace-v2.md, 6.1. */
int64_t
sim_ns(const struct sim *s, uint64_t ticks)
{
	return (int64_t)((double)ticks * s->ns_per_tick);
}

/* Mostly short gaps, and now and then a long one. */
static void
advance(struct sim *s)
{
	uint32_t mean = s->options.mean_gap_ticks;
	uint64_t random = pool_random(&s->random);
	uint64_t bound = random % 64 == 0 ? mean * 24 : mean + mean / 4;
	s->now += (1 + (((random >> 32) * bound) >> 32)) * s->tick_unit;
	s->last_m = NULL;
}

/*
 * Goes on until `base_ns` and the ticks since then are past all times so far.
 * Each delta of a batch is truncated on its own (go-trace-v2.md, 6.2), so a
 * thread may lag behind the ticks.
 */
static void
pass_all_times(struct sim *s, int64_t base_ns, uint64_t base_tick)
{
	int64_t short_ns;
	while ((short_ns = s->max_ns - base_ns - sim_ns(s, s->now - base_tick)) >= 0)
		s->now += ((uint64_t)((double)short_ns / s->ns_per_tick) + 1) * s->tick_unit;
}

void
sim_tick(struct sim *s)
{
	advance(s);
	pass_all_times(s, 0, 0);
	s->max_ns = sim_ns(s, s->now);
}

/* Whether a reader may have to let this event wait for one of another thread. */
static bool
may_wait(unsigned wire_id)
{
	switch (wire_id) {
	case WIRE_PROC_START:
	case WIRE_PROC_STEAL:
	case WIRE_GO_START:
	case WIRE_GO_UNBLOCK:
	case WIRE_GO_SWITCH:
	case WIRE_GO_SWITCH_DESTROY:
	case WIRE_GO_SYSCALL_END_BLOCKED:
	case WIRE_GC_ACTIVE:
	case WIRE_GC_BEGIN:
	case WIRE_GC_END:
		return true;
	default:
		return false;
	}
}

/*
 * The tick of the thread's next event. Two threads share one only if the
 * second event need not wait for the first: Go's own reader loses its way
 * among equal times otherwise.
 */
static void
advance_to_event(struct sim *s, const struct sim_m *m, unsigned wire_id)
{
	unsigned stay = s->last_m == m ? SAME_TICK_PER_CENT : 0;
	if (s->last_m == m || (s->last_m != NULL && !may_wait(wire_id)))
		stay += s->options.equal_times;
	if (stay == 0 || sim_below(s, 100) >= stay) {
		advance(s);
		if (s->options.skew_ticks == 0)
			pass_all_times(s, m->last_ns, m->last_tick);
	}
	s->last_m = m;
}

/* ---- batches */

void
sim_flush_batch(struct sim *s, struct sim_m *m)
{
	if (m->is_open)
		wire_batch(s->out, s->gen, m->id, m->batch_time, &m->batch);
	wire_clear(&m->batch);
	m->is_open = false;
}

static void
open_batch(struct sim *s, struct sim_m *m)
{
	m->batch_time = s->now + m->skew_ticks;
	m->last_tick = s->now;
	m->last_ns = sim_ns(s, m->batch_time);
	m->is_open = true;
}

/* CPU samples collect in batches of their own, with no times in their headers to heed. */
void
sim_flush_samples(struct sim *s)
{
	if (s->samples.size > 0)
		wire_batch(s->out, s->gen, WIRE_NONE, s->now, &s->samples);
	wire_clear(&s->samples);
}

void
sim_add_sample(struct sim *s, uint64_t m, uint64_t p, uint64_t g, uint32_t stack)
{
	if (s->samples.size + WIRE_MAX_EVENT > s->options.batch_bytes)
		sim_flush_samples(s);
	if (s->samples.size == 0)
		wire_u8(&s->samples, WIRE_CPU_SAMPLES);
	wire_cpu_sample(&s->samples, s->now, m, p, g, sim_stack_id(s, stack));
}

/* ---- facts */

int64_t
sim_g_id(const struct sim_g *g)
{
	return g != NULL && g->is_known ? (int64_t)g->id : -1;
}

static int64_t
id_of_p(const struct sim_p *p)
{
	return p != NULL && p->is_known ? (int64_t)p->id : -1;
}

void
sim_fact_begin(struct sim *s, const struct sim_m *m, enum sim_kind kind, unsigned wire_id,
	int64_t time_ns)
{
	if (s->tell == NULL) { /* the rest costs more than the event's bytes */
		s->fact.time_ns = time_ns;
		return;
	}
	s->fact = (struct sim_fact){
		.kind = kind,
		.wire_id = wire_id,
		.time_ns = time_ns,
		.generation = s->gen,
		.m = (int64_t)m->id,
		.p = id_of_p(m->p),
		.g = sim_g_id(m->g),
		.range_g = -1,
		.range_p = -1,
	};
}

void
sim_fact_end(struct sim *s)
{
	struct sim_fact *fact = &s->fact;
	if (fact->time_ns > s->last_delivered_ns)
		s->last_delivered_ns = fact->time_ns;
	else
		s->last_delivered_ns++;
	fact->delivered_ns = s->last_delivered_ns;
	if (s->tell != NULL)
		s->tell(s->tell_context, fact);
}

/* Writes one event and begins its fact, with the context before the event. */
struct sim_fact *
sim_emit(struct sim *s, struct sim_m *m, unsigned id, const uint64_t *args, enum sim_kind kind)
{
	if (m->batch.size + WIRE_MAX_EVENT > s->options.batch_bytes)
		sim_flush_batch(s, m);
	if (!m->is_open)
		open_batch(s, m);
	advance_to_event(s, m, id);
	uint64_t dt = s->now - m->last_tick;
	wire_event(&m->batch, id, dt, args);
	m->last_tick = s->now;
	m->last_ns += sim_ns(s, dt);
	if (m->last_ns > s->max_ns)
		s->max_ns = m->last_ns;
	s->event_count++;
	sim_fact_begin(s, m, kind, id, m->last_ns);
	return &s->fact;
}

/* ---- ids and picks */

static uint32_t
id_in_generation(struct sim *s, struct sim_ids *ids, uint32_t item)
{
	if (ids->gen[item] != s->gen) {
		ids->gen[item] = s->gen;
		ids->used[ids->count++] = item;
		ids->id[item] = ids->base + ids->count;
	}
	return ids->id[item];
}

uint32_t
sim_text_id(struct sim *s, uint32_t text)
{
	return s->pool.texts[text].size == 0 ? 0 : id_in_generation(s, &s->text_ids, text);
}

uint32_t
sim_stack_id(struct sim *s, uint32_t stack)
{
	return stack == 0 ? 0 : id_in_generation(s, &s->stack_ids, stack);
}

uint32_t
sim_any_text(struct sim *s, enum pool_texts kind)
{
	const struct pool_span *span = &s->pool.kinds[kind];
	return span->first + sim_below(s, span->count);
}

uint32_t
sim_any_stack(struct sim *s, enum pool_stacks kind)
{
	const struct pool_span *span = &s->pool.stacks[kind];
	return sim_one_in(s, 64) ? 0 : span->first + sim_below(s, span->count);
}

/* ---- lists */

static bool
list_add(struct sim *s, struct sim_list *list, struct sim_g *g)
{
	if (list->count == list->capacity) {
		uint32_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
		struct sim_g **items = realloc(list->items, capacity * sizeof *items);
		if (items == NULL) {
			s->has_failed = true;
			return false;
		}
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count++] = g;
	return true;
}

void
sim_enqueue(struct sim *s, struct sim_g *g, enum sim_queue queue)
{
	assert(g->queue == QUEUE_NONE);
	if (queue == QUEUE_NONE || !list_add(s, &s->queues[queue], g))
		return;
	g->queue = queue;
	g->queue_index = s->queues[queue].count - 1;
}

void
sim_dequeue(struct sim *s, struct sim_g *g)
{
	if (g->queue == QUEUE_NONE)
		return;
	struct sim_list *list = &s->queues[g->queue];
	struct sim_g *last = list->items[--list->count];
	list->items[g->queue_index] = last;
	last->queue_index = g->queue_index;
	g->queue = QUEUE_NONE;
}

/* Any goroutine of a queue, or NULL. It stays there. */
struct sim_g *
sim_pick(struct sim *s, enum sim_queue queue)
{
	const struct sim_list *list = &s->queues[queue];
	return list->count == 0 ? NULL : list->items[sim_below(s, list->count)];
}

struct sim_g *
sim_go_new(struct sim *s, enum sim_state state)
{
	struct sim_g *g = calloc(1, sizeof *g);
	if (g == NULL || !list_add(s, &s->live, g)) {
		free(g);
		s->has_failed = true;
		return NULL;
	}
	g->id = s->next_g;
	g->state = state;
	g->live_index = s->live.count - 1;
	s->next_g += sim_one_in(s, 16) ? 17 : 1;
	return g;
}

void
sim_go_free(struct sim *s, struct sim_g *g)
{
	assert(g->queue == QUEUE_NONE && !g->is_assisting);
	struct sim_g *last = s->live.items[--s->live.count];
	s->live.items[g->live_index] = last;
	last->live_index = g->live_index;
	free(g);
}
