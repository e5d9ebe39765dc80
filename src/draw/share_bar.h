/* A bar from the left whose length is a share, in eighths of a cell. */
#ifndef TTRACE_DRAW_SHARE_BAR_H
#define TTRACE_DRAW_SHARE_BAR_H

#include "draw/canvas.h"

/* Into `cells` cells from (x, y) on; the share is cut at 1, and one above 0 is always to be seen. */
void share_bar_draw(struct canvas *canvas, int x, int y, int cells, uint8_t style, double share);

#endif
