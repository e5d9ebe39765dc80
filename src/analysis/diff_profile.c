/* Names stand for functions, since ids differ from trace to trace. */
#include "analysis/diff_profile.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/profile_top.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"

static bool
add_node(struct diff_profile *diff, uint32_t parent, string_id name, struct error *err)
{
	struct call_tree *tree = &diff->tree;
	size_t count = (size_t)tree->node_count + 1;
	if (!array_reserve(&tree->nodes, &diff->node_capacity, count, sizeof *tree->nodes, err) ||
		!array_reserve(&diff->before, &diff->before_capacity, count, sizeof *diff->before,
			err) ||
		!array_reserve(&diff->before_self, &diff->self_capacity, count,
			sizeof *diff->before_self, err))
		return false;
	uint32_t index = tree->node_count++;
	diff->before[index] = diff->before_self[index] = 0;
	struct call_node *node = &tree->nodes[index];
	*node = (struct call_node){ .function = name, .parent = parent };
	node->depth = parent == CALL_NONE ? 0 : tree->nodes[parent].depth + 1;
	node->name = intern_text(&diff->names, name, &node->name_length);
	return true;
}

bool
diff_profile_init(struct diff_profile *diff, struct error *err)
{
	*diff = (struct diff_profile){ .rows = NULL };
	if (!intern_init(&diff->names, err))
		return false;
	if (add_node(diff, CALL_NONE, STRING_EMPTY, err))
		return true;
	diff_profile_release(diff);
	return false;
}

void
diff_profile_release(struct diff_profile *diff)
{
	map_release(&diff->child_of);
	call_tree_release(&diff->tree);
	memory_free(diff->before);
	memory_free(diff->before_self);
	memory_free(diff->rows);
	intern_release(&diff->names);
	*diff = (struct diff_profile){ .rows = NULL };
}

/* ---- by function */

static bool
add_name(struct diff_profile *diff, const char *name, size_t length, string_id *id,
	struct error *err)
{
	if (!intern_add(&diff->names, name, length, id, err))
		return false;
	if (!array_reserve(&diff->rows, &diff->row_capacity, (size_t)*id + 1, sizeof *diff->rows,
		    err))
		return false;
	for (; diff->row_count <= *id; diff->row_count++) {
		struct diff_top_row *row = &diff->rows[diff->row_count];
		*row = (struct diff_top_row){ .name.length = 0 };
		row->name.bytes = intern_text(
			&diff->names, diff->row_count, &row->name.length);
		row->name.id = diff->row_count;
	}
	return true;
}

static bool
add_rows(struct diff_profile *diff, enum diff_side side, const struct profile *profile, struct error *err)
{
	struct profile_top top;
	bool is_fine = true;
	if (!profile_top_build(&top, profile, "function", err))
		return false;
	for (uint32_t i = 0; i < top.row_count && is_fine; i++) {
		const struct top_row *row = &top.rows[i];
		string_id name;
		is_fine = add_name(diff, row->name, row->name_length, &name, err);
		if (!is_fine)
			break;
		int64_t *flat = &diff->rows[name].flat[side], *cum = &diff->rows[name].cum[side];
		*flat = saturating_add_i64(*flat, row->flat);
		*cum = saturating_add_i64(*cum, row->cum);
	}
	profile_top_release(&top);
	return is_fine;
}

/* ---- as a tree */

/* The node of ours that is called so below `parent`, which is added if new. */
static bool
find_child(struct diff_profile *diff, uint32_t parent, const struct call_node *like,
	uint32_t *child, struct error *err)
{
	string_id name;
	if (!add_name(diff, like->name, like->name_length, &name, err))
		return false;
	uint64_t key = (uint64_t)parent << 32 | name;
	*child = map_find(&diff->child_of, key);
	if (*child != MAP_NONE)
		return true;
	*child = diff->tree.node_count;
	return add_node(diff, parent, name, err) && map_put(&diff->child_of, key, *child, err);
}

/* Adds the values of a node of one side to one of ours. */
static void
add_values(struct diff_profile *diff, enum diff_side side, uint32_t own,
	const struct call_node *node)
{
	struct call_node *to = &diff->tree.nodes[own];
	int64_t *value = side == DIFF_AFTER ? &to->value : &diff->before[own];
	int64_t *self = side == DIFF_AFTER ? &to->self : &diff->before_self[own];
	*value = saturating_add_i64(*value, node->value);
	*self = saturating_add_i64(*self, node->self);
}

static bool
add_tree(struct diff_profile *diff, enum diff_side side, const struct call_tree *tree,
	struct error *err)
{
	uint32_t *own = array_new(tree->node_count, sizeof *own, err); /* by node; the root is ours */
	bool is_fine = own != NULL;
	for (uint32_t i = 0; is_fine && i != CALL_NONE; i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		if (node->parent != CALL_NONE)
			is_fine = find_child(diff, own[node->parent], node, &own[i], err);
		if (is_fine)
			add_values(diff, side, own[i], node);
	}
	memory_free(own);
	return is_fine;
}

bool
diff_profile_add(struct diff_profile *diff, enum diff_side side, const struct profile *profile,
	bool is_inverted, struct error *err)
{
	struct call_tree tree;
	const struct measure *measure = &profile->measure, *other = &diff->measure;
	bool is_first = other->scale == 0;
	bool has_unit = measure->plain_unit[0] != '\0';
	bool are_alike = measure->decimals == other->decimals &&
			 (!has_unit || other->plain_unit[0] == '\0' ||
				 (measure->type == other->type && measure->scale == other->scale &&
					 strcmp(measure->unit, other->unit) == 0));
	if (!is_first && !are_alike)
		return error_set(err, ERROR_USAGE, "%s in %s cannot be compared with %s in %s",
			other->name, other->plain_unit, measure->name, measure->plain_unit);
	if (!call_tree_build(&tree, profile, is_inverted, err))
		return false;
	diff->kind = profile->kind;
	if (is_first || has_unit || other->plain_unit[0] == '\0')
		diff->measure = *measure;
	diff->total[side] = profile_total(profile);
	bool is_fine = add_tree(diff, side, &tree, err) &&
		       add_rows(diff, side, profile, err);
	call_tree_release(&tree);
	return is_fine;
}

/* ---- order */

static bool
sort_children(struct diff_profile *diff, struct error *err)
{
	uint32_t count = diff->tree.node_count;
	uint64_t *changes = array_new_unset(count, sizeof *changes, err);
	for (uint32_t i = 0; changes != NULL && i < count; i++) {
		changes[i] = diff_distance(diff->before[i], diff->tree.nodes[i].value);
		if (i > 0 && changes[i] > diff->most_changed)
			diff->most_changed = changes[i];
	}
	bool is_fine = changes != NULL && call_tree_order(&diff->tree, changes, err);
	memory_free(changes);
	return is_fine;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct diff_top_row *a = left, *b = right;
	uint64_t flat[] = { diff_distance(a->flat[0], a->flat[1]),
		diff_distance(b->flat[0], b->flat[1]) };
	uint64_t cum[] = { diff_distance(a->cum[0], a->cum[1]), diff_distance(b->cum[0], b->cum[1]) };
	if (flat[0] != flat[1])
		return flat[0] > flat[1] ? -1 : 1;
	if (cum[0] != cum[1])
		return cum[0] > cum[1] ? -1 : 1;
	return text_compare(a->name.bytes, a->name.length, b->name.bytes, b->name.length);
}

bool
diff_profile_sort(struct diff_profile *diff, struct error *err)
{
	/* The empty name of the root is the first row, of no function. */
	if (diff->row_count > 0)
		memmove(diff->rows, diff->rows + 1, --diff->row_count * sizeof *diff->rows);
	if (diff->row_count > 0)
		qsort(diff->rows, diff->row_count, sizeof *diff->rows, compare_rows);
	return sort_children(diff, err);
}

bool
diff_profile_side(const struct diff_profile *diff, enum diff_side side, struct call_tree *tree,
	struct error *err)
{
	uint32_t count = diff->tree.node_count;
	struct call_tree made = { .nodes = array_new_unset(count, sizeof *made.nodes, err) };
	made.node_count = count;
	for (uint32_t i = 0; made.nodes != NULL && i < count; i++) {
		made.nodes[i] = diff->tree.nodes[i];
		made.nodes[i].child_count = 0;
		if (side == DIFF_AFTER)
			continue;
		made.nodes[i].value = diff->before[i];
		made.nodes[i].self = diff->before_self[i];
	}
	if (made.nodes != NULL && call_tree_order(&made, NULL, err)) {
		*tree = made;
		return true;
	}
	call_tree_release(&made);
	return false;
}
