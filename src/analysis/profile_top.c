/* Sums up by function. */
#include "analysis/profile_top.h"

#include <math.h>
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
	struct map edge_of; /* caller and callee -> index */
	size_t edge_capacity;
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

/* One call of an entry; a function that calls itself is no edge. */
static bool
add_edge(struct gathering *gathering, const struct top_edge *call, struct error *err)
{
	struct profile_top *top = gathering->top;
	uint64_t key = (uint64_t)call->caller << 32 | call->callee;
	uint32_t index = map_find(&gathering->edge_of, key);
	if (call->caller == call->callee)
		return true;
	if (index == MAP_NONE) {
		index = (uint32_t)top->edge_count;
		if (!array_reserve(&top->edges, &gathering->edge_capacity, (size_t)index + 1,
			    sizeof *top->edges, err) ||
			!map_put(&gathering->edge_of, key, index, err))
			return false;
		top->edges[top->edge_count++] = (struct top_edge){
			.caller = call->caller, .callee = call->callee, .is_inlined = true };
	}
	struct top_edge *edge = &top->edges[index];
	if (edge->seen_in != call->seen_in)
		edge->weight = saturating_add_i64(edge->weight, call->weight);
	edge->seen_in = call->seen_in;
	edge->is_inlined = edge->is_inlined && call->is_inlined;
	return true;
}

/* Calls that are less than a thousandth of all do not count, as in pprof. */
static void
tell_inlining(struct gathering *gathering)
{
	enum { NONE_YET = 3 };
	struct profile_top *top = gathering->top;
	int64_t sum = 0;
	for (uint32_t i = 0; i < top->row_count; i++) {
		sum = saturating_add_i64(sum, top->rows[i].flat);
		top->rows[i].inlining = NONE_YET;
	}
	uint64_t least = (uint64_t)fabs((double)sum * 0.001);
	for (size_t i = 0; i < top->edge_count; i++) {
		const struct top_edge *edge = &top->edges[i];
		uint8_t *inlining = &top->rows[map_find(&gathering->row_of, edge->callee)].inlining;
		uint8_t own = edge->is_inlined ? TOP_INLINED : TOP_CALLED;
		if (magnitude_i64(edge->weight) < least)
			continue;
		*inlining = *inlining == NONE_YET || *inlining == own ? own : TOP_PARTLY_INLINED;
	}
	for (uint32_t i = 0; i < top->row_count; i++)
		if (top->rows[i].inlining == NONE_YET)
			top->rows[i].inlining = TOP_CALLED;
}

/* Rows of which nothing is left, since their samples cancel each other. */
static void
drop_empty_rows(struct profile_top *top)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < top->row_count; i++)
		if (top->rows[i].flat != 0 || top->rows[i].cum != 0)
			top->rows[kept++] = top->rows[i];
	top->row_count = kept;
}

/* `number` of the entry: counted from 1. */
static bool
add_entry(struct gathering *gathering, const struct profile *profile, uint32_t number,
	struct error *err)
{
	const struct stack_table *stacks = profile_stacks(profile);
	const struct profile_entry *entry = &profile->entries[number - 1];
	int64_t value = profile_value(profile, entry);
	stack_id stack = entry->stack;
	bool has_samples = profile->kind == PROFILE_SAMPLES;
	struct top_edge call = { .seen_in = number, .weight = value };
	/* What has no stack is a row as well, but pprof has none for it. */
	if (stack == STACK_NONE && (profile->rule != PROFILE_STATES || has_samples))
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
		if (has_samples) {
			call.caller = function;
			if (stack != entry->stack && !add_edge(gathering, &call, err))
				return false;
			call.callee = function;
			call.is_inlined = stack_leaf(stacks, stack)->is_inlined != 0;
		}
		stack = stack == STACK_NONE ? STACK_NONE : stack_caller(stacks, stack);
	} while (stack != STACK_NONE);
	return true;
}

static int
compare_names(const struct top_row *a, const struct top_row *b)
{
	return text_compare(a->name, a->name_length, b->name, b->name_length);
}

/* More is first, whatever the sign. */
static int
compare_weights(int64_t a, int64_t b)
{
	return (magnitude_i64(a) < magnitude_i64(b)) - (magnitude_i64(a) > magnitude_i64(b));
}

static int
by_flat(const void *a, const void *b)
{
	const struct top_row *left = a, *right = b;
	int order = compare_weights(left->flat, right->flat);
	return order != 0 ? order : compare_names(left, right);
}

static int
by_cum(const void *a, const void *b)
{
	const struct top_row *left = a, *right = b;
	int order = compare_weights(left->cum, right->cum);
	return order != 0 ? order : compare_names(left, right);
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
profile_top_build(struct profile_top *top, const struct profile *profile, const char *sort, struct error *err)
{
	*top = (struct profile_top){ 0 };
	struct gathering gathering = { .trace = profile->trace, .top = top };
	bool is_fine = true;
	for (uint32_t i = 0; i < profile->entry_count && is_fine; i++)
		is_fine = add_entry(&gathering, profile, i + 1, err);
	if (is_fine && profile->kind == PROFILE_SAMPLES) {
		tell_inlining(&gathering);
		drop_empty_rows(top);
	}
	map_release(&gathering.row_of);
	map_release(&gathering.edge_of);
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
	memory_free(top->edges);
	*top = (struct profile_top){ 0 };
}
