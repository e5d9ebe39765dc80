/* The times that agree. */
#include "source/go/extent.h"

#include <stdlib.h>

#include "base/memory.h"
#include "source/go/payload.h"

enum {
	/* Times that are no further apart than this share of the whole agree, */
	AGREED_SHARE = 32,
	/* and if that is less, those that are no further apart than a millisecond. */
	STEP_SHARE = 16, /* longer ones in a broken batch are hardly true */
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
has_agreed(const struct extent_signs *signs, size_t known)
{
	uint64_t ticks = signs->known[known], slack = slack_at(signs, ticks);
	for (size_t i = 0; i < signs->known_count; i++) {
		if (i != known && agree(signs->known[i], ticks, slack))
			return true;
	}
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
	/* A millisecond is a tenth of some traces. */
	if (slack == signs->ms)
		slack -= slack / 4;
	return ticks < EXTENT_OPEN - slack ? ticks + slack : EXTENT_OPEN;
}

uint64_t
extent_end(struct extent_signs *signs)
{
	for (size_t i = 0; i < signs->known_count; i++) {
		if (has_agreed(signs, i))
			return with_slack(signs, signs->known[i]);
	}
	if (signs->count > 1)
		qsort(signs->times, signs->count, sizeof(*signs->times), compare_ticks);
	for (size_t i = signs->count; i-- > 1;) {
		uint64_t ticks = signs->times[i];
		if (agree(ticks, signs->times[i - 1], slack_at(signs, ticks)))
			return with_slack(signs, ticks);
	}
	return EXTENT_OPEN;
}

/* What the events of a batch tell; what cannot be decoded ends it. */
struct batch_times {
	uint64_t last;
	uint64_t modest; /* the last without steps that can be wrong */
	bool is_broken;
};

/* The sum of the steps that are no longer than `longest`. */
static uint64_t
sum_steps(struct cursor *cursor, uint64_t longest, uint64_t *greatest, struct error *why)
{
	struct wire_event event;
	uint64_t sum = 0;
	*greatest = 0;
	while (cursor_left(cursor) > 0 && wire_decode(cursor, &event, why)) {
		uint64_t step = event.args[0];
		if (step > longest)
			continue;
		sum = step < EXTENT_OPEN - sum ? sum + step : EXTENT_OPEN;
		*greatest = step > *greatest ? step : *greatest;
	}
	return sum;
}

static bool
read_times(const struct generation *generation, const struct batch *batch,
           struct payload_room *room, struct batch_times *times, struct error *err)
{
	uint64_t start = batch->time_ticks, greatest, ignored_step;
	struct error ignored = { 0 };
	struct cursor cursor, again;
	if (!payload_open(generation, batch, room, &cursor, &ignored) &&
	    ignored.kind == ERROR_MEMORY) {
		*err = ignored;
		return false;
	}
	again = cursor;
	uint64_t sum = sum_steps(&cursor, EXTENT_OPEN, &greatest, &ignored), modest = sum;
	/* Where the input ends an event is cut in two. */
	times->is_broken = ignored.kind != ERROR_NONE &&
	                   !(batch->is_cut && ignored.kind == ERROR_TRUNCATED);
	/* What precedes bytes that cannot be decoded was misread at times. */
	if (times->is_broken)
		modest = sum_steps(&again, sum / STEP_SHARE, &ignored_step, &ignored);
	else if (greatest > sum / 2)
		modest = sum - greatest;
	times->last = sum < EXTENT_OPEN - start ? start + sum : EXTENT_OPEN;
	times->modest = modest < EXTENT_OPEN - start ? start + modest : EXTENT_OPEN;
	return true;
}

/* The batch whose beginning is known does not confirm itself: its end is known instead. */
static void
replace_known(struct extent_signs *signs, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < signs->known_count; i++) {
		if (signs->known[i] == begin) {
			signs->known[i] = end;
			return;
		}
	}
}

/*
 * Of all batches, as the last one of a thread need not be the latest if times are wrong. Where
 * they do not agree, and something is broken, one long step at the end is hardly true. Of one
 * that is only cut off nothing is wrong, and nothing tells the end: a thread may have been the
 * only one for long.
 */
static bool
end_by_events(struct generation *generation, struct extent_signs *signs, bool is_cut_off,
              struct error *err)
{
	struct payload_room room = { 0 };
	struct batch_times times = { 0 };
	uint64_t modest = 0;
	bool ok = true, is_broken = generation->loss.first.kind != ERROR_NONE;
	signs->times = array_new(generation->batch_count, sizeof(*signs->times), err);
	if (signs->times == NULL)
		return false;
	for (size_t i = 0; ok && i < generation->thread_count; i++) {
		uint32_t at = generation->threads[i].first;
		for (; ok && at != BATCH_NONE; at = generation->batches[at].next) {
			const struct batch *batch = &generation->batches[at];
			ok = read_times(generation, batch, &room, &times, err);
			if (batch->m == WIRE_NONE && batch->next == BATCH_NONE)
				replace_known(signs, batch->time_ticks, times.last);
			else
				signs->times[signs->count++] = times.last;
			modest = times.modest > modest ? times.modest : modest;
			is_broken |= times.is_broken;
			is_cut_off &= !times.is_broken;
		}
	}
	if (ok && !is_cut_off)
		generation->max_ticks = extent_end(signs);
	generation->is_end_guessed = ok && !is_cut_off && is_broken &&
	                             generation->max_ticks == EXTENT_OPEN;
	if (generation->is_end_guessed)
		generation->max_ticks = with_slack(signs, modest);
	payload_room_release(&room);
	memory_free(signs->times);
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

/* What the start of a generation is judged by; in ticks. */
struct opening {
	const struct generation *generation;
	unsigned minor;
	uint64_t ms, end;
	uint64_t *starts; /* of all batches, ascending: there may be very many */
};

static bool
opening_init(struct opening *opening, struct error *err)
{
	const struct generation *generation = opening->generation;
	size_t count = generation->batch_count;
	opening->starts = array_new(count, sizeof(*opening->starts), err);
	if (opening->starts == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		opening->starts[i] = generation->batches[i].time_ticks;
	if (count > 1)
		qsort(opening->starts, count, sizeof(*opening->starts), compare_ticks);
	return true;
}

/* Whether another batch begins with the one that begins then. */
static bool
is_start_agreed(const struct opening *opening, uint64_t ticks, uint64_t slack)
{
	size_t count = opening->generation->batch_count, low = 0;
	for (size_t high = count; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (ticks > slack && opening->starts[middle] < ticks - slack)
			low = middle + 1;
		else
			high = middle;
	}
	/* One of them is that batch itself. */
	return low + 1 < count && agree(opening->starts[low + 1], ticks, slack);
}

/*
 * The first string of a trace is why the world is stopped when it begins, so its batch begins
 * with the first events, and not with the stacks; and so does the one that tells of the clock,
 * from 1.25 on. Where they do so with others, a lone batch
 * before is wrong; and so is a lone one of no thread, which is written at the end.
 */
static bool
can_be_alone(const struct opening *opening, const struct batch *alone)
{
	const struct generation *generation = opening->generation;
	if (alone->m == WIRE_NONE || generation_table(generation, alone, opening->minor) != 0)
		return false;
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		const struct batch *batch = &generation->batches[i];
		struct extent_signs signs = { .start = batch->time_ticks, .ms = opening->ms };
		uint8_t table = generation_table(generation, batch, opening->minor);
		bool is_at_start = table == WIRE_STRINGS || table == WIRE_SYNC;
		if (is_at_start && !agree(batch->time_ticks, opening->end, opening->ms) &&
		    is_start_agreed(opening, batch->time_ticks, slack_at(&signs, opening->end)))
			return false;
	}
	return true;
}

static uint64_t
start_of(const struct opening *opening)
{
	const struct generation *generation = opening->generation;
	uint64_t from = 1; /* 0 counts as no time */
	for (unsigned i = 0; i < STARTS_TRIED; i++) {
		uint32_t index = earliest_batch(generation, from);
		if (index == BATCH_NONE)
			break;
		const struct batch *batch = &generation->batches[index];
		if (is_start_agreed(opening, batch->time_ticks, opening->ms) ||
		    can_be_alone(opening, batch))
			return i == 0 ? generation->min_ticks : batch->time_ticks;
		from = batch->time_ticks + 1;
	}
	return generation->min_ticks;
}

/* No batch of a generation is older than the one before it; if all are, nobody knows. */
static uint64_t
start_behind(const struct generation *generation, uint64_t before_ticks)
{
	uint32_t index = earliest_batch(generation, before_ticks);
	return index == BATCH_NONE ? generation->min_ticks
	                           : generation->batches[index].time_ticks;
}

/* ---- the whole */

bool
extent_find(struct generation *generation, unsigned minor, uint64_t before_ticks,
            uint64_t next_ticks, uint64_t ms_ticks, struct error *err)
{
	uint64_t tables = 0, unbound = 0, clock = 0;
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		const struct batch *batch = &generation->batches[i];
		uint8_t table = generation_table(generation, batch, minor);
		if (table == WIRE_STACKS && tables == 0)
			tables = batch->time_ticks;
		/* From 1.25 on that stands at the start. */
		if (table == WIRE_FREQUENCY)
			clock = batch->time_ticks;
		/* Those with events behind them do not tell the end. */
		if (table == 0 && batch->experiment == 0)
			tables = 0;
	}
	uint32_t thread = id_map_find(&generation->thread_of, WIRE_NONE);
	if (thread != MAP_NONE)
		unbound = generation->batches[generation->threads[thread].last].time_ticks;
	struct opening opening = {
		.generation = generation, .minor = minor, .ms = ms_ticks,
		.end = tables > 0 ? tables : unbound,
	};
	if (before_ticks == 0) {
		if (!opening_init(&opening, err))
			return false;
		generation->min_ticks = start_of(&opening);
		memory_free(opening.starts);
	} else if (generation->min_ticks < before_ticks) {
		generation->min_ticks = start_behind(generation, before_ticks);
	}
	struct extent_signs signs = { .start = generation->min_ticks, .ms = ms_ticks };
	const uint64_t known[EXTENT_KNOWN_MAX] = { tables, unbound, clock, next_ticks };
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		if (known[i] > 0)
			signs.known[signs.known_count++] = known[i];
	}
	if (tables > 0 && has_agreed(&signs, 0)) {
		generation->max_ticks = with_slack(&signs, tables);
		return true;
	}
	const struct generation_loss *loss = &generation->loss;
	bool is_cut_off = tables == 0 && loss->count <= loss->is_tail;
	return end_by_events(generation, &signs, is_cut_off, err);
}
