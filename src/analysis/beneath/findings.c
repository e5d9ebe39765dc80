/*
 * What is odd in how the kernel served the threads of the upper trace: they waited for a CPU, a quota stopped all of
 * them, one without a CPU kept a processor from those who were ready, or the world from stopping.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/beneath/throttle.h"
#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/watch.h"
#include "trace/lane.h"

struct gathering {
	struct finder *finder;
	const struct beneath *beneath;
	struct beneath_walk *walks;
	struct standstills stills;
	int64_t times_ns[BENEATH_STATES]; /* of what ran */
	struct trouble_sums waits, held;  /* each of key 0 alone */
	struct levels levels;             /* the waits, in the lower trace's time */
	struct trouble worst;             /* of those held: the one with most time of those who were ready */
	int64_t worst_ready_ns;
	resource_ref worst_processor;
};

static int64_t
ran_of(const int64_t totals_ns[CLASS_COUNT])
{
	return saturating_add_i64(totals_ns[CLASS_RUNNING], totals_ns[CLASS_WORKER]);
}

/* With a query that finds the span of the actor then, or where there is none who ran. */
static bool
add(struct finder *finder, struct finding *finding)
{
	struct text query = { 0 };
	struct span span;
	finding->is_query_whole = false;
	if (finding->actor != REF_NONE &&
		lane_span_at(finder->trace, (struct lane){ LANE_ACTOR, finding->actor }, finding->start_ns, &span))
		query_add_span(&query, finder->trace, finding->actor, span.start_ns);
	else
		text_format(&query, "state=running start<=%" PRId64 "ns end>%" PRId64 "ns", finding->start_ns,
			finding->start_ns);
	if (finder_add(finder, finding, &query))
		return true;
	memory_free(finding->beneath.name);
	return false;
}

/* ---- what the kernel did while actors ran */

/* How long actors were ready meanwhile, added up over them. */
static int64_t
ready_within(const struct finder *finder, int64_t from_ns, int64_t until_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(finder->trace, (struct lane){ LANE_ALL, 0 }, from_ns, until_ns, totals_ns);
	return totals_ns[CLASS_READY];
}

/* The thread of a span had no CPU for that long. What a quota did is told as that. */
static bool
add_without(struct gathering *gathering, const struct span *span, int64_t from_ns, int64_t until_ns)
{
	const struct trouble held = { span->actor, from_ns, until_ns, until_ns - from_ns, STACK_NONE };
	if (held.lost_ns < FINDING_DELAY_NS || span->processor == REF_NONE ||
		throttle_within(&gathering->stills, from_ns, until_ns) > held.lost_ns / 2)
		return true;
	int64_t ready_ns = ready_within(gathering->finder, from_ns, until_ns);
	if (ready_ns < held.lost_ns)
		return true;
	if (ready_ns > gathering->worst_ready_ns) {
		gathering->worst = held;
		gathering->worst_ready_ns = ready_ns;
		gathering->worst_processor = span->processor;
	}
	return trouble_sums_add(&gathering->held, 0, &held);
}

static bool
add_wait(struct gathering *gathering, const struct span *span, int64_t from_ns, int64_t until_ns)
{
	const struct trouble wait = { span->actor, from_ns, until_ns, until_ns - from_ns, STACK_NONE };
	const int64_t delta_ns = gathering->beneath->delta_ns;
	return wait.lost_ns <= 0 ||
	       (trouble_sums_add(&gathering->waits, 0, &wait) &&
		       levels_add_ready(&gathering->levels, saturating_sub_i64(from_ns, delta_ns),
			       saturating_sub_i64(until_ns, delta_ns), gathering->finder->err));
}

static bool
add_span(struct gathering *gathering, const struct span *span)
{
	struct beneath_walk *walk =
		beneath_walk_of(gathering->walks, gathering->beneath, span->thread, span->start_ns, span->end_ns);
	struct beneath_piece piece;
	int64_t ready_ns = span->start_ns, had_ns = span->start_ns; /* since when it waits; since when it has none */
	bool is_fine = true;
	while (is_fine && beneath_next(walk, &piece)) {
		int64_t *time_ns = &gathering->times_ns[piece.state];
		*time_ns = saturating_add_i64(*time_ns, piece.until_ns - piece.from_ns);
		if (piece.state != BENEATH_READY) {
			is_fine = add_wait(gathering, span, ready_ns, piece.from_ns);
			ready_ns = piece.until_ns;
		}
		if (is_fine && piece.state != BENEATH_READY && piece.state != BENEATH_ASLEEP) {
			is_fine = add_without(gathering, span, had_ns, piece.from_ns);
			had_ns = piece.until_ns;
		}
	}
	return is_fine && add_wait(gathering, span, ready_ns, span->end_ns) &&
	       add_without(gathering, span, had_ns, span->end_ns);
}

static bool
gather(struct gathering *gathering)
{
	struct finder *finder = gathering->finder;
	gathering->walks =
		array_new((size_t)trace_thread_count(finder->trace) + 1, sizeof *gathering->walks, finder->err);
	bool is_fine = gathering->walks != NULL;
	for (actor_ref i = 0; is_fine && i < trace_actor_count(finder->trace); i++) {
		struct beneath_spans spans;
		struct span span;
		beneath_spans_begin(&spans, gathering->beneath, i, finder->t0_ns, finder->t1_ns);
		is_fine = search_watch_check_item(finder->watch, i, finder->err);
		while (is_fine && beneath_spans_next(&spans, &span))
			if (span.kind->state == STATE_RUNNING && finder_is_known(finder, span.start_ns, span.end_ns) &&
				finder_asks_for(finder, span.segment, span.state))
				is_fine = add_span(gathering, &span);
	}
	return is_fine;
}

/* ---- threads that wait for a CPU */

static bool
copy_name(const struct trace *trace, string_id name, char **copy, struct error *err)
{
	size_t length;
	const char *text = trace_text(trace, name, &length);
	*copy = array_new(length + 1, 1, err);
	if (*copy != NULL)
		memcpy(*copy, text, length);
	return *copy != NULL;
}

static bool
add_starved(struct gathering *gathering)
{
	struct finder *finder = gathering->finder;
	struct finding finding = trouble_sums_finding(&gathering->waits, 0, FINDING_STARVED);
	struct holder *holder = &finding.beneath.holder;
	int64_t throttled_ns = 0;
	finding.whole_ns = beneath_total(gathering->times_ns);
	finding.beneath.on_ns = gathering->times_ns[BENEATH_ON];
	finding.beneath.asleep_ns = gathering->times_ns[BENEATH_ASLEEP];
	if (finding.total_ns < finding.whole_ns / 100 * FINDING_STARVED_PERCENT ||
		!finder_matters(finder, finding.total_ns))
		return true;
	for (size_t i = 0; i < gathering->stills.count; i++) {
		const struct still *still = &gathering->stills.items[i];
		int64_t totals_ns[CLASS_COUNT];
		lane_totals(finder->trace, (struct lane){ LANE_ALL, 0 }, still->start_ns, still->end_ns, totals_ns);
		throttled_ns = saturating_add_i64(throttled_ns, ran_of(totals_ns));
	}
	if (!holder_find(holder, gathering->beneath, &gathering->levels, finder->watch, finder->err))
		return false;
	if (throttled_ns > finding.total_ns / 2)
		holder->kind = HOLDER_QUOTA;
	if (holder->kind == HOLDER_TASK &&
		!copy_name(gathering->beneath->below, holder->name, &finding.beneath.name, finder->err))
		return false;
	return add(finder, &finding);
}

/* ---- a quota */

/* Somebody who ran in the middle of it, by the upper trace. */
static void
set_longest_still(const struct finder *finder, const struct still *still, struct finding *finding)
{
	int64_t middle_ns = still->start_ns + (still->end_ns - still->start_ns) / 2;
	struct span span;
	finding->start_ns = still->start_ns;
	finding->end_ns = still->end_ns;
	finding->longest_ns = still->end_ns - still->start_ns;
	for (resource_ref i = 0; i < trace_processor_count(finder->trace); i++)
		if (finding->actor == REF_NONE &&
			lane_span_at(finder->trace, (struct lane){ LANE_PROCESSOR, i }, middle_ns, &span)) {
			finding->actor = span.actor;
			finding->lane = (struct lane){ LANE_ACTOR, span.actor };
		}
}

static bool
add_quota(const struct gathering *gathering)
{
	struct finder *finder = gathering->finder;
	const struct still *longest = NULL;
	struct finding finding = { .kind = FINDING_QUOTA, .idle_processor = REF_NONE, .actor = REF_NONE,
		.lane = { LANE_ALL, 0 }, .period_ns = gathering->stills.period_ns, .least_ns = INT64_MAX };
	for (size_t i = 0; i < gathering->stills.count; i++) {
		const struct still *still = &gathering->stills.items[i];
		int64_t length_ns = still->end_ns - still->start_ns, totals_ns[CLASS_COUNT];
		if (still->end_ns <= finder->t0_ns || still->start_ns >= finder->t1_ns)
			continue;
		lane_totals(finder->trace, finding.lane, still->start_ns, still->end_ns, totals_ns);
		finding.lost_ns = saturating_add_i64(finding.lost_ns, ran_of(totals_ns));
		finding.count++;
		finding.total_ns += length_ns;
		if (length_ns < finding.least_ns)
			finding.least_ns = length_ns;
		if (longest == NULL || length_ns > longest->end_ns - longest->start_ns)
			longest = still;
	}
	if (longest == NULL || !finder_matters(finder, finding.lost_ns))
		return true;
	/* It stops all, not only what a query finds. */
	if (finder->scope->only != NULL) {
		finder->findings->unknown_kinds |= 1U << FINDING_QUOTA;
		return true;
	}
	set_longest_still(finder, longest, &finding);
	return add(finder, &finding);
}

/* ---- processors that are held in vain */

static bool
add_held(const struct gathering *gathering)
{
	const struct trouble *worst = &gathering->worst;
	struct finding finding = trouble_sums_finding(&gathering->held, 0, FINDING_HELD);
	if (finding.count == 0 || !finder_matters(gathering->finder, finding.lost_ns))
		return true;
	finding.lane = (struct lane){ LANE_ACTOR, worst->actor };
	finding.actor = worst->actor;
	finding.start_ns = worst->start_ns;
	finding.end_ns = worst->end_ns;
	finding.longest_ns = worst->lost_ns;
	finding.beneath.processor = gathering->worst_processor;
	int64_t ready = saturating_add_i64(gathering->worst_ready_ns, worst->lost_ns / 2) / worst->lost_ns;
	finding.beneath.ready = ready < UINT32_MAX ? (uint32_t)ready : UINT32_MAX;
	return add(gathering->finder, &finding);
}

/* ---- stops that come late */

/* A thread that had no CPU for long while the world was to stop. */
struct late {
	struct trouble trouble; /* of the stop */
	resource_ref thread;
	int64_t without_ns;
};

static void
take_late(const struct beneath *beneath, const struct span *span, int64_t from_ns, struct late *late)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	int64_t without_ns = 0;
	beneath_begin(&walk, beneath, span->thread, from_ns > span->start_ns ? from_ns : span->start_ns,
		late->trouble.end_ns < span->end_ns ? late->trouble.end_ns : span->end_ns);
	while (beneath_next(&walk, &piece))
		if (piece.state == BENEATH_READY || piece.state == BENEATH_ASLEEP)
			without_ns += piece.until_ns - piece.from_ns;
	if (without_ns <= late->without_ns)
		return;
	late->without_ns = without_ns;
	late->thread = span->thread;
}

/* The one who stops it, or who ran last on a processor before it stood still. */
static void
find_late(const struct gathering *gathering, struct late *late)
{
	const struct trace *trace = gathering->finder->trace;
	const struct trouble *stop = &late->trouble;
	struct span span;
	for (resource_ref i = 0; i < trace_processor_count(trace); i++)
		if (lane_previous(trace, (struct lane){ LANE_PROCESSOR, i }, stop->end_ns,
			    CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER), &span) &&
			span.end_ns > stop->start_ns && span.thread != REF_NONE)
			take_late(gathering->beneath, &span, stop->start_ns, late);
}

static bool
add_late(struct gathering *gathering)
{
	struct finder *finder = gathering->finder;
	const struct trace *trace = finder->trace;
	struct trouble_sums sums;
	struct late longest = { .thread = REF_NONE };
	bool is_fine = trouble_sums_init(&sums, finder);
	for (range_ref i = 0; is_fine && i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		struct late late = { .thread = REF_NONE,
			.trouble = { range_actor(range), range->start_ns, trace_range_end_ns(trace, range), 0,
				STACK_NONE } };
		int64_t length_ns = late.trouble.end_ns - late.trouble.start_ns;
		late.trouble.lost_ns = finder_clip(finder, &late.trouble);
		if (range->type != RANGE_STW || late.trouble.lost_ns < FINDING_DELAY_NS ||
			!finder_is_known(finder, late.trouble.start_ns, late.trouble.end_ns) ||
			!finder_asks_for_time(finder, late.trouble.actor, late.trouble.start_ns))
			continue;
		find_late(gathering, &late);
		if (late.without_ns < length_ns / 2)
			continue;
		if (late.trouble.lost_ns > longest.trouble.lost_ns)
			longest = late;
		is_fine = trouble_sums_add(&sums, 0, &late.trouble);
	}
	struct finding finding = trouble_sums_finding(&sums, 0, FINDING_LATE);
	trouble_sums_release(&sums);
	if (!is_fine || longest.thread == REF_NONE ||
		(!finder_matters(finder, finding.total_ns) && finding.longest_ns < FINDING_STOP_NS))
		return is_fine;
	uint64_t processors = finder_processors(finder);
	finding.lost_ns = saturating_mul_i64(finding.total_ns, processors > 0 ? (int64_t)processors : 1);
	finding.actors = 0;
	finding.beneath.thread = trace_thread(trace, longest.thread)->id;
	if (throttle_within(&gathering->stills, longest.trouble.start_ns, longest.trouble.end_ns) >
		longest.trouble.lost_ns / 2)
		finding.beneath.holder.kind = HOLDER_QUOTA;
	return add(finder, &finding);
}

bool
find_beneath(struct finder *finder)
{
	struct gathering gathering = { .finder = finder, .beneath = finder->scope->beneath };
	if (gathering.beneath == NULL)
		return true;
	bool is_fine = trouble_sums_init(&gathering.waits, finder) && trouble_sums_init(&gathering.held, finder) &&
		       throttle_find(&gathering.stills, gathering.beneath, finder->watch, finder->err) &&
		       gather(&gathering) && add_starved(&gathering) && add_quota(&gathering) &&
		       add_held(&gathering) && add_late(&gathering);
	if (!is_fine && finder->err->kind == ERROR_CANCELLED)
		error_clear(finder->err);
	trouble_sums_release(&gathering.waits);
	trouble_sums_release(&gathering.held);
	memory_free(gathering.walks);
	memory_free(gathering.stills.items);
	memory_free(gathering.levels.items);
	return is_fine;
}
