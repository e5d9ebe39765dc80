/* Worker threads and the progress they publish. */
#ifndef TTRACE_BASE_THREAD_H
#define TTRACE_BASE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What a long piece of work tells while it runs, and how it is told to stop.
 * The worker stores, others load; each field stands alone.
 */
struct progress {
	_Atomic uint64_t done_bytes;
	_Atomic uint64_t total_bytes; /* 0 while unknown (a pipe) */
	_Atomic uint64_t events;
	_Atomic uint32_t generations;
	atomic_bool is_finished;  /* set last, with release order */
	atomic_bool is_cancelled; /* set by the one who waits; the worker ends soon */
};

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
