/* Overflow-checked arithmetic in standard C; compilers see through the comparisons. */
#include "base/checked.h"

#include <assert.h>

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
	assert(a >= 0 && b >= 0);
	return b > 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}
