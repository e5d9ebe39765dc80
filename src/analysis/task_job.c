/* One life after the other; a count says how many are there. */
#include "analysis/task_job.h"

#include <stdatomic.h>

#include "base/job.h"
#include "base/memory.h"

struct task_job {
	const struct trace *trace;
	const struct task_index *index;
	task_ref *tasks;
	struct task_life *lives; /* of the first `made` tasks, those before `taken` moved out */
	size_t count, taken;
	atomic_size_t made;
	atomic_bool is_stopped;
	struct error err;
	struct job run;
};

static void
work(void *context)
{
	struct task_job *job = context;
	struct task_watch watch = { .states_left = UINT64_MAX, .is_stopped = &job->is_stopped };
	for (size_t i = 0; i < job->count; i++) {
		if (!task_life_build_watched(&job->lives[i], job->trace, job->index, job->tasks[i],
			    &watch, &job->err))
			break;
		atomic_store_explicit(&job->made, i + 1, memory_order_release);
		if (i + 1 < job->count)
			job_wake(&job->run);
	}
}

static void
free_job(struct task_job *job)
{
	size_t made = job->lives == NULL ? 0 : atomic_load(&job->made);
	for (size_t i = job->taken; i < made; i++)
		task_life_release(&job->lives[i]);
	memory_free(job->lives);
	memory_free(job->tasks);
	memory_free(job);
}

struct task_job *
task_job_start(const struct trace *trace, const struct task_index *index,
	const struct task_wish *wish, struct error *err)
{
	struct task_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		error_set_memory(err, "the tasks");
		return NULL;
	}
	*job = (struct task_job){ .trace = trace, .index = index, .count = wish->count };
	error_clear(&job->err);
	job->tasks = array_copy(wish->tasks, job->count, sizeof *job->tasks, err);
	if (job->tasks != NULL)
		job->lives = array_new(job->count, sizeof *job->lives, err);
	if (job->lives != NULL && job_start(&job->run, work, job, wish->wake, wish->context, err))
		return job;
	free_job(job);
	return NULL;
}

bool
task_job_has(const struct task_job *job, task_ref task)
{
	for (size_t i = 0; i < job->count; i++)
		if (job->tasks[i] == task)
			return true;
	return false;
}

bool
task_job_take(struct task_job *job, struct task_life *life)
{
	if (job->taken == atomic_load_explicit(&job->made, memory_order_acquire))
		return false;
	*life = job->lives[job->taken++];
	return true;
}

bool
task_job_is_done(const struct task_job *job)
{
	return job_is_done(&job->run);
}

const struct error *
task_job_failure(const struct task_job *job)
{
	bool is_stopped = job->err.kind == ERROR_CANCELLED;
	return task_job_is_done(job) && job->err.kind != ERROR_NONE && !is_stopped ? &job->err
										   : NULL;
}

void
task_job_stop(struct task_job *job)
{
	atomic_store(&job->is_stopped, true);
}

void
task_job_end(struct task_job *job)
{
	if (job == NULL)
		return;
	task_job_stop(job);
	job_wait(&job->run);
	free_job(job);
}
