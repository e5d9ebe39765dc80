/* From the loader to the session and the views: progress, snapshots, the whole trace. */
#include "app/arrival.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

static bool
is_live(const struct loader *loader)
{
	return atomic_load_explicit(&loader->progress->total_bytes, memory_order_relaxed) == 0;
}

/* "loading 43%" of a file, "live, 34 MiB" of a pipe: nobody knows how much will come. */
static void
tell_progress(struct app *app)
{
	const struct loader *loader = app->parts.loader;
	char bytes[UNITS_TEXT], now[sizeof app->session->loading];
	units_bytes(bytes, progress_done(loader->progress));
	if (is_live(loader))
		snprintf(now, sizeof now, "live, %s", bytes);
	else
		snprintf(now, sizeof now, "loading %d%%", progress_percent(loader->progress));
	if (strcmp(now, app->session->loading) == 0)
		return;
	snprintf(app->session->loading, sizeof app->session->loading, "%s", now);
	app->needs_draw = true;
}

/* The session shows another trace than before, or the same one with its lanes in other places. */
static void
renew_views(struct app *app, const struct trace *before)
{
	struct session *session = app->session;
	verdict_renew(session);
	history_renew(&app->history, session, before);
	for (size_t i = 0; i < app->depth + app->left && app->failure.kind == ERROR_NONE; i++) {
		const struct view_ops *ops = app->stack[i].ops;
		if (ops->renew != NULL)
			ops->renew(app->stack[i].state, session, before, &app->failure);
	}
	app->holds_frame = session->searching != NULL;
	app->needs_draw = true;
}

static void
renew(struct app *app, const struct trace *before)
{
	struct arrangement dropped;
	session_drop_arrangement(app->session, &dropped);
	session_renew(app->session, app->parts.loader->shown, is_live(app->parts.loader));
	renew_views(app, before);
	arrangement_release(&dropped);
}

/* What has arrived is shown once its lanes stand where they should; the arrangement keeps `before`. */
static void
arrange(struct app *app)
{
	struct loader *loader = app->parts.loader;
	if (!session_arrange_arrived(
		    app->session, loader->shown, is_live(loader), &app->failure))
		return;
	app->needs_draw = true;
}

static void
take_arrangement(struct app *app)
{
	const struct trace *before = app->session->trace;
	struct arrangement dropped;
	struct error err;
	error_clear(&err);
	bool is_taken = session_take_arrangement(app->session, &dropped, &err);
	if (session_take_changes(app->session, &err))
		app->needs_draw = true;
	if (err.kind != ERROR_NONE)
		session_status(app->session, true, "%s", err.message);
	if (!is_taken)
		return;
	renew_views(app, before);
	arrangement_release(&dropped);
}

static void
take_trace(struct app *app)
{
	struct loader *loader = app->parts.loader;
	struct trace *before = NULL;
	if (app->is_whole)
		return;
	bool is_busy = session_is_making(app->session);
	if (!is_busy && loader_next(loader, &before)) {
		app->session->marks = loader->marks;
		if (session_is_arranged(app->session))
			arrange(app);
		else
			renew(app, before);
		loader_let_go(loader, before);
	}
	if (loader_has_failed(loader))
		app->failure = loader->err;
	app->is_whole = loader_is_finished(loader) && app->session->arrived == NULL;
	if (!app->is_whole) {
		tell_progress(app);
		return;
	}
	app->session->loading[0] = '\0';
	app->needs_draw = true;
	app_tell_damage(app);
}

/* Of a part that is awaited all that fits is shown at once, and no prompt is closed for it. */
static void
take_part(struct app *app)
{
	struct loader *loader = app->parts.loader;
	struct trace *before = NULL;
	if (app->is_whole)
		return;
	if (loader_next(loader, &before))
		loader_let_go(loader, before);
	app->needs_draw = true;
	if (!loader_is_finished(loader)) {
		tell_progress(app);
		return;
	}
	bool is_cancelled = loader_has_failed(loader) && loader->err.kind == ERROR_CANCELLED;
	app->has_arrived = !is_cancelled && !app->prompt.is_open;
	app->is_done = app->is_done || app->has_arrived;
	app->is_whole = is_cancelled;
	if (is_cancelled) {
		app->session->loading[0] = '\0';
		session_status(app->session, false, "loading was cancelled");
	}
}

/* What a loader has to tell, unless an alert is to be read first. */
static void
take_line(struct app *app, struct loader *loader)
{
	bool is_taken = app->session->status[0] != '\0' && app->session->status_is_alert;
	struct loader_line *line = is_taken ? NULL : loader_take_line(loader);
	if (line == NULL)
		return;
	session_status(app->session, line->is_alert, "%s", line->text);
	app->needs_draw = true;
	memory_free(line);
}

/* That it cannot be had is to be seen. */
static void
look_at_other(struct app *app)
{
	const struct other_trace *shown = &app->parts.other->shown;
	enum error_kind before = shown->failure.kind;
	other_look(app->parts.other);
	app->needs_draw = app->needs_draw || shown->failure.kind != before;
}

void
arrival_look(struct app *app)
{
	if (app->parts.other != NULL)
		look_at_other(app);
	app_look(app);
	take_arrangement(app);
	if (app->parts.awaits_part)
		take_part(app);
	else
		take_trace(app);
	if (app->parts.loader != NULL && loader_take_late(app->parts.loader))
		app->pane[0].session.marks = app->parts.loader->marks;
	if (app->parts.loader != NULL)
		take_line(app, app->parts.loader);
	if (app->parts.other != NULL)
		take_line(app, &app->parts.other->loader);
	for (int i = 0; i < app->parts.beside_count; i++)
		take_line(app, &app->parts.beside[i].loader);
}
