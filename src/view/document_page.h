/* The page of a text with parts: its words, and a line for each part that leads into it. */
#ifndef TTRACE_VIEW_DOCUMENT_PAGE_H
#define TTRACE_VIEW_DOCUMENT_PAGE_H

#include "view/view.h"

extern const struct view_ops document_view;

#endif
