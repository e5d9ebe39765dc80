/* The labels to the left of the lanes. */
#ifndef TTRACE_DRAW_LABEL_H
#define TTRACE_DRAW_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/rows.h"
#include "draw/viewport.h"

struct label {
	size_t row; /* index into the rows */
	bool is_selected;
	bool has_moment; /* counters tell their values at moment_ns */
	int64_t moment_ns;
	struct viewport viewport; /* what is on the screen */
};

/* Draws the label of a row. `scratch` is overwritten. */
void label_draw(struct canvas *canvas, struct cell_run run, const struct timeline_rows *rows,
	const struct label *label, struct text *scratch);

/*
 * The column of the mark that tells whether the row is folded, in a label of so
 * many cells; -1 for none.
 */
int label_fold_column(const struct timeline_rows *rows, size_t row, int cells);

#endif
