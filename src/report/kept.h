/*
 * The tables of a report as figures that stand for themselves: what names something is text, so
 * that they outlive the trace, and those of two traces can be compared.
 */
#ifndef TTRACE_REPORT_KEPT_H
#define TTRACE_REPORT_KEPT_H

#include "result/figures.h"

struct grid;      /* report/grid.h */
struct grid_cell; /* report/grid_internal.h */

/* Zero-initialised has no tables. To be released in any case. */
struct kept {
	struct figures *first, *last;
	size_t cell_count, cell_capacity, place_capacity;
};

void kept_release(struct kept *kept);

/* For report/grid.c: a table begins; and one of its rows. */
bool kept_begin(struct kept *kept, const struct grid *grid, struct error *err);
bool kept_row(struct kept *kept, const struct grid *grid, const struct grid_cell *cells,
	struct error *err);

/* Where a row of a table leads, NULL: nowhere. */
const struct result_place *kept_place(const struct figures *figures, size_t row);

/*
 * The first table with a column of this key, with or without its unit, else the first with one of
 * this title; and which of its columns that is. NULL: there is none.
 */
const struct figures *kept_find(const struct kept *kept, const char *key, size_t length, int *column);

#endif
