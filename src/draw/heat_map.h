/* A map of counts over time and length: the more, the warmer. */
#ifndef TTRACE_DRAW_HEAT_MAP_H
#define TTRACE_DRAW_HEAT_MAP_H

#include <stdint.h>

#include "analysis/heat.h"
#include "draw/canvas.h"

/* How many steps of warmth there are; a count has one from 1 to this, 0 has 0. */
enum { HEAT_STEPS = STYLE_HEAT_LAST - STYLE_HEAT_FIRST + 1 };

/* Equal ratios of counts are equal steps; `most` has the last one. */
int heat_map_step(uint32_t count, uint32_t most);

/* Rows of a map that one row of the canvas holds: two with colours and blocks, else one. */
int heat_map_rows_per_line(const struct canvas *canvas);

/* Where the cursor is, in columns and rows of the map; column -1: nowhere. */
struct heat_cursor {
	int column, row;
};

/*
 * Draws the map with its lower left cell at (x, y + height - 1), a column to a cell. Its rows
 * must fit: see above. O(cells).
 */
void heat_map_draw(struct canvas *canvas, int x, int y, int height, const struct heat *heat,
	struct heat_cursor cursor);

/* "1 ▇▇▇▇▇▇▇ 1,234": the steps between the counts of the first and the last. Returns the cells used. */
int heat_map_legend(struct canvas *canvas, int x, int y, int cells, const struct heat *heat);

/*
 * Beside such a map, labels that end beside a line at x + width - 1: each power of ten stands where
 * the row that holds it is.
 */
void heat_map_draw_axis(struct canvas *canvas, int x, int y, int width, int height,
	const struct heat_scale *scale);

#endif
