/* What arrives of the trace while it is shown. */
#ifndef TTRACE_APP_ARRIVAL_H
#define TTRACE_APP_ARRIVAL_H

#include "app/app.h"

/*
 * app_look(), and takes in what the loader has now; where that failed, app->failure says why.
 * What arrives during a search waits for its end, so that each search ends.
 */
void arrival_look(struct app *app);

#endif
