/* Beginning and end of simulated traces and of their generations; see tracesim.h. */

#include "tracesim.h"

#include <assert.h>
#include <stdlib.h>

#include "simcore.h"

#define MAX_PROCS 1024
#define MAX_THREADS 4096
#define MAX_GOROUTINES 10000000
#define MAX_SKEW_GAPS 20 /* more, and GC cycles of different threads might overlap */
#define MIN_BATCH_BYTES 256
#define MAX_TABLE_ENTRY 2048 /* bytes; more than a string or stack of the pool takes */
#define TABLES_EVERY 4000    /* steps between writing tables in mid-generation */
#define EXPERIMENT_ALLOC_FREE 1

/* ---- options */

static const uint16_t default_mix[SIM_ACTIVITY_COUNT] = {
	[SIM_CHANNEL] = 60, [SIM_SYNC] = 40, [SIM_SELECT] = 20, [SIM_NETWORK] = 40,
	[SIM_SLEEP] = 10, [SIM_WAKE] = 120, [SIM_PREEMPT] = 15, [SIM_YIELD] = 5,
	[SIM_SYSCALL] = 60, [SIM_STEAL] = 3, [SIM_COROUTINE] = 10, [SIM_CGO] = 1,
	[SIM_CREATE] = 30, [SIM_EXIT] = 30, [SIM_GC] = 1, [SIM_STW] = 1,
	[SIM_ASSIST] = 10, [SIM_SWEEP] = 10, [SIM_HEAP] = 20, [SIM_PROCS] = 1,
	[SIM_TASK] = 10, [SIM_REGION] = 30, [SIM_LOG] = 20, [SIM_LABEL] = 3,
	[SIM_SAMPLE] = 20,
};

void
sim_options_init(struct sim_options *options)
{
	*options = (struct sim_options){
		.seed = 1,
		.version = 23,
		.goroutines = 50,
		.procs = 4,
		.generations = 2,
		.events = 5000,
		.ticks_per_s = 15625000,
		.mean_gap_ticks = 12,
		.batch_bytes = WIRE_MAX_PAYLOAD,
	};
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++)
		options->mix[i] = default_mix[i];
}

static void
random_mix(uint16_t *mix, uint64_t *random)
{
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++) {
		switch (pool_below(random, 6)) {
		case 0:
			mix[i] = 0;
			break;
		case 1:
			mix[i] = (uint16_t)(mix[i] * 4 + 5);
			break;
		default:
			break;
		}
	}
}

void
sim_options_random(struct sim_options *options, uint64_t seed)
{
	static const unsigned versions[] = { 22, 23, 25, 26 };
	static const uint64_t rates[] = { 15625000, 15625000, 1000000000, 500000000, 11718750,
		333333333, UINT64_C(3000000000) };
	uint64_t random = seed;
	sim_options_init(options);
	options->seed = seed;
	options->version = versions[pool_below(&random, 4)];
	options->goroutines = 1 + pool_below(&random, 1u << pool_below(&random, 10));
	options->procs = 1 + pool_below(&random, pool_below(&random, 4) == 0 ? 40 : 6);
	options->threads = pool_below(&random, 3) == 0 ? 1 + pool_below(&random, 30) : 0;
	options->generations = 1 + pool_below(&random, 6);
	options->events = 1 + pool_below(&random, 1u << (4 + pool_below(&random, 11)));
	options->ticks_per_s = rates[pool_below(&random, 7)];
	options->mean_gap_ticks = 1 + pool_below(&random, 1u << pool_below(&random, 12));
	if (pool_below(&random, 2) == 0)
		options->batch_bytes = MIN_BATCH_BYTES + pool_below(&random, 2000);
	if (pool_below(&random, 4) == 0)
		options->equal_times = pool_below(&random, 60);
	else if (pool_below(&random, 4) == 0)
		options->skew_ticks = pool_below(&random, MAX_SKEW_GAPS * options->mean_gap_ticks);
	options->hostile_text = pool_below(&random, 3) == 0;
	options->is_quiet_start = pool_below(&random, 3) == 0;
	random_mix(options->mix, &random);
}

static bool
options_are_valid(const struct sim_options *options)
{
	unsigned version = options->version;
	return (version == 22 || version == 23 || version == 25 || version == 26) &&
		options->goroutines >= 1 && options->goroutines <= MAX_GOROUTINES &&
		options->procs >= 1 && options->procs <= MAX_PROCS &&
		options->threads <= MAX_THREADS && options->generations >= 1 &&
		(options->events > 0 || options->bytes > 0) && options->ticks_per_s > 0 &&
		options->mean_gap_ticks > 0 && options->mean_gap_ticks < 1000000 &&
		options->skew_ticks <= MAX_SKEW_GAPS * options->mean_gap_ticks &&
		options->batch_bytes >= MIN_BATCH_BYTES &&
		options->batch_bytes <= WIRE_MAX_PAYLOAD && options->equal_times <= 100;
}

/* ---- the state before the trace */

static bool
ids_init(struct sim_ids *ids, uint32_t count)
{
	ids->gen = calloc(count, sizeof *ids->gen);
	ids->id = calloc(count, sizeof *ids->id);
	ids->used = calloc(count, sizeof *ids->used);
	return ids->gen != NULL && ids->id != NULL && ids->used != NULL;
}

static void
ids_release(struct sim_ids *ids)
{
	free(ids->gen);
	free(ids->id);
	free(ids->used);
}

/*
 * A thread's skew has a remainder of its own, so that no two threads ever have
 * the same time: see advance_to_event() for why not.
 */
static void
init_skew(struct sim *s)
{
	s->tick_unit = 1;
	if (s->options.skew_ticks == 0)
		return;
	s->tick_unit = s->thread_count + 1;
	for (uint32_t i = 0; i < s->thread_count; i++)
		s->threads[i].skew_ticks = s->tick_unit * sim_below(s, s->options.skew_ticks) + i + 1;
}

/* Threads of C come last, some beyond those that Go needs. */
static void
init_threads(struct sim *s, uint32_t foreign)
{
	uint64_t id = 1000 + sim_below(s, 100000);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		s->threads[i].id = id;
		s->threads[i].is_foreign = i >= s->thread_count - foreign;
		id += 1 + sim_below(s, 3);
	}
	s->nobody.id = WIRE_NONE;
	init_skew(s);
	for (uint32_t i = 0; i < s->options.procs; i++)
		s->procs[i] = (struct sim_p){ .id = i, .status = P_IDLE };
}

static bool
allocate(struct sim *s)
{
	const struct sim_options *o = &s->options;
	if (!pool_build(&s->pool, o->seed, o->hostile_text))
		return false;
	uint32_t foreign = o->mix[SIM_CGO] > 0 ? 1 + o->procs / 8 : 0;
	uint32_t own = o->threads > o->procs + 1 ? o->threads : o->procs + o->procs / 4 + 2;
	s->thread_count = own + foreign;
	s->threads = calloc(s->thread_count, sizeof *s->threads);
	s->procs = calloc(o->procs, sizeof *s->procs);
	if (s->threads == NULL || s->procs == NULL)
		return false;
	init_threads(s, foreign);
	return ids_init(&s->text_ids, s->pool.text_count) &&
		ids_init(&s->stack_ids, s->pool.node_count);
}

static void
init_numbers(struct sim *s)
{
	const struct sim_options *o = &s->options;
	s->ns_per_tick = 1.0 / ((double)o->ticks_per_s / 1e9);
	s->active_procs = o->procs;
	s->next_g = 1;
	s->next_task = 100;
	s->first_gen = sim_one_in(s, 2) ? 1 : 1 + sim_below(s, 300);
	s->now = s->tick_unit * o->ticks_per_s / 8 * (1 + (uint64_t)sim_below(s, 100000));
	s->gc_seq = o->is_quiet_start ? 0 : sim_below(s, 100);
	s->heap_bytes = 4u << 20;
	sim_fill_wheel(s);
}

/* On a thread with a proc, running or in a syscall that may have lost its proc. */
static void
init_executing(struct sim *s, struct sim_g *g, struct sim_m *m, struct sim_p *p)
{
	bool is_syscall = !g->is_main && sim_one_in(s, 3);
	g->state = is_syscall ? SIM_IN_SYSCALL : SIM_RUNNING;
	g->m = m;
	m->g = g;
	if (is_syscall && sim_one_in(s, 2))
		return;
	p->status = is_syscall ? P_SYSCALL : P_RUNNING;
	p->is_sweeping = !is_syscall && s->options.mix[SIM_SWEEP] > 0 && sim_one_in(s, 4);
	p->m = m;
	m->p = p;
}

static void
init_waiting(struct sim *s, struct sim_g *g)
{
	static const enum sim_queue queues[] = { QUEUE_READY, QUEUE_BLOCKED, QUEUE_EXTERNAL,
		QUEUE_EXTERNAL };
	enum sim_queue queue = queues[sim_below(s, 4)];
	if (g->is_worker)
		queue = QUEUE_WORKER;
	g->state = queue == QUEUE_READY ? SIM_READY : SIM_BLOCKED;
	g->stack = sim_any_stack(s, STACKS_SELECT);
	sim_enqueue(s, g, queue);
}

/* Goroutine `index` as the trace finds it; 0 is main and runs. */
static bool
init_goroutine(struct sim *s, uint32_t index, uint32_t workers)
{
	struct sim_g *g = sim_go_new(s, SIM_READY);
	if (g == NULL)
		return false;
	bool is_quiet = s->options.is_quiet_start;
	g->is_main = index == 0;
	g->is_worker = index > 0 && index <= workers;
	uint32_t place = index > workers ? index - workers : index;
	if (g->is_main || (!g->is_worker && !is_quiet && place < s->options.procs))
		init_executing(s, g, &s->threads[place], &s->procs[place]);
	else
		init_waiting(s, g);
	if (is_quiet || g->is_worker)
		return true;
	g->is_assisting = s->options.mix[SIM_ASSIST] > 0 && !g->is_main && sim_one_in(s, 16);
	if (s->options.mix[SIM_REGION] > 0 && sim_one_in(s, 4))
		g->regions[g->region_count++] =
			(struct sim_region){ sim_below(s, 3), sim_any_text(s, TEXTS_REGION) };
	return true;
}

static bool
init_world(struct sim *s)
{
	const struct sim_options *o = &s->options;
	uint32_t workers = o->mix[SIM_GC] > 0 ? 1 + o->procs / 4 : 0;
	uint32_t count = 1 + workers + o->goroutines / 2;
	for (uint32_t i = 0; i < count; i++) {
		if (!init_goroutine(s, i, workers))
			return false;
	}
	if (o->is_quiet_start)
		return true;
	s->is_gc_on = o->mix[SIM_GC] > 0 && sim_one_in(s, 2);
	if (o->mix[SIM_TASK] > 0)
		s->tasks[s->task_count++] = (struct sim_task){ .id = 7 };
	return true;
}

struct sim *
sim_new(const struct sim_options *options)
{
	if (!options_are_valid(options))
		return NULL;
	struct sim *s = calloc(1, sizeof *s);
	if (s == NULL)
		return NULL;
	s->options = *options;
	s->random = options->seed ^ UINT64_C(0x5bd1e995c2b2ae35);
	if (!allocate(s)) {
		sim_free(s);
		return NULL;
	}
	init_numbers(s);
	if (!init_world(s)) {
		sim_free(s);
		return NULL;
	}
	return s;
}

void
sim_free(struct sim *s)
{
	if (s == NULL)
		return;
	for (uint32_t i = 0; i < s->live.count; i++)
		free(s->live.items[i]);
	free(s->live.items);
	for (int i = 0; i < QUEUE_COUNT; i++)
		free(s->queues[i].items);
	for (uint32_t i = 0; s->threads != NULL && i < s->thread_count; i++)
		wire_release(&s->threads[i].batch);
	wire_release(&s->nobody.batch);
	wire_release(&s->samples);
	wire_release(&s->table);
	free(s->threads);
	free(s->procs);
	ids_release(&s->text_ids);
	ids_release(&s->stack_ids);
	pool_release(&s->pool);
	free(s);
}

/* ---- tables */

static void
flush_table(struct sim *s)
{
	wire_batch(s->out, s->gen, WIRE_NONE, s->now, &s->table);
	wire_clear(&s->table);
}

/* Makes room for one more entry, in a new batch if need be. */
static void
begin_entry(struct sim *s, unsigned table_id)
{
	if (s->table.size + MAX_TABLE_ENTRY > WIRE_MAX_PAYLOAD)
		flush_table(s);
	if (s->table.size == 0)
		wire_u8(&s->table, table_id);
}

static void
write_stack(struct sim *s, uint32_t stack)
{
	struct wire_frame frames[POOL_MAX_DEPTH];
	size_t count = 0;
	for (uint32_t at = stack; at != 0; at = s->pool.nodes[at].parent) {
		const struct pool_frame *frame = &s->pool.nodes[at].frame;
		frames[count++] = (struct wire_frame){ frame->pc, sim_text_id(s, frame->func),
			sim_text_id(s, frame->file), frame->line };
	}
	begin_entry(s, WIRE_STACKS);
	wire_stack(&s->table, s->stack_ids.id[stack], frames, count);
}

static void
write_text(struct sim *s, uint32_t text)
{
	begin_entry(s, WIRE_STRINGS);
	wire_string(&s->table, s->text_ids.id[text], s->pool.texts[text].data,
		s->pool.texts[text].size);
}

/* Those used since the last time: stacks first, for their frames use texts. */
static void
write_tables(struct sim *s)
{
	while (s->stack_ids.written < s->stack_ids.count)
		write_stack(s, s->stack_ids.used[s->stack_ids.written++]);
	flush_table(s);
	while (s->text_ids.written < s->text_ids.count)
		write_text(s, s->text_ids.used[s->text_ids.written++]);
	flush_table(s);
}

/* The two batches of doc/format/go-trace-v2.md, section 8. */
static void
write_alloc_free_info(struct sim *s)
{
	static const char name[] = "main.document";
	static const uint64_t type[] = { 1, 0x4a1000, 96, 48, sizeof name - 1 };
	static const uint64_t info[] = { UINT64_C(0xc000000000), 8192, 8, 2048 };
	wire_u8(&s->table, 0);
	for (size_t i = 0; i < sizeof type / sizeof type[0]; i++)
		wire_varint(&s->table, type[i]);
	wire_bytes(&s->table, name, sizeof name - 1);
	wire_experimental_batch(s->out, EXPERIMENT_ALLOC_FREE, s->gen, s->threads[0].id, s->now,
		&s->table);
	wire_clear(&s->table);
	wire_u8(&s->table, 1);
	for (size_t i = 0; i < sizeof info / sizeof info[0]; i++)
		wire_varint(&s->table, info[i]);
	wire_experimental_batch(s->out, EXPERIMENT_ALLOC_FREE, s->gen, s->threads[0].id, s->now,
		&s->table);
	wire_clear(&s->table);
}

/* ---- generations */

static void
tell_sync(struct sim *s, int64_t time_ns)
{
	sim_fact_begin(s, &s->nobody, SIM_FACT_SYNC, 0, time_ns);
	s->fact.subject = (int64_t)++s->sync_count;
	sim_fact_end(s);
}

static void
reset_ids(struct sim *s, struct sim_ids *ids)
{
	ids->count = 0;
	ids->written = 0;
	ids->base = 40 * sim_below(s, 3);
}

static void
write_sync_batch(struct sim *s)
{
	int64_t now_ns = sim_ns(s, s->gen_start);
	uint64_t wall_ns = UINT64_C(1700000000123456789) + (uint64_t)now_ns;
	struct wire_clock clock = {
		.dt = sim_below(s, 3),
		.mono_ns = (uint64_t)now_ns + 17,
		.wall_s = wall_ns / 1000000000,
		.wall_ns = wall_ns % 1000000000,
	};
	wire_sync_batch(s->out, s->gen, s->gen_start, s->options.ticks_per_s, &clock);
}

/* What a real trace begins with: the world is stopped to start tracing. */
static void
write_start_of_trace(struct sim *s, struct sim_m *m)
{
	uint32_t kind = s->pool.kinds[TEXTS_STW].first + 3;
	sim_stw_begin(s, m, kind);
	sim_heap(s, m, WIRE_HEAP_GOAL, s->heap_bytes);
	for (uint32_t i = 0; i < s->active_procs; i++)
		sim_proc_status(s, m, &s->procs[i]);
	sim_procs_change(s, m);
	sim_stw_end(s, m, kind);
}

static void
begin_generation(struct sim *s, struct sim_m *m)
{
	sim_tick(s);
	s->gen_start = s->now;
	reset_ids(s, &s->text_ids);
	reset_ids(s, &s->stack_ids);
	tell_sync(s, sim_ns(s, s->gen_start));
	if (s->options.version >= 25)
		write_sync_batch(s);
	if (s->gen == s->first_gen && s->options.is_quiet_start)
		write_start_of_trace(s, m);
	else
		sim_procs_change(s, m);
	if (s->is_gc_on)
		sim_gc_active(s, m);
	if (s->options.mix[SIM_EXPERIMENT] > 0 && s->options.version >= 23)
		write_alloc_free_info(s);
}

/* Everything that the generation has not mentioned yet, semantics section 4. */
static void
write_other_statuses(struct sim *s)
{
	for (uint32_t i = 0; i < s->thread_count; i++) {
		struct sim_m *m = &s->threads[i];
		if (m->g == NULL || m->g->state == SIM_RUNNING)
			sim_own_status(s, m);
	}
	for (uint32_t i = 0; i < s->options.procs; i++) {
		struct sim_p *p = &s->procs[i];
		if (i < s->active_procs || p->status == P_ABANDONED)
			sim_proc_status(s, &s->nobody, p);
	}
	for (uint32_t i = 0; i < s->live.count; i++)
		sim_go_status(s, &s->nobody, s->live.items[i]);
}

static void
end_generation(struct sim *s)
{
	write_other_statuses(s);
	for (uint32_t i = 0; i < s->thread_count; i++)
		sim_flush_batch(s, &s->threads[i]);
	sim_flush_batch(s, &s->nobody);
	sim_flush_samples(s);
	write_tables(s);
	if (s->options.version < 25)
		wire_frequency_batch(s->out, s->gen, s->now, s->options.ticks_per_s);
	if (s->options.version >= 26)
		wire_end_of_generation(s->out);
}

/* A thread that runs a goroutine; lets things go on until there is one. */
static struct sim_m *
running_thread(struct sim *s)
{
	while (!s->has_failed) {
		for (uint32_t i = 0; i < s->thread_count; i++) {
			struct sim_m *m = &s->threads[i];
			if (m->g != NULL && m->g->state == SIM_RUNNING)
				return m;
		}
		sim_step(s);
	}
	return NULL;
}

/* The part of `total` that `done` of the generations may fill; 0: no limit. */
static uint64_t
share(const struct sim *s, uint64_t total, uint32_t done)
{
	if (total == 0)
		return UINT64_MAX;
	return (uint64_t)((double)total * done / s->options.generations);
}

static void
run_generation(struct sim *s, uint64_t start_offset, uint32_t index)
{
	struct sim_m *m = running_thread(s);
	if (m == NULL)
		return;
	if (index > 0)
		end_generation(s);
	s->gen = s->first_gen + index;
	begin_generation(s, m);
	uint64_t events = share(s, s->options.events, index + 1);
	uint64_t bytes = share(s, s->options.bytes, index + 1);
	uint32_t steps = 0;
	while (!s->has_failed && !s->out->has_failed && s->event_count < events &&
		wire_offset(s->out) - start_offset < bytes) {
		sim_step(s);
		if (++steps % TABLES_EVERY == 0 && sim_one_in(s, 4))
			write_tables(s);
	}
}

bool
sim_write(struct sim *s, struct wire *out, sim_fact_fn *tell, void *context)
{
	assert(s->out == NULL);
	s->out = out;
	s->tell = tell;
	s->tell_context = context;
	uint64_t start = wire_offset(out);
	wire_header(out, s->options.version);
	for (uint32_t i = 0; i < s->options.generations; i++)
		run_generation(s, start, i);
	end_generation(s);
	tell_sync(s, s->last_delivered_ns + 1);
	return !s->has_failed && !out->has_failed;
}

bool
sim_is_exact(const struct sim *s)
{
	return s->options.equal_times == 0 && s->options.skew_ticks == 0;
}

uint64_t
sim_event_count(const struct sim *s)
{
	return s->event_count;
}

/* ---- stacks and facts, for the caller */

size_t
sim_stack_depth(const struct sim *s, uint32_t stack)
{
	assert(stack < s->pool.node_count);
	return s->pool.nodes[stack].depth;
}

struct sim_frame
sim_stack_frame(const struct sim *s, uint32_t stack, size_t index)
{
	assert(index < sim_stack_depth(s, stack));
	while (index-- > 0)
		stack = s->pool.nodes[stack].parent;
	const struct pool_frame *frame = &s->pool.nodes[stack].frame;
	return (struct sim_frame){ s->pool.texts[frame->func], s->pool.texts[frame->file],
		frame->pc, frame->line };
}

void
sim_collect(void *context, const struct sim_fact *fact)
{
	struct sim_facts *facts = context;
	if (facts->count == facts->capacity) {
		size_t capacity = facts->capacity == 0 ? 1024 : facts->capacity * 2;
		struct sim_fact *items = realloc(facts->items, capacity * sizeof *items);
		if (items == NULL) {
			facts->has_failed = true;
			return;
		}
		facts->items = items;
		facts->capacity = capacity;
	}
	facts->items[facts->count++] = *fact;
}

void
sim_facts_release(struct sim_facts *facts)
{
	free(facts->items);
	*facts = (struct sim_facts){ 0 };
}
