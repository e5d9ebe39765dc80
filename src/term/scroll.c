/*
 * Finding rows again: a distance by which some of them moved whole, and the region that saves most
 * when it moves so.
 */
#include "term/scroll.h"

#include <string.h>

#include "term/rewrite.h"

enum {
	FEWEST_ROWS = 3,   /* that moved whole, or a distance is not looked at */
	MOST_ROWS = 256,   /* that may move; below them stands what stood there */
	SCROLL_BYTES = 35, /* for the region, the colours and the places */
};

/* Two pictures, and what rows of the second cost. */
struct comparison {
	const struct canvas *before, *after;
	int height;
	int stands[MOST_ROWS];   /* bytes to write it over the row that stands there */
	int kept[MOST_ROWS + 1]; /* by how many that is less than over blanks, of all above in sum */
};

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

/* Rows of the next picture that moved up by so many, and do not stand right as it is. */
static int
count_moved(const struct canvas *before, const struct canvas *after, int height, int up)
{
	int first = up < 0 ? -up : 0, end = up < 0 ? height : height - up, count = 0;
	for (int y = first; y < end; y++)
		count += is_same(after, y, before, y + up) && !is_same(after, y, before, y);
	return count;
}

static void
compare(struct comparison *all)
{
	int width = all->after->width;
	for (int y = 0; y < all->height; y++) {
		const struct cell *row = row_of(all->after, y);
		all->stands[y] = rewrite_bytes(row_of(all->before, y), row, width);
		all->kept[y + 1] = all->kept[y] + rewrite_bytes(NULL, row, width) - all->stands[y];
	}
}

/*
 * The region that saves most when it moves by so many rows: a sum over the rows that come to stand
 * elsewhere, less what the rows lose in whose places they were. Returns the bytes saved.
 */
static int
weigh(const struct comparison *all, int up, struct scroll *scroll)
{
	int by = up < 0 ? -up : up, start = 0, sum = 0, most = 0;
	int first = up < 0 ? by : 0, end = up < 0 ? all->height : all->height - by;
	for (int y = first; y < end; y++) {
		int lost_above = up < 0 ? all->kept[y] - all->kept[y - by] : 0;
		int lost_below = up > 0 ? all->kept[y + 1 + by] - all->kept[y + 1] : 0;
		if (y == first || sum <= -lost_above) {
			sum = -lost_above;
			start = y;
		}
		sum += all->stands[y] - rewrite_bytes(row_of(all->before, y + up),
						row_of(all->after, y), all->after->width);
		int saved = sum - lost_below - SCROLL_BYTES - by;
		if (saved <= most)
			continue;
		most = saved;
		*scroll = (struct scroll){ up > 0 ? start : start - by, up > 0 ? y + by : y, up };
	}
	return most;
}

bool
scroll_find(const struct canvas *before, const struct canvas *after, int height,
            struct scroll *scroll)
{
	struct comparison all = {
		.before = before,
		.after = after,
		.height = height < MOST_ROWS ? height : MOST_ROWS,
	};
	bool is_compared = false;
	int most = 0;
	for (int up = 1 - all.height; up < all.height; up++) {
		struct scroll found;
		if (up == 0 || count_moved(before, after, all.height, up) < FEWEST_ROWS)
			continue;
		if (!is_compared)
			compare(&all);
		is_compared = true;
		int saved = weigh(&all, up, &found);
		if (saved > most)
			*scroll = found;
		most = saved > most ? saved : most;
	}
	return most > 0;
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
