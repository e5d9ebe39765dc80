/* The view that shows an analysis: "analysis"; and "goroutines", "top:sched", as view/analyses.h has them. */
#ifndef TTRACE_VIEW_ANALYSIS_VIEW_H
#define TTRACE_VIEW_ANALYSIS_VIEW_H

#include "view/view.h"

extern const struct view_ops analysis_view;

#endif
