/* Flame graphs: where the boxes stand, and which of them are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "draw/flame.h"
#include "tracetesting.h"

struct made {
	struct trace *trace;
	struct profile profile;
	struct call_tree tree;
};

static void
make(struct made *made, const char *name, enum profile_kind kind, bool is_inverted)
{
	struct error err = { 0 };
	made->trace = testing_load(name);
	struct profile_scope scope = profile_whole(made->trace);
	assert_true(profile_build(&made->profile, made->trace, kind, &scope, &err));
	assert_true(call_tree_build(&made->tree, &made->profile, is_inverted, &err));
}

static void
drop(struct made *made)
{
	call_tree_release(&made->tree);
	profile_release(&made->profile);
	trace_free(made->trace);
}

static void
lay_out(struct flame *flame, const struct made *made, uint32_t zoomed, int width)
{
	struct error err = { 0 };
	assert_true(flame_lay_out(flame, &made->tree, zoomed, width, &err));
}

/* Where a node begins among the values, by adding up all that stands left of it. */
static double
start_of(const struct call_tree *tree, uint32_t zoomed, uint32_t node)
{
	double start = 0;
	for (uint32_t at = node; at != zoomed; at = tree->nodes[at].parent) {
		const struct call_node *caller = &tree->nodes[tree->nodes[at].parent];
		for (uint32_t i = 0; tree->children[caller->first_child + i] != at; i++)
			start += (double)tree->nodes[tree->children[caller->first_child + i]].value;
	}
	return start;
}

/* A box stands where its values do, to a cell, within the box of what calls it. */
static void
check_box(const struct flame *flame, const struct call_tree *tree, uint32_t zoomed, size_t index,
	int width)
{
	const struct flame_box *box = &flame->boxes[index];
	const struct call_node *node = &tree->nodes[box->node];
	double scale = (double)width / (double)tree->nodes[zoomed].value;
	double x = start_of(tree, zoomed, box->node) * scale, cells = (double)node->value * scale;
	assert_true(box->cells >= 1);
	assert_int_equal(box->row, node->depth);
	assert_true(box->x <= x + 0.001 && x < box->x + 1.001);
	assert_true(box->cells > cells - 1.001 && box->cells < cells + 1.001);
	size_t above = flame_above(flame, tree, index);
	assert_true(above != FLAME_NONE);
	assert_true(flame->boxes[above].x <= box->x);
	assert_true(box->x + box->cells <= flame->boxes[above].x + flame->boxes[above].cells);
	size_t left = flame_beside(flame, index, false);
	if (left != FLAME_NONE)
		assert_true(flame->boxes[left].x + flame->boxes[left].cells <= box->x);
}

static void
check_graph(const struct made *made, uint32_t zoomed, int width)
{
	const struct call_tree *tree = &made->tree;
	struct flame flame = { 0 };
	lay_out(&flame, made, zoomed, width);
	uint32_t path = tree->nodes[zoomed].depth + 1;
	assert_true(flame.count >= path);
	for (size_t i = 0; i < path; i++)
		assert_int_equal(flame.boxes[i].cells, width);
	for (size_t i = path; i < flame.count; i++)
		check_box(&flame, tree, zoomed, i, width);
	/* What is two cells wide is there, and so is what calls it. */
	for (uint32_t node = 0; node < tree->node_count; node++) {
		uint32_t at = node;
		while (at != zoomed && at != CALL_NONE)
			at = tree->nodes[at].parent;
		if (at == zoomed && (double)tree->nodes[node].value * width >=
					    2.0 * (double)tree->nodes[zoomed].value)
			assert_true(flame_find(&flame, node) != FLAME_NONE);
	}
	flame_release(&flame);
}

static void
boxes_are_as_wide_as_their_share(void **state)
{
	static const struct {
		const char *trace;
		enum profile_kind kind;
	} rows[] = {
		{ "httpserver-go1.23", PROFILE_OFFCPU },
		{ "contention-go1.26", PROFILE_SYNC },
		{ "samples-go1.26", PROFILE_CPU },
		{ "long-go1.22", PROFILE_SCHED },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows) * 2; i++) {
		struct made made;
		make(&made, rows[i / 2].trace, rows[i / 2].kind, i % 2 == 1);
		for (int width = 1; width < 300; width += 37) {
			check_graph(&made, 0, width);
			check_graph(&made, made.tree.children[0], width);
			check_graph(&made, made.tree.node_count - 1, width);
		}
		drop(&made);
	}
}

static void
a_box_leads_to_those_around(void **state)
{
	(void)state;
	struct made made;
	struct flame flame = { 0 };
	make(&made, "httpserver-go1.23", PROFILE_SYNC, false);
	lay_out(&flame, &made, 0, 100);
	size_t root = flame_find(&flame, 0);
	assert_int_equal(root, 0);
	size_t below = flame_below(&flame, &made.tree, root);
	assert_true(below != FLAME_NONE);
	assert_int_equal(flame_above(&flame, &made.tree, below), root);
	assert_int_equal(flame_above(&flame, &made.tree, root), FLAME_NONE);
	size_t right = flame_beside(&flame, below, true);
	assert_true(right != FLAME_NONE);
	assert_int_equal(flame_beside(&flame, right, false), below);
	assert_int_equal(flame_beside(&flame, below, false), FLAME_NONE);
	assert_int_equal(flame_beside(&flame, root, true), FLAME_NONE);
	assert_int_equal(flame_at(&flame, 1, flame.boxes[right].x), right);
	assert_int_equal(flame_at(&flame, 1, flame.boxes[right].x - 1), below);
	assert_int_equal(flame_at(&flame, 60, 0), FLAME_NONE);
	flame_release(&flame);
	drop(&made);
}

/* Without any stack there is the root, as wide as the screen. */
static void
an_empty_profile_is_one_box(void **state)
{
	(void)state;
	struct made made;
	struct flame flame = { 0 };
	make(&made, "httpserver-go1.23", PROFILE_CPU, false);
	assert_int_equal(made.profile.sum.count, 0);
	lay_out(&flame, &made, 0, 80);
	assert_int_equal(flame.count, 1);
	assert_int_equal(flame.boxes[0].cells, 80);
	assert_int_equal(flame.boxes[0].rest_cells, 0);
	flame_release(&flame);
	drop(&made);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_are_as_wide_as_their_share),
		cmocka_unit_test(a_box_leads_to_those_around),
		cmocka_unit_test(an_empty_profile_is_one_box),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
