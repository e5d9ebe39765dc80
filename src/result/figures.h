/*
 * Figures: a table that is kept, as rows of cells that are all one number each (result/result.h),
 * so that it outlives the snapshot that it was made of. For the screen and to compare.
 */
#ifndef TTRACE_RESULT_FIGURES_H
#define TTRACE_RESULT_FIGURES_H

#include "base/job.h"
#include "result/result.h"

enum { FIGURES_TITLE = 24, FIGURES_MOST_COLUMNS = 320 };

struct figures_column {
	char title[FIGURES_TITLE]; /* safe text */
	enum figure_type type;
	uint8_t style;             /* of its bars; of what an analysis filled in, enum result_hue */
	const char *key;           /* for programs; NULL: it has none */
	bool is_dimension;
	uint8_t decimals;          /* of FIGURE_AMOUNT */
};

struct figures {
	const char *name;               /* for programs; NULL: it has none */
	struct figures_column *columns; /* the first one says what the row is about */
	int column_count;
	size_t row_count;
	int64_t *cells;               /* row by row, of each layer by layer */
	int layer_count;              /* tables with the same rows and columns ... */
	const char *const *layer_names; /* ... and their names: "total", "mean"; NULL of one layer */
	int usual_column;             /* to sort by at first */
	struct result_place *places;  /* by row; NULL: there are none */
	const char *opens;            /* as of struct result_table, and so the next */
	void (*parameter_of)(const char *name, size_t length, struct text *parameter);
	const char *none;             /* what stands there without rows */
	uint64_t all_count;           /* of which the rows are some; 0: they are all */
	int bar_width;                /* from which width of the screen on there are bars; 0: the usual one */
	const struct intern *texts;   /* that names and strings are ids of; NULL: those of the trace */
	struct intern *own_texts;     /* of FIGURE_TEXT, and `texts` where the figures own them; or NULL */
	struct figures *next;         /* the table behind it; NULL: it is the last */
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
/* With those behind them; NULL is fine. */
void figures_free(struct figures *figures);

static inline int64_t *
figures_cell(const struct figures *figures, int layer, size_t row, int column)
{
	size_t line = row * (size_t)figures->layer_count + (size_t)layer;
	return &figures->cells[line * (size_t)figures->column_count + (size_t)column];
}

/* Of "duration_ns" the length without the unit. */
size_t figures_key_length(const char *key);
/* By how much a value has changed, as FIGURE_CHANGE_SHARE has it. */
int64_t figures_change_share(int64_t before, int64_t after);

/* ---- keeping what an analysis fills in */

/* Keeps the columns of people, or those of programs. */
struct figures_sink {
	struct result_sink sink; /* the first field */
	const struct words *words; /* of the trace */
	bool is_for_programs;
	const atomic_bool *is_cancelled; /* once it is set no row is taken any more; NULL: it never is */
	struct figures *first, *last;
	const struct result_table *table; /* that is being filled */
	bool is_left_out;                 /* it has no columns of theirs */
	size_t cell_count, cell_capacity, place_capacity;
};

/* figures_sink_end() is needed only after success. */
bool figures_sink_begin(struct figures_sink *keep, const struct trace *trace, bool is_for_programs,
	struct error *err);
/*
 * The tables that were filled, each leading to the next; NULL where is_fine is false, and then,
 * or without memory, they are freed.
 */
struct figures *figures_sink_end(struct figures_sink *keep, bool is_fine, struct error *err);

#endif
