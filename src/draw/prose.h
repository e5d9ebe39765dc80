/*
 * Texts about a trace. Each is written once and read on the screen and in print: a writer says
 * what a line is and where it leads, and the medium, view/walk_text.h or report/page_text.h, how that
 * looks. On the screen OPEN goes to the place of the line; in print the options that show it
 * can be copied.
 */
#ifndef TTRACE_DRAW_PROSE_H
#define TTRACE_DRAW_PROSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "draw/time_form.h"
#include "trace/span.h"
#include "trace/trace.h"
#include "trace/words.h"

struct beneath; /* analysis/beneath/beneath.h */
struct prose;

/* A column of a list. */
struct prose_column {
	struct table_column look; /* in print; the title is a pattern of text_add_words() */
	int at;                   /* where it begins on the screen, if there is room; 0: where the last one ends */
	bool is_printed_only;
	bool is_nested;           /* a row's depth moves it to the right */
};

/* How a medium shows what the functions of the same names below tell; `words` is theirs to empty. */
struct prose_medium {
	void (*heading)(struct prose *prose);
	void (*item)(struct prose *prose, size_t number);
	void (*pause)(struct prose *prose);
	void (*line)(struct prose *prose);
	void (*fact)(struct prose *prose, const char *key);
	void (*say)(struct prose *prose, struct cell_style style);
	void (*list)(struct prose *prose, const struct prose_column *columns, int count);
	void (*row)(struct prose *prose, uint32_t depth);
	void (*join)(struct prose *prose, const char *joint);
	void (*cell)(struct prose *prose, struct cell_style style);
	void (*lead)(struct prose *prose, struct lane lane, int64_t from_ns, int64_t until_ns);
	void (*path)(struct prose *prose, actor_ref actor, int64_t from_ns, int64_t until_ns);
	void (*query)(struct prose *prose, const char *query, bool is_all);
};

struct prose {
	const struct prose_medium *medium;
	const struct trace *trace;
	const struct beneath *beneath; /* what lies beneath it; NULL: nothing */
	struct text *words;    /* safe text that the next call shows */
	struct time_form form; /* of moments ... */
	bool is_exact;         /* ... which are told to the nanosecond */
	bool ascii;
	uint64_t most_rows;    /* of a list; 0: all there are */
	size_t most_sums;      /* rows of a list whose last one sums up what is left */
	bool is_over;          /* nobody reads on */
};

extern const struct cell_style prose_plain, prose_dim, prose_bright;
/* The colour that the lanes have for the class. */
struct cell_style prose_class_style(enum time_class time_class);

/* ---- lines. Each ends the one before */

/* What follows is about this, a pattern of text_add_words(). */
static inline void
prose_heading(struct prose *prose, const char *pattern)
{
	text_add_words(prose->words, prose->trace->words, pattern);
	prose->medium->heading(prose);
}

/*
 * The first line of an item, counted from 1, with three cells: what it is, where, and how much. What
 * follows belongs to it.
 */
static inline void
prose_item(struct prose *prose, size_t number)
{
	prose->medium->item(prose, number);
}

/* Behind the last item: what follows is about all of them. */
static inline void
prose_pause(struct prose *prose)
{
	prose->medium->pause(prose);
}

static inline void
prose_line(struct prose *prose)
{
	prose->medium->line(prose);
}

/* A line that begins with its key. */
static inline void
prose_fact(struct prose *prose, const char *key)
{
	prose->medium->fact(prose, key);
}

/* ---- words of the line. What follows the cells of a row is shown on the screen alone */

static inline void
prose_say(struct prose *prose, struct cell_style style)
{
	prose->medium->say(prose, style);
}

void prose_string(struct prose *prose, struct cell_style style, const char *safe);
void prose_duration(struct prose *prose, struct cell_style style, int64_t duration_ns);
/* The next two append to `words`. A moment in print is told as finely as the duration needs. */
void prose_add_duration(struct prose *prose, int64_t duration_ns);
void prose_add_moment(struct prose *prose, int64_t t_ns, int64_t duration_ns);

/* ---- lists: rows of cells. In print a table; on the screen each row is a line */

/* The columns stay where they are as long as rows follow. */
static inline void
prose_list(struct prose *prose, const struct prose_column *columns, int count)
{
	prose->medium->list(prose, columns, count);
}

static inline void
prose_row(struct prose *prose, uint32_t depth)
{
	prose->medium->row(prose, depth);
}

/*
 * Before the words of a cell that has no column of its own on the screen: what joins it to the cell
 * before. Print has columns and no joints; no joint stands beside an empty cell.
 */
static inline void
prose_join(struct prose *prose, const char *joint)
{
	prose->medium->join(prose, joint);
}

/* The words are the next cell of the row; a row has all of them. */
static inline void
prose_cell(struct prose *prose, struct cell_style style)
{
	prose->medium->cell(prose, style);
}

/* A function and its place, two cells, of which the first has the joint and the style; NULL: empty. */
void prose_frame(struct prose *prose, const char *joint, struct cell_style style,
	const struct stack_frame *frame);

/* Whether behind so many rows another one is shown. */
static inline bool
prose_has_room(const struct prose *prose, uint64_t told)
{
	return !prose->is_over && (prose->most_rows == 0 || told < prose->most_rows);
}

/* Behind a list: how many rows are not shown; nothing for 0. */
void prose_more(struct prose *prose, uint64_t count);

/* ---- where it leads */

/* The row, the item or else the line leads there; at the place [from, until) is of interest. */
static inline void
prose_lead(struct prose *prose, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	prose->medium->lead(prose, lane, from_ns, until_ns);
}

/* The critical path of the actor over that time is worth a look. */
static inline void
prose_path(struct prose *prose, actor_ref actor, int64_t from_ns, int64_t until_ns)
{
	prose->medium->path(prose, actor, from_ns, until_ns);
}

/* The query finds what the item tells of; else, of very many, the longest. Safe text. */
static inline void
prose_query(struct prose *prose, const char *query, bool is_all)
{
	prose->medium->query(prose, query, is_all);
}

#endif
