/* Drains events between frames, fewer of which a slow line takes: many keys, one drawing. */
#include "app/loop.h"

#include "app/arrival.h"

/* Events taken before the screen is drawn again, so that a held key shows its way. */
enum { EVENTS_PER_FRAME = 64 };

/* While another thread works: between looks at it, and how long a frame may wait for it. */
enum { LOOK_MS = 100, HOLD_MS = 40 };

static bool
is_made_beside(const struct app *app)
{
	return session_is_making(app->session) || app->is_waiting;
}

static int
timeout_of(const struct app *app)
{
	if (!is_made_beside(app) && !app->is_looking && (app->is_whole || loader_is_waiting(app->parts.loader)))
		return -1;
	return app->holds_frame ? HOLD_MS : LOOK_MS;
}

static void
take_event(struct app *app, const struct screen_event *event)
{
	switch (event->kind) {
	case SCREEN_KEY:
		app_key(app, event->key_name);
		return;
	case SCREEN_MOUSE:
		app_mouse(app, &event->mouse);
		return;
	case SCREEN_RESIZE:
	case SCREEN_RESUME:
		app->needs_draw = true;
		return;
	case SCREEN_TERMINATE:
		app->is_terminated = true;
		app->is_done = true;
		return;
	case SCREEN_TIMEOUT:
	case SCREEN_WAKE:
		return;
	}
}

/* The shorter wait; -1 is none. */
static int
sooner(int timeout_ms, int rest_ms)
{
	bool is_sooner = rest_ms >= 0 && (timeout_ms < 0 || rest_ms < timeout_ms);
	return is_sooner ? rest_ms : timeout_ms;
}

/* Waits for one event, until a frame that is due may go, and takes those that came with it. */
static void
take_events(struct app *app, int rest_ms)
{
	struct screen *screen = app->parts.screen;
	struct screen_event event;
	int timeout_ms = sooner(timeout_of(app), app_rest_ms(app));
	if (rest_ms > 0)
		timeout_ms = sooner(timeout_ms, rest_ms);
	screen->next(screen, timeout_ms, &event);
	/* A wake may be for something else than what the frame waits for. */
	app->holds_frame = app->holds_frame && event.kind == SCREEN_WAKE;
	take_event(app, &event);
	if (event.kind == SCREEN_TIMEOUT)
		app_rest(app, timeout_ms);
	for (int taken = 1; taken < EVENTS_PER_FRAME && !app->is_done; taken++) {
		screen->next(screen, 0, &event);
		if (event.kind == SCREEN_TIMEOUT)
			return;
		take_event(app, &event);
	}
}

bool
loop_run(struct app *app, struct error *err)
{
	struct screen *screen = app->parts.screen;
	while (!app->is_done) {
		arrival_look(app);
		if (app->failure.kind != ERROR_NONE) {
			*err = app->failure;
			return false;
		}
		if (app->is_done)
			return true;
		bool is_held = app->holds_frame && is_made_beside(app);
		int rest_ms = app->needs_draw ? screen->rest_ms(screen) : 0;
		if (app->needs_draw && !is_held && rest_ms == 0) {
			if (!app_draw(app, err))
				return false;
			/* Nobody sees what was made from it. */
			app->is_unsound = !trace_is_sound(app->session->trace);
			if (app->is_unsound)
				return true;
			if (!screen->put(screen, &app->canvas, app->parts.palette, err))
				return false;
			if (app->session->awaits_marks)
				loader_begin_late(app->parts.loader);
		}
		take_events(app, rest_ms);
	}
	return true;
}
