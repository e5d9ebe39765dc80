/* The one door to the allocator, and growable arrays. */
#include "base/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/checked.h"

enum { ARRAY_FIRST_ITEMS = 8 };

/* Pieces from that size on have pages of their own. */
enum { LARGE_PIECE_BYTES = 128 * 1024 };

/* Allocations until failures begin; 0 is off, 1 means that the next one fails. */
static _Atomic uint64_t allocations_left;

/* Counts one allocation; true when it is to fail. */
static bool
is_made_to_fail(void)
{
	uint64_t left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
	while (UNLIKELY(left > 1)) {
		if (atomic_compare_exchange_weak(&allocations_left, &left, left - 1))
			return false;
	}
	return UNLIKELY(left == 1);
}

void *
memory_realloc(void *block, size_t size_bytes)
{
	if (size_bytes == 0) {
		free(block);
		return NULL;
	}
	/* Differences of pointers into anything larger would not be defined. */
	if (UNLIKELY(size_bytes > PTRDIFF_MAX) || is_made_to_fail())
		return NULL;
	return realloc(block, size_bytes);
}

void
memory_free(void *block)
{
	free(block);
}

void *
memory_take_items(void *context, unsigned count, unsigned size_bytes)
{
	(void)context;
	return memory_realloc(NULL, (size_t)count * size_bytes);
}

void
memory_give_items(void *context, void *block)
{
	(void)context;
	memory_free(block);
}

void
memory_discard(void *bytes, size_t size_bytes)
{
#if defined(__linux__)
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)bytes;
	uintptr_t first = (start + page - 1) / page * page;
	uintptr_t end = (start + size_bytes) / page * page;
	if (first < end)
		madvise((char *)bytes + (first - start), end - first, MADV_DONTNEED);
#else
	(void)bytes;
	(void)size_bytes;
#endif
}

void
memory_keep_little(void)
{
#if defined(__GLIBC__)
	/* As long as nobody sets it, the size grows with what is freed. */
	mallopt(M_MMAP_THRESHOLD, LARGE_PIECE_BYTES);
#endif
}

void
memory_fail_after(uint64_t countdown)
{
	atomic_store(&allocations_left, countdown);
}

/*
 * The caller's array is a pointer to some object type, which C does not let us
 * read through a void **; copying its bytes is fine.
 */
static void *
load_pointer(const void *array)
{
	void *block;
	memcpy(&block, array, sizeof(block));
	return block;
}

static void
store_pointer(void *array, void *block)
{
	memcpy(array, &block, sizeof(block));
}

/* Half more than now, at least needed; what cannot be counted becomes needed. */
static size_t
grown_capacity(size_t capacity, size_t needed)
{
	size_t grown;
	if (!checked_add_size(capacity, capacity / 2, &grown))
		return needed;
	if (grown < ARRAY_FIRST_ITEMS)
		grown = ARRAY_FIRST_ITEMS;
	return grown > needed ? grown : needed;
}

bool
array_reserve(void *array, size_t *capacity, size_t needed, size_t item_size, struct error *err)
{
	assert(item_size > 0);
	if (LIKELY(needed <= *capacity))
		return true;
	size_t grown = grown_capacity(*capacity, needed);
	size_t size_bytes;
	if (!checked_mul_size(grown, item_size, &size_bytes))
		return error_set(err, ERROR_MEMORY, "an array of %zu items is too large", needed);
	void *block = memory_realloc(load_pointer(array), size_bytes);
	if (block == NULL)
		return error_set(err, ERROR_MEMORY, "not enough memory for %zu items of %zu bytes",
			grown, item_size);
	store_pointer(array, block);
	*capacity = grown;
	return true;
}

void
array_release(void *array)
{
	memory_free(load_pointer(array));
	store_pointer(array, NULL);
}

void
array_trim(void *array, size_t *capacity, size_t count, size_t item_size)
{
	assert(count <= *capacity);
	if (count == *capacity)
		return;
	void *block = memory_realloc(load_pointer(array), count * item_size);
	if (block == NULL && count > 0)
		return; /* the larger block is still good */
	store_pointer(array, block);
	*capacity = count;
}

void *
array_new_unset(size_t count, size_t item_size, struct error *err)
{
	size_t bytes;
	void *array = NULL;

	if (checked_mul_size(count == 0 ? 1 : count, item_size, &bytes))
		array = memory_realloc(NULL, bytes);
	if (array == NULL)
		error_set_memory(err, "an array");
	return array;
}

void *
array_new(size_t count, size_t item_size, struct error *err)
{
	void *array = array_new_unset(count, item_size, err);

	if (array != NULL)
		memset(array, 0, count * item_size);
	return array;
}

void *
array_copy(const void *array, size_t count, size_t item_size, struct error *err)
{
	void *copy = array_new_unset(count, item_size, err);

	if (copy != NULL && count > 0)
		memcpy(copy, array, count * item_size);
	return copy;
}
