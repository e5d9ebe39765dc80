/* Goroutines blocked all the time, and syscalls that lost their proc. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "base/memory.h"
#include "trace/proc_losses.h"

/* ---- blocked from start to end */

/* A goroutine that was; the ones alike become one finding. */
struct stuck {
	group_ref group;
	enum time_class time_class;
	struct trouble trouble;
};

struct stuck_list {
	struct stuck *items;
	size_t count, capacity;
	uint32_t alive; /* goroutines that lived all the time */
};

/*
 * Waiting for the network or for a time to come is what a goroutine may be there for. Of one that
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

static bool
gather_stuck(struct finder *finder, struct stuck_list *list)
{
	const struct trace *trace = finder->trace;
	for (goroutine_ref i = 0; i < trace_goroutine_count(trace); i++) {
		const struct goroutine *goroutine = trace_goroutine(trace, i);
		struct span span;
		if (goroutine->first_ns > finder->t0_ns || goroutine->end_ns < finder->t1_ns ||
			finder_is_of_runtime(finder, i))
			continue;
		list->alive++;
		if (!lane_span_at(trace, (struct lane){ LANE_GOROUTINE, i }, finder->t0_ns, &span) ||
			span.end_ns < finder->t1_ns || !(stuck_classes >> span.time_class & 1) ||
			is_there_to_wait(trace, span.stack) ||
			!finder_asks_for(finder, span.segment, span.state))
			continue;
		if (!array_reserve(&list->items, &list->capacity, list->count + 1,
			    sizeof *list->items, finder->err))
			return false;
		list->items[list->count++] = (struct stuck){
			goroutine->group, span.time_class,
			{ i, span.start_ns, span.end_ns, span.stack }
		};
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
			  : (a->trouble.goroutine > b->trouble.goroutine) -
				    (a->trouble.goroutine < b->trouble.goroutine);
}

static bool
add_stuck(struct finder *finder, const struct stuck_list *list, size_t first, size_t end)
{
	struct trouble_sum sum = { 0 };
	struct text conditions = { 0 }, query = { 0 };
	for (size_t i = first; i < end; i++)
		trouble_sum_add(&sum, finder, &list->items[i].trouble, false);
	struct finding finding = finding_of(&sum, FINDING_FOREVER);
	finding.lost_ns =
		(int64_t)((double)(finder->t1_ns - finder->t0_ns) * (double)sum.count / list->alive);
	finding.name = finder->trace->groups[list->items[first].group].name;
	finding.time_class = list->items[first].time_class;
	if (sum.count < FINDING_FOREVER_GOROUTINES || !finder_matters(finder, finding.lost_ns))
		return true;
	text_format(&conditions, "class=%s start<=%" PRId64 "ns end>=%" PRId64 "ns " NOT_THERE_TO_WAIT,
		class_name(finding.time_class), finder->t0_ns, finder->t1_ns);
	query_add_group(&query, finder, &finding, conditions.failed ? "" : conditions.bytes);
	query.failed = query.failed || conditions.failed;
	text_release(&conditions);
	return finder_add(finder, &finding, &query);
}

bool
find_forever(struct finder *finder)
{
	struct stuck_list list = { 0 };
	bool is_fine = finder_is_known(finder, finder->t0_ns, finder->t1_ns)
			       ? gather_stuck(finder, &list)
			       : true;
	if (is_fine && list.count > 0)
		qsort(list.items, list.count, sizeof *list.items, compare_stuck);
	for (size_t first = 0, end; first < list.count && is_fine; first = end) {
		for (end = first + 1; end < list.count; end++)
			if (compare_alike(&list.items[first], &list.items[end]) != 0)
				break;
		is_fine = add_stuck(finder, &list, first, end);
	}
	array_release(&list.items);
	return is_fine;
}

/* ---- syscalls that lost their proc */

struct syscalls {
	struct finder *finder;
	struct group_sums groups;
};

/* One that was there before the interval is no event of it: it may be what the goroutine is for. */
static void
add_loss(void *context, const struct proc_loss *loss)
{
	struct syscalls *syscalls = context;
	const struct finder *finder = syscalls->finder;
	const struct segment *segment = trace_segment(finder->trace, loss->segment);
	struct trouble trouble = { segment_run_of(segment, loss->state)->goroutine,
		segment_start_ns(segment, loss->state), 0, STACK_NONE };
	struct span span;
	if (trouble.start_ns <= finder->t0_ns || trouble.start_ns >= finder->t1_ns ||
		finder_is_of_runtime(finder, trouble.goroutine))
		return;
	/* Of several states that begin at once the last is found, which is the one that lasts. */
	if (!lane_span_at(finder->trace, (struct lane){ LANE_GOROUTINE, trouble.goroutine },
		    trouble.start_ns, &span) ||
		span.segment != loss->segment || span.state != loss->state)
		return;
	trouble.end_ns = span.end_ns;
	if (finder_is_known(finder, trouble.start_ns, trouble.end_ns) &&
		finder_asks_for(finder, loss->segment, loss->state))
		group_sums_add(&syscalls->groups, finder, &trouble);
}

bool
find_syscalls(struct finder *finder)
{
	struct syscalls syscalls = { .finder = finder };
	struct text conditions = { 0 };
	bool is_fine = group_sums_init(&syscalls.groups, finder);
	if (!is_fine)
		return false;
	proc_losses_each(finder->trace, add_loss, &syscalls);
	text_format(&conditions, "syscall=blocked start>%" PRId64 "ns", finder->t0_ns);
	is_fine = !conditions.failed || error_set_memory(finder->err, "the findings");
	for (group_ref i = 0; i < finder->trace->group_count && is_fine; i++) {
		struct finding finding = finding_of(&syscalls.groups.sums[i], FINDING_SYSCALL);
		struct text query = { 0 };
		if (!finder_matters(finder, finding.lost_ns))
			continue;
		finding.name = finder->trace->groups[i].name;
		query_add_group(&query, finder, &finding, conditions.bytes);
		is_fine = finder_add(finder, &finding, &query);
	}
	text_release(&conditions);
	group_sums_release(&syscalls.groups);
	return is_fine;
}
