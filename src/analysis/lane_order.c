/* Each actor gets a key, a group the keys of its actors together; the least comes first. */
#include "analysis/lane_order.h"

#include "analysis/analysis.h"
#include "base/checked.h"
#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/runtime.h"

#define CLASS_MASK_AWAKE                                                                           \
	((class_mask)(CLASS_BIT(CLASS_UNKNOWN) | CLASS_BIT(CLASS_RUNNING) |                        \
		      CLASS_BIT(CLASS_WORKER) | CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL)))
#define CLASS_MASK_WAITING ((class_mask)(CLASS_MASK_ALL & ~CLASS_MASK_AWAKE))

struct rank {
	uint32_t ref;
	bool is_last;
	int64_t key;
};

static int
compare_ranks(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;
	if (a->is_last != b->is_last)
		return a->is_last ? 1 : -1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->ref > b->ref) - (a->ref < b->ref);
}

/* ---- the key of one actor; the most comes first where it is negative */

static struct lane
lane_of(actor_ref actor)
{
	return (struct lane){ LANE_ACTOR, actor };
}

/* Groups by start function stand in the order of their names. */
static int64_t
key_of_name(const struct trace *trace, actor_ref actor)
{
	return trace_actor(trace, actor)->group;
}

static int64_t
key_of_first_run(const struct trace *trace, actor_ref actor)
{
	const class_mask runs = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER);
	struct span span;
	if (!lane_next(trace, lane_of(actor), INT64_MIN, runs, &span))
		return INT64_MAX;
	return span.start_ns;
}

static int64_t
total_of(const struct trace *trace, struct lane lane, class_mask mask)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns = 0;
	lane_totals(trace, lane, 0, trace->end_ns, totals_ns);
	for (int i = 0; i < CLASS_COUNT; i++) {
		if ((mask >> i & 1) != 0)
			sum_ns = saturating_add_i64(sum_ns, totals_ns[i]);
	}
	return sum_ns;
}

static int64_t
key_of_running(const struct trace *trace, actor_ref actor)
{
	return -total_of(trace, lane_of(actor),
		CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER));
}

static int64_t
key_of_ready(const struct trace *trace, actor_ref actor)
{
	return -total_of(trace, lane_of(actor), CLASS_BIT(CLASS_READY));
}

static int64_t
key_of_blocked(const struct trace *trace, actor_ref actor)
{
	return -total_of(trace, lane_of(actor), CLASS_MASK_WAITING);
}

static int64_t
key_of_syscall(const struct trace *trace, actor_ref actor)
{
	return -total_of(trace, lane_of(actor), CLASS_BIT(CLASS_SYSCALL));
}

static int64_t
key_of_wait(const struct trace *trace, actor_ref actor)
{
	struct span span;
	if (!lane_longest(trace, lane_of(actor), 0, trace->end_ns, CLASS_MASK_WAITING, &span))
		return 0;
	return -(span.end_ns - span.start_ns);
}

static int64_t
wakes_in_run(const struct trace *trace, struct run_ref ref)
{
	const struct segment *segment = trace_segment(trace, ref.segment);
	const struct run *run = &segment->runs[ref.run];
	int64_t count = 0;
	for (uint32_t i = run->first; i < run_end(run); i++)
		count += entry_is_wake(trace->kinds[segment->kind[i] & KIND_MASK].entry);
	return count;
}

static int64_t
key_of_wakes(const struct trace *trace, actor_ref actor)
{
	const struct run_list *list = &trace->directory.actors;
	int64_t count = 0;
	for (uint32_t i = list->first[actor]; i < list->first[actor + 1]; i++)
		count += wakes_in_run(trace, list->runs[i]);
	return -count;
}

/* ---- those of several together */

static int64_t
add(int64_t a, int64_t b)
{
	return saturating_add_i64(a, b);
}

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static const struct {
	const char *title;
	int64_t (*key_of)(const struct trace *trace, actor_ref actor);
	int64_t (*join)(int64_t a, int64_t b);
	unsigned needs; /* enum analysis_needs */
} sorts[LANE_SORT_COUNT] = {
	[LANES_AS_USUAL] = { "the busiest first", NULL, NULL, 0 },
	[LANES_BY_NAME] = { "by name", key_of_name, least, 0 },
	[LANES_BY_FIRST_RUN] = { "by their first run", key_of_first_run, least, 0 },
	[LANES_BY_RUNNING] = { "the longest running first", key_of_running, add, 0 },
	[LANES_BY_READY] = { "the longest ready first", key_of_ready, add, NEEDS_READY },
	[LANES_BY_BLOCKED] = { "the longest blocked first", key_of_blocked, add, NEEDS_BLOCKED },
	[LANES_BY_SYSCALL] = { "the longest in syscalls first", key_of_syscall, add, NEEDS_SYSCALLS },
	[LANES_BY_WAIT] = { "the longest wait first", key_of_wait, least, NEEDS_BLOCKED },
	[LANES_BY_WAKES] = { "the most often woken first", key_of_wakes, add, NEEDS_READY },
};

const char *const lane_sort_words[LANE_SORT_COUNT + 1] = {
	[LANES_AS_USUAL] = "usual",
	[LANES_BY_NAME] = "name",
	[LANES_BY_FIRST_RUN] = "first",
	[LANES_BY_RUNNING] = "running",
	[LANES_BY_READY] = "ready",
	[LANES_BY_BLOCKED] = "blocked",
	[LANES_BY_SYSCALL] = "syscall",
	[LANES_BY_WAIT] = "wait",
	[LANES_BY_WAKES] = "wakes",
};

unsigned
lane_sort_needs(enum lane_sort sort)
{
	return sorts[sort].needs;
}

const char *
lane_sort_title(enum lane_sort sort)
{
	return sorts[sort].title;
}

/* ---- the order */

/* What is being ordered. */
struct ordering {
	const struct trace *trace;
	struct lane_order *order;
	const atomic_bool *is_cancelled;
	struct rank *groups, *members; /* as the trace has them, until each group is sorted */
	struct error *err;
};

/* Of groups that are not by name nobody may know yet what they do together. */
static int64_t
key_of_busy(const struct trace *trace, group_ref ref)
{
	const class_mask busy =
		CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL);
	const struct group *group = &trace->groups[ref];
	int64_t key = 0;
	if (trace_grouped_by(trace) == GROUP_BY_NAME)
		return -total_of(trace, (struct lane){ LANE_GROUP, ref }, busy);
	for (uint32_t i = 0; i < group->count; i++)
		key = add(key, -total_of(trace, lane_of(trace->group_members[group->first + i]),
				       busy));
	return key;
}

/* Those of Go itself, or of whom is not known what they are grouped by. */
static bool
is_last(const struct trace *trace, group_ref group)
{
	if (trace_grouped_by(trace) == GROUP_BY_NAME)
		return trace->groups[group].name == STRING_EMPTY ||
		       trace_is_runtime_name(trace, trace->groups[group].name);
	return trace_group_is_unknown(trace, group);
}

static void
rank_group(struct ordering *ordering, group_ref ref)
{
	const struct trace *trace = ordering->trace;
	const struct group *group = &trace->groups[ref];
	struct rank *rank = &ordering->groups[ref];
	*rank = (struct rank){
		.ref = ref, .is_last = is_last(trace, ref)
	};
	if (ordering->members == NULL) {
		rank->key = key_of_busy(trace, ref);
		return;
	}
	/* Groups that are not by name stand by what they are about already. */
	if (ordering->order->sort == LANES_BY_NAME)
		return;
	const struct rank *members = &ordering->members[group->first];
	rank->key = members[0].key;
	for (uint32_t i = 1; i < group->count; i++)
		rank->key = sorts[ordering->order->sort].join(rank->key, members[i].key);
}

/* Members stand in the trace by their beginning, which is the order of their refs. */
static bool
rank_members(struct ordering *ordering)
{
	enum { ACTORS_PER_LOOK = 64 };
	const struct trace *trace = ordering->trace;
	for (uint32_t i = 0; i < trace_actor_count(trace); i++) {
		actor_ref ref = trace->group_members[i];
		if (i % ACTORS_PER_LOOK == 0 &&
			!job_goes_on(ordering->is_cancelled, ordering->err))
			return false;
		ordering->members[i] = (struct rank){
			.ref = ref, .key = sorts[ordering->order->sort].key_of(trace, ref)
		};
	}
	return true;
}

static bool
sort_ranks(const struct ordering *ordering, struct rank *ranks, size_t count)
{
	const struct sort sort = { ranks, count, sizeof *ranks, compare_ranks };
	return sort_items(&sort, ordering->is_cancelled, ordering->err);
}

static bool
sort_members(struct ordering *ordering)
{
	const struct trace *trace = ordering->trace;
	for (group_ref i = 0; i < trace->group_count; i++)
		if (!sort_ranks(ordering, &ordering->members[trace->groups[i].first],
			    trace->groups[i].count))
			return false;
	for (uint32_t i = 0; i < trace_actor_count(trace); i++)
		ordering->order->members[i] = ordering->members[i].ref;
	return true;
}

static bool
order_members(struct ordering *ordering)
{
	uint32_t count = trace_actor_count(ordering->trace);
	if (ordering->order->sort == LANES_AS_USUAL)
		return true;
	ordering->members = array_new(count, sizeof *ordering->members, ordering->err);
	ordering->order->members =
		array_new(count, sizeof *ordering->order->members, ordering->err);
	return ordering->members != NULL && ordering->order->members != NULL &&
	       rank_members(ordering);
}

static bool
order_groups(struct ordering *ordering)
{
	uint32_t count = ordering->trace->group_count;
	ordering->groups = array_new(count, sizeof *ordering->groups, ordering->err);
	ordering->order->groups = array_new(count, sizeof *ordering->order->groups, ordering->err);
	if (ordering->groups == NULL || ordering->order->groups == NULL)
		return false;
	for (group_ref i = 0; i < count; i++)
		rank_group(ordering, i);
	if (!sort_ranks(ordering, ordering->groups, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		ordering->order->groups[i] = ordering->groups[i].ref;
	ordering->order->group_count = count;
	return true;
}

bool
lane_order_build(struct lane_order *order, const struct trace *trace, enum lane_sort sort,
                 const atomic_bool *is_cancelled, struct error *err)
{
	struct ordering ordering = {
		.trace = trace, .order = order, .is_cancelled = is_cancelled, .err = err
	};
	*order = (struct lane_order){ .sort = sort };
	bool is_built = order_members(&ordering) && order_groups(&ordering) &&
			(ordering.members == NULL || sort_members(&ordering));
	if (!is_built)
		lane_order_release(order);
	memory_free(ordering.groups);
	memory_free(ordering.members);
	return is_built;
}

void
lane_order_release(struct lane_order *order)
{
	memory_free(order->groups);
	memory_free(order->members);
	*order = (struct lane_order){ .sort = LANES_AS_USUAL };
}
