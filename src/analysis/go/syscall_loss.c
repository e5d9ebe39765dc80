/* The state goes on when the processor is gone; the lane of the processor tells when that was. */
#include "analysis/go/syscall_loss.h"

#include "trace/lane.h"

/* Whether two spans are of one state. */
static bool
is_same_state(const struct span *left, const struct span *right)
{
	return left->segment == right->segment && left->state == right->state;
}

/*
 * The span on its processor's lane. A processor that was taken away at once began something else in
 * the same nanosecond, and maybe more than that; no trace of use has so much of it.
 */
static bool
find_on_processor(const struct trace *trace, const struct span *span, struct span *found)
{
	enum { MOST_AT_ONCE = 64 };
	struct lane lane = { LANE_PROCESSOR, span->processor };
	struct span later;
	if (!lane_previous(trace, lane, span->start_ns + 1, CLASS_MASK_ALL, found))
		return false;
	for (int i = 0; i < MOST_AT_ONCE && !is_same_state(found, span); i++) {
		later = *found;
		if (!lane_before(trace, lane, &later, found) || found->start_ns < span->start_ns)
			return false;
	}
	return is_same_state(found, span);
}

bool
syscall_lost_processor(const struct trace *trace, const struct span *span, int64_t *lost_ns)
{
	struct span state, held;
	if (span->kind == NULL || span->kind->state != STATE_SYSCALL || span->processor == REF_NONE)
		return false;
	struct lane lane = { LANE_ACTOR, span->actor };
	if (!lane_span_at(trace, lane, span->start_ns, &state) || !is_same_state(&state, span) ||
		!find_on_processor(trace, span, &held) || held.end_ns >= state.end_ns)
		return false;
	*lost_ns = held.end_ns;
	return true;
}
