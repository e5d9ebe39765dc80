/* What is missing from a trace. */
#include "trace/damage.h"

#include <assert.h>
#include <stddef.h>

#include "trace/time.h"

enum damage_cause
damage_cause_of(const struct error *err)
{
	switch (err->kind) {
	case ERROR_TRUNCATED:
		return DAMAGE_CUT;
	case ERROR_ORDER:
		return DAMAGE_DISORDER;
	default:
		return DAMAGE_CHANGED;
	}
}

static bool
is_loss(const struct damage *damage)
{
	if (damage->cause == DAMAGE_REPEATED)
		return damage->lost_bytes + damage->dropped_events + damage->ended_batches +
		               damage->skipped_numbers + damage->moved_times +
		               damage->unknown_states > 0;
	return damage->cause != DAMAGE_NEWER;
}

/* The two as one; the later one's bytes and times may lie anywhere. */
static void
merge(struct damage *into, const struct damage *other)
{
	if (other->from_bytes < into->from_bytes)
		into->from_bytes = other->from_bytes;
	if (other->to_bytes > into->to_bytes)
		into->to_bytes = other->to_bytes;
	if (other->from_ns < into->from_ns)
		into->from_ns = other->from_ns;
	if (other->to_ns > into->to_ns)
		into->to_ns = other->to_ns;
	/* What lies between the places was read. */
	into->blank_ns = other->blank_ns > into->blank_ns ? other->blank_ns : into->blank_ns;
	if (other->last_generation > into->last_generation)
		into->last_generation = other->last_generation;
	into->lost_bytes += other->lost_bytes;
	into->dropped_events += other->dropped_events;
	into->ended_batches += other->ended_batches;
	into->skipped_numbers += other->skipped_numbers;
	into->moved_times += other->moved_times;
	into->guessed_ends += other->guessed_ends;
	into->unknown_states += other->unknown_states;
	into->places += is_loss(other);
}

void
damage_map_add(struct damage_map *map, const struct damage *damage)
{
	if (map->count == DAMAGE_ROWS_MAX) {
		merge(&map->rows[map->count - 1], damage);
		return;
	}
	map->rows[map->count] = *damage;
	map->rows[map->count++].places = is_loss(damage);
}

static int64_t
rebased(int64_t t_ns, int64_t origin_ns, int64_t greatest_ns)
{
	if (t_ns <= origin_ns)
		return 0;
	uint64_t since_ns = (uint64_t)t_ns - (uint64_t)origin_ns;
	return since_ns < (uint64_t)greatest_ns ? (int64_t)since_ns : greatest_ns;
}

void
damage_map_rebase(struct damage_map *map, int64_t origin_ns, int64_t end_ns)
{
	int64_t last_ns = end_ns > 0 ? end_ns - 1 : 0;
	for (uint32_t i = 0; i < map->count; i++) {
		struct damage *row = &map->rows[i];
		row->from_ns = rebased(row->from_ns, origin_ns, last_ns);
		row->blank_ns = rebased(row->blank_ns, origin_ns, last_ns);
		if (row->to_ns != TIME_OPEN)
			row->to_ns = rebased(row->to_ns, origin_ns, end_ns);
	}
}

uint64_t
damage_map_places(const struct damage_map *map)
{
	uint64_t places = 0;
	for (uint32_t i = 0; i < map->count; i++)
		places += map->rows[i].places;
	return places;
}

uint64_t
damage_map_lost_bytes(const struct damage_map *map)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < map->count; i++)
		bytes += map->rows[i].lost_bytes;
	return bytes;
}

const struct damage *
damage_map_first(const struct damage_map *map)
{
	assert(map->count > 0);
	for (uint32_t i = 0; i < map->count; i++) {
		if (map->rows[i].places > 0)
			return &map->rows[i];
	}
	return &map->rows[0];
}

static bool
touches(int64_t from_ns, int64_t to_ns, int64_t t0_ns, int64_t t1_ns)
{
	return from_ns < t1_ns && (to_ns > t0_ns || from_ns >= t0_ns);
}

enum damage_extent
damage_extent(const struct damage *damage, int64_t t0_ns, int64_t t1_ns)
{
	if (damage->places == 0)
		return DAMAGE_NONE;
	if (touches(damage->blank_ns, damage->to_ns, t0_ns, t1_ns))
		return DAMAGE_BLANK;
	return touches(damage->from_ns, damage->to_ns, t0_ns, t1_ns) ? DAMAGE_PARTIAL
								     : DAMAGE_NONE;
}

enum damage_extent
damage_map_extent(const struct damage_map *map, int64_t t0_ns, int64_t t1_ns)
{
	enum damage_extent most = DAMAGE_NONE;
	for (uint32_t i = 0; i < map->count; i++) {
		enum damage_extent extent = damage_extent(&map->rows[i], t0_ns, t1_ns);
		if (extent > most)
			most = extent;
	}
	return most;
}

static bool
is_beside(int64_t at_ns, int64_t t_ns, bool forward)
{
	return forward ? at_ns > t_ns : at_ns < t_ns;
}

const struct damage *
damage_map_beside(const struct damage_map *map, int64_t t_ns, bool forward)
{
	const struct damage *nearest = NULL;
	for (uint32_t i = 0; i < map->count; i++) {
		const struct damage *row = &map->rows[i];
		if (row->places > 0 && is_beside(row->from_ns, t_ns, forward) &&
			(nearest == NULL || is_beside(nearest->from_ns, row->from_ns, forward)))
			nearest = row;
	}
	return nearest;
}

const struct damage *
damage_map_find(const struct damage_map *map, int64_t t0_ns, int64_t t1_ns)
{
	for (uint32_t i = 0; i < map->count; i++) {
		if (damage_extent(&map->rows[i], t0_ns, t1_ns) != DAMAGE_NONE)
			return &map->rows[i];
	}
	return NULL;
}
