/* Axes. */
#include "draw/axis.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "base/units.h"

enum {
	MOST_TICKS = 64,
	ROWS_APART = 2,      /* at the least, and ... */
	LABELS_BESIDE = 6,   /* ... so far that there are not many more than these */
	CELLS_APART = 12,    /* room for a label of ten cells ... */
	POWERS_APART = 9,    /* ... or of "100 ms" */
	STEPS_FROM_ZERO = 4,
	LEAST_WIDTH = 6
};

struct ticks {
	double values[MOST_TICKS];
	int count;
};

/* ---- round values */

static double
binary_step(double least)
{
	double step = 1;
	while (step < least)
		step *= 2;
	return step;
}

/* The least of 1, 2 or 5 times a power of ten; of shares 2.5 is round as well. */
static double
decimal_step(double least, enum axis_unit unit)
{
	static const double factors[] = { 1, 2, 2.5, 5 };
	double power = unit == AXIS_SHARE ? 1e-6 : 1;
	for (;; power *= 10) {
		for (size_t i = 0; i < ARRAY_LENGTH(factors); i++) {
			bool is_round = factors[i] != 2.5 || unit == AXIS_SHARE;
			/* What is a little less for want of precision will do. */
			if (is_round && factors[i] * power >= least * (1 - 1e-9))
				return factors[i] * power;
		}
	}
}

static double
round_step(double least, enum axis_unit unit)
{
	return unit == AXIS_BYTES ? binary_step(least) : decimal_step(least, unit);
}

struct axis
axis_from_zero(enum axis_unit unit, double most)
{
	double step = round_step(most / STEPS_FROM_ZERO, unit);
	double steps = ceil(most / step);
	return (struct axis){ .unit = unit, .most = (steps < 1 ? 1 : steps) * step };
}

double
axis_place(const struct axis *axis, double value)
{
	if (value <= axis->least)
		return 0;
	if (value >= axis->most)
		return 1;
	if (axis->is_log)
		return log(value / axis->least) / log(axis->most / axis->least);
	return (value - axis->least) / (axis->most - axis->least);
}

static void
write_value(char out[UNITS_TEXT], const struct axis *axis, double value, bool ascii)
{
	const int64_t hundredths_of_percent = 10000;
	switch (axis->unit) {
	case AXIS_COUNT:
		units_count(out, (uint64_t)(value + 0.5));
		return;
	case AXIS_SHARE:
		units_share(out, (int64_t)(value * (double)hundredths_of_percent + 0.5),
			hundredths_of_percent);
		return;
	case AXIS_DURATION:
		units_duration(out, (int64_t)(value + 0.5), ascii);
		return;
	case AXIS_BYTES:
		units_bytes(out, (uint64_t)(value + 0.5));
		return;
	}
}

/* ---- ticks */

static void
add_tick(struct ticks *ticks, double value)
{
	if (ticks->count < MOST_TICKS)
		ticks->values[ticks->count++] = value;
}

static void
find_linear(const struct axis *axis, double apart, struct ticks *ticks)
{
	double step = round_step((axis->most - axis->least) * apart, axis->unit);
	for (double i = ceil(axis->least / step); i * step <= axis->most; i++)
		add_tick(ticks, i * step);
}

/* Every power of ten, with its double and fivefold, or not, or every thousandfold. */
static void
find_log(const struct axis *axis, double apart, struct ticks *ticks)
{
	double decade = log(10) / log(axis->most / axis->least);
	double ratio = decade >= apart ? 10 : 1000;
	bool has_between = decade * log10(2) >= apart;
	for (double power = 1; power <= axis->most; power *= ratio) {
		if (power >= axis->least)
			add_tick(ticks, power);
		if (has_between && 2 * power >= axis->least && 2 * power <= axis->most)
			add_tick(ticks, 2 * power);
		if (has_between && 5 * power >= axis->least && 5 * power <= axis->most)
			add_tick(ticks, 5 * power);
	}
}

/* Ticks of which two are at least a part of the axis from each other. */
static struct ticks
find_ticks(const struct axis *axis, double apart)
{
	struct ticks ticks = { .count = 0 };
	if (axis->is_log)
		find_log(axis, apart, &ticks);
	else
		find_linear(axis, apart, &ticks);
	return ticks;
}

/* The cell of `cells` that holds a place. */
static int
cell_of(double place, int cells)
{
	int cell = (int)(place * cells);
	return cell < cells ? cell : cells - 1;
}

/* ---- beside a chart */

static struct ticks
find_ticks_beside(const struct axis *axis, int height)
{
	if (height < 1)
		return (struct ticks){ .count = 0 };
	int apart = height / LABELS_BESIDE > ROWS_APART ? height / LABELS_BESIDE : ROWS_APART;
	return find_ticks(axis, (double)apart / height);
}

int
axis_width(const struct axis *axis, int height, bool ascii)
{
	struct ticks ticks = find_ticks_beside(axis, height);
	int width = LEAST_WIDTH;
	for (int i = 0; i < ticks.count; i++) {
		char label[UNITS_TEXT];
		write_value(label, axis, ticks.values[i], ascii);
		int cells = (int)text_width(label, strlen(label)) + 2;
		width = cells > width ? cells : width;
	}
	return width;
}

void
axis_draw_left(struct canvas *canvas, int x, int y, int width, int height, const struct axis *axis)
{
	const struct cell_style rule = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	struct ticks ticks = find_ticks_beside(axis, height);
	for (int row = 0; row < height; row++)
		canvas_put(canvas, x + width - 1, y + row, rule, canvas->ascii ? "|" : "│");
	canvas_put(canvas, x + width - 1, y + height, rule, canvas->ascii ? "+" : "┘");
	for (int i = 0; i < ticks.count; i++) {
		char label[UNITS_TEXT];
		int above = (int)(axis_place(axis, ticks.values[i]) * height + 0.5);
		int row = y + height - above;
		write_value(label, axis, ticks.values[i], canvas->ascii);
		int cells = (int)text_width(label, strlen(label));
		canvas_string(canvas, x + width - 2 - cells, row, cells, text, label);
		if (above > 0)
			canvas_put(canvas, x + width - 1, row, rule, canvas->ascii ? "+" : "┤");
	}
}

/* ---- below a chart */

void
axis_draw_below(struct canvas *canvas, int x, int y, int cells, const struct axis *axis)
{
	const struct cell_style rule = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	int apart = axis->is_log ? POWERS_APART : CELLS_APART;
	struct ticks ticks = find_ticks(axis, (double)apart / cells);
	for (int i = 0; i < ticks.count; i++) {
		char label[UNITS_TEXT];
		int cell = cell_of(axis_place(axis, ticks.values[i]), cells);
		write_value(label, axis, ticks.values[i], canvas->ascii);
		canvas_put(canvas, x + cell, y, rule, canvas->ascii ? "|" : "╵");
		if ((int)text_width(label, strlen(label)) < cells - cell)
			canvas_string(canvas, x + cell + 1, y, cells - cell - 1, text, label);
	}
}
