/* The picture of the timeline in numbers. */
#ifndef TTRACE_REPORT_LANE_ROWS_H
#define TTRACE_REPORT_LANE_ROWS_H

#include "draw/timeline_scene.h"
#include "report/grid.h"

/*
 * Puts a table with a row for each lane of the first `shown` rows and each of its `cells` cells in
 * which there is something, of what the picture shows there. Fails only for want of memory.
 */
bool lane_rows_put(const struct timeline_scene *scene, size_t shown, int cells, struct grid *grid,
	struct error *err);

#endif
