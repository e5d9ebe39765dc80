/* Writing a page of text about a trace into lines. Only for view/. */
#ifndef TTRACE_VIEW_SHEET_H
#define TTRACE_VIEW_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/prose.h"
#include "trace/trace.h"
#include "view/lines.h"

struct span; /* trace/span.h */

enum {
	SHEET_TEXT_COLUMN = 1,
	SHEET_VALUE_COLUMN = 12,
	SHEET_MOST_PROCESSORS = 500, /* that a page tells of */
};

/* A page being written. */
struct sheet {
	struct lines *lines;
	const struct trace *trace;
	struct text *scratch;
	int column; /* where the next piece of the line goes */
	int width;
	int wrapped_column; /* of what did not fit on the line before */
	bool is_wall; /* times of the wall clock, if the trace has one */
	bool ascii;
};


/* Begins a line at a column. */
void sheet_line(struct sheet *sheet, int column);
/* Adds the scratch text to the line, going on below where the screen ends, and empties it. */
void sheet_scratch(struct sheet *sheet, struct cell_style style);
void sheet_string(struct sheet *sheet, struct cell_style style, const char *string);
/* What text_add_words() makes of the pattern. */
void sheet_words(struct sheet *sheet, struct cell_style style, const char *pattern);
/* A blank line and such words, bright. */
void sheet_heading(struct sheet *sheet, const char *pattern);
/* Begins a line with a dim word; the value follows in its column. */
void sheet_value(struct sheet *sheet, const char *name);
void sheet_duration(struct sheet *sheet, struct cell_style style, int64_t duration_ns);
/* To the nanosecond: a page is where exact times are looked for. */
void sheet_moment(struct sheet *sheet, struct cell_style style, int64_t t_ns);
/* From when to when the span is, and for how long; three lines. */
void sheet_times(struct sheet *sheet, const struct span *span);

/* The processors by id, the first SHEET_MOST_PROCESSORS where there are more; returns how many. */
size_t sheet_processors(const struct sheet *sheet, resource_ref processors[]);
/* A line that says how many more there are than were told; nothing for none. */
void sheet_more(struct sheet *sheet, int column, uint64_t count);

/* One line per frame, or two where it does not fit. */
void sheet_stack(struct sheet *sheet, stack_id stack, int column);
/* The same below a heading; nothing for STACK_NONE. */
void sheet_titled_stack(struct sheet *sheet, const char *title, stack_id stack);

#endif
