/* What all analyses share. */
#include "analysis/analysis.h"

#include "analysis/go/allocs.h"
#include "analysis/task_index.h"
#include "base/compiler.h"
#include "trace/lane.h"
#include "trace/task_times.h"
#include "trace/words.h"

static const struct {
	unsigned need;
	const char *what;
} needs_words[] = {
	{ NEEDS_WAITS, "waits" },
	{ NEEDS_COLLECTOR, "garbage collector" },
	{ NEEDS_SLICES, "slices" },
	{ NEEDS_TASKS, "tasks" },
	{ NEEDS_ALLOCATIONS, "allocations" },
};

unsigned
analysis_has(const struct trace *trace)
{
	const struct words *words = trace->words;
	return (words->classes[CLASS_READY].name != NULL ? NEEDS_WAITS : 0u) |
	       (words->classes[CLASS_WORKER].name != NULL ? NEEDS_COLLECTOR : 0u) |
	       (words->task.one != NULL ? NEEDS_TASKS : 0u) |
	       (trace->slices != NULL ? NEEDS_SLICES : 0u) |
	       (allocs_are_known(trace) ? NEEDS_ALLOCATIONS : 0u);
}

bool
analysis_applies(unsigned needs, const struct trace *trace)
{
	return (needs & ~analysis_has(trace)) == 0;
}

bool
analysis_require(unsigned needs, const struct trace *trace, const char *name, struct error *err)
{
	unsigned missing = needs & ~analysis_has(trace);
	for (size_t i = 0; i < ARRAY_LENGTH(needs_words); i++)
		if ((missing & needs_words[i].need) != 0)
			return error_set(err, ERROR_USAGE, "%s: a trace of %s tells of no %s", name,
				trace->words->source, needs_words[i].what);
	return true;
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
