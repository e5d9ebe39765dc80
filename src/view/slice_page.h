/* "slice": everything about a slice, as a page whose lines lead to others in the timeline. */
#ifndef TTRACE_VIEW_SLICE_PAGE_H
#define TTRACE_VIEW_SLICE_PAGE_H

#include "view/view.h"

extern const struct view_ops slice_view;

#endif
