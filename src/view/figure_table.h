/* How a table of figures is shown: sorted, filtered and scrolled. Only for view/figure_*. */
#ifndef TTRACE_VIEW_FIGURE_TABLE_H
#define TTRACE_VIEW_FIGURE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/figures.h"

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

#endif
