/* Lanes as the user wants them: what is asked for, what is being made, what holds. */
#include "query/search.h"
#include "view/view.h"

/* What comes behind an arrangement disturbs nobody. */
static bool
is_arranging(const struct session *session)
{
	return session->arranging != NULL && !session->arrangement_is_taken;
}

bool
session_is_making(const struct session *session)
{
	return session->searching != NULL || is_arranging(session);
}

const struct lane_order *
session_lane_order(const struct session *session)
{
	return session->arrangement.trace != NULL ? &session->arrangement.order : NULL;
}

bool
session_is_arranged(const struct session *session)
{
	return is_arranging(session) || !arrange_plan_is_usual(session->plan);
}

static bool
begin(struct session *session, const struct trace *trace, struct arrange_plan plan,
	struct error *err)
{
	struct arrange_job *job =
		arrange_job_start(trace, plan, session->wake, session->wake_context, err);
	if (job == NULL)
		return false;
	arrange_job_end(session->arranging);
	session->arranging = job;
	session->arrangement_is_taken = false;
	session->plan = plan;
	return true;
}

bool
session_arrange(struct session *session, struct arrange_plan plan, struct error *err)
{
	const struct trace *trace = session->arrived != NULL ? session->arrived
							  : trace_ungrouped(session->trace);
	return begin(session, trace, plan, err);
}

bool
session_arrange_arrived(struct session *session, const struct trace *trace, bool is_live,
	struct error *err)
{
	if (!begin(session, trace, session->plan, err))
		return false;
	session->arrived = trace;
	session->is_live = is_live;
	return true;
}

/* The same trace, but for its groups. */
static void
regroup(struct session *session, const struct trace *trace)
{
	const struct trace *before = session->trace;
	session->trace = trace;
	session->lane = session_follow_lane(session, session->lane, before);
	session->searched_from_lane =
		session_follow_lane(session, session->searched_from_lane, before);
	search_regroup(session->search, trace);
	search_regroup(session->filter, trace);
}

bool
session_take_arrangement(
	struct session *session, struct arrangement *before, struct error *err)
{
	struct arrangement made;
	const struct trace *arrived = session->arrived;
	if (!is_arranging(session) || session->searching != NULL ||
		!arrange_job_take(session->arranging, &made, err))
		return false;
	session->arrangement_is_taken = true;
	*before = session->arrangement;
	session->arrangement = made;
	session->plan = made.plan;
	session->arrived = NULL;
	/* Without an arrangement, what has arrived is shown as usual. */
	const struct trace *plain = arrived != NULL ? arrived : trace_ungrouped(session->trace);
	const struct trace *shown = made.trace != NULL ? made.trace : plain;
	if (arrived != NULL)
		session_renew(session, shown, session->is_live);
	else if (shown != session->trace)
		regroup(session, shown);
	return true;
}

bool
session_take_changes(struct session *session, struct error *err)
{
	if (session->arranging == NULL || !session->arrangement_is_taken ||
		!arrange_job_is_done(session->arranging))
		return false;
	/* Without the lists what a group does stays unknown, and *err tells why. */
	bool has_any = arrange_job_give_changes(session->arranging, &session->arrangement, err);
	arrange_job_end(session->arranging);
	session->arranging = NULL;
	return has_any;
}

void
session_drop_arrangement(struct session *session, struct arrangement *before)
{
	arrange_job_end(session->arranging);
	session->arranging = NULL;
	*before = session->arrangement;
	session->arrangement = (struct arrangement){ .trace = NULL };
}
