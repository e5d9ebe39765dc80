/*
 * A flame graph: the tree of calls as boxes in rows, a row for each depth, the root on top, each
 * box as wide as its share and right below the one that calls it. What would be narrower
 * than a cell is left out.
 */
#ifndef TTRACE_DRAW_FLAME_H
#define TTRACE_DRAW_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "analysis/diff_profile.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "trace/trace.h"

struct flame_box {
	uint32_t node;
	uint32_t row;      /* its depth */
	int x, cells;      /* cells is at least 1 */
	int rest_x, rest_cells; /* below it: where it calls what is left out */
	double start;           /* values of what stands left of it */
};

/* The boxes on a screen. Zero-initialised is empty. */
struct flame {
	struct flame_box *boxes; /* row by row, in each from the left */
	size_t count, capacity;
};

/*
 * Lays out the boxes of a node that takes the whole width, of what it calls, and of the nodes
 * above it, as wide. O(boxes). False, and some are missing, without memory.
 */
bool flame_lay_out(struct flame *flame, const struct call_tree *tree, uint32_t zoomed, int width,
	struct error *err);
void flame_release(struct flame *flame);

#define FLAME_NONE SIZE_MAX
/* Indexes of boxes: that of a node; the one beside, above or below another, the widest; FLAME_NONE. */
size_t flame_find(const struct flame *flame, uint32_t node);
size_t flame_beside(const struct flame *flame, size_t box, bool is_right);
size_t flame_above(const struct flame *flame, const struct call_tree *tree, size_t box);
size_t flame_below(const struct flame *flame, const struct call_tree *tree, size_t box);
/* That at a cell of a row. */
size_t flame_at(const struct flame *flame, uint32_t row, int x);

/* What is drawn, and how. */
struct flame_look {
	const struct trace *trace;
	const struct call_tree *tree;
	uint32_t zoomed, selected; /* nodes; what is above the zoomed one steps back */
	const struct diff_profile *diff; /* of these nodes: they have the colours of changes; NULL: none */
	const uint8_t *matches;    /* by node, whether it matches the search; NULL: nothing is searched */
	uint32_t first_row;        /* on the first row of the canvas */
	int rows;                  /* so many are drawn */
	struct text *scratch;
};

/*
 * Draws them from the first row of the canvas on; the functions have the colours of stack lanes, or
 * say whether they are more or less than before, the stronger the more they changed. O(cells).
 */
void flame_draw(const struct flame *flame, const struct flame_look *look, struct canvas *canvas);

#endif
