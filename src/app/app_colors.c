/* Other palettes while the program runs. */
#include "app/app_internal.h"

static void
take_palette(struct app *app, const struct palette *palette)
{
	app->parts.palette = palette;
	app->needs_draw = true;
	session_status(app->session, false, "the palette is %s", palette->name);
}

void
app_next_palette(struct app *app, enum command command, long count)
{
	enum { MOST = 100 };
	const struct palette *palette = app->parts.palette;
	(void)command;
	for (long i = 0; i < count && i < MOST; i++)
		palette = palette_next(palette);
	take_palette(app, palette);
}

void
app_choose_palette(struct app *app, enum command command, long count, const char *line)
{
	struct error err;
	(void)command;
	(void)count;
	error_clear(&err);
	const struct palette *palette = palette_choose(line, app->parts.palette->is_light);
	if (palette != NULL) {
		take_palette(app, palette);
		return;
	}
	error_set(&err, ERROR_USAGE, "there is no palette %.40s", line);
	app_tell_error(app, &err);
}
