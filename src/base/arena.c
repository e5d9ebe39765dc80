/*
 * Arenas. A block hands out aligned memory from its front and strings, which
 * need no alignment, from its back.
 */
#include "base/memory.h"

#include <stdalign.h>
#include <string.h>

#include "base/checked.h"

enum {
	BLOCK_FIRST_BYTES = 4096,
	BLOCK_MAX_BYTES = 1 << 20,
	/* An allocation beyond this share of a block gets a block of its own. */
	BLOCK_SHARE = 4,
};

struct arena_block {
	struct arena_block *next;
	size_t size_bytes; /* of data */
	alignas(ARENA_ALIGNMENT) char data[];
};

/* Blocks grow with the arena, so that small ones stay small and large ones are few. */
static size_t
next_block_size(const struct arena *arena)
{
	if (arena->total_bytes < BLOCK_FIRST_BYTES)
		return BLOCK_FIRST_BYTES - sizeof(struct arena_block);
	if (arena->total_bytes > BLOCK_MAX_BYTES)
		return BLOCK_MAX_BYTES - sizeof(struct arena_block);
	return arena->total_bytes / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

static struct arena_block *
block_new(struct arena *arena, size_t size_bytes)
{
	size_t whole_bytes;
	if (!checked_add_size(size_bytes, sizeof(struct arena_block), &whole_bytes))
		return NULL;
	struct arena_block *block = memory_realloc(NULL, whole_bytes);
	if (block == NULL)
		return NULL;
	block->size_bytes = size_bytes;
	arena->total_bytes += whole_bytes;
	return block;
}

/* A block of its own goes behind the newest, whose rest stays in use. */
static char *
alloc_large(struct arena *arena, size_t size_bytes)
{
	struct arena_block *block = block_new(arena, size_bytes);
	if (block == NULL)
		return NULL;
	if (arena->blocks == NULL) {
		block->next = NULL;
		arena->blocks = block;
		arena->front = block->data + size_bytes;
		arena->left_bytes = 0;
		return block->data;
	}
	block->next = arena->blocks->next;
	arena->blocks->next = block;
	return block->data;
}

static bool
add_block(struct arena *arena, size_t size_bytes)
{
	struct arena_block *block = block_new(arena, size_bytes);
	if (block == NULL)
		return false;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->front = block->data;
	arena->left_bytes = size_bytes;
	return true;
}

void *
arena_alloc_slow(struct arena *arena, size_t size_bytes)
{
	size_t rounded;
	if (!checked_add_size(size_bytes, ARENA_ALIGNMENT - 1, &rounded))
		return NULL;
	rounded = rounded / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
	size_t block_size = next_block_size(arena);
	if (rounded > block_size / BLOCK_SHARE)
		return alloc_large(arena, rounded);
	if (!add_block(arena, block_size))
		return NULL;
	arena->front += rounded;
	arena->left_bytes -= rounded;
	return arena->front - rounded;
}

/* Room for length bytes at the back of the newest block. */
static char *
alloc_bytes(struct arena *arena, size_t length)
{
	if (length > arena->left_bytes) {
		size_t block_size = next_block_size(arena);
		if (length > block_size / BLOCK_SHARE)
			return alloc_large(arena, length);
		if (!add_block(arena, block_size))
			return NULL;
	}
	arena->left_bytes -= length;
	return arena->front + arena->left_bytes;
}

char *
arena_copy(struct arena *arena, const char *bytes, size_t length)
{
	size_t size_bytes;
	if (!checked_add_size(length, 1, &size_bytes))
		return NULL;
	char *copy = alloc_bytes(arena, size_bytes);
	if (copy == NULL)
		return NULL;
	if (length > 0)
		memcpy(copy, bytes, length);
	copy[length] = '\0';
	return copy;
}

static void
free_blocks(struct arena_block *block)
{
	while (block != NULL) {
		struct arena_block *next = block->next;
		memory_free(block);
		block = next;
	}
}

void
arena_release(struct arena *arena)
{
	free_blocks(arena->blocks);
	*arena = (struct arena){ 0 };
}
