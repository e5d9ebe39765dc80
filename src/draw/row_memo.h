/*
 * Rows as the last frame drew them: a frame in which only the cursor has moved, or which shows
 * other rows of the same interval, works out no more than what is new.
 */
#ifndef TTRACE_DRAW_ROW_MEMO_H
#define TTRACE_DRAW_ROW_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/canvas.h"
#include "draw/rows.h"
#include "draw/timeline_scene.h"

/* Zero-initialised remembers nothing. */
struct row_memo {
	struct row_memo_of {
		const struct trace *trace;
		const struct timeline_rows *rows;
		uint32_t renewals;
		const struct beneath_lanes *beneath;
		const struct pieces *others;
		struct viewport viewport;
		int cells;
		const struct search *search, *filter;
		uint32_t search_number, filter_number;
		bool hides, is_tall, ascii, monochrome;
	} of;             /* what the rows below were drawn from */
	struct row *rows; /* those that are remembered ... */
	struct cell *drawn; /* ... with of.cells cells each */
	size_t count, next, most; /* the next one takes the place of the oldest */
	size_t row_capacity, cell_capacity;
};

/*
 * Forgets all rows if they would look different in this scene. So many lines are on the screen;
 * twice as many rows are remembered. False without memory; then there are none.
 */
bool row_memo_enter(struct row_memo *memo, const struct timeline_scene *scene,
	const struct canvas *canvas, const struct timeline_layout *layout, struct error *err);
/*
 * Puts the cells of a row, as they were, from (x, y) on, where there is room; false where they are
 * not remembered.
 */
bool row_memo_put(const struct row_memo *memo, struct row row, struct canvas *canvas, int x, int y);
/* Remembers the cells from (x, y) on as those of a row. */
void row_memo_keep(struct row_memo *memo, struct row row, struct canvas *canvas, int x, int y);
void row_memo_release(struct row_memo *memo);

#endif
