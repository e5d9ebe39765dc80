/* Differences of profiles, by function and by call. */
#include <string.h>

#include "base/compiler.h"
#include "report/diff_internal.h"
#include "report/flamegraph_internal.h"
#include "report/profile_words.h"

struct report {
	const struct diff_profiles *profiles;
	struct grid grid;
	struct text line;
};

static bool
is_of_time(const struct report *report)
{
	return report->profiles->request->kind != PROFILE_CPU;
}

static void
put_value(struct report *report, int64_t value)
{
	if (is_of_time(report))
		grid_duration(&report->grid, value);
	else
		grid_count(&report->grid, (uint64_t)value);
}

/* By how much, and what it was and is. */
static void
put_values(struct report *report, int64_t before, int64_t after)
{
	grid_change(&report->grid, after - before, is_of_time(report));
	put_value(report, before);
	put_value(report, after);
}

static void
add_facts(struct report *report)
{
	const struct profile_request *request = report->profiles->request;
	const struct diff_profile *diff = report->profiles->diff;
	diff_add_sources(&report->grid, report->profiles->sources);
	struct text whose = { 0 };
	profile_request_add_whose(request, report->grid.trace->words, &whose);
	grid_fact(&report->grid, "profile", "%s%s", profile_name(request->kind),
		text_string(&whose));
	text_release(&whose);
	int64_t change = diff->total[DIFF_AFTER] - diff->total[DIFF_BEFORE];
	char share[PROFILE_WORD];
	profile_share_word(share, change, diff->total[DIFF_BEFORE]);
	if (diff->total[DIFF_BEFORE] > 0)
		grid_fact(&report->grid, "in all", "%s%s of what was", change > 0 ? "+" : "",
			share + strspn(share, " "));
}

static bool
begin(struct report *report, const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	if (!grid_begin(&report->grid, trace, options, out, err))
		return false;
	grid_heading(&report->grid, "Difference of profiles");
	add_facts(report);
	return true;
}

static bool
end(struct report *report, struct error *err)
{
	bool is_fine = grid_end(&report->grid);
	if (is_fine && report->line.failed)
		is_fine = error_set_memory(err, "the difference");
	text_release(&report->line);
	return is_fine;
}

/* ---- by function */

#define VALUES(title_of, key, unit)                                                                \
	{ { .title = (title_of), .is_right = true }, key "_change" unit },                         \
		{ { .title = "before", .is_right = true, .rank = 2 }, key "_before" unit },        \
		{ { .title = "after", .is_right = true, .rank = 2 }, key "_after" unit }

/* Of times, and of samples. */
static const struct grid_column top_columns[][7] = {
	{ VALUES("flat", "flat", "_ns"), VALUES("cum", "cum", "_ns"),
		{ { .title = "function", .is_name = true, .least_cells = 12 }, "function" } },
	{ VALUES("flat", "flat", "_samples"), VALUES("cum", "cum", "_samples"),
		{ { .title = "function", .is_name = true, .least_cells = 12 }, "function" } },
};

static bool
has_changed(const struct diff_top_row *row)
{
	return row->flat[DIFF_BEFORE] != row->flat[DIFF_AFTER] ||
	       row->cum[DIFF_BEFORE] != row->cum[DIFF_AFTER];
}

bool
report_diff_top(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .profiles = profiles };
	const struct grid_column *columns = top_columns[profiles->request->kind == PROFILE_CPU];
	if (!begin(&report, trace, options, out, err))
		return false;
	grid_table(&report.grid, "functions", "By function, what changed most first", columns,
		(int)ARRAY_LENGTH(top_columns[0]));
	for (uint32_t i = 0; i < profiles->diff->row_count; i++) {
		const struct diff_top_row *row = &profiles->diff->rows[i];
		if (!has_changed(row) && grid_is_text(&report.grid))
			continue;
		put_values(&report, row->flat[DIFF_BEFORE], row->flat[DIFF_AFTER]);
		put_values(&report, row->cum[DIFF_BEFORE], row->cum[DIFF_AFTER]);
		grid_text(&report.grid, row->name.bytes, row->name.length);
	}
	grid_table_end(&report.grid, "nothing has changed");
	return end(&report, err);
}

/* ---- by call */

enum { LEAST_SHARE = 200 }; /* half a percent, for people */

static const struct grid_column tree_columns[][6] = {
	{ { { .title = NULL }, "depth" }, VALUES("change", "value", "_ns"),
		{ { .title = "function", .least_cells = 12 }, NULL }, { { .title = NULL }, "function" } },
	{ { { .title = NULL }, "depth" }, VALUES("change", "value", "_samples"),
		{ { .title = "function", .least_cells = 12 }, NULL }, { { .title = NULL }, "function" } },
};

static bool
is_told(const struct report *report, uint32_t index)
{
	const struct diff_profile *diff = report->profiles->diff;
	int64_t before = diff->total[DIFF_BEFORE], after = diff->total[DIFF_AFTER];
	uint64_t least = (uint64_t)(before > after ? before : after) / LEAST_SHARE;
	uint64_t change = diff_distance(diff->before[index], diff->tree.nodes[index].value);
	return !grid_is_text(&report->grid) || (change > 0 && change >= least);
}

static void
put_node(struct report *report, uint32_t index)
{
	const struct diff_profile *diff = report->profiles->diff;
	const struct call_node *node = &diff->tree.nodes[index];
	grid_count(&report->grid, node->depth);
	put_values(report, diff->before[index], node->value);
	text_clear(&report->line);
	text_format(&report->line, "%*s", (int)(node->depth < 50 ? node->depth * 2 - 2 : 98), "");
	text_add(&report->line, node->name, node->name_length);
	grid_text(&report->grid, report->line.bytes, report->line.length);
	grid_text(&report->grid, node->name, node->name_length);
}

/* The node behind all that is beneath this one. */
static uint32_t
skip(const struct call_tree *tree, uint32_t index)
{
	while (index != CALL_NONE && tree->nodes[index].parent != CALL_NONE) {
		const struct call_node *node = &tree->nodes[index];
		const struct call_node *parent = &tree->nodes[node->parent];
		if (node->position + 1 < parent->first_child + parent->child_count)
			return tree->children[node->position + 1];
		index = node->parent;
	}
	return CALL_NONE;
}

bool
report_diff_tree(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .profiles = profiles };
	const struct call_tree *tree = &profiles->diff->tree;
	const struct grid_column *columns = tree_columns[profiles->request->kind == PROFILE_CPU];
	uint32_t i = call_tree_next(tree, 0);
	if (!begin(&report, trace, options, out, err))
		return false;
	grid_table(&report.grid, "calls", "By call, what changed most first", columns,
		(int)ARRAY_LENGTH(tree_columns[0]));
	while (i != CALL_NONE) {
		bool is_shown = is_told(&report, i);
		if (is_shown)
			put_node(&report, i);
		i = is_shown ? call_tree_next(tree, i) : skip(tree, i);
	}
	grid_table_end(&report.grid, "nothing has changed");
	return end(&report, err);
}

/* ---- for other programs */

bool
report_diff_folded(const struct diff_profiles *profiles, const struct report_options *options,
	struct text *out, struct error *err)
{
	return profile_add_folded(
		&profiles->diff->tree, profiles->diff->before_self, options, out, err);
}

bool
report_diff_flamegraph(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	const struct text *name = &profiles->sources[DIFF_BEFORE].name;
	const struct flamegraph graph = {
		.request = profiles->request,
		.words = trace->words,
		.tree = &profiles->diff->tree,
		.is_inverted = profiles->request->is_inverted,
		.total = profiles->diff->total[DIFF_AFTER],
		.before = profiles->diff->before,
		.before_name = name->length > 0 ? name->bytes : "standard input",
	};
	return flamegraph_write(&graph, options, out, err);
}
