/* A mark is a bold character in the first cell. */
#include "draw/line_mark.h"

void
line_mark_selected(struct canvas *canvas, int y)
{
	canvas_put(canvas, 0, y, (struct cell_style){ STYLE_KEY, STYLE_DEFAULT, CELL_BOLD }, ">");
	canvas_ground(canvas, 0, y, canvas->width, STYLE_CURSOR_ROW);
}

void
line_mark_match(struct canvas *canvas, int y)
{
	canvas_put(canvas, 0, y, (struct cell_style){ STYLE_MATCH, STYLE_DEFAULT, CELL_BOLD }, "*");
}
