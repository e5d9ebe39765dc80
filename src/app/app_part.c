/*
 * Another part of a trace of which not all is loaded: when it is wanted, and what is said while it
 * loads. Whoever rests where nothing is loaded wants it; so nothing is loaded on the way.
 */
#include <inttypes.h>
#include <stdio.h>

#include "app/app_internal.h"
#include "base/units.h"

/* Shorter than one waits, longer than between two keys of one way. */
enum { REST_MS = 400 };

/* NULL where there are none: of other traces than the first one no other part is loaded. */
static const struct part *
part_here(const struct app *app)
{
	return app->panes.active != 0 ? NULL : parts_at(&app->session->trace->parts, app->session->cursor_ns);
}

bool
app_lacks_part(const struct app *app)
{
	const struct part *part = part_here(app);
	return part != NULL && !part->is_loaded;
}

bool
app_is_loading_part(const struct app *app)
{
	return app->parts.awaits_part && !app->is_whole;
}

/* What is on its way; NULL for nothing, and where that is found by an actor. */
static const struct part *
coming_part(const struct app *app)
{
	const struct go_wish *wish = &app->parts.origin.part;
	if (!app_is_loading_part(app) || wish->goroutine > 0)
		return NULL;
	return parts_at(&app->session->trace->parts, wish->from_ns);
}

/* ---- going there */

/* The loop ends, and begins again when that is there. */
static void
leave_for_part(struct app *app, const struct part *part)
{
	const struct loader *loader = app->parts.loader;
	struct error err;
	error_clear(&err);
	app->asked_part = part->generation;
	if (loader->check == NULL || loader->check(loader->context, &err))
		app->is_done = app->wants_part = true;
	else
		app_tell_error(app, &err);
	app->needs_draw = true;
}

void
app_load_part(struct app *app, enum command command, long count)
{
	const struct parts *parts = &app->session->trace->parts;
	const struct part *part = part_here(app);
	(void)command;
	(void)count;
	if (app->panes.active != 0)
		session_status(app->session, false, "only of the first trace other parts are loaded");
	else if (part == NULL && app->is_whole)
		session_status(app->session, false,
			parts->has_rest ? "what follows was not read and is gone"
					: "all of the trace is loaded");
	else if (app_is_loading_part(app) ? part == coming_part(app) : !app->is_whole)
		session_status(app->session, false, "it is being loaded");
	else if (part->is_loaded)
		session_status(app->session, false, "what is here is loaded");
	else if (app->parts.loader != NULL)
		leave_for_part(app, part);
}

bool
app_cancel_part(struct app *app)
{
	if (!app_is_loading_part(app) || app->depth > 1)
		return false;
	progress_cancel(app->parts.loader->progress);
	return true;
}

/* ---- resting */

/* Where all is on the screen nobody looks at a part. */
static bool
shows_all(const struct session *session)
{
	return session->viewport.t0_ns <= 0 && session->viewport.t1_ns >= session->trace->end_ns;
}

/* Where the options lead is shown as it is, until somebody goes elsewhere. */
static bool
has_gone(const struct app *app)
{
	const struct session *session = app->session;
	return app->parts.has_gone || (app->was_used && (app->first.cursor_ns != session->cursor_ns ||
					app->first.viewport.t0_ns != session->viewport.t0_ns ||
					app->first.viewport.t1_ns != session->viewport.t1_ns));
}

static bool
is_busy(const struct app *app)
{
	return app->depth > 1 || app->prompt.is_open || app->count > 0 || app->is_waiting ||
	       session_is_making(app->session);
}

int
app_rest_ms(const struct app *app)
{
	const struct part *part = part_here(app);
	bool may_load = app->parts.loader != NULL && (app->is_whole || app->parts.awaits_part);
	if (!may_load || part == NULL || part->is_loaded || part->generation == app->asked_part ||
		part == coming_part(app) || !has_gone(app) || shows_all(app->session) || is_busy(app))
		return -1;
	return app->rested_ms < REST_MS ? REST_MS - app->rested_ms : 0;
}

void
app_rest(struct app *app, int rested_ms)
{
	if (app->rested_ms < REST_MS)
		app->rested_ms += rested_ms;
	if (app_rest_ms(app) == 0)
		leave_for_part(app, part_here(app));
}

/* What could not be had is tried again by who comes back to it. */
void
app_leave_rest(struct app *app)
{
	const struct part *part = part_here(app);
	app->rested_ms = 0;
	if (!app->was_used)
		app->first = place_of(app->session);
	app->was_used = true;
	if (part == NULL || (part->generation != app->asked_part && !app_is_loading_part(app)))
		app->asked_part = 0;
}

/* ---- saying so */

void
app_tell_part(const struct app *app, char *line, size_t size)
{
	const struct progress *progress = app->parts.loader->progress;
	const struct part *part = coming_part(app);
	char done[UNITS_TEXT], total[UNITS_TEXT], what[40] = "what was there";
	units_bytes(done, progress_done(progress));
	units_bytes(total, atomic_load_explicit(&progress->total_bytes, memory_order_relaxed));
	if (part != NULL)
		snprintf(what, sizeof what, "generation %" PRIu64, part->generation);
	snprintf(line, size, "loading %s: %s of %s, Escape cancels", what, done, total);
}
