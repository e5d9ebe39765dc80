/* Worker threads. Signals stay with the main thread, whose loop waits for them. */
#include "base/thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/signal_sets.h"

/* A crash may be an overflow of the thread's ordinary stack; this is room for the handler. */
enum { CRASH_STACK_BYTES = 64 * 1024 };

struct worker {
	pthread_t thread;
	char crash_stack[CRASH_STACK_BYTES];
	void (*function)(void *context);
	void *context;
};

/* A crash with its signal blocked would kill us without the handler that saves the terminal. */
static void
let_crashes_through(sigset_t *blocked)
{
	for (size_t i = 0; i < SIGNALS_CRASHING; i++)
		sigdelset(blocked, signals_crashing[i]);
}

static void *
run(void *argument)
{
	struct worker *worker = argument;
	stack_t before, ours = { .ss_sp = worker->crash_stack, .ss_size = CRASH_STACK_BYTES };
	sigaltstack(&ours, &before);
	worker->function(worker->context);
	sigaltstack(&before, NULL);
	return NULL;
}

static uint64_t
behind_start(const struct progress *progress, uint64_t at_bytes)
{
	uint64_t from = atomic_load_explicit(&progress->from_bytes, memory_order_relaxed);
	return at_bytes > from ? at_bytes - from : 0;
}

uint64_t
progress_done(const struct progress *progress)
{
	return behind_start(
		progress, atomic_load_explicit(&progress->done_bytes, memory_order_relaxed));
}

uint64_t
progress_read(const struct progress *progress)
{
	uint64_t done = progress_done(progress);
	uint64_t read = behind_start(
		progress, atomic_load_explicit(&progress->read_bytes, memory_order_relaxed));
	return read > done ? read : done;
}

int
progress_percent(const struct progress *progress)
{
	uint64_t total = atomic_load_explicit(&progress->total_bytes, memory_order_relaxed);
	uint64_t done = progress_done(progress);
	if (total == 0)
		return 0;
	return done >= total ? 99 : (int)((double)done / (double)total * 99);
}

void
progress_open(struct progress *progress, void (*wake)(void *context), void *context)
{
	int ends[2];
	atomic_store(&progress->is_waiting, false);
	if (!descriptor_open_pipe(ends))
		return;
	progress->wake = wake;
	progress->context = context;
	progress->stop_ends[0] = ends[0];
	progress->stop_ends[1] = ends[1];
}

void
progress_close(struct progress *progress)
{
	if (progress_stop_fd(progress) < 0)
		return;
	close(progress->stop_ends[0]);
	close(progress->stop_ends[1]);
	progress->stop_ends[0] = progress->stop_ends[1] = 0;
}

void
progress_cancel(struct progress *progress)
{
	atomic_store(&progress->is_cancelled, true);
	if (progress_stop_fd(progress) < 0)
		return;
	/* A full pipe ends the wait as well as one byte more would. */
	ssize_t written = write(progress->stop_ends[1], "", 1);
	(void)written;
}

const atomic_bool *
progress_cancel_flag(const struct progress *progress)
{
	return progress != NULL ? &progress->is_cancelled : NULL;
}

int
progress_stop_fd(const struct progress *progress)
{
	return progress->stop_ends[1] > 0 ? progress->stop_ends[0] : -1;
}

void
progress_wait(struct progress *progress, bool is_waiting)
{
	atomic_store(&progress->is_waiting, is_waiting);
	if (!is_waiting)
		progress->wake(progress->context);
}

struct worker *
worker_new(void (*function)(void *context), void *context, struct error *err)
{
	struct worker *worker = memory_realloc(NULL, sizeof(*worker));
	if (worker == NULL) {
		error_set_memory(err, "a thread");
		return NULL;
	}
	worker->function = function;
	worker->context = context;

	/* A thread inherits the mask of its maker, so no signal can slip in between. */
	sigset_t all, before;
	sigfillset(&all);
	let_crashes_through(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int code = pthread_create(&worker->thread, NULL, run, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code == 0)
		return worker;
	error_set(err, ERROR_IO, "no thread could be started: %s", strerror(code));
	memory_free(worker);
	return NULL;
}

void
worker_join(struct worker *worker)
{
	if (worker == NULL)
		return;
	pthread_join(worker->thread, NULL);
	memory_free(worker);
}
