/* What the files of the rows share. Only for draw/rows*.c. */
#ifndef TTRACE_DRAW_ROWS_INTERNAL_H
#define TTRACE_DRAW_ROWS_INTERNAL_H

#include "draw/rows.h"

static inline const struct lane_order *
rows_lane_order(const struct timeline_rows *rows)
{
	return rows->given != NULL ? rows->given : &rows->usual;
}

/* Puts groups, processors and threads in order; all groups are folded. On failure some may be. */
bool rows_order(struct timeline_rows *rows, struct error *err);
/* Makes the list anew from what the rows hold. O(rows). On failure it is as it was. */
bool rows_list(struct timeline_rows *rows, struct error *err);

/* What is open at first: a section, and groups of more than one. */
bool rows_section_usual(const struct timeline_rows *rows, enum row_section section);
/* Unfolds it; the list stays as it is. */
static inline void
rows_open_section(struct timeline_rows *rows, enum row_section section)
{
	rows->section_is_turned[section] = !rows_section_usual(rows, section);
}
bool rows_groups_usual(const struct trace *trace);
/* So that all sections and groups are; the list stays as it is. */
void rows_fold_usual(struct timeline_rows *rows);

/* Whether an actor is unfolded at first, for its slices: one of the first of the trace. */
bool rows_nest_usual(const struct timeline_rows *rows, struct lane lane);
/* Unfolds those; the list stays as it is. */
bool rows_open_usual(struct timeline_rows *rows, struct error *err);
/* Unfolds a track that has something beneath it, unless it is unfolded; the list stays as it is. */
bool rows_open_nest(struct timeline_rows *rows, struct lane lane, struct error *err);
/*
 * Tasks within tasks that are unfolded for one, and the most that rows of them are indented: no
 * screen has room for more, and each has to be asked who works for it.
 */
enum { ROWS_DEEPEST_TASK = 64 };
/*
 * Shows tasks and unfolds those above a task, one that is shown alone gives way; of a task that
 * lies deeper than ROWS_DEEPEST_TASK shows it alone.
 */
bool rows_reveal_task(struct timeline_rows *rows, task_ref task, struct error *err);

#endif
