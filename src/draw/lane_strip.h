/*
 * A lane cut into cells: the rule of a cell (draw/strip.h) applied to the whole width
 * by way of the index. The cost of a strip depends on its width alone:
 * O(width * (log n + block)).
 */
#ifndef TTRACE_DRAW_LANE_STRIP_H
#define TTRACE_DRAW_LANE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/beneath/lanes.h"
#include "analysis/samples.h"
#include "base/error.h"
#include "draw/moments.h"
#include "draw/strip.h"
#include "draw/viewport.h"
#include "trace/span.h"

struct search; /* query/search.h */

/* A span that alone fills some cells: room for its name. */
struct strip_stretch {
	int first, cells;
	struct span span;
	bool has_lost_processor; /* on a thread: from here on the syscall goes on without a processor */
	uint8_t look;       /* all through these cells, or nearly: of a running one also an assist, or that it lost its CPU */
};

/* The cells of one lane. Buffers are kept from lane to lane; zero-initialised is empty. */
struct strip {
	struct lane lane; /* that it was filled for */
	int width;
	struct strip_cell *cells;          /* width of them */
	int64_t (*totals_ns)[LOOK_COUNT];  /* the same: time per look in each, assists with the workers */
	int64_t (*classes_ns)[CLASS_COUNT]; /* the same per class, as the index has it */
	int64_t *assists_ns;               /* the same: what of that was assists, */
	int64_t *lost_ns[BENEATH_UPPERS][BENEATH_LOST]; /* and what had no CPU */
	int64_t *others_ns;                /* and what others ran */
	bool *matches;                     /* the same */
	struct strip_stretch *stretches;   /* ascending */
	int stretch_count;
	size_t cell_capacity, total_capacity, class_capacity, assist_capacity, match_capacity;
	size_t stretch_capacity, lost_capacity[BENEATH_UPPERS][BENEATH_LOST], others_capacity;
};

/* What a strip is made from. */
struct strip_source {
	const struct trace *trace;
	const struct moments *moments; /* NULL: no marks of logs and stops */
	const struct samples *samples; /* NULL: none of samples */
	const struct pieces *assists; /* NULL: what is run for the collector is plain running */
	const struct pieces *others; /* of processors, what is not of the trace above; NULL: nobody knows */
	const struct beneath_lanes *beneath; /* NULL: nothing lies beneath the trace */
	struct search *search;         /* NULL while there is none */
	struct viewport viewport;
};

enum { STRIP_SAMPLE_CELLS = 4 };

/* Makes room for strips of `width` (> 0) cells, so that strip_fill() cannot fail. */
bool strip_reserve(struct strip *strip, int width, struct error *err);
void strip_release(struct strip *strip);

/*
 * Fills the strip with the cells of a lane. The whole of a cell is its time; on the
 * lanes of a group and of all actors the time that the members lived in it, where
 * that is more. A cell with exactly one border is exact to the eighth (strip_edge()): it
 * holds one span, which begins or ends within but not both, or two that touch and fill
 * it; all others are bars and lines by their totals (strip_cell()). Spans that take no time
 * count for nothing. What an actor ran in mark assists looks like the collector's workers, on
 * its own lane and its group's. An assist that begins or ends within a span that fills the cell has
 * an edge, exact to the eighth too, if nothing else begins or ends there. So has what waited for a CPU or slept in
 * the kernel by what lies beneath, which looks like that on the lanes of actors, groups and processors. On processors and threads every
 * other span is running in the second shade, where single spans show. On a thread the cells that one syscall fills are a line from the moment on
 * at which it lost its processor, and have an edge there. Marks: STRIP_MARK_HIDDEN as
 * strip_hidden() says on actors and groups, STRIP_MARK_ASSIST or, for less,
 * STRIP_MARK_LITTLE_ASSIST there where another class took more of the cell, logs and stops as
 * moments_mark() says, matches as search_overlaps() says on any lane, samples where a lane has room
 * for them: one for every STRIP_SAMPLE_CELLS cells of the strip at most, and where nothing else is told.
 */
void strip_fill(struct strip *strip, const struct strip_source *source, struct lane lane);

#endif
