/*
 * Undo and redo of where the screen looks: viewport, cursor, selected lane, and whose company is
 * shown.
 */
#ifndef TTRACE_APP_HISTORY_H
#define TTRACE_APP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/view.h"

struct place {
	struct viewport viewport;
	int64_t cursor_ns;
	struct lane lane;
	bool has_lane;
	struct interacts_plan interacts;
};

/* Steps that can be undone at most; beyond, the oldest is forgotten. */
enum { HISTORY_MAX = 200 };

/* A pile of places. Zero-initialised is empty. */
struct places {
	struct place items[HISTORY_MAX];
	size_t count;
};

struct history {
	struct places past, future;
};

struct place place_of(const struct session *session);

/* Notes that we left `from` for somewhere new: what was undone cannot be redone any more. */
void history_push(struct history *history, const struct place *from);
/* The session shows a later snapshot than `before`. */
void history_renew(
	struct history *history, const struct session *session, const struct trace *before);
/* The session is to show another part of the trace, where no lane is the same. */
void history_forget_lanes(struct history *history);
/* Puts the session where it was; false when there is nothing to go back to. */
bool history_undo(struct history *history, struct session *session);
bool history_redo(struct history *history, struct session *session);

#endif
