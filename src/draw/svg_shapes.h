/*
 * The shapes of block elements, box lines, braille and a few signs, so that a
 * picture of a canvas does not depend on a font. Private to the SVG output.
 */
#ifndef TTRACE_DRAW_SVG_SHAPES_H
#define TTRACE_DRAW_SVG_SHAPES_H

#include <stdint.h>

/* A cell in pixels: multiples of eight, so that eighth blocks have sharp edges. */
enum { SVG_CELL_WIDTH = 8, SVG_CELL_HEIGHT = 16, SVG_MAX_RECTS = 8, SVG_POINTS = 4 };

enum svg_shape_kind {
	SVG_TEXT,     /* no shape of ours: a font draws it */
	SVG_RECTS,    /* filled rectangles */
	SVG_SHADE,    /* the whole cell, in a mixture of text colour and ground */
	SVG_LINE,     /* a line that repeats within the cell by a dash pattern */
	SVG_POLYGON,  /* points, filled */
};

enum svg_dash { SVG_DASH_2, SVG_DASH_3, SVG_DASH_4, SVG_DOT, SVG_DASHES };

struct svg_rect {
	int x, y, width, height; /* in pixels from the cell's corner */
};

struct svg_shape {
	enum svg_shape_kind kind;
	int count;                             /* of rects or points */
	struct svg_rect rects[SVG_MAX_RECTS];
	struct { int8_t x, y; } points[SVG_POINTS];
	int shade_percent;                     /* of the text colour */
	enum svg_dash dash;
};

/* The shape of a character; of combined ones there is none. Cannot fail. */
struct svg_shape svg_shape_of(uint32_t code_point);

#endif
