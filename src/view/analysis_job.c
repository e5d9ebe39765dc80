/* One build on a worker, with a query's search before it. */
#include "view/analysis_job.h"

#include "base/job.h"
#include "base/memory.h"
#include "query/query.h"
#include "query/search.h"

struct analysis_job {
	const struct analysis_ops *ops;
	struct trace *trace;
	struct text parameter, query;
	struct analysis_work work;
	struct job run;
	/* The worker's until it is done. */
	void *numbers;
	struct error err;
};

/* The spans that the query matches; a pattern of it that does not compile is plain text. */
static struct search *
search_spans(struct analysis_job *job)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(job->query.bytes, &note);
	struct search *search = NULL;
	if (query != NULL) {
		error_clear(&note);
		search_watch_expect(&job->work.watch, trace_state_count(job->trace));
		search = search_with(job->trace, query, &job->work.watch, &note);
	}
	query_free(query);
	if (search == NULL)
		job->err = note;
	return search;
}

static void
work(void *context)
{
	struct analysis_job *job = context;
	bool is_limited = job->query.length > 0;
	if (is_limited)
		job->work.only = search_spans(job);
	if (!is_limited || job->work.only != NULL)
		job->numbers = job->ops->build(&job->work, &job->err);
	search_free(job->work.only);
}

static void
free_job(struct analysis_job *job)
{
	text_release(&job->parameter);
	text_release(&job->query);
	trace_free(job->trace);
	memory_free(job);
}

static void
copy_text(struct text *to, const struct text *from)
{
	if (from->length > 0)
		text_add(to, from->bytes, from->length);
}

struct analysis_job *
analysis_job_start(const struct analysis *analysis, const struct trace *trace,
	void (*wake)(void *context), void *context, struct error *err)
{
	struct analysis_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		error_set_memory(err, "the analysis");
		return NULL;
	}
	*job = (struct analysis_job){ .ops = analysis->ops, .trace = trace_hold(trace) };
	error_clear(&job->err);
	copy_text(&job->parameter, &analysis->parameter);
	copy_text(&job->query, &analysis->query);
	job->work.trace = trace;
	job->work.scope = analysis->scope;
	job->work.parameter = job->parameter.length > 0 ? job->parameter.bytes : "";
	if (job->parameter.failed || job->query.failed)
		error_set_memory(err, "the analysis");
	else if (job_start(&job->run, work, job, wake, context, err))
		return job;
	free_job(job);
	return NULL;
}

int
analysis_job_percent(const struct analysis_job *job)
{
	return search_watch_percent(&job->work.watch);
}

bool
analysis_job_is_done(const struct analysis_job *job)
{
	return job_is_done(&job->run);
}

void
analysis_job_cancel(struct analysis_job *job)
{
	atomic_store_explicit(&job->work.watch.is_cancelled, true, memory_order_relaxed);
}

void *
analysis_job_end(struct analysis_job *job, struct error *err)
{
	job_wait(&job->run);
	void *numbers = job->numbers;
	if (numbers == NULL)
		*err = job->err;
	free_job(job);
	return numbers;
}

void
analysis_job_drop(struct analysis_job *job)
{
	struct error ignored;
	if (job == NULL)
		return;
	const struct analysis_ops *ops = job->ops;
	analysis_job_cancel(job);
	void *numbers = analysis_job_end(job, &ignored);
	if (numbers != NULL)
		ops->release(numbers);
}
