/*
 * The filter on a row that is drawn: cells in which nothing matches step back, or are left
 * blank. A cell in which something matches is shown as it is.
 */
#ifndef TTRACE_DRAW_FILTER_H
#define TTRACE_DRAW_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/span.h"

struct search;
struct task_life; /* analysis/task_life.h */

struct filter {
	struct search *search; /* NULL: no filter, and nothing below is looked at */
	bool hides;            /* else what does not match steps back */
	const char *words;     /* what is asked, safe text */
	size_t rows_left;      /* lanes among the rows that have a match; SIZE_MAX: not told */
	uint32_t number;       /* another one for each search that is one after the other */
};

/* Applies it to the cells of a lane; `marks` has room for so many and is overwritten. */
void filter_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
                  struct lane lane, struct viewport viewport, bool *marks);
/* The same for a task: what matches lies on an actor while it works for it. */
void filter_task_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
                       const struct task_life *life, struct viewport viewport, bool *marks);
/* The same where it is known in which cells something matches. */
void filter_marked_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
                         const bool *marks);
/* Whether something matches on a lane, which is none of a task. */
bool filter_matches(const struct filter *filter, struct lane lane);
/* Lets the label of a lane on which nothing matches step back. */
void filter_label(struct canvas *canvas, int x, int y, int cells);

#endif
