/* Differences of profiles as tables: by function, and by call. */
#include "analysis/diff_profile.h"
#include "base/compiler.h"

enum { LEAST_SHARE = 200 /* of all, half a percent, is a change of a call for people */ };

/* By how much, and what it was and is. */
#define VALUES(title, key, unit, type, change)                                                     \
	MEASURE(key "_change" unit, title, change),                                                \
		MEASURE(key "_before" unit, "before", type, .rank = 2, .hue = HUE_LESS),           \
		MEASURE(key "_after" unit, "after", type, .rank = 2, .hue = HUE_MORE)

/* ---- by function */

#define TOP_COLUMNS(unit, type, change)                                                            \
	DIMENSION(NULL, NULL, FIGURE_NAME, .on_screen = "function"),                               \
		VALUES("flat", "flat", unit, type, change),                                        \
		VALUES("cum", "cum", unit, type, change),                                          \
		DIMENSION("function", "function", FIGURE_NAME, .least_cells = 12,                  \
			.is_printed_only = true)

static bool
has_changed(const struct diff_top_row *row)
{
	return row->flat[DIFF_BEFORE] != row->flat[DIFF_AFTER] ||
	       row->cum[DIFF_BEFORE] != row->cum[DIFF_AFTER];
}

bool
diff_profile_tell_top(const struct diff_profile *diff, enum profile_kind kind, bool only_changes,
	struct result_sink *sink, struct error *err)
{
	static const struct result_column of_times[] = { TOP_COLUMNS("_ns", FIGURE_DURATION,
						  FIGURE_CHANGE) },
					  of_samples[] = { TOP_COLUMNS("_samples", FIGURE_COUNT,
						  FIGURE_CHANGE_COUNT) };
	const struct result_table table = {
		.name = "functions",
		.title = "By function, what changed most first",
		.columns = kind == PROFILE_CPU ? of_samples : of_times,
		.column_count = ARRAY_LENGTH(of_times),
		.usual_column = 1,
		.none = "nothing has changed",
		.none_on_screen = diff->row_count > 0 ? NULL : "neither trace has any",
		.all_count = diff->row_count,
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = 0; is_fine && i < diff->row_count; i++) {
		const struct diff_top_row *row = &diff->rows[i];
		const int64_t *flat = row->flat, *cum = row->cum;
		int64_t name;
		if (only_changes && !has_changed(row))
			continue;
		is_fine = result_text(sink, row->name.bytes, row->name.length, &name, err);
		const int64_t cells[] = { name, flat[DIFF_AFTER] - flat[DIFF_BEFORE], flat[DIFF_BEFORE],
			flat[DIFF_AFTER], cum[DIFF_AFTER] - cum[DIFF_BEFORE], cum[DIFF_BEFORE],
			cum[DIFF_AFTER], name };
		is_fine = is_fine && sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

/* ---- by call */

#define TREE_COLUMNS(unit, type, change)                                                           \
	DIMENSION("depth", NULL, FIGURE_COUNT), VALUES("change", "value", unit, type, change),     \
		DIMENSION(NULL, "function", FIGURE_TEXT, .least_cells = 12),                       \
		DIMENSION("function", NULL, FIGURE_NAME)

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

static bool
tell_node(const struct diff_profile *diff, uint32_t index, struct text *line,
	struct result_sink *sink, struct error *err)
{
	const struct call_node *node = &diff->tree.nodes[index];
	int64_t cells[] = { node->depth, diff_profile_change(diff, index), diff->before[index],
		node->value, 0, 0 };
	text_clear(line);
	text_format(line, "%*s", (int)(node->depth < 50 ? node->depth * 2 - 2 : 98), "");
	text_add(line, node->name, node->name_length);
	if (line->failed)
		return error_set_memory(err, "the difference");
	return result_text(sink, line->bytes, line->length, &cells[4], err) &&
	       result_text(sink, node->name, node->name_length, &cells[5], err) &&
	       sink->row(sink, cells, NULL, err);
}

bool
diff_profile_tell_tree(const struct diff_profile *diff, enum profile_kind kind, bool only_changes,
	struct result_sink *sink, struct error *err)
{
	static const struct result_column of_times[] = { TREE_COLUMNS("_ns", FIGURE_DURATION,
						  FIGURE_CHANGE) },
					  of_samples[] = { TREE_COLUMNS("_samples", FIGURE_COUNT,
						  FIGURE_CHANGE_COUNT) };
	const struct result_table table = {
		.name = "calls",
		.title = "By call, what changed most first",
		.columns = kind == PROFILE_CPU ? of_samples : of_times,
		.column_count = ARRAY_LENGTH(of_times),
		.none = "nothing has changed",
	};
	const struct call_tree *tree = &diff->tree;
	int64_t before = diff->total[DIFF_BEFORE], after = diff->total[DIFF_AFTER];
	uint64_t least = (uint64_t)(before > after ? before : after) / LEAST_SHARE;
	struct text line = { 0 };
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = call_tree_next(tree, 0); is_fine && i != CALL_NONE;) {
		uint64_t change = diff_distance(diff->before[i], tree->nodes[i].value);
		bool is_told = !only_changes || (change > 0 && change >= least);
		if (is_told)
			is_fine = tell_node(diff, i, &line, sink, err);
		i = is_told ? call_tree_next(tree, i) : skip(tree, i);
	}
	text_release(&line);
	return is_fine && sink->end(sink, err);
}
