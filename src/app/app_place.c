/* Where the app begins as the options say: what is selected, folded, marked and open. */
#include "analysis/profile_request.h"
#include "analysis/registry.h"
#include "app/app_internal.h"
#include "app/options.h"
#include "view/document_page.h"

/* Nobody keeps them, so nothing of the user's is overwritten. */
static void
set_note_marks(struct app *app, const struct options *asked)
{
	struct session *session = app->session;
	struct error ignored;
	error_clear(&ignored);
	for (int mark = 0; mark < MARK_COUNT && !session->keeps_notes; mark++) {
		const struct notes_change change = {
			.act = NOTES_MARK,
			.mark = (enum note_mark)mark,
			.t_ns = asked->note_mark_ns[mark],
		};
		if (asked->has_note_mark[mark])
			(void)session->change_notes(session->note_context, &change, &ignored);
	}
}

/* An interval that is that between A and B is told as such. */
static void
set_mark(struct session *session, const struct options *asked)
{
	int64_t from_ns, until_ns;
	if (!asked->has_mark)
		return;
	session_mark(session, asked->mark_ns);
	session->has_mark_end = asked->has_mark_end;
	session->mark_end_ns = asked->mark_end_ns;
	if (!asked->has_mark_end || !session_between(session, &from_ns, &until_ns) ||
		from_ns != asked->mark_ns || until_ns != asked->mark_end_ns)
		return;
	session->has_mark = false;
	session->is_between = true;
}

static void
show_path(struct app *app, const struct options *asked)
{
	struct error err;
	error_clear(&err);
	actor_ref actor = app->parts.path;
	if (actor != REF_NONE && !session_show_path(app->session, actor,
					     asked->path_from_ns, asked->path_to_ns, &err))
		app_tell_error(app, &err);
}

static void
fold_rows(struct app *app, const struct options *asked)
{
	const struct view_page *first = &app->stack[0];
	struct error err;
	error_clear(&err);
	bool is_fine = first->ops->fold_names == NULL ||
		       first->ops->fold_names(first->state, app->session, asked->folds.items,
			       asked->folds.count, &err);
	if (!is_fine)
		app_tell_error(app, &err);
	if (asked->has_line && first->ops->go_to_place != NULL)
		first->ops->go_to_place(first->state, app->session, &asked->place);
}

/* Who compares traces sees how they differ; what has no time begins with something else than the timeline. */
static const char *
first_page(const struct app *app, const struct options *asked)
{
	const struct trace *trace = app->session->trace;
	if (asked->view != NULL)
		return asked->view;
	if (asked->diff != NULL)
		return trace->samples != NULL ? "diff-top" : "diff";
	return trace->document != NULL ? document_view.name : registry_first(trace);
}

/* "tree:,focus=main": the first page of samples with what options choose of these. */
static void
add_choice(struct text *name, const struct options *asked)
{
	const struct profile_request request = {
		.of = "", .focus = asked->focus, .ignore = asked->ignore, .label = asked->label
	};
	struct text parameter = { 0 };
	profile_request_add(&parameter, &request);
	text_add_string(name, ":");
	for (size_t i = 0; i < parameter.length && !parameter.failed; i++)
		text_add(name, parameter.bytes[i] == '@' ? "@@" : &parameter.bytes[i],
			parameter.bytes[i] == '@' ? 2 : 1);
	text_release(&parameter);
}

static void
open_page(struct app *app, const struct options *asked)
{
	const char *first = first_page(app, asked);
	struct text name = { 0 };
	if (first == NULL)
		return;
	text_add_string(&name, first);
	if (asked->view == NULL && options_of_samples(asked) != NULL && app->session->trace->samples != NULL)
		add_choice(&name, asked);
	bool is_open = app_open_page(app, text_string(&name));
	text_release(&name);
	if (!is_open)
		return;
	const struct view_page *page = &app->stack[app->depth - 1];
	if (asked->has_page_line && page->ops->go_to_place != NULL)
		page->ops->go_to_place(page->state, app->session, &asked->page_place);
	if (asked->page_settings.count > 0 && page->ops->set != NULL)
		page->ops->set(page->state, app->session, asked->page_settings.items,
			asked->page_settings.count);
	app->needs_draw = true;
}

/* Whether the page is about what lies beneath, while that is not known yet. */
static bool
awaits_pair(const struct app *app, const struct options *asked)
{
	unsigned needs = asked->view != NULL ? registry_needs(asked->view) : 0;
	return (needs & (NEEDS_BENEATH | NEEDS_SAMPLES_BENEATH)) != 0 && app->panes.count > 1 &&
	       !app->pairing.is_done;
}

void
app_go_to_place(struct app *app, bool is_last_moment)
{
	const struct options *asked = app->parts.asked;
	if (!app->awaits_place)
		return;
	bool needs_rows = asked->has_line || asked->folds.count > 0;
	if (!is_last_moment && (awaits_pair(app, asked) || (needs_rows && session_is_making(app->session))))
		return;
	app->awaits_place = false;
	if (needs_rows)
		fold_rows(app, asked);
	open_page(app, asked);
}

void
app_begin_at_place(struct app *app)
{
	const struct app_parts *parts = &app->parts;
	struct session *session = app->session;
	if (parts->has_lane) {
		session->lane = parts->lane;
		session->has_lane = true;
	}
	if (parts->asked == NULL)
		return;
	set_note_marks(app, parts->asked);
	set_mark(session, parts->asked);
	show_path(app, parts->asked);
	app->awaits_place = true;
	app_go_to_place(app, false);
}
