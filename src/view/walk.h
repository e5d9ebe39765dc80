/*
 * A page of lines of which some lead to a place in the timeline: one of them is selected,
 * OPEN goes there. Only for view/.
 */
#ifndef TTRACE_VIEW_WALK_H
#define TTRACE_VIEW_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/lines.h"
#include "view/sheet.h"
#include "view/view.h"

enum { WALK_TEXT_COLUMN = 3 }; /* left of it stands the mark of the selected line */

/* A line that leads somewhere. */
struct walk_step {
	size_t line;
	bool has_lane, has_slice;
	struct lane lane;
	column_ref column; /* the slice that begins there, if it is one ... */
	uint32_t slice;    /* ... by its index */
	int64_t t_ns;
};

/* Zero-initialised is empty. */
struct walk {
	struct lines lines;
	struct text scratch;
	struct walk_step *steps; /* by line */
	size_t count, capacity;
	size_t selected;         /* below count, where there are any */
	bool has_wanted;         /* where to go once there are so many lines */
	struct view_place wanted;
	bool has_page;
	int width;               /* what the page was made for */
	bool is_wall, ascii;
};

void walk_release(struct walk *walk);
/* The page is to be made anew: what it tells of has changed. */
void walk_forget(struct walk *walk);

/*
 * Whether the page is to be made for this canvas; the sheet then is ready to be written on, and
 * the walk without steps.
 */
bool walk_begins(struct walk *walk, const struct session *session, const struct canvas *canvas,
	struct sheet *sheet);
/*
 * The last line begun leads there; without memory nowhere. walk_step_at(): on
 * whatever lane is selected.
 */
void walk_step_to(struct walk *walk, struct lane lane, int64_t t_ns);
void walk_step_at(struct walk *walk, int64_t t_ns);
/* The last line leads to the row of the slice, at its start. */
void walk_step_to_slice(
	struct walk *walk, const struct trace *trace, const struct slice *slice);

/*
 * Moving, searching and OPEN, which closes the page with the session at the place that was
 * selected; WHY and CRITICAL_PATH ask about it. Others are VIEW_NOTHING.
 */
struct view_answer walk_command(struct walk *walk, struct session *session, enum command command,
	long count, const char *argument);
/* Draws a title bar and the lines below. */
void walk_draw(struct walk *walk, const char *title, struct canvas *canvas);
/*
 * For views whose state begins with its walk, as struct view_ops has them: walk_command(), where
 * one stands, and "3 of 17", which step is selected.
 */
struct view_answer walk_view_command(void *state, struct session *session, enum command command,
	long count, const char *argument);
bool walk_view_place(
	const void *state, const struct session *session, struct view_place *place);
void walk_view_go_to_place(
	void *state, struct session *session, const struct view_place *place);
void walk_view_position(void *state, struct session *session, struct text *out, bool ascii);

#endif
