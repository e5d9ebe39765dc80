/* Finding rows again: for each distance the longest block of rows that moved by it. */
#include "term/scroll.h"

#include <string.h>

enum { FEWEST_ROWS = 3 }; /* that come to stand right, or it is not worth it */

static const struct cell *
row_of(const struct canvas *canvas, int y)
{
	return canvas->cells + (size_t)y * (size_t)canvas->width;
}

static bool
is_same(const struct canvas *a, int y, const struct canvas *b, int of)
{
	return memcmp(row_of(a, y), row_of(b, of), (size_t)a->width * sizeof(struct cell)) == 0;
}

/* A row of the next picture that moved up by so many, and does not stand right as it is. */
static bool
has_moved(const struct canvas *before, const struct canvas *after, int y, int up)
{
	return is_same(after, y, before, y + up) && !is_same(after, y, before, y);
}

bool
scroll_find(const struct canvas *before, const struct canvas *after, int height,
            struct scroll *scroll)
{
	int most = FEWEST_ROWS - 1;
	for (int up = 1 - height; up < height; up++) {
		int first = up < 0 ? -up : 0, end = up < 0 ? height : height - up, count = 0;
		for (int y = first; up != 0 && y < end; y++) {
			count = has_moved(before, after, y, up) ? count + 1 : 0;
			if (count <= most)
				continue;
			most = count;
			scroll->up = up;
			scroll->top = y + 1 - count + (up < 0 ? up : 0);
			scroll->bottom = y + (up > 0 ? up : 0);
		}
	}
	return most >= FEWEST_ROWS;
}

void
scroll_apply(struct canvas *canvas, const struct scroll *scroll)
{
	size_t width = (size_t)canvas->width;
	int by = scroll->up < 0 ? -scroll->up : scroll->up;
	int kept = scroll->bottom - scroll->top + 1 - by;
	struct cell *top = canvas->cells + (size_t)scroll->top * width;
	struct cell *low = top + (size_t)by * width;
	struct cell *blank = scroll->up > 0 ? top + (size_t)kept * width : top;
	memmove(scroll->up > 0 ? top : low, scroll->up > 0 ? low : top,
	        (size_t)kept * width * sizeof *top);
	memset(blank, 0, (size_t)by * width * sizeof *top);
}
