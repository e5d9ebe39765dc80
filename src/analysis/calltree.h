/* A profile as a tree of calls: by function, stacks that begin alike share their nodes. */
#ifndef TTRACE_ANALYSIS_CALLTREE_H
#define TTRACE_ANALYSIS_CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/profile.h"
#include "base/error.h"
#include "trace/trace.h"

#define CALL_NONE UINT32_MAX

struct call_node {
	const char *name; /* of the function: of the trace, raw bytes, or "<unknown>" */
	size_t name_length;
	string_id function;
	uint32_t parent;  /* CALL_NONE of the root */
	uint32_t depth;   /* 0 is the root */
	uint32_t first_child, child_count; /* in tree.children */
	uint32_t position; /* of itself there */
	int64_t value;    /* of all stacks that go through it, in the profile's unit */
	int64_t self;     /* of those that end in it */
};

struct call_tree {
	struct call_node *nodes; /* node 0 is the root, which is no function */
	uint32_t *children; /* those of a node stand together, most value first, then by name */
	uint32_t node_count;
};

/*
 * From the outermost functions to the leaves, or the other way round. What has no stack goes
 * through "<unknown>". O(frames of the profile's stacks). Release with call_tree_release()
 * after success.
 */
bool call_tree_build(
	struct call_tree *tree, const struct profile *profile, bool is_inverted, struct error *err);
void call_tree_release(struct call_tree *tree);

/*
 * For who makes a tree of nodes, parents before their children: puts the children in order, those
 * that weigh most first (by node; NULL: by value), then by name. O(n log n).
 */
bool call_tree_order(struct call_tree *tree, const uint64_t *weights, struct error *err);

/* The node after this one, a parent before its children; CALL_NONE at the end. */
uint32_t call_tree_next(const struct call_tree *tree, uint32_t node);

#endif
