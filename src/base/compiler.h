/* The compiler's extensions that we use, in one place. */
#ifndef TTRACE_BASE_COMPILER_H
#define TTRACE_BASE_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ATTR_PRINTF(format_index, first_arg)                                                       \
	__attribute__((format(printf, format_index, first_arg)))
/* What is returned is a format that takes what that parameter takes. */
#define ATTR_FORMAT_OF(format_index) __attribute__((format_arg(format_index)))
/* Whatever the compiler thinks of the size: for the few functions that run for every event. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Has the memory brought near meanwhile; any address will do. */
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define ATTR_PRINTF(format_index, first_arg)
#define ATTR_FORMAT_OF(format_index)
#define ALWAYS_INLINE inline
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define PREFETCH(address) ((void)(address))
#endif

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The position of the highest bit set in value, which must not be 0: 31 for 1 << 31. */
static inline unsigned
compiler_highest_bit_u32(uint32_t value)
{
#if defined(__GNUC__)
	return 31U - (unsigned)__builtin_clz(value);
#else
	unsigned bit = 0;
	while (value >>= 1)
		bit++;
	return bit;
#endif
}

/* The same of twice as many: 63 for 1 << 63. */
static inline unsigned
compiler_highest_bit_u64(uint64_t value)
{
	uint32_t high = (uint32_t)(value >> 32);
	return high != 0 ? 32U + compiler_highest_bit_u32(high)
			 : compiler_highest_bit_u32((uint32_t)value);
}

/* Both halves of the 128-bit product, combined by exclusive or; in standard C. */
static inline uint64_t
compiler_fold_multiply_portable(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32;
	uint64_t b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t low = a_low * b_low;
	uint64_t middle = a_high * b_low + (low >> 32);
	uint64_t middle_low = (uint32_t)middle + a_low * b_high;
	uint64_t high = a_high * b_high + (middle >> 32) + (middle_low >> 32);
	return (middle_low << 32 | (uint32_t)low) ^ high;
}

/* The same, in one instruction where the machine has it. */
static inline uint64_t
compiler_fold_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
	__extension__ unsigned __int128 product = a;
	product *= b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	return compiler_fold_multiply_portable(a, b);
#endif
}

#endif
