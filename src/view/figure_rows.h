/*
 * What the cells of figures say, and which rows are shown, in which order. Only for
 * view/figure_*.c.
 */
#ifndef TTRACE_VIEW_FIGURE_ROWS_H
#define TTRACE_VIEW_FIGURE_ROWS_H

#include "view/figure_table.h"

/* A cell of figures. */
struct figures_at {
	int layer;
	size_t row;
	int column;
};

/* Appends what a cell says, as safe text: "1.22 ms", "main.worker", "-" for nothing. */
void figures_add(const struct figures *figures, const struct trace *trace, struct figures_at at,
	bool is_wall, bool ascii, struct text *out);
/* Appends the bytes of a cell that is a name of whatever kind; nothing for others. */
void figures_add_name(const struct figures *figures, const struct trace *trace, struct figures_at at,
	struct text *out);

/*
 * What a cell is ordered by: bytes, of the trace or the texts, where they are
 * not NULL; else the number.
 */
struct figure_key {
	const char *bytes;
	size_t length;
	int64_t number;
	uint32_t row; /* the caller's */
};

struct figure_key figures_key(
	const struct figures *figures, const struct trace *trace, struct figures_at at);

/* ---- rows */

/* Makes the order if it has to be made. O(n log n); without memory no row is shown. */
void figure_rows_arrange(
	struct figure_page *page, const struct figures *figures, const struct trace *trace);
/* Where a row stands in the order; 0 where it is not shown. */
size_t figure_rows_find(const struct figure_page *page, uint32_t row);
/* Whether one of the row's texts matches; the scratch text is written over. */
bool figure_row_matches(const struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern, struct text *scratch);

#endif
