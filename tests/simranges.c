/*
 * Ranges, metrics, labels, annotations and samples of the simulated scheduler:
 * the events that do not change who runs where.
 */

#include "simcore.h"

#include <assert.h>

/* ---- ranges */

static void
tell_range(struct sim *s, enum sim_range range, uint32_t stack)
{
	s->fact.range = range;
	s->fact.stack = stack;
	if (range == SIM_RANGE_STW || range == SIM_RANGE_ASSIST)
		s->fact.range_g = s->fact.g;
	if (range == SIM_RANGE_SWEEP)
		s->fact.range_p = s->fact.p;
	sim_fact_end(s);
}

void
sim_stw_begin(struct sim *s, struct sim_m *m, uint32_t kind)
{
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_PROCS);
	uint64_t args[] = { sim_text_id(s, kind), sim_stack_id(s, stack) };
	sim_emit(s, m, WIRE_STW_BEGIN, args, SIM_FACT_RANGE_BEGIN);
	s->fact.text = s->pool.texts[kind];
	tell_range(s, SIM_RANGE_STW, stack);
}

void
sim_stw_end(struct sim *s, struct sim_m *m, uint32_t kind)
{
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_STW_END, NULL, SIM_FACT_RANGE_END);
	s->fact.text = s->pool.texts[kind];
	tell_range(s, SIM_RANGE_STW, 0);
}

void
sim_gc_begin(struct sim *s, struct sim_m *m)
{
	assert(!s->is_gc_on);
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_GC);
	sim_emit(s, m, WIRE_GC_BEGIN, (uint64_t[]){ ++s->gc_seq, sim_stack_id(s, stack) },
		SIM_FACT_RANGE_BEGIN);
	tell_range(s, SIM_RANGE_GC, stack);
	s->is_gc_on = true;
}

void
sim_gc_active(struct sim *s, struct sim_m *m)
{
	assert(s->is_gc_on);
	sim_own_status(s, m);
	s->gc_seq++;
	sim_emit(s, m, WIRE_GC_ACTIVE, &s->gc_seq, SIM_FACT_RANGE_ACTIVE);
	tell_range(s, SIM_RANGE_GC, 0);
}

void
sim_gc_end(struct sim *s, struct sim_m *m)
{
	assert(s->is_gc_on);
	sim_own_status(s, m);
	s->gc_seq++;
	sim_emit(s, m, WIRE_GC_END, &s->gc_seq, SIM_FACT_RANGE_END);
	tell_range(s, SIM_RANGE_GC, 0);
	s->is_gc_on = false;
}

void
sim_sweep_begin(struct sim *s, struct sim_m *m)
{
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_ALLOC);
	sim_emit(s, m, WIRE_GC_SWEEP_BEGIN, (uint64_t[]){ sim_stack_id(s, stack) }, SIM_FACT_RANGE_BEGIN);
	tell_range(s, SIM_RANGE_SWEEP, stack);
	m->p->is_sweeping = true;
}

void
sim_sweep_end(struct sim *s, struct sim_m *m)
{
	assert(m->p->is_sweeping);
	sim_own_status(s, m);
	uint64_t swept = 8192 * (uint64_t)sim_below(s, 200);
	uint64_t args[] = { swept, swept / (1 + sim_below(s, 4)) };
	sim_emit(s, m, WIRE_GC_SWEEP_END, args, SIM_FACT_RANGE_END);
	s->fact.value[0] = args[0];
	s->fact.value[1] = args[1];
	tell_range(s, SIM_RANGE_SWEEP, 0);
	m->p->is_sweeping = false;
}

void
sim_assist_begin(struct sim *s, struct sim_m *m)
{
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_ALLOC);
	sim_emit(s, m, WIRE_GC_MARK_ASSIST_BEGIN, (uint64_t[]){ sim_stack_id(s, stack) },
		SIM_FACT_RANGE_BEGIN);
	tell_range(s, SIM_RANGE_ASSIST, stack);
	m->g->is_assisting = true;
}

void
sim_assist_end(struct sim *s, struct sim_m *m)
{
	assert(m->g->is_assisting);
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_GC_MARK_ASSIST_END, NULL, SIM_FACT_RANGE_END);
	tell_range(s, SIM_RANGE_ASSIST, 0);
	m->g->is_assisting = false;
}

/* ---- metrics, labels, samples */

static void
tell_metric(struct sim *s, uint64_t value, uint32_t stack)
{
	s->fact.value[0] = value;
	s->fact.stack = stack;
	sim_fact_end(s);
}

void
sim_procs_change(struct sim *s, struct sim_m *m)
{
	sim_own_status(s, m);
	uint32_t stack = sim_any_stack(s, STACKS_PROCS);
	sim_emit(s, m, WIRE_PROCS_CHANGE, (uint64_t[]){ s->active_procs, sim_stack_id(s, stack) },
		SIM_FACT_METRIC);
	tell_metric(s, s->active_procs, stack);
}

void
sim_heap(struct sim *s, struct sim_m *m, unsigned wire_id, uint64_t bytes)
{
	assert(wire_id == WIRE_HEAP_ALLOC || wire_id == WIRE_HEAP_GOAL);
	sim_own_status(s, m);
	sim_emit(s, m, wire_id, &bytes, SIM_FACT_METRIC);
	tell_metric(s, bytes, 0);
}

void
sim_label(struct sim *s, struct sim_m *m, uint32_t label)
{
	sim_own_status(s, m);
	sim_emit(s, m, WIRE_GO_LABEL, (uint64_t[]){ sim_text_id(s, label) }, SIM_FACT_LABEL);
	s->fact.text = s->pool.texts[label];
	sim_fact_end(s);
}

/* A sample has a tick of its own: its order among events of that tick is not defined. */
void
sim_sample(struct sim *s, const struct sim_m *m)
{
	uint64_t p = m->p != NULL ? m->p->id : WIRE_NONE;
	uint64_t g = m->g != NULL ? m->g->id : 0;
	uint32_t stack = sim_any_stack(s, STACKS_RUN);
	sim_tick(s);
	sim_add_sample(s, m->id, p, g, stack);
	sim_fact_begin(s, m, SIM_FACT_SAMPLE, WIRE_CPU_SAMPLE, sim_ns(s, s->now));
	s->fact.p = (int64_t)p;
	s->fact.g = g == 0 ? -1 : (int64_t)g;
	s->fact.stack = stack;
	sim_fact_end(s);
}

void
sim_experiment(struct sim *s, struct sim_m *m, unsigned wire_id, const uint64_t *args)
{
	sim_own_status(s, m);
	sim_emit(s, m, wire_id, args, SIM_FACT_EXPERIMENT);
	for (unsigned i = 0; i < wire_spec_find(wire_id)->args; i++)
		s->fact.value[i] = args[i];
	sim_fact_end(s);
}

/* ---- annotations */

static void
tell_annotation(struct sim *s, uint64_t task, uint32_t text, uint32_t stack)
{
	s->fact.subject = (int64_t)task;
	s->fact.text = s->pool.texts[text];
	s->fact.stack = stack;
	sim_fact_end(s);
}

/* A task that is open, or mostly none. */
static uint64_t
any_task(struct sim *s)
{
	if (s->task_count == 0 || sim_one_in(s, 3))
		return 0;
	return s->tasks[sim_below(s, s->task_count)].id;
}

void
sim_task_begin(struct sim *s, struct sim_m *m)
{
	assert(s->task_count < SIM_MAX_TASKS);
	sim_own_status(s, m);
	struct sim_task task = { s->next_task++, any_task(s), sim_any_text(s, TEXTS_TASK), true };
	uint32_t stack = sim_any_stack(s, STACKS_ANNOTATION);
	uint64_t args[] = { task.id, task.parent, sim_text_id(s, task.name),
		sim_stack_id(s, stack) };
	sim_emit(s, m, WIRE_USER_TASK_BEGIN, args, SIM_FACT_TASK_BEGIN);
	s->fact.value[0] = task.parent;
	tell_annotation(s, task.id, task.name, stack);
	s->tasks[s->task_count++] = task;
}

void
sim_task_end(struct sim *s, struct sim_m *m, uint32_t index)
{
	assert(index < s->task_count);
	sim_own_status(s, m);
	struct sim_task *task = &s->tasks[index];
	uint32_t stack = sim_any_stack(s, STACKS_ANNOTATION);
	sim_emit(s, m, WIRE_USER_TASK_END, (uint64_t[]){ task->id, sim_stack_id(s, stack) },
		SIM_FACT_TASK_END);
	s->fact.value[0] = task->is_known ? task->parent : 0;
	tell_annotation(s, task->id,
		task->is_known ? task->name : pool_reason(&s->pool, REASON_NONE), stack);
	/* Now and then it stays, to end once more: by then nobody knows its name. */
	task->is_known = false;
	if (!sim_one_in(s, 16))
		*task = s->tasks[--s->task_count];
}

static void
emit_region(struct sim *s, struct sim_m *m, unsigned wire_id, const struct sim_region *region)
{
	sim_own_status(s, m);
	bool is_begin = wire_id == WIRE_USER_REGION_BEGIN;
	uint32_t stack = sim_any_stack(s, STACKS_ANNOTATION);
	uint64_t args[] = { region->task, sim_text_id(s, region->name), sim_stack_id(s, stack) };
	sim_emit(s, m, wire_id, args, is_begin ? SIM_FACT_REGION_BEGIN : SIM_FACT_REGION_END);
	tell_annotation(s, region->task, region->name, stack);
}

void
sim_region_begin(struct sim *s, struct sim_m *m)
{
	struct sim_g *g = m->g;
	assert(g->region_count < SIM_MAX_REGIONS);
	struct sim_region region = { any_task(s), sim_any_text(s, TEXTS_REGION) };
	emit_region(s, m, WIRE_USER_REGION_BEGIN, &region);
	g->regions[g->region_count++] = region;
}

void
sim_region_end(struct sim *s, struct sim_m *m)
{
	assert(m->g->region_count > 0);
	emit_region(s, m, WIRE_USER_REGION_END, &m->g->regions[--m->g->region_count]);
}

void
sim_log(struct sim *s, struct sim_m *m)
{
	sim_own_status(s, m);
	uint64_t task = any_task(s);
	uint32_t key = sim_any_text(s, TEXTS_LOG_KEY);
	uint32_t value = sim_any_text(s, TEXTS_LOG_VALUE);
	uint32_t stack = sim_any_stack(s, STACKS_ANNOTATION);
	uint64_t args[] = { task, sim_text_id(s, key), sim_text_id(s, value),
		sim_stack_id(s, stack) };
	sim_emit(s, m, WIRE_USER_LOG, args, SIM_FACT_LOG);
	s->fact.key = s->pool.texts[key];
	tell_annotation(s, task, value, stack);
}
