/*
 * What a page tells, found on a thread of its own where that takes long: the page is open meanwhile
 * and says so.
 */
#ifndef TTRACE_VIEW_PAGE_JOB_H
#define TTRACE_VIEW_PAGE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"
#include "view/command.h"

struct canvas;
struct session;

/*
 * Finds what the page tells; false with err set where that fails. What takes long is not begun
 * without is_cancelled, which is then set once nobody waits for it: ERROR_LIMIT.
 */
typedef bool page_find(void *page, const atomic_bool *is_cancelled, struct error *err);

/* For that, where it is more than a key press may wait for: false. */
static inline bool
page_job_takes_long(struct error *err)
{
	return error_set(err, ERROR_LIMIT, "there is more than can be shown at once");
}

/* Part of a page. Zero-initialised: nothing is being found. Must not move while it is. */
struct page_job {
	struct job run;
	page_find *find;
	void *page;
	atomic_bool is_cancelled;
	bool is_begun;      /* and was not taken yet: what find() writes is the thread's */
	bool is_found;
	struct error failure; /* of ERROR_NONE where there was none */
};

/*
 * Finds it at once, or begins to; `is_begun` tells which. The session's wake() is called when it
 * is done. False with err set where it cannot be found, or not be begun.
 */
bool page_job_begin(struct page_job *job, const struct session *session, page_find *find,
	void *page, struct error *err);
/*
 * For look(): true while it goes on, and once when it is done. Then what was found is the page's, if
 * *is_found; else the status line has told why there is nothing.
 */
bool page_job_look(struct page_job *job, struct session *session, bool *is_found);
/* Whether what the page tells is there. */
bool page_job_has_answer(const struct page_job *job);
/* Ends what was begun, soon; what find() wrote is the page's again, to be released. */
void page_job_stop(struct page_job *job);
/* Whether the user wants it no more by that command, so that the page is to be closed. */
bool page_job_is_left(const struct page_job *job, enum command command);
/* In place of what the page will tell: that it is being found, or why it could not be. */
void page_job_draw(const struct page_job *job, struct canvas *canvas);

#endif
