/*
 * The names and stacks that a simulated trace is made of: functions and files
 * such as Go programs have, call stacks that share prefixes, task names, log
 * messages. Made from a seed, the same each time.
 */
#ifndef TTRACE_TESTS_SIMPOOL_H
#define TTRACE_TESTS_SIMPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracesim.h"

#define POOL_MAX_DEPTH 30

/* splitmix64: its whole state is a counter. */
static inline uint64_t
pool_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Uniform in [0, bound); 0 when bound is 0. */
static inline uint32_t
pool_below(uint64_t *state, uint32_t bound)
{
	return (uint32_t)(((pool_random(state) >> 32) * bound) >> 32);
}

/* Texts by what they are for; a text is one uint32_t over all of them. */
enum pool_texts {
	TEXTS_FUNCTION,
	TEXTS_FILE,
	TEXTS_STW,
	TEXTS_LABEL,
	TEXTS_TASK,
	TEXTS_REGION,
	TEXTS_LOG_KEY,
	TEXTS_LOG_VALUE,
	TEXTS_REASON, /* in the order of enum pool_reason */
	TEXTS_COUNT
};

enum pool_reason {
	REASON_NONE,
	REASON_UNSPECIFIED,
	REASON_FOREVER,
	REASON_NETWORK,
	REASON_SELECT,
	REASON_COND,
	REASON_SYNC,
	REASON_CHAN_SEND,
	REASON_CHAN_RECEIVE,
	REASON_ASSIST_WAIT,
	REASON_SYSTEM,
	REASON_SLEEP,
	REASON_GOSCHED,
	REASON_PREEMPTED,
	REASON_GC_DEDICATED, /* labels, in fact */
	REASON_GC_IDLE,
	REASON_COUNT
};

/* Stacks by what happens at their leaf. */
enum pool_stacks {
	STACKS_RUN,
	STACKS_ENTRY, /* one frame: where a goroutine starts */
	STACKS_CHAN_RECEIVE,
	STACKS_CHAN_SEND,
	STACKS_SELECT,
	STACKS_LOCK,
	STACKS_COND,
	STACKS_NETWORK,
	STACKS_SLEEP,
	STACKS_YIELD,
	STACKS_SYSCALL,
	STACKS_CREATE,
	STACKS_WAKE,
	STACKS_GC,
	STACKS_ALLOC,
	STACKS_WORKER,
	STACKS_PROCS,
	STACKS_ANNOTATION,
	STACKS_COUNT
};

struct pool_frame {
	uint32_t func, file; /* texts */
	uint64_t pc, line;   /* one (func, file, line) per pc */
};

/* A stack is a node; its frames are those from the node to its root. */
struct pool_node {
	uint32_t parent; /* 0: this is the outermost frame */
	uint32_t depth;
	struct pool_frame frame;
};

struct pool_span {
	uint32_t first, count;
};

struct pool {
	struct sim_text *texts;
	uint32_t text_count, text_capacity;
	struct pool_span kinds[TEXTS_COUNT];
	struct pool_node *nodes; /* nodes[0] is not used: stack 0 is none */
	uint32_t node_count, node_capacity;
	struct pool_span stacks[STACKS_COUNT]; /* runs of nodes that are such stacks */
	char *long_text;
	bool has_failed; /* memory ran out while building */
};

/* False when memory ran out; release it all the same. */
bool pool_build(struct pool *pool, uint64_t seed, bool hostile_text);
void pool_release(struct pool *pool);

static inline uint32_t
pool_reason(const struct pool *pool, enum pool_reason reason)
{
	return pool->kinds[TEXTS_REASON].first + (uint32_t)reason;
}

#endif
