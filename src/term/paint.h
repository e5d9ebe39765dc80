/* Copies a canvas to curses: colours, pairs and characters. */
#ifndef TTRACE_TERM_PAINT_H
#define TTRACE_TERM_PAINT_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "draw/palette.h"

/* Zero-initialised, then paint_init(). */
struct paint {
	struct canvas shown;           /* what curses was given last */
	const struct palette *palette; /* in these colours */
	enum color_depth depth;
	bool has_default_colors;       /* the terminal can go back to its own colours */
	/*
	 * Of the terminal's own two colours. Not 0 where pairs are plenty: to get to
	 * pair 0 curses resets everything, which takes twice the bytes.
	 */
	int plain_pair;
	bool is_valid;                 /* `shown` is what stands on the terminal */
};

/* Starts colours; curses must be running. */
void paint_init(struct paint *paint, bool without_color);
void paint_release(struct paint *paint);

/* What stands on the terminal is unknown: the next paint_canvas() writes all. */
void paint_invalidate(struct paint *paint);

/* Shows the canvas; what lies outside the terminal is cut. Fails for want of memory only. */
bool paint_canvas(struct paint *paint, const struct canvas *canvas,
                  const struct palette *palette, struct error *err);

#endif
