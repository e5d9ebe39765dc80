/* Rows that stand on a screen already, but higher or lower. */
#ifndef TTRACE_TERM_SCROLL_H
#define TTRACE_TERM_SCROLL_H

#include <stdbool.h>

#include "draw/canvas.h"

struct scroll {
	int top, bottom; /* rows of the region that moves, both included */
	int up;          /* by so many rows; negative is down; fewer than the region has */
};

/*
 * The scrolling of `height` rows after which the next picture, of the same size, seems to take the
 * fewest bytes; false where none is worth a try. A row that moves need not come to stand right in
 * every cell. O(height² * width) at worst, but rows that differ mostly do so in their first cells.
 */
bool scroll_find(const struct canvas *before, const struct canvas *after, int height,
                 struct scroll *scroll);
/* What the picture is once it was scrolled: the rows that come in are blank. */
void scroll_apply(struct canvas *canvas, const struct scroll *scroll);

#endif
