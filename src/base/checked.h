/* Arithmetic on sizes that come from input: says so instead of wrapping. */
#ifndef TTRACE_BASE_CHECKED_H
#define TTRACE_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On overflow these return false and leave *out alone. */
bool checked_add_size(size_t a, size_t b, size_t *out);
bool checked_mul_size(size_t a, size_t b, size_t *out);
bool checked_add_i64(int64_t a, int64_t b, int64_t *out);

/* Saturating sums and products of times: the result stays at INT64_MAX or INT64_MIN. */
int64_t saturating_add_i64(int64_t a, int64_t b);
int64_t saturating_sub_i64(int64_t a, int64_t b);
int64_t saturating_mul_i64(int64_t a, int64_t b);

/* How far a number is from 0: of INT64_MIN, too. */
static inline uint64_t
magnitude_i64(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

#endif
