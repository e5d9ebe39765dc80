/* Who works for a task, and when. */

#include "analysis/task_life.h"
#include "base/job.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/runtime.h"

struct finding {
	struct task_life *life;
	const struct trace *trace;
	const struct task_index *index;
	struct map helpers; /* actors that were found to live within some work */
	struct task_watch *watch;
	struct error *err;
};

bool
task_watch_goes_on(struct task_watch *watch, struct error *err)
{
	if (!job_goes_on(watch->is_stopped, err))
		return false;
	if (watch->states_left == 0)
		return error_set(err, ERROR_LIMIT, "the task has too many states");
	watch->states_left--;
	return true;
}

static bool
is_held(const struct task_work *work)
{
	return work->end_ns > work->start_ns;
}

/* An actor works no longer than it lives; REF_NONE for one does nothing. */
static bool
add_work(struct finding *finding, actor_ref actor, int64_t start_ns, int64_t end_ns)
{
	struct task_life *life = finding->life;
	if (actor >= trace_actor_count(finding->trace))
		return true;
	const struct actor *who = trace_actor(finding->trace, actor);
	struct task_work work = { actor, start_ns, end_ns };
	if (who->first_ns > work.start_ns)
		work.start_ns = who->first_ns;
	if (who->end_ns < work.end_ns)
		work.end_ns = who->end_ns;
	if (!is_held(&work))
		return true;
	if (!array_reserve(&life->works, &life->work_capacity, life->work_count + 1,
		    sizeof *life->works, finding->err))
		return false;
	life->works[life->work_count++] = work;
	return true;
}

/* ---- the family */

static bool
add_to_family(struct finding *finding, task_ref task)
{
	struct task_life *life = finding->life;
	if (!array_reserve(&life->family, &life->family_capacity, life->family_count + 1,
		    sizeof *life->family, finding->err))
		return false;
	life->family[life->family_count++] = task;
	return true;
}

/* A task has one parent, so in a circle of them only the first one comes again. */
static bool
find_family(struct finding *finding)
{
	struct task_life *life = finding->life;
	const struct ref_index *children = &finding->index->children;
	if (!add_to_family(finding, life->task))
		return false;
	for (size_t i = 0; i < life->family_count; i++) {
		task_ref parent = life->family[i];
		if (!task_watch_goes_on(finding->watch, finding->err))
			return false;
		for (uint32_t n = children->first[parent]; n < children->first[parent + 1]; n++)
			if (children->refs[n] != life->task &&
				!add_to_family(finding, children->refs[n]))
				return false;
	}
	return true;
}

/* ---- what is told: regions, and the two ends */

static bool
add_ends(struct finding *finding, const struct task *task)
{
	actor_ref who = task->start_actor;
	if (task->began_before)
		who = task->end_actor;
	else if (task->end_ns != TIME_OPEN && task->end_actor != who)
		return true;
	return add_work(finding, who, task->start_ns, task->end_ns);
}

static bool
add_told(struct finding *finding)
{
	const struct task_life *life = finding->life;
	const struct ref_index *regions = &finding->index->regions;
	for (size_t i = 0; i < life->family_count; i++) {
		task_ref task = life->family[i];
		if (!task_watch_goes_on(finding->watch, finding->err) ||
			!add_ends(finding, trace_task(finding->trace, task)))
			return false;
		for (uint32_t n = regions->first[task]; n < regions->first[task + 1]; n++) {
			const struct range *region = trace_range(finding->trace, regions->refs[n]);
			if (!task_watch_goes_on(finding->watch, finding->err) ||
				!add_work(finding, region->scope, region->start_ns, region->end_ns))
				return false;
		}
	}
	return true;
}

/* ---- putting together what touches */

static int
compare_works(const void *left, const void *right)
{
	const struct task_work *a = left, *b = right;
	if (a->actor != b->actor)
		return a->actor < b->actor ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static bool
merge(struct finding *finding)
{
	struct task_life *life = finding->life;
	const atomic_bool *is_stopped = finding->watch != NULL ? finding->watch->is_stopped : NULL;
	const struct sort sort = { life->works, life->work_count, sizeof *life->works, compare_works };
	size_t kept = 0;
	if (!sort_items(&sort, is_stopped, finding->err))
		return false;
	for (size_t i = 0; i < life->work_count; i++) {
		struct task_work *last = kept > 0 ? &life->works[kept - 1] : NULL;
		const struct task_work *work = &life->works[i];
		if (last == NULL || last->actor != work->actor ||
			last->end_ns < work->start_ns)
			life->works[kept++] = *work;
		else if (work->end_ns > last->end_ns)
			last->end_ns = work->end_ns;
	}
	life->work_count = kept;
	return true;
}

/* ---- helpers */

/* The first that an actor created at or after t. */
static uint32_t
first_created(const struct finding *finding, actor_ref creator, int64_t t_ns)
{
	const struct ref_index *created = &finding->index->created;
	uint32_t low = created->first[creator], high = created->first[creator + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (trace_actor(finding->trace, created->refs[middle])->first_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Those that live within one work, of which more may be found by this. */
static bool
add_helpers(struct finding *finding, struct task_work work)
{
	const struct ref_index *created = &finding->index->created;
	uint32_t end = created->first[work.actor + 1];
	for (uint32_t i = first_created(finding, work.actor, work.start_ns); i < end; i++) {
		actor_ref ref = created->refs[i];
		const struct actor *helper = trace_actor(finding->trace, ref);
		if (helper->first_ns >= work.end_ns)
			break;
		if (!task_watch_goes_on(finding->watch, finding->err))
			return false;
		if (helper->end_ns > work.end_ns ||
			trace_is_runtime_name(finding->trace, helper->name) ||
			map_find(&finding->helpers, ref) != MAP_NONE)
			continue;
		if (!map_put(&finding->helpers, ref, 0, finding->err) ||
			!add_work(finding, ref, helper->first_ns, helper->end_ns))
			return false;
	}
	return true;
}

/* ---- */

/* Leaves of the works what lies within the task. */
static void
cut(struct task_life *life)
{
	size_t kept = 0;
	life->actor_count = 0;
	for (size_t i = 0; i < life->work_count; i++) {
		struct task_work work = life->works[i];
		if (work.start_ns < life->start_ns)
			work.start_ns = life->start_ns;
		if (work.end_ns > life->end_ns)
			work.end_ns = life->end_ns;
		if (!is_held(&work))
			continue;
		if (kept == 0 || life->works[kept - 1].actor != work.actor)
			life->actor_count++;
		life->works[kept++] = work;
	}
	life->work_count = kept;
}

bool
task_work_find(struct task_life *life, const struct trace *trace, const struct task_index *index,
	struct task_watch *watch, struct error *err)
{
	struct finding finding = { .life = life,
		.trace = trace,
		.index = index,
		.watch = watch,
		.err = err };
	bool is_fine = find_family(&finding) && add_told(&finding);
	if (is_fine) {
		is_fine = merge(&finding);
		for (size_t i = 0; is_fine && i < life->work_count; i++)
			is_fine = add_helpers(&finding, life->works[i]);
		is_fine = is_fine && merge(&finding);
		if (is_fine)
			cut(life);
	}
	map_release(&finding.helpers);
	return is_fine;
}

bool
task_life_has_work(
	const struct task_life *life, actor_ref actor, int64_t t0_ns, int64_t t1_ns)
{
	size_t low = 0, high = life->work_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct task_work *work = &life->works[middle];
		if (work->actor < actor ||
			(work->actor == actor && work->end_ns <= t0_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low < life->work_count && life->works[low].actor == actor &&
	       life->works[low].start_ns < t1_ns;
}
