/*
 * What all views share and keep in step: time, selection, search, filter, arrangement and path.
 * The app owns it; views change it by the functions below or, where they say so, by hand.
 */
#ifndef TTRACE_VIEW_SESSION_H
#define TTRACE_VIEW_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/arrangement.h"
#include "analysis/interacts.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/row_picks.h"
#include "draw/viewport.h"
#include "trace/slices.h"
#include "trace/span.h"
#include "trace/trace.h"
#include "view/command.h"

/* How user tasks are shown as lanes, in place of other rows. */
enum task_view { TASKS_OFF, TASKS_ALL, TASKS_ONE };

struct analysis;      /* view/analysis.h */
struct beneath;       /* analysis/beneath/beneath.h */
struct analysis_job;  /* view/analyses_kept.c */
struct beneath_lanes; /* analysis/beneath/lanes.h */
struct critical_path; /* analysis/critical.h */
struct key_map;    /* app/keys.h, only to be handed to add_keys() */
struct notes;      /* trace/notes.h */
struct other_trace; /* view/other.h */
struct row_marks;   /* draw/row_marks.h */
struct notes_change;
struct panes;      /* view/panes.h */
struct pieces;     /* analysis/pieces.h */
struct search;     /* query/search.h */
struct search_job; /* query/search_job.h */

/* What a search is made for. */
enum search_purpose { FOR_SEARCH, FOR_FILTER, FOR_COUNT };
/* What becomes of the lanes and spans that the filter does not match. */
enum filter_mode { FILTER_OFF, FILTER_DIMS, FILTER_HIDES };

enum { ANALYSES_KEPT = 24, ANALYSES_LEFT = 8 };

/*
 * Analyses that are open or were, with their numbers; see view/analyses.h.
 * Zero-initialised is empty.
 */
struct analyses {
	struct analysis *kept[ANALYSES_KEPT];
	size_t count;
	uint64_t used;                            /* goes up */
	struct analysis_job *left[ANALYSES_LEFT]; /* cancelled, but not done yet */
};

/* What all views share and keep in step: time, selection, search. Owned by the app. */
struct session {
	const struct trace *trace;
	const char *file_name;   /* safe text */
	struct panes *panes;     /* where it is one of several on the screen; NULL: it is alone */
	int pane;                /* of these */
	const char *pane_words;  /* what its heading says behind the file, safe text */
	const struct beneath *beneath; /* what lies beneath the trace; NULL: nothing, or not known yet; ... */
	const struct beneath_lanes *lanes; /* ... and its lanes, maybe of the trace before */
	const struct pieces *foreign; /* what its processors ran that is not of a trace above; NULL: none lies there */
	uint32_t section;        /* of a text with parts, which one is to be opened, from 1; 0: none */
	const char *file_word;   /* the file for a command line, as safe text, with its folder and quotes */
	int height;              /* of the canvas when a view is opened; 0: not known yet */
	struct viewport viewport;
	struct viewport others;  /* how far those beside the trace go, in its time; without any [0, 0) */
	int64_t cursor_ns;       /* the selected moment, within the viewport */
	struct lane lane;        /* the selected lane */
	bool with_runtime;       /* analyses count the runtime's actors, too */
	bool is_wall;            /* times are told by the wall clock, which the trace then has */
	bool has_lane;           /* false: a row without a lane is selected */
	bool has_mark;           /* an interval is marked, from mark_ns to the cursor */
	bool has_mark_end;       /* it goes on to mark_end_ns and not to the cursor */
	int64_t mark_ns, mark_end_ns;
	bool is_between;         /* else the marked interval is what lies between the marks A and B */
	struct other_trace *other; /* that it is compared with; NULL for none */
	const struct notes *notes; /* of the user's; NULL for none */
	/* Makes a change of the notes that lasts, as notes_make(); context is note_context. */
	bool (*change_notes)(void *context, const struct notes_change *change, struct error *err);
	void *note_context;
	bool keeps_notes;          /* else they are forgotten in the end */
	struct text noted;         /* the bookmark whose note was asked for */
	struct critical_path *path; /* shown on the timeline, NULL for none; see session_show_path() */
	actor_ref path_actor;         /* of whom */
	bool asks_region;             /* the next critical path is that of a region ... */
	range_ref asked_region;       /* ... which is this one */
	bool asks_slice;          /* the next page of a slice is of this one; a page leads to its row */
	column_ref asked_column;
	uint32_t asked_slice;     /* in that column */
	bool has_stacks;         /* stack lanes are shown, at first those of --stack-lanes ... */
	actor_ref stacks;        /* ... of this actor */
	bool asks_actor;          /* the next page of causes is of an actor that is not selected ... */
	actor_ref asked_actor; /* ... this one */
	struct analyses analyses;
	uint32_t snapshot;            /* goes up with each later one */
	struct row_marks *marks;      /* made beforehand, maybe for it; NULL for none */
	bool awaits_marks;            /* those of the first trace are made while it is shown */
	size_t finding;               /* which one of the list was selected last */
	struct verdict *verdict;      /* view/verdict.h; NULL: nobody looks for one */
	actor_ref focus;     /* shown with what touched it; at first that of --goroutine; or REF_NONE */
	struct interacts_plan interacts; /* whose company is shown alone; of 0 steps: all */
	enum task_view tasks;
	bool leads_back;         /* CLOSE leads from the timeline to a page, a row of which led there */
	bool awaits_rows;        /* what is drawn is not all there yet: it is to be drawn again */
	task_ref task;           /* with TASKS_ONE the one that is shown, with TASKS_ALL that of the row */
	char loading[64];        /* safe text: how far it is while the trace is not all there, else "" */
	struct search *search;   /* NULL while there is none */
	uint32_t search_number;  /* another one for each search */
	struct text pattern;     /* of the search; what more of the trace is searched for */
	struct search_job *searching; /* its search takes that one's place; NULL for none */
	struct text asked;            /* what the user asked it to search, unless is_repeated */
	int64_t searched_from_ns;     /* where the cursor stood when it began, and on which lane */
	struct lane searched_from_lane;
	enum search_purpose purpose;  /* of `searching`, or of the search that was taken last */
	struct search *filter;        /* NULL while there is none */
	struct text filter_text;      /* its query, as it was typed */
	enum filter_mode filter_mode; /* FILTER_OFF without one, except while it is made again */
	uint32_t filter_number;       /* another one for each filter */
	uint64_t counted_spans, counted_actors; /* of the count that was taken last ... */
	bool counted_slices;                    /* ... which are slices */
	struct row_picks hidden;      /* rows that are not shown */
	struct row_picks pinned;      /* rows that stay on top */
	struct arrange_plan plan;     /* how the lanes are to be arranged ... */
	struct arrange_job *arranging; /* ... which that does; NULL for nothing to do */
	bool arrangement_is_taken;      /* it goes on, for what its groups do */
	struct arrangement arrangement; /* how they are; of no trace: as usual */
	const struct trace *arrived;  /* shown once it is arranged; NULL for none */
	bool is_live;                 /* it was told so of that one */
	bool is_repeated;        /* it was begun for more of the trace, not by the user */
	bool tells_search;       /* the status line is about the search ... */
	bool tells_filter;       /* ... or about the filter, */
	bool tells_count;        /* ... or about a count */
	bool counts_again;       /* which is to be made for more of the trace */
	struct text counted;     /* its query */
	void (*wake)(void *context);  /* makes the loop look at it; from any thread, may be NULL */
	void *wake_context;
	char status[256];        /* safe text for the status line, until the next key; "" for none */
	bool status_is_alert;
	bool ascii;              /* the screen shows nothing else: status lines keep to it */
	unsigned help_context;   /* the view that the help screen tells about */
	/*
	 * Appends the keys of a command in a context, "Left h"; both set by the app, which knows
	 * them.
	 */
	void (*add_keys)(const struct key_map *keys, struct text *out, enum command command,
		unsigned context);
	const struct key_map *keys;
};

/* All that can be looked at: the trace, and what is beside it. */
static inline struct viewport
session_extent(const struct session *session)
{
	int64_t end_ns = session->trace->end_ns;
	struct viewport beside = session->others;
	return (struct viewport){ beside.t0_ns < 0 ? beside.t0_ns : 0, beside.t1_ns > end_ns ? beside.t1_ns : end_ns };
}

/* Sets the status line, with a format as of text_format_words(); the arguments must be safe text. */
void session_status(struct session *session, bool is_alert, const char *format, ...)
	ATTR_PRINTF(3, 4);

/* The status line is about no search, filter or count any more. */
void session_tell_else(struct session *session);

/*
 * The marked interval, empty where the cursor stands on the mark; false without one. It goes from
 * where session_mark() was called to the cursor, or lies between the marks A and B, whichever was
 * set last.
 */
bool session_marked(const struct session *session, int64_t *from_ns, int64_t *until_ns);
void session_mark(struct session *session, int64_t from_ns);
/* A marked interval stays what it is, wherever the cursor goes; an empty one does not. */
void session_hold_mark(struct session *session);
/* There is no marked interval any more; the marks A and B stay. False where there was none. */
bool session_unmark(struct session *session);
/* From A to B or from B to A; false where one of them is not set. */
bool session_between(const struct session *session, int64_t *from_ns, int64_t *until_ns);

/* Begins a search in place of one that is still being made. False and *note as search_new() says. */
bool session_search(struct session *session, const char *pattern, struct error *note);
/*
 * The same for a query (query/query.h) that will be the filter, or of which only the matches are
 * counted.
 */
bool session_filter(struct session *session, const char *query, struct error *note);
bool session_count(struct session *session, const char *query, struct error *note);
/* The query of the filter, also of one that is still looked for; NULL for none. */
const struct text *session_filter_text(const struct session *session);
void session_drop_search(struct session *session);
void session_drop_filter(struct session *session);
/*
 * Takes in a search that is made in place of the one before, as `purpose` says; *note as
 * search_new() says. False while there is none to take. To be called until `searching` is NULL.
 */
bool session_take_search(struct session *session, struct error *note);
/*
 * Another snapshot of the trace, with more in it, takes the place of the one before, which
 * may go once the views were renewed. No search may be in the making; one that was made begins
 * again. What showed all goes on showing all; is_live: what showed the end, showing the end.
 */
void session_renew(struct session *session, const struct trace *trace, bool is_live);
/* Whether a search or an arrangement is in the making. */
bool session_is_making(const struct session *session);
/* In which order lanes stand; NULL: in the usual one. */
const struct lane_order *session_lane_order(const struct session *session);
/*
 * Begins to arrange the lanes in place of what is being arranged. False and err where that
 * cannot be begun; then all is as it was.
 */
bool session_arrange(struct session *session, struct arrange_plan plan, struct error *err);
/* Whether lanes are arranged, or being so: then a later snapshot has to be as well. */
bool session_is_arranged(const struct session *session);
/*
 * A later snapshot is arranged before it is shown, by session_renew(). It must stay until
 * the next one is given. Nothing may be being arranged.
 */
bool session_arrange_arrived(struct session *session, const struct trace *trace, bool is_live,
	struct error *err);
/*
 * Takes in an arrangement once it is made and no search is in the making; the views are to be
 * renewed then, and *before to be released. err is set where it could not be made. False while
 * there is none to take, or yet.
 */
bool session_take_arrangement(
	struct session *session, struct arrangement *before, struct error *err);
/*
 * Takes in what the groups of the arrangement do, once that is known: true. Where it cannot be
 * known err is set. To be called whenever something may have been made.
 */
bool session_take_changes(struct session *session, struct error *err);
/* Forgets it, as for session_renew() with lanes as usual; *before is to be released later. */
void session_drop_arrangement(struct session *session, struct arrangement *before);
/* The same lane in a later snapshot than `before`. */
struct lane session_follow_lane(
	const struct session *session, struct lane lane, const struct trace *before);
/*
 * Begins to make a filter again that more of the trace has undone, or a count that is still told,
 * unless a search is being made.
 */
void session_go_on(struct session *session);
/* Searches another trace for what was searched for in one before, as session_renew() does. */
void session_resume_search(struct session *session, const char *pattern);
/* What is searched, as it was typed; NULL for nothing. */
const char *session_searched(const struct session *session);
/* Ends what goes on for a search; true if that was not made yet, which is then dropped. */
bool session_stop_search(struct session *session);
/* Waits for all analyses that are being made, and frees what is kept of them. */
void session_drop_analyses(struct session *session);
/* Ends the search and frees what the session holds of it; the trace is the caller's. */
void session_release(struct session *session);

/* Steps of a path that are looked at, in up to half a second; what is left is one part. */
enum { SESSION_PATH_STEPS = 500000 };

/*
 * A path of the session's trace becomes its own, in place of the one before: what it points to is the
 * session's then. False without memory. It is made anew for each later snapshot.
 */
bool session_take_path(struct session *session, const struct critical_path *path,
	actor_ref actor, struct error *err);
/* The same of one in [t0, t1) that is found first; the one before stays on failure. */
bool session_show_path(struct session *session, actor_ref actor, int64_t t0_ns,
	int64_t t1_ns, struct error *err);
/* False where there is none. */
bool session_drop_path(struct session *session);

/* Moves the cursor to t; where that is off the screen of so many cells the interval follows. */
void session_go_to(struct session *session, int cells, int64_t t_ns);

#endif
