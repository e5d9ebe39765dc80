/*
 * Answers ready made: tables that the input has, as another program printed them. Values are kept
 * as they were printed, to be shown, and as numbers, to be sorted and compared. They are rounded:
 * nothing is added up from them.
 */
#ifndef TTRACE_TRACE_READY_H
#define TTRACE_TRACE_READY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"

enum { READY_MOST_COLUMNS = 24 };

/* What the number of a cell is. */
enum ready_type {
	READY_TEXT,     /* there is none: it is a text ... */
	READY_FUNCTION, /* ... or the name of a function */
	READY_COUNT,
	READY_DURATION, /* ns */
	READY_BYTES,
	READY_PERCENT   /* 100 % is READY_WHOLE */
};

#define READY_WHOLE INT64_C(1000000000)
#define READY_NONE INT64_MIN /* the input has no number there */

/* Names are ids of trace->strings here and below. */
struct ready_column {
	string_id key;   /* for programs, its unit behind it: "flat_ns" */
	string_id title; /* for people */
	uint8_t type;    /* enum ready_type */
	bool is_dimension; /* it tells what a row is about; else it is a measure of that */
	uint8_t rank;    /* without room the column with the greatest goes; 0: it stays */
};

struct ready_cell {
	string_id text; /* as it was printed, without blanks around it */
	int64_t number; /* in the column's unit, or READY_NONE */
};

struct ready_table {
	string_id name;  /* for programs */
	string_id title; /* for people */
	struct ready_column columns[READY_MOST_COLUMNS]; /* the first is the name of the row */
	unsigned column_count;
	unsigned usual_column; /* by which the screen sorts it at first */
	struct ready_cell *cells; /* row by row */
	size_t row_count, cell_capacity;
};

/* What the input says of itself: "Type", "cpu". */
struct ready_note {
	string_id key, value;
};

struct ready {
	struct ready_table *tables; /* in the input's order */
	size_t table_count, table_capacity;
	struct ready_note *notes;
	size_t note_count, note_capacity;
};

/* NULL with err set for want of memory; NULL is fine to free. A trace frees its own. */
struct ready *ready_new(struct error *err);
void ready_free(struct ready *ready);
size_t ready_bytes(const struct ready *ready);

/* These fail for want of memory. A table stays where it is until the next is added. */
struct ready_table *ready_add_table(struct ready *ready, string_id name, string_id title,
	struct error *err);
bool ready_add_row(struct ready_table *table, const struct ready_cell *cells, struct error *err);
bool ready_add_note(struct ready *ready, string_id key, string_id value, struct error *err);
/* All before the first row. ERROR_LIMIT where there are too many. */
bool ready_add_column(struct ready_table *table, const struct ready_column *column, struct error *err);

static inline const struct ready_cell *
ready_cell(const struct ready_table *table, size_t row, unsigned column)
{
	return &table->cells[row * table->column_count + column];
}

#endif
