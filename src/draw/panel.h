/* The panel below the lanes: says in words what is under the cursor. */
#ifndef TTRACE_DRAW_PANEL_H
#define TTRACE_DRAW_PANEL_H

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/timeline_scene.h"

/* Draws into the panel's lines of the layout, of which there is one at least. */
void panel_draw(const struct timeline_scene *scene, const struct timeline_layout *layout,
	struct text *scratch, struct canvas *canvas);

#endif
