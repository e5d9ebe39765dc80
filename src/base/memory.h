/*
 * Allocation, growable arrays, arenas and stable columns.
 *
 * All of the program's memory comes through memory_realloc(), so that tests
 * can let the n-th allocation fail and the benchmark can ask for the peak.
 */
#ifndef TTRACE_BASE_MEMORY_H
#define TTRACE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * realloc() and free() by another name: size 0 frees and returns NULL; NULL on
 * failure with the old block untouched.
 */
void *memory_realloc(void *block, size_t size_bytes);
void memory_free(void *block);

/* Test aid: the countdown-th allocation from now fails, and all after it; 0 turns that off. */
void memory_fail_after(uint64_t countdown);

/*
 * Makes room for at least `needed` items of `item_size` bytes in a growable
 * array. Grows by half; sizes are checked for overflow. On failure array and
 * capacity are as they were. `array` is a pointer to the caller's typed array
 * pointer.
 */
bool array_reserve(void *array, size_t *capacity, size_t needed, size_t item_size,
                   struct error *err);

/* Gives back what lies beyond `count` items. Cannot fail. */
void array_trim(void *array, size_t *capacity, size_t count, size_t item_size);

/*
 * An arena: many allocations, freed at once. Zero-initialised is empty and
 * valid. Results are aligned for any type and stay where they are until the
 * arena is cleared or released.
 */
struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used_bytes;          /* in the newest block */
	size_t total_bytes;         /* of all blocks, for the memory budget */
};

/* Uninitialised memory, NULL when there is none. size_bytes may be 0. */
void *arena_alloc(struct arena *arena, size_t size_bytes);
/* A copy of `length` bytes with a zero byte behind; NULL when there is no memory. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);
/* Forgets all allocations, keeps the newest block for reuse. */
void arena_clear(struct arena *arena);
void arena_release(struct arena *arena);

/*
 * A stable column: an array that grows without ever moving an item. One thread
 * may append while others read items below a count that was published to them.
 * Chunk k holds STABLE_FIRST << k items; so 32 chunks hold all there can be.
 * Zero-initialise all but item_size.
 */
enum { STABLE_CHUNKS = 24, STABLE_FIRST_BITS = 8 };

struct stable_column {
	void *chunks[STABLE_CHUNKS];
	size_t item_size;
	uint32_t count;
};

/* Appends one zeroed item and returns it; NULL with err set on failure. */
void *stable_append(struct stable_column *column, struct error *err);
/* The item at index, which must be below count. O(1). */
void *stable_at(const struct stable_column *column, uint32_t index);
/* Bytes held by all chunks. */
size_t stable_bytes(const struct stable_column *column);
void stable_release(struct stable_column *column);

#endif
