/* The search and its unions on a worker. */
#include "query/search_job.h"

#include "base/job.h"
#include "base/memory.h"
#include "query/query.h"
#include "query/search_internal.h"

struct search_job {
	const struct trace *trace;
	struct query *query;
	struct error note; /* about its patterns */
	struct job run;
	struct search_watch watch;
	atomic_bool is_made;
	bool is_taken;
	struct search *search; /* the worker's until it is made, as err is */
	struct error err;
};

static void
work(void *context)
{
	struct search_job *job = context;
	struct search *search = search_with(job->trace, job->query, &job->watch, &job->err);
	job->search = search;
	atomic_store_explicit(&job->is_made, true, memory_order_release);
	job_wake(&job->run);
	if (search != NULL)
		search_unite_groups(search);
}

static void
free_job(struct search_job *job)
{
	query_free(job->query);
	memory_free(job);
}

struct search_job *
search_job_start_query(const struct trace *trace, struct query *query, void (*wake)(void *context),
	void *context, struct error *note)
{
	struct search_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		query_free(query);
		error_set_memory(note, "the search");
		return NULL;
	}
	*job = (struct search_job){ .trace = trace, .query = query, .note = *note };
	error_clear(&job->err);
	struct error failure;
	error_clear(&failure);
	if (job_start(&job->run, work, job, wake, context, &failure))
		return job;
	*note = failure;
	free_job(job);
	return NULL;
}

struct search_job *
search_job_start(const struct trace *trace, const char *text, void (*wake)(void *context),
	void *context, struct error *note)
{
	struct query *query = query_new_search(text, trace->words, note);
	return query != NULL ? search_job_start_query(trace, query, wake, context, note) : NULL;
}

bool
search_job_is_made(const struct search_job *job)
{
	return atomic_load_explicit(&job->is_made, memory_order_acquire);
}

bool
search_job_is_done(const struct search_job *job)
{
	return job_is_done(&job->run);
}

int
search_job_percent(const struct search_job *job)
{
	return search_watch_percent(&job->watch);
}

void
search_job_wait(struct search_job *job)
{
	job_wait(&job->run);
}

bool
search_job_take(struct search_job *job, struct search **search, struct error *note)
{
	if (job->is_taken || !search_job_is_made(job))
		return false;
	job->is_taken = true;
	*search = job->search;
	*note = job->note;
	search_tell(job->search, job->query, &job->err, note);
	return true;
}

void
search_job_end(struct search_job *job)
{
	if (job == NULL)
		return;
	atomic_store(&job->watch.is_cancelled, true);
	search_job_wait(job);
	if (!job->is_taken)
		search_free(job->search);
	else if (job->search != NULL)
		job->search->watch = NULL;
	free_job(job);
}
