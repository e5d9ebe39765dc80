/*
 * What every interactive view answers, and what it shares with the others. A
 * view is one file with one constant table of functions; it draws on a canvas
 * and changes only its own state and the session.
 */
#ifndef TTRACE_VIEW_VIEW_H
#define TTRACE_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "trace/lane.h"
#include "trace/trace.h"
#include "view/command.h"

struct search; /* query/search.h */

/* The time interval on screen: [t0, t1), at least 1 ns per cell. */
struct viewport {
	int64_t t0_ns, t1_ns;
};

/* What all views share and keep in step: time, selection, search. Owned by the app. */
struct session {
	const struct trace *trace;
	const char *file_name;   /* safe text */
	struct viewport viewport;
	int64_t cursor_ns;       /* the selected moment, within the viewport */
	struct lane lane;        /* the selected lane */
	bool has_lane;           /* false: a row without a lane is selected */
	struct search *search;   /* NULL while there is none */
	char status[256];        /* safe text for the status line, until the next key; "" for none */
	bool status_is_alert;
};

/* What the main loop has to do after a command. */
enum view_reaction {
	VIEW_NOTHING,
	VIEW_REDRAW,
	VIEW_CLOSE,     /* leave this view, back to the one below */
	VIEW_OPEN       /* open the view that `view_open_name` of the command's answer names */
};

struct view_answer {
	enum view_reaction reaction;
	const char *open_name;   /* for VIEW_OPEN: a view's name, e.g. "detail" */
	bool push_history;       /* the move deserves a step in the undo list */
};

struct view;

struct view_ops {
	const char *name;        /* "timeline", "detail", "help": also the word in :commands */
	unsigned context;        /* one bit of enum command_context: which commands and keys apply */
	/* Makes the view's state; NULL and err on failure. */
	void *(*open)(struct session *session, struct error *err);
	void (*close)(void *state);
	/* Carries out a command that applies in this context. `count` is the number typed before it, else 1. */
	struct view_answer (*command)(void *state, struct session *session, enum command command,
	                              long count, const char *argument);
	/* Fills the area of the canvas (all of it but what the app keeps for its status line). */
	void (*draw)(void *state, struct session *session, struct canvas *canvas);
	/* Safe text for the title bar, e.g. the name of the goroutine shown; may be NULL. */
	void (*title)(void *state, struct session *session, struct text *out);
};

#endif
