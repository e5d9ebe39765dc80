/*
 * Keys to commands, commands to the view on top or to the app itself.
 */
#include "app/app.h"

#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "app/app_internal.h"
#include "app/footer.h"
#include "app/keys.h"
#include "base/compiler.h"
#include "draw/damage_words.h"
#include "draw/time_form.h"
#include "query/search_job.h"
#include "trace/words.h"
#include "view/analysis_view.h"

static struct view_page *
top_view(struct app *app)
{
	return &app->stack[app->depth - 1];
}

unsigned
app_context(const struct app *app)
{
	return app->stack[app->depth - 1].ops->context;
}

/* ---- the stack of views */

void
app_tell_error(struct app *app, const struct error *err)
{
	struct text safe = { 0 };
	text_add_safe(&safe, err->message, strlen(err->message), app->parts.ascii);
	session_status(app->session, true, "%s", safe.failed ? "out of memory" : safe.bytes);
	text_release(&safe);
}

void
app_forget_left(struct app *app)
{
	for (; app->left > 0; app->left--) {
		struct view_page *view = &app->stack[app->depth + app->left - 1];
		view->ops->close(view->state);
	}
	app->session->leads_back = false;
}

/* All but the first one are out of sight, and stay for who comes back. */
static void
leave_views(struct app *app)
{
	app->left = app->depth - 1;
	app->left_step = app->history.past.count;
	app->depth = 1;
	app->session->leads_back = true;
}

static void
go_back_to_left(struct app *app)
{
	app->depth += app->left;
	app->left = 0;
	app->session->leads_back = false;
}

/* The page lies over the others from now on; closes it where there is no room. */
static bool
put_page(struct app *app, struct view_page page, struct error *err)
{
	if (app->depth == APP_MAX_DEPTH) {
		page.ops->close(page.state);
		return error_set(err, ERROR_LIMIT, "too many views are open: close one first");
	}
	app_forget_left(app);
	app->stack[app->depth++] = page;
	app->needs_draw = true;
	return true;
}

static bool
open_view(struct app *app, const struct view_ops *ops, struct error *err)
{
	struct view_page page = { ops, ops->open(app->session, err) };
	return page.state != NULL && put_page(app, page, err);
}

const struct view_ops *
app_find_view(const struct app_view *views, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (views[i].ops->open != NULL && strcmp(views[i].ops->name, name) == 0)
			return views[i].ops;
	return NULL;
}

static bool
open_named(struct app *app, const char *name, struct error *err)
{
	struct view_page page;
	const struct view_ops *ops = app_find_view(app->parts.views, app->parts.view_count, name);
	if (ops != NULL)
		return open_view(app, ops, err);
	return analysis_view_open(app->session, name, &page, err) && put_page(app, page, err);
}

static void
close_view(struct app *app)
{
	struct view_page *view = top_view(app);
	view->ops->close(view->state);
	app->depth--;
	app->needs_draw = true;
	if (app->depth == 0)
		app->is_done = app->is_closed = true;
}

/*
 * Goes on to the page that is asked for. It is laid out as it is drawn, which keys that come along
 * with the one that opens it need.
 */
static void
go_on(struct app *app, struct view_page page, const char *name)
{
	struct error err;
	error_clear(&err);
	bool is_open = page.ops != NULL ? put_page(app, page, &err)
					: name != NULL && open_named(app, name, &err);
	app->has_refused = !is_open;
	if (is_open)
		is_open = app_draw(app, &err);
	if (!is_open && err.kind != ERROR_NONE)
		app_tell_error(app, &err);
	app->needs_draw = true;
}

bool
app_open_page(struct app *app, const char *name)
{
	size_t depth = app->depth;
	if (strcmp(name, app->parts.views[0].ops->name) != 0)
		go_on(app, (struct view_page){ 0 }, name);
	return app->depth > depth;
}

void
app_come_back(struct app *app, const char *page, bool is_left)
{
	if (app_open_page(app, page) && is_left)
		leave_views(app);
}

/* ---- commands of the views */

static bool
is_same_place(const struct place *a, const struct place *b)
{
	return a->viewport.t0_ns == b->viewport.t0_ns && a->viewport.t1_ns == b->viewport.t1_ns &&
	       a->cursor_ns == b->cursor_ns && a->has_lane == b->has_lane &&
	       interacts_is_same(a->interacts, b->interacts) &&
	       (!a->has_lane || (a->lane.type == b->lane.type && a->lane.ref == b->lane.ref));
}

/* From the last row of a pane to the first one of that below, and the other way. */
static void
go_to_neighbour(struct app *app, enum view_reaction where)
{
	bool is_above = where == VIEW_PANE_ABOVE;
	if (app_go_to_pane(app, app->panes.active + (is_above ? -1 : 1)))
		app_tell_view(app, is_above ? COMMAND_LAST_ROW : COMMAND_FIRST_ROW, 1, NULL);
}

/* Does what a view asks for that began at `before`. */
static enum view_reaction
follow_answer(struct app *app, struct view_answer answer, struct place before)
{
	struct place after = place_of(app->session);
	if (answer.push_history && !is_same_place(&before, &after))
		history_push(&app->history, &before);
	if (answer.reaction != VIEW_NOTHING)
		app->needs_draw = true;
	if (answer.reaction == VIEW_CLOSE)
		close_view(app);
	if (answer.reaction == VIEW_LEAVE && app->depth > 1)
		leave_views(app);
	if (answer.reaction == VIEW_PANE_ABOVE || answer.reaction == VIEW_PANE_BELOW)
		go_to_neighbour(app, answer.reaction);
	if (answer.reaction == VIEW_SECTION)
		app->is_done = true;
	if (answer.reaction == VIEW_ASK)
		app_ask_about(app, answer.ask_command, answer.ask_line);
	if (answer.reaction == VIEW_OPEN)
		go_on(app, answer.page, answer.open_name);
	return answer.reaction;
}

enum view_reaction
app_tell_view(struct app *app, enum command command, long count, const char *argument)
{
	struct view_page *view = top_view(app);
	struct place before = place_of(app->session);
	const struct arrange_job *arranging = app->session->arranging;
	bool is_timeline = app->depth == 1;
	enum view_reaction reaction = follow_answer(app,
		view->ops->command(view->state, app->session, command, count, argument), before);
	if (app->session->arranging != arranging)
		app->holds_frame = app->session->arranging != NULL;
	if (is_timeline)
		app_tell_panes(app, command, argument);
	return reaction;
}

bool
app_tell_mouse(struct app *app, const struct screen_mouse *mouse)
{
	struct view_page *view = top_view(app);
	struct place before = place_of(app->session);
	if (view->ops->mouse == NULL)
		return false;
	struct view_answer answer = view->ops->mouse(view->state, app->session, mouse);
	if (answer.takes_press)
		app->pressed_ms = 0;
	follow_answer(app, answer, before);
	return true;
}

/* The first picture of what a thread makes may be that of what it made. */
static void
look_at_views(struct app *app)
{
	bool was_waiting = app->is_waiting;
	app->is_waiting = false;
	for (size_t i = 0; i < app->depth + app->left; i++) {
		const struct view_page *view = &app->stack[i];
		if (view->ops->look != NULL && view->ops->look(view->state, app->session))
			app->is_waiting = true;
	}
	app->needs_draw = app->needs_draw || app->is_waiting;
	if (app->is_waiting && !was_waiting)
		app->holds_frame = true;
}

void
app_look(struct app *app)
{
	struct view_page *view = top_view(app);
	struct place before = place_of(app->session);
	struct error note;
	error_clear(&note);
	if (app->session->searching != NULL || app->session->awaits_rows)
		app->needs_draw = true; /* it has gone on */
	bool is_taken = session_take_search(app->session, &note);
	if (is_taken && view->ops->search_taken != NULL)
		follow_answer(
			app, view->ops->search_taken(view->state, app->session, &note), before);
	session_go_on(app->session);
	if (is_taken)
		app->holds_frame =
			app->session->is_repeated && app->session->searching != NULL;
	look_at_views(app);
	app->is_looking = verdict_look(app->session);
	app->needs_draw = app->needs_draw || app->is_looking;
	if (app->panes.count > 0 && app_look_at_panes(app))
		app->is_waiting = true;
}

/* ---- commands of the app itself */

static void
half_page(struct app *app, enum command command, long count)
{
	long half = app->canvas.height / 2;
	if (half < 1)
		half = 1;
	app_tell_view(app, command == COMMAND_HALF_PAGE_UP ? COMMAND_UP : COMMAND_DOWN, count * half,
		NULL);
}

static void
undo_or_redo(struct app *app, enum command command, long count)
{
	bool is_undo = command == COMMAND_UNDO;
	bool has_moved = false;
	while (count-- > 0) {
		bool is_step = is_undo ? history_undo(&app->history, app->session)
				       : history_redo(&app->history, app->session);
		if (!is_step)
			break;
		has_moved = true;
	}
	if (app->history.past.count < app->left_step)
		app_forget_left(app);
	if (has_moved)
		app_tell_view(app, command, 1, NULL);
	else
		session_status(
			app->session, false, is_undo ? "nothing to undo" : "nothing to redo");
}

/* Without a filter it is asked for; else what is not matched is hidden, or all is shown again. */
static void
change_filter(struct app *app, enum command command, long count)
{
	if (app->session->filter_mode == FILTER_OFF)
		app_ask(app, command, count);
	else
		app_tell_view(app, command, count, NULL);
}

/*
 * Loading a part ends first. With nothing to forget, Escape leaves what lies over the first view, or
 * goes back to the page that led there. It never quits.
 */
static void
clear_search(struct app *app, enum command command, long count)
{
	if (app_cancel_part(app) || app_tell_view(app, command, count, NULL) != VIEW_NOTHING)
		return;
	if (app->depth > 1)
		close_view(app);
	else if (app->left > 0)
		go_back_to_left(app);
}

/* The tab after the view that is open, or NULL when there is no other. */
static const struct view_ops *
next_tab(struct app *app)
{
	size_t count = app->parts.view_count, at = 0;
	const struct app_view *views = app->parts.views;
	while (at < count && views[at].ops != top_view(app)->ops)
		at++;
	for (size_t step = 1; step < count; step++) {
		const struct app_view *view = &views[(at + step) % count];
		if (view->is_tab)
			return view->ops;
	}
	return NULL;
}

static void
next_view(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	if (app->depth > 1) {
		close_view(app);
		return;
	}
	if (app->panes.count > 1) {
		app_go_to_pane(app, (app->panes.active + 1) % app->panes.count);
		return;
	}
	const struct view_ops *next = next_tab(app);
	if (next == NULL) {
		session_status(app->session, false, "there is no other view");
		return;
	}
	struct error err;
	error_clear(&err);
	if (!open_view(app, next, &err)) {
		session_status(app->session, true, "%s", err.message);
		return;
	}
	struct view_page old = app->stack[0];
	app->stack[0] = app->stack[1];
	app->depth = 1;
	old.ops->close(old.state);
}

static void
open_help(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	app->session->help_context = app_context(app);
	go_on(app, (struct view_page){ 0 }, "help");
}

/* A trace without a wall clock is told in its own times. */
static void
check_clock(struct session *session)
{
	if (!session->is_wall || wall_clock_is_known(&session->trace->wall))
		return;
	session->is_wall = false;
	session_status(session, true, "%s", WALL_CLOCK_UNKNOWN);
}

static void
change_clock(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	struct session *session = app->session;
	session->is_wall = !session->is_wall;
	check_clock(session);
}

static void
refresh(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	app->parts.screen->refresh(app->parts.screen);
}

static void
suspend(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	app->parts.screen->suspend(app->parts.screen);
}

/* The view may have something of its own to leave first. */
static void
close_top(struct app *app, enum command command, long count)
{
	if (app_tell_view(app, command, count, NULL) != VIEW_NOTHING)
		return;
	if (app->left > 0)
		go_back_to_left(app);
	else if (app->depth == 2 && app->session->trace->clock == TRACE_CLOCK_NONE)
		app->is_done = app->is_closed = true; /* behind it there is nothing to see */
	else
		close_view(app);
}

static void
quit(struct app *app, enum command command, long count)
{
	(void)command;
	(void)count;
	app->is_done = true;
}

static const struct {
	enum command command;
	void (*carry_out)(struct app *app, enum command command, long count);
} own_commands[] = {
	{ COMMAND_HALF_PAGE_UP, half_page },
	{ COMMAND_HALF_PAGE_DOWN, half_page },
	{ COMMAND_JUMP, app_ask },
	{ COMMAND_SEARCH, app_ask },
	{ COMMAND_FILTER, change_filter },
	{ COMMAND_COUNT_SPANS, app_ask },
	{ COMMAND_FILTER_ROWS, app_ask },
	{ COMMAND_FOCUS_CALLS, app_ask },
	{ COMMAND_IGNORE_CALLS, app_ask },
	{ COMMAND_BOOKMARK, app_ask },
	{ COMMAND_LINE, app_ask },
	{ COMMAND_PRINT_SCREEN, app_ask },
	{ COMMAND_MOUSE, app_switch_mouse },
	{ COMMAND_YANK, app_yank },
	{ COMMAND_PALETTE, app_next_palette },
	{ COMMAND_EDIT, app_edit },
	{ COMMAND_CLEAR_SEARCH, clear_search },
	{ COMMAND_UNDO, undo_or_redo },
	{ COMMAND_REDO, undo_or_redo },
	{ COMMAND_NEXT_VIEW, next_view },
	{ COMMAND_ACROSS, app_go_across },
	{ COMMAND_NEXT_MATCH, app_next_match },
	{ COMMAND_PREVIOUS_MATCH, app_next_match },
	{ COMMAND_HELP, open_help },
	{ COMMAND_CLOCK, change_clock },
	{ COMMAND_LOAD_PART, app_load_part },
	{ COMMAND_REFRESH, refresh },
	{ COMMAND_SUSPEND, suspend },
	{ COMMAND_CLOSE, close_top },
	{ COMMAND_QUIT, quit },
};

void
app_command(struct app *app, enum command command, long count)
{
	app->needs_draw = true;
	for (size_t i = 0; i < ARRAY_LENGTH(own_commands); i++) {
		if (own_commands[i].command == command) {
			own_commands[i].carry_out(app, command, count);
			return;
		}
	}
	app_tell_view(app, command, count, NULL);
}

/* ---- keys */

/* Whether the key is a digit of a count; 0 is one only behind others. */
static bool
type_count(struct app *app, const char *key)
{
	bool is_digit = key[0] >= (app->count > 0 ? '0' : '1') && key[0] <= '9' && key[1] == '\0';
	if (!is_digit)
		return false;
	long count = app->count * 10 + (key[0] - '0');
	app->count = count < APP_MAX_COUNT ? count : APP_MAX_COUNT;
	return true;
}

static void
tell_unknown_key(struct app *app, const char *key)
{
	struct text safe = { 0 }, help = { 0 };
	text_add_safe(&safe, key, strlen(key), app->parts.ascii);
	keys_add_names(app->session->keys, &help, COMMAND_HELP, app_context(app));
	const char *shown = safe.length > 0 ? safe.bytes : "this";
	if (help.length > 0)
		session_status(app->session, false, "%s means nothing here; %c shows the keys",
			shown, help.bytes[0]);
	else
		session_status(app->session, false, "%s means nothing here", shown);
	text_release(&safe);
	text_release(&help);
}

void
app_key(struct app *app, const char *key)
{
	app->needs_draw = true;
	app_go_to_place(app, true);
	app_leave_rest(app);
	bool was_refused = app->has_refused;
	app->has_refused = false;
	app->session->status[0] = '\0';
	session_tell_else(app->session);
	if (app->prompt.is_open) {
		app_type(app, key);
		return;
	}
	if (type_count(app, key))
		return;
	long count = app->count;
	app->count = 0;
	enum command command;
	if (!keys_find(app->session->keys, key, app_context(app), &command)) {
		tell_unknown_key(app, key);
		return;
	}
	bool only_drops_count = command == COMMAND_CLEAR_SEARCH && count > 0;
	bool only_drops_message = command == COMMAND_CLOSE && was_refused;
	if (!only_drops_count && !only_drops_message)
		app_command(app, command, count > 0 ? count : 1);
}

/* ---- drawing */

static void
draw_bottom(struct app *app)
{
	int y = app->canvas.height - 1;
	if (app->prompt.is_open) {
		app->spots.count = 0;
		prompt_draw(&app->prompt, &app->canvas, y);
		return;
	}
	struct view_page *view = top_view(app);
	struct text position = { 0 };
	if (view->ops->position != NULL)
		view->ops->position(view->state, app->session, &position, app->canvas.ascii);
	char progress[100];
	bool is_free = view->ops->context == IN_TIMELINE && app->session->status[0] == '\0';
	bool is_searching = app->session->searching != NULL &&
			    !search_job_is_made(app->session->searching) &&
			    !app->session->is_repeated && is_free;
	bool is_loading = is_free && !is_searching && app_is_loading_part(app);
	if (is_searching)
		snprintf(progress, sizeof progress, "searching %d%%, Escape cancels",
			search_job_percent(app->session->searching));
	else if (is_loading)
		app_tell_part(app, progress, sizeof progress);
	bool has_mark = session_marked(app->session, &(int64_t){ 0 }, &(int64_t){ 0 });
	bool has_search = app->session->search != NULL;
	struct footer footer = {
		.keys = app->session->keys,
		.context = view->ops->context,
		.lacks = view->ops->lacks,
		.state = view->state,
		.has_search = has_search,
		.has_damage = damage_map_places(&app->session->trace->damage) > 0,
		.has_mark = has_mark,
		.has_filter = app->session->filter_mode != FILTER_OFF && !has_mark && !has_search &&
			      !app->session->leads_back,
		.has_way_back = app->session->leads_back || app->session->tasks != TASKS_OFF,
		.has_causes = analysis_applies(NEEDS_WAITS, app->session->trace),
		.lacks_part = app_lacks_part(app),
		.status = is_searching || is_loading ? progress : app->session->status,
		.status_is_alert = app->session->status_is_alert,
		.count = app->count,
		.position = text_string(&position),
	};
	footer_draw(&footer, &app->canvas, y, &app->spots);
	text_release(&position);
}

bool
app_draw(struct app *app, struct error *err)
{
	struct screen *screen = app->parts.screen;
	int width, height;
	app_go_to_place(app, false);
	screen->size(screen, &width, &height);
	if (!canvas_resize(&app->canvas, width, height, err))
		return false;
	app->canvas.ascii = app->parts.ascii;
	app->canvas.monochrome = screen->depth(screen) == COLORS_NONE ||
				 app->parts.palette->is_monochrome;
	if (height > 1) {
		/* The rows above the last one, in the same cells. */
		struct canvas area = app->canvas;
		area.height--;
		top_view(app)->ops->draw(top_view(app)->state, app->session, &area);
	}
	draw_bottom(app);
	app->needs_draw = false;
	return true;
}

/* ---- beginning and end */

void
app_tell_damage(struct app *app)
{
	const struct trace *trace = app->session->trace;
	if (trace->damage.count == 0)
		return;
	session_tell_else(app->session);
	struct text what = { 0 };
	damage_describe(&what, &trace->damage, app->parts.ascii);
	session_status(app->session, true, "%s: %s", damage_word(&trace->damage),
		text_string(&what));
	text_release(&what);
}

/* What is to be known before one looks: that there are packets, and what times are. */
static void
tell_source(struct app *app)
{
	const struct session *session = app->session;
	const struct trace *trace = session->trace;
	struct text words = { 0 };
	if (trace->slices != NULL && trace->tasks.count > 0) {
		char count[UNITS_TEXT];
		units_count(count, trace->tasks.count);
		text_format_words(
			&words, trace->words, trace->tasks.count == 1 ? "%s {task}: " : "%s {tasks}: ", count);
		session->add_keys(session->keys, &words, COMMAND_REQUESTS, IN_TIMELINE);
		text_add_string(&words, trace->clock != TRACE_CLOCK_STAMPS ? " shows them; " : " shows them");
	}
	time_form_add_clock(&words, trace);
	if (words.length > 0)
		session_status(app->session, false, "%s", text_string(&words));
	text_release(&words);
}

static void
wake_screen(void *context)
{
	struct screen *screen = context;
	screen->wake(screen);
}

/* A search and a filter come one after the other. */
static bool
begin_searches(struct app *app, struct error *err)
{
	const struct app_parts *parts = &app->parts;
	struct session *session = app->session;
	if (parts->query != NULL && parts->search == NULL && !parts->hides)
		return session_filter(session, parts->query, err);
	if (parts->query != NULL) {
		text_add_string(&session->filter_text, parts->query);
		session->filter_mode = parts->hides ? FILTER_HIDES : FILTER_DIMS;
	}
	if (parts->search != NULL)
		session_resume_search(session, parts->search);
	session_go_on(session);
	return true;
}

/* Without memory they are shown as usual. */
static void
take_picks(struct row_picks *picks, const struct row_picks *given)
{
	struct error ignored;
	error_clear(&ignored);
	if (given != NULL)
		(void)row_picks_add_all(picks, given, &ignored);
}

bool
app_init(struct app *app, const struct app_parts *parts, struct error *err)
{
	*app = (struct app){ .parts = *parts, .is_whole = parts->loader == NULL,
		.asked_part = parts->asked_part };
	struct app_pane *pane = &app->pane[0];
	pane->verdict.is_over = parts->has_seen_verdict;
	app->session = &pane->session;
	app->memories = parts->memories != NULL ? parts->memories : app->own_memories;
	text_add_shown_file(&pane->file_word, parts->origin.file, parts->ascii);
	if (pane->file_word.failed) {
		error_set_memory(err, "the name of the file");
		return false;
	}
	int width, height;
	parts->screen->size(parts->screen, &width, &height);
	struct notefile *notefile = parts->notefile != NULL ? parts->notefile : &pane->notefile;
	*app->session = (struct session){
		.trace = parts->trace,
		.other = parts->other != NULL ? &parts->other->shown : NULL,
		.file_name = parts->file_name,
		.file_word = pane->file_word.bytes,
		.height = height > 1 ? height - 1 : 0,
		.verdict = &pane->verdict,
		.viewport = parts->viewport,
		.cursor_ns = parts->cursor_ns,
		.with_runtime = parts->with_runtime,
		.is_wall = parts->is_wall,
		.focus = parts->focus,
		.has_stacks = parts->has_stacks,
		.stacks = parts->stacks,
		.interacts = parts->interacts,
		.tasks = parts->tasks,
		.task = parts->task,
		.ascii = parts->ascii,
		.add_keys = keys_add_names,
		.keys = parts->keys != NULL ? parts->keys : keys_usual(),
		.wake = wake_screen,
		.wake_context = parts->screen,
		.change_notes = notefile_change,
		.note_context = notefile,
		.notes = &notefile->notes,
		.keeps_notes = notefile->path.length > 0,
		.marks = parts->loader != NULL ? parts->loader->marks : NULL,
	};
	app->session->awaits_marks = parts->loader != NULL && app->session->marks == NULL &&
				    loader_makes_late(parts->loader, parts->trace);
	take_picks(&app->session->hidden, parts->hidden);
	take_picks(&app->session->pinned, parts->pinned);
	check_clock(app->session);
	app_tell_damage(app);
	if (app->session->status[0] == '\0')
		tell_source(app);
	if (parts->notice != NULL)
		session_status(app->session, true, "%s", parts->notice);
	app_begin_panes(app);
	if (open_view(app, parts->views[0].ops, err) && begin_searches(app, err) &&
		(arrange_plan_is_usual(parts->plan) ||
			session_arrange(app->session, parts->plan, err))) {
		app->holds_frame = session_is_making(app->session);
		if (parts->has_mouse)
			parts->screen->set_mouse(parts->screen, true);
		app_begin_at_place(app);
		return true;
	}
	app_release(app);
	return false;
}

void
app_release(struct app *app)
{
	app_forget_left(app);
	while (app->depth > 0)
		close_view(app);
	app_end_panes(app);
	prompt_release(&app->prompt);
	for (int kind = 0; kind < PROMPT_KINDS; kind++)
		prompt_memory_release(&app->own_memories[kind]);
	text_release(&app->link);
	canvas_release(&app->canvas);
	*app = (struct app){ 0 };
}
