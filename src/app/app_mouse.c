/* The mouse: the hints of the bottom row, the view on top, and a second click that opens. */
#include "app/app_internal.h"
#include "base/process.h"

enum { DOUBLE_CLICK_MS = 400, WHEEL_LINES = 3 };

void
app_switch_mouse(struct app *app, enum command command, long count)
{
	struct screen *screen = app->parts.screen;
	(void)command;
	(void)count;
	app->parts.has_mouse = !app->parts.has_mouse;
	screen->set_mouse(screen, app->parts.has_mouse);
	session_status(app->session, false,
		app->parts.has_mouse ? "the mouse is on"
				     : "the mouse is off: it selects text, as without ttrace");
}

/* A click on a hint is its key. */
static void
press_hint(struct app *app, int x)
{
	for (size_t i = 0; i < app->spots.count; i++) {
		const struct footer_spot *spot = &app->spots.items[i];
		if (spot->x <= x && x < spot->end_x) {
			app_command(app, spot->command, 1);
			return;
		}
	}
}

/* Whether this press follows another one in the same place at once. */
static bool
is_second_press(struct app *app, const struct screen_mouse *mouse)
{
	int64_t now_ms = process_now_ns() / 1000000;
	bool is_second = app->pressed_ms > 0 && now_ms - app->pressed_ms <= DOUBLE_CLICK_MS &&
			 app->pressed_x == mouse->x && app->pressed_y == mouse->y;
	app->pressed_ms = is_second ? 0 : now_ms;
	app->pressed_x = mouse->x;
	app->pressed_y = mouse->y;
	return is_second;
}

/* Pages of text are only scrolled. */
static void
scroll_page(struct app *app, enum screen_mouse_kind kind)
{
	if (kind == MOUSE_WHEEL_UP || kind == MOUSE_WHEEL_DOWN)
		app_command(app, kind == MOUSE_WHEEL_UP ? COMMAND_UP : COMMAND_DOWN, WHEEL_LINES);
}

void
app_mouse(struct app *app, const struct screen_mouse *mouse)
{
	if (app->prompt.is_open)
		return;
	app->needs_draw = true;
	app_go_to_place(app, true);
	app_leave_rest(app);
	app->session->status[0] = '\0';
	session_tell_else(app->session);
	app->count = 0;
	if (mouse->y >= app->canvas.height - 1) {
		if (mouse->kind == MOUSE_PRESS)
			press_hint(app, mouse->x);
		return;
	}
	if (app->depth == 1 && app->panes.count > 1 && mouse->kind == MOUSE_PRESS)
		app_go_to_pane(app, panes_at(&app->panes, mouse->y));
	if (!app_tell_mouse(app, mouse)) {
		scroll_page(app, mouse->kind);
		return;
	}
	bool opens = mouse->kind == MOUSE_PRESS && is_second_press(app, mouse);
	if (opens && (command_row(COMMAND_OPEN)->contexts & app_context(app)) != 0)
		app_command(app, COMMAND_OPEN, 1);
}
