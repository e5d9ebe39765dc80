/* Asked of the index where that has it, else counted. */
#include "view/menu_sums.h"

#include "analysis/task_life.h"
#include "base/checked.h"
#include "base/job.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/runtime.h"

/* Whether the line is about an actor. */
static bool
is_meant(const struct analysis_work *work, bool is_of_subject, actor_ref ref)
{
	const struct analysis_scope *scope = &work->scope;
	if (!is_of_subject)
		return true;
	if (ref == REF_NONE || scope->actor != REF_NONE)
		return ref != REF_NONE && ref == scope->actor;
	return trace_actor(work->trace, ref)->name == scope->function;
}

static int64_t
count_actors(const struct analysis_work *work, bool is_of_subject)
{
	const struct analysis_scope *scope = &work->scope;
	int64_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(work->trace); i++) {
		const struct actor *actor = trace_actor(work->trace, i);
		count += is_meant(work, is_of_subject, i) && actor->first_ns < scope->t1_ns &&
			 actor->end_ns >= scope->t0_ns;
	}
	return count;
}

static int64_t
count_samples(const struct analysis_work *work, bool is_of_subject)
{
	const struct analysis_scope *scope = &work->scope;
	int64_t count = 0;
	for (uint32_t i = 0; i < work->trace->instants.count; i++) {
		const struct instant *instant = trace_instant(work->trace, i);
		count += instant->type == INSTANT_SAMPLE && instant->time_ns >= scope->t0_ns &&
			 instant->time_ns < scope->t1_ns &&
			 is_meant(work, is_of_subject, instant->actor);
	}
	return count;
}

static int64_t
count_tasks(const struct analysis_work *work)
{
	int64_t count = 0;
	for (task_ref i = 0; i < work->trace->tasks.count; i++) {
		const struct task *task = trace_task(work->trace, i);
		count += task->start_ns < work->scope.t1_ns && task->end_ns >= work->scope.t0_ns;
	}
	return count;
}

static int64_t
count_regions(const struct analysis_work *work)
{
	int64_t count = 0;
	for (range_ref i = 0; i < work->trace->ranges.count; i++) {
		const struct range *range = trace_range(work->trace, i);
		count += range->type == RANGE_REGION && range->start_ns < work->scope.t1_ns &&
			 range->end_ns >= work->scope.t0_ns;
	}
	return count;
}

/* The lane whose sums tell of all, or of the actor or function. Of all: see sum_times(). */
static bool
find_lane(const struct analysis_work *work, bool is_of_subject, struct lane *lane)
{
	const struct trace *plain = trace_ungrouped(work->trace);
	const struct analysis_scope *scope = &work->scope;
	*lane = (struct lane){ LANE_ALL, 0 };
	if (!is_of_subject)
		return true;
	if (scope->actor != REF_NONE)
		*lane = (struct lane){ LANE_ACTOR, scope->actor };
	for (group_ref i = 0; scope->function != STRING_EMPTY && i < plain->group_count; i++) {
		if (plain->groups[i].name == scope->function)
			*lane = (struct lane){ LANE_GROUP, i };
	}
	return lane->type != LANE_ALL;
}

static int64_t
sum_classes(const int64_t totals_ns[CLASS_COUNT], class_mask classes)
{
	int64_t sum_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		sum_ns = saturating_add_i64(sum_ns, (classes & CLASS_BIT(i)) != 0 ? totals_ns[i] : 0);
	return sum_ns;
}

static int64_t
sum_times(const struct analysis_work *work, struct lane lane, class_mask classes)
{
	int64_t totals_ns[CLASS_COUNT];
	const struct trace *plain = trace_ungrouped(work->trace);
	lane_totals(plain, lane, work->scope.t0_ns, work->scope.t1_ns, totals_ns);
	int64_t sum_ns = sum_classes(totals_ns, classes);
	for (group_ref i = 0; lane.type == LANE_ALL && !work->scope.with_runtime &&
			      i < plain->group_count; i++) {
		if (!trace_is_runtime_name(plain, plain->groups[i].name))
			continue;
		struct lane group = { LANE_GROUP, i };
		lane_totals(plain, group, work->scope.t0_ns, work->scope.t1_ns, totals_ns);
		sum_ns -= sum_classes(totals_ns, classes);
	}
	return sum_ns;
}

/* How long there was a collection, or the world stood still; while the subject was there. */
static int64_t
covered_ns(const struct analysis_work *work, enum lane_type type, bool is_of_subject)
{
	struct analysis_work clipped = { .trace = work->trace, .scope = work->scope };
	if (is_of_subject)
		analysis_clip_to_subject(&clipped);
	return sum_times(&clipped, (struct lane){ type, 0 }, CLASS_BIT(CLASS_RUNNING));
}

static bool
find_time(const struct menu_sums *sums, class_mask classes, bool is_of_subject, int64_t *number)
{
	const struct analysis_work *work = sums->work;
	struct lane lane;
	if (is_of_subject && work->scope.task != REF_NONE) {
		*number = sum_classes(sums->task_ns, classes);
		return true;
	}
	if (!find_lane(work, is_of_subject, &lane))
		return false;
	*number = sum_times(work, lane, classes);
	return true;
}

bool
menu_sums_find(const struct menu_sums *sums, enum menu_number type, class_mask classes,
	bool is_of_subject, int64_t *number)
{
	const struct analysis_work *work = sums->work;
	if (work == NULL)
		return false;
	switch (type) {
	case NUMBER_NONE:
		return false;
	case NUMBER_GC:
		*number = covered_ns(work, LANE_GC, is_of_subject);
		return true;
	case NUMBER_STW:
		*number = covered_ns(work, LANE_STW, is_of_subject);
		return true;
	case NUMBER_TIME:
		return find_time(sums, classes, is_of_subject, number);
	case NUMBER_ACTORS:
		*number = count_actors(work, is_of_subject);
		return true;
	case NUMBER_SAMPLES:
		*number = count_samples(work, is_of_subject);
		return !is_of_subject || work->scope.task == REF_NONE;
	case NUMBER_TASKS:
		*number = count_tasks(work);
		return true;
	case NUMBER_REGIONS:
		*number = count_regions(work);
		return true;
	}
	return false;
}

bool
menu_number_is_duration(enum menu_number type)
{
	return type == NUMBER_TIME || type == NUMBER_STW || type == NUMBER_GC;
}

bool
menu_sums_build(struct menu_sums *sums, const struct analysis_work *work, struct error *err)
{
	*sums = (struct menu_sums){ .work = work };
	if (work == NULL || work->scope.task == REF_NONE)
		return true;
	const atomic_bool *is_cancelled = &work->watch.is_cancelled;
	struct task_watch watch = { .states_left = UINT64_MAX, .is_stopped = is_cancelled };
	struct task_index index;
	struct task_life life;
	struct error ignored;
	error_clear(&ignored);
	if (!task_index_build(&index, work->trace, is_cancelled, &ignored))
		return job_goes_on(is_cancelled, err);
	if (task_life_build_watched(
		    &life, work->trace, &index, work->scope.task, &watch, &ignored)) {
		task_life_totals(&life, work->scope.t0_ns, work->scope.t1_ns, sums->task_ns);
		task_life_release(&life);
	}
	task_index_release(&index);
	return job_goes_on(is_cancelled, err);
}
