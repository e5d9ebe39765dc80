/*
 * The rows of a table that may still change while a snapshot shares the table: copies of these,
 * as they were when it was taken. All other rows never change, and the snapshot looks at them
 * where they are.
 */
#ifndef TTRACE_TRACE_OPEN_ROWS_H
#define TTRACE_TRACE_OPEN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory.h"

/* Zero-initialised is that of a table without such rows. */
struct open_rows {
	uint64_t *are_open; /* a bit per row of the table; NULL: there are none */
	uint32_t *refs;     /* ascending */
	char *rows;         /* by place in refs */
	size_t ref_capacity, row_capacity;
	uint32_t count;
};

/* Looks through the table for rows that is_open() says may change. *open is empty before. */
bool open_rows_copy(struct open_rows *open, const struct stable_column *table,
                    bool (*is_open)(const void *row), struct error *err);
void open_rows_release(struct open_rows *open);

/* The copy of a row that was open. O(log rows). */
void *open_rows_at(const struct open_rows *open, uint32_t ref, size_t item_size);

/* A row of the table as the snapshot has it. */
static inline void *
open_rows_find(const struct open_rows *open, const struct stable_column *table, uint32_t ref)
{
	if (UNLIKELY(open->are_open != NULL) && (open->are_open[ref / 64] >> ref % 64 & 1) != 0)
		return open_rows_at(open, ref, table->item_size);
	return stable_at(table, ref);
}

#endif
