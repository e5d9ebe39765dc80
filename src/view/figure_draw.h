/* Drawing a table of figures. Only for view/figure_*.c. */
#ifndef TTRACE_VIEW_FIGURE_DRAW_H
#define TTRACE_VIEW_FIGURE_DRAW_H

#include "draw/canvas.h"
#include "view/figure_table.h"
#include "view/session.h"

/*
 * Titles in the first row, below them the rows around the selected one; of each only what is on the
 * screen is looked at. The order is made.
 */
void figure_draw(struct figure_page *page, const struct figures *figures, struct session *session,
	struct canvas *canvas);
/* The column whose title stands at x, as drawn last; -1 for none. */
int figure_draw_column_at(const struct figure_page *page, const struct figures *figures, int x);

#endif
