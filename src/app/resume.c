/* From one part of a trace to another. */
#include "app/resume.h"

#include <string.h>

#include "base/memory.h"
#include "trace/lane_name.h"

/* The page that is open, or that CLOSE leads back to. */
static void
take_page(struct resume *resume, const struct app *app)
{
	if (app->depth + app->left < 2)
		return;
	const struct view_page *view = &app->stack[app->depth + app->left - 1];
	text_clear(&resume->page);
	resume->is_page_left = app->left > 0;
	view_add_page(view->ops, view->state, app->session, &resume->page);
}

/* By its name; of a heading by its line, as what stands above is much the same in each part. */
static void
take_row(struct resume *resume, const struct app *app)
{
	const struct session *session = app->session;
	const struct view_page *rows = &app->stack[0];
	if (session->has_lane && session->lane.type != LANE_TASK)
		lane_name_add(&resume->row, session->trace, session->lane);
	else if (!session->has_lane && rows->ops->place != NULL)
		resume->has_place = rows->ops->place(rows->state, session, &resume->place);
}

static void
add_fold(void *context, const char *name)
{
	text_add(context, name, strlen(name) + 1);
}

/* Groups of another arrangement are there only when that is made. */
static void
take_folds(struct resume *resume, const struct app *app)
{
	const struct view_page *rows = &app->stack[0];
	if (rows->ops->name_folds != NULL && arrange_plan_is_usual(app->session->plan))
		rows->ops->name_folds(rows->state, app->session, add_fold, &resume->folds);
}

void
resume_take_place(struct resume *resume, struct app *app)
{
	const struct session *session = app->session;
	resume->viewport = session->viewport;
	resume->cursor_ns = session->cursor_ns;
	resume->with_runtime = session->with_runtime;
	resume->is_wall = session->is_wall;
	resume->has_mark = session->has_mark;
	resume->has_mark_end = session->has_mark_end;
	resume->is_between = session->is_between;
	resume->mark_ns = session->mark_ns;
	resume->mark_end_ns = session->mark_end_ns;
	resume->history = app->history;
	history_forget_lanes(&resume->history);
	if (session->search != NULL)
		text_copy(&resume->pattern, &session->pattern);
	take_page(resume, app);
	if (session->filter_mode == FILTER_OFF)
		return;
	resume->filter_mode = session->filter_mode;
	text_copy(&resume->filter, &session->filter_text);
}

void
resume_take(struct resume *resume, struct app *app)
{
	const struct session *session = app->session;
	resume_release(resume);
	resume->is_set = true;
	resume->plan = session->plan;
	take_row(resume, app);
	take_folds(resume, app);
	resume->has_stacks = session->has_stacks;
	if (resume->has_stacks)
		resume->stacks = trace_actor(session->trace, session->stacks)->id;
	row_picks_add_names(&session->hidden, session->trace, &resume->hidden);
	row_picks_add_names(&session->pinned, session->trace, &resume->pinned);
	resume->interacts = session->interacts;
	if (session->interacts.steps > 0)
		resume->interacts_id =
			trace_actor(session->trace, session->interacts.actor)->id;
	resume_take_place(resume, app);
}

bool
resume_picks(const struct resume *resume, const struct trace *trace, struct row_picks *hidden,
	struct row_picks *pinned, struct error *err)
{
	return row_picks_add_named(hidden, trace, &resume->hidden, err) &&
	       row_picks_add_named(pinned, trace, &resume->pinned, err);
}

struct interacts_plan
resume_interacts(const struct resume *resume, const struct trace *trace)
{
	struct interacts_plan plan = resume->interacts;
	plan.actor = trace_find_actor(trace, resume->interacts_id);
	if (plan.actor == REF_NONE)
		plan.steps = 0;
	return plan;
}

static void
select_row(struct session *session, const char *name)
{
	struct lane lane;
	if (!lane_name_find(session->trace, name, &lane))
		return;
	if (lane.type == LANE_ACTOR &&
		trace_actor(session->trace, lane.ref)->state_count == 0)
		return;
	session->lane = lane;
	session->has_lane = true;
}

static size_t
count_names(const struct text *names)
{
	size_t count = 0;
	for (size_t at = 0; at < names->length; at += strlen(names->bytes + at) + 1)
		count++;
	return count;
}

/* What has no rows in this part is left out. Without memory all is as at first. */
static void
fold_rows(const struct text *folds, struct app *app)
{
	const struct view_page *rows = &app->stack[0];
	size_t count = count_names(folds), next = 0;
	struct error ignored;
	error_clear(&ignored);
	const char **names = count > 0 ? array_new(count, sizeof *names, &ignored) : NULL;
	if (names == NULL)
		return;
	for (size_t at = 0; next < count; at += strlen(folds->bytes + at) + 1)
		names[next++] = folds->bytes + at;
	(void)rows->ops->fold_names(rows->state, app->session, names, count, &ignored);
	memory_free(names);
}

static void
mark_again(const struct resume *resume, struct session *session)
{
	session->has_mark = resume->has_mark;
	session->has_mark_end = resume->has_mark_end;
	session->is_between = resume->is_between;
	session->mark_ns = resume->mark_ns;
	session->mark_end_ns = resume->mark_end_ns;
}

void
resume_apply_place(const struct resume *resume, struct app *app)
{
	app->history = resume->history;
	mark_again(resume, app->session);
	if (resume->note.kind != ERROR_NONE)
		session_status(app->session, true, "%s", resume->note.message);
}

void
resume_apply(struct resume *resume, struct app *app)
{
	if (!resume->is_set)
		return;
	fold_rows(&resume->folds, app);
	if (resume->row.length > 0)
		select_row(app->session, resume->row.bytes);
	else if (resume->has_place)
		app->stack[0].ops->go_to_place(app->stack[0].state, app->session, &resume->place);
	if (resume->pattern.length > 0)
		session_resume_search(app->session, resume->pattern.bytes);
	app->session->filter_text = resume->filter;
	app->session->filter_mode = resume->filter_mode;
	resume->filter = (struct text){ 0 };
	session_go_on(app->session);
	resume_apply_place(resume, app);
	if (resume->page.length > 0)
		app_come_back(app, resume->page.bytes, resume->is_page_left);
}

void
resume_release(struct resume *resume)
{
	text_release(&resume->row);
	text_release(&resume->folds);
	text_release(&resume->page);
	text_release(&resume->hidden);
	text_release(&resume->pinned);
	text_release(&resume->pattern);
	text_release(&resume->filter);
	*resume = (struct resume){ .is_set = false };
}
