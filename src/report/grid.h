/*
 * Tables of a report in three forms: for people, with units and as wide as the page; for
 * spreadsheets, CSV with a line of titles; and for programs, JSON, an object a line. A report
 * says each value once, by its type; headings and facts are for people alone.
 */
#ifndef TTRACE_REPORT_GRID_H
#define TTRACE_REPORT_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "report/page.h"

struct grid_column {
	struct table_column look; /* for people */
	const char *key;          /* in CSV and JSON, times in nanoseconds; NULL: only for people */
};

struct grid {
	struct page page;
	const struct trace *trace;
	const struct report_options *options;
	const char *name;                  /* of the table, in JSON */
	const struct grid_column *columns; /* of the table being made */
	int column_count, column;          /* `column` is the next cell's */
	struct table_column looks[TABLE_MAX_COLUMNS];
	struct table table;
	bool had_rows;                     /* some were put out already */
	int64_t step_ns;                   /* moments are told so finely */
	struct text line;                  /* a row, or a value for people */
};

/* Begins a report; grid_end() is needed only after success. */
bool grid_begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
                struct text *out, struct error *err);
bool grid_end(struct grid *grid);

/* Whether it is for people. */
bool grid_is_text(const struct grid *grid);

/* A first line, then facts below it; in CSV and JSON nothing. The texts are safe. */
void grid_heading(struct grid *grid, const char *safe);
void grid_fact(struct grid *grid, const char *key, const char *format, ...) ATTR_PRINTF(3, 4);
/* The facts that all reports have: the file, the interval and the query. */
void grid_usual_facts(struct grid *grid);

/*
 * Begins a table of up to TABLE_MAX_COLUMNS columns. `name` is for programs, `title` for people.
 * What follows are cells, row by row, one for each column.
 */
void grid_table(struct grid *grid, const char *name, const char *title,
                const struct grid_column *columns, int count);
/* Ends it; without rows people read `none` in its place. */
void grid_table_end(struct grid *grid, const char *none);

void grid_none(struct grid *grid); /* no value */
void grid_count(struct grid *grid, uint64_t count);
void grid_bytes(struct grid *grid, uint64_t bytes);
void grid_duration(struct grid *grid, int64_t duration_ns);
void grid_moment(struct grid *grid, int64_t time_ns);
/* A part of a whole: "12.3%", or a fraction with nine digits. */
void grid_share(struct grid *grid, double share);
/* A number with some digits behind the point for people, nine in all for others. */
void grid_number(struct grid *grid, double number, int decimals);
/* A bar of the length of the share, cut at 1, for people. */
void grid_bar(struct grid *grid, double share, uint8_t style);
/* A text of any bytes; one of the trace. */
void grid_text(struct grid *grid, const char *bytes, size_t length);
void grid_string(struct grid *grid, string_id id);
/* "G42 main.worker", or the number; "P3". REF_NONE is no value. */
void grid_goroutine(struct grid *grid, goroutine_ref goroutine);
void grid_proc(struct grid *grid, proc_ref proc);
/* The function and the place of a stack that tell most, two cells. */
void grid_frame(struct grid *grid, stack_id stack);

#endif
