/* The page that shows an analysis; analysis_open() of view/analysis.h opens one that is chosen. */
#ifndef TTRACE_VIEW_ANALYSIS_VIEW_H
#define TTRACE_VIEW_ANALYSIS_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "view/view.h"

/* Those that are tables, and those that are pictures, whose commands are others. */
extern const struct view_ops analysis_view, chart_view;

/* Whether there is an analysis of that name; else err says so, and what may have been meant. */
bool analysis_view_has(const char *name, struct error *err);
/*
 * Opens the analysis of a name, "top:sync" or "goroutines@G42", as a page; else err says why not.
 */
bool analysis_view_open(
	struct session *session, const char *name, struct view_page *page, struct error *err);

#endif
