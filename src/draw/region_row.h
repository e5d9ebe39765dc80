/* Rows of the user regions of one goroutine: one row per depth of nesting. */
#ifndef TTRACE_DRAW_REGION_ROW_H
#define TTRACE_DRAW_REGION_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "trace/trace.h"

/* The regions of one depth: disjoint, ascending, with the time covered before each. */
struct region_row {
	range_ref *ranges;
	int64_t *before_ns;
	size_t count, range_capacity, before_capacity;
};

/* A row per depth, outermost first. Free with region_rows_free(). On failure nothing is held. */
bool region_rows_build(struct region_row **rows, uint32_t *count, const struct trace *trace,
	goroutine_ref goroutine, struct error *err);
void region_rows_free(struct region_row *rows, uint32_t count);

/* The region of the row that holds t, REF_NONE for none. O(log n). */
range_ref region_row_at(const struct region_row *row, const struct trace *trace, int64_t t_ns);

/* Draws bars with the names of the regions. O(width * log n). */
void region_row_draw(struct canvas *canvas, int x, int y, int cells, const struct region_row *row,
	const struct trace *trace, struct viewport viewport, struct text *scratch);

#endif
