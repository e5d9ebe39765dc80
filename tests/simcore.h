/*
 * The inside of the simulated scheduler, shared by its files: simcore.c has
 * time, batches and lists; simevents.c and simranges.c write one event and
 * change the state as that event says; simactions.c decides what happens
 * next; tracesim.c begins and ends generations and the trace.
 */
#ifndef TTRACE_TESTS_SIMCORE_H
#define TTRACE_TESTS_SIMCORE_H

#include "simpool.h"
#include "tracesim.h"
#include "tracewriter.h"

#define SIM_MAX_REGIONS 4 /* nested on one goroutine */
#define SIM_WHEEL_SLOTS 2048
#define SIM_MAX_TASKS 64  /* open at a time */

/* Which of the lists of waiting goroutines one is on, by who may wake it. */
enum sim_queue {
	QUEUE_NONE,      /* running, in a syscall, or blocked forever */
	QUEUE_READY,
	QUEUE_BLOCKED,   /* another goroutine */
	QUEUE_EXTERNAL,  /* the network poller, a timer */
	QUEUE_COROUTINE, /* a goroutine that switches to it */
	QUEUE_WORKER,    /* the beginning of a GC */
	QUEUE_COUNT
};

struct sim_region {
	uint64_t task;
	uint32_t name; /* text */
};

struct sim_g {
	uint64_t id;
	uint64_t seq, gen;     /* gen: of its last status or creation */
	struct sim_m *m;       /* while running or in a syscall */
	enum sim_state state;
	enum sim_queue queue;
	uint32_t queue_index, live_index;
	uint32_t stack;        /* where it last stopped */
	bool is_known;         /* mentioned in the trace */
	bool is_main, is_worker, is_coroutine, is_assisting;
	bool is_foreign;       /* came from a thread of C */
	bool is_leaving;       /* and is in the syscall that ends it */
	uint8_t region_count;
	struct sim_region regions[SIM_MAX_REGIONS];
};

/* The wire's codes, so they can be written as they are. */
enum sim_p_status { P_RUNNING = 1, P_IDLE, P_SYSCALL, P_ABANDONED };

struct sim_p {
	uint64_t id;
	uint64_t seq, gen;
	struct sim_m *m;     /* while running or in a syscall */
	uint64_t last_m;     /* who held it when it was abandoned */
	enum sim_p_status status;
	bool is_known, is_sweeping;
};

struct sim_m {
	uint64_t id;
	struct sim_g *g;
	struct sim_p *p;
	bool is_foreign;      /* a thread of C: outside of Go most of the time */
	uint64_t quiet_until; /* ticks: computes without an event till then */
	struct wire batch;
	bool is_open;         /* batch has begun */
	uint64_t skew_ticks;  /* its clock is fast by so much */
	uint64_t batch_time;  /* with the skew */
	uint64_t last_tick;   /* without it */
	int64_t last_ns;
};

struct sim_list {
	struct sim_g **items;
	uint32_t count, capacity;
};

/* Ids of texts or stacks in the current generation, given at first use. */
struct sim_ids {
	uint64_t *gen; /* per item: the generation that its id is of */
	uint32_t *id;
	uint32_t *used; /* the items in the order of first use */
	uint32_t count, written;
	uint32_t base;
};

struct sim_task {
	uint64_t id, parent;
	uint32_t name;
	bool is_known; /* its begin is in the trace */
};

struct sim {
	struct sim_options options;
	struct pool pool;
	uint64_t random;
	uint8_t wheel[SIM_WHEEL_SLOTS + SIM_ACTIVITY_COUNT]; /* activities to draw from */
	uint32_t wheel_count;

	struct sim_m *threads;
	uint32_t thread_count;
	struct sim_m nobody; /* writes the batches of no thread */
	struct sim_p *procs;
	uint32_t active_procs; /* GOMAXPROCS */
	struct sim_list live, queues[QUEUE_COUNT];
	uint32_t stuck_count; /* goroutines blocked forever */
	uint64_t next_g, next_task;
	struct sim_task tasks[SIM_MAX_TASKS];
	uint32_t task_count;

	bool is_gc_on;
	uint64_t gc_seq, gc_end_event;
	uint64_t heap_bytes;

	uint64_t first_gen, gen;
	uint64_t gen_start;  /* ticks */
	uint64_t now;        /* ticks */
	const struct sim_m *last_m; /* who wrote the last event; NULL: nobody can share its tick */
	uint64_t tick_unit;  /* all ticks but a thread's skew are multiples of it */
	int64_t max_ns;      /* latest time of an event */
	double ns_per_tick;
	uint64_t event_count;
	struct sim_ids text_ids, stack_ids;
	struct wire samples, table;

	struct wire *out;
	sim_fact_fn *tell;
	void *tell_context;
	struct sim_fact fact;
	int64_t last_delivered_ns;
	uint64_t sync_count;
	bool has_failed;
};

static inline uint32_t
sim_below(struct sim *s, uint32_t bound)
{
	return pool_below(&s->random, bound);
}

/* True once in `n` times. */
static inline bool
sim_one_in(struct sim *s, uint32_t n)
{
	return sim_below(s, n) == 0;
}

/* ---- simcore.c: time, batches, facts, names, lists */

void sim_tick(struct sim *s);
int64_t sim_ns(const struct sim *s, uint64_t ticks);
void sim_flush_batch(struct sim *s, struct sim_m *m);
void sim_flush_samples(struct sim *s);
void sim_add_sample(struct sim *s, uint64_t m, uint64_t p, uint64_t g, uint32_t stack);

/* Writes one event and begins its fact, with the context before the event. */
struct sim_fact *sim_emit(struct sim *s, struct sim_m *m, unsigned id, const uint64_t *args,
	enum sim_kind kind);
uint32_t sim_text_id(struct sim *s, uint32_t text);
uint32_t sim_stack_id(struct sim *s, uint32_t stack);
uint32_t sim_any_text(struct sim *s, enum pool_texts kind);
uint32_t sim_any_stack(struct sim *s, enum pool_stacks kind);
void sim_fact_begin(struct sim *s, const struct sim_m *m, enum sim_kind kind, unsigned wire_id,
	int64_t time_ns);
void sim_fact_end(struct sim *s);
void sim_enqueue(struct sim *s, struct sim_g *g, enum sim_queue queue);
void sim_dequeue(struct sim *s, struct sim_g *g);
struct sim_g *sim_pick(struct sim *s, enum sim_queue queue);
struct sim_g *sim_go_new(struct sim *s, enum sim_state state);
void sim_go_free(struct sim *s, struct sim_g *g);

/* As a fact names it: -1 for none, and for what the trace has not mentioned yet. */
int64_t sim_g_id(const struct sim_g *g);

/*
 * ---- simevents.c: events. Each first writes the statuses that its thread,
 * proc and goroutine still owe to this generation. The state must allow it.
 */

void sim_go_status(struct sim *s, struct sim_m *m, struct sim_g *g);
void sim_proc_status(struct sim *s, struct sim_m *m, struct sim_p *p);
void sim_own_status(struct sim *s, struct sim_m *m);

void sim_proc_start(struct sim *s, struct sim_m *m, struct sim_p *p);
void sim_proc_stop(struct sim *s, struct sim_m *m);
void sim_proc_steal(struct sim *s, struct sim_m *m, struct sim_p *p);

struct sim_g *sim_go_create(struct sim *s, struct sim_m *m, bool is_coroutine);
void sim_go_start(struct sim *s, struct sim_m *m, struct sim_g *g);
void sim_go_stop(struct sim *s, struct sim_m *m, enum pool_reason reason);
void sim_go_block(struct sim *s, struct sim_m *m, enum pool_reason reason, uint32_t stack,
	enum sim_queue queue);
void sim_go_destroy(struct sim *s, struct sim_m *m);
void sim_go_unblock(struct sim *s, struct sim_m *m, struct sim_g *g);
void sim_go_switch(struct sim *s, struct sim_m *m, struct sim_g *g, bool is_destroy);
void sim_syscall_begin(struct sim *s, struct sim_m *m);
void sim_syscall_end(struct sim *s, struct sim_m *m);
void sim_syscall_end_blocked(struct sim *s, struct sim_m *m);
void sim_create_syscall(struct sim *s, struct sim_m *m);
void sim_destroy_syscall(struct sim *s, struct sim_m *m);

/* ---- simranges.c: events that do not change who runs where */

void sim_stw_begin(struct sim *s, struct sim_m *m, uint32_t kind);
void sim_stw_end(struct sim *s, struct sim_m *m, uint32_t kind);
void sim_gc_begin(struct sim *s, struct sim_m *m);
void sim_gc_active(struct sim *s, struct sim_m *m);
void sim_gc_end(struct sim *s, struct sim_m *m);
void sim_sweep_begin(struct sim *s, struct sim_m *m);
void sim_sweep_end(struct sim *s, struct sim_m *m);
void sim_assist_begin(struct sim *s, struct sim_m *m);
void sim_assist_end(struct sim *s, struct sim_m *m);

void sim_procs_change(struct sim *s, struct sim_m *m);
void sim_heap(struct sim *s, struct sim_m *m, unsigned wire_id, uint64_t bytes);
void sim_label(struct sim *s, struct sim_m *m, uint32_t label);
void sim_task_begin(struct sim *s, struct sim_m *m);
void sim_task_end(struct sim *s, struct sim_m *m, uint32_t index);
void sim_region_begin(struct sim *s, struct sim_m *m);
void sim_region_end(struct sim *s, struct sim_m *m);
void sim_log(struct sim *s, struct sim_m *m);
void sim_sample(struct sim *s, const struct sim_m *m);
void sim_experiment(struct sim *s, struct sim_m *m, unsigned wire_id, const uint64_t *args);

/* ---- simactions.c */

/* Prepares the drawing of activities by their weights. */
void sim_fill_wheel(struct sim *s);

/* Lets one thread do something; may write nothing. */
void sim_step(struct sim *s);

#endif
