/* Actors blocked all the time or more and more of them, and syscalls that lost their processor. */
#include <inttypes.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/processor_losses.h"
#include "trace/runtime.h"
#include "trace/words.h"

/* ---- blocked up to the end */

/* An actor that was; the ones alike become one finding. */
struct stuck {
	group_ref group;
	enum time_class time_class;
	struct trouble trouble;
};

/* Those that were at that moment what they have been since one in (after, until], up to the end. */
struct stuck_list {
	enum finding_kind kind;
	int64_t t_ns, after_ns, until_ns;
	struct stuck *items;
	size_t count, capacity;
	uint32_t alive; /* actors that lived from that moment to the end */
};

/*
 * Waiting for the network or for a time to come is what an actor may be there for. Of one that
 * waited before the trace began it does not tell for what, but from where.
 */
static const class_mask stuck_classes = CLASS_BIT(CLASS_CHANNEL) | CLASS_BIT(CLASS_SELECT) |
					CLASS_BIT(CLASS_SYNC) | CLASS_BIT(CLASS_FOREVER) |
					CLASS_BIT(CLASS_OTHER);
#define NOT_THERE_TO_WAIT "func!~\"^(internal/poll[.]|time[.]Sleep$|os/signal[.])\""

static bool
is_there_to_wait(const struct trace *trace, stack_id stack)
{
	for (stack_id at = stack; at != STACK_NONE; at = stack_caller(&trace->stacks, at)) {
		size_t length;
		const char *name =
			trace_text(trace, stack_leaf(&trace->stacks, at)->function, &length);
		if (text_has_prefix(name, length, "internal/poll.") ||
			text_has_prefix(name, length, "os/signal.") ||
			(length == strlen("time.Sleep") && text_has_prefix(name, length, "time.Sleep")))
			return true;
	}
	return false;
}

/* The state that an actor was stuck in. */
static bool
find_stuck(const struct finder *finder, const struct stuck_list *list, actor_ref actor,
	struct span *span)
{
	const struct trace *trace = finder->trace;
	struct lane lane = { LANE_ACTOR, actor };
	return lane_span_at(trace, lane, list->t_ns, span) && span->end_ns >= finder->t1_ns &&
	       span->start_ns > list->after_ns && span->start_ns <= list->until_ns &&
	       (stuck_classes >> span->time_class & 1) != 0 &&
	       !is_there_to_wait(trace, span->stack) &&
	       finder_asks_for(finder, span->segment, span->state);
}

static bool
gather_stuck(struct finder *finder, struct stuck_list *list)
{
	const struct trace *trace = finder->trace;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *actor = trace_actor(trace, i);
		struct span span;
		if (actor->first_ns > list->t_ns || actor->end_ns < finder->t1_ns ||
			trace_is_runtime(finder->trace, i))
			continue;
		list->alive++;
		if (!find_stuck(finder, list, i, &span))
			continue;
		if (!array_reserve(&list->items, &list->capacity, list->count + 1,
			    sizeof *list->items, finder->err))
			return false;
		struct stuck *stuck = &list->items[list->count++];
		*stuck = (struct stuck){
			actor->group, span.time_class,
			{ i, span.start_ns, span.end_ns, 0, span.stack }
		};
		stuck->trouble.lost_ns = finder_clip(finder, &stuck->trouble);
	}
	return true;
}

static int
compare_alike(const struct stuck *a, const struct stuck *b)
{
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->time_class > b->time_class) - (a->time_class < b->time_class);
}

static int
compare_stuck(const void *left, const void *right)
{
	const struct stuck *a = left, *b = right;
	int order = compare_alike(a, b);
	return order != 0 ? order
			  : (a->trouble.actor > b->trouble.actor) -
				    (a->trouble.actor < b->trouble.actor);
}

/* Ranked by their share of all that lived. */
static bool
sum_stuck(struct finder *finder, const struct stuck_list *list, size_t first, size_t end,
	struct finding *finding)
{
	struct trouble_sums sums;
	bool is_fine = trouble_sums_init(&sums, finder);
	for (size_t i = first; i < end && is_fine; i++)
		is_fine = trouble_sums_add(&sums, 0, &list->items[i].trouble);
	if (is_fine)
		*finding = trouble_sums_finding(&sums, 0, list->kind);
	trouble_sums_release(&sums);
	finding->lost_ns = (int64_t)((double)(finder->t1_ns - finder->t0_ns) *
				     (double)finding->count / list->alive);
	finding->name = finder->trace->groups[list->items[first].group].name;
	finding->time_class = list->items[first].time_class;
	return is_fine;
}

/* Those from first to end, which are alike. */
static bool
add_stuck(struct finder *finder, const struct stuck_list *list, size_t first, size_t end)
{
	struct text conditions = { 0 }, query = { 0 };
	struct finding sum = { 0 }, *finding = &sum;
	if (end - first < FINDING_FOREVER_ACTORS)
		return true;
	if (!sum_stuck(finder, list, first, end, finding))
		return false;
	if (!finder_matters(finder, finding->lost_ns))
		return true;
	for (size_t i = first; i < end; i++)
		bits_add(&finder->stuck, list->items[i].trouble.actor);
	text_format(&conditions, "class=%s ", class_name(finder->trace->words, finding->time_class));
	if (list->after_ns >= 0)
		text_format(&conditions, "start>%" PRId64 "ns ", list->after_ns);
	text_format(&conditions, "start<=%" PRId64 "ns end>=%" PRId64 "ns " NOT_THERE_TO_WAIT,
		list->until_ns, finder->t1_ns);
	query_add_group(&query, finder, finding, text_string(&conditions));
	query.failed = query.failed || conditions.failed;
	text_release(&conditions);
	return finder_add(finder, finding, &query);
}

/*
 * More and more of them: begun over half of the interval or more, and in all did nearly nothing but
 * wait where they are now. Those of a pool begin together, or wait in turn.
 */
static bool
is_pile(const struct finder *finder, const struct stuck_list *list, size_t first, size_t end)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
	double waited_ns = 0, lived_ns = 0;
	size_t new_count = 0;
	for (size_t i = first; i < end; i++) {
		const struct trouble *trouble = &list->items[i].trouble;
		int64_t begin_ns = trace_actor(finder->trace, trouble->actor)->first_ns;
		if (begin_ns <= finder->t0_ns)
			continue;
		new_count++;
		waited_ns += (double)(finder->t1_ns - trouble->start_ns);
		lived_ns += (double)(finder->t1_ns - begin_ns);
		first_ns = begin_ns < first_ns ? begin_ns : first_ns;
		last_ns = begin_ns > last_ns ? begin_ns : last_ns;
	}
	return new_count * 100 >= (end - first) * FINDING_LEAK_PERCENT &&
	       waited_ns * 100 >= lived_ns * FINDING_LEAK_PERCENT &&
	       last_ns - first_ns >= (finder->t1_ns - finder->t0_ns) / 2;
}

/* Gathers them and adds what those that are alike come to. */
static bool
find_stuck_actors(struct finder *finder, struct stuck_list *list)
{
	bool is_known = finder_is_known(finder, finder->t0_ns, finder->t1_ns);
	bool is_fine = !is_known || gather_stuck(finder, list);
	finder->findings->unknown_kinds |= is_known ? 0 : 1U << list->kind;
	const struct sort sort = { list->items, list->count, sizeof *list->items, compare_stuck };
	is_fine = is_fine &&
		  sort_items(&sort, search_watch_cancel_flag(finder->watch), finder->err);
	for (size_t first = 0, end; first < list->count && is_fine; first = end) {
		for (end = first + 1; end < list->count; end++)
			if (compare_alike(&list->items[first], &list->items[end]) != 0)
				break;
		if (list->kind == FINDING_FOREVER || is_pile(finder, list, first, end))
			is_fine = add_stuck(finder, list, first, end);
	}
	array_release(&list->items);
	return is_fine;
}

bool
find_forever(struct finder *finder)
{
	struct stuck_list list = { .kind = FINDING_FOREVER,
		.t_ns = finder->t0_ns,
		.after_ns = -1,
		.until_ns = finder->t0_ns };
	return find_stuck_actors(finder, &list);
}

bool
find_leaks(struct finder *finder)
{
	int64_t least_ns = (finder->t1_ns - finder->t0_ns) / FINDING_LEAK_PART;
	struct stuck_list list = { .kind = FINDING_LEAK,
		.t_ns = finder->t1_ns - 1,
		.after_ns = finder->t0_ns,
		.until_ns = finder->t1_ns - least_ns };
	return find_stuck_actors(finder, &list);
}

/* ---- syscalls that lost their processor */

struct syscalls {
	struct finder *finder;
	struct trouble_sums groups;
};

/* One that was there before the interval is no event of it: it may be what the actor is for. */
static bool
add_loss(void *context, const struct processor_loss *loss)
{
	struct syscalls *syscalls = context;
	const struct finder *finder = syscalls->finder;
	const struct segment *segment = trace_segment(finder->trace, loss->segment);
	struct trouble trouble = { segment_run_of(segment, loss->state)->actor,
		segment_start_ns(segment, loss->state), 0, 0, STACK_NONE };
	struct span span;
	if (!search_watch_check(finder->watch, 0, finder->err))
		return false;
	if (trouble.start_ns <= finder->t0_ns || trouble.start_ns >= finder->t1_ns ||
		trace_is_runtime(finder->trace, trouble.actor))
		return true;
	/* Of several states that begin at once the last is found, which is the one that lasts. */
	if (!lane_span_at(finder->trace, (struct lane){ LANE_ACTOR, trouble.actor },
		    trouble.start_ns, &span) ||
		span.segment != loss->segment || span.state != loss->state)
		return true;
	trouble.end_ns = span.end_ns;
	trouble.stack = span.stack;
	trouble.lost_ns = finder_clip(finder, &trouble);
	return !finder_is_known(finder, trouble.start_ns, trouble.end_ns) ||
	       !finder_asks_for(finder, loss->segment, loss->state) ||
	       trouble_sums_add(&syscalls->groups,
		       trace_actor(finder->trace, trouble.actor)->group, &trouble);
}

bool
find_syscalls(struct finder *finder)
{
	struct syscalls syscalls = { .finder = finder };
	struct text conditions = { 0 };
	if (!trouble_sums_init(&syscalls.groups, finder))
		return false;
	bool is_fine = processor_losses_each(finder->trace, add_loss, &syscalls);
	text_format(&conditions, "syscall=blocked start>%" PRId64 "ns", finder->t0_ns);
	is_fine = is_fine && (!conditions.failed || error_set_memory(finder->err, "the findings"));
	for (group_ref i = 0; i < syscalls.groups.count && is_fine; i++) {
		struct finding finding = trouble_sums_finding(&syscalls.groups, i, FINDING_SYSCALL);
		struct text query = { 0 };
		if (!finder_matters(finder, finding.lost_ns))
			continue;
		finding.name = finder->trace->groups[i].name;
		query_add_group(&query, finder, &finding, conditions.bytes);
		is_fine = finder_add(finder, &finding, &query);
	}
	text_release(&conditions);
	trouble_sums_release(&syscalls.groups);
	return is_fine;
}
