/* The loader: a thread, and one place in which the newest trace waits to be taken. */
#include "app/loader.h"

static void
hand_over(void *context, struct trace *trace)
{
	struct loader *loader = context;
	trace_free(atomic_exchange(&loader->arrived, trace));
	loader->screen->wake(loader->screen);
}

static void
work(void *context)
{
	struct loader *loader = context;
	const struct trace_watch watch = {
		.show = hand_over,
		.context = loader,
		.rest = loader->rest,
	};
	struct trace *trace =
		loader->load(loader->context, loader->wish, &watch, loader->progress, &loader->err);
	loader->has_failed = trace == NULL;
	if (trace != NULL)
		trace_free(atomic_exchange(&loader->arrived, trace));
	atomic_store_explicit(&loader->progress->is_finished, true, memory_order_release);
	loader->screen->wake(loader->screen);
}

bool
loader_start(struct loader *loader, struct error *err)
{
	error_clear(&loader->err);
	atomic_store(&loader->progress->is_cancelled, false);
	atomic_store(&loader->progress->is_finished, false);
	atomic_store(&loader->progress->done_bytes, 0);
	atomic_store(&loader->progress->events, 0);
	atomic_init(&loader->arrived, NULL);
	loader->shown = NULL;
	loader->worker = worker_new(work, loader, err);
	return loader->worker != NULL;
}

bool
loader_next(struct loader *loader, struct trace **before)
{
	struct trace *next = atomic_exchange(&loader->arrived, NULL);
	if (next == NULL)
		return false;
	*before = loader->shown;
	loader->shown = next;
	return true;
}

bool
loader_is_finished(const struct loader *loader)
{
	return atomic_load_explicit(&loader->progress->is_finished, memory_order_acquire) &&
	       atomic_load(&loader->arrived) == NULL;
}

bool
loader_has_failed(const struct loader *loader)
{
	return loader_is_finished(loader) && loader->has_failed;
}

void
loader_end(struct loader *loader)
{
	atomic_store(&loader->progress->is_cancelled, true);
	worker_join(loader->worker);
	trace_free(atomic_exchange(&loader->arrived, NULL));
	trace_free(loader->shown);
	loader->shown = NULL;
}
