/*
 * Several traces on the screen: the first one has a pane from the start, each other one gets its own once it is there.
 * A thread then finds what their clocks are apart and what lies beneath what.
 */
#include <string.h>

#include "app/align.h"
#include "app/app_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "draw/timeline.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "trace/words.h"

/* ---- one axis of time */

/* What is added to times of one pane to have those of another. */
static int64_t
between(const struct app *app, int from, int to)
{
	return saturating_sub_i64(app->pane[from].delta_ns, app->pane[to].delta_ns);
}

static void
follow_time(struct app *app, int from, int to)
{
	const struct session *leading = &app->pane[from].session;
	struct session *session = &app->pane[to].session;
	int64_t by_ns = between(app, from, to);
	session->viewport = (struct viewport){ saturating_add_i64(leading->viewport.t0_ns, by_ns),
		saturating_add_i64(leading->viewport.t1_ns, by_ns) };
	session->cursor_ns = saturating_add_i64(leading->cursor_ns, by_ns);
	session->has_mark = leading->has_mark;
	session->has_mark_end = leading->has_mark_end;
	session->is_between = leading->is_between;
	session->mark_ns = saturating_add_i64(leading->mark_ns, by_ns);
	session->mark_end_ns = saturating_add_i64(leading->mark_end_ns, by_ns);
	session->is_wall = leading->is_wall && wall_clock_is_known(&session->trace->wall);
}

/* How far all of them go, in the time of each. */
static void
find_extents(struct app *app)
{
	for (int i = 0; i < app->panes.count; i++) {
		struct viewport all = { 0, 0 };
		for (int k = 0; k < app->panes.count; k++) {
			if (!app->pane[k].is_open || k == i)
				continue;
			int64_t from_ns = between(app, k, i);
			int64_t until_ns = saturating_add_i64(from_ns, app->pane[k].session.trace->end_ns);
			all.t0_ns = from_ns < all.t0_ns ? from_ns : all.t0_ns;
			all.t1_ns = until_ns > all.t1_ns ? until_ns : all.t1_ns;
		}
		app->pane[i].session.others = all;
	}
}

/* ---- notes: those of the first trace, told in the time of each */

/* What lies before its start is left out, as is all without memory. */
static void
copy_notes(struct app_pane *pane)
{
	const struct notes *notes = pane->first->notes;
	struct notes *copy = &pane->notefile.notes;
	struct error ignored;
	notes_release(copy);
	for (int mark = 0; mark < MARK_COUNT; mark++) {
		copy->has_mark[mark] = notes->has_mark[mark];
		copy->mark_ns[mark] = saturating_sub_i64(notes->mark_ns[mark], pane->delta_ns);
	}
	for (size_t i = 0; i < notes->count; i++) {
		const struct bookmark *bookmark = &notes->bookmarks[i];
		struct notes_change change = { NOTES_PUT, MARK_A, saturating_sub_i64(bookmark->t_ns, pane->delta_ns),
			bookmark->name, bookmark->row, "" };
		struct notes_change annotation = { NOTES_ANNOTATE, MARK_A, 0, bookmark->name, "", bookmark->note };
		error_clear(&ignored);
		if (notes_make(copy, &change, &ignored))
			(void)notes_make(copy, &annotation, &ignored);
	}
}

static bool
change_notes(void *context, const struct notes_change *change, struct error *err)
{
	struct app_pane *pane = context;
	const struct session *first = pane->first;
	struct notes_change moved = *change;
	moved.t_ns = saturating_add_i64(change->t_ns, pane->delta_ns);
	bool is_made = first->change_notes(first->note_context, &moved, err);
	copy_notes(pane);
	return is_made;
}

/* ---- headings */

/* "perf_script, 38 tasks, 2 CPUs" */
static void
add_facts(struct text *out, const struct trace *trace)
{
	char count[UNITS_TEXT];
	units_count(count, trace_actor_count(trace));
	text_format_words(out, trace->words, trace_actor_count(trace) == 1 ? "%s {actor}" : "%s {actors}", count);
	if (trace->words->processor.one == NULL)
		return;
	units_count(count, trace_processor_count(trace));
	text_format_words(out, trace->words,
		trace_processor_count(trace) == 1 ? ", %s {processor}" : ", %s {processors}", count);
}

/* Whether it lies beneath another one, or another one beneath it, as both tell. */
static bool
is_of_pair(const struct app *app, int index)
{
	const struct app_pairing *pairing = &app->pairing;
	return pairing->is_done && pairing->has_pair && pairing->err.kind == ERROR_NONE &&
	       (index == pairing->above || index == pairing->below);
}

/* How its clock is known, or why not; of the first one nothing: the others are told by its. */
static void
add_clock(struct text *out, const struct app *app, int index)
{
	const struct app_pairing *pairing = &app->pairing;
	if (index == 0)
		return;
	if (!pairing->is_done)
		text_add_string(out, "clocks are compared ...");
	else if (pairing->err.kind != ERROR_NONE && (index == pairing->above || index == pairing->below))
		text_add_safe(out, pairing->err.message, strlen(pairing->err.message), app->parts.ascii);
	else if (is_of_pair(app, index))
		beneath_add_shift(out, &pairing->beneath);
	else if (app->pane[index].clock != NULL)
		text_format(out, "shift 0s, %s (stated)", app->pane[index].clock);
	else
		text_add_string(out, "from its own start: no clock in common with the first one");
	text_add_string(out, "   ");
}

static void
write_heading(struct app *app, int index)
{
	struct app_pane *pane = &app->pane[index];
	const struct other_trace *file = pane->other != NULL ? &pane->other->shown : NULL;
	struct text *heading = &pane->heading;
	text_clear(heading);
	if (pane->is_open) {
		add_clock(heading, app, index);
		add_facts(heading, pane->session.trace);
		pane->session.pane_words = text_string(heading);
	} else if (file->failure.kind != ERROR_NONE) {
		text_add_safe(heading, file->failure.message, strlen(file->failure.message), app->parts.ascii);
	} else {
		text_format(heading, "loading %d%%", file->percent);
	}
}

/* ---- drawing those that are not active */

static void
draw_others(void *context, struct canvas *canvas)
{
	struct app *app = context;
	for (int i = 0; i < app->panes.count; i++) {
		struct app_pane *pane = &app->pane[i];
		const struct pane_place *place = &app->panes.items[i];
		if (i == app->panes.active || place->lines == 0)
			continue;
		if (pane->is_open && pane->session.trace->clock != TRACE_CLOCK_NONE) {
			follow_time(app, app->panes.active, i);
			if (i != 0)
				copy_notes(pane);
			pane->page.ops->draw(pane->page.state, &pane->session, canvas);
			continue;
		}
		struct timeline_pane heading = {
			.y = place->y,
			.lines = place->lines,
			.is_alert = !pane->is_open && pane->other->shown.failure.kind != ERROR_NONE,
			.name = pane->other->shown.name,
			.heading = text_string(&pane->heading),
		};
		timeline_heading_draw(&heading, canvas);
	}
}

/* ---- opening, and going from one to another */

/* What is searched for, and filtered by, in the active one. */
static void
resume_searches(const struct session *active, struct session *session)
{
	const struct text *query = session_filter_text(active);
	if (query != NULL) {
		text_add(&session->filter_text, query->bytes, query->length);
		session->filter_mode = active->filter_mode == FILTER_HIDES ? FILTER_HIDES : FILTER_DIMS;
	}
	if (session_searched(active) != NULL)
		session_resume_search(session, session_searched(active));
	session_go_on(session);
}

static bool
open_pane(struct app *app, int index, struct error *err)
{
	struct app_pane *pane = &app->pane[index];
	const struct session *first = app->session;
	pane->first = &app->pane[0].session;
	text_add_shown_file(&pane->file_word, pane->other->shown.file, app->parts.ascii);
	pane->session = (struct session){
		.trace = pane->other->shown.trace,
		.file_name = pane->other->shown.name,
		.file_word = text_string(&pane->file_word),
		.panes = &app->panes,
		.pane = index,
		.pane_words = "",
		.height = first->height,
		.verdict = &pane->verdict,
		.with_runtime = first->with_runtime,
		.keeps_notes = app->pane[0].session.keeps_notes,
		.focus = REF_NONE,
		.ascii = first->ascii,
		.add_keys = first->add_keys,
		.keys = first->keys,
		.wake = first->wake,
		.wake_context = first->wake_context,
		.change_notes = change_notes,
		.note_context = pane,
		.notes = &pane->notefile.notes,
	};
	follow_time(app, app->panes.active, index);
	const struct view_ops *ops = app->parts.views[0].ops;
	pane->page = (struct view_page){ ops, ops->open(&pane->session, err) };
	pane->is_open = pane->page.state != NULL;
	if (pane->is_open)
		resume_searches(app->session, &pane->session);
	app->panes.items[index].rows = SIZE_MAX;
	app->needs_draw = true;
	return pane->is_open;
}

bool
app_go_to_pane(struct app *app, int to)
{
	int from = app->panes.active;
	if (to < 0 || to >= app->panes.count || to == from)
		return false;
	if (!app->pane[to].is_open) {
		const struct other_trace *file = &app->pane[to].other->shown;
		session_status(app->session, false,
			other_is_awaited(file) ? "%s is not there yet" : "%s could not be read", file->name);
		return true;
	}
	app_forget_left(app); /* pages of the trace that is left */
	follow_time(app, from, to);
	if (to != 0)
		copy_notes(&app->pane[to]);
	app->pane[from].page = app->stack[0];
	app->pane[from].history = app->history;
	app->stack[0] = app->pane[to].page;
	app->history = app->pane[to].history;
	app->session = &app->pane[to].session;
	app->session->status[0] = '\0';
	app->panes.active = to;
	app->needs_draw = true;
	return true;
}

const struct view_page *
app_first_timeline(struct app *app)
{
	if (app->panes.active == 0)
		return &app->stack[0];
	follow_time(app, app->panes.active, 0);
	return &app->pane[0].page;
}

/* The task that what runs at the cursor has for its thread; false where nothing runs there, or nobody knows. */
static bool
find_below(const struct session *session, struct lane *lane)
{
	struct span span;
	bool is_on = session->has_lane && session->lane.type != LANE_GROUP && session->lane.type != LANE_ALL &&
		     session->lane.type < LANE_TYPE_COUNT &&
		     lane_span_at(session->trace, session->lane, session->cursor_ns, &span) && span.thread != REF_NONE;
	*lane = (struct lane){ LANE_ACTOR, REF_NONE };
	if (is_on)
		lane->ref = beneath_task_at(session->beneath, span.thread, session->cursor_ns);
	else if (session->has_lane && session->lane.type == LANE_THREAD)
		lane->ref = beneath_task_at(session->beneath, session->lane.ref, session->cursor_ns);
	return lane->ref != REF_NONE;
}

/* What the task at the cursor ran by the trace above, else its thread there. */
static bool
find_above(const struct session *session, const struct session *above, struct lane *lane)
{
	struct span span;
	actor_ref task = session->has_lane && session->lane.type == LANE_ACTOR ? session->lane.ref : REF_NONE;
	if (session->has_lane && session->lane.type == LANE_PROCESSOR &&
		lane_span_at(session->trace, session->lane, session->cursor_ns, &span))
		task = span.actor;
	*lane = (struct lane){ LANE_THREAD, REF_NONE };
	if (task != REF_NONE)
		lane->ref = beneath_thread_of(above->beneath, task);
	if (lane->ref != REF_NONE && lane_span_at(above->trace, *lane, above->cursor_ns, &span) &&
		span.actor != REF_NONE)
		*lane = (struct lane){ LANE_ACTOR, span.actor };
	return lane->ref != REF_NONE;
}

void
app_go_across(struct app *app, enum command command, long count)
{
	const struct app_pairing *pairing = &app->pairing;
	int from = app->panes.active;
	struct lane lane;
	(void)command;
	(void)count;
	if (!is_of_pair(app, from)) {
		session_status(app->session, false, "no trace of the same threads is beside this one");
		return;
	}
	int to = from == pairing->above ? pairing->below : pairing->above;
	struct session *there = &app->pane[to].session;
	follow_time(app, from, to);
	if (!(from == pairing->above ? find_below(app->session, &lane) : find_above(app->session, there, &lane))) {
		session_status(app->session, false, from == pairing->above
			? "nothing runs here, or nobody knows on which thread"
			: "no {actor} here is a thread of the other trace");
		return;
	}
	struct place before = place_of(there);
	history_push(&app->pane[to].history, &before);
	there->lane = lane;
	there->has_lane = true;
	app_go_to_pane(app, to);
}

/* ---- matches in all of them */

/*
 * The pane with the next match beyond `from_ns` of the active one; of those at one time the upper pane's comes first.
 * -1 for none. The cursor of each that is not active is left at `from_ns`.
 */
static int
find_match(struct app *app, bool forward, int64_t from_ns)
{
	int active = app->panes.active, found = -1;
	int64_t found_ns = 0, here_ns = app->session->cursor_ns;
	app->session->cursor_ns = from_ns;
	for (int k = 0; k < app->panes.count; k++) {
		int i = forward ? k : app->panes.count - 1 - k;
		struct app_pane *pane = &app->pane[i];
		const struct view_page *page = i == active ? &app->stack[0] : &pane->page;
		int64_t t_ns;
		if (!pane->is_open)
			continue;
		if (i != active)
			follow_time(app, active, i);
		if (forward && i > active)
			pane->session.cursor_ns = saturating_sub_i64(pane->session.cursor_ns, 1);
		else if (!forward && i < active)
			pane->session.cursor_ns = saturating_add_i64(pane->session.cursor_ns, 1);
		if (!page->ops->match_ns(page->state, &pane->session, forward, &t_ns))
			continue;
		t_ns = saturating_add_i64(t_ns, between(app, i, active));
		if (found < 0 || (forward ? t_ns < found_ns : t_ns > found_ns)) {
			found = i;
			found_ns = t_ns;
		}
	}
	app->session->cursor_ns = here_ns;
	return found;
}

void
app_next_match(struct app *app, enum command command, long count)
{
	bool forward = command == COMMAND_NEXT_MATCH;
	struct viewport extent = session_extent(app->session);
	int64_t here_ns = app->session->cursor_ns;
	if (app->panes.count < 2 || app_context(app) != IN_TIMELINE) {
		app_tell_view(app, command, count, NULL);
		return;
	}
	for (long i = 0; i < count; i++) {
		int found = find_match(app, forward, here_ns);
		if (found < 0) /* round at the end */
			found = find_match(
				app, forward, forward ? saturating_sub_i64(extent.t0_ns, 1) : extent.t1_ns);
		if (found < 0 || found == app->panes.active) {
			app_tell_view(app, command, 1, NULL);
		} else {
			int64_t from_ns = app->pane[found].session.cursor_ns;
			app_go_to_pane(app, found);
			app->session->cursor_ns = from_ns;
			app_tell_view(app, command, 1, NULL);
		}
		here_ns = app->session->cursor_ns;
	}
}

/* ---- what lies beneath what, on a thread */

static void
find_pair(void *owner)
{
	struct app *app = owner;
	struct app_pairing *pairing = &app->pairing;
	const struct trace *traces[PANES_MOST];
	const char *names[PANES_MOST];
	for (int i = 0; i < app->panes.count; i++) {
		traces[i] = app->pane[i].trace;
		names[i] = app->pane[i].file;
	}
	pairing->has_pair = align_find(traces, app->panes.count, &pairing->above, &pairing->below);
	if (!pairing->has_pair)
		return;
	const struct align_files files = { names[pairing->above], names[pairing->below], app->parts.align };
	if (beneath_init(&pairing->beneath, traces[pairing->above], traces[pairing->below], &pairing->err))
		(void)align_clocks(&pairing->beneath, &files, &pairing->is_cancelled, &pairing->err);
}

/* All are there that will be. */
static bool
are_all_there(const struct app *app)
{
	for (int i = 1; i < app->panes.count; i++)
		if (!app->pane[i].is_open && other_is_awaited(&app->pane[i].other->shown))
			return false;
	return true;
}

static void
begin_pairing(struct app *app)
{
	struct app_pairing *pairing = &app->pairing;
	struct error err;
	error_clear(&err);
	for (int i = 0; i < app->panes.count; i++)
		app->pane[i].trace = app->pane[i].is_open ? trace_ungrouped(app->pane[i].session.trace) : NULL;
	pairing->is_begun = true;
	/* Without a thread it is done here: the screen waits. */
	if (!job_start(&pairing->job, find_pair, app, app->session->wake, app->session->wake_context, &err))
		find_pair(app);
}

static void
take_pair(struct app *app)
{
	struct app_pairing *pairing = &app->pairing;
	int above = pairing->above, below = pairing->below;
	job_wait(&pairing->job);
	pairing->is_done = true;
	app->needs_draw = true;
	bool is_paired = pairing->has_pair && pairing->err.kind == ERROR_NONE;
	for (int i = 1; i < app->panes.count; i++) {
		struct app_pane *pane = &app->pane[i];
		if (pane->trace == NULL || (is_paired && i == below))
			continue;
		if (!align_stated(app->pane[0].trace, pane->trace, &pane->delta_ns, &pane->clock)) {
			pane->delta_ns = 0;
			pane->clock = NULL;
		}
	}
	/* The first one's times are told as they are, whichever of the two it is. */
	if (is_paired && below == 0)
		app->pane[above].delta_ns = saturating_sub_i64(0, pairing->beneath.delta_ns);
	else if (is_paired)
		app->pane[below].delta_ns =
			saturating_add_i64(app->pane[above].delta_ns, pairing->beneath.delta_ns);
	for (int i = 1; i < app->panes.count; i++)
		if (app->pane[i].is_open)
			app->pane[i].other->loader.shown->told_ns = app->pane[i].delta_ns;
	if (app->panes.active != 0)
		copy_notes(&app->pane[app->panes.active]);
	if (is_paired)
		app->pane[above].session.beneath = &pairing->beneath;
}

/* ---- its lanes, which are others when they stand in other groups */

static void
make_lanes(void *owner)
{
	struct app_pairing *pairing = owner;
	(void)beneath_lanes_build(
		&pairing->made, &pairing->beneath, pairing->wanted, &pairing->is_cancelled, &pairing->lanes_err);
}

/* What was made takes the place of what is shown; where that failed the rows tell what the upper trace says. */
static void
take_lanes(struct app *app)
{
	struct app_pairing *pairing = &app->pairing;
	struct session *session = &app->pane[pairing->above].session;
	struct beneath_lanes before = pairing->shown;
	job_wait(&pairing->lanes_job);
	if (pairing->lanes_err.kind != ERROR_NONE)
		session_status(session, true, "%s", pairing->lanes_err.message);
	pairing->shown = pairing->made;
	pairing->shown.trace = pairing->wanted;
	pairing->made = (struct beneath_lanes){ .beneath = NULL };
	bool is_made = pairing->lanes_err.kind == ERROR_NONE;
	session->lanes = is_made ? &pairing->shown : NULL;
	app->pane[pairing->below].session.foreign = is_made ? &pairing->shown.others : NULL;
	beneath_lanes_release(&before);
	trace_free(pairing->held);
	pairing->held = pairing->wanted;
	pairing->wanted = NULL;
	app->needs_draw = true;
}

/* True while they are made. */
static bool
look_at_lanes(struct app *app)
{
	struct app_pairing *pairing = &app->pairing;
	if (!pairing->is_done || !pairing->has_pair || pairing->err.kind != ERROR_NONE)
		return false;
	struct session *session = &app->pane[pairing->above].session;
	if (pairing->wanted != NULL && job_is_done(&pairing->lanes_job))
		take_lanes(app);
	if (pairing->wanted != NULL || pairing->held == session->trace)
		return pairing->wanted != NULL;
	pairing->wanted = trace_hold(session->trace);
	error_clear(&pairing->lanes_err);
	if (!job_start(&pairing->lanes_job, make_lanes, pairing, session->wake, session->wake_context,
		    &pairing->lanes_err))
		take_lanes(app);
	return true;
}

/* ---- what goes on meanwhile */

/* Its lanes stand where they were told to before it was left. */
static void
take_arrangement(struct app *app, struct app_pane *pane)
{
	const struct trace *before = pane->session.trace;
	struct arrangement dropped;
	struct error ignored;
	error_clear(&ignored);
	bool is_taken = session_take_arrangement(&pane->session, &dropped, &ignored);
	app->needs_draw |= session_take_changes(&pane->session, &ignored) || is_taken;
	if (!is_taken)
		return;
	verdict_renew(&pane->session);
	history_renew(&pane->history, &pane->session, before);
	pane->page.ops->renew(pane->page.state, &pane->session, before, &app->failure);
	arrangement_release(&dropped);
}

/* Takes in what is made for panes that are not active; true while some is. */
static bool
look_at_waiting(struct app *app)
{
	bool is_made = false;
	for (int i = 0; i < app->panes.count; i++) {
		struct app_pane *pane = &app->pane[i];
		struct error ignored;
		error_clear(&ignored);
		if (i == app->panes.active || !pane->is_open)
			continue;
		take_arrangement(app, pane);
		bool is_taken = session_take_search(&pane->session, &ignored);
		session_go_on(&pane->session);
		bool is_going = session_is_making(&pane->session);
		is_going |= pane->page.ops->look(pane->page.state, &pane->session);
		app->needs_draw |= is_taken || is_going || pane->session.awaits_rows;
		is_made |= is_going;
	}
	return is_made;
}

bool
app_look_at_panes(struct app *app)
{
	bool is_made = false, has_changed = false;
	for (int i = 1; i < app->panes.count; i++) {
		struct app_pane *pane = &app->pane[i];
		struct other_trace *file = &pane->other->shown;
		if (pane->is_open || file->failure.kind != ERROR_NONE)
			continue;
		other_look(pane->other);
		app->needs_draw = true;
		is_made = true;
		has_changed |= file->failure.kind != ERROR_NONE;
		if (app->is_whole && file->trace != NULL)
			has_changed |= open_pane(app, i, &file->failure);
	}
	if (app->is_whole && !app->pairing.is_begun && are_all_there(app))
		begin_pairing(app);
	bool is_pairing = app->pairing.is_begun && !app->pairing.is_done;
	if (is_pairing && job_is_done(&app->pairing.job)) {
		take_pair(app);
		has_changed = true;
		is_pairing = false;
	}
	if (has_changed)
		find_extents(app);
	if (has_changed || is_made)
		for (int i = 0; i < app->panes.count; i++)
			write_heading(app, i);
	bool is_going = look_at_lanes(app);
	return look_at_waiting(app) || is_made || is_pairing || is_going;
}

static bool
has_search(const struct session *session)
{
	return session->search != NULL || session->searching != NULL;
}

void
app_tell_panes(struct app *app, enum command command, const char *argument)
{
	const struct session *active = app->session;
	bool is_asked = argument != NULL && (command == COMMAND_SEARCH || command == COMMAND_FILTER);
	bool drops_search = app->panes_search && !has_search(active);
	bool drops_filter = app->panes_filter && active->filter_mode == FILTER_OFF && active->searching == NULL;
	for (int i = 0; i < app->panes.count; i++) {
		struct app_pane *pane = &app->pane[i];
		if (i == app->panes.active || !pane->is_open)
			continue;
		if (is_asked)
			(void)pane->page.ops->command(pane->page.state, &pane->session, command, 1, argument);
		if (drops_search)
			session_drop_search(&pane->session);
		if (drops_filter)
			session_drop_filter(&pane->session);
	}
	app->panes_search = has_search(active);
	app->panes_filter = active->filter_mode != FILTER_OFF;
}

void
app_begin_panes(struct app *app)
{
	app->pane[0].is_open = true;
	app->pane[0].file = app->parts.origin.file != NULL ? app->parts.origin.file : "-";
	app->panes = (struct panes){ .draw_others = draw_others, .context = app };
	if (app->parts.beside_count == 0)
		return;
	app->panes.count = 1 + app->parts.beside_count;
	app->session->panes = &app->panes;
	app->session->pane_words = "";
	for (int i = 1; i < app->panes.count; i++) {
		app->pane[i].other = &app->parts.beside[i - 1];
		app->pane[i].file = app->pane[i].other->shown.file;
	}
	for (int i = 0; i < app->panes.count; i++)
		write_heading(app, i);
}

void
app_end_panes(struct app *app)
{
	atomic_store(&app->pairing.is_cancelled, true);
	job_wait(&app->pairing.job);
	job_wait(&app->pairing.lanes_job);
	app->pane[app->panes.active].page = (struct view_page){ 0 }; /* it lies on the stack */
	for (int i = 0; i < PANES_MOST; i++) {
		struct app_pane *pane = &app->pane[i];
		if (pane->page.state != NULL)
			pane->page.ops->close(pane->page.state);
		verdict_release(&pane->verdict);
		if (pane->is_open)
			session_release(&pane->session);
		notefile_release(&pane->notefile);
		text_release(&pane->file_word);
		text_release(&pane->heading);
	}
	beneath_lanes_release(&app->pairing.shown);
	beneath_lanes_release(&app->pairing.made);
	trace_free(app->pairing.wanted);
	trace_free(app->pairing.held);
	beneath_release(&app->pairing.beneath);
}
