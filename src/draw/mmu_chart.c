/* The curve of the minimum mutator utilisation. */
#include "draw/mmu_chart.h"

#include "draw/area.h"
#include "draw/axis.h"
#include "draw/curve.h"

enum { MOST_DOTS = 2048 }; /* columns of them; a chart is no wider */

static const struct area_layer least_layer = {
	.style = STYLE_RUNNING, .is_block = true, .low = '=', .high = '#'
};

/* From the highest, which the lower ones are to be seen before. */
static const uint8_t part_styles[MUTATOR_POINT_PARTS] = { STYLE_TEXT_BRIGHT, STYLE_DEFAULT,
	STYLE_TEXT_DIM };

static struct axis
share_axis(void)
{
	return (struct axis){ .unit = AXIS_SHARE, .most = 1 };
}

static int
left_cells(int height, bool ascii)
{
	struct axis axis = share_axis();
	return axis_width(&axis, height, ascii);
}

/* Cells of the curve itself. */
static int
curve_cells(int cells, int height, bool ascii)
{
	int rest = cells - left_cells(height - 1, ascii);
	int most = MOST_DOTS / CURVE_DOTS_ACROSS;
	return rest > most ? most : rest;
}

/* The point next to the i-th of `places` equal steps along the curve. */
static int
point_of(const struct mmu_chart *chart, int place, int places)
{
	if (places < 2)
		return 0;
	return (place * (chart->count - 1) + (places - 1) / 2) / (places - 1);
}

static void
draw_parts(struct canvas *canvas, int x, int y, int cells, int height,
	const struct mmu_chart *chart)
{
	struct area area = { canvas, x, y, cells, height, NULL, 0 };
	double shares[MOST_DOTS];
	int dots = cells * CURVE_DOTS_ACROSS;
	for (int part = MUTATOR_POINT_PARTS - 1; part >= 0; part--) {
		for (int i = 0; i < dots; i++)
			shares[i] = chart->points[point_of(chart, i, dots)].shares[part];
		curve_draw(&area, shares, part_styles[part]);
	}
}

static void
draw_least(struct canvas *canvas, int x, int y, int cells, int height,
	const struct mmu_chart *chart)
{
	struct area area = { canvas, x, y, cells, height, &least_layer, 1 };
	for (int i = 0; i < cells; i++) {
		const struct mutator_point *point = &chart->points[point_of(chart, i, cells)];
		int top = area_level(&area, point->least);
		area_draw_column(&area, i, &top);
	}
}

/* Over all columns that have the selected point. */
static void
draw_cursor(struct canvas *canvas, int x, int y, int cells, int height,
	const struct mmu_chart *chart)
{
	for (int i = 0; i < cells; i++) {
		if (point_of(chart, i, cells) == chart->selected)
			area_draw_cursor(canvas, x + i, y, height);
	}
}

void
mmu_chart_draw(struct canvas *canvas, int x, int y, int cells, int height,
	const struct mmu_chart *chart)
{
	struct axis shares = share_axis();
	struct axis widths = { .unit = AXIS_DURATION,
		.is_log = true,
		.least = (double)chart->points[0].width_ns,
		.most = (double)chart->points[chart->count - 1].width_ns };
	int left = left_cells(height - 1, canvas->ascii);
	int rest = curve_cells(cells, height, canvas->ascii);
	if (rest < 2 || height < 2)
		return;
	axis_draw_left(canvas, x, y, left, height - 1, &shares);
	draw_least(canvas, x + left, y, rest, height - 1, chart);
	draw_parts(canvas, x + left, y, rest, height - 1, chart);
	draw_cursor(canvas, x + left, y, rest, height - 1, chart);
	if (widths.least < widths.most)
		axis_draw_below(canvas, x + left, y + height - 1, rest, &widths);
}

int
mmu_chart_point_at(int x, int cells, int height, const struct mmu_chart *chart, bool ascii,
	int column)
{
	int place = column - x - left_cells(height - 1, ascii);
	int rest = curve_cells(cells, height, ascii);
	return place < 0 || place >= rest ? -1 : point_of(chart, place, rest);
}
