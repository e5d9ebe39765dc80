/*
 * Rows of slices: each a depth of what lies on the tracks of an actor or a processor. Beneath its own
 * tracks a processor has the slices of the actors that ran on it, as far as they ran there.
 */
#ifndef TTRACE_DRAW_SLICE_ROW_H
#define TTRACE_DRAW_SLICE_ROW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/lane_strip.h"
#include "trace/slices.h"
#include "trace/span.h"
#include "trace/trace.h"

struct bits;   /* query/bits.h */
struct search; /* query/search.h */

enum slice_search { SLICES_SEARCHED, SLICES_FILTERED, SLICE_SEARCHES };

/* Where the slices of a row stand. */
struct slice_row {
	const struct slices *slices;
	column_ref column;
	bool is_parts; /* of slices of the trace; which of them match (NULL: none) */
	const struct bits *matches[SLICE_SEARCHES];
};

/* More depths of one owner have no rows. */
enum { SLICE_ROWS_MOST = 1024 };

/* The depths of an actor's or processor's own tracks, none of other lanes. O(log n). */
void slice_rows_of(const struct trace *trace, struct lane lane, column_ref *first, uint32_t *count);
/* The lane beneath which a column of the trace has its row; false where it has none. O(log n). */
bool slice_lane(const struct trace *trace, column_ref column, struct lane *lane);
/*
 * The slices of the actors that ran on a processor, cut to when they ran there: one track, which has
 * the depths of all tracks of an actor below each other. The detail of such a part is the number of
 * its slice, plus 1. *ran is the caller's, NULL where there are none. O(n) for all spans on the
 * processor and all slices of these actors. ERROR_CANCELLED soon after *is_cancelled became true
 * (NULL: never).
 */
bool slice_rows_ran(
	struct slices **ran, const struct trace *trace, resource_ref processor,
	const atomic_bool *is_cancelled, struct error *err);

/* The slice at t, else the one that fills most of [from, until); false where there is none. */
bool slice_row_at(const struct slice_row *row, int64_t t_ns, int64_t from_ns, int64_t until_ns,
	struct slice *slice);
/*
 * A processor's row shows parts of the slices of who ran there: a part of such a row becomes the
 * whole slice, with its place in the trace. O(log of the columns).
 */
void slice_row_whole(
	const struct slice_row *row, const struct trace *trace, struct slice *slice);
/*
 * Which of the cells of a row have a slice that matches; a part does where its slice does. Where
 * nothing is searched (NULL) none has.
 */
void slice_row_marks(const struct slice_row *row, const struct search *search,
	enum slice_search which, struct viewport viewport, int cells, bool *marks);

/*
 * Draws bars as high as the share of a cell that slices cover, in the colour of the longest one in
 * it, and names over those that are wide enough. `cells` has room for run.cells. O(width * log n).
 */
void slice_row_draw(struct canvas *canvas, struct cell_run run, const struct slice_row *row,
	const struct strip_source *source, struct slice_cell *cells, struct text *scratch);
/* Then: marks cells that have a match. */
void slice_row_mark(struct canvas *canvas, struct cell_run run, const bool *marks);

#endif
