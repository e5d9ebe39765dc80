/* The list of the views that there are. */
#ifndef TTRACE_APP_VIEWS_H
#define TTRACE_APP_VIEWS_H

#include <stddef.h>

#include "app/app.h"

/* All of them, for app_parts: the timeline first, which is open from the start. */
const struct app_view *views_all(size_t *count);

#endif
