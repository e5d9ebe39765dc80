/*
 * The keyed hash and the map. Linear probing over 16-byte slots; removal moves
 * later slots back, so there are no tombstones and the cost depends on the
 * load only, which stays at or below seven tenths.
 */
#include "base/map.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"

enum { MAP_FIRST_SLOTS = 16 };
/* A map fits if it has no more slots than this, and some for each entry. */
enum { FITTING_AT_LEAST = 1024, SPARSENESS = 8 };

struct map_slot {
	uint64_t key;
	uint32_t value; /* MAP_NONE: the slot is free */
};

/* ---- the keyed hash */

struct hash_key {
	uint64_t words[4];
};

static struct hash_key the_key;
static atomic_bool is_key_drawn;
static pthread_once_t draw_once = PTHREAD_ONCE_INIT;

static bool
read_random(void *out, size_t size)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t got = read(fd, out, size);
	close(fd);
	return got == (ssize_t)size;
}

/* Weaker than a random key, but still different in each process. */
static void
gather_key(struct hash_key *key)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_REALTIME, &now);
	const uint64_t known[4] = {
		(uint64_t)now.tv_sec,
		(uint64_t)now.tv_nsec,
		(uint64_t)getpid(),
		(uint64_t)(uintptr_t)&now,
	};
	uint64_t mixed = UINT64_C(0x9E3779B97F4A7C15);
	for (size_t i = 0; i < 16; i++) {
		mixed = compiler_fold_multiply(
			mixed ^ known[i % 4], UINT64_C(0xD6E8FEB86659FD93) + 2 * i);
		key->words[i % 4] = mixed;
	}
}

static void
draw_key(void)
{
	struct hash_key key;
	if (!read_random(&key, sizeof(key)))
		gather_key(&key);
	/* An even or zero multiplier would lose bits of what it multiplies. */
	key.words[1] |= 1;
	key.words[3] |= 1;
	the_key = key;
	atomic_store_explicit(&is_key_drawn, true, memory_order_release);
}

static inline const struct hash_key *
hash_key(void)
{
	if (UNLIKELY(!atomic_load_explicit(&is_key_drawn, memory_order_acquire)))
		pthread_once(&draw_once, draw_key);
	return &the_key;
}

static inline uint64_t
mix(const struct hash_key *key, uint64_t a, uint64_t b)
{
	uint64_t once = compiler_fold_multiply(a ^ key->words[0], key->words[1]);
	return compiler_fold_multiply(once ^ b ^ key->words[2], key->words[3]);
}

uint64_t
hash_u64(uint64_t value)
{
	return mix(hash_key(), value, 0);
}

uint64_t
hash_pair(uint64_t a, uint64_t b)
{
	const struct hash_key *key = hash_key();
	return mix(key, mix(key, a, 0), b);
}

static inline uint64_t
load_u64(const unsigned char *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint64_t
load_u32(const unsigned char *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return value;
}

/*
 * At most 16 bytes as two words. Loads from both ends may overlap; together
 * with the length, which is hashed too, they still tell all bytes.
 */
static inline void
load_short(const unsigned char *bytes, size_t length, uint64_t words[2])
{
	words[0] = words[1] = 0;
	if (length >= 8) {
		words[0] = load_u64(bytes);
		words[1] = load_u64(bytes + length - 8);
	} else if (length >= 4) {
		words[0] = load_u32(bytes);
		words[1] = load_u32(bytes + length - 4);
	} else if (length > 0) {
		words[0] = (uint64_t)bytes[0] << 16 | (uint64_t)bytes[length / 2] << 8 |
			   bytes[length - 1];
	}
}

uint64_t
hash_bytes(const void *bytes, size_t length)
{
	const struct hash_key *key = hash_key();
	const unsigned char *at = bytes;
	size_t left = length;
	uint64_t words[2];
	uint64_t state = key->words[2];
	for (; left > 16; at += 16, left -= 16) {
		words[0] = load_u64(at) ^ key->words[0];
		words[1] = load_u64(at + 8) ^ key->words[1];
		state = compiler_fold_multiply(words[0] ^ state, words[1]);
	}
	load_short(at, left, words);
	state = compiler_fold_multiply(words[0] ^ key->words[0] ^ state, words[1] ^ key->words[1]);
	return compiler_fold_multiply(state ^ length ^ key->words[2], key->words[3]);
}

/* ---- the map */

/* The slot of key, or the free slot where it would go. */
static size_t
find_slot(const struct map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	size_t at = (size_t)hash_u64(key) & mask;
	while (map->slots[at].value != MAP_NONE && map->slots[at].key != key)
		at = (at + 1) & mask;
	return at;
}

uint32_t
map_find(const struct map *map, uint64_t key)
{
	if (map->count == 0)
		return MAP_NONE;
	return map->slots[find_slot(map, key)].value;
}

static void
set_free(struct map_slot *slots, size_t capacity)
{
	for (size_t i = 0; i < capacity; i++)
		slots[i] = (struct map_slot){ .value = MAP_NONE };
}

static bool
grow(struct map *map, struct error *err)
{
	struct map larger = { 0 };
	size_t size_bytes;
	if (map->capacity == 0)
		larger.capacity = MAP_FIRST_SLOTS;
	else if (!checked_mul_size(map->capacity, 2, &larger.capacity))
		return error_set_memory(err, "a table");
	if (!checked_mul_size(larger.capacity, sizeof(struct map_slot), &size_bytes))
		return error_set_memory(err, "a table");
	larger.slots = memory_realloc(NULL, size_bytes);
	if (larger.slots == NULL)
		return error_set_memory(err, "a table");

	set_free(larger.slots, larger.capacity);
	larger.count = map->count;
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->slots[i].value != MAP_NONE)
			larger.slots[find_slot(&larger, map->slots[i].key)] = map->slots[i];
	}
	memory_free(map->slots);
	*map = larger;
	return true;
}

bool
map_next(const struct map *map, size_t *at, uint64_t *key, uint32_t *value)
{
	while (*at < map->capacity) {
		const struct map_slot *slot = &map->slots[(*at)++];

		if (slot->value == MAP_NONE)
			continue;
		*key = slot->key;
		*value = slot->value;
		return true;
	}
	return false;
}

bool
map_put(struct map *map, uint64_t key, uint32_t value, struct error *err)
{
	assert(value != MAP_NONE);
	if (map->count >= map->capacity / 10 * 7 && !grow(map, err))
		return false;
	struct map_slot *slot = &map->slots[find_slot(map, key)];
	if (slot->value == MAP_NONE)
		map->count++;
	slot->key = key;
	slot->value = value;
	return true;
}

/*
 * Fills the hole with the next slot of the run that may stand there: one whose
 * own place is not between the hole and itself. That leaves a new hole, and so on.
 */
void
map_remove(struct map *map, uint64_t key)
{
	if (map->count == 0)
		return;
	size_t mask = map->capacity - 1;
	size_t hole = find_slot(map, key);
	if (map->slots[hole].value == MAP_NONE)
		return;
	for (size_t at = (hole + 1) & mask; map->slots[at].value != MAP_NONE;
		at = (at + 1) & mask) {
		size_t home = (size_t)hash_u64(map->slots[at].key) & mask;
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		map->slots[hole] = map->slots[at];
		hole = at;
	}
	map->slots[hole].value = MAP_NONE;
	map->count--;
}

bool
map_copy(struct map *copy, const struct map *map, struct error *err)
{
	if (map->capacity == 0)
		return true;
	copy->slots = array_copy(map->slots, map->capacity, sizeof(*map->slots), err);
	if (copy->slots == NULL)
		return false;
	copy->capacity = map->capacity;
	copy->count = map->count;
	return true;
}

size_t
map_bytes(const struct map *map)
{
	return map->capacity * sizeof(*map->slots);
}

void
map_clear(struct map *map)
{
	set_free(map->slots, map->capacity);
	map->count = 0;
}

void
map_clear_fitting(struct map *map)
{
	if (map->capacity > FITTING_AT_LEAST + SPARSENESS * map->count)
		map_release(map);
	else
		map_clear(map);
}

void
map_release(struct map *map)
{
	memory_free(map->slots);
	*map = (struct map){ 0 };
}
