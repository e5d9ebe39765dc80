/* The map of ids: an array for the low ones, a hash map for the others. */
#include "base/ids.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* The array may be this many times as long as the number of ids seen ... */
enum { SPARSENESS = 4 };
/* ... plus this, so that the first ids find room. */
enum { LOW_AT_LEAST = 1024 };

/* Makes the array reach beyond id; the new part is empty. */
static bool
extend_low(struct id_map *ids, size_t id, struct error *err)
{
	if (!array_reserve(&ids->low, &ids->low_capacity, id + 1, sizeof(*ids->low), err))
		return false;
	memset(ids->low + ids->low_count, 0,
	       (ids->low_capacity - ids->low_count) * sizeof(*ids->low));
	ids->low_count = ids->low_capacity;
	return true;
}

bool
id_map_add(struct id_map *ids, uint64_t id, uint32_t value, struct error *err)
{
	assert(value != MAP_NONE && id_map_find(ids, id) == MAP_NONE);
	if (id >= LOW_AT_LEAST + SPARSENESS * (uint64_t)ids->added_count) {
		if (!map_put(&ids->high, id, value, err))
			return false;
		ids->added_count++;
		return true;
	}
	if (id >= ids->low_count && !extend_low(ids, (size_t)id, err))
		return false;
	ids->low[id] = value + 1;
	ids->added_count++;
	return true;
}

void
id_map_set(struct id_map *ids, uint64_t id, uint32_t value)
{
	if (id < ids->low_count && ids->low[id] != 0) {
		ids->low[id] = value + 1;
		return;
	}
	/* Replacing a value needs no memory. */
	struct error ignored = { 0 };
	assert(map_find(&ids->high, id) != MAP_NONE);
	map_put(&ids->high, id, value, &ignored);
}

bool
id_map_put(struct id_map *ids, uint64_t id, uint32_t value, struct error *err)
{
	if (id_map_find(ids, id) == MAP_NONE)
		return id_map_add(ids, id, value, err);
	id_map_set(ids, id, value);
	return true;
}

void
id_map_remove(struct id_map *ids, uint64_t id)
{
	if (id < ids->low_count && ids->low[id] != 0) {
		ids->low[id] = 0;
		return;
	}
	map_remove(&ids->high, id);
}

/*
 * Clearing must not cost more than filling did, or a file with one large
 * generation and very many small ones would be slow: what is far too large for
 * the ids that were in it is given back.
 */
void
id_map_clear(struct id_map *ids)
{
	size_t fitting = LOW_AT_LEAST + (size_t)2 * SPARSENESS * ids->added_count;
	if (ids->low_count > fitting) {
		memory_free(ids->low);
		ids->low = NULL;
		ids->low_count = ids->low_capacity = 0;
	} else if (ids->low_count > 0) {
		memset(ids->low, 0, ids->low_count * sizeof(*ids->low));
	}
	map_clear_fitting(&ids->high);
	ids->added_count = 0;
}

bool
id_map_copy(struct id_map *copy, const struct id_map *ids, struct error *err)
{
	if (!map_copy(&copy->high, &ids->high, err))
		return false;
	copy->low = array_copy(ids->low, ids->low_count, sizeof(*ids->low), err);
	if (copy->low == NULL) {
		id_map_release(copy);
		return false;
	}
	copy->low_count = copy->low_capacity = ids->low_count;
	copy->added_count = ids->added_count;
	return true;
}

size_t
id_map_bytes(const struct id_map *ids)
{
	return ids->low_capacity * sizeof(*ids->low) + map_bytes(&ids->high);
}

void
id_map_release(struct id_map *ids)
{
	memory_free(ids->low);
	map_release(&ids->high);
	*ids = (struct id_map){ 0 };
}
