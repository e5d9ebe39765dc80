/* The times that agree. */
#include "gotrace/extent.h"

#include <stdlib.h>

#include "base/memory.h"
#include "gotrace/payload.h"

enum {
	/* Times that are no further apart than this share of the whole agree, */
	AGREED_SHARE = 32,
	/* and if that is less, those that are no further apart than a millisecond. */
	STARTS_TRIED = 8, /* wrong ones, one after another, so that the search has an end */
};

/* ---- the end */

/* How far from `ticks` those may be that agree with it. */
static uint64_t
slack_at(const struct extent_signs *signs, uint64_t ticks)
{
	uint64_t share = ticks > signs->start ? (ticks - signs->start) / AGREED_SHARE : 0;
	return share > signs->ms ? share : signs->ms;
}

static bool
agree(uint64_t a, uint64_t b, uint64_t slack)
{
	return a > b ? a - b <= slack : b - a <= slack;
}

static bool
has_agreed(const struct extent_signs *signs, uint64_t ticks)
{
	uint64_t slack = slack_at(signs, ticks);
	for (size_t i = 0; i < signs->count; i++) {
		if (agree(signs->times[i], ticks, slack))
			return true;
	}
	return false;
}

static int
compare_ticks(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return a < b ? -1 : a > b;
}

static uint64_t
with_slack(const struct extent_signs *signs, uint64_t ticks)
{
	uint64_t slack = slack_at(signs, ticks);
	return ticks < EXTENT_OPEN - slack ? ticks + slack : EXTENT_OPEN;
}

uint64_t
extent_end(struct extent_signs *signs)
{
	if (signs->tables > 0 && has_agreed(signs, signs->tables))
		return with_slack(signs, signs->tables);
	if (signs->count > 1)
		qsort(signs->times, signs->count, sizeof(*signs->times), compare_ticks);
	for (size_t i = signs->count; i-- > 1;) {
		uint64_t ticks = signs->times[i];
		if (agree(ticks, signs->times[i - 1], slack_at(signs, ticks)))
			return with_slack(signs, ticks);
	}
	return signs->tables > 0 ? with_slack(signs, signs->tables) : EXTENT_OPEN;
}

/* Of a batch of timed events; what cannot be decoded ends it. */
static bool
last_ticks(const struct generation *generation, const struct batch *batch,
           struct payload_room *room, uint64_t *ticks, struct error *err)
{
	struct error ignored = { 0 };
	struct wire_event event;
	struct cursor cursor;
	*ticks = batch->time_ticks;
	if (!payload_open(generation, batch, room, &cursor, &ignored)) {
		if (ignored.kind != ERROR_MEMORY)
			return true;
		*err = ignored;
		return false;
	}
	while (cursor_left(&cursor) > 0 && wire_decode(&cursor, &event, &ignored))
		*ticks = event.args[0] < EXTENT_OPEN - *ticks ? *ticks + event.args[0] : EXTENT_OPEN;
	return true;
}

/* The last of a thread's batches alone need not be the latest, if times are wrong: of all. */
static bool
end_by_events(const struct generation *generation, struct extent_signs *signs, uint64_t *end,
              struct error *err)
{
	struct payload_room room = { 0 };
	size_t kept = signs->count;
	uint64_t *times = array_new(generation->batch_count + kept, sizeof(*times), err);
	bool ok = times != NULL;
	for (size_t i = 0; ok && i < kept; i++)
		times[i] = signs->times[i];
	for (size_t i = 0; ok && i < generation->thread_count; i++) {
		uint32_t at = generation->threads[i].first;
		for (; ok && at != BATCH_NONE; at = generation->batches[at].next)
			ok = last_ticks(generation, &generation->batches[at], &room, &times[kept++],
			                err);
	}
	if (ok) {
		signs->times = times;
		signs->count = kept;
		*end = extent_end(signs);
	}
	payload_room_release(&room);
	memory_free(times);
	return ok;
}

/* ---- the start */

/* The batch that begins first among those that begin at `from` or later; BATCH_NONE for none. */
static uint32_t
earliest_batch(const struct generation *generation, uint64_t from)
{
	uint32_t earliest = BATCH_NONE;
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		uint64_t ticks = generation->batches[i].time_ticks;
		if (ticks >= from && (earliest == BATCH_NONE ||
		                      ticks < generation->batches[earliest].time_ticks))
			earliest = i;
	}
	return earliest;
}

/* Whether another batch begins with it that is of a kind as asked for. */
static bool
is_start_agreed(const struct generation *generation, unsigned minor, uint32_t index, uint64_t ms,
                bool with_stacks)
{
	const struct batch *batches = generation->batches;
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		if (i != index && agree(batches[i].time_ticks, batches[index].time_ticks, ms) &&
		    (!with_stacks ||
		     generation_table(generation, &batches[i], minor) == WIRE_STACKS))
			return true;
	}
	return false;
}

/*
 * The first string of a trace is why the world is stopped when it begins, so its batch begins
 * with the first events, and not with the stacks. Where it does so with others, a lone batch
 * before is wrong; and so is a lone one of no events.
 */
static bool
can_be_alone(const struct generation *generation, unsigned minor, uint32_t index, uint64_t ms)
{
	if (generation_table(generation, &generation->batches[index], minor) != 0)
		return false;
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		const struct batch *batch = &generation->batches[i];
		if (generation_table(generation, batch, minor) == WIRE_STRINGS)
			return !is_start_agreed(generation, minor, i, ms, false) ||
			       is_start_agreed(generation, minor, i, ms, true);
	}
	return true;
}

static uint64_t
start_of(const struct generation *generation, unsigned minor, uint64_t ms)
{
	uint64_t from = 1; /* 0 counts as no time */
	for (unsigned i = 0; i < STARTS_TRIED; i++) {
		uint32_t index = earliest_batch(generation, from);
		if (index == BATCH_NONE)
			break;
		uint64_t ticks = generation->batches[index].time_ticks;
		if (is_start_agreed(generation, minor, index, ms, false) ||
		    can_be_alone(generation, minor, index, ms))
			return i == 0 ? generation->min_ticks : ticks;
		from = ticks + 1;
	}
	return generation->min_ticks;
}

/* ---- the whole */

bool
extent_find(struct generation *generation, unsigned minor, bool is_first, uint64_t next_ticks,
            uint64_t ms_ticks, struct error *err)
{
	uint64_t near_end[2], tables = 0;
	size_t count = 0;
	if (is_first)
		generation->min_ticks = start_of(generation, minor, ms_ticks);
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		const struct batch *batch = &generation->batches[i];
		uint8_t table = generation_table(generation, batch, minor);
		if (table == WIRE_STACKS && tables == 0)
			tables = batch->time_ticks;
		/* Those with events behind them do not tell the end. */
		if (table == 0 && batch->experiment == 0)
			tables = 0;
	}
	if (next_ticks > 0)
		near_end[count++] = next_ticks;
	uint32_t unbound = id_map_find(&generation->thread_of, WIRE_NONE);
	if (unbound != MAP_NONE)
		near_end[count++] =
			generation->batches[generation->threads[unbound].last].time_ticks;
	struct extent_signs signs = {
		.start = generation->min_ticks,
		.ms = ms_ticks,
		.tables = tables,
		.times = near_end,
		.count = count,
	};
	if (tables > 0 && has_agreed(&signs, tables)) {
		generation->max_ticks = extent_end(&signs);
		return true;
	}
	return end_by_events(generation, &signs, &generation->max_ticks, err);
}
