/* The help view: the keys of the view beneath it, from the tables that drive them. */
#ifndef TTRACE_VIEW_HELP_H
#define TTRACE_VIEW_HELP_H

#include "view/view.h"

extern const struct view_ops help_view;

#endif
