/* "task": everything about a task, as a page whose lines lead to places in the timeline. */
#ifndef TTRACE_VIEW_TASK_PAGE_H
#define TTRACE_VIEW_TASK_PAGE_H

#include "view/view.h"

extern const struct view_ops task_view;

#endif
