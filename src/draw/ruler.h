/* The ruler: ticks with times above the lanes. */
#ifndef TTRACE_DRAW_RULER_H
#define TTRACE_DRAW_RULER_H

#include <stdint.h>

#include "draw/canvas.h"
#include "draw/time_form.h"
#include "draw/viewport.h"
#include "trace/damage.h"

struct notes; /* trace/notes.h */

/* Hatches those of `cells` blank cells from (x, y) on that touch damage; before ruler_draw(). */
void ruler_hatch(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct damage_map *damage);
/* Draws ticks and times over `cells` cells from (x, y) on; ticks stand at round times of the form. */
void ruler_draw(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	struct time_form form);
/*
 * Puts the marks A and B and a sign for each bookmark where they are within; before ruler_draw(),
 * which leaves them room.
 */
void ruler_note(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct notes *notes);

#endif
