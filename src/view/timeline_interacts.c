/* Only those that interact with an actor: found at once where that is quick, else beside. */
#include <stdio.h>

#include "base/units.h"
#include "draw/names.h"
#include "trace/words.h"
#include "view/timeline_state.h"

/* So many states are looked at in far less than a frame. */
enum { STATES_AT_ONCE = 1000000 };

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

/* Its name stands between the two. */
static void
tell_name(struct session *session, actor_ref actor, const char *before, const char *behind)
{
	struct text name = { 0 };
	name_actor(&name, session->trace, actor, session->ascii);
	if (!name.failed)
		session_status(session, false, "%s%s%s", before, name.bytes, behind);
	text_release(&name);
}

static void
tell_found(struct session *session, const struct interacts *interacts)
{
	struct text before = { 0 };
	char count[UNITS_TEXT];
	uint32_t others = interacts->count - 1, steps = interacts->plan.steps;
	if (others == 0) {
		tell_name(session, interacts->plan.actor,
			interacts->plan.only_wakers ? "nobody woke " : "nobody interacts with ", "");
		return;
	}
	units_count(count, others);
	text_format_words(&before, session->trace->words,
		others == 1 ? "%s {actor} is %s %u %s from " : "%s {actors} are %s %u %s from ",
		count, steps == 1 ? "only" : "at most", steps, steps == 1 ? "step" : "steps");
	tell_name(session, interacts->plan.actor, text_string(&before),
		interacts->is_closed ? "; nobody else interacts with them" : "");
	text_release(&before);
}

/* ---- finding them */

void
timeline_stop_interacts(struct timeline *timeline)
{
	struct interacts dropped;
	struct error ignored;
	if (interacts_job_end(timeline->interacting, &dropped, &ignored))
		interacts_release(&dropped);
	timeline->interacting = NULL;
}

/* Whether the rows show them alone. */
static bool
is_shown(const struct timeline *timeline)
{
	return timeline->rows.interacts.away != NULL && !timeline->rows.shows_tasks &&
	       timeline->rows.focus.actor == REF_NONE;
}

/* What is selected stays so if it is among them. */
static bool
select_again(struct timeline *timeline, struct session *session, struct error *err)
{
	const struct interacts *interacts = &timeline->rows.interacts;
	struct lane lane = { LANE_ACTOR, interacts->plan.actor };
	if (session->has_lane && session->lane.type == LANE_ACTOR &&
		interacts_away(interacts, session->lane.ref) != INTERACTS_NEVER)
		lane = session->lane;
	return timeline_go_to_lane(timeline, session, lane, session->cursor_ns, err);
}

/* Shows what was found, or says why nothing was. */
static void
take(struct timeline *timeline, struct session *session, struct interacts *found, struct error *err)
{
	if (err->kind == ERROR_NONE && rows_interact(&timeline->rows, found, err)) {
		timeline->interacts_trace = trace_ungrouped(session->trace);
		if (!is_shown(timeline) || select_again(timeline, session, err)) {
			tell_found(session, &timeline->rows.interacts);
			return;
		}
	} else {
		interacts_release(found);
		session->interacts = timeline->rows.interacts.plan;
	}
	session_status(session, true, "%s", err->message);
}

static void
begin(struct timeline *timeline, struct session *session)
{
	struct interacts found = { 0 };
	struct error err;
	error_clear(&err);
	timeline_stop_interacts(timeline);
	if (interacts_cost(session->trace, session->interacts) <= STATES_AT_ONCE) {
		interacts_build(&found, session->trace, session->interacts, NULL, &err);
		take(timeline, session, &found, &err);
		return;
	}
	timeline->interacting = interacts_job_start(session->trace, session->interacts,
		session->wake, session->wake_context, &err);
	if (timeline->interacting == NULL)
		take(timeline, session, &found, &err);
	else
		tell_name(session, session->interacts.actor, "looking for who interacts with ",
			"; Escape stops that");
}

static bool
is_known(const struct timeline *timeline, const struct session *session)
{
	if (timeline->interacting != NULL)
		return interacts_is_same(
			interacts_job_plan(timeline->interacting), session->interacts);
	return timeline->rows.interacts.away != NULL &&
	       timeline->interacts_trace == trace_ungrouped(session->trace) &&
	       interacts_is_same(timeline->rows.interacts.plan, session->interacts);
}

void
timeline_follow_interacts(struct timeline *timeline, struct session *session)
{
	struct error err;
	if (session->interacts.steps > 0 && is_known(timeline, session))
		return;
	if (session->interacts.steps > 0) {
		begin(timeline, session);
		return;
	}
	timeline_stop_interacts(timeline);
	error_clear(&err);
	if (timeline->rows.interacts.away != NULL && !rows_interact(&timeline->rows, NULL, &err))
		session_status(session, true, "%s", err.message);
	if (timeline->cursor_row >= timeline->rows.count)
		timeline->cursor_row = timeline->rows.count > 0 ? timeline->rows.count - 1 : 0;
}

bool
timeline_look(void *state, struct session *session)
{
	struct timeline *timeline = state;
	struct interacts found = { 0 };
	struct error err;
	if (timeline->interacting == NULL)
		return false;
	if (!interacts_job_is_done(timeline->interacting))
		return true;
	error_clear(&err);
	interacts_job_end(timeline->interacting, &found, &err);
	timeline->interacting = NULL;
	take(timeline, session, &found, &err);
	return true;
}

/* ---- commands */

/* Whose company, and how far: further where it is shown already. False where that is said. */
static bool
plan_for(const struct timeline_request *request, struct interacts_plan *plan)
{
	const struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	actor_ref task_worker = timeline_task_actor(timeline, session);
	struct error err;
	error_clear(&err);
	bool goes_on = session->interacts.steps > 0 &&
		       (timeline->interacting != NULL || is_shown(timeline));
	struct interacts_plan before = session->interacts;
	plan->actor = task_worker != REF_NONE ? task_worker
						  : timeline_selected_actor(timeline, session);
	if (plan->actor == REF_NONE && goes_on)
		plan->actor = before.actor;
	goes_on = goes_on && plan->actor == before.actor;
	if (plan->actor == REF_NONE)
		timeline_say_words(request, "no {actor} is selected that others could interact with");
	else if (request->argument != NULL && !interacts_parse(plan, request->argument, &err))
		timeline_say(request, true, err.message);
	if (plan->actor == REF_NONE || err.kind != ERROR_NONE)
		return false;
	if (request->argument != NULL)
		return true;
	long steps = request->count + (goes_on ? (long)before.steps : 0);
	plan->steps = steps > INTERACTS_MOST_STEPS ? INTERACTS_MOST_STEPS : (uint32_t)steps;
	plan->only_wakers = goes_on && before.only_wakers;
	if (!goes_on || timeline->interacting != NULL || !timeline->rows.interacts.is_closed)
		return true;
	tell_found(session, &timeline->rows.interacts);
	return false;
}

struct view_answer
timeline_interacts(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct interacts_plan plan;
	struct error err;
	error_clear(&err);
	if (!plan_for(request, &plan))
		return redraw;
	if ((timeline->rows.focus.actor != REF_NONE &&
		    !timeline_focus_actor(timeline, session, REF_NONE, &err)) ||
		(session->tasks != TASKS_OFF &&
			!timeline_show_tasks(timeline, session, TASKS_OFF, session->task, &err)))
		return timeline_say(request, true, err.message);
	timeline->can_part = timeline->can_part || session->interacts.steps == 0;
	session->interacts = plan;
	session->lane = (struct lane){ LANE_ACTOR, plan.actor };
	session->has_lane = true;
	timeline_follow_interacts(timeline, session);
	return redraw_step;
}

struct view_answer
timeline_cancel_interacts(const struct timeline_request *request)
{
	timeline_stop_interacts(request->timeline);
	request->session->interacts = request->timeline->rows.interacts.plan;
	return timeline_say(request, false, "looking for who interacts was stopped");
}

/* What was opened by --interacts has nothing beneath it. */
struct view_answer
timeline_part(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	if (request->session->interacts.steps == 0 || !timeline->can_part)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	timeline->can_part = false;
	request->session->interacts.steps = 0;
	timeline_follow_interacts(timeline, request->session);
	return redraw_step;
}
