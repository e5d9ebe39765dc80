/* The whole trace in a few cells, with the part that is on screen. */
#ifndef TTRACE_DRAW_OVERVIEW_H
#define TTRACE_DRAW_OVERVIEW_H

#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/trace.h"

enum { OVERVIEW_MOST_CELLS = 64 };

/*
 * Over `cells` cells (at most OVERVIEW_MOST_CELLS) from (x, y) on: how many goroutines
 * run; the part in the viewport in colour, and between brackets where no colours show.
 */
void overview_draw(struct canvas *canvas, int x, int y, int cells, const struct trace *trace,
	struct viewport viewport);

#endif
