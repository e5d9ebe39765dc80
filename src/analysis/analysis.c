/* What all analyses share. */
#include "analysis/analysis.h"

#include "analysis/task_index.h"
#include "trace/lane.h"
#include "trace/task_times.h"

static bool
tells_waits(const struct trace *trace)
{
	for (uint32_t i = 0; i <= trace->kind_count && i <= KIND_MAX; i++) {
		if (trace->kinds[i].state == STATE_READY || trace->kinds[i].state == STATE_BLOCKED)
			return true;
	}
	return false;
}

bool
analysis_applies(const struct analysis_kind *kind, const struct trace *trace)
{
	return ((kind->needs & NEEDS_WAITS) == 0 || tells_waits(trace)) &&
	       ((kind->needs & NEEDS_SLICES) == 0 || trace->slices != NULL) &&
	       ((kind->needs & NEEDS_TASKS) == 0 || trace->tasks.count > 0);
}

void
analysis_clip_to_subject(struct analysis_work *work)
{
	struct analysis_scope *scope = &work->scope;
	int64_t start_ns = scope->t0_ns, end_ns = scope->t1_ns;
	if (scope->task != REF_NONE) {
		start_ns = task_start_ns(work->trace, scope->task);
		end_ns = task_end_ns(work->trace, scope->task);
	} else if (scope->actor != REF_NONE) {
		lane_life(work->trace, (struct lane){ LANE_ACTOR, scope->actor }, &start_ns,
			&end_ns);
	}
	if (start_ns > scope->t0_ns)
		scope->t0_ns = start_ns;
	if (end_ns < scope->t1_ns)
		scope->t1_ns = end_ns;
	if (scope->t1_ns < scope->t0_ns)
		scope->t1_ns = scope->t0_ns;
}
