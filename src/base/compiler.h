/* The compiler's extensions that we use, in one place. */
#ifndef TTRACE_BASE_COMPILER_H
#define TTRACE_BASE_COMPILER_H

#include <stddef.h>

#if defined(__GNUC__)
#define ATTR_PRINTF(format_index, first_arg) \
	__attribute__((format(printf, format_index, first_arg)))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define ATTR_PRINTF(format_index, first_arg)
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#endif

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
