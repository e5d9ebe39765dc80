/*
 * Where style names meet colours: for 24-bit terminals, for 256, 16 and 8
 * colours, and none. The class colours are from the colour-blind safe set of
 * Okabe and Ito; see doc/LOOK.md.
 */
#ifndef TTRACE_DRAW_PALETTE_H
#define TTRACE_DRAW_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

enum color_depth { COLORS_NONE, COLORS_8, COLORS_16, COLORS_256, COLORS_DIRECT };

#define COLOR_TERMINAL UINT32_MAX /* the terminal's own colour */

struct palette {
	const char *name; /* "dark", "light", "high-contrast", ... */
	bool is_light;      /* for a light ground */
	bool is_monochrome; /* greys: the canvas has to be monochrome as well */
	const struct palette_row *rows;
};

/* NULL when there is none of that name; that for a dark ground where there are two. */
const struct palette *palette_find(const char *name);
/* The same, but where there are two, that for the ground. */
const struct palette *palette_choose(const char *name, bool is_light);
/* The one after it for the same ground, and after the last one the first. */
const struct palette *palette_next(const struct palette *palette);
/* All of them, counted from 0; NULL behind the last. */
const struct palette *palette_at(size_t index);

/* 0xRRGGBB of a style, the same as text and as ground, or COLOR_TERMINAL. */
uint32_t palette_rgb(const struct palette *palette, uint8_t style);
/*
 * Index in the terminal's colours for a depth of COLORS_8 to COLORS_256, or
 * COLOR_TERMINAL.
 */
uint32_t palette_index(const struct palette *palette, uint8_t style, enum color_depth depth);
/* What stands for COLOR_TERMINAL where there is no terminal (SVG). */
uint32_t palette_terminal_rgb(const struct palette *palette, bool is_ground);

/*
 * How a cell looks at a depth: an index in the terminal's colours, at COLORS_DIRECT
 * 0xRRGGBB, or COLOR_TERMINAL; and its attributes. Where colours are few, attributes
 * that the cell does not have itself stand in for them (reverse for bars and the
 * cursor's cell, bold for its row), and a text that would have the colour of its
 * ground gets another.
 */
struct palette_look {
	uint32_t fg, bg;
	uint8_t attributes; /* enum cell_attribute, or'ed */
};

struct palette_look palette_look(const struct palette *palette, const struct cell *cell,
                                 enum color_depth depth);

#endif
