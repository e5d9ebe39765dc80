/*
 * The five pages, of which that of everyone has a file of its own. They differ in what they look up
 * and what they write; both stand in a table per page.
 */
#include "view/causes_internal.h"

#include "analysis/flows.h"
#include "analysis/task_index.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/actor_text.h"
#include "draw/critical_text.h"
#include "draw/names.h"
#include "trace/lane.h"
#include "trace/task_times.h"
#include "trace/words.h"
#include "view/verdict.h"
#include "view/walk_text.h"

enum {
	MOST_WAKES = 2000,     /* shown one by one */
	STEPS_AT_ONCE = 10000, /* of a path: some milliseconds */
	STATES_AT_ONCE = 100000, /* of a life: the same */
	WHO_COLUMN = 20,
};

/* ---- the selection */

bool
causes_span(const struct session *session, struct span *span)
{
	return session->has_lane &&
	       lane_span_at(session->trace, session->lane, session->cursor_ns, span) &&
	       span->actor != REF_NONE && span->kind != NULL &&
	       lane_span_at(session->trace, (struct lane){ LANE_ACTOR, span->actor },
		       session->cursor_ns, span);
}

bool
causes_waker(struct session *session, const struct span *span, struct span *ready, struct lane *lane)
{
	bool is_told = flows_ready(session->trace, span, ready) &&
		       ready->waker.type != WAKER_UNKNOWN;
	if (is_told && flows_waker_lane(ready->waker, lane))
		return true;
	struct text words = { 0 };
	if (is_told) {
		text_add_words(&words, session->trace->words, "no {actor} woke it, but ");
		name_waker(&words, session->trace, ready->waker, session->ascii);
	} else {
		text_add_string(&words, "the trace does not say what woke it");
	}
	session_status(session, false, "%s", text_string(&words));
	text_release(&words);
	return false;
}

const char *
causes_without_actor(const struct session *session, const char *otherwise)
{
	bool is_group = session->has_lane && session->lane.type == LANE_GROUP;
	return is_group ? "this is a group: o unfolds it, then select {an actor}" : otherwise;
}

/* The actor of the selection: of its lane, or of the span under the cursor; REF_NONE for none. */
static actor_ref
selected_actor(const struct session *session)
{
	struct span span;
	if (session->has_lane && session->lane.type == LANE_ACTOR)
		return session->lane.ref;
	return causes_span(session, &span) ? span.actor : REF_NONE;
}

/* ---- words */

static void
add_who(struct sheet *sheet, actor_ref actor)
{
	name_actor(sheet->scratch, sheet->trace, actor, sheet->ascii);
	sheet_scratch(sheet, prose_bright);
}

/* "12.5 ms, from 1.2217 s to 1.2342 s" */
static void
add_interval(struct sheet *sheet, int64_t from_ns, int64_t until_ns)
{
	sheet_duration(sheet, prose_bright, until_ns - from_ns);
	sheet_string(sheet, prose_dim, ", from ");
	sheet_moment(sheet, prose_plain, from_ns);
	sheet_string(sheet, prose_dim, " to ");
	sheet_moment(sheet, prose_plain, until_ns);
}

static void
add_title(struct causes_page *page, struct text *out, const char *before, const char *behind, bool ascii)
{
	text_add_string(out, before);
	name_actor(out, page->trace, page->actor, ascii);
	text_add_string(out, behind);
}

/* ---- what takes long */

/* At once only so many steps are made, which mostly is all of them. */
static struct critical_scope
scope_of(const struct causes_page *page, const atomic_bool *is_cancelled)
{
	return (struct critical_scope){
		.actor = page->actor,
		.t0_ns = page->t_ns,
		.t1_ns = page->until_ns,
		.most_steps = is_cancelled != NULL ? SESSION_PATH_STEPS : STEPS_AT_ONCE,
		.is_cancelled = is_cancelled,
	};
}

static bool
is_whole(const struct critical_path *path, struct error *err)
{
	bool is_cut = path->part_count > 0 && path->parts[path->part_count - 1].cause == CAUSE_LONG;
	return !is_cut || page_job_takes_long(err);
}

/* ---- why it was not running */

static bool
find_why(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err)
{
	struct critical_scope scope = scope_of(page, is_cancelled);
	return why_find(&page->why, page->trace, &scope, err) &&
	       (is_cancelled != NULL || is_whole(&page->why.path, err));
}

static void
release_why(struct causes_page *page)
{
	why_release(&page->why);
}

static void
title_why(struct causes_page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Why ", " was not running", ascii);
}

static void
write_why(struct causes_page *page, struct sheet *sheet)
{
	const struct why *why = &page->why;
	struct walk_text text;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->actor);
	sheet_string(sheet, prose_dim, " was not running for ");
	add_interval(sheet, why->start_ns, why->end_ns);
	if (why->is_open)
		sheet_string(sheet, prose_dim, ", where the trace ends");
	const char *told = verdict_told(page->session, (struct lane){ LANE_ACTOR,
		page->actor }, why->start_ns);
	if (told != NULL) {
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_string(sheet, prose_bright, told);
	}
	struct prose *prose = walk_text_begin(&text, &page->walk, sheet);
	prose->beneath = page->session->beneath;
	critical_tell_beneath(prose, &why->path);
	critical_tell_parts(prose, &why->path, true, NULL);
}

static const struct causes_ops why_ops = { find_why, NULL, release_why, title_why, write_why };

/* ---- the critical path */

static bool
find_path(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err)
{
	struct critical_scope scope = scope_of(page, is_cancelled);
	if (!critical_build(&page->path, page->trace, &scope, err) ||
		(is_cancelled == NULL && !is_whole(&page->path, err)))
		return false;
	page->shares = critical_shares(
		&page->path, page->trace, &page->share_count, is_cancelled, err);
	return page->shares != NULL;
}

/* The session may get another one while the page is left. */
static bool
take_path(struct causes_page *page, struct session *session, struct error *err)
{
	struct critical_path copy;
	if (!critical_copy(&copy, &page->path, err))
		return false;
	if (session_take_path(session, &copy, page->actor, err))
		return true;
	critical_release(&copy);
	return false;
}

static void
release_path(struct causes_page *page)
{
	critical_release(&page->path);
	memory_free(page->shares);
	page->shares = NULL;
}

static void
title_path(struct causes_page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Critical path of ", "", ascii);
}

static void
write_path(struct causes_page *page, struct sheet *sheet)
{
	struct walk_text text;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->actor);
	sheet_string(sheet, prose_dim, ": ");
	add_interval(sheet, page->path.start_ns, page->path.end_ns);
	struct prose *prose = walk_text_begin(&text, &page->walk, sheet);
	prose->beneath = page->session->beneath;
	critical_tell_shares(prose, &page->path, page->shares, page->share_count);
	critical_tell_beneath(prose, &page->path);
	critical_tell_parts(prose, &page->path, false, NULL);
}

static const struct causes_ops path_ops = {
	find_path, take_path, release_path, title_path, write_path
};

/* ---- whom it woke */

/* The timeline has done the same, before it opened the page. */
static bool
find_woken(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err)
{
	(void)is_cancelled;
	return wakes_find(
		&page->wakes, page->trace, page->actor, page->t_ns, page->until_ns, err);
}

static void
release_woken(struct causes_page *page)
{
	wakes_release(&page->wakes);
}

static void
title_woken(struct causes_page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Whom ", " woke", ascii);
}

static void
write_woken(struct causes_page *page, struct sheet *sheet)
{
	size_t count = page->wakes.count;
	size_t shown = count < MOST_WAKES ? count : MOST_WAKES;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->actor);
	sheet_string(sheet, prose_dim, " ran for ");
	add_interval(sheet, page->t_ns, page->until_ns);
	sheet_heading(sheet, "and meanwhile");
	for (size_t i = 0; i < shown; i++) {
		const struct wake *wake = &page->wakes.items[i];
		sheet_line(sheet, WALK_TEXT_COLUMN);
		walk_step_to(&page->walk, (struct lane){ LANE_ACTOR, wake->actor },
			wake->time_ns);
		sheet_moment(sheet, prose_dim, wake->time_ns);
		sheet->column = sheet->column < WHO_COLUMN ? WHO_COLUMN : sheet->column + 1;
		sheet_string(sheet, prose_dim, wake->is_creation ? "created " : "woke ");
		add_who(sheet, wake->actor);
	}
	sheet_more(sheet, WALK_TEXT_COLUMN, count - shown);
}

static const struct causes_ops woken_ops = {
	find_woken, NULL, release_woken, title_woken, write_woken
};

/* ---- all about it */

static bool
find_life(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err)
{
	if (!page->is_marked) /* all of it, however long the trace gets */
		page->until_ns = page->trace->end_ns;
	struct life_scope scope = { page->actor, page->t_ns, page->until_ns, NULL };
	if (is_cancelled == NULL &&
		trace_actor(page->trace, page->actor)->state_count > STATES_AT_ONCE)
		return page_job_takes_long(err);
	return life_build(&page->life, page->trace, &scope, err);
}

static void
release_life(struct causes_page *page)
{
	life_release(&page->life);
}

static void
title_life(struct causes_page *page, struct text *out, bool ascii)
{
	add_title(page, out, "", "", ascii);
}

static void
write_life(struct causes_page *page, struct sheet *sheet)
{
	struct walk_text text;
	actor_tell(walk_text_begin(&text, &page->walk, sheet),
		&(struct actor_text){
			.actor = page->actor,
			.life = &page->life,
			.t0_ns = page->t_ns,
			.t1_ns = page->until_ns,
			.has_interval = page->is_marked,
			.has_cursor = true,
			.cursor_ns = page->cursor_ns,
		});
}

static const struct causes_ops life_ops = { find_life, NULL, release_life, title_life, write_life };

/* ---- what the pages share */

static bool
find(void *state, const atomic_bool *is_cancelled, struct error *err)
{
	struct causes_page *page = state;
	bool is_found = page->ops->find(page, is_cancelled, err);
	if (!is_found)
		page->ops->release(page);
	return is_found;
}

/* Finds the answer, or has it found. */
static bool
begin(struct causes_page *page, struct session *session, struct error *err)
{
	page->trace = session->trace;
	page->session = session;
	return page_job_begin(&page->job, session, find, page, err) &&
	       (page->job.is_begun || page->ops->take == NULL ||
		       page->ops->take(page, session, err));
}

static void
page_close(void *state)
{
	struct causes_page *page = state;
	page_job_stop(&page->job);
	page->ops->release(page);
	walk_release(&page->walk);
	memory_free(page);
}

/* A page with its question, which is answered soon. */
static void *
open_page(struct session *session, const struct causes_page *question, struct error *err)
{
	struct causes_page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL) {
		error_set_memory(err, "the page");
		return NULL;
	}
	*page = *question;
	if (begin(page, session, err))
		return page;
	page_close(page);
	return NULL;
}

/* Asks the same of the later snapshot. */
static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct causes_page *page = state;
	(void)before;
	page_job_stop(&page->job);
	page->ops->release(page);
	walk_forget(&page->walk);
	return begin(page, session, err);
}

static bool
page_look(void *state, struct session *session)
{
	struct causes_page *page = state;
	bool is_found, is_new = page_job_look(&page->job, session, &is_found);
	if (is_found && page->ops->take != NULL)
		(void)page->ops->take(page, session, &page->job.failure);
	return is_new;
}

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct causes_page *page = state;
	if (page_job_is_left(&page->job, command))
		return (struct view_answer){ .reaction = VIEW_CLOSE };
	return walk_command(&page->walk, session, command, count, argument);
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct causes_page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	if (page_job_has_answer(&page->job) && walk_begins(&page->walk, session, canvas, &sheet))
		page->ops->write(page, &sheet);
	page->ops->title(page, &title, canvas->ascii);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
	if (page->walk.lines.count == 0)
		page_job_draw(&page->job, canvas);
}

/* ---- opening: the question is the selection */

static bool
refuse_without_actor(const struct session *session, const char *otherwise, struct error *err)
{
	struct text words = { 0 };
	text_add_words(&words, session->trace->words, causes_without_actor(session, otherwise));
	error_set(err, ERROR_USAGE, "%s", text_string(&words));
	text_release(&words);
	return false;
}

static bool
ask_actor(struct causes_page *question, const struct session *session, struct error *err)
{
	question->actor = selected_actor(session);
	return question->actor != REF_NONE ||
	       refuse_without_actor(session, "no {actor} is selected", err);
}

static void *
why_open(struct session *session, struct error *err)
{
	struct causes_page question = { .ops = &why_ops, .t_ns = session->cursor_ns };
	if (session->asks_actor) {
		session->asks_actor = false;
		question.actor = session->asked_actor;
		return open_page(session, &question, err);
	}
	return ask_actor(&question, session, err) ? open_page(session, &question, err) : NULL;
}

/* Of the region that was asked for. */
static void *
open_region(struct session *session, struct error *err)
{
	const struct range *range = trace_range(session->trace, session->asked_region);
	struct causes_page question = {
		.ops = &path_ops,
		.actor = range->scope,
		.t_ns = range->start_ns,
		.until_ns = trace_range_end_ns(session->trace, range),
	};
	session->asks_region = false;
	return open_page(session, &question, err);
}

/* From the end of the selected task back to its begin, or of the marked interval. */
static void *
open_task(struct session *session, struct error *err)
{
	task_ref task = session->lane.ref;
	struct causes_page question = {
		.ops = &path_ops, .actor = critical_of_task(session->trace, task)
	};
	if (question.actor == REF_NONE) {
		error_set(err, ERROR_USAGE, "the trace does not tell who worked for the task");
		return NULL;
	}
	if (!session_marked(session, &question.t_ns, &question.until_ns) ||
		question.t_ns == question.until_ns) {
		question.t_ns = task_start_ns(session->trace, task);
		question.until_ns = task_end_ns(session->trace, task);
	}
	return open_page(session, &question, err);
}

/* Of a region or task, else of the marked interval, else of the actor's life. */
static void *
critical_open(struct session *session, struct error *err)
{
	struct causes_page question = { .ops = &path_ops };
	if (session->asks_region)
		return open_region(session, err);
	if (session->has_lane && session->lane.type == LANE_TASK)
		return open_task(session, err);
	if (!ask_actor(&question, session, err))
		return NULL;
	if (!session_marked(session, &question.t_ns, &question.until_ns) ||
		question.t_ns == question.until_ns)
		lane_life(session->trace, (struct lane){ LANE_ACTOR, question.actor },
			&question.t_ns, &question.until_ns);
	return open_page(session, &question, err);
}

/* Of the marked interval, else of all the trace. */
static void *
actor_open(struct session *session, struct error *err)
{
	struct causes_page question = { .ops = &life_ops, .cursor_ns = session->cursor_ns };
	if (session->asks_actor) {
		session->asks_actor = false;
		question.actor = session->asked_actor;
	} else if (!ask_actor(&question, session, err)) {
		return NULL;
	}
	question.is_marked = session_marked(session, &question.t_ns, &question.until_ns) &&
			     question.t_ns < question.until_ns;
	if (!question.is_marked)
		question.t_ns = session->trace->start_ns;
	return open_page(session, &question, err);
}

static void *
everyone_open(struct session *session, struct error *err)
{
	struct causes_page question = { .ops = &causes_everyone_ops, .t_ns = session->cursor_ns };
	return open_page(session, &question, err);
}

static void *
woken_open(struct session *session, struct error *err)
{
	struct causes_page question = { .ops = &woken_ops };
	struct span span;
	if (!causes_span(session, &span)) {
		refuse_without_actor(
			session, "no {actor} here that could have woken another one", err);
		return NULL;
	}
	question.actor = span.actor;
	question.t_ns = span.start_ns;
	question.until_ns = span.end_ns;
	return open_page(session, &question, err);
}

#define CAUSES_VIEW(word, open_function)                                                           \
	{                                                                                          \
		.name = (word), .context = IN_WALK, .open = (open_function),                       \
		.close = page_close, .command = page_command, .look = page_look, .renew = page_renew,   \
		.draw = page_draw, .place = walk_view_place,                                        \
		.go_to_place = walk_view_go_to_place, .position = walk_view_position,             \
	}

const struct view_ops why_view = CAUSES_VIEW("why", why_open);
const struct view_ops actor_view = CAUSES_VIEW("actor", actor_open);
const struct view_ops critical_view = CAUSES_VIEW("critical-path", critical_open);
const struct view_ops everyone_view = CAUSES_VIEW("everyone", everyone_open);
const struct view_ops woken_view = CAUSES_VIEW("woken", woken_open);
