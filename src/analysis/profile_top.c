/* Sums up by function. */
#include "analysis/profile_top.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

struct gathering {
	const struct trace *trace;
	struct profile_top *top;
	size_t capacity;
	struct map row_of; /* function -> index of its row */
};

/* The row of a function, a new one if needed; NULL without memory. */
static struct top_row *
row_of(struct gathering *gathering, string_id function, struct error *err)
{
	struct profile_top *top = gathering->top;
	uint32_t index = map_find(&gathering->row_of, function);
	if (index != MAP_NONE)
		return &top->rows[index];
	if (!array_reserve(&top->rows, &gathering->capacity, (size_t)top->row_count + 1,
		    sizeof(*top->rows), err) ||
		!map_put(&gathering->row_of, function, top->row_count, err))
		return NULL;
	struct top_row *row = &top->rows[top->row_count++];
	*row = (struct top_row){ .function = function };
	row->name = profile_function_name(gathering->trace, function, &row->name_length);
	return row;
}

/* `number` of the entry: counted from 1. */
static bool
add_entry(struct gathering *gathering, const struct profile *profile, uint32_t number,
	struct error *err)
{
	const struct stack_table *stacks = profile_stacks(profile, gathering->trace);
	const struct profile_entry *entry = &profile->entries[number - 1];
	int64_t value = profile_value(profile, entry);
	stack_id stack = entry->stack;
	/* What has no stack is a row as well, but pprof has none for it. */
	if (stack == STACK_NONE && profile->rule != PROFILE_STATES)
		return true;
	do {
		string_id function = stack == STACK_NONE ? STRING_EMPTY
							 : stack_leaf(stacks, stack)->function;
		struct top_row *row = row_of(gathering, function, err);
		if (row == NULL)
			return false;
		if (stack == entry->stack) {
			row->flat = saturating_add_i64(row->flat, value);
			row->open = saturating_add_i64(row->open, entry->open_ns);
		}
		if (row->seen_in != number)
			row->cum = saturating_add_i64(row->cum, value);
		row->seen_in = number;
		stack = stack == STACK_NONE ? STACK_NONE : stack_caller(stacks, stack);
	} while (stack != STACK_NONE);
	return true;
}

static int
compare_names(const struct top_row *a, const struct top_row *b)
{
	return text_compare(a->name, a->name_length, b->name, b->name_length);
}

static int
by_flat(const void *a, const void *b)
{
	const struct top_row *left = a, *right = b;
	if (left->flat != right->flat)
		return left->flat > right->flat ? -1 : 1;
	return compare_names(left, right);
}

static int
by_cum(const void *a, const void *b)
{
	const struct top_row *left = a, *right = b;
	if (left->cum != right->cum)
		return left->cum > right->cum ? -1 : 1;
	return compare_names(left, right);
}

static int
by_name(const void *a, const void *b)
{
	return compare_names(a, b);
}

static void
reverse_rows(struct profile_top *top)
{
	for (uint32_t i = 0; i < top->row_count / 2; i++) {
		struct top_row *mirrored = &top->rows[top->row_count - 1 - i];
		struct top_row row = top->rows[i];
		top->rows[i] = *mirrored;
		*mirrored = row;
	}
}

bool
profile_top_build(struct profile_top *top, const struct trace *trace,
	const struct profile *profile, const char *sort, struct error *err)
{
	*top = (struct profile_top){ 0 };
	struct gathering gathering = { .trace = trace, .top = top };
	bool is_fine = true;
	for (uint32_t i = 0; i < profile->entry_count && is_fine; i++)
		is_fine = add_entry(&gathering, profile, i + 1, err);
	map_release(&gathering.row_of);
	if (!is_fine)
		profile_top_release(top);
	if (top->row_count == 0)
		return is_fine;
	const char *word = sort == NULL ? "flat" : sort + (sort[0] == '-');
	qsort(top->rows, top->row_count, sizeof(*top->rows),
		strcmp(word, "flat") == 0  ? by_flat
		: strcmp(word, "cum") == 0 ? by_cum
					   : by_name);
	if (sort != NULL && sort[0] == '-')
		reverse_rows(top);
	return true;
}

void
profile_top_release(struct profile_top *top)
{
	memory_free(top->rows);
	*top = (struct profile_top){ 0 };
}
