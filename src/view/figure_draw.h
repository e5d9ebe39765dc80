/* Drawing a table of figures. Only for view/figure_*.c. */
#ifndef TTRACE_VIEW_FIGURE_DRAW_H
#define TTRACE_VIEW_FIGURE_DRAW_H

#include "draw/canvas.h"
#include "view/figure_table.h"
#include "view/session.h"

/* Brings what is selected into sight and gives each column its room, as the rows in sight need it. */
void figure_draw_lay_out(struct figure_page *page, const struct figures *figures,
	const struct session *session, const struct canvas *canvas);
/*
 * As it was laid out: titles in the first row, below them the rows around the selected one. Of each
 * only what is on the screen is looked at.
 */
void figure_draw(const struct figure_page *page, const struct figures *figures,
	const struct session *session, struct canvas *canvas);
/* The column whose title stands at x; -1 for none. */
int figure_draw_column_at(const struct figure_page *page, int x);

#endif
