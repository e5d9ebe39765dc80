/* Which traces are compared, in one line. Only for view/. */
#ifndef TTRACE_VIEW_DIFF_SOURCES_H
#define TTRACE_VIEW_DIFF_SOURCES_H

#include "draw/canvas.h"
#include "view/analysis.h"
#include "view/session.h"

/*
 * "--- before.trace 1.22 s, 127 goroutines  +++ http.trace 1.35 s, 299 goroutines", as much of it
 * as there is room for: what the two are called, how long the time is that is compared of each, and
 * whether that is not all there. The other trace is there.
 */
void diff_sources_draw(const struct analysis_scope *scope, const struct session *session,
	struct canvas *canvas, int y);

#endif
