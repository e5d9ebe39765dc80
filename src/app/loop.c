/* Drains events between frames: many keys, one drawing. */
#include "app/loop.h"

/* Events taken before the screen is drawn again, so that a held key shows its way. */
enum { EVENTS_PER_FRAME = 64 };

static void
take_event(struct app *app, const struct screen_event *event)
{
	switch (event->kind) {
	case SCREEN_KEY:
		app_key(app, event->key_name);
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

/* Waits for one event and takes those that came with it. */
static void
take_events(struct app *app)
{
	struct screen *screen = app->parts.screen;
	struct screen_event event;
	screen->next(screen, -1, &event);
	take_event(app, &event);
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
		if (app->needs_draw) {
			if (!app_draw(app, err))
				return false;
			if (!screen->put(screen, &app->canvas, app->parts.palette, err))
				return false;
		}
		take_events(app);
	}
	return true;
}
