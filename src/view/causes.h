/*
 * The views that answer questions about the selection: why an actor was not running, what its
 * time went into, where everyone was, whom it woke. Each is a page to walk on.
 */
#ifndef TTRACE_VIEW_CAUSES_H
#define TTRACE_VIEW_CAUSES_H

#include "view/view.h"

extern const struct view_ops actor_view;    /* "actor": all about one */
extern const struct view_ops why_view;      /* "why" */
extern const struct view_ops critical_view; /* "critical-path" */
extern const struct view_ops everyone_view; /* "everyone" */
extern const struct view_ops woken_view;    /* "woken" */

/*
 * The span of an actor under the cursor, as a state of its actor; false where there
 * is none.
 */
bool causes_span(const struct session *session, struct span *span);
/*
 * When an actor was made ready, at a span of it or next to that, and the lane of what did it. False
 * where nobody can be shown; then the status says why.
 */
bool causes_waker(
	struct session *session, const struct span *span, struct span *ready, struct lane *lane);
/* Where an actor is needed: what to do if a group is selected, else `otherwise`. */
const char *causes_without_actor(const struct session *session, const char *otherwise);

#endif
