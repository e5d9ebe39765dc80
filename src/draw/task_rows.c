/* Keeps the lanes of tasks that were asked for lately, sorted by task. */
#include "draw/task_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/task_job.h"
#include "analysis/task_match.h"
#include "base/job.h"
#include "base/memory.h"
#include "trace/lane.h"

/* ---- one lane */

static void
lane_release(struct task_lane *lane)
{
	task_life_release(&lane->life);
	memory_free(lane->logs);
}

static int
compare_refs(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Logs stand in the trace in the order of time. */
static bool
gather_logs(struct task_lane *lane, const struct ref_index *logs, struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < lane->life.family_count; i++) {
		task_ref task = lane->life.family[i];
		count += logs->first[task + 1] - logs->first[task];
	}
	lane->logs = array_new_unset(count, sizeof *lane->logs, err);
	if (lane->logs == NULL)
		return false;
	for (size_t i = 0; i < lane->life.family_count; i++) {
		task_ref task = lane->life.family[i];
		for (uint32_t n = logs->first[task]; n < logs->first[task + 1]; n++)
			lane->logs[lane->log_count++] = logs->refs[n];
	}
	if (count > 0)
		qsort(lane->logs, count, sizeof *lane->logs, compare_refs);
	return true;
}

/* ---- all */

struct task_rows *
task_rows_new(const struct trace *trace, task_ref only, const atomic_bool *is_cancelled,
	struct error *err)
{
	struct task_rows *tasks = memory_realloc(NULL, sizeof *tasks);
	if (tasks == NULL) {
		error_set_memory(err, "the tasks");
		return NULL;
	}
	*tasks = (struct task_rows){ .trace = trace, .only = only };
	if (task_index_build(&tasks->index, trace, is_cancelled, err) &&
		job_goes_on(is_cancelled, err))
		tasks->roots = task_index_roots(trace, &tasks->root_count, err);
	if (tasks->roots != NULL)
		return tasks;
	task_rows_free(tasks);
	return NULL;
}

void
task_rows_free(struct task_rows *tasks)
{
	if (tasks == NULL)
		return;
	task_job_end(tasks->job);
	for (size_t i = 0; i < tasks->lane_count; i++)
		lane_release(&tasks->lanes[i]);
	memory_free(tasks->lanes);
	memory_free(tasks->roots);
	memory_free(tasks->matching);
	task_index_release(&tasks->index);
	memory_free(tasks);
}

/* The place of a task among the lanes, or where it would go. */
static size_t
place_of(const struct task_rows *tasks, task_ref task)
{
	size_t low = 0, high = tasks->lane_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (tasks->lanes[middle].life.task < task)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct task_lane *
task_rows_lane(const struct task_rows *tasks, task_ref task)
{
	size_t at = place_of(tasks, task);
	bool is_there = at < tasks->lane_count && tasks->lanes[at].life.task == task;
	return is_there ? &tasks->lanes[at] : NULL;
}

/* Forgets those that were not asked for lately. */
static void
forget(struct task_rows *tasks)
{
	size_t kept = 0;
	for (size_t i = 0; i < tasks->lane_count; i++) {
		if (tasks->asked - tasks->lanes[i].used < TASK_LANES_KEPT)
			tasks->lanes[kept++] = tasks->lanes[i];
		else
			lane_release(&tasks->lanes[i]);
	}
	tasks->lane_count = kept;
}

/* Takes the life over, on failure too. */
static bool
add_lane(struct task_rows *tasks, const struct task_life *life, struct error *err)
{
	struct task_lane lane = { .life = *life, .used = tasks->asked };
	if (tasks->lane_count >= (size_t)2 * TASK_LANES_KEPT)
		forget(tasks);
	if (!array_reserve(&tasks->lanes, &tasks->lane_capacity, tasks->lane_count + 1,
		    sizeof *tasks->lanes, err) ||
		!gather_logs(&lane, &tasks->index.logs, err)) {
		lane_release(&lane);
		return false;
	}
	size_t at = place_of(tasks, life->task);
	memmove(&tasks->lanes[at + 1], &tasks->lanes[at],
		(tasks->lane_count - at) * sizeof *tasks->lanes);
	tasks->lanes[at] = lane;
	tasks->lane_count++;
	return true;
}

/* ---- working out */

/* Takes what the job has; when it is done it goes. */
static bool
look_at_job(struct task_rows *tasks, struct error *err)
{
	struct task_life life;
	if (tasks->job == NULL)
		return true;
	bool is_done = task_job_is_done(tasks->job);
	while (task_job_take(tasks->job, &life)) {
		if (task_rows_lane(tasks, life.task) != NULL)
			task_life_release(&life);
		else if (!add_lane(tasks, &life, err))
			return false;
	}
	if (!is_done)
		return true;
	const struct error *failure = task_job_failure(tasks->job);
	if (failure != NULL)
		*err = *failure;
	bool is_fine = failure == NULL;
	task_job_end(tasks->job);
	tasks->job = NULL;
	return is_fine;
}

/* False with err set for want of memory; else *is_there says whether it is there by now. */
static bool
look_for(struct task_rows *tasks, task_ref task, uint64_t *states_left, bool *is_there,
	struct error *err)
{
	const uint64_t most = *states_left < TASK_STATES_EACH ? *states_left : TASK_STATES_EACH;
	struct task_watch watch = { .states_left = most };
	struct task_life life;
	struct error note;
	size_t at = place_of(tasks, task);
	error_clear(&note);
	tasks->asked++;
	*is_there = at < tasks->lane_count && tasks->lanes[at].life.task == task;
	if (*is_there) {
		tasks->lanes[at].used = tasks->asked;
		return true;
	}
	if (tasks->job != NULL && task_job_has(tasks->job, task))
		return true;
	*is_there =
		task_life_build_watched(&life, tasks->trace, &tasks->index, task, &watch, &note);
	*states_left -= most - watch.states_left;
	if (*is_there)
		return add_lane(tasks, &life, err);
	if (note.kind == ERROR_LIMIT)
		return true;
	*err = note;
	return false;
}

/* A job that works on others gives way when it has stopped. */
static bool
begin_job(struct task_rows *tasks, const struct task_wish *wish, struct error *err)
{
	for (size_t i = 0; tasks->job != NULL && i < wish->count; i++)
		if (!task_job_has(tasks->job, wish->tasks[i]))
			task_job_stop(tasks->job);
	if (tasks->job != NULL)
		return true;
	tasks->job = task_job_start(tasks->trace, &tasks->index, wish, err);
	return tasks->job != NULL;
}

bool
task_rows_ask(
	struct task_rows *tasks, const struct task_wish *wish, bool *is_waiting, struct error *err)
{
	uint64_t states_left = TASK_STATES_AT_ONCE;
	size_t count = 0;
	*is_waiting = false;
	if (!look_at_job(tasks, err))
		return false;
	task_ref *missing = array_new_unset(wish->count, sizeof *missing, err);
	bool is_fine = missing != NULL;
	for (size_t i = 0; is_fine && i < wish->count; i++) {
		bool is_there;
		is_fine = look_for(tasks, wish->tasks[i], &states_left, &is_there, err);
		if (is_fine && !is_there)
			missing[count++] = wish->tasks[i];
	}
	*is_waiting = count > 0;
	struct task_wish rest = { missing, count, wish->wake, wish->context };
	if (is_fine && count > 0)
		is_fine = begin_job(tasks, &rest, err);
	memory_free(missing);
	return is_fine;
}

/* ---- matches */

/* *looked_at goes up by the tasks that were looked at for it. */
static bool
find_match(
	const struct task_rows *tasks, task_ref task, struct search *search, size_t *looked_at)
{
	struct task_life life;
	struct error ignored;
	error_clear(&ignored);
	if (!task_life_find_works(&life, tasks->trace, &tasks->index, task, &ignored))
		return true;
	bool matches = task_life_matches(&life, search);
	*looked_at += life.family_count;
	task_life_release(&life);
	return matches;
}

static bool
match(struct task_rows *tasks, task_ref task, struct search *search, size_t *looked_at)
{
	struct error ignored;
	error_clear(&ignored);
	if (tasks->matching == NULL)
		tasks->matching = array_new(
			tasks->trace->tasks.count, sizeof *tasks->matching, &ignored);
	if (tasks->matching == NULL)
		return true;
	if (tasks->matching[task] == 0)
		tasks->matching[task] = find_match(tasks, task, search, looked_at) ? 1 : -1;
	return tasks->matching[task] > 0;
}

bool
task_rows_match(struct task_rows *tasks, task_ref task, struct search *search)
{
	size_t ignored = 0;
	return match(tasks, task, search, &ignored);
}

bool
task_rows_match_more(struct task_rows *tasks, size_t most, struct search *search)
{
	size_t looked_at = 0;
	while (tasks->root_asked < tasks->root_count && looked_at < most)
		(void)match(tasks, tasks->roots[tasks->root_asked++], search, &looked_at);
	return tasks->root_asked < tasks->root_count;
}

void
task_rows_forget_matches(struct task_rows *tasks)
{
	memory_free(tasks->matching);
	tasks->matching = NULL;
	tasks->root_asked = 0;
}

/* ---- nests */

static int
compare_starts(const void *left, const void *right)
{
	const struct task_work *a = left, *b = right;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

/* The first work of each actor, which moves to the front of the works. */
static size_t
first_works(struct task_life *life)
{
	size_t kept = 0;
	for (size_t i = 0; i < life->work_count; i++)
		if (i == 0 || life->works[i].actor != life->works[i - 1].actor)
			life->works[kept++] = life->works[i];
	if (kept > 0)
		qsort(life->works, kept, sizeof *life->works, compare_starts);
	return kept;
}

static bool
add_workers(struct nest *nest, struct task_life *life, struct error *err)
{
	size_t count = first_works(life);
	nest->actors = array_new_unset(count, sizeof *nest->actors, err);
	if (nest->actors == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		nest->actors[i] = life->works[i].actor;
	nest->actor_count = count;
	return true;
}

bool
task_rows_nest(struct nest *nest, const struct task_rows *tasks, task_ref task, struct error *err)
{
	const struct ref_index *regions = &tasks->index.regions, *logs = &tasks->index.logs;
	struct nest built = { .lane = { LANE_TASK, task } };
	struct task_life life;
	if (!task_life_find_works(&life, tasks->trace, &tasks->index, task, err))
		return false;
	built.log_count = logs->first[task + 1] - logs->first[task];
	built.logs = array_copy(
		logs->refs + logs->first[task], built.log_count, sizeof *built.logs, err);
	bool is_fine = built.logs != NULL && add_workers(&built, &life, err) &&
		       region_rows_build(&built.regions, &built.region_count, tasks->trace,
			       regions->refs + regions->first[task],
			       regions->first[task + 1] - regions->first[task], err);
	task_life_release(&life);
	if (!is_fine) {
		nest_release(&built);
		return false;
	}
	*nest = built;
	return true;
}
