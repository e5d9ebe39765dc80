/* A critical path as a lane: who was on it, and in which state, from moment to moment. */
#ifndef TTRACE_DRAW_PATH_ROW_H
#define TTRACE_DRAW_PATH_ROW_H

#include "analysis/critical.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/viewport.h"

/* Where and what. */
struct path_row {
	int x, y, cells;
	const struct trace *trace;
	const struct critical_path *path;
	struct viewport viewport;
};

/*
 * Draws cells by the rule of lanes, and the actors' numbers where a part has room. O(cells +
 * parts on the screen).
 */
void path_row_draw(struct canvas *canvas, const struct path_row *row, struct text *scratch);

#endif
