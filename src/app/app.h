/*
 * The interactive program: the views that are open, what they share, and the
 * one row that is its own. Keys come in, a canvas goes out; waiting for keys is
 * the loop's business (app/loop.h).
 */
#ifndef TTRACE_APP_APP_H
#define TTRACE_APP_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "app/footer.h"
#include "app/history.h"
#include "app/link.h"
#include "app/loader.h"
#include "app/notefile.h"
#include "app/other.h"
#include "app/prompt.h"
#include "app/typed.h"
#include "analysis/beneath/lanes.h"
#include "base/error.h"
#include "base/job.h"
#include "draw/canvas.h"
#include "draw/palette.h"
#include "draw/screen.h"
#include "view/panes.h"
#include "view/verdict.h"
#include "view/view.h"

/* A row of the table of views. */
struct app_view {
	const struct view_ops *ops;
	bool is_tab; /* Tab goes through these; the first one is open from the start */
};

/* What the app is made from; everything must outlive it. */
struct app_parts {
	struct screen *screen;
	const struct palette *palette;
	bool ascii;
	const struct app_view *views;
	size_t view_count;
	const struct trace *trace; /* the first one, where there is a loader that has more */
	struct loader *loader;     /* NULL for none */
	struct other *other;       /* the trace that it is compared with; NULL for none */
	struct other *beside;      /* those that stand beside it, PANES_MOST - 1 at most */
	int beside_count;
	const char *align;         /* as --align has it; NULL: nothing */
	const char *file_name; /* safe text */
	struct viewport viewport;
	int64_t cursor_ns;
	bool with_runtime; /* analyses count the runtime's actors, too */
	bool is_wall; /* times of the wall clock, if the trace has one */
	actor_ref focus;     /* REF_NONE for none */
	bool has_stacks;     /* stack lanes are shown ... */
	actor_ref stacks; /* ... of this actor */
	struct interacts_plan interacts; /* only those are shown; of 0 steps: all */
	enum task_view tasks; /* as lanes from the start ... */
	task_ref task;       /* ... on this one */
	const char *query;   /* of the filter from the start; NULL for none */
	struct arrange_plan plan; /* of the lanes from the start */
	const struct row_picks *hidden, *pinned; /* the same; copied, NULL: none */
	bool has_lane;       /* a row is to be selected at the beginning ... */
	struct lane lane;    /* ... which is this one */
	bool has_mouse;      /* at the beginning, and from then on as it was switched */
	struct link_origin origin;
	/* What is marked, folded and open at the beginning, of these; NULL: nothing. */
	const struct options *asked;
	actor_ref path;        /* of their critical path; REF_NONE for none */
	const char *search;    /* what is marked from the start; NULL for none */
	bool hides;            /* what the query does not match */
	const char *editor;    /* as $EDITOR has it; NULL: none */
	const struct key_map *keys; /* NULL: the usual ones */
	struct notefile *notefile;  /* NULL: notes are not kept */
	struct prompt_memory *memories; /* by kind, stays the caller's; NULL: the app has its own */
	/*
	 * Nothing of the trace is loaded, which the loader does: until that has it, this one is shown.
	 * Else a part that is not loaded is loaded once somebody goes there, ...
	 */
	bool awaits_part;
	bool has_gone;       /* ... as was done before, ... */
	uint64_t asked_part; /* ... but for this generation, which was asked for last; 0 for none */
	bool has_seen_verdict;      /* no line tells what is odd any more */
	const char *notice;         /* safe text for the status line at the beginning; NULL: none */
};

enum { APP_MAX_DEPTH = 8, APP_MAX_COUNT = 999999 };

/* One of the traces on the screen. */
struct app_pane {
	bool is_open;           /* there is a session; until then the heading says how far it is */
	struct session session;
	struct notefile notefile; /* in place of one that is kept; or the notes of the first one, in its own time */
	struct verdict verdict;
	struct view_page page;  /* the timeline, and where it was, while it is not active */
	struct history history;
	struct other *other;    /* whose trace it is; NULL: the first one's */
	const struct trace *trace; /* for the thread that compares clocks; NULL: it is not there */
	const char *file;       /* as the command line has it */
	struct text file_word, heading;
	int64_t delta_ns;       /* from times of it to those of the first one, ... */
	const char *clock;      /* by which that is so, where both traces say it; or NULL */
	const struct session *first; /* ... which keeps the notes */
};

/* What the clocks of the traces are apart, and what lies beneath what; of the app, which must not move meanwhile. */
struct app_pairing {
	struct job job;         /* finds that, ... */
	struct job lanes_job;   /* ... and then the lanes of the upper one as they are shown, into `made` */
	atomic_bool is_cancelled;
	bool is_begun, is_done;
	bool has_pair;          /* of which err says whether it fits */
	int above, below;       /* panes */
	struct beneath beneath;
	struct error err;
	struct trace *wanted, *held; /* whose lanes are made, and are shown; held until they are not; or NULL */
	struct beneath_lanes made, shown;
	struct error lanes_err;
};

struct app {
	struct app_parts parts;
	struct session *session;   /* of the active pane */
	struct app_pane pane[PANES_MOST]; /* the first one always has a trace; from top to bottom */
	struct panes panes;        /* without any there is one trace */
	bool panes_search, panes_filter; /* something is searched for in them, or filtered by */
	struct app_pairing pairing;
	bool is_looking;           /* for what is odd in the trace */
	struct view_page stack[APP_MAX_DEPTH]; /* the last one is seen */
	size_t depth;
	size_t left;      /* behind the first one, alone then: CLOSE leads back to them ... */
	size_t left_step; /* ... until fewer steps than these are left to undo */
	struct history history;
	struct prompt prompt;
	struct prompt_memory own_memories[PROMPT_KINDS];
	struct prompt_memory *memories; /* lines entered at the prompts, by kind */
	enum command asked_command;           /* that the open prompt is for */
	long asked_count;
	long count; /* typed so far, 0 for none */
	struct text link; /* the command line shown last that leads to a view; raw bytes */
	struct footer_spots spots; /* of the last frame */
	int64_t pressed_ms;        /* when the mouse was pressed, 0 for never, and where */
	int pressed_x, pressed_y;
	struct canvas canvas;
	bool is_whole; /* all of the trace is there */
	bool awaits_place; /* until what the options name is there: rows, or what lies beneath */
	struct error failure; /* why it could not go on; ERROR_NONE while it can */
	bool is_done; /* the user wants to leave */
	bool wants_part; /* and then to come back with what is around the cursor loaded */
	bool has_arrived; /* what parts.awaits_part is about was loaded, or could not be: it is done */
	uint64_t asked_part; /* of the parts, until the cursor was elsewhere */
	bool was_used;    /* a key was pressed, before which ... */
	struct place first; /* ... it looked there */
	int rested_ms;    /* waited since the last one */
	bool needs_draw;
	bool has_refused;   /* a page did not open, which the key before asked for */
	bool holds_frame;   /* what was begun may be done so soon that its picture is the next one */
	bool is_waiting;    /* a view has another thread make something */
	bool is_unsound;    /* the trace is not what was kept of it; nothing of it may be shown */
	bool is_closed;     /* the user closed the last page, and did not quit */
	bool is_terminated; /* by a signal or the end of the terminal */
};

/*
 * Opens the first view. The app may not be moved afterwards. On failure err says
 * why and nothing needs to be released.
 */
bool app_init(struct app *app, const struct app_parts *parts, struct error *err);
void app_release(struct app *app);

/* The view of that name; NULL: it may be the name of an analysis. */
const struct view_ops *app_find_view(const struct app_view *views, size_t count, const char *name);
/* What the user typed, by the name that struct screen_event gives it. */
void app_key(struct app *app, const char *key);
/* What the mouse did. */
void app_mouse(struct app *app, const struct screen_mouse *mouse);
/* Opens a page that was open in another app; is_left: one that CLOSE leads back to. */
void app_come_back(struct app *app, const char *page, bool is_left);
/* Takes in what was made on other threads; to be called whenever time has passed. */
void app_look(struct app *app);
/* Tells what is missing from the trace, until a key is pressed. */
void app_tell_damage(struct app *app);
/*
 * How long nothing has to happen until the part under the cursor is loaded; -1 for ever. As long as
 * it is `rested_ms` more, app_rest() tells that nothing has.
 */
int app_rest_ms(const struct app *app);
void app_rest(struct app *app, int rested_ms);
/* Carries out a command that applies to the view on top, as its key would. */
void app_command(struct app *app, enum command command, long count);
/* Draws the view on top and the bottom row on app->canvas, in the size of the screen. */
bool app_draw(struct app *app, struct error *err);

#endif
