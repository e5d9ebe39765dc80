/* Names on the spans of a strip that are wide enough to carry one. */
#ifndef TTRACE_DRAW_SPAN_NAME_H
#define TTRACE_DRAW_SPAN_NAME_H

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "trace/trace.h"

/*
 * Draws the strip with its left end at (x, y), then the names over it: actors
 * on processors, processors and actors on threads ("lost P2" where it was taken away), reasons on
 * blocked lines, what the span is elsewhere. Cells with a mark are never covered. `scratch` is
 * overwritten.
 */
void strip_draw(struct canvas *canvas, int x, int y, const struct strip *strip,
	const struct trace *trace, struct text *scratch);

#endif
