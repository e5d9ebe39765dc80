/* The view that lists what is odd in the trace, the worst first. Each line leads there. */
#ifndef TTRACE_VIEW_FINDINGS_H
#define TTRACE_VIEW_FINDINGS_H

#include "view/view.h"

extern const struct view_ops findings_view; /* "findings" */

#endif
