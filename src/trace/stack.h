/*
 * Call stacks as a prefix tree of frames: a stack is one 32-bit node, its
 * caller is the parent node. Stacks that share their outer frames share nodes,
 * and equal stacks are equal ids. Shared by all generations of a trace; only
 * ever grows, so readers on other threads may follow nodes published to them.
 */
#ifndef TTRACE_TRACE_STACK_H
#define TTRACE_TRACE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"

typedef uint32_t stack_id; /* a node; the leaf frame of the stack it stands for */
typedef uint32_t frame_id;
#define STACK_NONE ((stack_id)0)

struct stack_frame {
	uint64_t pc;
	uint64_t line;
	string_id function, file;
	uint32_t column;     /* of profiles alone, as is the next; 0: unknown */
	uint32_t is_inlined; /* 1: into its caller, whose pc it has */
};

struct stack_node {
	stack_id parent; /* the caller; STACK_NONE at the outermost frame */
	frame_id frame;
};

struct stack_slot {
	uint32_t number; /* an id + 1; 0 is free */
	uint32_t hash;   /* of what has the id */
};

struct stack_table {
	struct stable_column frames; /* struct stack_frame */
	struct stable_column nodes;  /* struct stack_node; node 0 is "no stack" */
	struct stack_slot *frame_slots, *node_slots; /* hash tables */
	uint32_t frame_slot_count, node_slot_count;
};

bool stack_table_init(struct stack_table *table, struct error *err);
void stack_table_release(struct stack_table *table);

/* The id of an equal frame, added if new. */
bool stack_table_add_frame(struct stack_table *table, const struct stack_frame *frame,
                           frame_id *id, struct error *err);
/*
 * The stack that is `frame` called from `caller` (STACK_NONE for an outermost
 * frame), added if new. Build a stack from its outermost frame inwards.
 */
bool stack_table_add_node(struct stack_table *table, stack_id caller, frame_id frame,
                          stack_id *id, struct error *err);

/*
 * The same for frames called from one another, ids[i] for frames[i]; sooner done than one by one, where
 * most of them are new.
 */
bool stack_table_add_path(struct stack_table *table, stack_id caller, const frame_id *frames,
                          size_t count, stack_id *ids, struct error *err);

/* The leaf frame of a stack other than STACK_NONE. O(1). */
const struct stack_frame *stack_leaf(const struct stack_table *table, stack_id stack);
/* The stack of the caller of the leaf; STACK_NONE when the leaf is the outermost. */
stack_id stack_caller(const struct stack_table *table, stack_id stack);
/* The outermost frame (the actor's entry function). O(depth). */
const struct stack_frame *stack_root(const struct stack_table *table, stack_id stack);
/* Number of frames, 0 for STACK_NONE. O(depth). */
uint32_t stack_depth(const struct stack_table *table, stack_id stack);
/* Number of node ids in use: valid ids are below it. */
uint32_t stack_count(const struct stack_table *table);
/*
 * The first so many frames and nodes, to be read while more are added to the other table: as
 * stable_share().
 */
struct stack_table stack_table_share(const struct stack_table *table, uint32_t frame_count,
                                     uint32_t node_count);
size_t stack_table_bytes(const struct stack_table *table);

/* How much of the tables that the reader fills was there when the events so far were. */
struct table_counts {
	uint32_t strings, frames, nodes;
};

#endif
