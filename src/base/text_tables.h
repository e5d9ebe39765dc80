/* Classes of code points, as sorted ranges that do not touch. Only for base/text_*.c. */
#ifndef TTRACE_BASE_TEXT_TABLES_H
#define TTRACE_BASE_TEXT_TABLES_H

#include <stddef.h>
#include <stdint.h>

struct text_range {
	uint32_t first, last; /* both included */
};

/* No code point is in two of the first three tables. */
extern const struct text_range text_wide[];   /* two cells */
extern const struct text_range text_zero[];   /* no cell: drawn over what stands before */
extern const struct text_range text_hidden[]; /* never sent to a terminal */
extern const struct text_range text_printable[];
extern const size_t text_wide_count, text_zero_count, text_hidden_count, text_printable_count;

#endif
