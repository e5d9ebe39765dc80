/*
 * Series: which item there is at a moment. Each step of a search through a large trace waits for
 * memory; so the searches for many moments take each step together.
 */
#include "trace/series.h"

#include "base/compiler.h"

/* The searches, each for the first place in [low, high) that is after its moment. */
struct batch {
	const struct series *series;
	const int64_t *t_ns;
	struct item *items;
	int count;
	uint32_t low[SERIES_EACH_MOST], high[SERIES_EACH_MOST];
	uint32_t limit[SERIES_EACH_MOST]; /* an offset + 1 of at most this is by the moment */
	bool is_past[SERIES_EACH_MOST];   /* the segment ends by the moment, so all items begin by it */
};

/* ---- runs */

static bool
segment_begins_by(const struct series *series, uint32_t at, int64_t t_ns)
{
	return trace_segment_place(series->trace, series->runs[at].segment)->base_ns <= t_ns;
}

/*
 * The last run, from `low` on, whose segment begins at or before t; `low` if there is none.
 * The segments are the same for every series, so of theirs little has to be fetched.
 */
static uint32_t
last_run_by(const struct series *series, uint32_t low, int64_t t_ns)
{
	uint32_t high = low + 1, step = 1;

	while (high < series->run_count && segment_begins_by(series, high, t_ns)) {
		low = high;
		step *= 2;
		high = step < series->run_count - low ? low + step : series->run_count;
	}
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (segment_begins_by(series, middle, t_ns))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The sum wraps to 0 for what began at the origin, which is by any moment of the trace. */
static uint32_t
limit_of(const struct segment *segment, int64_t t_ns)
{
	if (t_ns < segment->base_ns)
		return 0;
	if ((uint64_t)t_ns - (uint64_t)segment->base_ns >= START_AT_ORIGIN - 1)
		return START_AT_ORIGIN;
	return (uint32_t)(t_ns - segment->base_ns) + 1;
}

/* Nothing begins before the trace does, which need not be at 0. */
static bool
is_before_all(const struct item *item, int64_t t_ns)
{
	return t_ns < item->segment->since_ns;
}

void
series_runs_by(const struct series *series, const int64_t *t_ns, int count, uint32_t *runs)
{
	uint32_t at = 0;

	for (int i = 0; i < count; i++)
		runs[i] = at = last_run_by(series, at, t_ns[i]);
}

static void
enter_runs(struct batch *batch)
{
	const struct series *series = batch->series;
	uint32_t runs[SERIES_EACH_MOST];

	series_runs_by(series, batch->t_ns, batch->count, runs);
	for (int i = 0; i < batch->count; i++) {
		batch->items[i].at = runs[i];
		series_prefetch_head(series, runs[i]);
	}
	for (int i = 0; i < batch->count; i++)
		series_prefetch_run(series, batch->items[i].at);
	for (int i = 0; i < batch->count; i++) {
		struct item *item = &batch->items[i];

		if (i > 0 && item->at == item[-1].at)
			*item = item[-1];
		else
			series_look_at_run(series, item->at, item);
		bool is_before = is_before_all(item, batch->t_ns[i]);
		batch->is_past[i] = batch->t_ns[i] >= item->segment->end_ns && !is_before;
		batch->limit[i] = limit_of(item->segment, batch->t_ns[i]);
		batch->low[i] = batch->is_past[i] ? item->count : 0;
		batch->high[i] = is_before ? 0 : item->count;
		if (batch->low[i] < batch->high[i])
			series_check(series, item);
	}
}

/* ---- within a run, or among its checkpoints */

static uint32_t
offset_of_item(const struct item *item, uint32_t index)
{
	return item->segment->start[item_state_at(item, index)];
}

static uint32_t
offset_of_block(const struct item *item, uint32_t block)
{
	uint32_t first = run_first_block(item->ordinal, CHECKPOINT_ENTRIES);

	return item->column->checkpoints[item->checkpoint + block - first].start;
}

/* No branch depends on what is found, so that the processor need not guess. */
static ALWAYS_INLINE void
search(struct batch *batch, uint32_t (*offset_of)(const struct item *, uint32_t))
{
	bool is_open = true;

	while (is_open) {
		is_open = false;
		for (int i = 0; i < batch->count; i++) {
			uint32_t low = batch->low[i], high = batch->high[i];
			uint32_t middle = low + (high - low) / 2;

			if (low == high)
				continue;
			bool is_by = offset_of(&batch->items[i], middle) + 1 <= batch->limit[i];
			batch->low[i] = is_by ? middle + 1 : low;
			batch->high[i] = is_by ? high : middle;
			is_open = true;
		}
	}
}

/* A look at an entry of a processor or thread is a jump to its state: not without need. */
static void
narrow_to_blocks(struct batch *batch)
{
	for (int i = 0; i < batch->count; i++) {
		const struct item *item = &batch->items[i];
		uint32_t first = run_first_block(item->ordinal, CHECKPOINT_ENTRIES);

		batch->low[i] = first;
		if (batch->is_past[i])
			batch->high[i] = first;
		else if (batch->high[i] > 0)
			batch->high[i] = (item->ordinal + item->count - 1) / CHECKPOINT_ENTRIES + 1;
		if (batch->high[i] < first)
			batch->high[i] = first;
	}
	search(batch, offset_of_block);
	for (int i = 0; i < batch->count; i++) {
		const struct item *item = &batch->items[i];
		uint32_t first = run_first_block(item->ordinal, CHECKPOINT_ENTRIES);
		uint32_t next = batch->low[i] * CHECKPOINT_ENTRIES - item->ordinal;

		if (batch->is_past[i]) {
			batch->low[i] = batch->high[i] = item->count;
			continue;
		}
		batch->low[i] = batch->low[i] == first ? 0 : next - CHECKPOINT_ENTRIES;
		batch->high[i] = next < item->count ? next : item->count;
		if (is_before_all(item, batch->t_ns[i]))
			batch->high[i] = 0;
	}
}

/* ---- */

/* Where nothing of a run is by the moment, it is the last item before the run. */
static void
settle(const struct series *series, uint32_t low, struct item *item)
{
	item->index = low - 1;
	if (low > 0)
		return;
	item->count = 0;
	for (uint32_t at = item->at; at > 0 && item->count == 0; at--) {
		series_look_at_run(series, at - 1, item);
		item->index = item->count - 1;
	}
}

static void
find_together(const struct series *series, const int64_t *t_ns, int count, struct item *items)
{
	struct batch batch;

	batch.series = series;
	batch.t_ns = t_ns;
	batch.items = items;
	batch.count = count;
	enter_runs(&batch);
	if (items[0].column != NULL)
		narrow_to_blocks(&batch);
	search(&batch, offset_of_item);
	for (int i = 0; i < count; i++) {
		settle(series, batch.low[i], &items[i]);
		series_prefetch(series, &items[i]);
	}
}

bool
series_find(const struct series *series, int64_t t_ns, struct item *item)
{
	series_find_each(series, &t_ns, 1, item);
	return item->count > 0;
}

void
series_find_each(const struct series *series, const int64_t *t_ns, int count, struct item *items)
{
	series_find_heads(series, t_ns, count, items);
	for (int i = 0; i < count; i++)
		if (items[i].count > 0)
			series_check(series, &items[i]);
}

void
series_find_heads(const struct series *series, const int64_t *t_ns, int count, struct item *items)
{
	const int64_t ends_ns[2] = { t_ns[0], t_ns[count - 1] };
	struct item ends[2];

	if (count == 1) {
		find_together(series, t_ns, 1, items);
		return;
	}
	find_together(series, ends_ns, 2, ends);
	if (ends[0].count == 0 || ends[0].at != ends[1].at || ends[0].index != ends[1].index) {
		find_together(series, t_ns, count, items);
		return;
	}
	for (int i = 0; i < count; i++)
		items[i] = ends[0];
}
