/*
 * Lives of tasks, worked out on a thread of its own, for those who must not wait. The one who
 * began it takes each that is there, and ends the job when it is done, or before.
 */
#ifndef TTRACE_ANALYSIS_TASK_JOB_H
#define TTRACE_ANALYSIS_TASK_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/task_life.h"
#include "base/error.h"
#include "trace/trace.h"

struct task_job;

/*
 * The tasks whose lives are wanted. Each time another one is there, and when it is done, a job for
 * it calls wake(context) on its thread (NULL: nothing to call).
 */
struct task_wish {
	const task_ref *tasks;
	size_t count;
	void (*wake)(void *context);
	void *context;
};

/*
 * Begins with the first of the tasks. Trace and index must outlive the job. NULL without memory.
 */
struct task_job *task_job_start(const struct trace *trace, const struct task_index *index,
	const struct task_wish *wish, struct error *err);

/* Whether a task is among those that were asked for. O(their number). */
bool task_job_has(const struct task_job *job, task_ref task);
/* The next life, which becomes the caller's; false while there is none. */
bool task_job_take(struct task_job *job, struct task_life *life);
/* It works no more: all is there, or it failed, or was told to stop. */
bool task_job_is_done(const struct task_job *job);
/* Why it failed, NULL if it did not; once it is done. */
const struct error *task_job_failure(const struct task_job *job);
/* Tells it to stop, without waiting for it. */
void task_job_stop(struct task_job *job);
/* Stops it, waits for it and frees it with what was not taken. NULL is fine. */
void task_job_end(struct task_job *job);

#endif
