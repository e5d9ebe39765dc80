/* The detail view: everything that is known of the selected span, as a page of text. */
#ifndef TTRACE_VIEW_DETAIL_H
#define TTRACE_VIEW_DETAIL_H

#include "view/view.h"

extern const struct view_ops detail_view;

#endif
