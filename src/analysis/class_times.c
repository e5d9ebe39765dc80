/*
 * For any interval all beginnings and ends in the order of time, with sums up to every so many of them;
 * for the cells of one interval only what they add to each.
 */
#include "analysis/class_times.h"

#include <string.h>

#include "analysis/state_scan.h"
#include "base/memory.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"

/* The part within the interval of the next state that is asked for. */
static bool
next_state(struct state_scan *scan, const struct class_times_scope *scope, struct scanned *scanned)
{
	while (state_scan_next(scan, scanned)) {
		if (scanned->start_ns < scope->t0_ns)
			scanned->start_ns = scope->t0_ns;
		if (scanned->end_ns > scope->t1_ns)
			scanned->end_ns = scope->t1_ns;
		if (scanned->end_ns > scanned->start_ns &&
			search_matches(scope->only, scanned->at.segment, scanned->at.state))
			return true;
	}
	return false;
}

static bool
begin_scan(struct state_scan *scan, const struct trace *trace, const struct class_times_scope *scope,
	struct error *err)
{
	struct scan_scope of = { scope->mask, scope->t0_ns, scope->t1_ns, scope->watch };
	return state_scan_init(scan, trace, &of, err);
}

/* ---- of any interval */

static bool
add_state(struct class_times *times, const struct scanned *scanned, struct error *err)
{
	uint64_t value = (uint64_t)scanned->time_class << 1;
	if (!array_reserve(&times->changes, &times->capacity, times->count + 2,
		    sizeof *times->changes, err))
		return false;
	times->changes[times->count++] = (struct radix_item){ (uint64_t)scanned->start_ns, value };
	times->changes[times->count++] = (struct radix_item){ (uint64_t)scanned->end_ns, value | 1 };
	return true;
}

static bool
gather(struct class_times *times, const struct trace *trace,
	const struct class_times_scope *scope, struct error *err)
{
	struct state_scan scan;
	struct scanned scanned;
	bool is_fine = true;
	if (!begin_scan(&scan, trace, scope, err))
		return false;
	while (is_fine && next_state(&scan, scope, &scanned))
		is_fine = add_state(times, &scanned, err);
	state_scan_release(&scan);
	array_trim(&times->changes, &times->capacity, times->count, sizeof *times->changes);
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
	if (gather(times, trace, scope, err) && radix_sort(times->changes, times->count, search_watch_cancel_flag(scope->watch), err) &&
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

/* Time per class up to a moment, modulo 2^64. */
static void
times_until(const struct class_times *times, int64_t time_ns, uint64_t until_ns[CLASS_COUNT])
{
	size_t end = radix_below(times->changes, times->count, time_ns > 0 ? (uint64_t)time_ns : 0);
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

/* ---- of the cells of one interval */

/* Sums are modulo 2^64, as damaged times may be far apart. */
struct cells {
	const struct class_times_scope *scope;
	int count;
	int64_t (*totals_ns)[CLASS_COUNT]; /* of what begins or ends in a cell, up to its end */
	uint64_t (*going_on)[CLASS_COUNT]; /* how many more there are from the next cell on */
};

static int64_t
edge(const struct cells *cells, int index)
{
	return lane_edge(cells->scope->t0_ns, cells->scope->t1_ns, cells->count, index);
}

static void
add_times(int64_t *total_ns, uint64_t count, uint64_t each_ns)
{
	*total_ns = (int64_t)((uint64_t)*total_ns + count * each_ns);
}

/* So many more of a class from a moment on. */
static void
add_from(struct cells *cells, int64_t time_ns, enum time_class time_class, uint64_t count)
{
	const struct class_times_scope *scope = cells->scope;
	if (time_ns >= scope->t1_ns)
		return;
	int cell = lane_cell_at(scope->t0_ns, scope->t1_ns, cells->count, time_ns);
	add_times(&cells->totals_ns[cell][time_class], count,
		(uint64_t)edge(cells, cell + 1) - (uint64_t)time_ns);
	cells->going_on[cell][time_class] += count;
}

static void
add_what_goes_on(struct cells *cells)
{
	uint64_t counts[CLASS_COUNT] = { 0 };
	for (int i = 0; i < cells->count; i++) {
		uint64_t width_ns = (uint64_t)edge(cells, i + 1) - (uint64_t)edge(cells, i);
		for (size_t n = 0; n < CLASS_COUNT; n++) {
			add_times(&cells->totals_ns[i][n], counts[n], width_ns);
			counts[n] += cells->going_on[i][n];
		}
	}
}

static bool
fill_cells(struct cells *cells, const struct trace *trace, struct error *err)
{
	struct state_scan scan;
	struct scanned scanned;
	if (!begin_scan(&scan, trace, cells->scope, err))
		return false;
	while (next_state(&scan, cells->scope, &scanned)) {
		add_from(cells, scanned.start_ns, scanned.time_class, 1);
		add_from(cells, scanned.end_ns, scanned.time_class, UINT64_MAX);
	}
	state_scan_release(&scan);
	add_what_goes_on(cells);
	return search_watch_check(cells->scope->watch, 0, err);
}

bool
class_times_fill(const struct trace *trace, const struct class_times_scope *scope, int cells,
	int64_t (*totals_ns)[CLASS_COUNT], struct error *err)
{
	struct cells all = { scope, cells, totals_ns,
		array_new((size_t)cells, sizeof *all.going_on, err) };
	bool is_fine = all.going_on != NULL;
	if (is_fine)
		memset(totals_ns, 0, (size_t)cells * sizeof *totals_ns);
	is_fine = is_fine && fill_cells(&all, trace, err);
	memory_free(all.going_on);
	return is_fine;
}
