/*
 * What charts over time do with the session's cursor and interval, which the timeline has as well.
 * Only for view/.
 */
#ifndef TTRACE_VIEW_CHART_TIME_H
#define TTRACE_VIEW_CHART_TIME_H

#include "view/view.h"

/*
 * Moving the cursor by columns of a chart that is so many cells wide, panning and zooming; others
 * are VIEW_NOTHING.
 */
struct view_answer chart_time_command(
	struct session *session, int cells, enum command command, long count);
/*
 * A press or drag moves the cursor there, the wheel zooms; beside the columns from x on
 * VIEW_NOTHING.
 */
struct view_answer chart_time_mouse(
	struct session *session, int x, int cells, const struct screen_mouse *mouse);

/* The ruler over cells [x, x + cells) with marks, bookmarks and damage, as the timeline has it. */
void chart_time_draw_ruler(
	const struct session *session, struct canvas *canvas, int x, int y, int cells);
/* The cursor's column and the marked interval, on the ground that what was drawn left. */
void chart_time_draw_cursor(const struct session *session, struct canvas *canvas, int x, int y,
	int cells, int height);

#endif
