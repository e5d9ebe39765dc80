/* Which rows of figures are shown, and in which order. */
#include "view/figure_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/pattern.h"

bool
figure_row_matches(struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern)
{
	for (int column = 0; column < figures->column_count; column++) {
		enum figure_type type = figures->columns[column].type;
		if (!figure_is_text(type))
			continue;
		text_clear(&page->scratch);
		figure_add(trace, type, *figures_cell(figures, page->layer, row, column), false,
			false, &page->scratch);
		if (page->scratch.length > 0 &&
			pattern_matches(pattern, page->scratch.bytes, page->scratch.length))
			return true;
	}
	return false;
}

/* ---- order */

static int
compare_keys(const struct figure_key *a, const struct figure_key *b)
{
	if (a->bytes == NULL || b->bytes == NULL)
		return (a->number > b->number) - (a->number < b->number);
	int order = memcmp(a->bytes, b->bytes, a->length < b->length ? a->length : b->length);
	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Equals stay in the order in which the analysis has them. */
static int
compare_up(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_keys(left, right);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

static int
compare_down(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_keys(right, left);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

static bool
gather(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	struct figure_key *keys)
{
	enum figure_type type = figures->columns[page->sort_column].type;
	struct error err;
	error_clear(&err);
	page->shown = 0;
	for (size_t row = 0; row < figures->row_count; row++) {
		if (page->only != NULL &&
			!figure_row_matches(page, figures, trace, row, page->only))
			continue;
		keys[page->shown] = figure_key(
			trace, type, *figures_cell(figures, page->layer, row, page->sort_column));
		keys[page->shown++].row = (uint32_t)row;
	}
	return array_reserve(&page->order, &page->capacity, page->shown, sizeof *page->order, &err);
}

void
figure_rows_arrange(struct figure_page *page, const struct figures *figures, const struct trace *trace)
{
	struct error err;
	if (page->is_ordered)
		return;
	error_clear(&err);
	page->is_ordered = true;
	struct figure_key *keys = array_new_unset(figures->row_count, sizeof *keys, &err);
	if (keys == NULL || !gather(page, figures, trace, keys)) {
		page->shown = 0;
		memory_free(keys);
		return;
	}
	bool is_down = figures->columns[page->sort_column].type > FIGURE_MOMENT;
	if (page->shown > 0)
		qsort(keys, page->shown, sizeof *keys,
			is_down != page->is_reversed ? compare_down : compare_up);
	for (size_t i = 0; i < page->shown; i++)
		page->order[i] = keys[i].row;
	memory_free(keys);
}

size_t
figure_rows_find(const struct figure_page *page, uint32_t row)
{
	for (size_t i = 0; i < page->shown; i++) {
		if (page->order[i] == row)
			return i;
	}
	return 0;
}
