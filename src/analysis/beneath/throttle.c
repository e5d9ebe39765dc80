/* What all threads do is laid on each other. */
#include "analysis/beneath/throttle.h"

#include "analysis/beneath/beneath.h"
#include "analysis/beneath/levels.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "query/watch.h"

/*
 * All that a thread does while the lower trace goes on, in its time. Who is lost sight of may run; of who was not seen yet
 * nothing is said.
 */
static bool
add_thread(struct levels *levels, const struct beneath *beneath, resource_ref thread, struct search_watch *watch,
	struct error *err)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	bool is_fine = true, was_seen = false;
	beneath_begin(&walk, beneath, thread, saturating_add_i64(beneath->below->start_ns, beneath->delta_ns),
		saturating_add_i64(beneath->below->end_ns, beneath->delta_ns));
	for (size_t i = 0; is_fine && beneath_next(&walk, &piece); i++) {
		int64_t from_ns = saturating_sub_i64(piece.from_ns, beneath->delta_ns);
		int64_t until_ns = saturating_sub_i64(piece.until_ns, beneath->delta_ns);
		bool is_lost = piece.state == BENEATH_UNKNOWN && !piece.is_gone && was_seen;
		was_seen = was_seen || piece.state != BENEATH_UNKNOWN;
		is_fine = search_watch_check_item(watch, i, err);
		if (is_fine && (piece.state == BENEATH_ON || is_lost))
			is_fine = levels_add_on(levels, from_ns, until_ns, err);
		else if (is_fine && piece.state == BENEATH_READY)
			is_fine = levels_add_ready(levels, from_ns, until_ns, err);
	}
	return is_fine;
}

/* One of them that is stopped where it came to may still run for a moment. */
enum { MOMENT_NS = 100000 };

static bool
take_stills(struct standstills *stills, const struct levels *levels, struct error *err)
{
	int64_t on = 0, ready = 0, since_ns = 0, until_ns = 0;
	bool is_still = false, has_one = false; /* the last one is [since, until) */
	for (size_t i = 0; i < levels->count; i++) {
		const struct level *level = &levels->items[i];
		on += level->on;
		ready += level->ready;
		if (i + 1 < levels->count && levels->items[i + 1].time_ns == level->time_ns)
			continue;
		bool was_still = is_still;
		is_still = on == 0 && ready > 0;
		if (was_still && !is_still)
			until_ns = level->time_ns;
		if (was_still || !is_still || (has_one && level->time_ns - until_ns <= MOMENT_NS))
			continue;
		if (has_one && !standstills_add(stills, since_ns, until_ns, err))
			return false;
		since_ns = level->time_ns;
		has_one = true;
	}
	return !has_one || standstills_add(stills, since_ns, until_ns, err);
}

bool
throttle_find(struct standstills *stills, const struct beneath *beneath, struct search_watch *watch,
	struct error *err)
{
	struct levels levels = { .count = 0 };
	bool is_quota = false, is_fine = true;
	*stills = (struct standstills){ .count = 0 };
	for (resource_ref i = 0; is_fine && i < trace_thread_count(beneath->above); i++)
		is_fine = add_thread(&levels, beneath, i, watch, err);
	is_fine = is_fine && levels_sort(&levels, search_watch_cancel_flag(watch), err) &&
		  take_stills(stills, &levels, err) && standstills_judge(stills, beneath->below, &is_quota, err);
	memory_free(levels.items);
	if (!is_fine || !is_quota) {
		memory_free(stills->items);
		*stills = (struct standstills){ .count = 0 };
	}
	for (size_t i = 0; i < stills->count; i++) {
		struct still *still = &stills->items[i];
		still->start_ns = saturating_add_i64(still->start_ns, beneath->delta_ns);
		still->end_ns = saturating_add_i64(still->end_ns, beneath->delta_ns);
	}
	return is_fine;
}

int64_t
throttle_within(const struct standstills *stills, int64_t from_ns, int64_t until_ns)
{
	int64_t sum_ns = 0;
	size_t i = sorted_until_field(
		stills->items, stills->count, sizeof *stills->items, offsetof(struct still, end_ns), from_ns);
	for (; i < stills->count && stills->items[i].start_ns < until_ns; i++) {
		const struct still *still = &stills->items[i];
		int64_t start_ns = still->start_ns > from_ns ? still->start_ns : from_ns;
		sum_ns += (still->end_ns < until_ns ? still->end_ns : until_ns) - start_ns;
	}
	return sum_ns;
}
