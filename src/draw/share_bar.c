/* Blocks for whole cells, and one for the rest. */
#include "draw/share_bar.h"

#include <math.h>

enum { EIGHTHS = 8 };

void
share_bar_draw(struct canvas *canvas, int x, int y, int cells, uint8_t style, double share)
{
	static const char *const blocks[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	const struct cell_style bar = { .fg = style };
	double part = share > 1 ? 1 : share;
	int length = part > 0 ? (int)lround(part * cells * EIGHTHS) : 0;
	if (length < 1 && part > 0)
		length = 1;
	for (int i = 0; i < length / EIGHTHS; i++)
		canvas_put(canvas, x + i, y, bar, canvas->ascii ? "#" : "█");
	int rest = length % EIGHTHS, end = x + length / EIGHTHS;
	if (rest > 0 && !canvas->ascii)
		canvas_put(canvas, end, y, bar, blocks[rest]);
	else if (rest > 0)
		canvas_put(canvas, end, y, bar, rest >= EIGHTHS / 2 ? "#" : ":");
}
