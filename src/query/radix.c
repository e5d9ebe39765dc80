/* Least significant digit first, as many digits as the largest key has. */
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "query/radix.h"

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS };

static unsigned
digit(uint64_t key, unsigned shift)
{
	return (unsigned)(key >> shift) & (DIGIT_VALUES - 1);
}

static void
sort_by_digit(const struct radix_item *from, struct radix_item *to, size_t count, unsigned shift)
{
	size_t starts[DIGIT_VALUES] = { 0 };
	for (size_t i = 0; i < count; i++)
		starts[digit(from[i].key, shift)]++;
	size_t start = 0;
	for (unsigned i = 0; i < DIGIT_VALUES; i++) {
		size_t amount = starts[i];
		starts[i] = start;
		start += amount;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[digit(from[i].key, shift)]++] = from[i];
}

/* All ones that the keys differ in; 0 also where they are sorted already. */
static uint64_t
digits_to_sort(const struct radix_item *items, size_t count)
{
	uint64_t differing = 0;
	bool is_sorted = true;
	for (size_t i = 1; i < count; i++) {
		differing |= items[i].key ^ items[0].key;
		is_sorted = is_sorted && items[i - 1].key <= items[i].key;
	}
	return is_sorted ? 0 : differing;
}

bool
radix_sort(struct radix_item *items, size_t count, struct error *err)
{
	uint64_t differing = digits_to_sort(items, count);
	if (differing == 0)
		return true;
	size_t size = 0;
	if (!checked_mul_size(count, sizeof(*items), &size))
		return error_set_memory(err, "sorting");
	struct radix_item *scratch = memory_realloc(NULL, size);
	if (scratch == NULL)
		return error_set_memory(err, "sorting");
	struct radix_item *from = items, *to = scratch;
	for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += DIGIT_BITS) {
		if (digit(differing, shift) == 0)
			continue;
		sort_by_digit(from, to, count, shift);
		struct radix_item *swapped = from;
		from = to;
		to = swapped;
	}
	if (from != items)
		memcpy(items, from, size);
	memory_free(scratch);
	return true;
}

size_t
radix_below(const struct radix_item *items, size_t count, uint64_t key)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
