/* Least significant digit first, as many digits as the largest key has. */
#include <string.h>

#include "base/checked.h"
#include "base/job.h"
#include "base/memory.h"
#include "query/radix.h"

enum {
	DIGIT_BITS = 11,
	DIGIT_VALUES = 1 << DIGIT_BITS,
	ITEMS_PER_LOOK = 1 << 16 /* between two looks whether it is cancelled: less than a millisecond */
};

static unsigned
digit(uint64_t key, unsigned shift)
{
	return (unsigned)(key >> shift) & (DIGIT_VALUES - 1);
}

/* From one place to the other, by one digit. */
struct pass {
	const struct radix_item *from;
	struct radix_item *to;
	size_t count;
	unsigned shift;
};

static bool
sort_by_digit(const struct pass *pass, const atomic_bool *is_cancelled, struct error *err)
{
	size_t starts[DIGIT_VALUES] = { 0 }, start = 0;
	for (size_t i = 0; i < pass->count; i++)
		starts[digit(pass->from[i].key, pass->shift)]++;
	for (unsigned i = 0; i < DIGIT_VALUES; i++) {
		size_t amount = starts[i];
		starts[i] = start;
		start += amount;
	}
	for (size_t i = 0, end; i < pass->count; i = end) {
		size_t left = pass->count - i;
		if (!job_goes_on(is_cancelled, err))
			return false;
		end = i + (left < ITEMS_PER_LOOK ? left : ITEMS_PER_LOOK);
		for (size_t n = i; n < end; n++)
			pass->to[starts[digit(pass->from[n].key, pass->shift)]++] = pass->from[n];
	}
	return true;
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
radix_sort(struct radix_item *items, size_t count, const atomic_bool *is_cancelled,
	struct error *err)
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
	bool is_fine = true;
	for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += DIGIT_BITS) {
		if (digit(differing, shift) == 0)
			continue;
		const struct pass pass = { from, to, count, shift };
		is_fine = sort_by_digit(&pass, is_cancelled, err);
		if (!is_fine)
			break;
		struct radix_item *swapped = from;
		from = to;
		to = swapped;
	}
	if (from != items)
		memcpy(items, from, size);
	memory_free(scratch);
	return is_fine;
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
