/* Who interacts with an actor, found on a worker. */
#include "analysis/interacts.h"
#include "base/job.h"
#include "base/memory.h"

struct interacts_job {
	const struct trace *trace;
	struct interacts_plan plan;
	struct job run;
	atomic_bool is_cancelled;
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
	error_clear(&job->err);
	if (job_start(&job->run, work, job, wake, context, err))
		return job;
	memory_free(job);
	return NULL;
}

bool
interacts_job_is_done(const struct interacts_job *job)
{
	return job_is_done(&job->run);
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
	job_wait(&job->run);
	bool is_fine = job->is_fine;
	if (is_fine)
		*interacts = job->interacts;
	else
		*err = job->err;
	memory_free(job);
	return is_fine;
}
