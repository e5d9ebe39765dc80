/*
 * The panel on an actor, a processor or a thread: the span under the cursor, what was
 * before and comes after it, and stacks; where the cell holds many spans, how they
 * divide its time.
 */
#include <inttypes.h>

#include "base/units.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/span_story.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "trace/words.h"

enum {
	MANY_SPANS = 3,     /* in a cell: from here on its division is told */
	LINES_FOR_BOTH = 6, /* with less, before and after share a line */
	LINES_FOR_WAKER = 3, /* with less, who woke it is left to the whole view */
	CELLS_FOR_AFTER = 26,
	HEADING_AND_STATE_CELLS = 34, /* "before  running for 2.79 ms", or a longer word */
};

/* ---- words */

/* "blocked: chan receive", "running on P2, thread 71". */
static void
add_state(struct panel *panel, struct lane lane, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	if (span->kind != NULL && span->kind->state == STATE_BLOCKED &&
		span->kind->reason != STRING_EMPTY)
		text_add_string(panel->scratch, "blocked: ");
	name_state(panel->scratch, trace, span, panel->canvas->ascii);
	name_whereabouts(panel->scratch, trace, lane, span, panel->canvas->ascii);
}

static void
write_state(struct panel *panel, struct lane lane, const struct span *span)
{
	add_state(panel, lane, span);
	panel_scratch_bold(panel, strip_style((uint8_t)span->time_class));
}

/* From when to when a span is, and what of it was assist, on whatever lane. */
static void
write_extent(struct panel *panel, const struct span *span)
{
	enum { ROOM_FOR_ASSIST = 16 }; /* ", assist 1.23 ms" */
	struct lane lane = { LANE_ACTOR, span->actor };
	int64_t assists_ns = 0;
	if (span->time_class == CLASS_RUNNING && span->actor != REF_NONE)
		assists_ns = pieces_time(&panel->scene->rows->assists, lane, span->start_ns,
			span->end_ns);
	panel->end_x -= assists_ns > 0 ? ROOM_FOR_ASSIST : 0;
	panel_interval(panel, span->start_ns, span->end_ns);
	panel->end_x += assists_ns > 0 ? ROOM_FOR_ASSIST : 0;
	panel_assist(panel, assists_ns);
}

/* "select for 2.79 ms"; without the time where it would not be whole. */
static void
write_neighbour(struct panel *panel, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	bool ascii = panel->canvas->ascii;
	char duration[UNITS_TEXT];
	units_duration(duration, span->end_ns - span->start_ns, ascii);
	name_state(panel->scratch, trace, span, ascii);
	text_format(panel->scratch, " for %s", duration);
	if (!panel_scratch_fits(panel, 0)) {
		text_clear(panel->scratch);
		name_state(panel->scratch, trace, span, ascii);
	}
	panel_scratch(panel, strip_style((uint8_t)span->time_class));
}

/*
 * Dim words and the name of who made it ready: in full where there is room, the name
 * of an actor else shortened; neither where that does not do.
 */
static void
write_waker_name(struct panel *panel, const char *words, const struct span *ready)
{
	const struct trace *trace = panel->scene->trace;
	bool ascii = panel->canvas->ascii;
	int words_cells = (int)strlen(words);
	int room = panel->end_x - panel->x - words_cells;
	bool is_actor = ready->waker.type == WAKER_ACTOR;
	name_waker(panel->scratch, trace, ready->waker, ascii);
	if (!panel_scratch_fits(panel, words_cells)) {
		text_clear(panel->scratch);
		if (is_actor && room > 0)
			name_actor_within(
				panel->scratch, trace, ready->waker.ref, (size_t)room, ascii);
	}
	if (panel->scratch->length == 0)
		return;
	panel_string(panel, STYLE_TEXT_DIM, words); /* which leaves the scratch text alone */
	panel_scratch(panel, STYLE_DEFAULT);
}

static void
write_waker(struct panel *panel, const struct span *ready)
{
	if (ready->waker.type == WAKER_UNKNOWN)
		return;
	bool is_created = ready->kind->entry == ENTRY_CREATED;
	write_waker_name(panel, is_created ? ", created by " : ", woken by ", ready);
}

/* Who made the span itself ready: a line of its own, since that is what one asks of it. */
static void
write_own_waker(struct panel *panel, const struct span *span)
{
	if (span->waker.type == WAKER_UNKNOWN || panel_lines_left(panel) < LINES_FOR_WAKER)
		return;
	panel_heading(panel, span->kind->entry == ENTRY_CREATED ? "made" : "woken");
	write_waker_name(panel, "by ", span);
	panel_next_line(panel);
}

static void
write_before(struct panel *panel, const struct span_story *story)
{
	panel_heading(panel, "before");
	if (!story->has_before) {
		panel_string(panel, STYLE_TEXT_DIM, "not in the trace");
		return;
	}
	write_neighbour(panel, &story->before);
	write_waker(panel, &story->before);
}

static void
write_after(struct panel *panel, const struct span_story *story)
{
	panel_heading(panel, "then");
	if (!story->has_after) {
		panel_words(panel, STYLE_TEXT_DIM,
			story->span.is_open ? "the trace ends" : "the {actor} ends");
		return;
	}
	write_neighbour(panel, &story->after);
	write_waker(panel, &story->after);
}

/* Task and regions that the span stands in. */
static void
write_region(struct panel *panel, const struct span_story *story)
{
	const struct trace *trace = panel->scene->trace;
	if (story->region == REF_NONE)
		return;
	panel_heading(panel, "in");
	const struct range *region = trace_range(trace, story->region);
	if (region->task != REF_NONE) {
		const struct task *task = trace_task(trace, region->task);
		text_format(panel->scratch, "%s %" PRId64 " ", panel->scene->trace->words->task.one,
			task->id);
		name_string(panel->scratch, trace, task->name, panel->canvas->ascii);
		text_add_string(panel->scratch, "   ");
		panel_scratch(panel, STYLE_DEFAULT);
	}
	text_add_string(panel->scratch, "region ");
	name_string(panel->scratch, trace, region->name, panel->canvas->ascii);
	panel_scratch(panel, STYLE_DEFAULT);
}

/* ---- the whole */

static void
write_neighbours(struct panel *panel, const struct span_story *story)
{
	bool has_lines = panel_lines_left(panel) >= LINES_FOR_BOTH;
	int end_x = panel->end_x;
	write_own_waker(panel, &story->span);
	if (!has_lines)
		panel->end_x -= CELLS_FOR_AFTER;
	write_before(panel, story);
	panel->end_x = end_x;
	if (has_lines)
		panel_next_line(panel);
	else
		panel_string(panel, STYLE_DEFAULT, "   ");
	write_after(panel, story);
	panel_next_line(panel);
}

/* "before  G7 main.worker running for 2.79 ms": what the processor or thread ran. */
static void
write_turn(struct panel *panel, const char *word, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	int room = panel->end_x - panel->x - HEADING_AND_STATE_CELLS;
	panel_heading(panel, word);
	name_actor_within(panel->scratch, trace, span->actor,
		room > 0 ? (size_t)room : 0, panel->canvas->ascii);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_string(panel, STYLE_DEFAULT, " ");
	write_neighbour(panel, span);
	panel_next_line(panel);
}

/* What a processor or thread ran before and after a span of its own. */
static void
write_turns(struct panel *panel, struct lane lane, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	struct span other;
	if (lane_before(trace, lane, span, &other))
		write_turn(panel, "before", &other);
	if (lane_after(trace, lane, span, &other))
		write_turn(panel, "then", &other);
}

static void
write_body(struct panel *panel, struct lane lane, const struct span *span)
{
	struct span_story told;
	const struct span_story *story = &told;
	span_story_tell(&told, panel->scene->trace, span);
	panel_write_beneath(panel, span);
	if (lane.type == LANE_ACTOR)
		write_neighbours(panel, story);
	else
		write_turns(panel, lane, span);
	if (story->region != REF_NONE && panel_lines_left(panel) > 2) {
		write_region(panel, story);
		panel_next_line(panel);
	}
	struct panel_stack left = { story->start_title, story->start_stack, NULL };
	struct panel_stack right = { story->end_title, story->end_stack, NULL };
	char sample_title[PANEL_SAMPLE_TITLE];
	panel_take_sample(panel, lane, &left, sample_title);
	panel_write_stacks(panel, left, right);
}

/* On a processor or thread the title says whose span it is. */
static void
write_span(struct panel *panel, struct lane lane, const struct span *span)
{
	if (lane.type != LANE_ACTOR) {
		panel_dash(panel);
		name_actor(
			panel->scratch, panel->scene->trace, span->actor, panel->canvas->ascii);
		panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
	}
	panel_dash(panel);
	write_state(panel, lane, span);
	panel_dash(panel);
	write_extent(panel, span);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
	write_body(panel, lane, span);
}

/* What the line has left when state and duration stand in it, with gaps before both. */
static int
room_for_name(struct panel *panel, struct lane lane, const struct span *span)
{
	char duration[UNITS_TEXT];
	units_duration(duration, span->end_ns - span->start_ns, panel->canvas->ascii);
	add_state(panel, lane, span);
	text_format(panel->scratch, "    %s", duration);
	int taken = panel_scratch_cells(panel);
	text_clear(panel->scratch);
	return panel->end_x - panel->x - taken;
}

/* "  at main.go:17", where no line is left for a stack and there is room. */
static void
write_place(struct panel *panel, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	const struct stack_frame *frame = own_code_frame(trace, span->stack, span->actor);
	if (frame == NULL)
		return;
	text_add_string(panel->scratch, "  at ");
	text_add_place(panel->scratch, trace, frame, panel->canvas->ascii);
	if (panel_scratch_cells(panel) <= panel->end_x - panel->x)
		panel_scratch(panel, STYLE_TEXT_BRIGHT);
	text_clear(panel->scratch);
}

/* "here  G39 main.worker  running, thread 2301  17.3 s to 17.4 s (80 ms)" */
static void
write_here(struct panel *panel, struct lane lane, const struct span *here)
{
	panel_heading(panel, "here");
	if (lane.type != LANE_ACTOR) {
		int room = room_for_name(panel, lane, here);
		name_actor_within(panel->scratch, panel->scene->trace, here->actor,
			room > 0 ? (size_t)room : 0, panel->canvas->ascii);
		if (panel->scratch->length == 0)
			name_actor_id(
				panel->scratch, panel->scene->trace, here->actor);
		panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
		panel_string(panel, STYLE_DEFAULT, "  ");
	}
	write_state(panel, lane, here);
	panel_string(panel, STYLE_DEFAULT, "  ");
	write_extent(panel, here);
	if (panel_lines_left(panel) == 1)
		write_place(panel, here);
	panel_next_line(panel);
}

static void
write_many(struct panel *panel, struct lane lane, uint32_t count)
{
	const struct trace *trace = panel->scene->trace;
	int64_t totals_ns[CLASS_COUNT];
	const struct panel_parts parts = panel_parts_of(panel, lane);
	struct span here;
	char text[UNITS_TEXT];
	units_count(text, count);
	panel_dash(panel);
	text_format(panel->scratch, "%s spans in this cell", text);
	panel_scratch(panel, STYLE_TEXT_BRIGHT);
	panel_dash(panel);
	panel_interval(panel, panel->from_ns, panel->until_ns);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);

	lane_totals(trace, lane, panel->from_ns, panel->until_ns, totals_ns);
	panel_heading(panel, "cell");
	panel_shares(panel, totals_ns, &parts);
	panel_next_line(panel);
	if (!lane_span_at(trace, lane, panel->scene->cursor_ns, &here))
		return;
	write_here(panel, lane, &here);
	write_body(panel, lane, &here);
}

/* No span: a processor without an actor, or an actor that is not there. */
static void
write_gap(struct panel *panel, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	struct span before, after;
	int64_t t_ns = panel->scene->cursor_ns;
	bool has_before = lane_previous(trace, lane, t_ns, CLASS_MASK_ALL, &before);
	bool has_after = lane_next(trace, lane, t_ns, CLASS_MASK_ALL, &after);
	panel_dash(panel);
	if (lane.type == LANE_ACTOR) {
		panel_string(panel, STYLE_TEXT_DIM, has_after ? "not yet created " : "has ended ");
		panel_next_line(panel);
		return;
	}
	panel_words(panel, STYLE_TEXT_DIM, "no {actor}");
	panel_dash(panel);
	panel_interval(
		panel, has_before ? before.end_ns : 0, has_after ? after.start_ns : trace->end_ns);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
	if (has_before)
		write_turn(panel, "before", &before);
	if (has_after)
		write_turn(panel, "then", &after);
	const struct panel_stack none = { "", STACK_NONE, NULL };
	struct panel_stack sampled = none;
	char title[PANEL_SAMPLE_TITLE];
	panel_take_sample(panel, lane, &sampled, title);
	panel_write_stacks(panel, sampled, none);
}

void
panel_write_lane(struct panel *panel, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	uint32_t count = lane_count(trace, lane, panel->from_ns, panel->until_ns);
	struct span span;
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_lane_name(panel, lane);
	if (count >= MANY_SPANS)
		write_many(panel, lane, count);
	else if (lane_span_at(trace, lane, panel->scene->cursor_ns, &span))
		write_span(panel, lane, &span);
	else
		write_gap(panel, lane);
}
