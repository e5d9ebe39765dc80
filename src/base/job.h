/*
 * Work on a thread of its own, for those who must not wait for it: the one who began it is woken,
 * then looks whether it is done. What it finds, and how it is told to stop, are its owner's affair.
 */
#ifndef TTRACE_BASE_JOB_H
#define TTRACE_BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

struct worker; /* base/thread.h */

/* Must not move while it runs. */
struct job {
	void (*work)(void *owner);
	void *owner;
	void (*wake)(void *context); /* NULL: nobody is to be woken */
	void *context;
	struct worker *worker; /* NULL where it was not started, and once it was waited for */
	atomic_bool is_done;   /* set last, with release order */
};

/*
 * Starts work(owner); when that returns the job is done, and wake(context) is called on the job's
 * thread. The owner must outlive the job. False with err set on failure.
 */
bool job_start(struct job *job, void (*work)(void *owner), void *owner,
	void (*wake)(void *context), void *context, struct error *err);
/* For the work itself, where there is something to look at before it is done. */
void job_wake(const struct job *job);
/* Whether nothing changes any more what the work wrote. */
bool job_is_done(const struct job *job);
/* Waits until it is done. Fine for one that was not started, or was waited for before. */
void job_wait(struct job *job);

/* For the work itself. False with ERROR_CANCELLED once that is set; NULL is never set. */
bool job_goes_on(const atomic_bool *is_cancelled, struct error *err);

#endif
