/* A key for each actor, and a group for each key. */
#include "trace/regroup.h"

#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "trace/lane.h"

const char *const group_by_words[GROUP_BY_COUNT + 1] = {
	[GROUP_BY_NAME] = "name",
	[GROUP_BY_CREATOR] = "creator",
	[GROUP_BY_LABEL] = "label",
	[GROUP_BY_TASK] = "task",
	[GROUP_BY_STATE] = "state",
};

/* What is being grouped, and how. */
struct work {
	const struct trace *of;
	enum group_by by;
	const atomic_bool *is_cancelled;
	uint32_t *keys;     /* by actor */
	struct task_time {
		bool has_any;
		int64_t sum_ns, until_ns; /* so long, and up to there */
	} *tasks; /* by task: what the actor spent in it; all zero between two */
	struct error *err;
};

/* ---- the key of an actor */

static uint32_t
key_of_creator(const struct work *work, actor_ref ref)
{
	return trace_actor(work->of, ref)->creator;
}

static uint32_t
key_of_label(const struct work *work, actor_ref ref)
{
	return trace_actor(work->of, ref)->label;
}

/* Adds what the region has of its task beyond those before it, which began no later. */
static void
add_region(const struct work *work, const struct range *region)
{
	struct task_time *task = &work->tasks[region->task];
	int64_t start_ns = region->start_ns, end_ns = trace_range_end_ns(work->of, region);
	if (task->has_any && start_ns < task->until_ns)
		start_ns = task->until_ns;
	if (end_ns > start_ns)
		task->sum_ns += end_ns - start_ns;
	if (!task->has_any || end_ns > task->until_ns)
		task->until_ns = end_ns;
	task->has_any = true;
}

static const struct range *
task_region(const struct trace *trace, range_ref ref)
{
	const struct range *range = trace_range(trace, ref);
	return range->type == RANGE_REGION && range->task < trace->tasks.count ? range : NULL;
}

/* Of equal ones the first. */
static uint32_t
key_of_task(const struct work *work, actor_ref ref)
{
	const struct trace *trace = work->of;
	const struct ref_index *index = &trace->actor_ranges;
	const struct range *region;
	task_ref most = REF_NONE;
	if (ref >= index->key_count)
		return REF_NONE;
	for (uint32_t i = index->first[ref]; i < index->first[ref + 1]; i++) {
		if ((region = task_region(trace, index->refs[i])) != NULL)
			add_region(work, region);
	}
	for (uint32_t i = index->first[ref]; i < index->first[ref + 1]; i++) {
		region = task_region(trace, index->refs[i]);
		if (region != NULL &&
		    (most == REF_NONE || work->tasks[region->task].sum_ns > work->tasks[most].sum_ns))
			most = region->task;
	}
	for (uint32_t i = index->first[ref]; i < index->first[ref + 1]; i++) {
		if ((region = task_region(trace, index->refs[i])) != NULL)
			work->tasks[region->task] = (struct task_time){ .has_any = false };
	}
	return most;
}

/* Of equal ones the first class. */
static uint32_t
key_of_state(const struct work *work, actor_ref ref)
{
	int64_t totals_ns[CLASS_COUNT];
	uint32_t most = CLASS_GONE;
	lane_totals(work->of, (struct lane){ LANE_ACTOR, ref }, 0, work->of->end_ns, totals_ns);
	for (uint32_t i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		if (totals_ns[i] > 0 && (most == CLASS_GONE || totals_ns[i] > totals_ns[most]))
			most = i;
	}
	return most;
}

static uint32_t (*const key_of[GROUP_BY_COUNT])(const struct work *work, actor_ref ref) = {
	[GROUP_BY_CREATOR] = key_of_creator,
	[GROUP_BY_LABEL] = key_of_label,
	[GROUP_BY_TASK] = key_of_task,
	[GROUP_BY_STATE] = key_of_state,
};

static uint32_t
unknown_key(enum group_by by)
{
	return by == GROUP_BY_LABEL ? (uint32_t)STRING_EMPTY
	       : by == GROUP_BY_STATE ? (uint32_t)CLASS_GONE
				      : REF_NONE;
}

static bool
find_keys(struct work *work)
{
	enum { ACTORS_PER_LOOK = 256 };
	uint32_t count = trace_actor_count(work->of);
	work->keys = array_new(count, sizeof *work->keys, work->err);
	work->tasks = array_new(work->of->tasks.count, sizeof *work->tasks, work->err);
	if (work->keys == NULL || work->tasks == NULL)
		return false;
	for (actor_ref i = 0; i < count; i++) {
		if (i % ACTORS_PER_LOOK == 0 && !job_goes_on(work->is_cancelled, work->err))
			return false;
		work->keys[i] = key_of[work->by](work, i);
	}
	return true;
}

/* ---- groups of those with the same key */

struct keyed {
	uint32_t key;
	bool is_unknown;
	actor_ref actor;
	const char *text; /* of a label; else NULL */
	size_t length;
};

static int
compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	if (a->is_unknown != b->is_unknown)
		return a->is_unknown ? 1 : -1;
	if (a->key != b->key) {
		int order = a->text != NULL && b->text != NULL
			? text_compare(a->text, a->length, b->text, b->length) : 0;
		return order != 0 ? order : a->key < b->key ? -1 : 1;
	}
	return (a->actor > b->actor) - (a->actor < b->actor);
}

static struct keyed *
sort_by_key(const struct work *work)
{
	uint32_t count = trace_actor_count(work->of);
	struct keyed *items = array_new(count, sizeof *items, work->err);
	for (actor_ref i = 0; items != NULL && i < count; i++) {
		items[i] = (struct keyed){ .key = work->keys[i],
			.is_unknown = work->keys[i] == unknown_key(work->by),
			.actor = i };
		if (work->by == GROUP_BY_LABEL)
			items[i].text = trace_text(work->of, items[i].key, &items[i].length);
	}
	const struct sort sort = { items, count, sizeof *items, compare_keyed };
	if (items == NULL || sort_items(&sort, work->is_cancelled, work->err))
		return items;
	memory_free(items);
	return NULL;
}

static uint32_t
count_keys(const struct keyed *items, uint32_t count)
{
	uint32_t keys = count > 0;
	for (uint32_t i = 1; i < count; i++)
		keys += items[i].key != items[i - 1].key;
	return keys;
}

/* What a group is called where that is a text of the trace. */
static string_id
group_name(const struct work *work, uint32_t key)
{
	if (key == unknown_key(work->by))
		return STRING_EMPTY;
	switch (work->by) {
	case GROUP_BY_CREATOR:
		return trace_actor(work->of, key)->name;
	case GROUP_BY_LABEL:
		return key;
	case GROUP_BY_TASK:
		return trace_task(work->of, key)->name;
	case GROUP_BY_NAME:
	case GROUP_BY_STATE:
	case GROUP_BY_COUNT:
		break;
	}
	return STRING_EMPTY;
}

static void
fill_groups(const struct work *work, struct trace *trace, const struct keyed *items)
{
	group_ref group = 0;
	uint32_t count = trace_actor_count(trace);
	for (uint32_t i = 0; i < count; i++) {
		group += i > 0 && items[i].key != items[i - 1].key;
		if (trace->groups[group].count++ == 0) {
			trace->groups[group].first = i;
			trace->groups[group].name = group_name(work, items[i].key);
			trace->regrouping->keys[group] = items[i].key;
		}
		trace->group_members[i] = items[i].actor;
		trace->regrouping->group_of[items[i].actor] = group;
	}
}

static bool
make_groups(const struct work *work, struct trace *trace)
{
	uint32_t count = trace_actor_count(trace);
	struct keyed *items = sort_by_key(work);
	if (items == NULL)
		return false;
	uint32_t groups = count_keys(items, count);
	trace->groups = array_new(groups, sizeof *trace->groups, work->err);
	trace->group_members = array_new(count, sizeof *trace->group_members, work->err);
	trace->regrouping->by = work->by;
	trace->regrouping->group_of =
		array_new(count, sizeof *trace->regrouping->group_of, work->err);
	trace->regrouping->keys = array_new(groups, sizeof *trace->regrouping->keys, work->err);
	bool has_room = trace->groups != NULL && trace->group_members != NULL &&
			trace->regrouping->group_of != NULL && trace->regrouping->keys != NULL;
	if (has_room) {
		trace->group_count = groups;
		fill_groups(work, trace, items);
	}
	memory_free(items);
	return has_room;
}

/* ---- the trace */

/* All of `of` but its groups and who holds it. */
static struct trace *
share(const struct trace *of, struct error *err)
{
	struct trace *trace = array_new(1, sizeof *trace, err);
	struct regrouping *regrouping = array_new(1, sizeof *regrouping, err);
	if (trace == NULL || regrouping == NULL) {
		memory_free(trace);
		memory_free(regrouping);
		return NULL;
	}
	trace_copy_members(trace, of);
	trace->regrouping = regrouping;
	atomic_init(&trace->holders, 1);
	trace->groups = NULL;
	trace->group_count = 0;
	trace->group_members = NULL;
	trace->of = trace_hold(of);
	return trace;
}

struct trace *
trace_regroup(const struct trace *of, enum group_by by, const atomic_bool *is_cancelled,
              struct error *err)
{
	struct work work = { .of = of, .by = by, .is_cancelled = is_cancelled, .err = err };
	struct trace *trace = find_keys(&work) ? share(of, err) : NULL;
	if (trace != NULL && !make_groups(&work, trace)) {
		trace_free(trace);
		trace = NULL;
	}
	memory_free(work.keys);
	memory_free(work.tasks);
	return trace;
}

uint32_t
trace_group_key(const struct trace *trace, group_ref group)
{
	return trace->regrouping == NULL ? trace->groups[group].name
					 : trace->regrouping->keys[group];
}

bool
trace_group_is_unknown(const struct trace *trace, group_ref group)
{
	if (trace->regrouping == NULL)
		return trace->groups[group].name == STRING_EMPTY;
	return trace->regrouping->keys[group] == unknown_key(trace->regrouping->by);
}
