/* What the files of the app share. Only for app/app*.c. */
#ifndef TTRACE_APP_APP_INTERNAL_H
#define TTRACE_APP_APP_INTERNAL_H

#include "app/app.h"

/* ---- app/app.c */

/* The context of the view on top. */
unsigned app_context(const struct app *app);
/* Tells the view on top; does what it asks for. argument: as view_ops.command() takes it. */
enum view_reaction app_tell_view(
	struct app *app, enum command command, long count, const char *argument);
/* Tells the view on top of the mouse, as app_tell_view(); false where it takes no mouse. */
bool app_tell_mouse(struct app *app, const struct screen_mouse *mouse);
/* An error in the status line; its message may hold anything. */
void app_tell_error(struct app *app, const struct error *err);

/* Opens the page of that name over what is open; false where it is not then. */
bool app_open_page(struct app *app, const char *name);

/* Forgets the pages that CLOSE leads back to. */
void app_forget_left(struct app *app);

/* ---- app/app_panes.c */

/* Makes room for the traces beside the first one, whose session there is. */
void app_begin_panes(struct app *app);
/* Ends all panes, but the view on top of the stack. */
void app_end_panes(struct app *app);
/* Takes in what became of traces and clocks; true while there is more to come. */
bool app_look_at_panes(struct app *app);
/* Another one becomes active: false where there is none. */
bool app_go_to_pane(struct app *app, int to);
/* The timeline of the first trace, whose times are now those of the active pane. */
const struct view_page *app_first_timeline(struct app *app);
/* From what runs at the cursor to the same thread in the trace beneath, or from there to what it ran. */
void app_go_across(struct app *app, enum command command, long count);
/* The next match in time, in whatever pane; of a single trace the view's affair. */
void app_next_match(struct app *app, enum command command, long count);
/*
 * A command was carried out in the timeline of the active one: what is searched for and filtered by then, or no more,
 * is so in the others, as far as it makes sense there.
 */
void app_tell_panes(struct app *app, enum command command, const char *argument);

/* ---- app/app_part.c */

/* Loads the part under the cursor, or says why not. */
void app_load_part(struct app *app, enum command command, long count);
/* Whether nothing is loaded under the cursor. */
bool app_lacks_part(const struct app *app);
/* Whether a part is on its way, and nothing of it is shown yet. */
bool app_is_loading_part(const struct app *app);
/* What that is and how far, as safe text. */
void app_tell_part(const struct app *app, char *line, size_t size);
/* Ends it; false where nothing is loading. */
bool app_cancel_part(struct app *app);
/* A key or the mouse: whoever rested does so no longer. */
void app_leave_rest(struct app *app);

/* ---- app/app_place.c */

/* What is selected, marked and open at the beginning; the first frame of the timeline leads to the row. */
void app_begin_at_place(struct app *app);
/* Goes on with that, if it was left until rows are made; at the last moment in any case. */
void app_go_to_place(struct app *app, bool is_last_moment);

/* ---- app/app_prompt.c */

/* Opens the prompt of a command that asks. */
void app_ask(struct app *app, enum command command, long count);
/* The same, with a line to begin with. */
void app_ask_about(struct app *app, enum command command, const char *line);
/* A key for the open prompt. */
void app_type(struct app *app, const char *key);

/* ---- app/app_colors.c */

void app_next_palette(struct app *app, enum command command, long count);
/* line: the name of a palette. */
void app_choose_palette(struct app *app, enum command command, long count, const char *line);

/* ---- app/app_mouse.c */

void app_switch_mouse(struct app *app, enum command command, long count);

/* ---- app/app_share.c */

void app_yank(struct app *app, enum command command, long count);
/* line: the name of the file. */
void app_print_screen(struct app *app, enum command command, long count, const char *line);
void app_edit(struct app *app, enum command command, long count);

#endif
