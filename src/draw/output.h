/* Backends that print a canvas: plain text, ANSI colours, SVG. */
#ifndef TTRACE_DRAW_OUTPUT_H
#define TTRACE_DRAW_OUTPUT_H

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/palette.h"

/* One line per row, trailing blanks cut. */
void output_text(const struct canvas *canvas, struct text *out);
/* The same with SGR sequences, each line ending in the default colours. */
void output_ansi(const struct canvas *canvas, const struct palette *palette,
                 enum color_depth depth, struct text *out);
/* One self-contained SVG; blocks and lines are drawn as shapes, the rest as text. */
void output_svg(const struct canvas *canvas, const struct palette *palette, struct text *out);

#endif
