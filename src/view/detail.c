/*
 * The detail view: the selected span in full, with whole stacks and every event
 * within it. The page is made when it is first drawn and whenever the width, the
 * selection or the clock changes.
 */
#include "view/detail.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/span_story.h"
#include "trace/lane.h"
#include "view/causes.h"
#include "view/meanwhile.h"
#include "view/range_page.h"
#include "view/sheet.h"
#include "view/span_events.h"

enum {
	EVENT_FRAME_COLUMN = 16,
	WRAPPED_COLUMN = 18, /* of what did not fit on the line before */
	MOST_EVENTS = 5000,  /* listed; how many more there are is said */
};

struct detail {
	struct lines lines;
	struct text scratch;
	struct span span; /* what the page tells of ... */
	struct lane lane; /* ... and where it is */
	bool has_page;
	int width; /* for which it was made */
	bool is_wall, ascii;
};

/* ---- the span */

static void
add_waker(struct sheet *sheet, const struct span *ready)
{
	if (ready->waker.type == WAKER_UNKNOWN)
		return;
	sheet_string(
		sheet, prose_dim, ready->kind->entry == ENTRY_CREATED ? ", created by " : ", woken by ");
	name_waker(sheet->scratch, sheet->trace, ready->waker, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
}

static void
add_state(struct sheet *sheet, const struct span *span)
{
	const struct trace *trace = sheet->trace;
	sheet_value(sheet, "state");
	bool has_reason = span->kind != NULL && span->kind->state == STATE_BLOCKED &&
			  span->kind->reason != STRING_EMPTY;
	if (has_reason)
		text_add_string(sheet->scratch, "blocked: ");
	name_state(sheet->scratch, trace, span, sheet->ascii);
	sheet_scratch(sheet, prose_class_style(span->time_class));
	name_whereabouts(sheet->scratch, trace, (struct lane){ LANE_ACTOR, span->actor }, span,
		sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	add_waker(sheet, span);
}

static void
add_neighbour(struct sheet *sheet, const char *name, bool is_there, const struct span *span)
{
	sheet_value(sheet, name);
	if (!is_there) {
		sheet_string(sheet, prose_dim, "nothing in the trace");
		return;
	}
	name_state(sheet->scratch, sheet->trace, span, sheet->ascii);
	sheet_scratch(sheet, prose_class_style(span->time_class));
	sheet_string(sheet, prose_dim, " for ");
	sheet_duration(sheet, prose_plain, span->end_ns - span->start_ns);
	add_waker(sheet, span);
}

/* The regions around the span, innermost first, and their tasks. */
static void
add_regions(struct sheet *sheet, range_ref region)
{
	const struct trace *trace = sheet->trace;
	for (; region != REF_NONE; region = trace_range(trace, region)->parent) {
		const struct range *range = trace_range(trace, region);
		sheet_value(sheet, "region");
		name_string(sheet->scratch, trace, range->name, sheet->ascii);
		sheet_scratch(sheet, prose_plain);
		sheet_string(sheet, prose_dim, " for ");
		sheet_duration(sheet, prose_plain,
			trace_range_end_ns(trace, range) - range->start_ns);
		if (range->end_ns == TIME_OPEN)
			sheet_string(sheet, prose_dim, ", not ended,");
		if (range->task == REF_NONE)
			continue;
		const struct task *task = trace_task(trace, range->task);
		text_format(sheet->scratch, " of task %" PRId64 " ", task->id);
		sheet_scratch(sheet, prose_dim);
		name_string(sheet->scratch, trace, task->name, sheet->ascii);
		sheet_scratch(sheet, prose_plain);
	}
}

static void
add_actor(struct sheet *sheet, actor_ref ref)
{
	const struct actor *actor = trace_actor(sheet->trace, ref);
	if (actor->creator == REF_NONE)
		return;
	sheet_value(sheet, "created by");
	name_actor(sheet->scratch, sheet->trace, actor->creator, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	sheet_string(sheet, prose_dim, " at ");
	sheet_moment(sheet, prose_plain, actor->first_ns);
}

/* ---- events */

static const char *
event_verb(const struct trace *trace, const struct span_event *event)
{
	static const char *const begins[RANGE_TYPE_COUNT] = {
		[RANGE_GC_MARK] = "begins to mark",
		[RANGE_STW] = "stops the world: ",
		[RANGE_SWEEP] = "begins to sweep",
		[RANGE_MARK_ASSIST] = "begins to assist marking",
		[RANGE_REGION] = "enters region ",
	};
	static const char *const ends[RANGE_TYPE_COUNT] = {
		[RANGE_GC_MARK] = "ends marking",
		[RANGE_STW] = "starts the world: ",
		[RANGE_SWEEP] = "ends sweeping",
		[RANGE_MARK_ASSIST] = "ends assisting",
		[RANGE_REGION] = "leaves region ",
	};
	static const char *const verbs[SPAN_EVENT_TYPE_COUNT] = {
		[SPAN_EVENT_WOKE] = "wakes ",
		[SPAN_EVENT_CREATED] = "creates ",
		[SPAN_EVENT_LOG] = "logs ",
		[SPAN_EVENT_SAMPLE] = "{sample}",
		[SPAN_EVENT_LABEL] = "label ",
	};
	if (event->type == SPAN_EVENT_RANGE_BEGIN)
		return begins[trace_range(trace, event->ref)->type];
	if (event->type == SPAN_EVENT_RANGE_END)
		return ends[trace_range(trace, event->ref)->type];
	return words_title(trace->words, verbs[event->type]);
}

static void
add_log(struct sheet *sheet, const struct instant *log)
{
	name_string(sheet->scratch, sheet->trace, log->category, sheet->ascii);
	if (log->category != STRING_EMPTY)
		text_add_string(sheet->scratch, ": ");
	name_string(sheet->scratch, sheet->trace, log->text, sheet->ascii);
}

static void
add_event_object(struct sheet *sheet, const struct span_event *event)
{
	const struct trace *trace = sheet->trace;
	switch (event->type) {
	case SPAN_EVENT_WOKE:
	case SPAN_EVENT_CREATED:
		name_actor(sheet->scratch, trace, event->ref, sheet->ascii);
		break;
	case SPAN_EVENT_LOG:
		add_log(sheet, trace_instant(trace, event->ref));
		break;
	case SPAN_EVENT_LABEL:
		name_string(
			sheet->scratch, trace, trace_instant(trace, event->ref)->text, sheet->ascii);
		break;
	case SPAN_EVENT_RANGE_BEGIN:
	case SPAN_EVENT_RANGE_END:
		name_string(
			sheet->scratch, trace, trace_range(trace, event->ref)->name, sheet->ascii);
		break;
	case SPAN_EVENT_SAMPLE: {
		const struct instant *sample = trace_instant(trace, event->ref);
		text_add_string(sheet->scratch, sample->category != STRING_EMPTY ? " of " : "");
		name_string(sheet->scratch, trace, sample->category, sheet->ascii);
		break;
	}
	case SPAN_EVENT_TYPE_COUNT:
		break;
	}
	sheet_scratch(sheet, prose_plain);
}

/* Times count from the start of the span: what the eye compares is how far apart they are. */
static void
add_event(struct sheet *sheet, const struct span *span, const struct span_event *event)
{
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, "+");
	sheet_duration(sheet, prose_dim, event->time_ns - span->start_ns);
	if (sheet->column < SHEET_VALUE_COLUMN)
		sheet->column = SHEET_VALUE_COLUMN;
	sheet_string(sheet, prose_dim, event_verb(sheet->trace, event));
	add_event_object(sheet, event);
	sheet_stack(sheet, event->stack, EVENT_FRAME_COLUMN);
}

static void
add_events(struct sheet *sheet, const struct span *span)
{
	struct span_events events;
	struct error err;
	char count[UNITS_TEXT];
	error_clear(&err);
	if (!span_events_find(&events, sheet->trace, span, &err)) {
		sheet_heading(sheet, err.message);
		return;
	}
	units_count(count, events.count);
	text_format(
		sheet->scratch, events.count == 1 ? "%s event within" : "%s events within", count);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_scratch(sheet, prose_bright);
	for (size_t i = 0; i < events.count && i < MOST_EVENTS; i++)
		add_event(sheet, span, &events.items[i]);
	if (events.count > MOST_EVENTS) {
		units_count(count, events.count - MOST_EVENTS);
		text_format(sheet->scratch, "and %s more", count);
		sheet_line(sheet, SHEET_TEXT_COLUMN);
		sheet_scratch(sheet, prose_dim);
	}
	span_events_release(&events);
}

/* ---- the page */

static void
write_page(struct sheet *sheet, const struct span *span)
{
	struct span_story story;
	span_story_tell(&story, sheet->trace, span);
	add_state(sheet, &story.span);
	sheet_times(sheet, &story.span);
	add_neighbour(sheet, "before", story.has_before, &story.before);
	add_neighbour(sheet, "then", story.has_after, &story.after);
	add_regions(sheet, story.region);
	add_actor(sheet, span->actor);
	sheet_titled_stack(sheet, story.start_title, story.start_stack);
	sheet_titled_stack(sheet, story.end_title, story.end_stack);
	if (story.span.time_class == CLASS_READY)
		meanwhile_write(sheet, story.span.start_ns, story.span.end_ns);
	add_events(sheet, &story.span);
}

static bool
selected_span(const struct session *session, struct span *span)
{
	return session->has_lane &&
	       lane_span_at(session->trace, session->lane, session->cursor_ns, span);
}

static void
make_page(struct detail *detail, const struct session *session, int width, bool ascii)
{
	struct sheet sheet = {
		.lines = &detail->lines,
		.trace = session->trace,
		.scratch = &detail->scratch,
		.width = width,
		.wrapped_column = WRAPPED_COLUMN,
		.is_wall = session->is_wall,
		.ascii = ascii,
	};
	lines_clear(&detail->lines);
	if (detail->span.kind == NULL)
		range_page_write(&sheet, session->lane, &detail->span);
	else
		write_page(&sheet, &detail->span);
	detail->has_page = true;
	detail->width = width;
	detail->is_wall = session->is_wall;
	detail->ascii = ascii;
}

/* ---- the view */

static void
detail_close(void *state)
{
	struct detail *detail = state;
	lines_release(&detail->lines);
	text_release(&detail->scratch);
	memory_free(detail);
}

static void *
detail_open(struct session *session, struct error *err)
{
	struct detail *detail = memory_realloc(NULL, sizeof *detail);
	if (detail == NULL) {
		error_set_memory(err, "the detail view");
		return NULL;
	}
	*detail = (struct detail){ .lines.page = 1, .width = 1 };
	detail->lane = session->lane;
	if (selected_span(session, &detail->span))
		return detail;
	error_set(err, ERROR_USAGE, "nothing to tell about is under the cursor");
	detail_close(detail);
	return NULL;
}

/* The span may have gone on since. */
static bool
detail_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct detail *detail = state;
	(void)before;
	detail->has_page = false;
	return lane_span_at(session->trace, detail->lane, detail->span.start_ns, &detail->span) ||
	       error_set(err, ERROR_USAGE, "the span of this page has gone");
}

/* To a span before or after on the same lane. */
static struct view_answer
step(struct detail *detail, struct session *session, bool forward, long count)
{
	struct span here, next;
	if (!lane_span_at(session->trace, session->lane, session->cursor_ns, &here))
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	bool has_moved = false;
	for (; count > 0; count--) {
		bool is_there = forward ? lane_after(session->trace, session->lane, &here, &next)
					: lane_before(session->trace, session->lane, &here, &next);
		if (!is_there)
			break;
		here = next;
		has_moved = true;
	}
	if (!has_moved) {
		session_status(session, false,
			forward ? "the last span of this row" : "the first span of this row");
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	}
	session_go_to(session, detail->width, here.start_ns);
	detail->span = here;
	detail->lane = session->lane;
	detail->has_page = false;
	detail->lines.top = 0;
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}

/* The page closes; the timeline shows what woke the actor. */
static struct view_answer
go_to_waker(const struct detail *detail, struct session *session)
{
	struct span ready;
	if (!causes_waker(session, &detail->span, &ready, &session->lane))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	session_go_to(session, detail->width, ready.start_ns);
	return (struct view_answer){ .reaction = VIEW_CLOSE, .push_history = true };
}

/* All about whose span it is. */
static struct view_answer
open_actor(const struct detail *detail, struct session *session)
{
	session->asks_actor = detail->span.kind != NULL;
	session->asked_actor = detail->span.actor;
	if (session->asks_actor)
		return (struct view_answer){ .reaction = VIEW_OPEN, .open_name = "actor" };
	session_status(session, false, "nothing here leads anywhere");
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static struct view_answer
detail_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct detail *detail = state;
	if (command == COMMAND_PREVIOUS_SPAN || command == COMMAND_NEXT_SPAN)
		return step(detail, session, command == COMMAND_NEXT_SPAN, count);
	if (command == COMMAND_WAKER)
		return go_to_waker(detail, session);
	if (command == COMMAND_OPEN)
		return open_actor(detail, session);
	return lines_command(&detail->lines, session, command, count, argument);
}

static void
draw_title(struct detail *detail, const struct session *session, struct canvas *canvas)
{
	const struct cell_style bar = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	text_clear(&detail->scratch);
	if (detail->span.kind != NULL)
		name_actor(&detail->scratch, session->trace, detail->span.actor,
			canvas->ascii);
	else
		text_add_string(&detail->scratch, name_range_lane(session->lane));
	if (detail->scratch.length > 0)
		canvas_text(canvas, SHEET_TEXT_COLUMN, 0, canvas->width - SHEET_TEXT_COLUMN, bar,
			&detail->scratch);
	text_clear(&detail->scratch);
}

static void
detail_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct detail *detail = state;
	if (!detail->has_page || detail->width != canvas->width ||
		detail->is_wall != session->is_wall || detail->ascii != canvas->ascii)
		make_page(detail, session, canvas->width, canvas->ascii);
	draw_title(detail, session, canvas);
	lines_draw(&detail->lines, canvas);
}

/* "1-20 of 53": how much there is beside what is seen. */
static void
detail_position(void *state, struct session *session, struct text *out, bool ascii)
{
	const struct detail *detail = state;
	const struct lines *lines = &detail->lines;
	size_t end = lines->top + lines->page;
	(void)session;
	(void)ascii;
	if (lines->count > 0)
		text_format(out, "%zu-%zu of %zu", lines->top + 1,
			end < lines->count ? end : lines->count, lines->count);
}

static bool
detail_place(const void *state, const struct session *session, struct view_place *place)
{
	(void)session;
	return lines_place(&((const struct detail *)state)->lines, place);
}

static void
detail_go_to_place(void *state, struct session *session, const struct view_place *place)
{
	(void)session;
	lines_go_to_place(&((struct detail *)state)->lines, place);
}

const struct view_ops detail_view = {
	.name = "detail",
	.context = IN_DETAIL,
	.open = detail_open,
	.close = detail_close,
	.command = detail_command,
	.renew = detail_renew,
	.draw = detail_draw,
	.place = detail_place,
	.go_to_place = detail_go_to_place,
	.position = detail_position,
};
