/* What all analyses share. */
#include "analysis/analysis.h"

#include "analysis/beneath/beneath.h"
#include "analysis/go/allocs.h"
#include "analysis/profile.h"
#include "analysis/task_index.h"
#include "base/compiler.h"
#include "trace/lane.h"
#include "trace/task_times.h"
#include "trace/words.h"

/* The more general ones first. */
static const struct {
	unsigned need;
	class_mask classes; /* one of which has to have a name; 0: see analysis_has() */
	const char *what;   /* a pattern of text_add_words() */
} needs_words[] = {
	{ NEEDS_TIME, 0, "time" },
	{ NEEDS_PARTS, 0, "parts" },
	{ NEEDS_SAMPLES, 0, "samples without a time" },
	{ NEEDS_WAITS, CLASS_BIT(CLASS_READY) | CLASS_MASK_BLOCKED, "waits" },
	{ NEEDS_READY, CLASS_BIT(CLASS_READY), "waits for {an processor}" },
	{ NEEDS_BLOCKED, CLASS_MASK_BLOCKED, "blocked {actors}" },
	{ NEEDS_SYNC, PROFILE_SYNC_CLASSES, "waits of {actors} for each other" },
	{ NEEDS_NETWORK, CLASS_BIT(CLASS_NETWORK), "waits for the network" },
	{ NEEDS_SYSCALLS, CLASS_BIT(CLASS_SYSCALL), "system calls" },
	{ NEEDS_COLLECTOR, CLASS_BIT(CLASS_WORKER), "garbage collector" },
	{ NEEDS_KERNEL, 0, "tasks that the kernel schedules" },
	{ NEEDS_CALLS, 0, "system calls" },
	{ NEEDS_GAUGES, 0, "counters by name" },
	{ NEEDS_BENEATH, 0, "CPUs beneath {threads}; --report=beneath prints what two traces tell" },
	{ NEEDS_SAMPLES_BENEATH, 0, "samples beneath {threads}; --report=top:beneath prints those of a second trace" },
	{ NEEDS_SLICES, 0, "slices" },
	{ NEEDS_TASKS, 0, "tasks" },
	{ NEEDS_ALLOCATIONS, 0, "allocations" },
	{ NEEDS_TABLES, 0, "tables ready made" },
	{ NEEDS_HISTOGRAMS, 0, "histograms" },
};

bool
analysis_read(const struct analysis_kind *kind, const char *text, size_t from, void **parameter,
	struct error *why)
{
	bool takes_one = kind != NULL && kind->read != NULL;
	*parameter = takes_one ? kind->read(text, from, why) : NULL;
	return takes_one ? *parameter != NULL : text[from] == '\0';
}

void
analysis_forget(const struct analysis_kind *kind, void *parameter)
{
	if (parameter != NULL)
		kind->forget(parameter);
}

unsigned
analysis_has(const struct trace *trace)
{
	class_mask classes = words_classes(trace->words);
	unsigned has = (trace->words->task.one != NULL ? NEEDS_TASKS : 0u) |
		       (trace->words->is_scheduled ? NEEDS_KERNEL : 0u) |
		       (trace->words->has_calls ? NEEDS_CALLS : 0u) |
		       (trace->gauge_count > 0 ? NEEDS_GAUGES : 0u) |
		       (trace->slices != NULL ? NEEDS_SLICES : 0u) |
		       (trace->ready != NULL ? NEEDS_TABLES : 0u) |
		       (trace->histograms != NULL ? NEEDS_HISTOGRAMS : 0u) |
		       (trace->clock != TRACE_CLOCK_NONE ? NEEDS_TIME : 0u) |
		       (trace->document != NULL ? NEEDS_PARTS : 0u) |
		       (trace->samples != NULL ? NEEDS_SAMPLES | NEEDS_OR_SAMPLES : 0u) |
		       (allocs_are_known(trace) ? NEEDS_ALLOCATIONS : 0u);
	for (size_t i = 0; i < ARRAY_LENGTH(needs_words); i++)
		has |= (needs_words[i].classes & classes) != 0 ? needs_words[i].need : 0;
	return has;
}

unsigned
analysis_beneath_has(const struct beneath *beneath)
{
	if (beneath == NULL)
		return 0;
	return (beneath_has_states(beneath->below) ? NEEDS_BENEATH : 0u) |
	       (beneath_has_samples(beneath->below) ? NEEDS_SAMPLES_BENEATH : 0u);
}

unsigned
analysis_work_has(const struct analysis_work *work)
{
	return analysis_has(work->trace) | analysis_beneath_has(work->beneath);
}

/* What of that it lacks. */
static unsigned
lacks(unsigned needs, unsigned has)
{
	return (needs & has & NEEDS_OR_SAMPLES) != 0 ? 0 : needs & ~has & ~(unsigned)NEEDS_OR_SAMPLES;
}

bool
analysis_suffices(unsigned needs, unsigned has)
{
	return lacks(needs, has) == 0;
}

bool
analysis_applies(unsigned needs, const struct trace *trace)
{
	return analysis_suffices(needs, analysis_has(trace));
}

bool
analysis_require(unsigned needs, const struct trace *trace, const char *name, struct error *err)
{
	unsigned missing = lacks(needs, analysis_has(trace));
	struct text what = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(needs_words) && what.length == 0; i++)
		if ((missing & needs_words[i].need) != 0)
			text_add_words(&what, trace->words, needs_words[i].what);
	if (missing != 0)
		error_set(err, ERROR_USAGE, "%s: a trace of %s tells of no %s", name,
			trace->words->source, text_string(&what));
	text_release(&what);
	return missing == 0;
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
