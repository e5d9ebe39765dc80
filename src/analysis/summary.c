/* Sums by group from the index, the longest delays from the actors' lanes. */
#include "analysis/summary.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/life.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/runtime.h"

static const enum time_class blocked_classes[] = {
	CLASS_CHANNEL,
	CLASS_SELECT,
	CLASS_SYNC,
	CLASS_NETWORK,
	CLASS_SLEEP,
	CLASS_RUNTIME,
	CLASS_IDLE,
	CLASS_FOREVER,
	CLASS_OTHER,
};

int64_t
totals_blocked(const int64_t totals_ns[CLASS_COUNT])
{
	int64_t total_ns = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(blocked_classes); i++)
		total_ns = saturating_add_i64(total_ns, totals_ns[blocked_classes[i]]);
	return total_ns;
}

int64_t
totals_running(const int64_t totals_ns[CLASS_COUNT])
{
	return saturating_add_i64(totals_ns[CLASS_RUNNING], totals_ns[CLASS_WORKER]);
}

/* Takes the span as the longest delay if it is longer than the one there is. */
static void
take_delay(bool *has_delay, struct span *delay, const struct span *span)
{
	if (*has_delay && span->end_ns - span->start_ns <= delay->end_ns - delay->start_ns)
		return;
	*has_delay = true;
	*delay = *span;
}

/* ---- groups */

static void
sum_member(const struct summary *summary, const struct trace *trace, actor_ref actor,
	struct group_summary *group)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = actor };
	int64_t start_ns, end_ns;
	lane_life(trace, lane, &start_ns, &end_ns);
	if (trace_actor(trace, actor)->state_count == 0 || start_ns >= summary->t1_ns ||
		(end_ns <= summary->t0_ns && start_ns != end_ns))
		return;
	group->count++;
	struct span span;
	if (!lane_longest(
		    trace, lane, summary->t0_ns, summary->t1_ns, CLASS_BIT(CLASS_READY), &span))
		return;
	span_clip(&span, summary->t0_ns, summary->t1_ns);
	take_delay(&group->has_delay, &group->delay, &span);
}

/* Counts a group in, unless nobody of it lived within the interval. */
static void
add_group(struct summary *summary, const struct trace *trace, const struct group_summary *sum)
{
	if (sum->count == 0)
		return;
	summary->all.count += sum->count;
	if (sum->has_delay)
		take_delay(&summary->all.has_delay, &summary->all.delay, &sum->delay);
	if (sum->has_delay && !trace_is_runtime_name(trace, trace->groups[sum->group].name))
		take_delay(&summary->has_own_delay, &summary->own_delay, &sum->delay);
	summary->groups[summary->group_count++] = *sum;
}

static void
add_time(int64_t totals_ns[CLASS_COUNT], const int64_t more_ns[CLASS_COUNT])
{
	for (int i = 0; i < CLASS_COUNT; i++)
		totals_ns[i] = saturating_add_i64(totals_ns[i], more_ns[i]);
}

/* Of an actor what the search matches. */
static void
sum_matches(const struct summary *summary, const struct trace *trace, actor_ref actor,
	const struct search *only, struct group_summary *group)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = actor };
	struct span span;
	bool has_any = false;
	if (!search_has_any(only, lane))
		return;
	bool is_there = life_first(trace, actor, summary->t0_ns, summary->t1_ns, &span);
	for (; is_there && span.start_ns < summary->t1_ns;
		is_there = lane_after(trace, lane, &span, &span)) {
		struct span part = span;
		int64_t time_ns[CLASS_COUNT] = { 0 };
		if (!search_matches(only, span.segment, span.state))
			continue;
		span_clip(&part, summary->t0_ns, summary->t1_ns);
		time_ns[part.time_class] = part.end_ns - part.start_ns;
		add_time(group->totals_ns, time_ns);
		if (part.time_class == CLASS_READY)
			take_delay(&group->has_delay, &group->delay, &part);
		has_any = true;
	}
	group->count += has_any;
}

static void
sum_group(struct summary *summary, const struct trace *trace, group_ref ref,
	const struct search *only)
{
	const struct group *group = &trace->groups[ref];
	struct lane lane = { .type = LANE_GROUP, .ref = ref };
	struct group_summary sum = { .group = ref };
	for (uint32_t i = 0; i < group->count; i++) {
		actor_ref member = trace->group_members[group->first + i];
		if (only != NULL)
			sum_matches(summary, trace, member, only, &sum);
		else
			sum_member(summary, trace, member, &sum);
	}
	if (only != NULL)
		add_time(summary->all.totals_ns, sum.totals_ns);
	else if (sum.count > 0)
		lane_totals(trace, lane, summary->t0_ns, summary->t1_ns, sum.totals_ns);
	add_group(summary, trace, &sum);
}

/* Groups are numbered by name, so equal times stand in that order. */
static int
compare_groups(const void *a, const void *b)
{
	const struct group_summary *left = a, *right = b;
	int64_t left_ns = totals_running(left->totals_ns);
	int64_t right_ns = totals_running(right->totals_ns);
	if (left_ns != right_ns)
		return left_ns > right_ns ? -1 : 1;
	return (left->group > right->group) - (left->group < right->group);
}

static bool
sum_groups(struct summary *summary, const struct trace *trace, const struct search *only,
	struct error *err)
{
	size_t size = ((size_t)trace->group_count + 1) * sizeof(*summary->groups);
	summary->groups = memory_realloc(NULL, size);
	if (summary->groups == NULL)
		return error_set_memory(err, "the summary");
	for (group_ref i = 0; i < trace->group_count; i++)
		sum_group(summary, trace, i, only);
	qsort(summary->groups, summary->group_count, sizeof(*summary->groups), compare_groups);
	struct lane all = { .type = LANE_ALL };
	if (only == NULL)
		lane_totals(trace, all, summary->t0_ns, summary->t1_ns, summary->all.totals_ns);
	return true;
}

static uint32_t
count_alive(const struct trace *trace, int64_t t_ns)
{
	uint32_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *actor = trace_actor(trace, i);
		count += actor->state_count > 0 && actor->first_ns <= t_ns &&
			 actor->end_ns > t_ns;
	}
	return count;
}

/* ---- global ranges */

static void
sum_range(const struct summary *summary, const struct trace *trace, range_ref ref,
	struct range_summary *sum)
{
	const struct range *range = trace_range(trace, ref);
	int64_t start_ns = range->start_ns, end_ns = range->end_ns;
	if (end_ns > trace->end_ns)
		end_ns = trace->end_ns;
	if (start_ns >= summary->t1_ns || end_ns < summary->t0_ns)
		return;
	if (start_ns < summary->t0_ns)
		start_ns = summary->t0_ns;
	if (end_ns > summary->t1_ns)
		end_ns = summary->t1_ns;
	sum->count++;
	if (sum->longest != REF_NONE && end_ns - start_ns <= sum->longest_ns)
		return;
	sum->longest = ref;
	sum->longest_start_ns = start_ns;
	sum->longest_ns = end_ns - start_ns;
}

static void
sum_ranges(struct summary *summary, const struct trace *trace)
{
	summary->gc.longest = summary->stw.longest = REF_NONE;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		uint8_t type = trace_range(trace, i)->type;
		if (type == RANGE_GC_MARK)
			sum_range(summary, trace, i, &summary->gc);
		else if (type == RANGE_STW)
			sum_range(summary, trace, i, &summary->stw);
	}
	struct lane gc = { .type = LANE_GC }, stw = { .type = LANE_STW };
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, gc, summary->t0_ns, summary->t1_ns, totals_ns);
	summary->gc.covered_ns = totals_ns[CLASS_RUNNING];
	lane_totals(trace, stw, summary->t0_ns, summary->t1_ns, totals_ns);
	summary->stw.covered_ns = totals_ns[CLASS_RUNNING];
}

bool
summary_build(struct summary *summary, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	const struct search *only, struct error *err)
{
	struct summary built = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	if (!sum_groups(&built, trace, only, err))
		return false;
	sum_ranges(&built, trace);
	built.alive_at_end = count_alive(trace, t1_ns);
	*summary = built;
	return true;
}

static void
take_group(struct summary *summary, const struct trace *trace, group_ref ref,
	const struct tally_group *group)
{
	struct group_summary sum = {
		.group = ref,
		.count = group->count,
		.has_delay = group->has_delay,
		.delay = group->delay,
	};
	memcpy(sum.totals_ns, group->totals_ns, sizeof(sum.totals_ns));
	for (int i = 0; i < CLASS_COUNT; i++)
		summary->all.totals_ns[i] =
			saturating_add_i64(summary->all.totals_ns[i], sum.totals_ns[i]);
	add_group(summary, trace, &sum);
}

static struct range_summary
take_ranges(const struct tally_ranges *ranges)
{
	return (struct range_summary){
		.count = ranges->count,
		.covered_ns = ranges->covered_ns,
		.longest = ranges->longest,
		.longest_start_ns = ranges->longest_start_ns,
		.longest_ns = ranges->longest_ns,
	};
}

bool
summary_take(struct summary *summary, const struct trace *trace, const struct tally *tally,
	int64_t t0_ns, int64_t t1_ns, struct error *err)
{
	struct summary built = {
		.t0_ns = t0_ns,
		.t1_ns = t1_ns,
		.groups = array_new(trace->group_count, sizeof(*built.groups), err),
		.alive_at_end = tally->alive_at_end,
		.gc = take_ranges(&tally->gc),
		.stw = take_ranges(&tally->stw),
	};
	if (built.groups == NULL)
		return false;
	for (group_ref i = 0; i < trace->group_count; i++)
		take_group(&built, trace, i, &tally->groups[i]);
	qsort(built.groups, built.group_count, sizeof(*built.groups), compare_groups);
	*summary = built;
	return true;
}

void
summary_release(struct summary *summary)
{
	memory_free(summary->groups);
	*summary = (struct summary){ 0 };
}
