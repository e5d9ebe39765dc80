/* Who interacts with a goroutine, found on a worker. */
#include "analysis/interacts.h"
#include "base/memory.h"
#include "base/thread.h"

struct interacts_job {
	const struct trace *trace;
	struct interacts_plan plan;
	void (*wake)(void *context);
	void *context;
	struct worker *worker;
	atomic_bool is_cancelled, is_done;
	/* The worker's until it is done. */
	bool is_fine;
	struct interacts interacts;
	struct error err;
};

static void
work(void *context)
{
	struct interacts_job *job = context;
	job->is_fine = interacts_build(
		&job->interacts, job->trace, job->plan, &job->is_cancelled, &job->err);
	atomic_store_explicit(&job->is_done, true, memory_order_release);
	if (job->wake != NULL)
		job->wake(job->context);
}

struct interacts_job *
interacts_job_start(const struct trace *trace, struct interacts_plan plan,
                    void (*wake)(void *context), void *context, struct error *err)
{
	struct interacts_job *job = array_new(1, sizeof *job, err);
	if (job == NULL)
		return NULL;
	job->trace = trace;
	job->plan = plan;
	job->wake = wake;
	job->context = context;
	error_clear(&job->err);
	job->worker = worker_new(work, job, err);
	if (job->worker != NULL)
		return job;
	memory_free(job);
	return NULL;
}

bool
interacts_job_is_done(const struct interacts_job *job)
{
	return atomic_load_explicit(&job->is_done, memory_order_acquire);
}

struct interacts_plan
interacts_job_plan(const struct interacts_job *job)
{
	return job->plan;
}

bool
interacts_job_end(struct interacts_job *job, struct interacts *interacts, struct error *err)
{
	if (job == NULL)
		return false;
	atomic_store(&job->is_cancelled, true);
	worker_join(job->worker);
	bool is_fine = job->is_fine;
	if (is_fine)
		*interacts = job->interacts;
	else
		*err = job->err;
	memory_free(job);
	return is_fine;
}
