/* The rows of palettes. Only for draw/palette*.c. */
#ifndef TTRACE_DRAW_PALETTE_ROWS_H
#define TTRACE_DRAW_PALETTE_ROWS_H

#include <stdint.h>

#include "draw/canvas.h"

/* The terminal's own colour; the same as COLOR_TERMINAL. */
#define PALETTE_NONE UINT32_MAX

struct palette_row {
	uint32_t rgb, faint_rgb; /* 0xRRGGBB or PALETTE_NONE */
	uint32_t of_256, faint_256;
	uint32_t of_16, of_8; /* the faint ground of few colours is the terminal's own */
};

extern const struct palette_row palette_high_contrast_dark[STYLE_COUNT],
	palette_high_contrast_light[STYLE_COUNT], palette_color_blind_dark[STYLE_COUNT],
	palette_color_blind_light[STYLE_COUNT], palette_grey_dark[STYLE_COUNT],
	palette_grey_light[STYLE_COUNT];

#endif
