/* The ruler: ticks with times above the lanes. */
#ifndef TTRACE_DRAW_RULER_H
#define TTRACE_DRAW_RULER_H

#include <stdint.h>

#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/damage.h"

/*
 * The least step of 1, 2 or 5 times a power of ten nanoseconds of which ticks stand at
 * least `apart` cells from each other.
 */
int64_t ruler_step(struct viewport viewport, int cells, int apart);

/*
 * Draws ticks and times over `cells` cells from (x, y) on, which are blank, and hatches
 * those that touch damage.
 */
void ruler_draw(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct damage_map *damage);

#endif
