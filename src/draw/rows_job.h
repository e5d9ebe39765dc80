/*
 * What rows need of a large trace and takes long to find, found on a thread of its own: the stack
 * lanes of an actor, what ran on a processor, or the tasks. A lane names it: one of that type.
 */
#ifndef TTRACE_DRAW_ROWS_JOB_H
#define TTRACE_DRAW_ROWS_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "draw/rows.h"

/* States of an actor, or tasks and all that may belong to one: some milliseconds. */
enum { ROWS_AT_ONCE = 100000 };

/*
 * Whether there is more than ROWS_AT_ONCE to be looked at for rows_show_stacks() of an actor, for
 * unfolding a processor or for rows_show_tasks(), that was not yet. O(1).
 */
bool rows_take_long(const struct timeline_rows *rows, struct lane what);

struct rows_job;

/*
 * Begins to find that. The rows may change meanwhile, but not become those of another trace. When
 * it is done, wake(context) is called on its thread (NULL: nothing to call). NULL with err set
 * on failure.
 */
struct rows_job *rows_job_start(const struct timeline_rows *rows, struct lane what,
	void (*wake)(void *context), void *context, struct error *err);
bool rows_job_is_done(const struct rows_job *job);
/* Tells it to end, and does not wait. */
void rows_job_cancel(struct rows_job *job);
/*
 * Ends a job: at once if it is done, else soon. If it came to its end the rows have then what it
 * found, so that showing it does not take long; with NULL for rows it is dropped. False with err
 * set where it did not, ERROR_CANCELLED where it was told to end. NULL for a job is fine.
 */
bool rows_job_end(struct rows_job *job, struct timeline_rows *rows, struct error *err);

#endif
