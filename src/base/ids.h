/*
 * From an id of the file (any 64-bit number) to a 32-bit index. The runtime
 * numbers nearly everything upwards, from a small number or, in a program that
 * has run for long, from a large one; so most ids lie close together and are
 * looked up in an array. It is never much longer than the number of ids added, so
 * that ids chosen by a hostile file cost no more than a hash map.
 */
#ifndef TTRACE_BASE_IDS_H
#define TTRACE_BASE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* Zero-initialised is empty. */
struct id_map {
	uint64_t first;  /* the id that the array begins with */
	uint32_t *array; /* value + 1 of the ids from there on, 0 for none */
	size_t array_count, array_capacity;
	struct map others;  /* ids that are not in the array */
	size_t added_count; /* since it was cleared, so that ids that came and went count too */
};

/* What ids cost that are not in the array: a hash look-up. */
static inline uint32_t
id_map_find(const struct id_map *ids, uint64_t id)
{
	uint64_t at = id - ids->first; /* huge for ids before the first */

	if (at < ids->array_count && ids->array[at] != 0)
		return ids->array[at] - 1;
	return ids->others.count > 0 ? map_find(&ids->others, id) : MAP_NONE;
}

/* Adds id, which must not be there; value is below MAP_NONE. Fails for want of memory only. */
bool id_map_add(struct id_map *ids, uint64_t id, uint32_t value, struct error *err);
/* Adds id or changes its value. Fails for want of memory only, and never where id is there. */
bool id_map_put(struct id_map *ids, uint64_t id, uint32_t value, struct error *err);
/* Changes the value of an id that is there. Cannot fail. */
void id_map_set(struct id_map *ids, uint64_t id, uint32_t value);
/* Forgets id; nothing happens when it is not there. */
void id_map_remove(struct id_map *ids, uint64_t id);
/* Keeps the memory that about as many ids need. */
void id_map_clear(struct id_map *ids);
/* A copy in *copy, which is empty before and on failure, for want of memory. */
bool id_map_copy(struct id_map *copy, const struct id_map *ids, struct error *err);
size_t id_map_bytes(const struct id_map *ids);
void id_map_release(struct id_map *ids);

#endif
