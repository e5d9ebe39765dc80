/*
 * Figures: the numbers of an analysis that is a table, as rows of cells that are all one number
 * each, be it a count, a time or the ref of what the row is about. Only for view/.
 */
#ifndef TTRACE_VIEW_FIGURES_H
#define TTRACE_VIEW_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"

/* What the number of a cell is. */
enum figure_type {
	FIGURE_FUNCTION,  /* string_id of a function that actors start with */
	FIGURE_CALLED,    /* string_id of a function of a stack */
	FIGURE_STRING,    /* string_id */
	FIGURE_ACTOR,     /* a ref; REF_NONE: none, as for the next two */
	FIGURE_TASK,
	FIGURE_FRAME,     /* stack_id, for its leaf: own_code_stack() */
	FIGURE_TRIGGER,   /* enum gc_trigger (analysis/cycles.h) */
	FIGURE_CUT,       /* enum gc_cut, or'ed */
	FIGURE_NUMBER,    /* the types from here on end in line; this one is a name */
	FIGURE_MOMENT,
	FIGURE_COUNT,     /* from here on more is worse: most first */
	FIGURE_DURATION,
	FIGURE_BYTES,
	FIGURE_SHARE,     /* in millionths */
	FIGURE_CHANGE,    /* of a duration; from here on below 0 is less, and they are signed */
	FIGURE_CHANGE_COUNT,
	FIGURE_CHANGE_SHARE /* in millionths of what was; ordered by its sign as well */
};

/* No value, in counts, durations, bytes and shares. */
#define FIGURE_NONE INT64_MIN
/* A share of what was nothing. */
#define FIGURE_NEW INT64_MAX

enum { FIGURES_TITLE = 24, FIGURES_MOST_COLUMNS = 320 };

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
	int bar_width;                /* from which width of the screen on there are bars; 0: the usual one */
	const struct intern *texts;   /* that names and strings are ids of; NULL: those of the trace */
	struct intern *own_texts;     /* the same where the figures own them; else NULL */
};

/*
 * The figures have these texts in place of the trace's, and release them; on
 * failure they stay the caller's.
 */
bool figures_take_texts(struct figures *figures, struct intern *texts, struct error *err);
/* With room for so many rows, all 0; NULL with err set without memory. */
struct figures *figures_new(size_t row_count, int column_count, int layer_count, struct error *err);
/* The same of one layer, with these columns and room for places. */
struct figures *figures_new_with(const struct figures_column *columns, int column_count,
	size_t row_count, struct error *err);
/* A column that tells whom a row is about. */
struct figures_column figures_actor_column(const struct trace *trace);
/* Room for places. */
bool figures_add_places(struct figures *figures, struct error *err);
void figures_free(struct figures *figures); /* NULL is fine */

static inline int64_t *
figures_cell(const struct figures *figures, int layer, size_t row, int column)
{
	size_t line = (size_t)layer * figures->row_count + row;
	return &figures->cells[line * (size_t)figures->column_count + (size_t)column];
}

/* A cell of figures. */
struct figures_at {
	int layer;
	size_t row;
	int column;
};

/* Appends what a cell says, as safe text: "1.22 ms", "main.worker", "-" for nothing. */
void figures_add(const struct figures *figures, const struct trace *trace, struct figures_at at,
	bool is_wall, bool ascii, struct text *out);
/* Whether cells of a type end in line, and whether they are texts. */
bool figure_is_right(enum figure_type type);
bool figure_is_text(enum figure_type type);
/* Whether they are changes. */
bool figure_is_change(enum figure_type type);

/* By how much a value has changed, as FIGURE_CHANGE_SHARE has it. */
int64_t figures_change_share(int64_t before, int64_t after);

/*
 * What a cell is ordered by: bytes, of the trace or the texts, where they are
 * not NULL; else the number.
 */
struct figure_key {
	const char *bytes;
	size_t length;
	int64_t number;
	uint32_t row; /* the caller's */
};

struct figure_key figures_key(
	const struct figures *figures, const struct trace *trace, struct figures_at at);

#endif
