/*
 * The map of ids: an array for those that lie close together, a hash map for the others. What
 * has come is looked at again whenever the hash map is full: if most of it is in reach of the
 * array by then, or would be if that began elsewhere, it goes there instead.
 */
#include "base/ids.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* The array may be this many times as long as the number of ids seen ... */
enum { SPARSENESS = 4 };
/* ... plus this, so that the first ids find room. */
enum { REACH_AT_LEAST = 1024 };
/* It grows by so many at least, none of which has an id. */
enum { STRETCH = 1024 };
/*
 * The array begins elsewhere only if so many times as many ids are in reach there, so that it
 * does so seldom, and if it is no longer than so many for each id that is not in it, so that
 * looking through it does not cost more than these did.
 */
enum { TIMES_BETTER = 2, ARRAY_PER_OTHER = 16 };

static uint64_t
reach(const struct id_map *ids)
{
	return REACH_AT_LEAST + SPARSENESS * (uint64_t)ids->added_count;
}

/* Makes the array longer than `at`; the new part is empty. */
static bool
extend_array(struct id_map *ids, size_t at, struct error *err)
{
	size_t count = (at / STRETCH + 1) * STRETCH;

	if (!array_reserve(&ids->array, &ids->array_capacity, count, sizeof(*ids->array), err))
		return false;
	memset(ids->array + ids->array_count, 0, (count - ids->array_count) * sizeof(*ids->array));
	ids->array_count = count;
	return true;
}

/* At a place in reach. */
static bool
put_in_array(struct id_map *ids, uint64_t at, uint32_t value, struct error *err)
{
	if (at >= ids->array_count && !extend_array(ids, (size_t)at, err))
		return false;
	ids->array[at] = value + 1;
	return true;
}

/* ---- where the array begins */

/* How many of the others are in reach of an array that begins there. */
static size_t
count_in_reach(const struct id_map *ids, uint64_t first)
{
	size_t at = 0, count = 0;
	uint64_t id;
	uint32_t value;

	while (map_next(&ids->others, &at, &id, &value))
		count += id - first < reach(ids);
	return count;
}

static size_t
count_in_array(const struct id_map *ids)
{
	size_t count = 0;

	for (size_t i = 0; i < ids->array_count; i++)
		count += ids->array[i] != 0;
	return count;
}

/* The lowest of the others that is not farther below the newest one than the array may reach. */
static uint64_t
lowest_near(const struct id_map *ids, uint64_t newest)
{
	uint64_t id, lowest = newest;
	size_t at = 0;
	uint32_t value;

	while (map_next(&ids->others, &at, &id, &value))
		if (newest - id < reach(ids) && newest - id > newest - lowest)
			lowest = id;
	return lowest;
}

/* Whether it is worth it that the array begins there. */
static bool
is_better(const struct id_map *ids, uint64_t first)
{
	size_t count;

	if (ids->array_count / ARRAY_PER_OTHER > REACH_AT_LEAST + ids->others.count)
		return false;
	count = count_in_reach(ids, first);
	return count >= ids->others.count - ids->others.count / 4 &&
	       count >= TIMES_BETTER * count_in_array(ids);
}

/* All ids are among the others then. */
static bool
empty_array(struct id_map *ids, struct error *err)
{
	for (size_t i = 0; i < ids->array_count; i++)
		if (ids->array[i] != 0 &&
		    !map_put(&ids->others, ids->first + i, ids->array[i] - 1, err))
			return false;
	array_release(&ids->array);
	ids->array_count = ids->array_capacity = 0;
	return true;
}

/* Takes what is in reach from the others. */
static bool
fill_array(struct id_map *ids, struct error *err)
{
	struct map rest = { 0 };
	uint64_t id;
	size_t at = 0;
	uint32_t value;
	bool ok = true;

	while (ok && map_next(&ids->others, &at, &id, &value)) {
		uint64_t place = id - ids->first;

		ok = place < reach(ids) ? put_in_array(ids, place, value, err)
		                        : map_put(&rest, id, value, err);
	}
	if (!ok) {
		map_release(&rest);
		return false;
	}
	map_release(&ids->others);
	ids->others = rest;
	return true;
}

/* The others are many; the newest id is not there yet. */
static bool
gather_others(struct id_map *ids, uint64_t newest, struct error *err)
{
	if (count_in_reach(ids, ids->first) < ids->others.count / 2 + 1) {
		uint64_t first = lowest_near(ids, newest);

		if (!is_better(ids, first))
			return true;
		if (!empty_array(ids, err))
			return false;
		ids->first = first;
	}
	return fill_array(ids, err);
}

bool
id_map_add(struct id_map *ids, uint64_t id, uint32_t value, struct error *err)
{
	assert(value != MAP_NONE && id_map_find(ids, id) == MAP_NONE);
	if (id - ids->first >= reach(ids) && map_is_full(&ids->others) &&
	    !gather_others(ids, id, err))
		return false;
	if (id - ids->first < reach(ids) ? !put_in_array(ids, id - ids->first, value, err)
	                                 : !map_put(&ids->others, id, value, err))
		return false;
	ids->added_count++;
	return true;
}

/* Its place in the array, if it is there. */
static uint32_t *
place_in_array(const struct id_map *ids, uint64_t id)
{
	uint64_t at = id - ids->first;

	return at < ids->array_count && ids->array[at] != 0 ? &ids->array[at] : NULL;
}

void
id_map_set(struct id_map *ids, uint64_t id, uint32_t value)
{
	uint32_t *place = place_in_array(ids, id);
	/* Replacing a value needs no memory. */
	struct error ignored = { 0 };

	if (place != NULL) {
		*place = value + 1;
		return;
	}
	assert(map_find(&ids->others, id) != MAP_NONE);
	map_put(&ids->others, id, value, &ignored);
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
	uint32_t *place = place_in_array(ids, id);

	if (place != NULL)
		*place = 0;
	else
		map_remove(&ids->others, id);
}

/*
 * Clearing must not cost more than filling did, or a file with one large
 * generation and very many small ones would be slow: what is far too large for
 * the ids that were in it is given back.
 */
void
id_map_clear(struct id_map *ids)
{
	size_t fitting = REACH_AT_LEAST + (size_t)2 * SPARSENESS * ids->added_count;

	if (ids->array_count > fitting) {
		array_release(&ids->array);
		ids->array_count = ids->array_capacity = 0;
	} else if (ids->array_count > 0) {
		memset(ids->array, 0, ids->array_count * sizeof(*ids->array));
	}
	map_clear_fitting(&ids->others);
	ids->first = 0;
	ids->added_count = 0;
}

bool
id_map_copy(struct id_map *copy, const struct id_map *ids, struct error *err)
{
	if (!map_copy(&copy->others, &ids->others, err))
		return false;
	copy->array = array_copy(ids->array, ids->array_count, sizeof(*ids->array), err);
	if (copy->array == NULL) {
		id_map_release(copy);
		return false;
	}
	copy->first = ids->first;
	copy->array_count = copy->array_capacity = ids->array_count;
	copy->added_count = ids->added_count;
	return true;
}

size_t
id_map_bytes(const struct id_map *ids)
{
	return ids->array_capacity * sizeof(*ids->array) + map_bytes(&ids->others);
}

void
id_map_release(struct id_map *ids)
{
	array_release(&ids->array);
	map_release(&ids->others);
	*ids = (struct id_map){ 0 };
}
