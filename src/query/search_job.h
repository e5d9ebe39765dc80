/*
 * A search on a thread of its own, for those who must not wait. The one who began it
 * looks at its progress, takes the search when it is made and ends the job when that is
 * done, or cancels it.
 */
#ifndef TTRACE_QUERY_SEARCH_JOB_H
#define TTRACE_QUERY_SEARCH_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

struct query;
struct search;
struct search_job;

/*
 * Begins what search_new() does, and then to unite the matches of each group of several,
 * which may take longer. The trace must be frozen and outlive the job. When the search is made,
 * and when the job is done, wake(context) is called on its thread (NULL: nothing to call). NULL for
 * an empty pattern, a wrong query or without memory, with *note saying so.
 */
struct search_job *search_job_start(const struct trace *trace, const char *text,
	void (*wake)(void *context), void *context, struct error *note);

/* The same for a query, which becomes the job's, on failure too. *note is not cleared. */
struct search_job *search_job_start_query(const struct trace *trace, struct query *query,
	void (*wake)(void *context), void *context, struct error *note);

/* How far the whole is, 0 to 99. */
int search_job_percent(const struct search_job *job);
bool search_job_is_made(const struct search_job *job);
bool search_job_is_done(const struct search_job *job);
/* Waits until it is done. */
void search_job_wait(struct search_job *job);

/*
 * The search, once it is made, and *note as search_new() does; it is the caller's, but must
 * not be freed before the job has ended. Groups that are not united yet have no matches until
 * then. False while there is nothing to take any more or yet.
 */
bool search_job_take(struct search_job *job, struct search **search, struct error *note);
/* Ends a job: at once if it is done, else soon, whatever it has. NULL is fine. */
void search_job_end(struct search_job *job);

#endif
