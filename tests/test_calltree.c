/* Call trees of profiles: their sums and order, what filters leave of them, and what is printed. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/calltree.h"
#include "analysis/profile_filter.h"
#include "base/compiler.h"
#include "golden.h"
#include "report/profile.h"
#include "tracetesting.h"

static void
build(struct profile *profile, const struct trace *trace, enum profile_kind kind)
{
	struct profile_scope scope = profile_whole(trace);
	struct error err = { 0 };
	assert_true(profile_build(profile, trace, kind, &scope, &err));
}

/* A node is worth what ends in it and what goes on to its children, which are in order. */
static void
check_node(const char *name, const struct call_tree *tree, uint32_t index)
{
	const struct call_node *node = &tree->nodes[index];
	int64_t sum = node->self;
	for (uint32_t i = 0; i < node->child_count; i++) {
		uint32_t at = tree->children[node->first_child + i];
		const struct call_node *child = &tree->nodes[at];
		sum += child->value;
		assert_int_equal(child->parent, index);
		assert_int_equal(child->depth, node->depth + 1);
		assert_int_equal(child->position, node->first_child + i);
		assert_true(i == 0 ||
			    tree->nodes[tree->children[child->position - 1]].value >= child->value);
	}
	if (sum != node->value)
		fail_msg("%s: %.*s has %" PRId64 " but comes to %" PRId64, name,
			(int)node->name_length, node->name, node->value, sum);
}

static void
check_tree(const char *name, const struct trace *trace, enum profile_kind kind, bool is_inverted)
{
	struct profile profile;
	struct call_tree tree;
	struct error err = { 0 };
	uint32_t visited = 0;
	int64_t leaves = 0;
	build(&profile, trace, kind);
	assert_true(call_tree_build(&tree, &profile, is_inverted, &err));
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(&tree, i)) {
		check_node(name, &tree, i);
		leaves += tree.nodes[i].self;
		visited++;
	}
	assert_int_equal(visited, tree.node_count);
	assert_int_equal(tree.nodes[0].value, profile_total(&profile));
	assert_int_equal(leaves, profile_total(&profile));
	call_tree_release(&tree);
	profile_release(&profile);
}

static void
check_trees(const char *name)
{
	struct trace *trace = testing_load(name);
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		check_tree(name, trace, (enum profile_kind)kind, false);
		check_tree(name, trace, (enum profile_kind)kind, true);
	}
	trace_free(trace);
}

static void
the_root_is_the_sum_of_the_leaves(void **state)
{
	(void)state;
	testing_each(".trace", check_trees);
}

/* ---- filters */

static int64_t
left_after(const struct trace *trace, const char *focus, const char *ignore)
{
	struct profile profile;
	struct error err = { 0 };
	build(&profile, trace, PROFILE_SYNC);
	int64_t total_ns = profile.sum.ns, ns = 0;
	assert_true(profile_filter(&profile, focus, ignore, &err));
	assert_int_equal(profile.sum.ns, total_ns);
	for (uint32_t i = 0; i < profile.entry_count; i++)
		ns += profile.entries[i].ns;
	profile_release(&profile);
	return ns;
}

static void
filters_part_the_stacks(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	int64_t all_ns = left_after(trace, NULL, NULL);
	/* pprof's table has 51291072 for func3.3, which all stacks of RWMutex go through. */
	assert_int_equal(left_after(trace, "RWMutex", NULL), 51291072);
	assert_int_equal(left_after(trace, "func3\\.3$", NULL), 51291072);
	assert_int_equal(left_after(trace, NULL, "RWMutex"), all_ns - 51291072);
	assert_int_equal(left_after(trace, "RWMutex", "func3\\.3$"), 0);
	assert_int_equal(left_after(trace, "nosuchfunction", NULL), 0);
	trace_free(trace);
}

/* Of a pattern there has to be something; what does not compile is plain text. */
static void
a_filter_of_nothing_leaves_the_profile(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	struct profile profile;
	struct error err = { 0 };
	build(&profile, trace, PROFILE_SYNC);
	uint32_t count = profile.entry_count;
	assert_false(profile_filter(&profile, "main", "'", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(profile.entry_count, count);
	profile_release(&profile);
	assert_true(left_after(trace, "(*queue", "") > 0);
	assert_int_equal(left_after(trace, "(*queue", NULL), left_after(trace, "'(*queue", NULL));
	trace_free(trace);
}

/* ---- printed */

typedef bool (*print_function)(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

static const struct {
	const char *name;
	print_function print;
	enum report_format format;
	bool is_inverted;
	const char *focus;
} forms[] = {
	{ "profile-tree.txt", report_tree, REPORT_AS_TEXT, false, NULL },
	{ "profile-tree-inverted.txt", report_tree, REPORT_AS_TEXT, true, "queue" },
	{ "profile-tree.csv", report_tree, REPORT_AS_CSV, true, NULL },
	{ "profile-tree.json", report_tree, REPORT_AS_JSON, true, "RWMutex" },
	{ "profile-top.txt", report_top, REPORT_AS_TEXT, false, "queue" },
	{ "profile-top.csv", report_top, REPORT_AS_CSV, false, "queue" },
	{ "profile-top.json", report_top, REPORT_AS_JSON, false, "queue" },
	{ "profile-folded.txt", report_folded, REPORT_AS_TEXT, false, NULL },
};

static void
forms_are_as_agreed(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	struct report_options options = { .width_cells = 100, .file_name = "dir/contention.trace" };
	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
		struct profile_request request = { .kind = PROFILE_SYNC,
			.scope = profile_whole(trace),
			.focus = forms[i].focus,
			.is_inverted = forms[i].is_inverted };
		struct text out = { 0 };
		struct error err = { 0 };
		options.format = forms[i].format;
		assert_true(forms[i].print(trace, &request, &options, &out, &err));
		golden_check(forms[i].name, &out);
		text_release(&out);
	}
	trace_free(trace);
}

/* The stacks of a trace come back whole, each once. */
static void
check_folded(const char *name)
{
	struct trace *trace = testing_load(name);
	struct report_options options = { .width_cells = 100 };
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		struct profile_request request = { .kind = (enum profile_kind)kind,
			.scope = profile_whole(trace) };
		struct profile profile;
		struct text out = { 0 };
		struct error err = { 0 };
		int64_t sum = 0;
		build(&profile, trace, request.kind);
		assert_true(report_folded(trace, &request, &options, &out, &err));
		for (char *line = out.bytes; line != NULL && *line != '\0';) {
			char *end = strchr(line, '\n');
			assert_non_null(end);
			*end = '\0';
			char *space = strrchr(line, ' ');
			assert_non_null(space);
			sum += strtoll(space + 1, NULL, 10);
			line = end + 1;
		}
		assert_int_equal(sum, profile_total(&profile));
		text_release(&out);
		profile_release(&profile);
	}
	trace_free(trace);
}

static void
folded_stacks_come_to_the_whole(void **state)
{
	(void)state;
	testing_each(".trace", check_folded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_is_the_sum_of_the_leaves),
		cmocka_unit_test(filters_part_the_stacks),
		cmocka_unit_test(a_filter_of_nothing_leaves_the_profile),
		cmocka_unit_test(forms_are_as_agreed),
		cmocka_unit_test(folded_stacks_come_to_the_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
