/*
 * The stack lanes of an actor: its stack over time as a flame chart, a row for each depth.
 * The outermost frame is on top, right beneath the actor's own lane: what stays is there,
 * on a row that is the same at any time, and what changes hangs down from it.
 *
 * A box is a run of cells that have the same functions from the outermost frame down to its
 * row. Its ground is solid where a stack is known for half of the cell or more, faint where it
 * is for less, with a low bar; a line is a frame that stands between two stacks that have it. See
 * analysis/stack_chart.h.
 */
#ifndef TTRACE_DRAW_STACK_ROWS_H
#define TTRACE_DRAW_STACK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/stack_chart.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/viewport.h"

/* The cells of all rows. Buffers are kept from frame to frame; zero-initialised is empty. */
struct stack_strip {
	const struct trace *trace; /* of the chart that it was filled from */
	int width;
	uint32_t depth;
	struct stack_cell *cells; /* width of them */
	string_id *functions;     /* depth of them for each cell, outermost first; of those it has */
	uint32_t *shared;         /* outermost frames that a cell has in common with the one before */
	size_t cell_capacity, function_capacity, shared_capacity;
};

/* Makes room for the rows of a chart, so that filling cannot fail. */
bool stack_strip_reserve(
	struct stack_strip *strip, int width, const struct stack_chart *chart, struct error *err);
void stack_strip_release(struct stack_strip *strip);

/* O(width * (log n + depth)). */
void stack_strip_fill(struct stack_strip *strip, const struct stack_chart *chart,
	const struct samples *samples, struct viewport viewport);

/* The colour of a function, the same in each trace: one of STYLE_FRAME_FIRST to STYLE_FRAME_LAST. */
uint8_t stack_row_style(const struct trace *trace, string_id function);

/* Draws the row of a depth, 0 the outermost, below strip->depth. O(width). */
void stack_row_draw(struct canvas *canvas, int x, int y, const struct stack_strip *strip,
	uint32_t depth, struct text *scratch);

#endif
