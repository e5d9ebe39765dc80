/* What the files of the app share. Only for app/app*.c. */
#ifndef TTRACE_APP_APP_INTERNAL_H
#define TTRACE_APP_APP_INTERNAL_H

#include "app/app.h"

/* ---- app/app.c */

/* The context of the view on top. */
unsigned app_context(const struct app *app);
/* Tells the view on top; does what it asks for. argument: as view_ops.command() takes it. */
enum view_reaction app_tell_view(
	struct app *app, enum command command, long count, const char *argument);
/* An error in the status line; its message may hold anything. */
void app_tell_error(struct app *app, const struct error *err);

/* ---- app/app_prompt.c */

/* Opens the prompt of a command that asks. */
void app_ask(struct app *app, enum command command, long count);
/* A key for the open prompt. */
void app_type(struct app *app, const char *key);

#endif
