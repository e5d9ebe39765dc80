/*
 * What stays when the program shows another part of a trace, in place of the one it showed: all
 * that does not refer to what was loaded. Rows and pages are found again by their names.
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
	bool with_runtime;
	bool is_wall;
	struct arrange_plan plan;
	bool has_mark, has_mark_end, is_between; /* what is marked, as in the session */
	int64_t mark_ns, mark_end_ns;
	struct text row;    /* the name of the lane that is selected, empty for none */
	bool has_place;     /* a row without a lane is, ... */
	struct view_place place; /* ... in this line */
	struct text folds;  /* names as draw/rows_fold.h has them, each with a zero byte behind it */
	struct text page;   /* the name of one that is open, or was left and leads back; empty for none */
	bool is_page_left;
	bool has_stacks;    /* of this actor the stack lanes are shown */
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
/*
 * Gives it to one that was made with viewport, cursor and clock, which may not be moved afterwards.
 * What was taken is used up.
 */
void resume_apply(struct resume *resume, struct app *app);
/* The same to one of which nothing is loaded, and nothing is used up. */
void resume_apply_place(const struct resume *resume, struct app *app);
void resume_release(struct resume *resume);

#endif
