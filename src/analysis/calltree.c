/* Grows the tree stack by stack, then puts children in order. */
#include "analysis/calltree.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

struct growing {
	const struct profile *profile;
	struct call_tree *tree;
	size_t capacity;
	struct map child_of; /* parent and function -> node */
	stack_id *path;      /* of a stack, from the leaf outwards */
	size_t path_length, path_capacity;
};

static bool
add_node(struct growing *growing, uint32_t parent, string_id function, struct error *err)
{
	struct call_tree *tree = growing->tree;
	if (!array_reserve(&tree->nodes, &growing->capacity, (size_t)tree->node_count + 1,
		    sizeof(*tree->nodes), err))
		return false;
	struct call_node *node = &tree->nodes[tree->node_count++];
	*node = (struct call_node){ .function = function, .parent = parent };
	node->depth = parent == CALL_NONE ? 0 : tree->nodes[parent].depth + 1;
	node->name = profile_function_name(growing->profile->trace, function, &node->name_length);
	return true;
}

/* The child of a node, which is added if new. */
static bool
find_child(struct growing *growing, uint32_t parent, string_id function, uint32_t *child,
	struct error *err)
{
	uint64_t key = (uint64_t)parent << 32 | function;
	*child = map_find(&growing->child_of, key);
	if (*child != MAP_NONE)
		return true;
	*child = growing->tree->node_count;
	return add_node(growing, parent, function, err) &&
	       map_put(&growing->child_of, key, *child, err);
}

static bool
find_path(struct growing *growing, stack_id stack, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(growing->profile);
	growing->path_length = 0;
	do {
		if (!array_reserve(&growing->path, &growing->path_capacity,
			    growing->path_length + 1, sizeof(*growing->path), err))
			return false;
		growing->path[growing->path_length++] = stack;
		stack = stack == STACK_NONE ? STACK_NONE : stack_caller(stacks, stack);
	} while (stack != STACK_NONE);
	return true;
}

static bool
add_entry(struct growing *growing, const struct profile_entry *entry, bool is_inverted,
	struct error *err)
{
	struct call_tree *tree = growing->tree;
	const struct stack_table *stacks = profile_stacks(growing->profile);
	int64_t value = profile_value(growing->profile, entry);
	uint32_t node = 0;
	if (!find_path(growing, entry->stack, err))
		return false;
	tree->nodes[0].value = saturating_add_i64(tree->nodes[0].value, value);
	if (entry->stack == STACK_NONE && growing->profile->kind == PROFILE_SAMPLES)
		growing->path_length = 0; /* it counts in the whole alone */
	for (size_t i = 0; i < growing->path_length; i++) {
		stack_id at = growing->path[is_inverted ? i : growing->path_length - 1 - i];
		string_id function = at == STACK_NONE
					     ? STRING_EMPTY
					     : stack_leaf(stacks, at)->function;
		if (!find_child(growing, node, function, &node, err))
			return false;
		tree->nodes[node].value = saturating_add_i64(tree->nodes[node].value, value);
	}
	tree->nodes[node].self = saturating_add_i64(tree->nodes[node].self, value);
	return true;
}

/* ---- order */

/* What children are sorted by. */
struct child {
	const struct call_node *node;
	uint64_t weight;
	uint32_t index;
};

static int
compare_children(const void *a, const void *b)
{
	const struct child *left = a, *right = b;
	const struct call_node *one = left->node, *other = right->node;
	if (one->parent != other->parent)
		return one->parent < other->parent ? -1 : 1;
	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return text_compare(one->name, one->name_length, other->name, other->name_length);
}

bool
call_tree_order(struct call_tree *tree, const uint64_t *weights, struct error *err)
{
	uint32_t count = tree->node_count - 1;
	struct child *sorted = array_new_unset(count, sizeof(*sorted), err);
	tree->children = array_new_unset(count, sizeof(*tree->children), err);
	bool is_fine = sorted != NULL && tree->children != NULL;
	for (uint32_t i = 0; i < count && is_fine; i++)
		sorted[i] = (struct child){ &tree->nodes[i + 1],
			weights != NULL ? weights[i + 1] : magnitude_i64(tree->nodes[i + 1].value),
			i + 1 };
	if (is_fine && count > 0)
		qsort(sorted, count, sizeof(*sorted), compare_children);
	for (uint32_t i = 0; i < count && is_fine; i++) {
		struct call_node *node = &tree->nodes[sorted[i].index];
		struct call_node *parent = &tree->nodes[node->parent];
		if (parent->child_count++ == 0)
			parent->first_child = i;
		node->position = i;
		tree->children[i] = sorted[i].index;
	}
	memory_free(sorted);
	return is_fine;
}

bool
call_tree_build(struct call_tree *tree, const struct profile *profile, bool is_inverted, struct error *err)
{
	*tree = (struct call_tree){ 0 };
	struct growing growing = { .profile = profile, .tree = tree };
	bool is_fine = add_node(&growing, CALL_NONE, STRING_EMPTY, err);
	for (uint32_t i = 0; i < profile->entry_count && is_fine; i++)
		is_fine = add_entry(&growing, &profile->entries[i], is_inverted, err);
	map_release(&growing.child_of);
	memory_free(growing.path);
	is_fine = is_fine && call_tree_order(tree, NULL, err);
	if (!is_fine)
		call_tree_release(tree);
	return is_fine;
}

void
call_tree_release(struct call_tree *tree)
{
	memory_free(tree->nodes);
	memory_free(tree->children);
	*tree = (struct call_tree){ 0 };
}

uint32_t
call_tree_next(const struct call_tree *tree, uint32_t index)
{
	const struct call_node *node = &tree->nodes[index];
	if (node->child_count > 0)
		return tree->children[node->first_child];
	while (node->parent != CALL_NONE) {
		const struct call_node *parent = &tree->nodes[node->parent];
		if (node->position + 1 < parent->first_child + parent->child_count)
			return tree->children[node->position + 1];
		node = parent;
	}
	return CALL_NONE;
}
