/* The timeline view: lanes over time, with a cursor that is a cell. */
#ifndef TTRACE_VIEW_TIMELINE_H
#define TTRACE_VIEW_TIMELINE_H

#include "view/view.h"

extern const struct view_ops timeline_view;

/*
 * When the next match of the session's search starts, or the one before, as NEXT_MATCH and PREVIOUS_MATCH go from the
 * cursor; false behind the last one, and without a search. `state` is the view's.
 */
bool timeline_match_ns(void *state, struct session *session, bool forward, int64_t *t_ns);

#endif
