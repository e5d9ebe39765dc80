/* All beginnings and ends in the order of time, with sums up to every so many of them. */
#include "analysis/class_times.h"

#include <string.h>

#include "analysis/state_scan.h"
#include "base/memory.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"

static bool
add_change(struct class_times *times, int64_t time_ns, enum time_class time_class, bool is_end,
	struct error *err)
{
	if (!array_reserve(&times->changes, &times->capacity, times->count + 1,
		    sizeof *times->changes, err))
		return false;
	times->changes[times->count++] =
		(struct radix_item){ (uint64_t)time_ns, (uint64_t)time_class << 1 | is_end };
	return true;
}

static bool
add_state(struct class_times *times, const struct class_times_scope *scope,
	const struct scanned *scanned, struct error *err)
{
	int64_t start_ns = scanned->start_ns > scope->t0_ns ? scanned->start_ns : scope->t0_ns;
	int64_t end_ns = scanned->end_ns < scope->t1_ns ? scanned->end_ns : scope->t1_ns;
	if (end_ns <= start_ns ||
		!search_matches(scope->only, scanned->at.segment, scanned->at.state))
		return true;
	return add_change(times, start_ns, scanned->time_class, false, err) &&
	       add_change(times, end_ns, scanned->time_class, true, err);
}

static bool
gather(struct class_times *times, const struct trace *trace,
	const struct class_times_scope *scope, struct error *err)
{
	struct state_scan scan;
	struct scanned scanned;
	bool is_fine = true;
	if (!state_scan_init(&scan, trace, scope->mask, scope->t0_ns, scope->t1_ns, scope->watch,
		    err))
		return false;
	while (is_fine && state_scan_next(&scan, &scanned))
		is_fine = add_state(times, scope, &scanned, err);
	state_scan_release(&scan);
	return is_fine && search_watch_check(scope->watch, 0, err);
}

static void
add_to_sums(struct class_sums *sums, const struct radix_item *change)
{
	size_t time_class = (size_t)(change->value >> 1);
	bool is_end = (change->value & 1) != 0;
	sums->counts[time_class] += is_end ? UINT64_MAX : 1;
	sums->moments_ns[time_class] += is_end ? 0 - change->key : change->key;
}

static bool
add_up(struct class_times *times, struct error *err)
{
	struct class_sums sums = { 0 };
	times->blocks =
		array_new_unset(times->count / CLASS_TIMES_BLOCK + 1, sizeof *times->blocks, err);
	if (times->blocks == NULL)
		return false;
	times->blocks[0] = sums;
	for (size_t i = 0; i < times->count; i++) {
		add_to_sums(&sums, &times->changes[i]);
		if ((i + 1) % CLASS_TIMES_BLOCK == 0)
			times->blocks[(i + 1) / CLASS_TIMES_BLOCK] = sums;
	}
	return true;
}

bool
class_times_build(struct class_times *times, const struct trace *trace,
	const struct class_times_scope *scope, struct error *err)
{
	*times = (struct class_times){ 0 };
	if (gather(times, trace, scope, err) && radix_sort(times->changes, times->count, err) &&
		add_up(times, err))
		return true;
	class_times_release(times);
	return false;
}

void
class_times_release(struct class_times *times)
{
	memory_free(times->changes);
	memory_free(times->blocks);
	*times = (struct class_times){ 0 };
}

/* How many of the changes are before a moment. */
static size_t
changes_before(const struct class_times *times, uint64_t time_ns)
{
	size_t low = 0, high = times->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (times->changes[middle].key < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Time per class up to a moment, modulo 2^64. */
static void
times_until(const struct class_times *times, int64_t time_ns, uint64_t until_ns[CLASS_COUNT])
{
	size_t end = changes_before(times, time_ns > 0 ? (uint64_t)time_ns : 0);
	struct class_sums sums = times->blocks[end / CLASS_TIMES_BLOCK];
	for (size_t i = end - end % CLASS_TIMES_BLOCK; i < end; i++)
		add_to_sums(&sums, &times->changes[i]);
	for (size_t i = 0; i < CLASS_COUNT; i++)
		until_ns[i] = sums.counts[i] * (uint64_t)time_ns - sums.moments_ns[i];
}

void
class_times_cells(const struct class_times *times, int64_t t0_ns, int64_t t1_ns, int cells,
	int64_t (*totals_ns)[CLASS_COUNT])
{
	uint64_t before_ns[CLASS_COUNT], until_ns[CLASS_COUNT];
	times_until(times, t0_ns, before_ns);
	for (int i = 0; i < cells; i++) {
		times_until(times, lane_edge(t0_ns, t1_ns, cells, i + 1), until_ns);
		for (size_t n = 0; n < CLASS_COUNT; n++)
			totals_ns[i][n] = (int64_t)(until_ns[n] - before_ns[n]);
		memcpy(before_ns, until_ns, sizeof before_ns);
	}
}
