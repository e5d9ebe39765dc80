/* Axes of charts: where a value stands, and the values told beside or below. */
#ifndef TTRACE_DRAW_AXIS_H
#define TTRACE_DRAW_AXIS_H

#include <stdbool.h>

#include "draw/canvas.h"

enum axis_unit { AXIS_COUNT, AXIS_SHARE, AXIS_DURATION, AXIS_BYTES };

struct axis {
	enum axis_unit unit; /* durations in nanoseconds */
	bool is_log;         /* equal ratios take equal room; then least > 0 */
	double least, most;  /* at its ends, least < most */
};

/* From 0 to a round value that is at least `most`, of which the ticks are round as well. */
struct axis axis_from_zero(enum axis_unit unit, double most);

/* Where a value stands: 0 at the least one, 1 at the greatest, within these beyond. */
double axis_place(const struct axis *axis, double value);

/* Cells that axis_draw_left() takes: the widest label, a blank and the line. */
int axis_width(const struct axis *axis, int height, bool ascii);
/*
 * Labels that end beside a line at x + width - 1, over rows [y, y + height) and the one below,
 * where the line ends: a value stands at the upper edge of its label's row.
 */
void axis_draw_left(struct canvas *canvas, int x, int y, int width, int height, const struct axis *axis);
/* Ticks and labels of an axis from left to right over cells [x, x + cells) of a row. */
void axis_draw_below(struct canvas *canvas, int x, int y, int cells, const struct axis *axis);

#endif
