/* Which rows of figures are shown, and in which order. Only for view/figure_*.c. */
#ifndef TTRACE_VIEW_FIGURE_ROWS_H
#define TTRACE_VIEW_FIGURE_ROWS_H

#include "view/figure_table.h"

/* Makes the order if it has to be made. O(n log n); without memory no row is shown. */
void figure_rows_arrange(
	struct figure_page *page, const struct figures *figures, const struct trace *trace);
/* Where a row stands in the order; 0 where it is not shown. */
size_t figure_rows_find(const struct figure_page *page, uint32_t row);
/* Whether one of the row's texts matches. */
bool figure_row_matches(struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern);

#endif
