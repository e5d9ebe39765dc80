/*
 * Finding cells again: all that is drawn over time moves by one distance when the time does, so a
 * few rows tell it for all.
 */
#include "term/shift.h"

#include <stddef.h>
#include <string.h>

#include "term/rewrite.h"

enum {
	SAMPLED_ROWS = 4,
	FEWEST_CELLS = 12, /* that differ, or moved, or it is not worth it */
	SHIFT_BYTES = 12,  /* for the place and the sequence itself */
};

static const struct cell *
row_of(const struct canvas *canvas, int y)
{
	return canvas->cells + (size_t)y * (size_t)canvas->width;
}

/* ---- by how many cells */

static int
count_changed(const struct cell *before, const struct cell *after, int width)
{
	int count = 0;
	for (int x = 0; x < width; x++)
		count += !rewrite_is_same(&before[x], &after[x]);
	return count;
}

/* Cells of a row that stand right only once it has moved. */
static int
count_moved(const struct cell *before, const struct cell *after, int width, int left)
{
	int first = left < 0 ? -left : 0, end = left < 0 ? width : width - left, count = 0;
	for (int x = first; x < end; x++)
		count += rewrite_is_same(&before[x + left], &after[x]) &&
		         !rewrite_is_same(&before[x], &after[x]);
	return count;
}

int
shift_distance(const struct canvas *before, const struct canvas *after, int height)
{
	int rows[SAMPLED_ROWS], row_count = 0, width = after->width;
	for (int y = 0; y < height && row_count < SAMPLED_ROWS; y++) {
		if (count_changed(row_of(before, y), row_of(after, y), width) >= FEWEST_CELLS)
			rows[row_count++] = y;
	}
	int most = FEWEST_CELLS - 1, distance = 0;
	for (int left = 1 - width; row_count > 0 && left < width; left++) {
		int count = 0;
		for (int i = 0; left != 0 && i < row_count; i++)
			count += count_moved(row_of(before, rows[i]), row_of(after, rows[i]), width, left);
		if (count > most) {
			most = count;
			distance = left;
		}
	}
	return distance;
}

/* ---- a row */

/* Terminals do not agree on what is left of a wide character that is cut. */
static bool
has_wide(const struct cell *row, int width)
{
	for (int x = 0; x < width; x++) {
		if (row[x].is_continued)
			return true;
	}
	return false;
}

/* The cell from which on most stand right after they moved, and fewest did before. */
static int
first_moved(const struct cell *before, const struct cell *after, int width, int left)
{
	int begin = left < 0 ? -left : 0, end = left < 0 ? width : width - left;
	int first = end, most = 0, balance = 0;
	for (int x = end - 1; x >= begin; x--) {
		balance += rewrite_is_same(&before[x + left], &after[x]);
		balance -= rewrite_is_same(&before[x], &after[x]);
		if (balance > most) {
			most = balance;
			first = x;
		}
	}
	return left < 0 ? first + left : first;
}

bool
shift_find(const struct cell *before, const struct cell *after, int width, int left,
           struct shift *shift)
{
	int by = left < 0 ? -left : left;
	int stands = rewrite_bytes(before, after, width);
	if (stands <= SHIFT_BYTES || has_wide(before, width) || has_wide(after, width))
		return false;
	int first = first_moved(before, after, width, left), moved = width - first - by;
	const struct cell *from = before + first + (left > 0 ? by : 0);
	const struct cell *to = after + first + (left > 0 ? 0 : by);
	const struct cell *new = after + (left > 0 ? width - by : first);
	*shift = (struct shift){ first, left };
	return moved > 0 && rewrite_bytes(before, after, first) + rewrite_bytes(from, to, moved) +
	                                    rewrite_bytes(NULL, new, by) + SHIFT_BYTES <
	                            stands;
}

void
shift_apply(const struct cell *row, int width, const struct shift *shift, struct cell *moved)
{
	static const struct cell unlike = { .text = "\1" };
	int from = shift->first + (shift->left > 0 ? shift->left : 0);
	int to = shift->first - (shift->left < 0 ? shift->left : 0);
	memcpy(moved, row, (size_t)shift->first * sizeof *row);
	for (int x = shift->first; x < width; x++) {
		int source = x - to + from;
		moved[x] = x >= to && source < width ? row[source] : unlike;
	}
}
