/* The view that shows an analysis: "analysis"; and "goroutines", "top:sched", as view/analyses.h has them. */
#ifndef TTRACE_VIEW_ANALYSIS_VIEW_H
#define TTRACE_VIEW_ANALYSIS_VIEW_H

#include "view/view.h"

/* Those that are tables, and those that are pictures, whose commands are others. */
extern const struct view_ops analysis_view, chart_view;

#endif
