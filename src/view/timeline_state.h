/* What the timeline view keeps, and the commands it is made of. Only for view/timeline*.c. */
#ifndef TTRACE_VIEW_TIMELINE_STATE_H
#define TTRACE_VIEW_TIMELINE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/flows.h"
#include "draw/rows.h"
#include "draw/timeline.h"
#include "view/view.h"

struct rows_job; /* draw/rows_job.h */

struct timeline {
	struct timeline_rows rows;
	struct timeline_buffers buffers;
	size_t cursor_row, first_row;  /* below rows.count */
	struct timeline_layout layout; /* of the last frame */
	struct text filter_words;      /* its query, as safe text */
	uint32_t filter_number;        /* of the filter that the rows are made by */
	/* How many rows it leaves, of the filter and the list of rows that have these numbers. */
	size_t rows_left;
	uint32_t left_number, left_listings;
	struct flows flows;            /* of the selected span ... */
	struct span flows_of;          /* ... which is this one */
	const struct trace *flows_trace; /* NULL while they are not known */
	int64_t pressed_ns;            /* where the mouse was pressed */
	bool has_wanted;               /* the next frame stands ... */
	struct view_place wanted;      /* ... there, by its height */
	bool is_dragging;              /* on the lanes, and is held since */
	bool can_unfocus;              /* the focus was chosen here: CLOSE leads back */
	bool can_hide_tasks;           /* tasks were: CLOSE does so before it leads to a page */
	bool can_part;                 /* the same of those that interact */
	struct timeline_later {
		struct rows_job *job; /* finds what a command needs; NULL for nothing to find */
		bool is_wanted;       /* which command that is ... */
		enum command command;
		long count;
		struct lane what; /* ... with these, as draw/rows_job.h names them */
	} later;
	struct interacts_job *interacting; /* finds them; NULL for nothing to find */
	const struct trace *interacts_trace; /* that the rows' were found in, as it came */
};

/* A command with what it works on. */
struct timeline_request {
	struct timeline *timeline;
	struct session *session;
	enum command command;
	long count;           /* at least 1 */
	const char *argument; /* NULL for none */
};

/* ---- view/timeline.c */

/* Answers a command with a message for the status line, of any text. */
/* What text_add_words() makes of the pattern becomes the status line. */
struct view_answer timeline_say_words(const struct timeline_request *request, const char *pattern);
struct view_answer timeline_say(
	const struct timeline_request *request, bool is_alert, const char *message);
/* Selects a row; the session learns its lane. */
void timeline_select_row(struct timeline *timeline, struct session *session, size_t row);
/* The actor of the selected row, or of the span under the cursor; REF_NONE for none. */
actor_ref timeline_selected_actor(
	const struct timeline *timeline, const struct session *session);
/* Another view, or an undo, may have selected another lane, which may be folded away: its row is selected. */
void timeline_follow_session(struct timeline *timeline, struct session *session);
/* The span under the cursor on the selected lane; false where there is none. */
bool timeline_span(
	const struct timeline *timeline, const struct session *session, struct span *span);
/*
 * Puts one actor first with what touched it, as --goroutine asks for, and selects
 * it; REF_NONE brings all rows back. On failure nothing has changed.
 */
bool timeline_focus_actor(struct timeline *timeline, struct session *session,
	actor_ref actor, struct error *err);

/* Scrolls so that the cursor's row is on that line, unless it stays on top; -1: where it can. */
void timeline_keep_line(struct timeline *timeline, int line);

/* ---- view/timeline_move.c: cursor, rows, interval */

/* Moves the cursor to t, within the trace; the interval follows if t lies outside, keeping its length. */
void timeline_go_to(struct timeline *timeline, struct session *session, int64_t t_ns);
/* The time of the cell that the cursor stands in. */
void timeline_cell(const struct timeline *timeline, const struct session *session,
	int64_t *from_ns, int64_t *until_ns);
/* Selects a lane, unfolding what hides it (a filter then only dims), and goes to t. False and err without memory. */
bool timeline_go_to_lane(struct timeline *timeline, struct session *session, struct lane lane,
	int64_t t_ns, struct error *err);

struct view_answer timeline_move_cursor(const struct timeline_request *request);
struct view_answer timeline_move_row(const struct timeline_request *request);
struct view_answer timeline_pan(const struct timeline_request *request);
struct view_answer timeline_go_to_end(const struct timeline_request *request);
struct view_answer timeline_zoom(const struct timeline_request *request);
struct view_answer timeline_fit_all(const struct timeline_request *request);
struct view_answer timeline_fit_selection(const struct timeline_request *request);
struct view_answer timeline_fold(const struct timeline_request *request);
struct view_answer timeline_fold_panel(const struct timeline_request *request);
struct view_answer timeline_open(const struct timeline_request *request);

/* ---- view/timeline_find.c: from span to span, to a match */

/* On a row of slices: the one at the cursor, else the longest in the cell; false for none. */
bool timeline_slice(
	const struct timeline *timeline, const struct session *session, struct slice *slice);
/* The same, whole where the row shows a part of it. */
bool timeline_whole_slice(
	const struct timeline *timeline, const struct session *session, struct slice *slice);
/* Selects the row of a slice of the trace, unfolding what hides it, and goes to its start. */
bool timeline_go_to_slice(struct timeline *timeline, struct session *session,
	const struct slice *slice, struct error *err);
struct view_answer timeline_neighbour(const struct timeline_request *request);
struct view_answer timeline_longest(const struct timeline_request *request);
struct view_answer timeline_focus(const struct timeline_request *request);
struct view_answer timeline_unfocus(const struct timeline_request *request);
struct view_answer timeline_waker(const struct timeline_request *request);
struct view_answer timeline_search(const struct timeline_request *request);
/* Goes to the nearest match of a search that was taken into the session. */
struct view_answer timeline_take_search(
	const struct timeline_request *request, const struct error *note);
struct view_answer timeline_next_match(const struct timeline_request *request);
struct view_answer timeline_clear_search(const struct timeline_request *request);

/* As view_ops.match_ns says. */
bool timeline_match_ns(void *state, struct session *session, bool forward, int64_t *t_ns);

/* ---- view/timeline_samples.c */

/* When the lane's CPU sample behind or before the cursor was taken; false for none. */
bool timeline_sample_beside(
	const struct timeline_request *request, struct lane lane, bool forward, int64_t *t_ns);
/*
 * The actor, or the processor or thread without one, that the sample in the cell under the cursor
 * was taken of, and when; false where there is none.
 */
bool timeline_sample_here(const struct timeline_request *request, struct lane *lane, int64_t *t_ns);
struct view_answer timeline_sample(const struct timeline_request *request);

/* ---- view/timeline_stacks.c */

/* Shows the stack lanes of an actor, of REF_NONE none. On failure nothing has changed. */
bool timeline_show_stacks(struct timeline *timeline, struct session *session,
	actor_ref actor, struct error *err);
/* That of the frame on a row of the stack lanes, or of the CPU sample in the cell. */
stack_id timeline_stack(const void *state, const struct session *session, bool *is_frame);
struct view_answer timeline_stacks(const struct timeline_request *request);

/* Shows the stack lanes of an actor, later where it takes long to find them, or hides them. */
struct view_answer timeline_toggle_stacks(
	const struct timeline_request *request, actor_ref actor);

/* ---- view/timeline_later.c: commands that wait for what a thread finds */

/*
 * Whether a command that needs that, as draw/rows_job.h names it, would hold up the screen. Then it is carried out later, once they are found, in place of another one that waits.
 */
bool timeline_do_later(const struct timeline_request *request, struct lane what);
/* As view_ops.look says. */
bool timeline_look_later(struct timeline *timeline, struct session *session);
/* No command waits any more; false where none did. What is found is kept. */
bool timeline_forget_later(struct timeline *timeline);
/* Before the rows become those of another trace, or go; the command goes on waiting ... */
void timeline_stop_later(struct timeline *timeline);
/* ... and what it needs is looked for in the other one. */
void timeline_renew_later(struct timeline *timeline, const struct session *session);

/* ---- view/timeline_causes.c: to whom the selected span woke, and to the pages of view/causes.h */

/* The flows of the selected span, found when another one is selected; NULL for none. */
const struct flows *timeline_flows(struct timeline *timeline, const struct session *session);
struct view_answer timeline_woken(const struct timeline_request *request);
struct view_answer timeline_ask(const struct timeline_request *request);
struct view_answer timeline_analyse(const struct timeline_request *request);

/* ---- view/timeline_interacts.c */

/* Brings the rows in line with whose company the session shows; that may take another thread. */
void timeline_follow_interacts(struct timeline *timeline, struct session *session);
/* Takes in what that one found: see struct view_ops. */
bool timeline_look(void *state, struct session *session);
/* Ends it. */
void timeline_stop_interacts(struct timeline *timeline);
struct view_answer timeline_interacts(const struct timeline_request *request);
/* While they are looked for: what was shown before stays. */
struct view_answer timeline_cancel_interacts(const struct timeline_request *request);
/* Shows all again, if that is beneath. */
struct view_answer timeline_part(const struct timeline_request *request);

/* ---- view/timeline_tasks.c */

/* Whether a task is selected, and which. */
bool timeline_task(const struct timeline *timeline, task_ref *task);
/* The actor whose state the selected task shows at the cursor, REF_NONE for none. */
actor_ref timeline_task_actor(
	const struct timeline *timeline, const struct session *session);
/* The session learns the task that the selected row is of. */
void timeline_note_task(const struct timeline *timeline, struct session *session);
/*
 * Shows tasks as lanes, or no longer, and selects one. On failure some of it may have changed.
 */
bool timeline_show_tasks(struct timeline *timeline, struct session *session, enum task_view view,
	task_ref task, struct error *err);
void timeline_fit_task(struct timeline *timeline, struct session *session, task_ref task);
struct view_answer timeline_requests(const struct timeline_request *request);
struct view_answer timeline_next_request(const struct timeline_request *request);
struct view_answer timeline_focus_task(const struct timeline_request *request, task_ref task);
struct view_answer timeline_leave_tasks(const struct timeline_request *request);

/* ---- view/timeline_filter.c */

/* Brings the rows in line with the session's filter; the selected row stays where it can. */
void timeline_follow_filter(struct timeline *timeline, struct session *session);
/* How many rows of lanes the filter leaves; SIZE_MAX where that is not known. */
size_t timeline_filter_left(struct timeline *timeline, const struct session *session);
/* What the filter asks, as safe text that stays until the next call. */
const char *timeline_filter_words(struct timeline *timeline, const struct session *session);
struct view_answer timeline_filter(const struct timeline_request *request);
struct view_answer timeline_count(const struct timeline_request *request);
/* Tells of a filter or a count that was taken into the session. */
struct view_answer timeline_take_filter(
	const struct timeline_request *request, const struct error *note);

/* ---- view/timeline_notes.c: marks and bookmarks */

struct view_answer timeline_mark(const struct timeline_request *request);
struct view_answer timeline_mark_ab(const struct timeline_request *request);
struct view_answer timeline_bookmark(const struct timeline_request *request);
struct view_answer timeline_annotate(const struct timeline_request *request);
struct view_answer timeline_list_bookmarks(const struct timeline_request *request);

/* ---- view/timeline_lanes.c: which lanes there are, and in which order */

struct view_answer timeline_group(const struct timeline_request *request);
struct view_answer timeline_sort(const struct timeline_request *request);
struct view_answer timeline_hide(const struct timeline_request *request);
struct view_answer timeline_pin(const struct timeline_request *request);
struct view_answer timeline_show_lanes(const struct timeline_request *request);

/* ---- view/timeline_place.c: as struct view_ops has them */

bool timeline_place(
	const void *state, const struct session *session, struct view_place *place);
void timeline_go_to_place(
	void *state, struct session *session, const struct view_place *place);
/* Where that was to be, now that the height of charts is known. */
void timeline_go_where_wanted(struct timeline *timeline, struct session *session);
void timeline_name_folds(const void *state, const struct session *session,
	void (*add)(void *context, const char *name), void *context);
bool timeline_fold_names(void *state, struct session *session, const char *const *names,
	size_t count, struct error *err);

/* ---- view/timeline_mouse.c */

struct view_answer timeline_mouse(
	void *state, struct session *session, const struct screen_mouse *mouse);

/* ---- view/timeline_damage.c */

struct view_answer timeline_next_damage(const struct timeline_request *request);

/* ---- view/timeline_jump.c */

struct view_answer timeline_jump(const struct timeline_request *request);

#endif
