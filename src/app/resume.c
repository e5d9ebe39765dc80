/* From one part of a trace to another. */
#include "app/resume.h"

static void
replace(struct text *kept, const struct text *text)
{
	text_clear(kept);
	text_add(kept, text->bytes, text->length);
}

void
resume_take_place(struct resume *resume, struct app *app)
{
	const struct session *session = &app->session;
	resume->viewport = session->viewport;
	resume->cursor_ns = session->cursor_ns;
	resume->is_wall = session->is_wall;
	resume->has_mark = session->has_mark;
	resume->has_mark_end = session->has_mark_end;
	resume->is_between = session->is_between;
	resume->mark_ns = session->mark_ns;
	resume->mark_end_ns = session->mark_end_ns;
	resume->history = app->history;
	history_forget_lanes(&resume->history);
	if (session->search != NULL)
		replace(&resume->pattern, &session->pattern);
	if (session->filter_mode == FILTER_OFF)
		return;
	resume->filter_mode = session->filter_mode;
	replace(&resume->filter, &session->filter_text);
}

void
resume_take(struct resume *resume, struct app *app)
{
	const struct session *session = &app->session;
	resume_release(resume);
	resume->is_set = true;
	resume->plan = session->plan;
	resume->has_goroutine = session->has_lane && session->lane.type == LANE_GOROUTINE;
	if (resume->has_goroutine)
		resume->goroutine = trace_goroutine(session->trace, session->lane.ref)->id;
	resume->has_stacks = session->has_stacks;
	if (resume->has_stacks)
		resume->stacks = trace_goroutine(session->trace, session->stacks)->id;
	row_picks_add_names(&session->hidden, session->trace, &resume->hidden);
	row_picks_add_names(&session->pinned, session->trace, &resume->pinned);
	resume->interacts = session->interacts;
	if (session->interacts.steps > 0)
		resume->interacts_id =
			trace_goroutine(session->trace, session->interacts.goroutine)->id;
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
	plan.goroutine = trace_find_goroutine(trace, resume->interacts_id);
	if (plan.goroutine == REF_NONE)
		plan.steps = 0;
	return plan;
}

static void
select_goroutine(struct session *session, int64_t id)
{
	goroutine_ref ref = trace_find_goroutine(session->trace, id);
	if (ref == REF_NONE || trace_goroutine(session->trace, ref)->state_count == 0)
		return;
	session->lane = (struct lane){ LANE_GOROUTINE, ref };
	session->has_lane = true;
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
	mark_again(resume, &app->session);
	if (resume->note.kind != ERROR_NONE)
		session_status(&app->session, true, "%s", resume->note.message);
}

void
resume_apply(struct resume *resume, struct app *app)
{
	if (!resume->is_set)
		return;
	if (resume->has_goroutine)
		select_goroutine(&app->session, resume->goroutine);
	if (resume->pattern.length > 0)
		session_resume_search(&app->session, resume->pattern.bytes);
	app->session.filter_text = resume->filter;
	app->session.filter_mode = resume->filter_mode;
	resume->filter = (struct text){ 0 };
	session_go_on(&app->session);
	resume_apply_place(resume, app);
}

void
resume_release(struct resume *resume)
{
	text_release(&resume->hidden);
	text_release(&resume->pinned);
	text_release(&resume->pattern);
	text_release(&resume->filter);
	*resume = (struct resume){ .is_set = false };
}
