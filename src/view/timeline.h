/* The timeline view: lanes over time, with a cursor that is a cell. */
#ifndef TTRACE_VIEW_TIMELINE_H
#define TTRACE_VIEW_TIMELINE_H

#include "view/view.h"

extern const struct view_ops timeline_view;

#endif
