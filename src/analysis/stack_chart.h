/*
 * What is known of the stack of one actor over time. While it waits, is in a syscall, or
 * was stopped its stack stands still: it is known. While it runs it is known at CPU samples
 * alone; between two of them, or the stacks where it began to run and where it stopped, the
 * outermost frames whose functions both have are said to stand between. All else is unknown.
 */
#ifndef TTRACE_ANALYSIS_STACK_CHART_H
#define TTRACE_ANALYSIS_STACK_CHART_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/samples.h"
#include "base/error.h"
#include "trace/trace.h"

enum stack_knowledge { STACK_IS_UNKNOWN, STACK_IS_KNOWN, STACK_IS_BETWEEN };

/* A stretch of time in which nothing about that changes. */
struct stack_piece {
	int64_t start_ns, end_ns;
	stack_id stack;  /* STACK_NONE where unknown; the earlier one of two */
	uint32_t frames; /* of it from the outermost on: all, or those that stand between */
	enum stack_knowledge knowledge;
};

/* A piece as it is kept: it ends where the next one begins. */
struct stack_start {
	int64_t start_ns;
	stack_id stack;
	uint32_t frames : 30, knowledge : 2;
};

/* Pieces by start, the last up to end_ns; sums are kept for blocks of STACK_BLOCK pieces. */
enum { STACK_BLOCK = 32 };

struct stack_chart {
	const struct trace *trace;
	actor_ref actor; /* REF_NONE for no chart */
	struct stack_start *starts;
	int64_t *known_before_ns; /* time that is known before each block */
	uint32_t *longest;        /* tree of the longest known piece, see the .c file */
	size_t count, capacity, blocks;
	int64_t end_ns;
	uint32_t depth; /* frames of the deepest stack */
};

/*
 * Of a frozen trace, which must outlive it. O(states of the actor * depth of a stack). False
 * with ERROR_CANCELLED soon after *is_cancelled is set (NULL: never). On failure nothing is held.
 */
bool stack_chart_build(struct stack_chart *chart, const struct trace *trace,
	const struct samples *samples, actor_ref actor, const atomic_bool *is_cancelled,
	struct error *err);
void stack_chart_release(struct stack_chart *chart);

/* The piece that holds t; false before the first and from end_ns on. O(log n). */
bool stack_chart_at(const struct stack_chart *chart, int64_t t_ns, struct stack_piece *piece);

enum stack_cell_kind {
	STACK_CELL_NONE,    /* nothing is known */
	STACK_CELL_KNOWN,   /* a stack is known for half of the cell or more, or it is of a sample */
	STACK_CELL_PART,    /* one is known for less */
	STACK_CELL_BETWEEN, /* none is known, but some frames stand between two that are */
};

/* What a cell shows. */
struct stack_cell {
	stack_id stack;
	uint32_t frames; /* of it from the outermost on */
	enum stack_cell_kind kind;
};

/*
 * The cell of [t0, t1). Where stacks are known for half of it: the one that is for longest,
 * the earliest of equals; else that of the first sample within; else the one known for longest;
 * else what stands between at its start. The samples are those that it was built with.
 * O(log n + STACK_BLOCK).
 */
struct stack_cell stack_chart_cell(const struct stack_chart *chart, const struct samples *samples,
	int64_t t0_ns, int64_t t1_ns);

/*
 * Frames of a stack without runtime.goexit, which is outermost in samples and missing elsewhere:
 * frames are counted from the actor's own function on. O(depth).
 */
uint32_t stack_chart_frames(const struct trace *trace, stack_id stack);
/* The stack without its innermost frames, of which so many of those stay. O(depth). */
stack_id stack_chart_outer(const struct trace *trace, stack_id stack, uint32_t frames);

#endif
