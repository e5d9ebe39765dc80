/* A frame of the timeline being drawn. Only for draw/timeline*.c. */
#ifndef TTRACE_DRAW_TIMELINE_INTERNAL_H
#define TTRACE_DRAW_TIMELINE_INTERNAL_H

#include "draw/lane_strip.h"
#include "draw/timeline.h"

struct frame {
	const struct timeline_scene *scene;
	struct timeline_buffers *buffers; /* with room for the layout */
	struct canvas *canvas;
	struct timeline_layout layout;
	struct strip_source source;
	bool has_all;    /* buffers->all_ns is filled */
	bool has_stacks; /* the strip of the stack lanes is */
};

/* The rows on the screen with their labels; those that are remembered are not worked out. */
void timeline_draw_rows(struct frame *frame);

#endif
