/*
 * Series: what will be looked at is fetched beforehand. A trace is larger than any cache, and each
 * step to another run or state of it would wait for memory.
 */
#include "base/compiler.h"
#include "trace/series.h"

void
series_prefetch_head(const struct series *series, uint32_t at)
{
	const struct segment *segment =
		trace_segment_head(series->trace, series->runs[at].segment);
	const struct resource_column *column = series_column(segment, series->lane.type);

	PREFETCH(segment);
	if (column == NULL)
		PREFETCH(&segment->runs);
	else
		PREFETCH(column);
}

void
series_prefetch_run(const struct series *series, uint32_t at)
{
	struct run_ref ref = series->runs[at];
	const struct segment *segment = trace_segment_head(series->trace, ref.segment);
	const struct resource_column *column = series_column(segment, series->lane.type);

	if (column == NULL) {
		PREFETCH(&segment->runs[ref.run]);
		if (ref.run < segment->past_count)
			PREFETCH(&segment->pasts[ref.run]);
		if (ref.run < segment->anchor_count)
			PREFETCH(&segment->anchors[ref.run]);
	} else {
		PREFETCH(&column->runs[ref.run]);
		PREFETCH((const char *)&column->runs[ref.run + 1] - 1);
	}
}

/* The carry of a run that is near. */
static void
prefetch_carry(const struct series *series, uint32_t at)
{
	struct run_ref ref = series->runs[at];
	const struct segment *segment = trace_segment_head(series->trace, ref.segment);
	uint32_t carry;

	if (series->lane.type != LANE_ACTOR)
		return;
	carry = segment_run_anchor(segment, &segment->runs[ref.run]).carry;
	if (carry == REF_NONE)
		return;
	PREFETCH(&segment->carries[carry]);
	PREFETCH((const char *)&segment->carries[carry + 1] - 1);
}

/* Whether the run after it may tell all that is to be known of an item. */
static bool
is_last_before_run(const struct series *series, const struct item *item)
{
	return item->count > 0 && item->index + 1 == item->count &&
	       item->at + 1 < series->run_count;
}

/* The states of a run that is near. */
static void
prefetch_states(const struct series *series, uint32_t at)
{
	struct run_ref ref = series->runs[at];
	const struct segment *segment = trace_segment_head(series->trace, ref.segment);

	if (series->lane.type != LANE_ACTOR)
		return;
	PREFETCH(&segment->start[segment->runs[ref.run].first]);
	PREFETCH(&segment->kind[segment->runs[ref.run].first]);
}

/* How many runs lie between an item's and the anchor before it, if all are as long as its own. */
static uint32_t
runs_to_anchor(const struct series *series, const struct item *item)
{
	uint32_t passed = item_ordinal(item) % series_block(series), runs;

	if (item->count == 0 || passed <= item->index || item->carry != REF_NONE)
		return 0;
	passed -= item->index;
	passed = passed < CARRY_STATES ? passed : CARRY_STATES;
	runs = (passed - 1) / item->count + 1;
	return runs < item->at ? runs : (uint32_t)item->at;
}

/*
 * The states of the same run. Those of a processor or thread are told by a column, one by one, and
 * so only where it may be looked at.
 */
static void
prefetch_within(const struct series *series, const struct item *item)
{
	enum { STARTS = 16, KINDS = 64 }; /* in a line of the cache */
	uint32_t block = series_block(series), passed = item_ordinal(item) % block;
	uint32_t left = block - passed, from = item->index, end = from + 1;

	if (item->column != NULL &&
	    atomic_load_explicit(&item->segment->is_unchecked, memory_order_acquire))
		return;
	if (left < passed && left < item->count - from)
		end = from + left;
	else
		from -= passed < from ? passed : from;
	for (uint32_t i = from; i < end; i += item->column == NULL ? STARTS : 1) {
		uint32_t state = item_state_at(item, i);

		PREFETCH(&item->segment->start[state]);
		if (item->column != NULL || (i - from) % KINDS == 0)
			PREFETCH(&item->segment->kind[state]);
	}
}

void
series_prefetch_pass(const struct series *series, const struct item *item, int stage)
{
	static void (*const stages[SERIES_PASS_STAGES])(const struct series *, uint32_t) = {
		series_prefetch_head, series_prefetch_run, prefetch_states
	};
	/* Of the run after, whose carry may be asked. */
	static void (*const ahead[SERIES_PASS_STAGES])(const struct series *, uint32_t) = {
		series_prefetch_head, series_prefetch_run, prefetch_carry
	};

	if (is_last_before_run(series, item)) {
		ahead[stage](series, item->at + 1);
		return;
	}
	for (uint32_t i = runs_to_anchor(series, item); i > 0; i--)
		stages[stage](series, item->at - i);
	if (stage + 1 == SERIES_PASS_STAGES && item->count > 0)
		prefetch_within(series, item);
}
