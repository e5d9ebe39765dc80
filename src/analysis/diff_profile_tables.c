/* Differences of profiles as tables: by function, and by call. */
#include <stdio.h>

#include "analysis/diff_profile.h"
#include "base/checked.h"
#include "base/compiler.h"

enum { LEAST_SHARE = 200 /* of all, half a percent, is a change of a call for people */ };

enum { KEY_BYTES = 40 };

/* Columns of a value: by how much it changed, what it was and what it is. */
struct values {
	char keys[3][KEY_BYTES];
	struct result_column columns[3];
};

static void
fill_values(struct values *values, const char *title, const char *key, const struct measure *measure)
{
	static const char *const words[] = { "change", "before", "after" };
	static const uint8_t hues[] = { HUE_NONE, HUE_LESS, HUE_MORE };
	for (int i = 0; i < 3; i++) {
		snprintf(values->keys[i], KEY_BYTES, "%s_%s_%s", key, words[i], measure_key(measure));
		values->columns[i] = (struct result_column)MEASURE(values->keys[i],
			i == 0 ? title : words[i], measure->type, .rank = i == 0 ? 0 : 2,
			.hue = hues[i], .decimals = (uint8_t)measure->decimals);
	}
	values->columns[0].type = measure->type == FIGURE_DURATION ? FIGURE_CHANGE
				  : measure->type == FIGURE_BYTES  ? FIGURE_CHANGE_BYTES
				  : measure->decimals > 0	   ? FIGURE_AMOUNT
								   : FIGURE_CHANGE_COUNT;
}

/* ---- by function */

static bool
has_changed(const struct diff_top_row *row)
{
	return row->flat[DIFF_BEFORE] != row->flat[DIFF_AFTER] ||
	       row->cum[DIFF_BEFORE] != row->cum[DIFF_AFTER];
}

bool
diff_profile_tell_top(const struct diff_profile *diff, bool only_changes, struct result_sink *sink,
	struct error *err)
{
	struct values values[2];
	fill_values(&values[0], "flat", "flat", &diff->measure);
	fill_values(&values[1], "cum", "cum", &diff->measure);
	const struct result_column told[] = {
		DIMENSION(NULL, NULL, FIGURE_NAME, .on_screen = "function"),
		values[0].columns[0], values[0].columns[1], values[0].columns[2],
		values[1].columns[0], values[1].columns[1], values[1].columns[2],
		DIMENSION("function", "function", FIGURE_NAME, .least_cells = 12,
			.is_printed_only = true),
	};
	const struct result_table table = {
		.name = "functions",
		.title = "By function, what changed most first",
		.columns = told,
		.column_count = ARRAY_LENGTH(told),
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
		int64_t cells[] = { name, saturating_sub_i64(flat[DIFF_AFTER], flat[DIFF_BEFORE]), flat[DIFF_BEFORE],
			flat[DIFF_AFTER], saturating_sub_i64(cum[DIFF_AFTER], cum[DIFF_BEFORE]), cum[DIFF_BEFORE],
			cum[DIFF_AFTER], name };
		for (int n = 1; n <= 6; n++)
			cells[n] = measure_cell(&diff->measure, cells[n]);
		is_fine = is_fine && sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

/* ---- by call */

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
	const struct measure *measure = &diff->measure;
	int64_t cells[] = { node->depth, measure_cell(measure, diff_profile_change(diff, index)),
		measure_cell(measure, diff->before[index]), measure_cell(measure, node->value), 0, 0 };
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
diff_profile_tell_tree(const struct diff_profile *diff, bool only_changes, struct result_sink *sink,
	struct error *err)
{
	struct values values;
	fill_values(&values, "change", "value", &diff->measure);
	const struct result_column told[] = {
		DIMENSION("depth", NULL, FIGURE_COUNT),
		values.columns[0], values.columns[1], values.columns[2],
		DIMENSION(NULL, "function", FIGURE_TEXT, .least_cells = 12),
		DIMENSION("function", NULL, FIGURE_NAME),
	};
	const struct result_table table = {
		.name = "calls",
		.title = "By call, what changed most first",
		.columns = told,
		.column_count = ARRAY_LENGTH(told),
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
