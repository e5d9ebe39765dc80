/* Rows by one of their columns. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/grid_internal.h"
#include "result/figures.h"
#include "trace/words.h"

static bool
is_named(const struct words *words, const struct grid_column *column, const char *name)
{
	if (column->look.title != NULL && column->look.title[0] != '\0' &&
		strcmp(words_title(words, column->look.title), name) == 0)
		return true;
	if (column->key == NULL)
		return false;
	const char *key = words_key(words, column->key);
	size_t length = figures_key_length(key);
	return strcmp(key, name) == 0 ||
	       (strlen(name) == length && memcmp(key, name, length) == 0);
}

int
grid_find_sort(const struct grid *grid, const struct grid_column *columns, int count)
{
	const char *name = grid->options->sort;
	if (name == NULL)
		return -1;
	name += name[0] == '-';
	int i = count - 1;
	while (i >= 0 && !is_named(grid->trace->words, &columns[i], name))
		i--;
	return i;
}

enum key_type { KEY_WHOLE, KEY_NUMBER, KEY_TEXT, KEY_NONE };

/* What a row is sorted by. */
struct key {
	uint32_t row;
	uint8_t type; /* enum key_type; rows of a smaller one come first */
	bool is_descending;
	size_t length;
	union {
		uint64_t whole;
		double number;
		const char *bytes;
	} u;
};

/* Signed numbers in the order of unsigned ones. */
static uint64_t
ordered(int64_t number)
{
	return (uint64_t)number ^ (UINT64_C(1) << 63);
}

static struct key
key_of(const struct grid *grid, const struct grid_cell *cell)
{
	struct key key = { .type = KEY_WHOLE };
	switch ((enum grid_value_type)cell->type) {
	case VALUE_NONE:
		key.type = KEY_NONE;
		break;
	case VALUE_COUNT:
	case VALUE_BYTES:
		key.u.whole = cell->u.count;
		key.is_descending = true;
		break;
	case VALUE_DURATION:
	case VALUE_AMOUNT:
	case VALUE_SINCE:
	case VALUE_CHANGE:
		key.u.whole = ordered(cell->u.ns);
		key.is_descending = true;
		break;
	case VALUE_MOMENT:
	case VALUE_ID:
		key.u.whole = ordered(cell->u.ns);
		break;
	case VALUE_SHARE:
	case VALUE_NUMBER:
	case VALUE_PERCENT:
	case VALUE_BAR:
		key.type = KEY_NUMBER;
		key.u.number = cell->u.number;
		key.is_descending = true;
		break;
	case VALUE_TEXT:
	case VALUE_STRING:
		key.type = KEY_TEXT;
		key.u.bytes = grid_cell_bytes(grid, cell, &key.length);
		break;
	case VALUE_ACTOR:
	case VALUE_ACTOR_ID:
		key.u.whole = ordered(trace_actor(grid->trace, cell->u.id)->id);
		break;
	case VALUE_PROCESSOR:
		key.u.whole = ordered(trace_processor(grid->trace, cell->u.id)->id);
		break;
	}
	return key;
}

static int
compare_values(const struct key *a, const struct key *b)
{
	switch ((enum key_type)a->type) {
	case KEY_WHOLE:
		return (a->u.whole > b->u.whole) - (a->u.whole < b->u.whole);
	case KEY_NUMBER:
		return (a->u.number > b->u.number) - (a->u.number < b->u.number);
	case KEY_TEXT:
		return text_compare(a->u.bytes, a->length, b->u.bytes, b->length);
	case KEY_NONE:
		break;
	}
	return 0;
}

static int
compare(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	int order = compare_values(a, b);
	if (order != 0)
		return a->is_descending ? -order : order;
	return (a->row > b->row) - (a->row < b->row);
}

uint32_t *
grid_order(const struct grid *grid, struct error *err)
{
	bool is_reversed = grid->options->sort[0] == '-';
	uint32_t *order = array_new_unset(grid->row_count, sizeof *order, err);
	struct key *keys = array_new_unset(grid->row_count, sizeof *keys, err);
	if (order == NULL || keys == NULL) {
		memory_free(order);
		memory_free(keys);
		return NULL;
	}
	for (uint32_t i = 0; i < grid->row_count; i++) {
		size_t first = (size_t)i * (size_t)grid->column_count;
		keys[i] = key_of(grid, &grid->cells[first + (size_t)grid->sort_column]);
		keys[i].row = i;
		keys[i].is_descending ^= is_reversed;
	}
	if (grid->row_count > 0)
		qsort(keys, grid->row_count, sizeof *keys, compare);
	for (uint32_t i = 0; i < grid->row_count; i++)
		order[i] = keys[i].row;
	memory_free(keys);
	return order;
}
