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
#include "draw/screen.h"
#include "trace/trace.h"
#include "view/command.h"
#include "view/session.h"
#include "view/setting.h"

/* What the main loop has to do after a command. */
enum view_reaction {
	VIEW_NOTHING,
	VIEW_REDRAW,
	VIEW_CLOSE,     /* leave this view, back to the one below */
	VIEW_LEAVE,     /* leave all views but the first one, which CLOSE there leads back to */
	VIEW_OPEN,      /* go on to another page */
	VIEW_PANE_ABOVE, /* go on in the trace above, or below */
	VIEW_PANE_BELOW,
	VIEW_SECTION,   /* leave for a part of a text: the session's `section` */
	VIEW_ASK        /* open the prompt of `ask_command` with `ask_line` in it */
};

/* A page that is open. */
struct view_page {
	const struct view_ops *ops;
	void *state;
};

struct view_answer {
	enum view_reaction reaction;
	/*
	 * For VIEW_OPEN: the page, which the app closes; or by what name it opens one, "detail",
	 * good until the answer is taken. Neither: it did not open, as the status line says.
	 */
	struct view_page page;
	const char *open_name;
	bool push_history;       /* the move deserves a step in the undo list */
	bool takes_press;        /* of the mouse: a second one at once is not OPEN */
	enum command ask_command; /* for VIEW_ASK */
	const char *ask_line;     /* good until the notes change */
};

/* Where one stands in a view, to come back to; counted from 0. */
struct view_place {
	size_t line; /* that is selected, of those that can be */
	size_t top;  /* the first one on the screen, of all */
};

struct view_ops {
	const char *name;        /* "timeline", "detail", "help": also the word in :commands */
	unsigned context;        /* one bit of enum command_context: which commands and keys apply */
	/* Appends the name of the page, which --view takes; NULL: the view's own. */
	void (*add_name)(const void *state, const struct session *session, struct text *out);
	/* Makes the view's state; NULL and err on failure. Of analyses analysis_open() does so. */
	void *(*open)(struct session *session, struct error *err);
	void (*close)(void *state);
	/*
	 * Carries out a command that applies in this context. `count` is the number
	 * typed before it, else 1. `argument` is what was typed at the prompt of JUMP,
	 * SEARCH and the like, empty only where that drops what was there; else NULL. The app
	 * itself does HALF_PAGE_UP and _DOWN (as UP and DOWN with a count), NEXT_VIEW, HELP,
	 * REFRESH, SUSPEND and QUIT, and CLOSE if the view says VIEW_NOTHING. For UNDO and REDO it
	 * puts back the session's viewport, cursor and lane, then tells the view so.
	 */
	struct view_answer (*command)(void *state, struct session *session, enum command command,
	                              long count, const char *argument);
	/*
	 * Whether the page does nothing with a command that applies in its context: no hint tells
	 * of it then. NULL: there is none such.
	 */
	bool (*lacks)(const void *state, enum command command);
	/* The mouse did something above the app's row. NULL: the wheel is UP and DOWN. */
	struct view_answer (*mouse)(
		void *state, struct session *session, const struct screen_mouse *mouse);
	/*
	 * A search was taken into the session while this view is on top: with what to tell
	 * about it. May be NULL.
	 */
	struct view_answer (*search_taken)(
		void *state, struct session *session, const struct error *note);
	/*
	 * When the next match of the session's search starts, or the one before, as NEXT_MATCH and PREVIOUS_MATCH go
	 * from the cursor; false behind the last one, and without a search. May be NULL.
	 */
	bool (*match_ns)(void *state, struct session *session, bool forward, int64_t *t_ns);
	/*
	 * Takes in what the view has another thread make. True while that goes on, and when some
	 * was taken: it is to be drawn. Called whenever time has passed; may be NULL.
	 */
	bool (*look)(void *state, struct session *session);
	/*
	 * session_renew() was called: lets go of the snapshot `before`, on failure as well. NULL
	 * for a view that holds nothing of a trace.
	 */
	bool (*renew)(void *state, struct session *session, const struct trace *before,
	              struct error *err);
	/*
	 * Fills the canvas, which is blank, as wide as the screen and one row less high: the
	 * last row is the app's. The title bar is the view's.
	 */
	void (*draw)(void *state, struct session *session, struct canvas *canvas);
	/*
	 * The stack that is shown for what is under the cursor, in place of that of the selected
	 * span; STACK_NONE for none. *is_frame: its innermost frame itself is. May be NULL.
	 */
	stack_id (*stack)(const void *state, const struct session *session, bool *is_frame);
	/* Where one stands; false where a view that is opened stands there by itself. May be NULL. */
	bool (*place)(const void *state, const struct session *session, struct view_place *place);
	/*
	 * Goes there, or as near as it can, at once or when the view is drawn. NULL where place()
	 * is.
	 */
	void (*go_to_place)(void *state, struct session *session, const struct view_place *place);
	/*
	 * Tells what the page is set to otherwise than at first, in an order that it can be set in.
	 * May be NULL.
	 */
	void (*name_settings)(const void *state, const struct session *session,
	                      const struct setting_sink *sink);
	/*
	 * Sets it so, at once or when it is drawn; the words stay as long as the view. What it does
	 * not know is told in the status line. NULL where name_settings() is.
	 */
	void (*set)(void *state, struct session *session, const char *const *settings, size_t count);
	/*
	 * Calls add() for the name of each row that is folded otherwise than at first, and the
	 * other way, as draw/rows_fold.h. NULL where nothing folds.
	 */
	void (*name_folds)(const void *state, const struct session *session,
	                   void (*add)(void *context, const char *name), void *context);
	bool (*fold_names)(void *state, struct session *session, const char *const *names,
	                   size_t count, struct error *err);
	/* Safe text for the right end of the app's row ("1.2217 s  120 µs/cell"); may be NULL. */
	void (*position)(void *state, struct session *session, struct text *out, bool ascii);
};

/* Appends the name that --view takes to an empty text; nothing where it has a zero byte, which no option can. */
void view_add_page(const struct view_ops *ops, const void *state, const struct session *session,
                   struct text *out);

#endif
