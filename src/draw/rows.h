/*
 * The rows of the timeline, from top to bottom: counters, rows of the runtime,
 * processors, threads, and actors in groups by start function that fold. The list
 * is made anew when something folds or unfolds; a frame looks only at the
 * rows on screen.
 */
#ifndef TTRACE_DRAW_ROWS_H
#define TTRACE_DRAW_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/go/assists.h"
#include "analysis/interacts.h"
#include "analysis/lane_order.h"
#include "analysis/samples.h"
#include "analysis/stack_chart.h"
#include "base/error.h"
#include "draw/moments.h"
#include "draw/nest.h"
#include "draw/row.h"
#include "draw/row_focus.h"
#include "draw/row_marks.h"
#include "draw/row_picks.h"
#include "trace/span.h"
#include "trace/trace.h"

struct beneath_lanes; /* analysis/beneath/lanes.h */
struct search;    /* query/search.h */
struct task_rows; /* draw/task_rows.h */

#define ROW_NONE SIZE_MAX

/* How much room there is: what is folded at first, and how high charts are. */
enum rows_size {
	ROWS_UNSIZED, /* not known yet; as ROWS_USUAL */
	ROWS_SMALL,   /* all that is not an actor's is folded */
	ROWS_USUAL,
	ROWS_TALL     /* charts that gain by it take two rows */
};

struct timeline_rows {
	const struct trace *trace;
	uint32_t renewals; /* how often it became another one */
	uint32_t listings; /* how often the list was made, in all of them */
	struct row *items;
	size_t count, capacity;
	const struct lane_order *given; /* of groups and actors; NULL: the usual one, ... */
	struct lane_order usual;        /* ... which is empty else */
	struct ref_list processor_order, thread_order; /* by id */
	bool *group_is_open;                      /* by group */
	bool section_is_turned[SECTION_COUNT]; /* folded otherwise than at first */
	enum rows_size size;
	struct row_focus focus;
	struct interacts interacts;            /* only those are shown; without `away`: all are */
	bool step_is_folded[INTERACTS_MOST_STEPS + 1];
	struct nests nests;
	bool shows_tasks;       /* in place of all else, as lanes */
	struct task_rows *tasks; /* NULL until they are first shown */
	bool is_waiting;        /* lanes of tasks on the screen are not there yet */
	void (*wake)(void *context); /* from any thread; may be NULL */
	void *wake_context;
	const struct row_picks *hidden; /* left out as well; NULL: nothing is */
	const struct row_picks *pinned; /* shown on top as well; NULL: nothing is */
	size_t pin_count;               /* the first rows, which are those */
	struct search *filter; /* rows of lanes without a match are left out; NULL: none is */
	struct moments moments;
	struct samples samples;
	struct pieces assists;
	const struct beneath_lanes *beneath; /* of the trace; NULL: nothing lies beneath it */
	const struct pieces *others; /* what ran on processors that is not of a trace above; NULL: nobody knows */
	struct stack_chart stacks; /* shown beneath its actor's lane */
	struct stack_chart made;   /* for rows_show_stacks(), so that it need not be built */
	struct nest made_nest;     /* the same for a processor that is unfolded next ... */
	bool has_made_nest;        /* ... where there is one */
};

/*
 * The rows of a frozen trace in an order of it (NULL: the usual one), both of which must outlive
 * them. Threads are folded, groups as well unless the trace is small. `marks` are taken if they are
 * of that trace; else, or with NULL, they are made. O(groups * log n) and the cost of
 * row_marks_new().
 */
bool rows_init(struct timeline_rows *rows, const struct trace *trace,
	const struct lane_order *order, struct row_marks *marks, struct error *err);
/* Takes the assists of marks of the rows' trace, for rows that began without. */
void rows_take_assists(struct timeline_rows *rows, struct row_marks *marks);
void rows_release(struct timeline_rows *rows);

/*
 * The rows of a later snapshot of their trace: what is open and what is in focus stay so.
 * On failure the rows are as they were. The cost of rows_init(), with a focus that of
 * rows_focus() as well; `marks` are taken if they are of that trace (NULL: none were made), and
 * need not be made then. A filter is not kept.
 */
bool rows_renew(struct timeline_rows *rows, const struct trace *trace,
	const struct lane_order *order, struct row_marks *marks, struct error *err);
/*
 * Of another size, what the size folds or unfolds is as at first again; what was folded before any
 * was known stays. O(rows). On failure the rows are as they were.
 */
bool rows_set_size(struct timeline_rows *rows, enum rows_size size, struct error *err);

/*
 * Puts one actor first, with its regions, the actors that woke it or were
 * woken by it and the processors it ran on; all other rows go. REF_NONE brings them back.
 * Looks at every state of the trace, once.
 */
bool rows_focus(struct timeline_rows *rows, actor_ref actor, struct error *err);

/*
 * Shows nothing but an actor and those that interact with it, by how far they are away; what is
 * given becomes the rows'. With NULL all is shown again. Tasks and a focus take the place of that
 * as well. O(actors). On failure nothing has changed and nothing was taken.
 */
bool rows_interact(struct timeline_rows *rows, struct interacts *interacts, struct error *err);

/*
 * Shows the stack lanes of an actor beneath its lane, in place of those of another one;
 * REF_NONE shows none. The cost of stack_chart_build(), and O(rows). On failure the rows are as
 * they were.
 */
bool rows_show_stacks(struct timeline_rows *rows, actor_ref actor, struct error *err);
/*
 * Shows tasks as lanes in place of all other rows, those that took longest first; or one alone,
 * unfolded, and the processors; or with `shows` false all other rows again. The first time costs
 * task_rows_new().
 */
bool rows_show_tasks(struct timeline_rows *rows, bool shows, task_ref only, struct error *err);
/*
 * To be called before rows are drawn: works out the lanes of the tasks among `count` rows from
 * `first` on and those that are pinned, without which they stay empty, as task_rows_ask() says. The
 * rows' wake is called when more of them are there; is_waiting says whether that is to come.
 */
bool rows_prepare(struct timeline_rows *rows, size_t first, size_t count, struct error *err);

/* Before rows are drawn: nest_match() of all that are open. */
bool rows_match_slices(struct timeline_rows *rows, enum slice_search which,
	const struct search *search, uint32_t number, struct error *err);
/*
 * Leaves out what has no match, or with NULL nothing. The filter must outlive that. O(rows). Tasks
 * without a parent are left out as well until rows_match_more() has asked whether they match.
 */
bool rows_filter(struct timeline_rows *rows, struct search *filter, struct error *err);
/*
 * Asks that of some more of them, for a few milliseconds, unless a single one takes longer; where
 * others are left out it lists those that do. While rows_is_matching() there are more. The search is
 * the same as long as nobody calls task_rows_forget_matches(); NULL: there is none.
 */
bool rows_match_more(struct timeline_rows *rows, struct search *search, struct error *err);
bool rows_is_matching(const struct timeline_rows *rows, const struct search *search);
/*
 * How many lanes among the rows, but for those that are pinned, have a match of a search; SIZE_MAX
 * while rows_is_matching(). *lasts: until there are other rows. O(rows).
 */
size_t rows_count_matching(const struct timeline_rows *rows, struct search *search, bool *lasts);
/* Whether the filter leaves out a lane of actors, of a processor, a thread or a task. */
bool rows_leave_out(const struct timeline_rows *rows, struct lane lane);

/*
 * What lies beneath the trace from now on, or with NULL nothing, which must outlive that; the rows of threads get one
 * each for it. O(rows).
 */
bool rows_set_beneath(struct timeline_rows *rows, const struct beneath_lanes *lanes, struct error *err);
/*
 * Leaves out these lanes, or with NULL none; to be called again whenever there are others in
 * the list, which must outlive that. O(rows * hidden).
 */
bool rows_hide(struct timeline_rows *rows, const struct row_picks *hidden, struct error *err);
/*
 * Shows these rows on top as well, in that order, what is beneath them with them, whatever is
 * left out elsewhere; or with NULL none. Otherwise as rows_hide(); the first time with a task among
 * them it costs task_rows_new() as well.
 */
bool rows_pin(struct timeline_rows *rows, const struct row_picks *pinned, struct error *err);

/* The slices of a row of them, until something folds. O(log n + open ones). */
struct slice_row rows_slices(const struct timeline_rows *rows, size_t index);
/* The nest of a row of regions or logs. */
const struct nest *rows_nest(const struct timeline_rows *rows, size_t index);
/* The regions of a row of them. */
const struct region_row *rows_regions(const struct timeline_rows *rows, size_t index);

bool rows_section_is_open(const struct timeline_rows *rows, enum row_section section);
/* Of a section without a heading the first row can. */
bool row_can_fold(const struct timeline_rows *rows, size_t index);
bool row_is_open(const struct timeline_rows *rows, size_t index);
/* Folds or unfolds a row that can; the row stays where it is. O(rows). */
bool rows_toggle(struct timeline_rows *rows, size_t index, struct error *err);
bool rows_toggle_section(
	struct timeline_rows *rows, enum row_section section, struct error *err);

/* The lane of a row; false for a row without one. */
bool row_lane(const struct timeline_rows *rows, size_t index, struct lane *lane);
/*
 * The row of a lane; where that is folded away, the row it is folded into; ROW_NONE where
 * there is neither. O(rows).
 */
size_t rows_find(const struct timeline_rows *rows, struct lane lane);
/*
 * The row that a row of an earlier snapshot is now, best pinned or not as it was; ROW_NONE for
 * none. O(rows).
 */
size_t rows_find_again(
	const struct timeline_rows *rows, struct row row, const struct trace *before);
/*
 * The first row below the pins that shows what goes on: a processor, or all of them folded, else
 * the first one.
 */
size_t rows_first_lane(const struct timeline_rows *rows);
/* Unfolds what hides the lane. O(rows). */
bool rows_reveal(struct timeline_rows *rows, struct lane lane, struct error *err);

#endif
