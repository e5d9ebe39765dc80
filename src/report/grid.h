/*
 * Tables of a report in four forms: for people, with units, as wide as the page, or in Markdown, whole;
 * for spreadsheets, CSV with a line of titles; and for programs, JSON, an object a line, both with the
 * file where options->names_file asks for it. A report
 * says each value once, by its type; headings and facts are for people alone.
 */
#ifndef TTRACE_REPORT_GRID_H
#define TTRACE_REPORT_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "report/page.h"

struct grid_column {
	struct table_column look; /* for people */
	const char *key;          /* in CSV and JSON, times in nanoseconds; NULL: only for people */
};

/* In place of columns that are dimensions: there are none. */
#define GRID_MEASURES (UINT64_C(1) << 63)

struct grid_cell;
struct result_place; /* result/result.h */
struct words; /* trace/words.h */

struct grid {
	struct page page;
	const struct trace *trace;
	const struct words *words;         /* its; they stay when it goes */
	const struct report_options *options;
	const char *name;                  /* of the table, in JSON */
	const struct grid_column *columns; /* of the table being made */
	int column_count, column;          /* `column` is the next cell's */
	int sort_column;                   /* of the table, which --sort names; -1: none */
	bool has_sorted;                   /* some table had such a column; the page is held until then */
	uint64_t dimensions;               /* columns, by bits, that tell what a row of the table to come is about; 0: nobody knows */
	bool is_as_made;                   /* the table to come is not limited and not sorted */
	void (*block)(void *context, uint32_t row); /* puts a row for people; NULL: a table does */
	void *block_context;
	const struct result_place *place;  /* of the row being made, which is set before its last cell; NULL: it has none */
	struct grid_cell *cells;           /* of the row being made; if sorted, of all rows */
	size_t cell_count, cell_capacity;
	struct text texts;                 /* of those cells */
	uint32_t row_count;                /* ended so far */
	uint32_t *shown;                   /* numbers of the rows that were told, in their order */
	size_t shown_count, shown_capacity;
	struct table_column looks[TABLE_MAX_COLUMNS];
	struct table table;
	bool had_rows;                     /* some were put out already */
	bool had_table;                    /* there was one before the one being made */
	int64_t step_ns;                   /* moments are told so finely */
	struct text line;                  /* a value being made */
	struct text known;                 /* the columns that there are to sort by */
};

/*
 * Begins a report; grid_end() is needed only after success, and fails also where no table had the
 * column that --sort names.
 */
bool grid_begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
                struct text *out, struct error *err);
bool grid_end(struct grid *grid);

/* Whether it is for people: text, or Markdown. */
bool grid_is_text(const struct grid *grid);

/* A first line, then facts below it; in CSV and JSON nothing. The texts are safe. */
void grid_heading(struct grid *grid, const char *safe);
void grid_fact(struct grid *grid, const char *key, const char *format, ...) ATTR_PRINTF(3, 4);
/* The facts that all reports have: the file, the interval and the query. */
void grid_usual_facts(struct grid *grid);

/* The next table is told whole and as it was made, whatever --limit and --sort say. */
void grid_as_made(struct grid *grid);
/*
 * Begins a table of up to TABLE_MAX_COLUMNS columns. `name` is for programs, `title` for people.
 * What follows are cells, row by row, one for each column. --limit holds for each table, --sort
 * for those that have the column: their rows are held until the end, O(n log n). Columns are named
 * by their key, with or without its unit, or by their title; the greatest number comes first, but
 * moments, texts and who it was ascend, and "-" in front turns that around.
 */
void grid_table(struct grid *grid, const char *name, const char *title,
                const struct grid_column *columns, int count);
/* The same, but what people read of a row, by its number from 0, `block` prints on the page. */
void grid_blocks(struct grid *grid, const char *name, const struct grid_column *columns, int count,
                 void (*block)(void *context, uint32_t row), void *context);
/* Whether --sort names one of these columns, of a table that may come so that it can be sorted. */
bool grid_sorts_by(struct grid *grid, const struct grid_column *columns, int count);
/* Ends either; without rows people read `none` in its place, or nothing for NULL. */
void grid_table_end(struct grid *grid, const char *none);
/*
 * After that and until the next one, once: which rows were told, by their numbers in the order of
 * making. The caller frees with memory_free(), NULL too.
 */
uint32_t *grid_take_shown(struct grid *grid, size_t *count);

void grid_none(struct grid *grid); /* no value */
void grid_count(struct grid *grid, uint64_t count);
void grid_bytes(struct grid *grid, uint64_t bytes);
/* A number that counts 10^-decimals, 0 to 9 of them, with all its digits. */
void grid_amount(struct grid *grid, int64_t value, int decimals);
void grid_duration(struct grid *grid, int64_t duration_ns);
/* By how much one of these is more than another one: "+1.2 ms", "-3". */
void grid_change(struct grid *grid, int64_t change, enum units_of of);
void grid_moment(struct grid *grid, int64_t time_ns);
/* How long after something else: "+1.2 ms". */
void grid_since(struct grid *grid, int64_t duration_ns);
/* A part of a whole: "12.3%", or a fraction with nine digits. */
void grid_share(struct grid *grid, double share);
/* A number with some digits behind the point for people, nine in all for others. */
void grid_number(struct grid *grid, double number, int decimals);
void grid_percent(struct grid *grid, double share); /* as such a number, 12.34 */
/* A bar of the length of the share, cut at 1, for people. */
void grid_bar(struct grid *grid, double share);
/* A text of any bytes, in colour; one of the trace. */
void grid_text(struct grid *grid, const char *bytes, size_t length);
void grid_styled(struct grid *grid, uint8_t style, const char *bytes, size_t length);
void grid_string(struct grid *grid, string_id id);
/* "G42 main.worker", or the number; "P3". REF_NONE is no value. */
void grid_actor(struct grid *grid, actor_ref actor);
void grid_processor(struct grid *grid, resource_ref processor);
/* "G42", or the number, REF_NONE is no value; any number that names something. */
void grid_actor_id(struct grid *grid, actor_ref actor);
void grid_id(struct grid *grid, int64_t id);
/* The function and "main.go:88", two cells; NULL is no value. */
void grid_frame(struct grid *grid, const struct stack_frame *frame);
/* The same of the frame that is named for a stack of that actor: own_code_frame(). */
void grid_stack(struct grid *grid, stack_id stack, actor_ref actor);

#endif
