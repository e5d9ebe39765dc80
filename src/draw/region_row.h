/* Rows of user regions: each beneath the one that encloses it. */
#ifndef TTRACE_DRAW_REGION_ROW_H
#define TTRACE_DRAW_REGION_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "trace/trace.h"

/* The regions of one row: disjoint, ascending, with the time covered before each. */
struct region_row {
	range_ref *ranges;
	int64_t *before_ns;
	size_t count, range_capacity, before_capacity;
};

enum { REGION_ROWS_MOST = 32 };

/*
 * Puts regions, which are given in the order in which they began, on rows: each on the first
 * one with room, below its parent where that is among them. Those that fit on none of
 * REGION_ROWS_MOST rows are left out. Free with region_rows_free(). On failure nothing is held.
 */
bool region_rows_build(struct region_row **rows, uint32_t *count, const struct trace *trace,
	const range_ref *regions, size_t region_count, struct error *err);
void region_rows_free(struct region_row *rows, uint32_t count);

/* The region of the row that holds t, REF_NONE for none. O(log n). */
range_ref region_row_at(const struct region_row *row, const struct trace *trace, int64_t t_ns);

/* The first region that begins after t, or the last one that begins before; REF_NONE for none. */
range_ref region_row_beside(
	const struct region_row *row, const struct trace *trace, int64_t t_ns, bool forward);

/* Draws bars with the names of the regions. O(width * log n). */
void region_row_draw(struct canvas *canvas, struct cell_run run, const struct region_row *row,
	const struct trace *trace, struct viewport viewport, struct text *scratch);

#endif
