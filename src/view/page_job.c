/* One look for what a page tells. */
#include "view/page_job.h"

#include <string.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "view/session.h"

static void
work(void *owner)
{
	struct page_job *job = owner;
	job->is_found = job->find(job->page, &job->is_cancelled, &job->failure);
}

bool
page_job_begin(struct page_job *job, const struct session *session, page_find *find, void *page,
	struct error *err)
{
	error_clear(&job->failure);
	if (find(page, NULL, err))
		return true;
	if (err->kind != ERROR_LIMIT)
		return false;
	error_clear(err);
	job->find = find;
	job->page = page;
	atomic_store(&job->is_cancelled, false);
	job->is_begun = job_start(&job->run, work, job, session->wake, session->wake_context, err);
	return job->is_begun;
}

bool
page_job_look(struct page_job *job, struct session *session, bool *is_found)
{
	*is_found = false;
	if (!job->is_begun || !job_is_done(&job->run))
		return job->is_begun;
	job_wait(&job->run);
	job->is_begun = false;
	*is_found = job->is_found;
	if (!job->is_found)
		session_status(session, true, "%s", job->failure.message);
	return true;
}

bool
page_job_has_answer(const struct page_job *job)
{
	return !job->is_begun && job->failure.kind == ERROR_NONE;
}

void
page_job_stop(struct page_job *job)
{
	if (!job->is_begun)
		return;
	atomic_store_explicit(&job->is_cancelled, true, memory_order_relaxed);
	job_wait(&job->run);
	job->is_begun = false;
}

bool
page_job_is_left(const struct page_job *job, enum command command)
{
	return job->is_begun && command == COMMAND_CLEAR_SEARCH;
}

void
page_job_draw(const struct page_job *job, struct canvas *canvas)
{
	enum { COLUMN = 2, ROW = 2 };
	const struct cell_style dim = { STYLE_TEXT_DIM, STYLE_DEFAULT, 0 };
	const char *message = job->is_begun ? "being worked out; Escape cancels"
					    : job->failure.message;
	struct text safe = { 0 };
	text_add_safe(&safe, message, strlen(message), canvas->ascii);
	canvas_string(canvas, COLUMN, ROW, canvas->width - COLUMN, dim, text_string(&safe));
	text_release(&safe);
}
