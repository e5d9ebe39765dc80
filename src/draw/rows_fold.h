/* What of the rows is folded otherwise than at first, by names that lead back to it. */
#ifndef TTRACE_DRAW_ROWS_FOLD_H
#define TTRACE_DRAW_ROWS_FOLD_H

#include "draw/rows.h"

/*
 * Names: a heading by "procs", "threads", "goroutines", "wakers", "woken", "ran-on" or
 * "tasks"; rows without a heading by "counters", "gc" or "events"; the panel by "panel"; a track
 * as trace/lane_name.h does; a group that such a name does not lead to by "group:G42", an actor
 * in it.
 */

/*
 * Calls add(context, name) for each row that is folded where it would be open at first, or the
 * other way round. At first is as rows_init(), rows_focus() and rows_reveal() of `task` leave it,
 * which is unfolded as well; REF_NONE: there is none. A name that holds a zero byte is left out.
 * O(groups + rows that are open).
 */
void rows_name_folds(const struct timeline_rows *rows, task_ref task,
	void (*add)(void *context, const char *name), void *context);

/*
 * The other way: headings and groups become as at first, but for those of the names, and what else
 * they name is folded or unfolded against that. False with err set without memory or where
 * nothing is called so; the others are done all the same. O(rows + groups).
 */
bool rows_fold_names(struct timeline_rows *rows, task_ref task, const char *const *names,
	size_t count, struct error *err);

#endif
