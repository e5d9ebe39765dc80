/* Lists by key, counted first and filled then. */
#include "analysis/task_index.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/job.h"
#include "base/memory.h"
#include "trace/task_times.h"

/* Of an item the key in whose list it is, REF_NONE for none. */
typedef uint32_t key_function(const struct trace *trace, uint32_t item);

/* What is listed by what. */
struct listing {
	struct ref_index *index;
	uint32_t keys, items;
	key_function *key_of;
};

static void
release_list(struct ref_index *index)
{
	memory_free(index->first);
	memory_free(index->refs);
	*index = (struct ref_index){ 0 };
}

/* first[key + 1] counts the items of a key, then becomes where they end. */
static uint32_t
count_keys(struct ref_index *index, const struct trace *trace, uint32_t items, key_function *key_of)
{
	for (uint32_t i = 0; i < items; i++) {
		uint32_t key = key_of(trace, i);
		if (key < index->key_count)
			index->first[key + 1]++;
	}
	for (uint32_t key = 0; key < index->key_count; key++)
		index->first[key + 1] += index->first[key];
	return index->first[index->key_count];
}

static bool
build_list(const struct trace *trace, const struct listing *listing, struct error *err)
{
	uint32_t keys = listing->keys, items = listing->items;
	struct ref_index built = { .key_count = keys };
	built.first = array_new((size_t)keys + 1, sizeof *built.first, err);
	if (built.first == NULL)
		return false;
	uint32_t count = count_keys(&built, trace, items, listing->key_of);
	built.refs = array_new(count, sizeof *built.refs, err);
	if (built.refs == NULL) {
		release_list(&built);
		return false;
	}
	for (uint32_t i = 0; i < items; i++) {
		uint32_t key = listing->key_of(trace, i);
		if (key < keys)
			built.refs[built.first[key]++] = i;
	}
	for (uint32_t key = keys; key > 0; key--)
		built.first[key] = built.first[key - 1];
	built.first[0] = 0;
	*listing->index = built;
	return true;
}

static uint32_t
parent_of(const struct trace *trace, uint32_t task)
{
	task_ref parent = trace_task(trace, task)->parent;
	return parent == task ? REF_NONE : parent;
}

static uint32_t
task_of_region(const struct trace *trace, uint32_t range)
{
	const struct range *found = trace_range(trace, range);
	return found->type == RANGE_REGION ? found->task : REF_NONE;
}

static uint32_t
task_of_log(const struct trace *trace, uint32_t instant)
{
	const struct instant *found = trace_instant(trace, instant);
	return found->type == INSTANT_LOG ? found->task : REF_NONE;
}

static uint32_t
creator_of(const struct trace *trace, uint32_t actor)
{
	return trace_actor(trace, actor)->creator;
}

static uint32_t
assisting(const struct trace *trace, uint32_t range)
{
	const struct range *found = trace_range(trace, range);
	return found->type == RANGE_MARK_ASSIST ? found->scope : REF_NONE;
}

bool
task_index_build(struct task_index *index, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err)
{
	uint32_t tasks = trace->tasks.count, actors = trace_actor_count(trace);
	uint32_t ranges = trace->ranges.count, instants = trace->instants.count;
	const struct listing listings[] = {
		{ &index->children, tasks, tasks, parent_of },
		{ &index->regions, tasks, ranges, task_of_region },
		{ &index->logs, tasks, instants, task_of_log },
		{ &index->created, actors, actors, creator_of },
		{ &index->assists, actors, ranges, assisting },
	};
	bool is_fine = true;
	*index = (struct task_index){ 0 };
	for (size_t i = 0; is_fine && i < ARRAY_LENGTH(listings); i++)
		is_fine = job_goes_on(is_cancelled, err) && build_list(trace, &listings[i], err);
	if (!is_fine)
		task_index_release(index);
	return is_fine;
}

void
task_index_release(struct task_index *index)
{
	release_list(&index->children);
	release_list(&index->regions);
	release_list(&index->logs);
	release_list(&index->created);
	release_list(&index->assists);
}

/* ---- tasks by themselves */

actor_ref
task_actor(const struct task *task)
{
	return task->start_actor != REF_NONE ? task->start_actor : task->end_actor;
}

struct ranked {
	task_ref task;
	int64_t length_ns;
};

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->length_ns != b->length_ns)
		return a->length_ns > b->length_ns ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

task_ref *
task_index_roots(const struct trace *trace, size_t *count, struct error *err)
{
	uint32_t tasks = trace->tasks.count;
	struct ranked *ranked = array_new(tasks, sizeof *ranked, err);
	task_ref *roots = ranked == NULL ? NULL : array_new(tasks, sizeof *roots, err);
	size_t found = 0;
	for (task_ref task = 0; roots != NULL && task < tasks; task++) {
		if (parent_of(trace, task) < tasks)
			continue;
		ranked[found++] = (struct ranked){ task,
			task_end_ns(trace, task) - task_start_ns(trace, task) };
	}
	if (found > 0)
		qsort(ranked, found, sizeof *ranked, compare_ranked);
	for (size_t i = 0; i < found; i++)
		roots[i] = ranked[i].task;
	memory_free(ranked);
	*count = found;
	return roots;
}
