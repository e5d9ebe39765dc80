/* Ends of rows that stand on a screen already, but further left or right. */
#ifndef TTRACE_TERM_SHIFT_H
#define TTRACE_TERM_SHIFT_H

#include <stdbool.h>

#include "draw/canvas.h"

struct shift {
	int first; /* the cell from which on all of the row moves */
	int left;  /* by so many cells; negative is to the right */
};

/*
 * By how many cells to the left most of a picture of the same size moved that is not where it was,
 * as a few of its rows have it; negative: to the right, 0: nothing moved.
 */
int shift_distance(const struct canvas *before, const struct canvas *after, int height);
/* Whether moving the end of a row by a distance, not 0, may save bytes, and from which cell on. */
bool shift_find(const struct cell *before, const struct cell *after, int width, int left,
                struct shift *shift);
/* What a row is once it was moved: the cells that come in are like no others. */
void shift_apply(const struct cell *row, int width, const struct shift *shift, struct cell *moved);

#endif
