/* Where the parts of the timeline stand on a canvas. */
#ifndef TTRACE_DRAW_TIMELINE_LAYOUT_H
#define TTRACE_DRAW_TIMELINE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Where things stand. Parts that do not fit have 0 lines. */
struct timeline_layout {
	int width, height;
	int title_lines, ruler_lines; /* 0 or 1 each, at the top */
	int label_cells;              /* columns left of the lanes */
	int cells;                    /* columns of the lanes, at least 1 */
	int path_lines;               /* 0 or 1, below the ruler */
	int rows_y, row_lines;
	int pinned_lines;             /* of those: the first rows, which stay while others scroll */
	int panel_y, panel_lines; /* the first of them is the thin rule with its title */
	int verdict_lines;        /* 0 or 1, the last one */
};

struct timeline_layout timeline_layout(int width, int height, bool has_panel);
/* Leaves the panel but its title and two lines. */
void timeline_layout_fold_panel(struct timeline_layout *layout);
/* Makes room for the verdict below all else where enough rows stay. */
void timeline_layout_verdict(struct timeline_layout *layout);
/* Makes room for a critical path below the ruler where enough rows stay. */
void timeline_layout_path(struct timeline_layout *layout);
/* Leaves to the rows these lines, below the first of them. */
void timeline_layout_pane(struct timeline_layout *layout, int y, int lines);
/*
 * Keeps the first so many rows on top, or as many of them as leave half of the lines to the others.
 * To be called last.
 */
void timeline_layout_pins(struct timeline_layout *layout, size_t pin_count);

/* The row on a line, which may be beyond the last one. `first_row` is the topmost that scrolls. */
size_t timeline_row_at(const struct timeline_layout *layout, size_t first_row, int line);
/* The line of a row, -1 where it is not on the screen. */
int timeline_line_of(const struct timeline_layout *layout, size_t first_row, size_t row);

#endif
