/*
 * What is odd in how the kernel served its tasks: disk sleep, long interrupts and system calls, and a quota
 * of CPU time. Who keeps others off a CPU is in findings_ready.c, with those who wait.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "analysis/standstills.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/slices.h"
#include "trace/words.h"

/* ---- disk sleep */

/* Whether that is most of what is known of its time. */
static bool
is_mostly_in_disk(const struct finder *finder, actor_ref actor)
{
	int64_t totals_ns[CLASS_COUNT], known_ns = 0;
	lane_totals(finder->trace, (struct lane){ LANE_ACTOR, actor }, finder->t0_ns, finder->t1_ns, totals_ns);
	for (int i = CLASS_RUNNING; i < CLASS_COUNT; i++)
		known_ns += totals_ns[i];
	return totals_ns[CLASS_RUNTIME] >= known_ns / 2;
}

/* The disk sleeps of those. */
static bool
add_disk(struct finder *finder, struct trouble_sums *groups)
{
	const struct trace *trace = finder->trace;
	const struct scan_scope scope = {
		CLASS_BIT(CLASS_RUNTIME), finder->t0_ns, finder->t1_ns, finder->watch
	};
	struct state_scan scan;
	struct scanned sleep;
	bool is_fine = true;
	if (!state_scan_init(&scan, trace, &scope, finder->err))
		return false;
	while (is_fine && state_scan_next(&scan, &sleep)) {
		struct trouble trouble = { sleep.actor, sleep.start_ns, sleep.end_ns, 0,
			scan_place_site(trace, sleep.at)->place };
		trouble.lost_ns = finder_clip(finder, &trouble);
		if (is_mostly_in_disk(finder, sleep.actor) &&
			finder_is_known(finder, sleep.start_ns, sleep.end_ns) &&
			finder_asks_for(finder, sleep.at.segment, sleep.at.state))
			is_fine = trouble_sums_add(groups, trace_actor(trace, sleep.actor)->group, &trouble);
	}
	state_scan_release(&scan);
	return is_fine;
}

bool
find_disk(struct finder *finder)
{
	struct trouble_sums groups;
	char condition[64];
	if (!finder->trace->words->is_scheduled)
		return true;
	bool is_fine = trouble_sums_init(&groups, finder) && add_disk(finder, &groups);
	snprintf(condition, sizeof condition, "class=%s", class_name(finder->trace->words, CLASS_RUNTIME));
	for (group_ref i = 0; is_fine && i < groups.count; i++) {
		struct finding finding = trouble_sums_finding(&groups, i, FINDING_DISK);
		struct text query = { 0 };
		if (!finder_matters(finder, finding.lost_ns))
			continue;
		finding.name = finder->trace->groups[i].name;
		query_add_group(&query, finder, &finding, condition);
		is_fine = finder_add(finder, &finding, &query);
	}
	trouble_sums_release(&groups);
	return is_fine;
}

/* ---- long slices */

/* Slices of a name on tracks of one kind that took long: what is looked for, and what was found. */
struct long_slices {
	struct finder *finder;
	enum finding_kind kind;
	enum track_owner owner;
	const char *track;
	int64_t least_ns;
	struct trouble_sums names;
	struct map key_of;  /* name to key */
	string_id *name_of; /* key to name */
	struct lane *lanes; /* by key, of the longest */
	size_t name_count, name_capacity, lane_capacity;
};

/*
 * A call in which its task slept for most of the time waits for something to happen, which may be what
 * it is there for.
 */
static bool
is_worth_telling(const struct long_slices *slices, uint32_t owner, const struct slice *slice)
{
	int64_t totals_ns[CLASS_COUNT];
	if (slices->owner != TRACK_OF_ACTOR)
		return slices->finder->scope->only == NULL;
	lane_totals(slices->finder->trace, (struct lane){ LANE_ACTOR, owner }, slice->start_ns, slice->end_ns,
		totals_ns);
	int64_t busy_ns = totals_ns[CLASS_RUNNING] + totals_ns[CLASS_READY] + totals_ns[CLASS_RUNTIME];
	return busy_ns >= (slice->end_ns - slice->start_ns) / 2 &&
	       finder_asks_for_time(slices->finder, owner, slice->start_ns);
}

static bool
add_slice(struct long_slices *slices, uint32_t owner, const struct slice *slice)
{
	struct finder *finder = slices->finder;
	bool is_of_actor = slices->owner == TRACK_OF_ACTOR;
	struct trouble trouble = { is_of_actor ? owner : REF_NONE, slice->start_ns, slice->end_ns, 0,
		STACK_NONE };
	uint32_t key = map_find(&slices->key_of, slice->name);
	trouble.lost_ns = finder_clip(finder, &trouble);
	if ((slice->flags & (SLICE_OPEN | SLICE_CUT | SLICE_BEGAN_BEFORE)) != 0 ||
		!is_worth_telling(slices, owner, slice) ||
		!finder_is_known(finder, slice->start_ns, slice->end_ns))
		return true;
	if (key == MAP_NONE) {
		key = (uint32_t)slices->name_count;
		if (!array_reserve(&slices->name_of, &slices->name_capacity, slices->name_count + 1,
			    sizeof *slices->name_of, finder->err) ||
			!array_reserve(&slices->lanes, &slices->lane_capacity, slices->name_count + 1,
				sizeof *slices->lanes, finder->err) ||
			!map_put(&slices->key_of, slice->name, key, finder->err))
			return false;
		slices->name_of[slices->name_count++] = slice->name;
	}
	bool is_longest = key >= slices->names.count ||
			  trouble.lost_ns > slices->names.items[key].longest.lost_ns;
	if (is_longest)
		slices->lanes[key] = (struct lane){ is_of_actor ? LANE_ACTOR : LANE_PROCESSOR, owner };
	return trouble_sums_add(&slices->names, key, &trouble);
}

static bool
gather_slices(struct long_slices *long_slices)
{
	struct finder *finder = long_slices->finder;
	const struct slices *slices = finder->trace->slices;
	for (track_ref t = 0; t < slices_track_count(slices); t++) {
		const struct track *track = slices_track_at(slices, t);
		uint32_t first, end;
		if (track->owner != long_slices->owner ||
			!trace_text_is(finder->trace, track->name, long_slices->track))
			continue;
		slices_range(slices, track->first_column, finder->t0_ns, finder->t1_ns, &first, &end);
		for (uint32_t i = first; i < end; i++) {
			struct slice slice;
			if (!search_watch_check_item(finder->watch, i, finder->err))
				return false;
			slices_get(slices, track->first_column, i, &slice);
			if (slice.end_ns - slice.start_ns >= long_slices->least_ns &&
				!add_slice(long_slices, track->ref, &slice))
				return false;
		}
	}
	return true;
}

static bool
find_long_slices(struct finder *finder, struct long_slices slices)
{
	if (!finder->trace->words->is_scheduled || finder->trace->slices == NULL)
		return true;
	slices.finder = finder;
	bool is_fine = trouble_sums_init(&slices.names, finder) && gather_slices(&slices);
	for (uint32_t i = 0; is_fine && i < slices.names.count; i++) {
		struct finding finding = trouble_sums_finding(&slices.names, i, slices.kind);
		struct text query = { 0 };
		finding.name = slices.name_of[i];
		finding.lane = slices.lanes[i];
		text_format(&query, "dur>=%" PRId64 "ms ", slices.least_ns / 1000000);
		finding.is_query_whole = query_add_string(&query, finder->trace, "name", finding.name);
		query_add_interval(&query, finder);
		is_fine = finder_add(finder, &finding, &query);
	}
	trouble_sums_release(&slices.names);
	map_release(&slices.key_of);
	memory_free(slices.name_of);
	memory_free(slices.lanes);
	return is_fine;
}

bool
find_interrupts(struct finder *finder)
{
	return find_long_slices(finder, (struct long_slices){ .kind = FINDING_INTERRUPT,
						.owner = TRACK_OF_RESOURCE,
						.track = "interrupts",
						.least_ns = FINDING_INTERRUPT_NS });
}

bool
find_calls(struct finder *finder)
{
	return find_long_slices(finder, (struct long_slices){ .kind = FINDING_CALL,
						.owner = TRACK_OF_ACTOR,
						.track = "syscalls",
						.least_ns = FINDING_CALL_NS });
}

/* ---- a quota */

/*
 * A group is looked at in cells of a millisecond, or more where the trace is long: nobody of it runs, and
 * somebody is ready for all of the cell. Such cells in a row are a standstill.
 */
enum { QUOTA_CELLS = 65536, QUOTA_CELL_NS = 1000000 };

static bool
gather_stills(struct finder *finder, struct standstills *stills, group_ref group)
{
	struct lane lane = { LANE_GROUP, group };
	int64_t span_ns = finder->t1_ns - finder->t0_ns, start_ns = -1;
	int cells = (int)(span_ns / QUOTA_CELL_NS < QUOTA_CELLS ? span_ns / QUOTA_CELL_NS : QUOTA_CELLS);
	stills->count = 0;
	if (cells < STANDSTILL_TIMES)
		return true;
	int64_t(*totals_ns)[CLASS_COUNT] = array_new((size_t)cells, sizeof *totals_ns, finder->err);
	if (totals_ns == NULL)
		return false;
	bool is_fine = true;
	stills->cell_ns = span_ns / cells;
	lane_cells(finder->trace, lane, finder->t0_ns, finder->t1_ns, cells, totals_ns);
	for (int i = 0; i <= cells && is_fine; i++) {
		int64_t from_ns = lane_edge(finder->t0_ns, finder->t1_ns, cells, i);
		bool is_still = i < cells && totals_ns[i][CLASS_RUNNING] == 0 &&
				totals_ns[i][CLASS_READY] >= stills->cell_ns;
		if (is_still && start_ns < 0)
			start_ns = from_ns;
		if (!is_still && start_ns >= 0) {
			is_fine = standstills_add(stills, start_ns, from_ns, finder->err);
			start_ns = -1;
		}
	}
	memory_free(totals_ns);
	return is_fine;
}

/* A member that stood still in the longest one. */
static bool
find_member(const struct finder *finder, const struct group *group, const struct still *still,
	struct finding *finding)
{
	for (uint32_t i = 0; i < group->count; i++) {
		actor_ref actor = finder->trace->group_members[group->first + i];
		struct lane lane = { LANE_ACTOR, actor };
		struct span span;
		if (!lane_longest(finder->trace, lane, still->start_ns, still->end_ns,
			    CLASS_BIT(CLASS_READY), &span))
			continue;
		finding->lane = lane;
		finding->actor = actor;
		finding->start_ns = span.start_ns;
		finding->end_ns = span.end_ns;
		return true;
	}
	return false;
}

static bool
add_quota(struct finder *finder, const struct standstills *stills, group_ref ref)
{
	const struct group *group = &finder->trace->groups[ref];
	struct finding finding = { .kind = FINDING_QUOTA, .idle_processor = REF_NONE, .is_query_whole = true,
		.count = stills->count, .actors = group->count, .name = group->name,
		.period_ns = stills->period_ns, .least_ns = INT64_MAX };
	const struct still *longest = &stills->items[0];
	struct text query = { 0 };
	char conditions[64];
	for (size_t i = 0; i < stills->count; i++) {
		const struct still *still = &stills->items[i];
		int64_t length_ns = still->end_ns - still->start_ns, totals_ns[CLASS_COUNT];
		lane_totals(finder->trace, (struct lane){ LANE_GROUP, ref }, still->start_ns, still->end_ns,
			totals_ns);
		finding.lost_ns = saturating_add_i64(finding.lost_ns, totals_ns[CLASS_READY]);
		finding.total_ns += length_ns;
		if (length_ns < finding.least_ns)
			finding.least_ns = length_ns;
		if (length_ns > longest->end_ns - longest->start_ns)
			longest = still;
	}
	finding.longest_ns = longest->end_ns - longest->start_ns;
	if (!finder_matters(finder, finding.lost_ns) || !find_member(finder, group, longest, &finding))
		return true;
	snprintf(conditions, sizeof conditions, "state=ready dur>=%dms", STANDSTILL_LEAST_NS / 1000000);
	query_add_group(&query, finder, &finding, conditions);
	bits_add(&finder->throttled, ref);
	return finder_add(finder, &finding, &query);
}

bool
find_quotas(struct finder *finder)
{
	struct standstills stills = { .count = 0 };
	bool is_fine = true;
	if (!finder->trace->words->is_scheduled || finder->scope->only != NULL)
		return true;
	for (group_ref i = 0; is_fine && i < finder->trace->group_count; i++) {
		struct lane lane = { LANE_GROUP, i };
		int64_t totals_ns[CLASS_COUNT], span_ns = finder->t1_ns - finder->t0_ns;
		bool is_quota = false;
		if (!search_watch_check(finder->watch, 0, finder->err)) {
			is_fine = false;
			break;
		}
		lane_totals(finder->trace, lane, finder->t0_ns, finder->t1_ns, totals_ns);
		/* Who waits little is not asked more closely. */
		if (!lane_is_known(finder->trace, lane) || totals_ns[CLASS_READY] < span_ns / 10)
			continue;
		is_fine = gather_stills(finder, &stills, i) &&
			  standstills_judge(&stills, finder->trace, &is_quota, finder->err) &&
			  (!is_quota || add_quota(finder, &stills, i));
	}
	memory_free(stills.items);
	return is_fine;
}
