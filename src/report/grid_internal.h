/* The cells of a grid, as they are held until they are written. Only for report/grid*.c. */
#ifndef TTRACE_REPORT_GRID_INTERNAL_H
#define TTRACE_REPORT_GRID_INTERNAL_H

#include "report/grid.h"

enum grid_value_type {
	VALUE_NONE,
	VALUE_COUNT,
	VALUE_BYTES,
	VALUE_AMOUNT, /* detail: its decimals */
	VALUE_DURATION,
	VALUE_SINCE,
	VALUE_CHANGE,
	VALUE_MOMENT,
	VALUE_SHARE,
	VALUE_NUMBER,
	VALUE_PERCENT, /* likewise a number, in hundredths */
	VALUE_BAR,
	VALUE_TEXT,
	VALUE_STRING,
	VALUE_ACTOR,
	VALUE_ACTOR_ID,
	VALUE_PROCESSOR,
	VALUE_ID
};

struct grid_cell {
	uint8_t type;    /* enum grid_value_type */
	uint8_t detail;  /* how many decimals; the style of a text; enum units_of of a change */
	uint32_t length; /* of a text */
	union {
		int64_t ns;      /* or a number that names something */
		uint64_t count;
		double number;
		size_t at;       /* of a text, in grid->texts */
		uint32_t id;     /* a ref or a string_id */
	} u;
};

/* What stands before the values of a row in CSV and JSON. */
void grid_cell_begin_row(struct grid *grid);
/* Writes the value where grid->column says, in the form that is asked for. */
void grid_cell_write(struct grid *grid, const struct grid_cell *cell);
/* The bytes of a VALUE_TEXT or VALUE_STRING. */
const char *grid_cell_bytes(const struct grid *grid, const struct grid_cell *cell, size_t *length);
/* The column that --sort names, -1 for none. */
int grid_find_sort(const struct grid *grid, const struct grid_column *columns, int count);
/*
 * The numbers of the rows [0, row_count), whose cells all are held, in the order that --sort asks
 * for; values that are not there come last, equal ones as they were made. Free with
 * memory_free(). NULL without memory.
 */
uint32_t *grid_order(const struct grid *grid, struct error *err);

#endif
