/* Which rows of figures are shown, and in which order. */
#include "view/figure_rows.h"
#include "view/figure_words.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "query/pattern.h"
#include "query/radix.h"

bool
figure_row_matches(struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern)
{
	for (int column = 0; column < figures->column_count; column++) {
		enum figure_type type = figures->columns[column].type;
		if (!figure_is_text(type))
			continue;
		text_clear(&page->scratch);
		figures_add(figures, trace, (struct figures_at){ page->layer, row, column }, false,
			false, &page->scratch);
		if (page->scratch.length > 0 &&
			pattern_matches(pattern, page->scratch.bytes, page->scratch.length))
			return true;
	}
	return false;
}

/* ---- order */

static int
compare_texts(const struct figure_key *a, const struct figure_key *b)
{
	return text_compare(a->bytes, a->length, b->bytes, b->length);
}

/* Equals stay in the order in which the analysis has them. */
static int
compare_up(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_texts(left, right);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

static int
compare_down(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_texts(right, left);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

/* The rows that are shown, in the order of the analysis. */
static bool
gather(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	struct error *err)
{
	page->shown = 0;
	if (!array_reserve(&page->order, &page->capacity, figures->row_count, sizeof *page->order,
		    err))
		return false;
	for (size_t row = 0; row < figures->row_count; row++) {
		if (page->only == NULL || figure_row_matches(page, figures, trace, row, page->only))
			page->order[page->shown++] = (uint32_t)row;
	}
	return true;
}

static struct figure_key
key_of(const struct figure_page *page, const struct figures *figures, const struct trace *trace,
	size_t at)
{
	uint32_t row = page->order[at];
	struct figure_key key = figures_key(
		figures, trace, (struct figures_at){ page->layer, row, page->sort_column });
	key.row = row;
	return key;
}

static bool
sort_texts(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	bool is_down, struct error *err)
{
	struct figure_key *keys = array_new_unset(page->shown, sizeof *keys, err);
	if (keys == NULL)
		return false;
	for (size_t i = 0; i < page->shown; i++)
		keys[i] = key_of(page, figures, trace, i);
	if (page->shown > 0)
		qsort(keys, page->shown, sizeof *keys, is_down ? compare_down : compare_up);
	for (size_t i = 0; i < page->shown; i++)
		page->order[i] = keys[i].row;
	memory_free(keys);
	return true;
}

/* In linear time, as there may be very many rows and a key is to be answered at once. */
static bool
sort_numbers(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	bool is_down, struct error *err)
{
	struct radix_item *items = array_new_unset(page->shown, sizeof *items, err);
	for (size_t i = 0; items != NULL && i < page->shown; i++) {
		/* Below 0 comes before the rest. */
		uint64_t key = (uint64_t)key_of(page, figures, trace, i).number ^ (UINT64_C(1) << 63);
		items[i] = (struct radix_item){ is_down ? ~key : key, page->order[i] };
	}
	bool is_fine = items != NULL && radix_sort(items, page->shown, NULL, err);
	for (size_t i = 0; is_fine && i < page->shown; i++)
		page->order[i] = (uint32_t)items[i].value;
	memory_free(items);
	return is_fine;
}

void
figure_rows_arrange(struct figure_page *page, const struct figures *figures, const struct trace *trace)
{
	struct error err;
	if (page->is_ordered)
		return;
	error_clear(&err);
	page->is_ordered = true;
	page->width = 0; /* other rows may be shown, for which the columns are measured anew */
	enum figure_type type = figures->columns[page->sort_column].type;
	bool is_down = (type > FIGURE_MOMENT) != page->is_reversed;
	bool has_texts = figure_is_text(type) && type != FIGURE_ACTOR && type != FIGURE_TASK;
	bool is_fine = gather(page, figures, trace, &err) &&
		       (has_texts ? sort_texts(page, figures, trace, is_down, &err)
				  : sort_numbers(page, figures, trace, is_down, &err));
	if (!is_fine)
		page->shown = 0;
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
