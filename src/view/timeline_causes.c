/* The timeline's way to the pages that tell causes and effects. */

#include "analysis/wakes.h"
#include "base/compiler.h"
#include "draw/names.h"
#include "draw/region_row.h"
#include "view/causes.h"
#include "view/analysis.h"
#include "view/timeline_state.h"

const struct flows *
timeline_flows(struct timeline *timeline, const struct session *session)
{
	struct error ignored;
	struct span span;
	error_clear(&ignored);
	if (!causes_span(session, &span))
		return NULL;
	bool is_known = timeline->flows_trace == session->trace &&
			timeline->flows_of.actor == span.actor &&
			timeline->flows_of.ordinal == span.ordinal;
	if (is_known)
		return &timeline->flows;
	/* Without memory there are none to see. */
	if (!flows_find(&timeline->flows, session->trace, &span, &ignored))
		timeline->flows.count = 0;
	timeline->flows_of = span;
	timeline->flows_trace = session->trace;
	return &timeline->flows;
}

/* The only one that the span woke. */
static struct view_answer
go_to_woken(const struct timeline_request *request, const struct wake *wake)
{
	struct error err;
	struct text name = { 0 };
	struct lane lane = { LANE_ACTOR, wake->actor };
	error_clear(&err);
	name_actor(&name, request->session->trace, wake->actor, request->session->ascii);
	if (!name.failed)
		session_status(request->session, false, "here %s was %s", name.bytes,
			wake->is_creation ? "created" : "woken");
	text_release(&name);
	if (!timeline_go_to_lane(request->timeline, request->session, lane, wake->time_ns, &err))
		return timeline_say(request, true, err.message);
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}

struct view_answer
timeline_woken(const struct timeline_request *request)
{
	const struct session *session = request->session;
	struct view_answer answer = { .reaction = VIEW_OPEN, .open_name = "woken" };
	struct wakes wakes;
	struct error err;
	struct span span;
	error_clear(&err);
	if (!causes_span(session, &span))
		return timeline_say_words(request,
			causes_without_actor(
				session, "no {actor} here that could have woken another one"));
	if (!wakes_find(&wakes, session->trace, span.actor, span.start_ns, span.end_ns, &err))
		return timeline_say(request, true, err.message);
	if (wakes.count == 0)
		answer = timeline_say(request, false, "it woke nobody during this span");
	if (wakes.count == 1)
		answer = go_to_woken(request, &wakes.items[0]);
	wakes_release(&wakes);
	return answer;
}

/* On a row of regions the page is of the one under the cursor. */
static void
ask_for_region(const struct timeline_request *request)
{
	const struct timeline_rows *rows = &request->timeline->rows;
	struct session *session = request->session;
	if (request->timeline->cursor_row >= rows->count)
		return;
	const struct row *row = &rows->items[request->timeline->cursor_row];
	if (row->type != ROW_REGIONS)
		return;
	session->asked_region = region_row_at(
		rows_regions(rows, request->timeline->cursor_row), session->trace,
		session->cursor_ns);
	session->asks_region = session->asked_region != REF_NONE;
}

/* On a task it is of the actor whose state is seen; false where there is none. */
static bool
ask_for_actor(const struct timeline_request *request)
{
	struct session *session = request->session;
	task_ref task;
	session->asked_actor = timeline_task_actor(request->timeline, session);
	session->asks_actor = session->asked_actor != REF_NONE;
	return session->asks_actor || !timeline_task(request->timeline, &task);
}

struct view_answer
timeline_ask(const struct timeline_request *request)
{
	static const struct {
		enum command command;
		const char *name;
	} pages[] = {
		{ COMMAND_WHY, "why" },
		{ COMMAND_CRITICAL_PATH, "critical-path" },
		{ COMMAND_EVERYONE, "everyone" },
		{ COMMAND_FINDINGS, "findings" },
	};
	if (request->command == COMMAND_CRITICAL_PATH)
		ask_for_region(request);
	if (request->command == COMMAND_WHY && !ask_for_actor(request))
		return timeline_say(request, false, "nobody works for the task at this time");
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		if (pages[i].command == request->command)
			return (struct view_answer){ .reaction = VIEW_OPEN,
				.open_name = pages[i].name };
	}
	return (struct view_answer){ .reaction = VIEW_NOTHING };
}

/* What is selected is analysed first, where it is an actor, a function's or a task. */
struct view_answer
timeline_analyse(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct analysis_scope scope = {
		.actor = REF_NONE, .task = REF_NONE, .function = STRING_EMPTY
	};
	if (request->argument != NULL)
		return (struct view_answer){ .reaction = VIEW_OPEN, .open_name = request->argument };
	if (session->has_lane && session->lane.type == LANE_ACTOR)
		scope.actor = session->lane.ref;
	else if (session->has_lane && session->lane.type == LANE_TASK)
		scope.task = session->lane.ref;
	else if (session->has_lane && session->lane.type == LANE_GROUP &&
		 session->trace->regrouping == NULL)
		scope.function = session->trace->groups[session->lane.ref].name;
	return analysis_open_list(session, &scope);
}
