/* Shows and hides the stack lanes of an actor. */
#include "view/timeline_state.h"

bool
timeline_show_stacks(struct timeline *timeline, struct session *session, actor_ref actor,
	struct error *err)
{
	if (!rows_show_stacks(&timeline->rows, actor, err))
		return false;
	session->has_stacks = actor != REF_NONE;
	session->stacks = actor;
	return true;
}

/* Brings the rows on the screen, as many as there is room for beneath the actor's. */
static void
scroll_to_stacks(struct timeline *timeline)
{
	int lines = timeline->layout.row_lines - timeline->layout.pinned_lines;
	lines = lines > 0 ? lines : 1;
	size_t end = timeline->cursor_row + 1 + timeline->rows.stacks.depth;
	if (end <= timeline->first_row + (size_t)lines)
		return;
	size_t first = end - (size_t)lines;
	timeline->first_row = first < timeline->cursor_row ? first : timeline->cursor_row;
}

struct view_answer
timeline_toggle_stacks(const struct timeline_request *request, actor_ref wanted)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct lane lane = { LANE_ACTOR, wanted };
	struct error err;
	if (timeline_do_later(request, (struct lane){ LANE_ACTOR, wanted }))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	error_clear(&err);
	bool hides = session->has_stacks && session->stacks == wanted;
	actor_ref shown = hides ? REF_NONE : wanted;
	if (!timeline_show_stacks(timeline, session, shown, &err) ||
		!timeline_go_to_lane(timeline, session, lane, session->cursor_ns, &err))
		return timeline_say(request, true, err.message);
	if (shown != REF_NONE)
		scroll_to_stacks(timeline);
	if (shown != REF_NONE && timeline->rows.stacks.depth == 0)
		return timeline_say_words(request, "the trace tells no stack of this {actor}");
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}

struct view_answer
timeline_stacks(const struct timeline_request *request)
{
	actor_ref wanted = timeline_selected_actor(request->timeline, request->session);
	if (wanted == REF_NONE)
		return timeline_say_words(request, "no {actor} here whose stack could be shown");
	return timeline_toggle_stacks(request, wanted);
}

/* Of a row of the stack lanes, up to the row's depth. */
static stack_id
stack_on_row(const struct timeline *timeline, const struct session *session, uint32_t depth)
{
	const struct timeline_rows *rows = &timeline->rows;
	int64_t from_ns, until_ns;
	timeline_cell(timeline, session, &from_ns, &until_ns);
	struct stack_cell cell =
		stack_chart_cell(&rows->stacks, &rows->samples, from_ns, until_ns);
	return cell.frames > depth ? stack_chart_outer(rows->trace, cell.stack, depth + 1)
				   : STACK_NONE;
}

stack_id
timeline_stack(const void *state, const struct session *session, bool *is_frame)
{
	const struct timeline *timeline = state;
	const struct timeline_rows *rows = &timeline->rows;
	int64_t from_ns, until_ns;
	struct lane lane = { LANE_ALL, 0 };
	*is_frame = false;
	if (timeline->cursor_row >= rows->count)
		return STACK_NONE;
	const struct row *row = &rows->items[timeline->cursor_row];
	*is_frame = row->type == ROW_STACK;
	if (*is_frame)
		return stack_on_row(timeline, session, row->part);
	if (row->type != ROW_SAMPLES && !row_lane(rows, timeline->cursor_row, &lane))
		return STACK_NONE;
	timeline_cell(timeline, session, &from_ns, &until_ns);
	uint32_t sample =
		samples_within(&rows->samples, lane, from_ns, until_ns, session->cursor_ns);
	return sample != REF_NONE ? trace_instant(rows->trace, sample)->stack : STACK_NONE;
}
