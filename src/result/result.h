/*
 * Results: what an analysis answers, whoever asks. An analysis fills a sink with tables, row by
 * row; a sink prints them as they come (report/result.h), or keeps them for the screen and to
 * compare them (result/figures.h). A table says of each column what it is, so that its forms,
 * its order, `--check` and `--diff` follow without a line in the analysis.
 */
#ifndef TTRACE_RESULT_RESULT_H
#define TTRACE_RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/units.h"
#include "trace/span.h"
#include "trace/trace.h"

/* What the number in a cell is. */
enum figure_type {
	FIGURE_FUNCTION,  /* string_id of a function that actors start with */
	FIGURE_CALLED,    /* string_id of a function of a stack */
	FIGURE_STRING,    /* string_id */
	FIGURE_TEXT,      /* string_id of result_text() */
	FIGURE_NAME,      /* the same of a function */
	FIGURE_ACTOR,     /* a ref; REF_NONE: none, as for the next two */
	FIGURE_TASK,
	FIGURE_PROCESSOR,
	FIGURE_FRAME,     /* stack_id, for its leaf: own_code_stack() */
	FIGURE_BAR,       /* a share, of which only a bar is printed */
	FIGURE_NUMBER,    /* the types from here on end in line; this one is a name */
	FIGURE_MOMENT,    /* ns since the trace began */
	FIGURE_COUNT,     /* from here on more is worse: most first */
	FIGURE_AMOUNT,    /* the same with decimals, and it may be less than nothing */
	FIGURE_DURATION,  /* ns */
	FIGURE_BYTES,
	FIGURE_SHARE,     /* of figure_of_share() */
	FIGURE_PERCENT,   /* the same, printed as hundredths: of columns whose title or key says so */
	FIGURE_MEAN,      /* likewise, but no part of a whole: how many there were on the average */
	FIGURE_CHANGE,    /* of a duration; from here on below 0 is less, and they are signed */
	FIGURE_CHANGE_COUNT,
	FIGURE_CHANGE_BYTES,
	FIGURE_CHANGE_SHARE /* in millionths of what was; ordered by its sign as well */
};

/* No value, of FIGURE_TEXT and any type from FIGURE_NUMBER on. */
#define FIGURE_NONE INT64_MIN
/* A share of what was nothing. */
#define FIGURE_NEW INT64_MAX

/* Whether cells of a type end in line, and whether they are texts. */
static inline bool
figure_is_right(enum figure_type type)
{
	return type >= FIGURE_NUMBER;
}

static inline bool
figure_is_text(enum figure_type type)
{
	return type < FIGURE_NUMBER;
}

/* Whether they are changes. */
static inline bool
figure_is_change(enum figure_type type)
{
	return type >= FIGURE_CHANGE;
}

/* What of units_change() a change, or a value that changes, is of. */
static inline enum units_of
figure_units(enum figure_type type)
{
	return type == FIGURE_CHANGE || type == FIGURE_DURATION	  ? UNITS_OF_DURATION
	       : type == FIGURE_CHANGE_BYTES || type == FIGURE_BYTES ? UNITS_OF_BYTES
								     : UNITS_OF_COUNT;
}

/* A share from 0 on as a cell, and back: exact, and in the order of the shares. */
int64_t figure_of_share(double share);
double figure_share(int64_t cell);

/* What bars stand for, which their colour says. */
enum result_hue {
	HUE_NONE, HUE_RUNNING, HUE_READY, HUE_SYNC, HUE_SYSCALL, HUE_COLLECTION, HUE_COLLECTOR,
	HUE_STOP, HUE_UNKNOWN, HUE_LESS, HUE_MORE, HUE_COUNT
};

struct result_column {
	const char *key;     /* for programs: "total_ns", its unit behind it; NULL: only for people */
	const char *title;   /* for people, a pattern of text_add_words(); NULL: only for programs */
	enum figure_type type;
	const char *on_screen; /* its title there; NULL: the same. Without key and title it is only there */
	bool is_printed_only;  /* it is not on the screen */
	bool is_id;          /* of an actor only its id is printed */
	bool is_left;        /* in print its cells begin in line, as names do; ... */
	bool is_right;       /* ... of texts, they end in line, as numbers do */
	bool is_dimension;   /* it tells what a row is about; else it is a measure of that */
	uint8_t rank;        /* without room the column with the greatest goes; 0: it stays */
	uint8_t place_rank;  /* of the place of a frame; 0: one more than the frame's */
	uint8_t least_cells; /* it can be made as narrow as this; 0: as narrow as its texts */
	uint8_t hue;         /* enum result_hue, of its bars on the screen */
	uint8_t decimals;    /* of amounts: cells count 10^-decimals */
};

/* Columns: what a row is about, and a measure of that; further fields may follow, as ".rank = 2". */
#define DIMENSION(key_of, title_of, type_of, ...)                                                  \
	{ .key = (key_of), .title = (title_of), .type = (type_of), .is_dimension = true,           \
		__VA_ARGS__ }
#define MEASURE(key_of, title_of, type_of, ...)                                                    \
	{ .key = (key_of), .title = (title_of), .type = (type_of), __VA_ARGS__ }

/* Where a row leads: to a lane, with [from, until) on the screen. */
struct result_place {
	struct lane lane;
	int64_t from_ns, until_ns;
};

/*
 * The picture that people are shown in place of a table's rows, whose last columns are from, to, and a
 * count. Bars: a line for each row. A map, where `columns` is set: the two columns in front of them are
 * the time from and to. A map of intervals, where `intervals` is set: the number of the interval stands
 * in front, from 0 on.
 */
struct result_chart {
	const char *caption;   /* of bars: below them; safe text */
	const char *unit;      /* of bars: that their bounds are in, safe text */
	bool is_half_open;     /* of bars: values of `to` are in the next row; else in this one */
	int64_t t0_ns, t1_ns;  /* of a map: [t0, t1) in equal columns ... */
	int columns;
	int64_t least_ns, most_ns; /* ... and the rows that heat_scale_for() makes of these */
	int rows;
	const char *const *intervals; /* their names, safe text */
	int interval_count;
};

enum { RESULT_MOST_COLUMNS = 64 };

struct result_table {
	const char *name;  /* for programs */
	const char *title; /* for people, safe text */
	const struct result_column *columns; /* dimensions first; no more than there may be, a frame is two */
	int column_count;
	int usual_column;  /* by which the screen sorts it at first */
	/*
	 * Statistics, of which the screen shows one at a time: "total", "mean". What is printed is the
	 * first. NULL: there are none.
	 */
	const char *const *layers;
	int layer_count;
	bool is_as_made;   /* --sort and --limit have no say */
	bool is_exact;     /* moments are printed to the nanosecond, as --at takes them */
	/* What people read in place of rows, patterns; the second may be NULL: the same. */
	const char *none, *none_on_screen;
	/*
	 * The analysis that a row leads to, whose parameter is the text of its first column;
	 * parameter_of(), where it is set, appends it otherwise; a zero byte stands behind the name.
	 * NULL: the row leads to its place.
	 */
	const char *opens;
	void (*parameter_of)(const char *name, size_t length, struct text *parameter);
	uint64_t all_count; /* of which the rows are some; 0: they are all */
	const struct result_chart *chart; /* NULL: people read the rows, too */
};

struct result_sink {
	/* What people read above the tables; safe text. NULL: nobody does. */
	void (*fact)(struct result_sink *sink, const char *key, const char *value);
	/* Begins a table, which stays where it is until it ends; the rows follow. */
	bool (*begin)(struct result_sink *sink, const struct result_table *table, struct error *err);
	/* A cell for each column; for the screen one for each of every layer. place may be NULL. */
	bool (*row)(struct result_sink *sink, const int64_t *cells, const struct result_place *place,
		struct error *err);
	bool (*end)(struct result_sink *sink, struct error *err);
	struct intern texts; /* of cells of FIGURE_TEXT and FIGURE_NAME */
	/* A long table is read part by part, each a table with a title of its own. */
	bool wants_parts;
	bool is_screen; /* all layers of a table are wanted; what is behind the first one is not shown */
	bool ascii; /* what is read is to be */
	/* --sort is set, and no column of the tables that ended is the one. */
	bool awaits_sort;
	/* The room for a map, as its columns and rows; 0: nobody sees charts. */
	int chart_columns, chart_rows;
	/*
	 * Where --sort and --limit chose rows of the last table that they have a say in: their numbers,
	 * from 0, in the order in which they were told. NULL: all of them, as they were made.
	 */
	const uint32_t *shown;
	size_t shown_count;
};

/* The text as a cell. */
bool result_text(struct result_sink *sink, const char *bytes, size_t length, int64_t *cell,
	struct error *err);

#endif
