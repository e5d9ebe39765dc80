/* Marks at the left edge of the lines of a page. */
#ifndef TTRACE_DRAW_LINE_MARK_H
#define TTRACE_DRAW_LINE_MARK_H

#include "draw/canvas.h"

/* The line that is selected: a mark, and a ground from edge to edge. After its text was drawn. */
void line_mark_selected(struct canvas *canvas, int y);
/* A line that the search matches. */
void line_mark_match(struct canvas *canvas, int y);

#endif
