/*
 * A simulated Go scheduler that writes traces, for property tests and the
 * benchmark. What it writes obeys doc/format/go-trace-semantics.md by
 * construction: it keeps the state of every goroutine, proc and thread and
 * only does what that state allows. The same options give the same bytes.
 *
 * While writing it tells each fact it simulated: exactly the events that a
 * reader must deliver. If sim_is_exact(), in this order and with these
 * times; otherwise threads may be interleaved differently, and only the order
 * within one goroutine (and its states) is certain.
 */
#ifndef TTRACE_TESTS_TRACESIM_H
#define TTRACE_TESTS_TRACESIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracewriter.h"

enum sim_activity {
	SIM_CHANNEL,    /* block on a channel; woken by another goroutine */
	SIM_SYNC,       /* mutex, wait group, condition; woken likewise */
	SIM_SELECT,
	SIM_NETWORK,    /* woken by a thread without goroutine or proc */
	SIM_SLEEP,
	SIM_WAKE,       /* wake a blocked goroutine */
	SIM_PREEMPT,
	SIM_YIELD,      /* runtime.Gosched */
	SIM_SYSCALL,
	SIM_STEAL,      /* how readily a proc in a syscall is stolen */
	SIM_COROUTINE,  /* 1.23 and later */
	SIM_CGO,        /* threads of C calling into Go */
	SIM_CREATE,
	SIM_EXIT,
	SIM_GC,
	SIM_STW,
	SIM_ASSIST,
	SIM_SWEEP,
	SIM_HEAP,
	SIM_PROCS,      /* change GOMAXPROCS */
	SIM_TASK,
	SIM_REGION,
	SIM_LOG,
	SIM_LABEL,
	SIM_SAMPLE,     /* CPU profile */
	SIM_EXPERIMENT, /* AllocFree; 1.23 and later, and 0 by default */
	SIM_ACTIVITY_COUNT
};

/* The name of an activity in mktrace's --mix. */
const char *sim_activity_name(enum sim_activity activity);

struct sim_options {
	uint64_t seed;
	unsigned version;        /* 22, 23, 25, 26 */
	uint32_t goroutines;     /* alive at a time, about */
	uint32_t procs;          /* at most; GOMAXPROCS may be lowered on the way */
	uint32_t threads;        /* 0: some more than procs */
	uint32_t generations;
	uint64_t events;         /* in all, about; 0: until `bytes` */
	uint64_t bytes;          /* in all, about; 0: until `events` */
	uint64_t ticks_per_s;
	uint32_t mean_gap_ticks; /* between two events, on average */
	size_t batch_bytes;      /* of a payload; at most WIRE_MAX_PAYLOAD */
	unsigned equal_times;    /* per cent of events that share the tick of the one before */
	uint32_t skew_ticks;     /* threads' clocks differ by up to so many, in a coarser
	                          * clock; at most 20 gaps */
	bool hostile_text;       /* escapes, bad UTF-8, bidi, NUL, 1024 bytes in names */
	bool is_quiet_start;     /* as a real trace begins; else in the midst of everything */
	uint16_t mix[SIM_ACTIVITY_COUNT]; /* weights; 0 leaves the activity out */
};

/* A small trace with some of everything but experiments. */
void sim_options_init(struct sim_options *options);

/* All of it drawn from the seed, small; for property tests over many seeds. */
void sim_options_random(struct sim_options *options, uint64_t seed);

enum sim_kind {
	SIM_FACT_SYNC,         /* subject: 1, 2, ... */
	SIM_FACT_GO,           /* subject goroutine goes from -> to */
	SIM_FACT_PROC,         /* subject proc goes from -> to */
	SIM_FACT_RANGE_BEGIN,  /* range; text: kind of a stop-the-world */
	SIM_FACT_RANGE_ACTIVE, /* range */
	SIM_FACT_RANGE_END,    /* range; a sweep's value: bytes swept and reclaimed */
	SIM_FACT_TASK_BEGIN,   /* subject, text; value[0]: parent or 0 */
	SIM_FACT_TASK_END,     /* the same, as they were begun; 0 and empty if unseen */
	SIM_FACT_REGION_BEGIN, /* subject: task or 0; text: name */
	SIM_FACT_REGION_END,
	SIM_FACT_LOG,          /* subject: task or 0; key, text */
	SIM_FACT_LABEL,        /* text */
	SIM_FACT_METRIC,       /* wire_id says which; value[0] */
	SIM_FACT_SAMPLE,       /* m, p, g and stack as in the sample */
	SIM_FACT_EXPERIMENT    /* wire_id; value: operands */
};

/* Of goroutines; a proc is SIM_RUNNING, SIM_IDLE, or one of the first two. */
enum sim_state {
	SIM_UNKNOWN, /* before its first mention in the first generation */
	SIM_DEAD,    /* or not born yet */
	SIM_READY,
	SIM_RUNNING,
	SIM_BLOCKED,
	SIM_IN_SYSCALL,
	SIM_IDLE
};

enum sim_range { SIM_RANGE_STW, SIM_RANGE_GC, SIM_RANGE_SWEEP, SIM_RANGE_ASSIST };

/* Not terminated, may hold any bytes; lives as long as its struct sim. */
struct sim_text {
	const char *data;
	size_t size;
};

struct sim_fact {
	enum sim_kind kind;
	unsigned wire_id;     /* of the wire event; 0 for a sync */
	bool is_synthetic;    /* an extra event of GoSwitch or GoDestroySyscall */
	int64_t time_ns;      /* on the wire: ticks by go-trace-v2.md, 6.2 */
	int64_t delivered_ns; /* after "strictly increasing"; only if sim_is_exact() */
	uint64_t generation;
	int64_t m, p, g;      /* who was executing before the event; -1: none. The
	                       * waker, where `subject` goes from blocked to ready */
	int64_t subject;
	enum sim_state from, to; /* equal for the statuses that open a generation */
	enum sim_range range;
	int64_t range_g, range_p; /* what the range is of; -1: none */
	struct sim_text text, key; /* text of a GO fact: the reason, or empty */
	uint64_t value[3];
	uint32_t stack;          /* of the executing goroutine; 0: none */
	uint32_t subject_stack;  /* the transition stack of a GO fact; 0: none */
};

/* The fact lives only during the call. */
typedef void sim_fact_fn(void *context, const struct sim_fact *fact);

struct sim;

/* NULL when memory runs out or an option is out of bounds. */
struct sim *sim_new(const struct sim_options *options);
void sim_free(struct sim *sim);

/*
 * Writes the trace, once per sim. tell may be NULL. False when memory ran out
 * or out failed. Does not flush out.
 */
bool sim_write(struct sim *sim, struct wire *out, sim_fact_fn *tell, void *context);

/* See above: no equal times and no skew were asked for. */
bool sim_is_exact(const struct sim *sim);

/* Events written so far, structural ones and CPU samples not counted. */
uint64_t sim_event_count(const struct sim *sim);

struct sim_frame {
	struct sim_text func, file;
	uint64_t pc, line;
};

/* Frames of a fact's stack, leaf first; these ids are not those in the file. */
size_t sim_stack_depth(const struct sim *sim, uint32_t stack);
struct sim_frame sim_stack_frame(const struct sim *sim, uint32_t stack, size_t index);

/* All facts of a run, collected: pass sim_collect and the list to sim_write. */
struct sim_facts {
	struct sim_fact *items;
	size_t count, capacity;
	bool has_failed; /* out of memory: the list is short */
};

void sim_collect(void *facts, const struct sim_fact *fact);
void sim_facts_release(struct sim_facts *facts);

#endif
