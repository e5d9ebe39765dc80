/* Finds the wait around a moment; its critical path is the answer. */
#include "analysis/why.h"

#include "trace/lane.h"
#include "trace/words.h"

static bool
is_running(const struct span *span)
{
	return span->kind->state == STATE_RUNNING;
}

static bool
refuse(struct error *err, const struct trace *trace, actor_ref actor, const char *why)
{
	struct text who = { 0 };
	text_add_id(&who, &trace->words->actor, trace_actor(trace, actor)->id);
	error_set(err, ERROR_USAGE, "%s %s", text_string(&who), why);
	text_release(&who);
	return false;
}

bool
why_find(struct why *why, const struct trace *trace, const struct critical_scope *asked,
	struct error *err)
{
	struct lane lane = { LANE_ACTOR, asked->actor };
	struct span first, last, next;
	if (!lane_span_at(trace, lane, asked->t0_ns, &first))
		return refuse(err, trace, asked->actor, "is not alive there");
	if (is_running(&first))
		return refuse(err, trace, asked->actor, "is running there");
	last = first;
	while (lane_before(trace, lane, &first, &next) && !is_running(&next))
		first = next;
	while (lane_after(trace, lane, &last, &next) && !is_running(&next))
		last = next;
	struct why found = {
		.actor = asked->actor,
		.start_ns = first.start_ns,
		.end_ns = last.end_ns,
		.is_open = last.is_open,
	};
	struct critical_scope scope = *asked;
	scope.t0_ns = found.start_ns;
	scope.t1_ns = found.end_ns;
	if (!critical_build(&found.path, trace, &scope, err))
		return false;
	*why = found;
	return true;
}

void
why_release(struct why *why)
{
	critical_release(&why->path);
	*why = (struct why){ 0 };
}
