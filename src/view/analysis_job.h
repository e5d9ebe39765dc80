/* Makes the numbers of an analysis on a thread of its own. Only for view/. */
#ifndef TTRACE_VIEW_ANALYSIS_JOB_H
#define TTRACE_VIEW_ANALYSIS_JOB_H

#include <stdbool.h>

#include "view/analysis.h"

/*
 * Begins ops->build() of what the analysis says, of the session's trace and, where it is there and
 * the analysis has to do with it, the other one; the job takes part in owning them. When it is
 * done, the session is woken. NULL with err set on failure.
 */
struct analysis_job *analysis_job_start(
	const struct analysis *analysis, const struct session *session, struct error *err);
/* How far it is, 0 to 99. */
int analysis_job_percent(const struct analysis_job *job);
bool analysis_job_is_done(const struct analysis_job *job);
/* Tells it that nobody wants the numbers any more, and does not wait. */
void analysis_job_cancel(struct analysis_job *job);
/* Waits for its end; the numbers, or NULL and err, are the caller's. */
void *analysis_job_end(struct analysis_job *job, struct error *err);
/* The same without taking them. NULL is fine. */
void analysis_job_drop(struct analysis_job *job);

#endif
