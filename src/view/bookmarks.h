/* The page that lists marks and bookmarks, and what it shares with the timeline. */
#ifndef TTRACE_VIEW_BOOKMARKS_H
#define TTRACE_VIEW_BOOKMARKS_H

#include "view/view.h"

extern const struct view_ops bookmarks_view;

/*
 * Makes a change of the session's notes; false where that could not be done or kept, which the
 * status line tells.
 */
bool bookmarks_change(struct session *session, const struct notes_change *change);
/* Asks for the note of a bookmark, with the one that it has. */
struct view_answer bookmarks_ask_note(struct session *session, const char *name);
/* Takes what was answered; "" for no note. */
struct view_answer bookmarks_take_note(struct session *session, const char *note);

#endif
