/*
 * The timeline: title bar, ruler, rows of lanes with their labels, cursor and
 * panel, on a canvas of any size. The same for the screen and for print.
 */
#ifndef TTRACE_DRAW_TIMELINE_H
#define TTRACE_DRAW_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "draw/overview.h"
#include "draw/row_memo.h"
#include "draw/stack_rows.h"
#include "draw/timeline_scene.h"

/*
 * From these heights of the canvas on there is room for a row for all, and for charts of two rows
 * each.
 */
enum { TIMELINE_USUAL = 26, TIMELINE_TALL = 36 };
enum rows_size timeline_rows_size(int height);

/*
 * Kept from frame to frame, with what the last ones have worked out. Zero-initialised is empty.
 */
struct timeline_buffers {
	struct strip strip;
	int64_t (*all_ns)[CLASS_COUNT]; /* of LANE_ALL, by cell */
	size_t all_capacity;
	struct stack_strip stacks;
	struct slice_cell *slice_cells; /* of a row of slices */
	size_t slice_capacity;
	struct row_memo memo;
	struct overview overview;
	struct text scratch;
};

void timeline_buffers_release(struct timeline_buffers *buffers);

/* The heading of a pane, at its first line. */
void timeline_heading_draw(const struct timeline_pane *pane, struct canvas *canvas);

/*
 * Draws the scene over the whole canvas, which is blank. O(width * height * log n), less where
 * the last frame showed the same interval. Fails only for want of memory.
 */
bool timeline_draw(const struct timeline_scene *scene, struct timeline_buffers *buffers,
	struct canvas *canvas, struct error *err);

#endif
