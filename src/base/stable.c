/* Stable columns: chunks that double in size and never move. */
#include "base/memory.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"

static size_t
chunk_items(unsigned chunk)
{
	return (size_t)1 << (STABLE_FIRST_BITS + chunk);
}

static bool
add_chunk(struct stable_column *column, unsigned chunk, struct error *err)
{
	size_t size_bytes;
	if (!checked_mul_size(chunk_items(chunk), column->item_size, &size_bytes))
		return error_set_memory(err, "a column");
	column->chunks[chunk] = memory_realloc(NULL, size_bytes);
	if (column->chunks[chunk] == NULL)
		return error_set_memory(err, "a column");
	return true;
}

void *
stable_append(struct stable_column *column, struct error *err)
{
	assert(column->item_size > 0);
	if (UNLIKELY(column->count == STABLE_MAX_ITEMS)) {
		error_set(err, ERROR_LIMIT, "more than %u items in one column", STABLE_MAX_ITEMS);
		return NULL;
	}
	unsigned chunk = stable_chunk_of(column->count);
	if (UNLIKELY(column->chunks[chunk] == NULL) && !add_chunk(column, chunk, err))
		return NULL;
	void *item = stable_at(column, column->count++);
	memset(item, 0, column->item_size);
	return item;
}

size_t
stable_bytes(const struct stable_column *column)
{
	size_t bytes = 0;
	for (unsigned chunk = 0; chunk < STABLE_CHUNKS && column->chunks[chunk] != NULL; chunk++)
		bytes += chunk_items(chunk) * column->item_size;
	return bytes;
}

void
stable_release(struct stable_column *column)
{
	for (unsigned chunk = 0; chunk < STABLE_CHUNKS; chunk++)
		memory_free(column->chunks[chunk]);
	*column = (struct stable_column){ .item_size = column->item_size };
}
