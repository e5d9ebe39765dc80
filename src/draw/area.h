/*
 * Charts of areas that lie on each other, a column of cells at a time: what was counted, from
 * the bottom up. An eighth of a cell is the smallest step of height.
 */
#ifndef TTRACE_DRAW_AREA_H
#define TTRACE_DRAW_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

enum { AREA_EIGHTHS = 8, AREA_MOST_LAYERS = 5 };

struct area_layer {
	uint8_t style;
	bool is_block;  /* without colours blocks as high as with them, else the two glyphs */
	char low, high; /* in ASCII, and there: less than half of the cell is covered, or more */
};

/* A chart's place: (x, y) is its upper left cell. */
struct area {
	struct canvas *canvas;
	int x, y, width, height;
	const struct area_layer *layers; /* from below */
	int layer_count;
};

/* A part of the height in eighths of a cell, to the nearest, but at least 1 where there is any. */
int area_level(const struct area *area, double share);

/*
 * Draws a column of the chart, counted from 0. tops has for each layer the level at which it
 * ends, ascending. A cell shows the lowest layer in it below that which takes most of its rest;
 * without colours the layer that takes most of what is covered.
 */
void area_draw_column(const struct area *area, int column, const int *tops);

/* A line at a level (1 or more) of a column, where its cell is still empty. */
void area_draw_line(const struct area *area, int column, int level, uint8_t style);

/* The cursor in a column of the canvas: as a ground, and as a shade of what is solid. */
void area_draw_cursor(struct canvas *canvas, int x, int y, int height);

/* The glyph of a layer in a legend. */
const char *area_legend_glyph(const struct canvas *canvas, const struct area_layer *layer, char out[2]);

#endif
