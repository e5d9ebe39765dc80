/* A worker that tells when it is done. */
#include "base/job.h"

#include "base/thread.h"

void
job_wake(const struct job *job)
{
	if (job->wake != NULL)
		job->wake(job->context);
}

static void
run(void *context)
{
	struct job *job = context;
	job->work(job->owner);
	atomic_store_explicit(&job->is_done, true, memory_order_release);
	job_wake(job);
}

bool
job_start(struct job *job, void (*work)(void *owner), void *owner, void (*wake)(void *context),
	void *context, struct error *err)
{
	*job = (struct job){ .work = work, .owner = owner, .wake = wake, .context = context };
	job->worker = worker_new(run, job, err);
	return job->worker != NULL;
}

bool
job_is_done(const struct job *job)
{
	return atomic_load_explicit(&job->is_done, memory_order_acquire);
}

void
job_wait(struct job *job)
{
	worker_join(job->worker);
	job->worker = NULL;
}

bool
job_goes_on(const atomic_bool *is_cancelled, struct error *err)
{
	return is_cancelled == NULL ||
	       !atomic_load_explicit(is_cancelled, memory_order_relaxed) ||
	       error_set(err, ERROR_CANCELLED, "cancelled");
}
