/* Rows that may still change: found, copied, and looked up. */
#include "trace/open_rows.h"

#include <assert.h>
#include <string.h>

static bool
add_row(struct open_rows *open, uint32_t ref, const void *row, size_t item_size, struct error *err)
{
	if (!array_reserve(&open->refs, &open->ref_capacity, (size_t)open->count + 1,
	                   sizeof(*open->refs), err) ||
	    !array_reserve(&open->rows, &open->row_capacity, (size_t)open->count + 1, item_size,
	                   err))
		return false;
	open->refs[open->count] = ref;
	memcpy(open->rows + open->count * item_size, row, item_size);
	open->are_open[ref / 64] |= UINT64_C(1) << ref % 64;
	open->count++;
	return true;
}

bool
open_rows_copy(struct open_rows *open, const struct stable_column *table,
               bool (*is_open)(const void *row), struct error *err)
{
	open->are_open = array_new((size_t)table->count / 64 + 1, sizeof(*open->are_open), err);
	if (open->are_open == NULL)
		return false;
	for (uint32_t i = 0; i < table->count; i++) {
		const void *row = stable_at(table, i);

		if (is_open(row) && !add_row(open, i, row, table->item_size, err))
			return false;
	}
	if (open->count == 0)
		open_rows_release(open);
	return true;
}

void
open_rows_release(struct open_rows *open)
{
	memory_free(open->are_open);
	memory_free(open->refs);
	memory_free(open->rows);
	*open = (struct open_rows){ 0 };
}

void *
open_rows_at(const struct open_rows *open, uint32_t ref, size_t item_size)
{
	uint32_t low = 0, high = open->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (open->refs[middle] <= ref)
			low = middle;
		else
			high = middle;
	}
	assert(low < open->count && open->refs[low] == ref);
	return open->rows + low * item_size;
}
