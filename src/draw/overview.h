/* The whole trace in a few cells, with the part that is on screen. */
#ifndef TTRACE_DRAW_OVERVIEW_H
#define TTRACE_DRAW_OVERVIEW_H

#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/trace.h"

enum { OVERVIEW_MOST_CELLS = 64 };

/* How many actors run, by cell. Zero-initialised is of no trace. */
struct overview {
	const struct trace *trace;
	uint32_t number;
	int cells;
	uint8_t levels[OVERVIEW_MOST_CELLS];
};

/*
 * In so many cells (at most OVERVIEW_MOST_CELLS), unless it is so already; traces that are there
 * one after the other have different numbers.
 */
void overview_fill(struct overview *overview, const struct trace *trace, uint32_t number, int cells);
/*
 * Draws it from (x, y) on: the part in the viewport in colour, and between brackets where no
 * colours show.
 */
void overview_draw(struct canvas *canvas, int x, int y, const struct overview *overview,
	struct viewport viewport);

#endif
