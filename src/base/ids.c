/*
 * The map of ids: an array for those that lie close together, a hash map for the others.
 * Whenever there are twice as many, all are looked at again: the array may begin elsewhere, and
 * others be in its reach by then.
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

static bool
put_anywhere(struct id_map *ids, uint64_t id, uint32_t value, struct error *err)
{
	uint64_t at = id - ids->first;

	return at < reach(ids) ? put_in_array(ids, at, value, err)
	                       : map_put(&ids->others, id, value, err);
}

/* ---- where the array begins */

/* How many of the ids in the array would be in reach if it began there. */
static size_t
count_of_array(const struct id_map *ids, uint64_t first)
{
	size_t count = 0;

	for (size_t i = 0; i < ids->array_count; i++)
		count += ids->array[i] != 0 && ids->first + i - first < reach(ids);
	return count;
}

/* The same of the others. */
static size_t
count_of_others(const struct id_map *ids, uint64_t first)
{
	size_t at = 0, count = 0;
	uint64_t id;
	uint32_t value;

	while (map_next(&ids->others, &at, &id, &value))
		count += id - first < reach(ids);
	return count;
}

/* The lowest of the others that is not farther below the newest id than the array may reach. */
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

/* The array begins there from now on. */
static bool
rearrange(struct id_map *ids, uint64_t first, struct error *err)
{
	struct id_map moved = { .first = first, .added_count = ids->added_count };
	bool ok = true;
	uint64_t id;
	uint32_t value;

	for (size_t i = 0; ok && i < ids->array_count; i++)
		ok = ids->array[i] == 0 ||
		     put_anywhere(&moved, ids->first + i, ids->array[i] - 1, err);
	for (size_t at = 0; ok && map_next(&ids->others, &at, &id, &value);)
		ok = put_anywhere(&moved, id, value, err);
	id_map_release(ok ? ids : &moved);
	if (ok)
		*ids = moved;
	return ok;
}

/* How many ids would be in the array if it began there; 0 where that is not worth it. */
static size_t
worth_of(const struct id_map *ids, uint64_t first)
{
	size_t in_array = count_of_array(ids, ids->first);
	size_t count = count_of_array(ids, first) + count_of_others(ids, first);

	return count > in_array && count >= (in_array + ids->others.count) / 2 ? count : 0;
}

/* Has as many ids in the array as can be, if that is most of them. */
static bool
look_again(struct id_map *ids, uint64_t newest, struct error *err)
{
	uint64_t elsewhere = lowest_near(ids, newest);
	size_t here_worth = worth_of(ids, ids->first);
	size_t elsewhere_worth = worth_of(ids, elsewhere);

	if (elsewhere_worth > here_worth)
		return rearrange(ids, elsewhere, err);
	return here_worth == 0 || rearrange(ids, ids->first, err);
}

bool
id_map_add(struct id_map *ids, uint64_t id, uint32_t value, struct error *err)
{
	assert(value != MAP_NONE && id_map_find(ids, id) == MAP_NONE);
	if (!put_anywhere(ids, id, value, err))
		return false;
	ids->added_count++;
	return (ids->added_count & (ids->added_count - 1)) != 0 || ids->others.count == 0 ||
	       look_again(ids, id, err);
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
