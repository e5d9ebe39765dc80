/*
 * Figures: the numbers of an analysis that is a table, as rows of cells that are all one number each, be
 * it a count, a time or the ref of what the row is about. Only for view/.
 */
#ifndef TTRACE_VIEW_FIGURES_H
#define TTRACE_VIEW_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "trace/lane.h"
#include "trace/trace.h"

/* What the number of a cell is. */
enum figure_type {
	FIGURE_FUNCTION,  /* string_id of a function that goroutines start with */
	FIGURE_CALLED,    /* string_id of a function of a stack */
	FIGURE_STRING,    /* string_id */
	FIGURE_GOROUTINE, /* a ref; REF_NONE: none, as for the next two */
	FIGURE_TASK,
	FIGURE_FRAME,     /* stack_id, for the frame that tells most */
	FIGURE_TRIGGER,   /* enum gc_trigger (analysis/cycles.h) */
	FIGURE_NUMBER,    /* the types from here on end in line; this one is a name */
	FIGURE_MOMENT,
	FIGURE_COUNT,     /* from here on more is worse: most first */
	FIGURE_DURATION,
	FIGURE_BYTES,
	FIGURE_SHARE      /* in millionths */
};

/* No value, in the last four. */
#define FIGURE_NONE INT64_MIN

enum { FIGURES_TITLE = 24, FIGURES_MOST_COLUMNS = 320, FIGURES_MOST_LAYERS = 8 };

struct figures_column {
	char title[FIGURES_TITLE]; /* safe text */
	enum figure_type type;
	uint8_t style;             /* of its bars */
};

/* Where a row leads. */
struct figures_place {
	struct lane lane;
	int64_t from_ns, until_ns;
};

struct analysis;
struct session;
struct view_answer;

struct figures {
	struct figures_column *columns; /* the first one says what the row is about */
	int column_count;
	size_t row_count;
	int64_t *cells;               /* layer by layer, row by row */
	int layer_count;              /* tables with the same rows and columns ... */
	const char *const *layer_names; /* ... and their names: "total", "mean"; NULL of one layer */
	int usual_column;             /* to sort by at first */
	struct figures_place *places; /* by row, where OPEN leads; NULL: open() does that */
	struct view_answer (*open)(const struct analysis *analysis, struct session *session, size_t row);
	const char *none;             /* what stands there without rows */
	uint64_t all_count;           /* of which the rows are some; 0: they are all */
};

/* With room for so many rows, all 0; NULL with err set without memory. */
struct figures *figures_new(size_t row_count, int column_count, int layer_count, struct error *err);
/* The same of one layer, with these columns and room for places. */
struct figures *figures_new_with(const struct figures_column *columns, int column_count,
	size_t row_count, struct error *err);
/* Room for places. */
bool figures_add_places(struct figures *figures, struct error *err);
void figures_free(struct figures *figures); /* NULL is fine */

static inline int64_t *
figures_cell(const struct figures *figures, int layer, size_t row, int column)
{
	size_t line = (size_t)layer * figures->row_count + row;
	return &figures->cells[line * (size_t)figures->column_count + (size_t)column];
}

/* Appends what a cell says, as safe text: "1.22 ms", "main.worker", "-" for nothing. */
void figure_add(const struct trace *trace, enum figure_type type, int64_t value, bool is_wall,
	bool ascii, struct text *out);
/* Whether cells of a type end in line, and whether they are texts. */
bool figure_is_right(enum figure_type type);
bool figure_is_text(enum figure_type type);

/* What a value of a type is ordered by: bytes, of the trace, where they are not NULL; else the number. */
struct figure_key {
	const char *bytes;
	size_t length;
	int64_t number;
	uint32_t row; /* the caller's */
};

struct figure_key figure_key(const struct trace *trace, enum figure_type type, int64_t value);

#endif
