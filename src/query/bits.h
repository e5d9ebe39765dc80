/*
 * A set of small numbers as bits, which can count its members below any
 * number in constant time once it was ranked.
 */
#ifndef TTRACE_QUERY_BITS_H
#define TTRACE_QUERY_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BITS_BLOCK_WORDS = 8 }; /* words per rank */

/* Zero-initialised is the empty set of the numbers below 0. */
struct bits {
	uint64_t *words;
	uint32_t *ranks; /* members before each block */
	uint32_t limit;  /* numbers are below it */
};

/* The empty set of numbers below the limit. */
bool bits_init(struct bits *bits, uint32_t limit, struct error *err);
void bits_release(struct bits *bits);

static inline bool
bits_has(const struct bits *bits, uint32_t number)
{
	return bits->words[number / 64] >> (number % 64) & 1;
}

static inline void
bits_add(struct bits *bits, uint32_t number)
{
	bits->words[number / 64] |= UINT64_C(1) << (number % 64);
}

/* Adds the numbers [first, end). */
void bits_add_range(struct bits *bits, uint32_t first, uint32_t end);

/* Adds up the ranks; to be called after the last change and before bits_below(). */
void bits_rank(struct bits *bits);
/* Members below the number, which is at most the limit. O(1). */
uint32_t bits_below(const struct bits *bits, uint32_t number);
/* The first number at or after `from` that is a member, or with is_member false is none; or end. */
uint32_t bits_next(const struct bits *bits, uint32_t from, uint32_t end, bool is_member);

#endif
