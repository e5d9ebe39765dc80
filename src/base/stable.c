/* Stable columns: chunks that double in size and never move. */
#include "base/memory.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/sorted.h"

static size_t
chunk_items(unsigned chunk)
{
	return (size_t)1 << (STABLE_FIRST_BITS + chunk);
}

static uint32_t
chunk_first(unsigned chunk)
{
	return (uint32_t)(chunk_items(chunk) - chunk_items(0));
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

uint32_t
stable_until_i64(const struct stable_column *column, int64_t value)
{
	if (column->count == 0)
		return 0;
	/* The last chunk has half of all, the one before a half of what is left. */
	unsigned chunk = stable_chunk_of(column->count - 1);
	while (chunk > 0 && *(const int64_t *)column->chunks[chunk] > value)
		chunk--;
	uint32_t first = chunk_first(chunk);
	size_t left = column->count - first, items = chunk_items(chunk);
	return first + (uint32_t)sorted_until_i64(
			       column->chunks[chunk], left < items ? left : items, value);
}

struct stable_column
stable_share(const struct stable_column *column, uint32_t count)
{
	struct stable_column shared = { .item_size = column->item_size, .count = count };
	for (unsigned chunk = 0; count > 0 && chunk <= stable_chunk_of(count - 1); chunk++)
		shared.chunks[chunk] = column->chunks[chunk];
	return shared;
}

struct stable_column
stable_over(void *items, size_t item_size, uint32_t count)
{
	struct stable_column column = { .item_size = item_size, .count = count };
	char *at = items;
	for (unsigned chunk = 0; count > 0 && chunk <= stable_chunk_of(count - 1); chunk++) {
		column.chunks[chunk] = at;
		if (chunk < stable_chunk_of(count - 1))
			at += chunk_items(chunk) * item_size;
	}
	return column;
}

bool
stable_copy(struct stable_column *copy, const struct stable_column *column, struct error *err)
{
	copy->item_size = column->item_size;
	for (uint32_t at = 0; at < column->count;) {
		unsigned chunk = stable_chunk_of(at);
		size_t items = chunk_items(chunk);
		if (items > column->count - at)
			items = column->count - at;
		if (!add_chunk(copy, chunk, err)) {
			stable_release(copy);
			return false;
		}
		memcpy(copy->chunks[chunk], column->chunks[chunk], items * column->item_size);
		at += (uint32_t)items;
	}
	copy->count = column->count;
	return true;
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
