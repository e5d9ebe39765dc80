/*
 * What stays when the program shows another part of a trace, in place of the one it showed: all
 * that does not refer to what was loaded. A goroutine is found again by its number.
 */
#ifndef TTRACE_APP_RESUME_H
#define TTRACE_APP_RESUME_H

#include <stdbool.h>
#include <stdint.h>

#include "app/app.h"

/* Zero-initialised is a beginning. */
struct resume {
	bool is_set;
	struct viewport viewport;
	int64_t cursor_ns;
	bool is_wall;
	struct arrange_plan plan;
	bool has_mark, has_mark_end, is_between; /* what is marked, as in the session */
	int64_t mark_ns, mark_end_ns;
	bool has_goroutine; /* selected */
	int64_t goroutine;
	bool has_stacks;    /* of this goroutine the stack lanes are shown */
	int64_t stacks;
	struct text hidden, pinned; /* names of rows, as row_picks_add_names() */
	struct interacts_plan interacts; /* but for who it is about ... */
	int64_t interacts_id;            /* ... which is this one */
	struct text pattern; /* of the search, empty for none */
	struct text filter;  /* its query, as is its mode */
	enum filter_mode filter_mode;
	struct history history;
	struct error note; /* to be told when it goes on; ERROR_NONE for nothing */
};

/* Takes it from an app that is about to be released. */
void resume_take(struct resume *resume, struct app *app);
/* The same from one of which nothing was loaded: the rest is as it was before. */
void resume_take_place(struct resume *resume, struct app *app);
/* The rows of the trace that are to be hidden and pinned, and whose company is to be shown. */
bool resume_picks(const struct resume *resume, const struct trace *trace, struct row_picks *hidden,
	struct row_picks *pinned, struct error *err);
struct interacts_plan resume_interacts(const struct resume *resume, const struct trace *trace);
/* Gives it to one that was made with viewport, cursor and clock. What was taken is used up. */
void resume_apply(struct resume *resume, struct app *app);
/* The same to one of which nothing is loaded, and nothing is used up. */
void resume_apply_place(const struct resume *resume, struct app *app);
void resume_release(struct resume *resume);

#endif
