/* Flows drawn over the lanes: a mark at both ends, a line between where the rows are near. */
#ifndef TTRACE_DRAW_FLOW_MARKS_H
#define TTRACE_DRAW_FLOW_MARKS_H

#include "analysis/flows.h"
#include "draw/canvas.h"
#include "draw/timeline_scene.h"

/*
 * Draws the scene's flows on the rows that stand there. What a lane shows in a cell stays as its
 * ground; of very many in a cell the first ones stand for all. O(flows + cells x rows).
 */
void flow_marks_draw(struct canvas *canvas, const struct timeline_scene *scene,
	const struct timeline_layout *layout);

#endif
