/*
 * Brings a canvas to the terminal with few bytes: only cells that look different, colours that
 * change, and the shortest way between. The terminal's own palette is never changed.
 */
#ifndef TTRACE_TERM_PAINT_H
#define TTRACE_TERM_PAINT_H

#include <stdbool.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/palette.h"
#include "term/pen.h"
#include "term/terminfo.h"

/* Zero-initialised, then paint_init(). */
struct paint {
	struct canvas shown;           /* what stands on the terminal */
	struct canvas row;             /* a row of it, as it is once its end has moved */
	const struct palette *palette; /* in these colours */
	enum color_depth depth;
	struct terminfo info;
	struct pen pen;
	int x, y;         /* of the terminal's cursor; x is negative where it is unknown */
	bool is_valid;    /* `shown` is what stands on the terminal */
	struct text bytes; /* of a frame */
};

/* Curses must be running. forced: so many colours, COLORS_NONE for as many as terminfo says. */
void paint_init(struct paint *paint, bool without_color, enum color_depth forced);
void paint_release(struct paint *paint);

/* What stands on the terminal is unknown: the next paint_canvas() clears it and writes all. */
void paint_invalidate(struct paint *paint);
/* Leaves no colour or attribute set, for curses and those after us. */
void paint_lay_down(struct paint *paint);

/*
 * Shows the canvas; what lies outside the terminal is cut. Fails for want of memory only: a
 * terminal that is gone is found by those who read from it.
 */
bool paint_canvas(struct paint *paint, const struct canvas *canvas,
                  const struct palette *palette, struct error *err);

#endif
