/* The timeline in tests: a session with that view open, without an app and a screen. */
#ifndef TTRACE_TESTS_DESK_H
#define TTRACE_TESTS_DESK_H

#include "trace/notes.h"
#include "view/timeline.h"
#include "view/timeline_state.h"

struct desk {
	struct trace *trace;
	struct session session;
	struct timeline *timeline;
	struct notes notes; /* which nobody keeps */
	struct canvas canvas;
	struct error err;
};

enum { DESK_WIDTH = 100 };

/*
 * A session on a trace, which is the desk's from then on: all of it in sight, the cursor in the
 * middle, nothing focused on. The view is opened by desk_show() alone, so that the session can be
 * told more before.
 */
void desk_begin(struct desk *desk, struct trace *trace);
/* Opens the timeline on a canvas of DESK_WIDTH cells and so many rows, and draws it. */
void desk_show(struct desk *desk, int height);
void desk_draw(struct desk *desk);
/* Frees all of it; after desk_begin() alone, too. */
void desk_close(struct desk *desk);

/* Waits for the search that is being made, takes it in and begins the next, as the loop does. */
struct view_answer desk_take_search(struct desk *desk);

#endif
