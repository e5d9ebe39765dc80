/*
 * Hash map from 64-bit keys to 32-bit values, and the keyed hash behind all
 * our tables. The key is drawn once per process, so that names and ids chosen
 * by a hostile file cannot make the tables degrade. Open addressing; whoever
 * goes through a map must not let its order show, since that depends on the key.
 */
#ifndef TTRACE_BASE_MAP_H
#define TTRACE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

uint64_t hash_bytes(const void *bytes, size_t length);
uint64_t hash_u64(uint64_t value);
uint64_t hash_pair(uint64_t a, uint64_t b);

#define MAP_NONE UINT32_MAX /* never stored as a value */

/* Zero-initialised is an empty map. */
struct map {
	struct map_slot *slots; /* capacity of them, a power of two */
	size_t capacity;
	size_t count;
};

/* The value of key, or MAP_NONE. */
uint32_t map_find(const struct map *map, uint64_t key);
/* Sets the value of key (added or replaced). Fails only for want of memory. */
bool map_put(struct map *map, uint64_t key, uint32_t value, struct error *err);
/* The next pair from *at on, which is 0 at first and then behind the pair; false after the last. */
bool map_next(const struct map *map, size_t *at, uint64_t *key, uint32_t *value);
/* Forgets key; nothing happens when it is not there. */
void map_remove(struct map *map, uint64_t key);
/* A map of its own that holds the same; zero-initialise *copy. */
bool map_copy(struct map *copy, const struct map *map, struct error *err);
/* Bytes held. */
size_t map_bytes(const struct map *map);
void map_clear(struct map *map); /* keeps the memory */
/*
 * The same at no more cost than filling it had: gives back memory that is far too large
 * for what was in it. For maps that are filled and cleared again and again.
 */
void map_clear_fitting(struct map *map);
void map_release(struct map *map);

#endif
