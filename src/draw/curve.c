/* Curves. */
#include "draw/curve.h"

#include <string.h>

#include "base/text.h"

enum { FIRST_BRAILLE = 0x2800, BRAILLE_COUNT = 256 };

/* The dots of a cell that has some; 0 for an empty one; -1 for one that has something else. */
static int
dots_of(const struct cell *cell)
{
	if (cell->text[0] == '\0')
		return 0;
	struct text_char now = text_decode(cell->text, strlen(cell->text));
	bool is_braille = now.is_valid && now.code_point >= FIRST_BRAILLE &&
			  now.code_point < FIRST_BRAILLE + BRAILLE_COUNT;
	return is_braille ? (int)(now.code_point - FIRST_BRAILLE) : -1;
}

/* Dots count from the top left; Unicode has the last row behind the other three. */
static void
put_dot(const struct area *area, int column, int row, uint8_t style)
{
	static const uint8_t bits[CURVE_DOTS_DOWN][CURVE_DOTS_ACROSS] = { { 0x01, 0x08 },
		{ 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };
	const struct cell_style look = { .fg = style };
	struct canvas *canvas = area->canvas;
	int at_x = area->x + column / CURVE_DOTS_ACROSS, at_y = area->y + row / CURVE_DOTS_DOWN;
	const struct cell *cell = canvas_at(canvas, at_x, at_y);
	char glyph[5] = "";
	if (cell == NULL)
		return;
	if (canvas->ascii) {
		if (cell->text[0] == '\0')
			canvas_put(canvas, at_x, at_y, look, ".");
		return;
	}
	int dots = dots_of(cell);
	if (dots < 0)
		return;
	dots |= bits[row % CURVE_DOTS_DOWN][column % CURVE_DOTS_ACROSS];
	text_encode((uint32_t)(FIRST_BRAILLE + dots), glyph);
	canvas_put(canvas, at_x, at_y, look, glyph);
}

static int
row_of(double share, int rows)
{
	double part = share < 0 ? 0 : share > 1 ? 1 : share;
	int row = (int)((1 - part) * rows);
	return row < rows ? row : rows - 1;
}

void
curve_draw(const struct area *area, const double *shares, uint8_t style)
{
	int rows = area->height * CURVE_DOTS_DOWN;
	int before = row_of(shares[0], rows);
	for (int i = 0; i < area->width * CURVE_DOTS_ACROSS; i++) {
		int row = row_of(shares[i], rows);
		/* From beside the dot before, which is there. */
		int first = row > before ? before + 1 : row;
		int last = row < before ? before - 1 : row;
		for (int at = first; at <= last; at++)
			put_dot(area, i, at, style);
		before = row;
	}
}
