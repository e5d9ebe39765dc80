/* The page of an analysis: its title bar, and what is below as the analysis has it. */
#include "view/analysis_view.h"

#include <string.h>

#include "analysis/latency_kind.h"
#include "analysis/profile_request.h"
#include "analysis/registry.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/time_form.h"
#include "trace/words.h"
#include "view/analyses.h"
#include "view/diff_sources.h"
#include "view/other.h"

enum { TITLE_COLUMN = 1, WHEEL_ROWS = 3, LEAST_ROWS = 6 /* of a page that tells its sources */ };

/* Several pages may show one analysis, each in its form. */
struct page {
	struct analysis *analysis;
	int form;
	int top;                  /* the row that the analysis begins in, as laid out last */
	bool has_wanted;          /* where to go once there are numbers */
	struct view_place wanted;
	const char *const *settings; /* how it is to be, until a command comes */
	size_t setting_count;
	bool is_set;                 /* so it is, for the numbers of ... */
	uint32_t set_snapshot;
};

static struct analysis *
analysis_of(const void *state)
{
	const struct page *page = state;
	page->analysis->form = page->form;
	return page->analysis;
}

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* ---- opening and closing */

/* Shows an analysis that is open; NULL: none is, as err says. */
static bool
show(struct session *session, struct analysis *analysis, struct view_page *shown, struct error *err)
{
	if (analysis == NULL)
		return false;
	struct page *page = array_new(1, sizeof *page, err);
	if (page == NULL) {
		analyses_close(analysis);
		return false;
	}
	*page = (struct page){ .analysis = analysis, .form = analysis->form, .top = 1 };
	*shown = (struct view_page){ analysis->ops->is_chart ? &chart_view : &analysis_view, page };
	session_hold_mark(session);
	return true;
}

struct view_answer
analysis_open(struct session *session, const struct analysis_choice *choice)
{
	struct view_answer answer = { .reaction = VIEW_OPEN };
	struct error err;
	error_clear(&err);
	if (!show(session, analyses_open(session, choice, &err), &answer.page, &err))
		session_status(session, true, "%s", err.message);
	return answer;
}

struct view_answer
analysis_open_list(struct session *session, const struct analysis_scope *of)
{
	struct analysis_choice choice = analysis_choose("analyses");
	choice.of = of;
	return analysis_open(session, &choice);
}

static void
view_close(void *state)
{
	struct page *page = state;
	analyses_close(page->analysis);
	memory_free(page);
}

/* ---- what goes on */

static bool
view_look(void *state, struct session *session)
{
	return analyses_look(session, analysis_of(state));
}

static bool
view_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	(void)before;
	return analyses_renew(session, analysis_of(state), err);
}

/* The user goes on from here, so what the page was opened for is not put back. */
static void
leave_wanted(struct page *page)
{
	page->has_wanted = false;
	page->setting_count = 0;
}

static bool
view_lacks(const void *state, enum command command)
{
	const struct analysis *analysis = analysis_of(state);
	if (command == COMMAND_NEXT_FORM)
		return analyses_next_form(analysis) < 0;
	if (command == COMMAND_RUNTIME)
		return (analyses_limits(analysis->ops, analysis->kind) & ANALYSIS_BY_RUNTIME) == 0;
	return analysis->numbers != NULL && analysis->ops->lacks != NULL &&
	       analysis->ops->lacks(analysis, command);
}

/* Of the pages that are open this one is made anew; others are when they are opened. */
static struct view_answer
change_runtime(struct page *page, struct session *session)
{
	struct error err;
	error_clear(&err);
	session->with_runtime = !session->with_runtime;
	if (!analyses_count_runtime(session, analysis_of(page), &err))
		session_status(session, true, "%s", err.message);
	return redraw;
}

static struct view_answer
view_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct analysis *analysis = analysis_of(state);
	struct view_answer answer = nothing;
	leave_wanted(state);
	if (command == COMMAND_CLEAR_SEARCH && analyses_cancel(session, analysis))
		return redraw;
	if (command == COMMAND_ANALYSE && argument != NULL)
		return (struct view_answer){ .reaction = VIEW_OPEN, .open_name = argument };
	if (command == COMMAND_ANALYSE)
		return analysis_open_list(session, &analysis->scope);
	if (command == COMMAND_NEXT_FORM && view_lacks(state, command)) {
		session_status(session, false, "this is shown in one form only");
		return redraw;
	}
	if (command == COMMAND_NEXT_FORM) {
		((struct page *)state)->form = analyses_next_form(analysis);
		return redraw;
	}
	if (command == COMMAND_RUNTIME && !view_lacks(state, command))
		return change_runtime(state, session);
	if (analysis->numbers != NULL)
		answer = analysis->ops->command(analysis, session, command, count, argument);
	return answer;
}

/* The mouse's rows begin where the canvas of the analysis does. */
static struct view_answer
view_mouse(void *state, struct session *session, const struct screen_mouse *mouse)
{
	struct analysis *analysis = analysis_of(state);
	struct screen_mouse below = *mouse;
	bool is_wheel = mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN;
	int top = ((struct page *)state)->top;
	below.y -= top;
	if (analysis->numbers == NULL || (mouse->y < top && !is_wheel))
		return nothing;
	leave_wanted(state);
	if (analysis->ops->mouse != NULL)
		return analysis->ops->mouse(analysis, session, &below);
	return !is_wheel ? nothing
			 : view_command(state, session,
				   mouse->kind == MOUSE_WHEEL_UP ? COMMAND_UP : COMMAND_DOWN,
				   WHEEL_ROWS, NULL);
}

/* ---- drawing */

/* "35.7 ms from 1.2217 s"; without times the file's name. */
static void
add_interval(const struct analysis_scope *scope, const struct session *session, bool ascii,
	struct text *out)
{
	char length[UNITS_TEXT], from[UNITS_TEXT];
	const struct trace *trace = session->trace;
	int64_t length_ns = scope->t1_ns - scope->t0_ns;
	int64_t step_ns = length_ns / 100;
	if (trace->clock == TRACE_CLOCK_NONE) {
		text_add_string(out, session->file_name);
		return;
	}
	units_duration(length, scope->is_all ? trace->end_ns - trace->start_ns : length_ns, ascii);
	text_add_string(out, length);
	if (scope->is_all)
		return;
	time_form_write(from, time_form_of(trace, session->is_wall, ascii), scope->t0_ns,
		step_ns > 0 ? step_ns : 1, trace->end_ns);
	text_format(out, " from %s", from);
}

static int
put_part(struct canvas *canvas, int x, struct cell_style style, const char *before,
	const struct text *safe)
{
	if (safe->length == 0 || safe->failed)
		return x;
	x += canvas_string(canvas, x, 0, canvas->width - x,
		(struct cell_style){ STYLE_TEXT_DIM, STYLE_BAR, 0 }, before);
	return x + canvas_text(canvas, x, 0, canvas->width - x, style, safe);
}

/* "All goroutines by function  of main.worker  35.7 ms from 1.2217 s  where state=blocked  43%" */
static void
draw_title(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct cell_style bright = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	const struct cell_style plain = { STYLE_DEFAULT, STYLE_BAR, 0 };
	bool ascii = canvas->ascii;
	struct text part = { 0 };
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	const char *heading =
		analysis->kind != NULL ? analysis->kind->title : analysis->ops->heading;
	if (heading != NULL)
		text_add_words(&part, session->trace->words, heading);
	if (analysis->ops->title != NULL)
		analysis->ops->title(analysis, &part);
	int x = put_part(canvas, TITLE_COLUMN, bright, "", &part);
	text_clear(&part);
	analysis_add_subject(&analysis->scope, session->trace, ascii, &part);
	x = put_part(canvas, x, plain, " of ", &part);
	text_clear(&part);
	add_interval(&analysis->scope, session, ascii, &part);
	x = put_part(canvas, x, plain, ascii ? " - " : " \u00b7 ", &part);
	text_clear(&part);
	text_add_safe(&part, analysis->query.bytes, analysis->query.length, ascii);
	x = put_part(canvas, x, plain, " where ", &part);
	text_clear(&part);
	if (analysis->awaits_other)
		text_format(&part, "%d%%", session->other->percent);
	else if (analysis->job != NULL)
		text_format(&part, "%d%%", analyses_percent(analysis->job));
	put_part(canvas, x, (struct cell_style){ STYLE_KEY, STYLE_BAR, CELL_BOLD }, "  ", &part);
	text_release(&part);
}

static void
draw_wait(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct cell_style dim = { STYLE_TEXT_DIM, STYLE_DEFAULT, 0 };
	struct text safe = { 0 };
	const char *message = analysis->job != NULL ? "being worked out; Escape cancels"
						    : analysis->failure.message;
	if (analysis->awaits_other)
		text_format(&safe, "%s is being loaded; Escape cancels", session->other->name);
	else
		text_add_safe(&safe, message, strlen(message), canvas->ascii);
	if (!safe.failed && safe.length > 0)
		canvas_text(canvas, TITLE_COLUMN + 1, 2, canvas->width, dim, &safe);
	text_release(&safe);
}

/* Numbers of a later snapshot may have forgotten. */
static void
set_as_wanted(struct page *page, struct session *session)
{
	struct analysis *analysis = page->analysis;
	bool is_set = page->is_set && page->set_snapshot == analysis->snapshot;
	for (size_t i = 0; i < page->setting_count && !is_set; i++) {
		const char *setting = page->settings[i];
		if (analysis->ops->set != NULL && analysis->ops->set(analysis, session, setting))
			continue;
		struct text safe = { 0 };
		text_add_safe(&safe, setting, strlen(setting), session->ascii);
		session_status(session, true, "the page cannot be set so: %s", text_string(&safe));
		text_release(&safe);
	}
	page->is_set = true;
	page->set_snapshot = analysis->snapshot;
}

/* What is below the first rows. */
static struct canvas
canvas_below(const struct canvas *canvas, int top)
{
	struct canvas below = *canvas;
	below.cells += canvas->width * top;
	below.height -= top;
	return below;
}

static void
lay_out(struct page *page, struct session *session, const struct canvas *canvas)
{
	struct analysis *analysis = analysis_of(page);
	if (analysis->numbers == NULL)
		return;
	set_as_wanted(page, session);
	bool tells_sources = analysis->ops->other == OTHER_NEEDED && canvas->height >= LEAST_ROWS;
	page->top = tells_sources ? 2 : 1;
	if (canvas->height <= page->top)
		return;
	if (page->has_wanted && analysis->ops->go_to_place != NULL)
		analysis->ops->go_to_place(analysis, session, &page->wanted);
	page->has_wanted = false;
	struct canvas below = canvas_below(canvas, page->top);
	analysis->ops->lay_out(analysis, session, &below);
}

static void
draw(const struct page *page, const struct session *session, struct canvas *canvas)
{
	const struct analysis *analysis = page->analysis;
	draw_title(analysis, session, canvas);
	if (analysis->numbers == NULL) {
		draw_wait(analysis, session, canvas);
		return;
	}
	if (page->top > 1)
		diff_sources_draw(&analysis->scope, session, canvas, 1);
	struct canvas below = canvas_below(canvas, page->top);
	if (below.height > 0)
		analysis->ops->draw(analysis, session, &below);
}

static void
view_draw(void *state, struct session *session, struct canvas *canvas)
{
	lay_out(state, session, canvas);
	draw(state, session, canvas);
}

/* ---- where one stands */

static bool
view_place(const void *state, const struct session *session, struct view_place *place)
{
	const struct analysis *analysis = analysis_of(state);
	(void)session;
	bool is_known = analysis->numbers != NULL && analysis->ops->place != NULL;
	if (is_known)
		analysis->ops->place(analysis, place);
	return is_known && (place->line > 0 || place->top > 0);
}

static void
view_go_to_place(void *state, struct session *session, const struct view_place *place)
{
	struct page *page = state;
	(void)session;
	page->wanted = *place;
	page->has_wanted = true;
}

static void
view_name_settings(
	const void *state, const struct session *session, const struct setting_sink *sink)
{
	const struct analysis *analysis = analysis_of(state);
	(void)session;
	if (analysis->numbers != NULL && analysis->ops->name_settings != NULL)
		analysis->ops->name_settings(analysis, sink);
}

static void
view_set(void *state, struct session *session, const char *const *settings, size_t count)
{
	struct page *page = state;
	(void)session;
	page->settings = settings;
	page->setting_count = count;
	page->is_set = false;
}

/* ---- for others */

static void
view_add_name(const void *state, const struct session *session, struct text *out)
{
	analyses_add_name(analysis_of(state), session->trace, out);
}

static stack_id
view_stack(const void *state, const struct session *session, bool *is_frame)
{
	const struct analysis *analysis = analysis_of(state);
	(void)session;
	*is_frame = false;
	if (analysis->numbers == NULL || analysis->ops->stack == NULL)
		return STACK_NONE;
	return analysis->ops->stack(analysis);
}

static void
view_position(void *state, struct session *session, struct text *out, bool ascii)
{
	const struct analysis *analysis = analysis_of(state);
	(void)session;
	(void)ascii;
	if (analysis->numbers != NULL && analysis->ops->position != NULL)
		analysis->ops->position(analysis, out);
}

#define VIEW_FUNCTIONS                                                                             \
	.add_name = view_add_name, .close = view_close,                                            \
	.command = view_command, .lacks = view_lacks, .mouse = view_mouse, .look = view_look,      \
	.renew = view_renew, .draw = view_draw, .stack = view_stack, .position = view_position,    \
	.place = view_place, .go_to_place = view_go_to_place,                                      \
	.name_settings = view_name_settings, .set = view_set

const struct view_ops analysis_view = {
	.name = "analysis", .context = IN_ANALYSIS, VIEW_FUNCTIONS
};

const struct view_ops chart_view = {
	.name = "chart", .context = IN_CHART, VIEW_FUNCTIONS
};

/* ---- by names */

static bool
has_page(const char *name)
{
	struct analysis_choice choice;
	struct text parameter = { 0 };
	const char *subject;
	bool is_one = analyses_read(name, &choice, &parameter, &subject);
	text_release(&parameter);
	return is_one;
}

static bool
is_profile(const char *name)
{
	const struct analysis_scope all = { .actor = REF_NONE, .task = REF_NONE };
	struct profile_request request = { 0 };
	bool is_one = profile_request_read(&request, name, &all) && request.kind != PROFILE_SAMPLES;
	profile_request_release(&request);
	return is_one;
}

static bool
is_duration(const char *name)
{
	struct latency_kind kind;
	struct error ignored;
	error_clear(&ignored);
	if (!latency_kind_parse(&kind, name, 0, strlen(name), &ignored))
		return false;
	bool is_one = kind.type != LATENCY_QUERY; /* which any word is */
	latency_kind_release(&kind);
	return is_one;
}

/* "top:sync" may have been meant by "sync", as the list calls it. */
static bool
refuse(const char *name, struct error *err)
{
	const char *form = is_profile(name) ? "top" : is_duration(name) ? "histogram" : NULL;
	if (form == NULL)
		return error_set(
			err, ERROR_USAGE, "there is no page %s; a lists the analyses", name);
	return error_set(
		err, ERROR_USAGE, "there is no page %s; did you mean %s:%s?", name, form, name);
}

bool
analysis_view_has(const char *name, struct error *err)
{
	return has_page(name) || refuse(name, err);
}

bool
analysis_view_open(struct session *session, const char *name, struct view_page *page, struct error *err)
{
	struct analysis_choice choice;
	struct analysis_scope of = { .actor = REF_NONE, .task = REF_NONE };
	struct text parameter = { 0 };
	const char *subject;
	unsigned needs = registry_needs(name) & ~analysis_beneath_has(session->beneath);
	bool is_fine = (analyses_read(name, &choice, &parameter, &subject) || refuse(name, err)) &&
		       analysis_require(needs, session->trace, name, err);
	if (is_fine && subject != NULL && !analyses_find_subject(&of, session->trace, subject))
		is_fine = error_set_words(err, ERROR_USAGE, session->trace->words,
			"there is no {actor}, {task} or function %s", subject);
	choice.of = &of;
	is_fine = is_fine && show(session, analyses_open(session, &choice, err), page, err);
	text_release(&parameter);
	return is_fine;
}
