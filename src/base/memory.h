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

#include "base/compiler.h"
#include "base/error.h"

/*
 * realloc() and free() by another name: size 0 frees and returns NULL; NULL on
 * failure (a size beyond PTRDIFF_MAX is one) with the old block untouched.
 */
void *memory_realloc(void *block, size_t size_bytes);
void memory_free(void *block);

/* The same as zlib asks for them: count and size are its own, far from overflow. */
void *memory_take_items(void *context, unsigned count, unsigned size_bytes);
void memory_give_items(void *context, void *block);

/*
 * What stands in these bytes of a block is not needed any more: gives the pages that lie
 * wholly within back to the system where it can take them. They may be written again.
 */
void memory_discard(void *bytes, size_t size_bytes);

/*
 * For who has little: from now on what is freed in large pieces goes back to the system at once,
 * where the allocator can be told so, instead of lying between what is still used. It takes longer.
 */
void memory_keep_little(void);

/* Test aid: the countdown-th allocation from now fails, and all after it; 0 turns that off. */
void memory_fail_after(uint64_t countdown);

/*
 * Makes room for at least `needed` items of `item_size` bytes in a growable
 * array. Grows by half; sizes are checked for overflow. On failure array and
 * capacity are as they were. `array` is a pointer to the caller's typed array
 * pointer.
 */
bool array_reserve(
	void *array, size_t *capacity, size_t needed, size_t item_size, struct error *err);

/*
 * A zeroed array of exactly `count` items; one that is freed with memory_free() also
 * where count is 0. NULL with err set when there is no memory.
 */
void *array_new(size_t count, size_t item_size, struct error *err);
/* The same without zeroing, for large columns that are filled at once. */
void *array_new_unset(size_t count, size_t item_size, struct error *err);

/* A copy of `count` items with exactly that room; as array_new() where there are none. */
void *array_copy(const void *array, size_t count, size_t item_size, struct error *err);
/* Frees an array, whose pointer becomes NULL; NULL is fine. */
void array_release(void *array);

/* Gives back what lies beyond `count` items. Cannot fail. */
void array_trim(void *array, size_t *capacity, size_t count, size_t item_size);

/*
 * An arena: many allocations, freed at once. Zero-initialised is empty and
 * valid. Results stay where they are until the arena is cleared or released.
 */
struct arena {
	struct arena_block *blocks; /* newest first */
	char *front;                /* the free part of the newest block, aligned */
	size_t left_bytes;          /* of the free part */
	size_t total_bytes;         /* of all blocks, for the memory budget */
};

enum { ARENA_ALIGNMENT = 16 }; /* enough for any type */

void *arena_alloc_slow(struct arena *arena, size_t size_bytes); /* with a new block */

/* Uninitialised memory aligned for any type, NULL when there is none. size_bytes may be 0. */
static inline void *
arena_alloc(struct arena *arena, size_t size_bytes)
{
	size_t padding = (0 - size_bytes) & (ARENA_ALIGNMENT - 1);
	if (UNLIKELY(size_bytes > arena->left_bytes || padding > arena->left_bytes - size_bytes ||
		     arena->front == NULL))
		return arena_alloc_slow(arena, size_bytes);
	char *result = arena->front;
	arena->front += size_bytes + padding;
	arena->left_bytes -= size_bytes + padding;
	return result;
}

/* A copy of `length` bytes with a zero byte behind; NULL when there is no memory. No padding. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);
void arena_release(struct arena *arena);

/*
 * A stable column: an array that grows without ever moving an item. One thread
 * may append while others read items below a count that was published to them.
 * Chunk k holds 256 << k items, so 24 chunks hold all but 256 of 2^32.
 * Zero-initialise all but item_size.
 */
enum { STABLE_CHUNKS = 24, STABLE_FIRST_BITS = 8 };
#define STABLE_MAX_ITEMS (UINT32_MAX - ((UINT32_C(1) << STABLE_FIRST_BITS) - 1))

struct stable_column {
	void *chunks[STABLE_CHUNKS];
	size_t item_size; /* a multiple of the item's alignment, as sizeof says it */
	uint32_t count;
};

static inline unsigned
stable_chunk_of(uint32_t index)
{
	return compiler_highest_bit_u32(index + (UINT32_C(1) << STABLE_FIRST_BITS)) -
	       STABLE_FIRST_BITS;
}

/*
 * Whether there can be an item at index: its chunk is there. For assertions on threads
 * that items were published to; `count` belongs to the thread that appends.
 */
static inline bool
stable_has_chunk(const struct stable_column *column, uint32_t index)
{
	return index < STABLE_MAX_ITEMS && column->chunks[stable_chunk_of(index)] != NULL;
}

/* The item at index, which must be below count. O(1). */
static inline void *
stable_at(const struct stable_column *column, uint32_t index)
{
	unsigned chunk = stable_chunk_of(index);
	uint32_t first_bits = UINT32_C(1) << STABLE_FIRST_BITS;
	uint32_t within = index + first_bits - (first_bits << chunk);
	return (char *)column->chunks[chunk] + (size_t)within * column->item_size;
}

/* How many items of a column of int64_t, ascending, are at most `value`. O(log count). */
uint32_t stable_until_i64(const struct stable_column *column, int64_t value);
/* Appends one zeroed item and returns it; NULL with err set on failure. */
void *stable_append(struct stable_column *column, struct error *err);
/*
 * A column of the first `count` items, in the same place: for those who look at them while
 * more are appended. They were published to the caller. It may neither be appended to nor
 * released, and ends with the other one.
 */
struct stable_column stable_share(const struct stable_column *column, uint32_t count);
/*
 * A column over `count` items that stand one behind another in memory of the caller's. It may
 * neither be appended to nor released.
 */
struct stable_column stable_over(void *items, size_t item_size, uint32_t count);
/* A column of its own with copies of all items; zero-initialise *copy. On failure it is empty. */
bool stable_copy(
	struct stable_column *copy, const struct stable_column *column, struct error *err);
/* Bytes held by all chunks. */
size_t stable_bytes(const struct stable_column *column);
/* Empties the column and frees its memory; it can be used again. */
void stable_release(struct stable_column *column);

#endif
