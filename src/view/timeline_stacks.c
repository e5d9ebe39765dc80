/* Shows and hides the stack lanes of a goroutine. */
#include "base/banned.h"
#include "view/timeline_state.h"

/* The goroutine of the selected row, or of the span under the cursor; REF_NONE for none. */
static goroutine_ref
selected_goroutine(const struct timeline_request *request)
{
	const struct timeline *timeline = request->timeline;
	struct lane lane;
	struct span span;
	if (timeline->cursor_row < timeline->rows.count &&
		row_lane(&timeline->rows, timeline->cursor_row, &lane) &&
		lane.type == LANE_GOROUTINE)
		return lane.ref;
	return timeline_span(timeline, request->session, &span) ? span.goroutine : REF_NONE;
}

static struct view_answer
say(const struct timeline_request *request, bool is_alert, const char *message)
{
	session_status(request->session, is_alert, "%s", message);
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

bool
timeline_show_stacks(struct timeline *timeline, struct session *session, goroutine_ref goroutine,
	struct error *err)
{
	if (!rows_show_stacks(&timeline->rows, goroutine, err))
		return false;
	session->has_stacks = goroutine != REF_NONE;
	session->stacks = goroutine;
	return true;
}

struct view_answer
timeline_stacks(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	goroutine_ref wanted = selected_goroutine(request);
	struct lane lane = { LANE_GOROUTINE, wanted };
	struct error err;
	error_clear(&err);
	if (wanted == REF_NONE)
		return say(request, false, "no goroutine here whose stack could be shown");
	bool hides = session->has_stacks && session->stacks == wanted;
	goroutine_ref shown = hides ? REF_NONE : wanted;
	if (!timeline_show_stacks(timeline, session, shown, &err) ||
		!timeline_go_to_lane(timeline, session, lane, session->cursor_ns, &err))
		return say(request, true, err.message);
	if (shown != REF_NONE && timeline->rows.stacks.depth == 0)
		return say(request, false, "the trace tells no stack of this goroutine");
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}
