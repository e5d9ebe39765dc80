/* The timeline as a still picture, for print: by the same renderer as the screen's. */
#ifndef TTRACE_REPORT_LANES_H
#define TTRACE_REPORT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/arrangement.h"
#include "analysis/interacts.h"
#include "base/error.h"
#include "draw/canvas.h"
#include "draw/row_picks.h"
#include "report/report.h"
#include "trace/trace.h"

struct beneath; /* analysis/beneath/beneath.h */
struct search;  /* query/search.h */

struct lanes_options {
	const char *file_name;   /* safe text */
	int width_cells;         /* at least 1 */
	int most_rows;           /* of lanes; 0 for all there are, up to LANES_MOST_ROWS */
	bool has_interval;       /* false: the whole trace, or the actor's life */
	int64_t t0_ns, t1_ns;    /* [t0, t1) */
	struct arrange_plan plan; /* of the lanes */
	const struct row_picks *hidden; /* are left out; NULL: none */
	const struct row_picks *pinned; /* are shown on top as well; NULL: none */
	bool is_wall;            /* times of the wall clock, if the trace has one */
	actor_ref actor;         /* REF_NONE for all; else this one and what touched it */
	struct interacts_plan interacts; /* only those are shown; of 0 steps: all */
	bool has_stacks;         /* beneath its lane the stack lanes are shown ... */
	actor_ref stacks;    /* ... of this actor */
	/*
	 * Shows a cursor, on the actor or else a processor, and the panel in place of the legend.
	 */
	bool has_cursor;
	int64_t cursor_ns;       /* within the interval */
	struct search *only;     /* lanes and spans that it does not match are left out; NULL: none are */
	const char *query;       /* what it asks, safe text */
	const struct beneath *beneath; /* what lies beneath the trace; NULL: nothing */
};

enum { LANES_MOST_ROWS = 200 };

/*
 * Draws the picture with a legend of its glyphs below, on a canvas that becomes as high as
 * is needed; its .ascii and .monochrome say which glyphs.
 */
bool report_lanes(const struct trace *trace, const struct lanes_options *options,
	struct canvas *canvas, struct error *err);
/* The same picture in numbers, for programs: report/lane_rows.h. */
bool report_lane_rows(const struct trace *trace, const struct lanes_options *options,
	const struct report_options *form, struct text *out, struct error *err);

#endif
