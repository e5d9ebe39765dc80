/* What the pages of causes share. Only for view/causes*.c. */
#ifndef TTRACE_VIEW_CAUSES_INTERNAL_H
#define TTRACE_VIEW_CAUSES_INTERNAL_H

#include "analysis/life.h"
#include "analysis/moment.h"
#include "analysis/wakes.h"
#include "analysis/why.h"
#include "view/causes.h"
#include "view/page_job.h"
#include "view/walk.h"

struct causes_page;

/* What makes a page one of the five. */
struct causes_ops {
	/* Looks up what the page tells, by its question. */
	bool (*find)(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err);
	/* The session takes in what was found; false with err set. NULL: nothing. */
	bool (*take)(struct causes_page *page, struct session *session, struct error *err);
	void (*release)(struct causes_page *page); /* what find() made; also of nothing */
	void (*title)(struct causes_page *page, struct text *out, bool ascii);
	void (*write)(struct causes_page *page, struct sheet *sheet);
};

struct causes_page {
	struct walk walk;
	struct page_job job;
	const struct causes_ops *ops;
	const struct trace *trace;
	const struct session *session;
	/* The question. */
	actor_ref actor;
	int64_t t_ns, until_ns;
	bool is_marked;      /* that interval is; of a life, as the cursor, which stood there */
	int64_t cursor_ns;
	/* The answer: of each page its own. */
	struct why why;
	struct critical_path path;
	struct critical_share *shares;
	size_t share_count;
	struct moment moment;
	struct wakes wakes;
	struct life life;
};

extern const struct causes_ops causes_everyone_ops;

#endif
