/*
 * Tables: rows of cells in columns that line up. The texts are collected first,
 * then the columns get their widths from what is in them and the room there is.
 */
#ifndef TTRACE_DRAW_TABLE_H
#define TTRACE_DRAW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "draw/canvas.h"

enum { TABLE_MAX_COLUMNS = 20, TABLE_GAP_CELLS = 2 };

struct table_column {
	const char *title;  /* ASCII; "" for none */
	bool is_right;      /* its texts end in line */
	bool is_name;       /* names of Go functions, shortened where they tell least, not at their end */
	int least_cells;    /* it can be made as narrow as this; 0: not narrower than its texts */
	int rank;           /* without room the column with the greatest rank goes; 0: it stays */
};

struct table_cell {
	size_t offset, length;
	size_t head;  /* bytes at its start that stay when it is shortened */
	int width;
	struct cell_style style;
};

struct table {
	const struct table_column *columns;
	int column_count;
	struct text texts;
	struct table_cell *cells; /* row by row */
	size_t cell_count, capacity;
	int content[TABLE_MAX_COLUMNS]; /* widest text so far, kept by table_clear() */
	int widths[TABLE_MAX_COLUMNS];  /* as laid out; 0 for a column that is not shown */
	bool has_failed;                /* memory ran out: something is missing */
};

/* An empty table; the columns (at most TABLE_MAX_COLUMNS) must outlive it. */
void table_init(struct table *table, const struct table_column *columns, int column_count);
void table_release(struct table *table);
/* Forgets the rows, but not how wide they were: what follows lines up with what was shown. */
void table_clear(struct table *table);

/* The next cell of the row, of safe text; rows are filled from left to right. */
void table_string(struct table *table, struct cell_style style, const char *safe);
/* A text that could not be made whole for want of memory makes the table fail, too. */
void table_text(struct table *table, struct cell_style style, const struct text *safe);
/* The same of who it is, "G42 main.worker": the first bytes are the id, and stay for the name to go. */
void table_headed(struct table *table, struct cell_style style, const struct text *safe, size_t head);
/* An empty cell. */
void table_skip(struct table *table);

size_t table_rows(const struct table *table);
/*
 * Chooses the widths for so many cells: texts in full if there is room; else narrows the columns
 * that may be, the widest first; else leaves out columns by rank.
 */
void table_layout(struct table *table, int width_cells);
/*
 * Draws the titles, or one row, from (x, y) on. What is too long ends in dots, but
 * without memory is just cut, and has_failed is set.
 */
void table_draw_titles(struct table *table, struct canvas *canvas, int x, int y,
                       struct cell_style style);
void table_draw_row(struct table *table, struct canvas *canvas, int x, int y, size_t row);

#endif
