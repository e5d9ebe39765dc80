/*
 * How a cell of a lane looks: glyph and style for colour, monochrome and ASCII. Class
 * is never told by colour alone: where there is none each class has its own glyphs.
 */
#ifndef TTRACE_DRAW_STRIP_GLYPH_H
#define TTRACE_DRAW_STRIP_GLYPH_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "draw/strip.h"

struct words; /* trace/words.h */

/* The style of a look, STYLE_DEFAULT for CLASS_GONE. */
uint8_t strip_style(uint8_t look);
/* The trace's word for a class, and words for the other looks. */
const char *strip_look_name(const struct words *words, uint8_t look);

/*
 * Puts a cell on the canvas, which says by .ascii and .monochrome which glyphs to
 * take. A cell of STRIP_NONE is left as it is, unless it has marks. A mark stands in
 * the cell in place of the bar's height or the line, on the ground of its class; with
 * colours, that of a log or a stop colours the ground above a low bar instead, that of a
 * match the ground of a line or of any bar that is not full. Without colours a match has
 * one glyph where at least half of the cell is solid and another where less is.
 */
void strip_put(struct canvas *canvas, int x, int y, const struct strip_cell *cell);

/*
 * The same for a bar of some other meaning: level sevenths of a style, on a ground
 * (STYLE_DEFAULT for none). Level 0 shows the ground alone. `low` and `high` are its
 * glyphs in ASCII.
 */
struct bar_look {
	uint8_t style, ground;
	char low, high;
};
void strip_put_bar(struct canvas *canvas, int x, int y, const struct bar_look *look, int level);

/* The glyph that stands for a look in a legend: a full bar, or its line. */
const char *strip_legend_glyph(const struct canvas *canvas, uint8_t look);
/* The glyph of a mark. */
const char *strip_mark_glyph(const struct canvas *canvas, uint8_t marks);

#endif
