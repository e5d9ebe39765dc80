/* Rows that stand for several while these are folded: the same times and counts, in one row. */
#ifndef TTRACE_DRAW_FOLDED_ROW_H
#define TTRACE_DRAW_FOLDED_ROW_H

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "draw/rows.h"

/*
 * Collections as on their own row, the marks of stops of the world in the cells that have some. The
 * strip is that of LANE_GC, and is changed.
 */
void folded_row_draw_gc(struct canvas *canvas, struct cell_run run, struct strip *strip,
	const struct strip_source *source, struct text *scratch);
/* Wakes of all kinds, counted; the kind that there are most of in a cell gives the colour. */
void folded_row_draw_events(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport);
/*
 * How busy all processors are: of each cell, the sum of what their rows show, of GOMAXPROCS times
 * the cell. O(processors * cells * log n). Overwrites the strip.
 */
void folded_row_draw_processors(struct canvas *canvas, struct cell_run run, struct strip *strip,
	const struct strip_source *source, struct text *scratch);

/*
 * What all processors did in [t0, t1), by class. Returns the time that they had, GOMAXPROCS times
 * the interval. O(processors * log n). Of more than FOLDED_ROW_MOST_PROCESSORS, which hardly any
 * machine has, it is what all actors ran, without their system calls: a frame takes 0.2 ms for each
 * processor.
 */
enum { FOLDED_ROW_MOST_PROCESSORS = 512 };
int64_t folded_row_processors(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT]);

#endif
