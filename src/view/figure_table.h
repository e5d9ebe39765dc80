/* How a table of figures is shown: sorted, filtered and scrolled. Only for view/figure_*.c and the pages they are part of. */
#ifndef TTRACE_VIEW_FIGURE_TABLE_H
#define TTRACE_VIEW_FIGURE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "result/figures.h"
#include "view/session.h"

struct pattern; /* query/pattern.h */

/* Where things stand on the screen. */
struct figure_layout {
	int name_cells, bar_x, bar_cells, first_x; /* of the first column, the bars and the other columns ... */
	int end;                                   /* ... which end before this one */
};

/* How the user left it; the state of such an analysis. Zero-initialised is as it is at first. */
struct figure_page {
	bool is_used;            /* else the sort is not chosen yet */
	int layer;
	int sort_column;
	bool is_reversed;        /* names from the last, numbers from the least */
	int first_column;        /* beside the one that stays; 0 stands for 1 */
	bool shows_sort;         /* the columns are to scroll to the one that is sorted by */
	uint32_t *order;         /* rows as shown */
	size_t shown, capacity;
	bool is_ordered;         /* else all that has to be made */
	size_t selected, top;    /* in the order */
	size_t page;             /* rows on the screen, as laid out last */
	struct pattern *only;    /* rows shown; NULL: all */
	struct pattern *pattern; /* searched; NULL: nothing */
	int width, widths[FIGURES_MOST_COLUMNS]; /* of the screen and the columns, as laid out last */
	struct figure_layout layout;
};

/* ---- what cells say, and which rows are shown in which order: view/figure_rows.c */

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

/* Makes the order if it has to be made. O(n log n); without memory no row is shown. */
void figure_rows_arrange(
	struct figure_page *page, const struct figures *figures, const struct trace *trace);
/* Where a row stands in the order; 0 where it is not shown. */
size_t figure_rows_find(const struct figure_page *page, uint32_t row);
/* Whether one of the row's texts matches; the scratch text is written over. */
bool figure_row_matches(const struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern, struct text *scratch);

/* ---- on the screen: view/figure_draw.c */

/* Brings what is selected into sight and gives each column its room, as the rows in sight need it. */
void figure_draw_lay_out(struct figure_page *page, const struct figures *figures,
	const struct session *session, const struct canvas *canvas);
/*
 * As it was laid out: titles in the first row, below them the rows around the selected one. Of each
 * only what is on the screen is looked at.
 */
void figure_draw(const struct figure_page *page, const struct figures *figures,
	const struct session *session, struct canvas *canvas);
/* The column whose title stands at x; -1 for none. */
int figure_draw_column_at(const struct figure_page *page, int x);

#endif
