/* What of a trace is not loaded, in words, and as a ground. All text is safe. */
#ifndef TTRACE_DRAW_PARTS_WORDS_H
#define TTRACE_DRAW_PARTS_WORDS_H

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/parts.h"

/* "not loaded: 12 generations, 104 MiB", or that more follows; nothing where all is loaded. */
void parts_add_sum(struct text *out, const struct parts *parts);
/* "generation 42: 8.3 MiB in 140 batches of 12 threads" */
void parts_add_part(struct text *out, const struct part *part);

/* Marks those cells of which nothing is loaded; what stands there stays. */
void parts_hatch(struct canvas *canvas, struct cell_run run, struct viewport viewport,
	const struct parts *parts);
/* Blanks them in so many lines from there on down: what is drawn there is not known. */
void parts_blank(struct canvas *canvas, struct cell_run run, int lines, struct viewport viewport,
	const struct parts *parts);

#endif
