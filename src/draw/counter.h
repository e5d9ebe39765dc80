/* Charts of what is counted over time: actors, the heap, threads. */
#ifndef TTRACE_DRAW_COUNTER_H
#define TTRACE_DRAW_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/trace.h"

/*
 * A chart of how many actors are in two sets of classes, on the average of each cell;
 * the highest bar of the viewport is the highest sum of both. The larger set stands
 * in front. totals_ns: of LANE_ALL, for each cell.
 */
struct counter_pair {
	class_mask first, second;
	uint8_t first_style, second_style;
};

extern const struct counter_pair counter_actors;     /* running, ready */
extern const struct counter_pair counter_threads;    /* running, in a syscall */

void counter_draw_pair(struct canvas *canvas, struct cell_run run,
	int64_t (*totals_ns)[CLASS_COUNT], const struct counter_pair *pair,
	struct viewport viewport);

enum counter_part { COUNTER_WHOLE, COUNTER_UPPER, COUNTER_LOWER };

/*
 * The allocated heap as bars (the most within each cell), the goal as a line above
 * where a bar leaves room; the greatest of both in the viewport is the highest bar.
 * In one row, or as the upper or lower of two.
 */
void counter_draw_heap(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport, enum counter_part part);

/*
 * A gauge as bars: the greatest value within each cell, from 0 or the least of the viewport if that is
 * below, up to its greatest.
 */
void counter_draw_gauge(struct canvas *canvas, struct cell_run run, const struct trace *trace, uint32_t gauge,
	struct viewport viewport);

/* Actors in the classes of the mask at a moment. */
uint32_t counter_actors_at(const struct trace *trace, class_mask mask, int64_t t_ns);

#endif
