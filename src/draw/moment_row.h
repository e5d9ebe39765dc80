/*
 * Rows of things that are short and rare: wakes, stops of the world, collections, samples.
 * Where one stands alone in a cell it is a tick; where many share one, a count.
 */
#ifndef TTRACE_DRAW_MOMENT_ROW_H
#define TTRACE_DRAW_MOMENT_ROW_H

#include <stdint.h>

#include "analysis/samples.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"

/* Wakes: a tick for one in a cell, a digit for up to nine, else a plus. */
void moment_row_draw_wakes(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport, enum wake_row row);

/* The same of one cell; the count is more than 0. */
void moment_row_put_wakes(struct canvas *canvas, int x, int y, enum wake_row row, uint32_t count);
uint8_t moment_row_style(enum wake_row row);

/* How many CPU samples: counts as of wakes, or where one is beyond them bars by the greatest. */
void moment_row_draw_samples(struct canvas *canvas, struct cell_run run,
	const struct samples *samples, struct viewport viewport);

/*
 * A lane of ranges (LANE_GC, LANE_STW), from its strip at (x, y): bars and edges as on other
 * lanes with names where they fit; ticks and counts where a cell holds ranges that
 * take less than half of it, unless it has a mark.
 */
void moment_row_draw_ranges(struct canvas *canvas, int x, int y, const struct strip *strip,
	const struct strip_source *source, struct text *scratch);

#endif
