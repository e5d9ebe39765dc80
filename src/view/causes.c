/*
 * The four pages. They differ in what they look up and what they write; both stand in a table
 * per page.
 */
#include "view/causes.h"

#include "analysis/moment.h"
#include "analysis/task_index.h"
#include "analysis/wakes.h"
#include "analysis/why.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/moment_words.h"
#include "draw/names.h"
#include "draw/parts_words.h"
#include "trace/lane.h"
#include "trace/task_times.h"
#include "view/path_sheet.h"
#include "view/walk.h"

enum {
	MOST_WAKES = 2000,   /* shown one by one */
	MOST_SHARES = 200,
	MOST_GROUPS = 2000,
	FRAME_COLUMN = 7,
	WHO_COLUMN = 20,
};

struct page;

/* What makes a page one of the four. */
struct page_ops {
	/* Looks up what the page tells, by its question; false with err set. */
	bool (*find)(struct page *page, struct session *session, struct error *err);
	void (*release)(struct page *page); /* what find() made; also of nothing */
	void (*title)(struct page *page, struct text *out, bool ascii);
	void (*write)(struct page *page, struct sheet *sheet);
};

struct page {
	struct walk walk;
	const struct page_ops *ops;
	const struct trace *trace;
	/* The question. */
	goroutine_ref goroutine;
	int64_t t_ns, until_ns;
	/* The answer: of each page its own. */
	struct why why;
	const struct critical_path *path; /* the session's */
	struct critical_share *shares;
	size_t share_count;
	struct moment moment;
	struct wakes wakes;
};

/* ---- the selection */

bool
causes_span(const struct session *session, struct span *span)
{
	return session->has_lane &&
	       lane_span_at(session->trace, session->lane, session->cursor_ns, span) &&
	       span->goroutine != REF_NONE && span->kind != NULL &&
	       lane_span_at(session->trace, (struct lane){ LANE_GOROUTINE, span->goroutine },
		       session->cursor_ns, span);
}

/* The goroutine of the selection: of its lane, or of the span under the cursor; REF_NONE for none. */
static goroutine_ref
selected_goroutine(const struct session *session)
{
	struct span span;
	if (session->has_lane && session->lane.type == LANE_GOROUTINE)
		return session->lane.ref;
	return causes_span(session, &span) ? span.goroutine : REF_NONE;
}

/* ---- words */

static void
add_who(struct sheet *sheet, goroutine_ref goroutine)
{
	name_goroutine(sheet->scratch, sheet->trace, goroutine, sheet->ascii);
	sheet_scratch(sheet, sheet_bright);
}

/* "12.5 ms, from 1.2217 s to 1.2342 s" */
static void
add_interval(struct sheet *sheet, int64_t from_ns, int64_t until_ns)
{
	sheet_duration(sheet, sheet_bright, until_ns - from_ns);
	sheet_string(sheet, sheet_dim, ", from ");
	sheet_moment(sheet, sheet_plain, from_ns);
	sheet_string(sheet, sheet_dim, " to ");
	sheet_moment(sheet, sheet_plain, until_ns);
}

static void
add_title(struct page *page, struct text *out, const char *before, const char *behind, bool ascii)
{
	text_add_string(out, before);
	name_goroutine(out, page->trace, page->goroutine, ascii);
	text_add_string(out, behind);
}

/* ---- why it was not running */

static bool
find_why(struct page *page, struct session *session, struct error *err)
{
	return why_find(&page->why, session->trace, page->goroutine, page->t_ns, SESSION_PATH_STEPS,
		err);
}

static void
release_why(struct page *page)
{
	why_release(&page->why);
}

static void
title_why(struct page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Why ", " was not running", ascii);
}

static void
write_why(struct page *page, struct sheet *sheet)
{
	const struct why *why = &page->why;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->goroutine);
	sheet_string(sheet, sheet_dim, " was not running for ");
	add_interval(sheet, why->start_ns, why->end_ns);
	if (why->is_open)
		sheet_string(sheet, sheet_dim, ", where the trace ends");
	sheet_heading(sheet, "back in time: what ended it, what that had waited for, and so on");
	path_sheet_parts(sheet, &page->walk, &why->path);
}

static const struct page_ops why_ops = { find_why, release_why, title_why, write_why };

/* ---- the critical path */

static bool
find_path(struct page *page, struct session *session, struct error *err)
{
	if (!session_show_path(session, page->goroutine, page->t_ns, page->until_ns, err))
		return false;
	page->path = session->path;
	page->shares =
		critical_shares(page->path, session->trace, &page->share_count, err);
	return page->shares != NULL;
}

static void
release_path(struct page *page)
{
	memory_free(page->shares);
	page->shares = NULL;
}

static void
title_path(struct page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Critical path of ", "", ascii);
}

static void
write_path(struct page *page, struct sheet *sheet)
{
	size_t shown = page->share_count < MOST_SHARES ? page->share_count : MOST_SHARES;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->goroutine);
	sheet_string(sheet, sheet_dim, ": ");
	add_interval(sheet, page->path->start_ns, page->path->end_ns);
	sheet_heading(sheet, "share, time and count by start function, state, reason and stack");
	path_sheet_shares(sheet, &page->walk, page->path, page->shares, shown);
	sheet_more(sheet, WALK_TEXT_COLUMN, page->share_count - shown);
	sheet_heading(sheet, "back in time from the end");
	path_sheet_parts(sheet, &page->walk, page->path);
}

static const struct page_ops path_ops = { find_path, release_path, title_path, write_path };

/* ---- everyone */

static bool
find_everyone(struct page *page, struct session *session, struct error *err)
{
	return moment_build(&page->moment, session->trace, page->t_ns, NULL, err);
}

static void
release_everyone(struct page *page)
{
	moment_release(&page->moment);
}

/* Else nothing is known, which is not the same as nobody being there. */
static bool
is_loaded(const struct page *page)
{
	return parts_extent(&page->trace->parts, page->t_ns, page->t_ns + 1) == PARTS_LOADED;
}

static void
title_everyone(struct page *page, struct text *out, bool ascii)
{
	char count[UNITS_TEXT];
	(void)ascii;
	if (!is_loaded(page)) {
		text_add_string(out, "This part of the trace is not loaded");
		return;
	}
	units_count(count, page->moment.goroutine_count);
	text_format(out, "%s goroutines at this time", count);
}

static void
write_frame(struct sheet *sheet, const struct stack_frame *frame)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	moment_add_call(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, sheet_plain);
	sheet_line(sheet, FRAME_COLUMN);
	moment_add_place(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, sheet_dim);
}

static void
write_creation(struct sheet *sheet, goroutine_ref goroutine)
{
	const struct stack_frame *frame;
	if (!moment_add_creation(
		    sheet->scratch, sheet->trace, goroutine, sheet->ascii, &frame))
		return;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_scratch(sheet, sheet_dim);
	sheet_line(sheet, FRAME_COLUMN);
	moment_add_place(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, sheet_dim);
}

static void
write_group(struct page *page, struct sheet *sheet, const struct moment_group *group)
{
	const struct stack_table *stacks = &sheet->trace->stacks;
	const struct moment_goroutine *first = &page->moment.goroutines[group->first];
	sheet_line(sheet, WALK_TEXT_COLUMN);
	moment_add_alike(sheet->scratch, sheet->trace, &page->moment, group);
	if (sheet->scratch->length > 0) {
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_scratch(sheet, sheet_plain);
	}
	sheet_line(sheet, WALK_TEXT_COLUMN);
	walk_step_to(&page->walk, (struct lane){ LANE_GOROUTINE, first->goroutine },
		page->moment.t_ns);
	moment_add_header(sheet->scratch, sheet->trace, &page->moment, first, sheet->ascii);
	sheet_scratch(sheet, sheet_bright);
	for (stack_id at = first->stack; at != STACK_NONE; at = stack_caller(stacks, at))
		write_frame(sheet, stack_leaf(stacks, at));
	write_creation(sheet, first->goroutine);
}

static void
write_everyone(struct page *page, struct sheet *sheet)
{
	size_t count = page->moment.group_count;
	size_t shown = count < MOST_GROUPS ? count : MOST_GROUPS;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, sheet_dim, "at ");
	sheet_moment(sheet, sheet_plain, page->moment.t_ns);
	if (!is_loaded(page)) {
		sheet_string(sheet, sheet_dim, " nothing is known: ");
		parts_add_part(sheet->scratch, parts_at(&page->trace->parts, page->t_ns));
		sheet_scratch(sheet, sheet_plain);
		sheet_string(sheet, sheet_dim, "; load-part in the timeline loads it");
		return;
	}
	for (size_t i = 0; i < shown; i++)
		write_group(page, sheet, &page->moment.groups[i]);
	sheet_more(sheet, WALK_TEXT_COLUMN, count - shown);
}

static const struct page_ops everyone_ops = {
	find_everyone, release_everyone, title_everyone, write_everyone
};

/* ---- whom it woke */

static bool
find_woken(struct page *page, struct session *session, struct error *err)
{
	return wakes_find(
		&page->wakes, session->trace, page->goroutine, page->t_ns, page->until_ns, err);
}

static void
release_woken(struct page *page)
{
	wakes_release(&page->wakes);
}

static void
title_woken(struct page *page, struct text *out, bool ascii)
{
	add_title(page, out, "Whom ", " woke", ascii);
}

static void
write_woken(struct page *page, struct sheet *sheet)
{
	size_t count = page->wakes.count;
	size_t shown = count < MOST_WAKES ? count : MOST_WAKES;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_who(sheet, page->goroutine);
	sheet_string(sheet, sheet_dim, " ran for ");
	add_interval(sheet, page->t_ns, page->until_ns);
	sheet_heading(sheet, "and meanwhile");
	for (size_t i = 0; i < shown; i++) {
		const struct wake *wake = &page->wakes.items[i];
		sheet_line(sheet, WALK_TEXT_COLUMN);
		walk_step_to(&page->walk, (struct lane){ LANE_GOROUTINE, wake->goroutine },
			wake->time_ns);
		sheet_moment(sheet, sheet_dim, wake->time_ns);
		sheet->column = sheet->column < WHO_COLUMN ? WHO_COLUMN : sheet->column + 1;
		sheet_string(sheet, sheet_dim, wake->is_creation ? "created " : "woke ");
		add_who(sheet, wake->goroutine);
	}
	sheet_more(sheet, WALK_TEXT_COLUMN, count - shown);
}

static const struct page_ops woken_ops = { find_woken, release_woken, title_woken, write_woken };

/* ---- what the pages share */

static void
page_close(void *state)
{
	struct page *page = state;
	page->ops->release(page);
	walk_release(&page->walk);
	memory_free(page);
}

/* A page with its question; finds the answer. */
static void *
open_page(struct session *session, const struct page *question, struct error *err)
{
	struct page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL) {
		error_set_memory(err, "the page");
		return NULL;
	}
	*page = *question;
	page->trace = session->trace;
	if (page->ops->find(page, session, err))
		return page;
	page_close(page);
	return NULL;
}

/* Asks the same of the later snapshot. */
static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct page *page = state;
	(void)before;
	page->ops->release(page);
	walk_forget(&page->walk);
	page->trace = session->trace;
	return page->ops->find(page, session, err);
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	if (walk_begins(&page->walk, session, canvas, &sheet))
		page->ops->write(page, &sheet);
	page->ops->title(page, &title, canvas->ascii);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
}

/* ---- opening: the question is the selection */

static bool
ask_goroutine(struct page *question, const struct session *session, struct error *err)
{
	question->goroutine = selected_goroutine(session);
	return question->goroutine != REF_NONE ||
	       error_set(err, ERROR_USAGE, "no goroutine is selected");
}

static void *
why_open(struct session *session, struct error *err)
{
	struct page question = { .ops = &why_ops, .t_ns = session->cursor_ns };
	if (session->asks_goroutine) {
		session->asks_goroutine = false;
		question.goroutine = session->asked_goroutine;
		return open_page(session, &question, err);
	}
	return ask_goroutine(&question, session, err) ? open_page(session, &question, err) : NULL;
}

/* Of the region that was asked for. */
static void *
open_region(struct session *session, struct error *err)
{
	const struct range *range = trace_range(session->trace, session->asked_region);
	struct page question = {
		.ops = &path_ops,
		.goroutine = range->scope,
		.t_ns = range->start_ns,
		.until_ns = range->end_ns,
	};
	session->asks_region = false;
	return open_page(session, &question, err);
}

/* From the end of the selected task back to its begin, or of the marked interval. */
static void *
open_task(struct session *session, struct error *err)
{
	task_ref task = session->lane.ref;
	struct page question = {
		.ops = &path_ops, .goroutine = critical_of_task(session->trace, task)
	};
	if (question.goroutine == REF_NONE) {
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

/* Of a region or task, else of the marked interval, else of the goroutine's life. */
static void *
critical_open(struct session *session, struct error *err)
{
	struct page question = { .ops = &path_ops };
	if (session->asks_region)
		return open_region(session, err);
	if (session->has_lane && session->lane.type == LANE_TASK)
		return open_task(session, err);
	if (!ask_goroutine(&question, session, err))
		return NULL;
	if (!session_marked(session, &question.t_ns, &question.until_ns) ||
		question.t_ns == question.until_ns)
		lane_life(session->trace, (struct lane){ LANE_GOROUTINE, question.goroutine },
			&question.t_ns, &question.until_ns);
	return open_page(session, &question, err);
}

static void *
everyone_open(struct session *session, struct error *err)
{
	struct page question = { .ops = &everyone_ops, .t_ns = session->cursor_ns };
	return open_page(session, &question, err);
}

static void *
woken_open(struct session *session, struct error *err)
{
	struct page question = { .ops = &woken_ops };
	struct span span;
	if (!causes_span(session, &span)) {
		error_set(err, ERROR_USAGE, "no goroutine here that could have woken another one");
		return NULL;
	}
	question.goroutine = span.goroutine;
	question.t_ns = span.start_ns;
	question.until_ns = span.end_ns;
	return open_page(session, &question, err);
}

#define CAUSES_VIEW(word, open_function)                                                           \
	{                                                                                          \
		.name = (word), .context = IN_WALK, .open = (open_function),                       \
		.close = page_close, .command = walk_view_command, .renew = page_renew,                 \
		.draw = page_draw, .place = walk_view_place,                                        \
		.go_to_place = walk_view_go_to_place, .position = walk_view_position,             \
	}

const struct view_ops why_view = CAUSES_VIEW("why", why_open);
const struct view_ops critical_view = CAUSES_VIEW("critical-path", critical_open);
const struct view_ops everyone_view = CAUSES_VIEW("everyone", everyone_open);
const struct view_ops woken_view = CAUSES_VIEW("woken", woken_open);
