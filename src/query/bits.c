/* Sets of numbers as words of 64 bits, with a running count every few words. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "query/bits.h"

static uint32_t
count_ones(uint64_t word)
{
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* The place of the lowest one in a word other than 0. */
static uint32_t
lowest_one(uint64_t word)
{
	return count_ones((word & (0 - word)) - 1);
}

static uint32_t
word_count(const struct bits *bits)
{
	return bits->limit / 64 + 1; /* one more than needed: bits_below(limit) looks there */
}

static uint32_t
rank_count(const struct bits *bits)
{
	return word_count(bits) / BITS_BLOCK_WORDS + 1;
}

bool
bits_init(struct bits *bits, uint32_t limit, struct error *err)
{
	struct bits made = { .limit = limit };
	made.words = memory_realloc(NULL, word_count(&made) * sizeof(*made.words));
	made.ranks = memory_realloc(NULL, rank_count(&made) * sizeof(*made.ranks));
	if (made.words == NULL || made.ranks == NULL) {
		bits_release(&made);
		return error_set_memory(err, "the search");
	}
	memset(made.words, 0, word_count(&made) * sizeof(*made.words));
	memset(made.ranks, 0, rank_count(&made) * sizeof(*made.ranks));
	*bits = made;
	return true;
}

void
bits_release(struct bits *bits)
{
	memory_free(bits->words);
	memory_free(bits->ranks);
	*bits = (struct bits){ 0 };
}

/* Ones from the bit `first` up to, not including, `end` of a word; first < end <= 64. */
static uint64_t
ones_between(uint32_t first, uint32_t end)
{
	return UINT64_MAX >> (64 - end) & UINT64_MAX << first;
}

void
bits_add_range(struct bits *bits, uint32_t first, uint32_t end)
{
	assert(end <= bits->limit);
	while (first < end) {
		uint32_t word = first / 64;
		uint32_t word_end = end / 64 == word ? end % 64 : 64;
		bits->words[word] |= ones_between(first % 64, word_end);
		first = word * 64 + word_end;
	}
}

void
bits_rank(struct bits *bits)
{
	uint32_t total = 0;
	for (uint32_t i = 0; i < word_count(bits); i++) {
		if (i % BITS_BLOCK_WORDS == 0)
			bits->ranks[i / BITS_BLOCK_WORDS] = total;
		total += count_ones(bits->words[i]);
	}
}

uint32_t
bits_below(const struct bits *bits, uint32_t number)
{
	assert(number <= bits->limit);
	uint32_t last = number / 64;
	uint32_t total = bits->ranks[last / BITS_BLOCK_WORDS];
	for (uint32_t i = last - last % BITS_BLOCK_WORDS; i < last; i++)
		total += count_ones(bits->words[i]);
	uint64_t partial = bits->words[last] & ((UINT64_C(1) << (number % 64)) - 1);
	return total + count_ones(partial);
}

uint32_t
bits_next(const struct bits *bits, uint32_t from, uint32_t end, bool is_member)
{
	uint64_t flip = is_member ? 0 : UINT64_MAX;
	while (from < end) {
		uint64_t word = (bits->words[from / 64] ^ flip) >> (from % 64);
		if (word != 0) {
			uint32_t found = from + lowest_one(word);
			return found < end ? found : end;
		}
		from += 64 - from % 64;
	}
	return end;
}
