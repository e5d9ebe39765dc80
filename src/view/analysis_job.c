/* One build on a worker, with a query's search before it. */
#include "view/analysis_job.h"

#include "base/job.h"
#include "base/memory.h"
#include "query/query.h"
#include "query/search.h"
#include "view/analyses.h"
#include "view/other.h"
#include "view/session.h"

struct analysis_job {
	const struct analysis_ops *ops;
	struct trace *trace, *other; /* the other one is NULL where it has no say */
	struct text parameter, query;
	struct analysis_work work, other_work;
	struct job run;
	/* The worker's until it is done. */
	void *numbers;
	struct error err;
};

/* The spans that the query matches; a pattern of it that does not compile is plain text. */
static struct search *
search_spans(struct analysis_job *job, struct analysis_work *work)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(job->query.bytes, &note);
	struct search *search = NULL;
	if (query != NULL) {
		error_clear(&note);
		search = search_with(work->trace, query, &work->watch, &note);
	}
	query_free(query);
	if (search == NULL)
		job->err = note;
	return search;
}

/* Finds what the query matches in each trace, as there is one. */
static bool
limit(struct analysis_job *job)
{
	if (job->query.length == 0)
		return true;
	job->work.only = search_spans(job, &job->work);
	if (job->work.only != NULL && job->work.other != NULL)
		job->other_work.only = search_spans(job, &job->other_work);
	return job->work.only != NULL && (job->work.other == NULL || job->other_work.only != NULL);
}

static void
work(void *context)
{
	struct analysis_job *job = context;
	if (limit(job))
		job->numbers = job->ops->build(&job->work, &job->err);
	search_free(job->work.only);
	search_free(job->other_work.only);
}

static void
free_job(struct analysis_job *job)
{
	text_release(&job->parameter);
	text_release(&job->query);
	trace_free(job->trace);
	trace_free(job->other);
	memory_free(job);
}

static void
copy_text(struct text *to, const struct text *from)
{
	if (from->length > 0)
		text_add(to, from->bytes, from->length);
}

/* ---- the other trace */

/* Its actor or task of the same number, its actors of the same start function. */
static bool
find_same(struct analysis_scope *scope, const struct trace *trace, const struct trace *other)
{
	struct text name = { 0 };
	analysis_add_subject_name(scope, trace, &name);
	scope->actor = REF_NONE;
	scope->task = REF_NONE;
	scope->function = STRING_EMPTY;
	bool is_there = name.length == 0 || analyses_find_subject(scope, other, name.bytes);
	text_release(&name);
	return is_there;
}

/* The same time since its start, as far as it has that. */
static bool
find_time(struct analysis_scope *scope, const struct trace *other)
{
	struct analysis_scope whole = { .is_all = true };
	analyses_set_times(&whole, other);
	if (scope->is_all || scope->t1_ns > whole.t1_ns)
		scope->t1_ns = whole.t1_ns;
	if (scope->is_all || scope->t0_ns < whole.t0_ns)
		scope->t0_ns = whole.t0_ns;
	return scope->t0_ns < scope->t1_ns;
}

static void
add_other(struct analysis_job *job, const struct trace *other)
{
	struct analysis_scope scope = job->work.scope;
	if (!find_same(&scope, job->trace, other) || !find_time(&scope, other))
		return;
	job->other = trace_hold(other);
	job->other_work = (struct analysis_work){
		.trace = other, .scope = scope, .parameter = job->work.parameter
	};
	job->work.other = &job->other_work;
}

/* ---- from outside */

struct analysis_job *
analysis_job_start(const struct analysis *analysis, const struct session *session, struct error *err)
{
	struct analysis_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		error_set_memory(err, "the analysis");
		return NULL;
	}
	*job = (struct analysis_job){ .ops = analysis->ops, .trace = trace_hold(session->trace) };
	error_clear(&job->err);
	copy_text(&job->parameter, &analysis->parameter);
	copy_text(&job->query, &analysis->query);
	job->work.trace = session->trace;
	job->work.kind = analysis->kind;
	job->work.scope = analysis->scope;
	job->work.parameter = text_string(&job->parameter);
	if (analysis->has_other)
		add_other(job, session->other->trace);
	if (job->parameter.failed || job->query.failed)
		error_set_memory(err, "the analysis");
	else if (job_start(&job->run, work, job, session->wake, session->wake_context, err))
		return job;
	free_job(job);
	return NULL;
}

/* Of both traces, of which each takes its time. */
int
analysis_job_percent(const struct analysis_job *job)
{
	int percent = search_watch_percent(&job->work.watch);
	if (job->work.other == NULL)
		return percent;
	return (percent + search_watch_percent(&job->other_work.watch)) / 2;
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
	atomic_store_explicit(&job->other_work.watch.is_cancelled, true, memory_order_relaxed);
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
