/*
 * The view that shows an analysis: "analysis"; and "goroutines", "top:sched", as
 * view/analyses.h has them.
 */
#ifndef TTRACE_VIEW_ANALYSIS_VIEW_H
#define TTRACE_VIEW_ANALYSIS_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "view/view.h"

/* Those that are tables, and those that are pictures, whose commands are others. */
extern const struct view_ops analysis_view, chart_view;

/*
 * Says that there is no page of that name, and what may have been meant: "top:sync" by "sync", as
 * the list calls it. Always false.
 */
bool analysis_view_refuse(const char *name, struct error *err);

#endif
