/* Worker threads and the progress they publish. */
#ifndef TTRACE_BASE_THREAD_H
#define TTRACE_BASE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What a long piece of work tells while it runs, and how it is told to stop.
 * The worker stores, others load; each field stands alone. Zero-initialise.
 */
struct progress {
	_Atomic uint64_t done_bytes;  /* the place in the input up to which it is done, ... */
	_Atomic uint64_t from_bytes;  /* ... where it begins, and ... */
	_Atomic uint64_t total_bytes; /* ... how much it is from there on; 0 while unknown (a pipe) */
	_Atomic uint64_t read_bytes;  /* the place up to which bytes were taken, for work to come */
	_Atomic uint64_t events;
	_Atomic uint32_t generations;
	atomic_bool is_finished;  /* set last, with release order */
	atomic_bool is_cancelled; /* set by the one who waits; the worker ends soon */
	/*
	 * The work waits for bytes of a quiet pipe: until they come, which wake() tells, nothing
	 * of this changes. Only between progress_open() and progress_close().
	 */
	atomic_bool is_waiting;
	void (*wake)(void *context);
	void *context;    /* of wake() */
	int stop_ends[2]; /* a pipe that progress_cancel() writes to; [1] is 0 where there is none */
};

/*
 * Before the work begins: it may wait without looking whether it is cancelled, as
 * progress_cancel() ends that, and will call wake() after such a wait. Where no pipe can be had
 * it looks ten times a second, as it does without this.
 */
void progress_open(struct progress *progress, void (*wake)(void *context), void *context);
/* After the work has ended; harmless without the call above. */
void progress_close(struct progress *progress);
/* Sets is_cancelled and ends the wait, if there is one. */
void progress_cancel(struct progress *progress);
/* What job_goes_on() looks at; NULL without progress. */
const atomic_bool *progress_cancel_flag(const struct progress *progress);
/* What can be read once it is cancelled; -1 for none. */
int progress_stop_fd(const struct progress *progress);
/* The work begins to wait, or has done so. */
void progress_wait(struct progress *progress, bool is_waiting);

/* What of total_bytes is done, and what was read: no less. */
uint64_t progress_done(const struct progress *progress);
uint64_t progress_read(const struct progress *progress);
/* How much of the bytes is done, 0 to 99, as work follows the last one; 0 while the total is unknown. */
int progress_percent(const struct progress *progress);

struct worker; /* a running thread */

/*
 * Starts function(context) on its own thread, with all signals blocked but those of
 * crashes, for which there is a stack of its own. NULL and err on failure.
 */
struct worker *worker_new(void (*function)(void *context), void *context, struct error *err);
/* Waits for the thread to end and frees the worker; NULL is fine. */
void worker_join(struct worker *worker);

#endif
