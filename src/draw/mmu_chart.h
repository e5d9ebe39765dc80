/* The curve of the minimum mutator utilisation. */
#ifndef TTRACE_DRAW_MMU_CHART_H
#define TTRACE_DRAW_MMU_CHART_H

#include <stdbool.h>

#include "analysis/go/mutator.h"
#include "draw/canvas.h"

struct mmu_chart {
	const struct mutator_point *points; /* widths ascend in equal ratios; at least two */
	int count;
	int selected;                       /* one of the points, which has the cursor */
};

/*
 * Draws axes and curve into `cells` x `height` cells from (x, y) on: the least share as an area,
 * its quantiles as curves above. In each column is the point whose width is next to it.
 */
void mmu_chart_draw(struct canvas *canvas, int x, int y, int cells, int height,
	const struct mmu_chart *chart);
/* The point in a column of the canvas where the chart was drawn so; -1 beside it. */
int mmu_chart_point_at(int x, int cells, int height, const struct mmu_chart *chart, bool ascii,
	int column);

#endif
