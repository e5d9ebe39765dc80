/* The loader: a thread, and one place in which the newest trace waits to be taken. */
#include "app/loader.h"

#include <stdio.h>

#include "base/memory.h"

/* Without memory there are none. */
static void
make_marks(struct loader *loader, const struct trace *trace)
{
	struct error ignored;
	error_clear(&ignored);
	if (loader->makes_marks)
		row_marks_free(atomic_exchange(&loader->arrived_marks,
			row_marks_new(trace, &loader->progress->is_cancelled, &ignored)));
}

/*
 * Marks are made before their trace arrives, so that those which are taken with it are not of an
 * older one. What is shown first is not held up by them.
 */
static void
put(struct loader *loader, struct trace *trace)
{
	if (loader->has_shown)
		make_marks(loader, trace);
	loader->has_shown = true;
	trace_free(atomic_exchange(&loader->arrived, trace));
}

static void
hand_over(void *context, struct trace *trace)
{
	struct loader *loader = context;
	put(loader, trace);
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
	struct trace *trace = loader->load(loader->context, loader->wish,
		loader->has_no_snapshots ? NULL : &watch, loader->progress, &loader->err);
	loader->has_failed = trace == NULL;
	if (trace != NULL) {
		trace_hold(trace);
		put(loader, trace);
	}
	atomic_store_explicit(&loader->progress->is_finished, true, memory_order_release);
	loader->screen->wake(loader->screen);
	if (trace != NULL && loader->keep != NULL)
		loader->keep(loader->context, trace, loader);
	trace_free(trace);
}

static void
wake(void *context)
{
	struct screen *screen = context;
	screen->wake(screen);
}

bool
loader_start(struct loader *loader, struct error *err)
{
	error_clear(&loader->err);
	atomic_store(&loader->progress->is_cancelled, false);
	atomic_store(&loader->progress->is_finished, false);
	atomic_store(&loader->progress->done_bytes, 0);
	atomic_store(&loader->progress->from_bytes, 0);
	atomic_store(&loader->progress->read_bytes, 0);
	atomic_store(&loader->progress->events, 0);
	atomic_init(&loader->arrived, NULL);
	atomic_init(&loader->arrived_marks, NULL);
	atomic_init(&loader->line, NULL);
	loader->has_shown = false;
	loader->shown = NULL;
	progress_open(loader->progress, wake, loader->screen);
	loader->worker = worker_new(work, loader, err);
	if (loader->worker == NULL)
		progress_close(loader->progress);
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
	struct row_marks *marks = atomic_exchange(&loader->arrived_marks, NULL);
	if (marks == NULL)
		return true;
	row_marks_free(loader->marks);
	loader->marks = marks;
	return true;
}

bool
loader_makes_late(const struct loader *loader, const struct trace *trace)
{
	return loader->makes_marks && trace->backing != NULL;
}

static void
work_late(void *context)
{
	struct loader *loader = context;
	make_marks(loader, loader->shown);
	loader->screen->wake(loader->screen);
}

void
loader_begin_late(struct loader *loader)
{
	struct error ignored;
	error_clear(&ignored);
	if (loader->late == NULL && loader_is_finished(loader))
		loader->late = worker_new(work_late, loader, &ignored);
}

bool
loader_take_late(struct loader *loader)
{
	if (!loader_is_finished(loader))
		return false;
	struct row_marks *marks = atomic_exchange(&loader->arrived_marks, NULL);
	if (marks == NULL)
		return false;
	row_marks_free(loader->marks);
	loader->marks = marks;
	return true;
}

static void
free_it(void *trace)
{
	trace_free(trace);
}

void
loader_let_go(struct loader *loader, struct trace *trace)
{
	struct error ignored;
	error_clear(&ignored);
	worker_join(loader->freeing);
	loader->freeing = trace != NULL ? worker_new(free_it, trace, &ignored) : NULL;
	if (loader->freeing == NULL)
		trace_free(trace);
}

bool
loader_is_finished(const struct loader *loader)
{
	return atomic_load_explicit(&loader->progress->is_finished, memory_order_acquire) &&
	       atomic_load(&loader->arrived) == NULL;
}

bool
loader_is_waiting(const struct loader *loader)
{
	return atomic_load(&loader->progress->is_waiting) && atomic_load(&loader->arrived) == NULL;
}

bool
loader_has_failed(const struct loader *loader)
{
	return loader_is_finished(loader) && loader->has_failed;
}

void
loader_tell(struct loader *loader, bool is_alert, const char *text)
{
	struct error ignored;
	error_clear(&ignored);
	struct loader_line *line = array_new(1, sizeof(*line), &ignored);
	if (line == NULL)
		return;
	line->is_alert = is_alert;
	snprintf(line->text, sizeof line->text, "%s", text);
	memory_free(atomic_exchange(&loader->line, line));
	loader->screen->wake(loader->screen);
}

struct loader_line *
loader_take_line(struct loader *loader)
{
	return atomic_exchange(&loader->line, NULL);
}

void
loader_end(struct loader *loader)
{
	progress_cancel(loader->progress);
	worker_join(loader->worker);
	worker_join(loader->late);
	loader->late = NULL;
	progress_close(loader->progress);
	worker_join(loader->freeing);
	loader->freeing = NULL;
	trace_free(atomic_exchange(&loader->arrived, NULL));
	row_marks_free(atomic_exchange(&loader->arrived_marks, NULL));
	row_marks_free(loader->marks);
	loader->marks = NULL;
	memory_free(loader_take_line(loader));
	trace_free(loader->shown);
	loader->shown = NULL;
}
