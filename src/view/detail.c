/*
 * The detail view: the selected span in full, with whole stacks and every event
 * within it. The page is made when it is first drawn and whenever the width or
 * the selection changes.
 */
#include "view/detail.h"

#include <inttypes.h>

#include "base/banned.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/span_story.h"
#include "draw/strip_glyph.h"
#include "view/lines.h"
#include "view/span_events.h"

enum {
	TEXT_COLUMN = 1,
	VALUE_COLUMN = 12,
	FRAME_COLUMN = 3,
	EVENT_FRAME_COLUMN = 16,
	WRAPPED_COLUMN = 18, /* of what did not fit on the line before */
	MOST_EVENTS = 5000,  /* listed; how many more there are is said */
};

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
static const struct cell_style heading = { .fg = STYLE_TEXT_BRIGHT, .attributes = CELL_BOLD };

struct detail {
	struct lines lines;
	struct text scratch;
	struct span span; /* what the page tells of */
	bool has_page;
	int width; /* for which it was made */
	bool ascii;
};

/* A page being written. */
struct page {
	struct lines *lines;
	const struct trace *trace;
	struct text *scratch;
	int column; /* where the next piece of the line goes */
	int width;
	bool ascii;
};

/* ---- writing */

static void
begin_line(struct page *page, int column)
{
	lines_begin(page->lines);
	page->column = column;
}

/* Adds the scratch text to the line, going on below where the screen ends, and empties it. */
static void
add_scratch(struct page *page, struct cell_style style)
{
	const char *rest = page->scratch->bytes;
	size_t length = page->scratch->failed ? 0 : page->scratch->length;
	while (length > 0) {
		size_t cells = 0,
		       room = page->column < page->width ? (size_t)(page->width - page->column) : 0;
		size_t fit = text_fit(rest, length, room, &cells);
		if (fit == 0 && page->column <= WRAPPED_COLUMN)
			break; /* no room for anything */
		if (fit > 0)
			lines_add(page->lines, page->column, style, rest, fit);
		page->column += (int)cells;
		rest += fit;
		length -= fit;
		if (length > 0)
			begin_line(page, WRAPPED_COLUMN);
	}
	text_clear(page->scratch);
}

static void
add_string(struct page *page, struct cell_style style, const char *string)
{
	text_add_string(page->scratch, string);
	add_scratch(page, style);
}

static void
add_heading(struct page *page, const char *words)
{
	begin_line(page, TEXT_COLUMN);
	begin_line(page, TEXT_COLUMN);
	add_string(page, heading, words);
}

/* A dim word at the left; the value follows in its column. */
static void
begin_value(struct page *page, const char *name)
{
	begin_line(page, TEXT_COLUMN);
	add_string(page, dim, name);
	if (page->column < VALUE_COLUMN)
		page->column = VALUE_COLUMN;
}

static void
add_duration(struct page *page, struct cell_style style, int64_t duration_ns)
{
	char text[UNITS_TEXT];
	units_duration(text, duration_ns, page->ascii);
	add_string(page, style, text);
}

/* To the nanosecond: the page is where exact times are looked for. */
static void
add_moment(struct page *page, struct cell_style style, int64_t t_ns)
{
	char text[UNITS_TEXT];
	units_moment(text, t_ns, 1, page->trace->end_ns, page->ascii);
	add_string(page, style, text);
}

static struct cell_style
class_style(const struct span *span)
{
	return (struct cell_style){ .fg = strip_style((uint8_t)span->time_class) };
}

/* ---- stacks */

static void
add_frame(struct page *page, const struct stack_frame *frame, int column)
{
	begin_line(page, column);
	name_string(page->scratch, page->trace, frame->function, page->ascii);
	add_scratch(page, plain);
	name_string(page->scratch, page->trace, frame->file, page->ascii);
	text_format(page->scratch, ":%" PRIu64, frame->line);
	int place_cells = (int)text_width(page->scratch->bytes, page->scratch->length);
	if (page->column + 2 + place_cells > page->width)
		begin_line(page, column + 2);
	else
		page->column += 2;
	add_scratch(page, dim);
}

static void
add_stack(struct page *page, stack_id stack, int column)
{
	while (stack != STACK_NONE) {
		add_frame(page, stack_leaf(&page->trace->stacks, stack), column);
		stack = stack_caller(&page->trace->stacks, stack);
	}
}

static void
add_titled_stack(struct page *page, const char *title, stack_id stack)
{
	if (stack == STACK_NONE)
		return;
	add_heading(page, title);
	add_stack(page, stack, FRAME_COLUMN);
}

/* ---- the span */

static void
add_waker(struct page *page, const struct span *ready)
{
	if (ready->kind == NULL || ready->kind->state != STATE_READY || ready->waker == REF_NONE)
		return;
	add_string(
		page, dim, ready->kind->entry == ENTRY_CREATED ? ", created by " : ", woken by ");
	name_waker(page->scratch, page->trace, ready, page->ascii);
	add_scratch(page, plain);
}

static void
add_state(struct page *page, const struct span *span)
{
	const struct trace *trace = page->trace;
	begin_value(page, "state");
	bool has_reason = span->kind != NULL && span->kind->state == STATE_BLOCKED &&
			  span->kind->reason != STRING_EMPTY;
	if (has_reason)
		text_add_string(page->scratch, "blocked: ");
	name_state(page->scratch, trace, span, page->ascii);
	add_scratch(page, class_style(span));
	if (span->proc != REF_NONE)
		text_format(page->scratch, " on P%" PRId64, trace_proc(trace, span->proc)->id);
	if (span->thread != REF_NONE)
		text_format(
			page->scratch, ", thread %" PRId64, trace_thread(trace, span->thread)->id);
	add_scratch(page, plain);
	add_waker(page, span);
}

static void
add_times(struct page *page, const struct span *span)
{
	begin_value(page, "from");
	add_moment(page, plain, span->start_ns);
	begin_value(page, "to");
	add_moment(page, plain, span->end_ns);
	if (span->is_open)
		add_string(page, dim, ", where the trace ends");
	begin_value(page, "for");
	add_duration(page, plain, span->end_ns - span->start_ns);
}

static void
add_neighbour(struct page *page, const char *name, bool is_there, const struct span *span)
{
	begin_value(page, name);
	if (!is_there) {
		add_string(page, dim, "nothing in the trace");
		return;
	}
	name_state(page->scratch, page->trace, span, page->ascii);
	add_scratch(page, class_style(span));
	add_string(page, dim, " for ");
	add_duration(page, plain, span->end_ns - span->start_ns);
	add_waker(page, span);
}

/* The regions around the span, innermost first, and their tasks. */
static void
add_regions(struct page *page, range_ref region)
{
	const struct trace *trace = page->trace;
	for (; region != REF_NONE; region = trace_range(trace, region)->parent) {
		const struct range *range = trace_range(trace, region);
		begin_value(page, "region");
		name_string(page->scratch, trace, range->name, page->ascii);
		add_scratch(page, plain);
		add_string(page, dim, " for ");
		add_duration(page, plain, range->end_ns - range->start_ns);
		if (range->task == REF_NONE)
			continue;
		const struct task *task = trace_task(trace, range->task);
		text_format(page->scratch, " of task %" PRId64 " ", task->id);
		add_scratch(page, dim);
		name_string(page->scratch, trace, task->name, page->ascii);
		add_scratch(page, plain);
	}
}

static void
add_goroutine(struct page *page, goroutine_ref ref)
{
	const struct goroutine *goroutine = trace_goroutine(page->trace, ref);
	if (goroutine->creator == REF_NONE)
		return;
	begin_value(page, "created by");
	name_goroutine(page->scratch, page->trace, goroutine->creator, page->ascii);
	add_scratch(page, plain);
	add_string(page, dim, " at ");
	add_moment(page, plain, goroutine->first_ns);
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
		[SPAN_EVENT_SAMPLE] = "CPU sample",
		[SPAN_EVENT_LABEL] = "label ",
	};
	if (event->type == SPAN_EVENT_RANGE_BEGIN)
		return begins[trace_range(trace, event->ref)->type];
	if (event->type == SPAN_EVENT_RANGE_END)
		return ends[trace_range(trace, event->ref)->type];
	return verbs[event->type];
}

static void
add_log(struct page *page, const struct instant *log)
{
	name_string(page->scratch, page->trace, log->category, page->ascii);
	if (log->category != STRING_EMPTY)
		text_add_string(page->scratch, ": ");
	name_string(page->scratch, page->trace, log->text, page->ascii);
}

static void
add_event_object(struct page *page, const struct span_event *event)
{
	const struct trace *trace = page->trace;
	switch (event->type) {
	case SPAN_EVENT_WOKE:
	case SPAN_EVENT_CREATED:
		name_goroutine(page->scratch, trace, event->ref, page->ascii);
		break;
	case SPAN_EVENT_LOG:
		add_log(page, trace_instant(trace, event->ref));
		break;
	case SPAN_EVENT_LABEL:
		name_string(
			page->scratch, trace, trace_instant(trace, event->ref)->text, page->ascii);
		break;
	case SPAN_EVENT_RANGE_BEGIN:
	case SPAN_EVENT_RANGE_END:
		name_string(
			page->scratch, trace, trace_range(trace, event->ref)->name, page->ascii);
		break;
	case SPAN_EVENT_SAMPLE:
	case SPAN_EVENT_TYPE_COUNT:
		break;
	}
	add_scratch(page, plain);
}

/* Times count from the start of the span: what the eye compares is how far apart they are. */
static void
add_event(struct page *page, const struct span *span, const struct span_event *event)
{
	begin_line(page, TEXT_COLUMN);
	add_string(page, dim, "+");
	add_duration(page, dim, event->time_ns - span->start_ns);
	if (page->column < VALUE_COLUMN)
		page->column = VALUE_COLUMN;
	add_string(page, dim, event_verb(page->trace, event));
	add_event_object(page, event);
	add_stack(page, event->stack, EVENT_FRAME_COLUMN);
}

static void
add_events(struct page *page, const struct span *span)
{
	struct span_events events;
	struct error err;
	char count[UNITS_TEXT];
	error_clear(&err);
	if (!span_events_find(&events, page->trace, span, &err)) {
		add_heading(page, err.message);
		return;
	}
	units_count(count, events.count);
	text_format(
		page->scratch, events.count == 1 ? "%s event within" : "%s events within", count);
	begin_line(page, TEXT_COLUMN);
	begin_line(page, TEXT_COLUMN);
	add_scratch(page, heading);
	for (size_t i = 0; i < events.count && i < MOST_EVENTS; i++)
		add_event(page, span, &events.items[i]);
	if (events.count > MOST_EVENTS) {
		units_count(count, events.count - MOST_EVENTS);
		text_format(page->scratch, "and %s more", count);
		begin_line(page, TEXT_COLUMN);
		add_scratch(page, dim);
	}
	span_events_release(&events);
}

/* ---- the page */

static void
write_page(struct page *page, const struct span *span)
{
	struct span_story story;
	span_story_tell(&story, page->trace, span);
	add_state(page, &story.span);
	add_times(page, &story.span);
	add_neighbour(page, "before", story.has_before, &story.before);
	add_neighbour(page, "then", story.has_after, &story.after);
	add_regions(page, story.region);
	add_goroutine(page, span->goroutine);
	add_titled_stack(page, story.start_title, story.start_stack);
	add_titled_stack(page, story.end_title, story.end_stack);
	add_events(page, &story.span);
}

static bool
selected_span(const struct session *session, struct span *span)
{
	return session->has_lane &&
	       lane_span_at(session->trace, session->lane, session->cursor_ns, span) &&
	       span->goroutine != REF_NONE && span->kind != NULL;
}

static void
make_page(struct detail *detail, const struct session *session, int width, bool ascii)
{
	struct page page = {
		.lines = &detail->lines,
		.trace = session->trace,
		.scratch = &detail->scratch,
		.width = width,
		.ascii = ascii,
	};
	lines_clear(&detail->lines);
	write_page(&page, &detail->span);
	detail->has_page = true;
	detail->width = width;
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
	*detail = (struct detail){ .lines.page = 1 };
	if (selected_span(session, &detail->span))
		return detail;
	error_set(err, ERROR_USAGE, "no state of a goroutine is under the cursor");
	detail_close(detail);
	return NULL;
}

static struct view_answer
detail_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct detail *detail = state;
	return lines_command(&detail->lines, session, command, count, argument);
}

static void
draw_title(struct detail *detail, const struct session *session, struct canvas *canvas)
{
	const struct cell_style bar = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	text_clear(&detail->scratch);
	name_goroutine(&detail->scratch, session->trace, detail->span.goroutine, canvas->ascii);
	if (detail->scratch.length > 0)
		canvas_text(canvas, TEXT_COLUMN, 0, canvas->width - TEXT_COLUMN, bar,
			detail->scratch.bytes, detail->scratch.length);
	text_clear(&detail->scratch);
}

static void
detail_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct detail *detail = state;
	if (!detail->has_page || detail->width != canvas->width || detail->ascii != canvas->ascii)
		make_page(detail, session, canvas->width, canvas->ascii);
	draw_title(detail, session, canvas);
	lines_draw(&detail->lines, canvas, 1, canvas->height - 1);
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

const struct view_ops detail_view = {
	.name = "detail",
	.context = IN_DETAIL,
	.open = detail_open,
	.close = detail_close,
	.command = detail_command,
	.draw = detail_draw,
	.position = detail_position,
};
