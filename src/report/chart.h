/* Charts of results, as pictures on a page. */
#ifndef TTRACE_REPORT_CHART_H
#define TTRACE_REPORT_CHART_H

#include "report/grid.h"
#include "result/result.h"

/* Columns and rows that a map has room for on this page. */
void chart_room(const struct grid *grid, int *columns, int *rows);
/* Draws the chart of the table, whose rows these are; without any it prints what stands in their place. */
bool chart_print(struct grid *grid, const struct result_table *table, const int64_t *cells,
	size_t row_count, struct error *err);

#endif
