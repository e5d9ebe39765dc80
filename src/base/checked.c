/* Overflow-checked arithmetic in standard C; compilers see through the comparisons. */
#include "base/checked.h"

bool
checked_add_size(size_t a, size_t b, size_t *out)
{
	if (a > SIZE_MAX - b)
		return false;
	*out = a + b;
	return true;
}

bool
checked_mul_size(size_t a, size_t b, size_t *out)
{
	if (b != 0 && a > SIZE_MAX / b)
		return false;
	*out = a * b;
	return true;
}

bool
checked_add_i64(int64_t a, int64_t b, int64_t *out)
{
	if (b >= 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
		return false;
	*out = a + b;
	return true;
}

int64_t
saturating_add_i64(int64_t a, int64_t b)
{
	int64_t sum;
	if (checked_add_i64(a, b, &sum))
		return sum;
	return b > 0 ? INT64_MAX : INT64_MIN;
}

int64_t
saturating_sub_i64(int64_t a, int64_t b)
{
	return b == INT64_MIN ? saturating_add_i64(saturating_add_i64(a, 1), INT64_MAX)
			      : saturating_add_i64(a, -b);
}

int64_t
saturating_mul_i64(int64_t a, int64_t b)
{
	bool is_negative = (a < 0) != (b < 0);
	uint64_t x = magnitude_i64(a), y = magnitude_i64(b), most = (uint64_t)INT64_MAX + is_negative;
	if (y > 0 && x > most / y)
		return is_negative ? INT64_MIN : INT64_MAX;
	/* -2^63 has no positive counterpart. */
	return is_negative && x * y > 0 ? -(int64_t)(x * y - 1) - 1 : (int64_t)(x * y);
}
