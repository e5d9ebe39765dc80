/* The loop of the interactive program: wait, take all that came, draw once. */
#ifndef TTRACE_APP_LOOP_H
#define TTRACE_APP_LOOP_H

#include <stdbool.h>

#include "app/app.h"
#include "base/error.h"

/* Runs until the user leaves. False when the screen fails, with err set. */
bool loop_run(struct app *app, struct error *err);

#endif
