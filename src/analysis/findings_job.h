/* Looking for what is odd on a thread of its own, for those who must not wait. */
#ifndef TTRACE_ANALYSIS_FINDINGS_JOB_H
#define TTRACE_ANALYSIS_FINDINGS_JOB_H

#include "analysis/findings.h"

struct findings_job;

/*
 * Begins what findings_build() does. The trace must outlive the job, and so must what the scope points at. When it is
 * done, wake(context) is called on its thread (NULL: nothing to call). NULL with err set on failure.
 */
struct findings_job *findings_job_start(const struct trace *trace, const struct findings_scope *scope,
                                        void (*wake)(void *context), void *context,
                                        struct error *err);
/* How far it is, 0 to 99. */
int findings_job_percent(const struct findings_job *job);
bool findings_job_is_done(const struct findings_job *job);
/*
 * Ends a job: at once if it is done, else soon, whatever it has. Its findings, if it came to any
 * end, are then the caller's; false with err set where it failed, without where it was not done.
 */
bool findings_job_end(struct findings_job *job, struct findings *findings, struct error *err);

#endif
