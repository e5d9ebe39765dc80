/* What the parts of the timeline are drawn from, and where they stand. */
#ifndef TTRACE_DRAW_TIMELINE_SCENE_H
#define TTRACE_DRAW_TIMELINE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/arrangement.h"
#include "draw/filter.h"
#include "draw/rows.h"
#include "draw/timeline_layout.h"
#include "draw/viewport.h"
#include "trace/trace.h"

struct critical_path; /* analysis/critical.h */
struct flows;         /* analysis/flows.h */
struct notes;         /* trace/notes.h */
struct search;
struct verdict_line;  /* draw/verdict_line.h */

/* Where one of several traces stands on the screen, under a heading. */
struct timeline_pane {
	int y, lines;        /* the heading is the first of them; without lines there is one trace, and no heading */
	bool is_active;      /* else there are only the heading and the rows */
	bool is_alert;       /* what the heading says is to be seen */
	const char *name;    /* of the file, safe text ... */
	const char *heading; /* ... and what else to say of it; likewise */
};

/* What is to be seen. Nothing in it is changed by drawing. */
struct timeline_scene {
	const struct trace *trace;
	const struct timeline_rows *rows;
	const char *file_name; /* safe text */
	const char *file_word; /* the file for a command line, with its folder and quotes */
	const char *loading;   /* what to say of a trace that is not all there yet, else NULL */
	struct viewport viewport;
	bool is_wall;          /* times of the wall clock, if the trace has one */
	size_t first_row;      /* the topmost row shown of those that scroll: none that stays on top */
	bool has_cursor;       /* else a still picture: no cursor, no panel */
	int64_t cursor_ns;     /* within the viewport */
	size_t cursor_row;     /* below rows->count */
	struct search *search; /* NULL while there is none */
	uint32_t search_number; /* another one for each search that is one after the other */
	struct filter filter;
	struct arrange_plan plan; /* of the lanes */
	bool has_mark;         /* an interval is marked, which may be empty; only with a cursor */
	int64_t marked_from_ns, marked_until_ns;
	bool is_between;       /* it lies between the marks A and B, which the ruler shows */
	const struct notes *notes; /* NULL for none */
	const struct flows *flows; /* of the selected span, drawn on the lanes; NULL for none */
	const struct critical_path *path; /* shown under the ruler; NULL for none */
	const struct verdict_line *verdict; /* shown below all else; NULL for none */
	struct timeline_pane pane;
};

#endif
