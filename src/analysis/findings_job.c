/* The search for findings on a worker. */
#include "analysis/findings_job.h"

#include "base/job.h"
#include "base/memory.h"
#include "query/watch.h"

/* How often each state is looked at, so that the progress is known. */
enum { SCANS = 2 };

struct findings_job {
	const struct trace *trace;
	struct findings_scope scope;
	struct job run;
	struct search_watch watch;
	/* The worker's until it is done. */
	bool is_fine;
	struct findings findings;
	struct error err;
};

static void
work(void *context)
{
	struct findings_job *job = context;
	job->is_fine = findings_build(
		&job->findings, job->trace, &job->scope, &job->watch, &job->err);
}

struct findings_job *
findings_job_start(const struct trace *trace, const struct findings_scope *scope,
	void (*wake)(void *context), void *context, struct error *err)
{
	struct findings_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		error_set_memory(err, "the findings");
		return NULL;
	}
	*job = (struct findings_job){ .trace = trace, .scope = *scope };
	atomic_init(&job->watch.total, trace_state_count(trace) * SCANS);
	if (job_start(&job->run, work, job, wake, context, err))
		return job;
	memory_free(job);
	return NULL;
}

int
findings_job_percent(const struct findings_job *job)
{
	return search_watch_percent(&job->watch);
}

bool
findings_job_is_done(const struct findings_job *job)
{
	return job_is_done(&job->run);
}

bool
findings_job_end(struct findings_job *job, struct findings *findings, struct error *err)
{
	if (job == NULL)
		return false;
	atomic_store(&job->watch.is_cancelled, true);
	job_wait(&job->run);
	bool is_fine = job->is_fine;
	if (is_fine)
		*findings = job->findings;
	else if (job->err.kind != ERROR_NONE)
		*err = job->err;
	memory_free(job);
	return is_fine;
}
