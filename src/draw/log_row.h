/* A row of logs: a mark where each is, and its text as far as there is room. */
#ifndef TTRACE_DRAW_LOG_ROW_H
#define TTRACE_DRAW_LOG_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/viewport.h"
#include "trace/trace.h"

struct log_row {
	int x, y, cells;
	const struct trace *trace;
	const uint32_t *logs; /* instants, by time */
	size_t count;
	struct viewport viewport;
};

/*
 * Of several logs in one cell their number is told. O(cells * log n).
 */
void log_row_draw(struct canvas *canvas, const struct log_row *row, struct text *scratch);

#endif
