/* Series: finding items over runs and segments, and what each of them is. */
#include "trace/series.h"

#include <assert.h>
#include <string.h>

static const struct run_list *
list_of(const struct trace *trace, enum lane_type type)
{
	switch (type) {
	case LANE_GOROUTINE:
		return &trace->directory.goroutines;
	case LANE_PROC:
		return &trace->directory.procs;
	case LANE_THREAD:
		return &trace->directory.threads;
	case LANE_GROUP:
	case LANE_ALL:
	case LANE_GC:
	case LANE_STW:
	case LANE_TYPE_COUNT:
		break;
	}
	return NULL;
}

static const struct resource_column *
column_of(const struct segment *segment, enum lane_type type)
{
	if (type == LANE_PROC)
		return &segment->procs;
	return type == LANE_THREAD ? &segment->threads : NULL;
}

/* Puts the item at the beginning of a run; the run may be empty. */
static void
enter_run(const struct series *series, uint32_t at, struct item *item)
{
	struct run_ref ref = series->runs[at];
	const struct segment *segment = trace_segment(series->trace, ref.segment);
	const struct resource_column *column = column_of(segment, series->lane.type);

	item->at = at;
	item->index = 0;
	item->segment = segment;
	item->column = column;
	if (column == NULL) {
		const struct run *run = &segment->runs[ref.run];

		item->first = run->first;
		item->count = run->count;
		item->ordinal = run->ordinal;
		item->checkpoint = run->checkpoint;
	} else {
		const struct resource_run *run = &column->runs[ref.run];

		item->first = run->first;
		item->count = run->count;
		item->ordinal = run->ordinal;
		item->checkpoint = run->checkpoint;
	}
}

bool
series_open(const struct trace *trace, struct lane lane, struct series *series)
{
	const struct run_list *list = list_of(trace, lane.type);
	struct item last;

	if (list == NULL || list->first == NULL || lane.ref >= list->key_count)
		return false;
	*series = (struct series){
		.trace = trace,
		.lane = lane,
		.runs = list->runs + list->first[lane.ref],
		.run_count = list->first[lane.ref + 1] - list->first[lane.ref],
	};
	if (series->run_count == 0)
		return false;
	enter_run(series, series->run_count - 1, &last);
	series->item_count = last.ordinal + last.count;
	return series->item_count > 0;
}

uint32_t
item_ordinal(const struct item *item)
{
	return item->ordinal + item->index;
}

static uint32_t
state_at(const struct item *item, uint32_t index)
{
	uint32_t at = item->first + index;

	return item->column == NULL ? at : state_list_at(&item->column->entries, at);
}

uint32_t
item_state(const struct item *item)
{
	return state_at(item, item->index);
}

int64_t
item_start_ns(const struct item *item)
{
	return segment_start_ns(item->segment, item_state(item));
}

static bool
segment_begins_by(const struct series *series, uint32_t at, int64_t t_ns)
{
	return trace_segment(series->trace, series->runs[at].segment)->base_ns <= t_ns;
}

static bool
begins_by(const struct item *item, uint32_t index, int64_t t_ns)
{
	return segment_start_ns(item->segment, state_at(item, index)) <= t_ns;
}

/*
 * Narrows [low, high) down to a block by way of the checkpoints of a proc or thread; a look
 * at an entry is a jump to its state.
 */
static void
narrow_to_block(const struct item *item, uint32_t *low, uint32_t *high, int64_t t_ns)
{
	const struct resource_checkpoint *checkpoints = item->column->checkpoints;
	uint32_t first = run_first_block(item->ordinal, CHECKPOINT_ENTRIES);
	uint32_t at = (item->ordinal + *low) / CHECKPOINT_ENTRIES;
	uint32_t end = (item->ordinal + *high - 1) / CHECKPOINT_ENTRIES + 1;

	while (end - at > 1) {
		uint32_t middle = at + (end - at) / 2;
		uint32_t start = checkpoints[item->checkpoint + middle - first].start;
		uint32_t index = middle * CHECKPOINT_ENTRIES - item->ordinal;

		if (segment_time_ns(item->segment, start) <= t_ns) {
			*low = index;
			at = middle;
		} else {
			*high = index;
			end = middle;
		}
	}
}

/* The last index in [low, high) that begins at or before t; the one at low does. */
static uint32_t
find_between(const struct item *item, uint32_t low, uint32_t high, int64_t t_ns)
{
	if (item->column != NULL)
		narrow_to_block(item, &low, &high, t_ns);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (begins_by(item, middle, t_ns))
			low = middle;
		else
			high = middle;
	}
	return low;
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

bool
series_find(const struct series *series, int64_t t_ns, struct item *item)
{
	uint32_t at = last_run_by(series, 0, t_ns);

	enter_run(series, at, item);
	while (item->count == 0 || !begins_by(item, 0, t_ns)) {
		if (at == 0)
			return false;
		enter_run(series, --at, item);
	}
	item->index = find_between(item, 0, item->count, t_ns);
	return true;
}

/* Goes on to the last run that has an item that begins at or before t. */
static void
advance_run(const struct series *series, int64_t t_ns, struct item *item)
{
	uint32_t at = item->at;

	for (uint32_t last = last_run_by(series, at, t_ns); last > at; last--) {
		struct item next;

		enter_run(series, last, &next);
		if (next.count > 0 && begins_by(&next, 0, t_ns)) {
			*item = next;
			return;
		}
	}
}

void
series_advance(const struct series *series, int64_t t_ns, struct item *item)
{
	uint32_t low, step = 1;

	advance_run(series, t_ns, item);
	low = item->index;
	while (step < item->count - low && begins_by(item, low + step, t_ns)) {
		low += step;
		step *= 2;
		if (item->column != NULL && step > CHECKPOINT_ENTRIES)
			step = item->count;
	}
	if (step > item->count - low)
		step = item->count - low;
	item->index = find_between(item, low, low + step, t_ns);
}

void
series_item(const struct series *series, uint32_t ordinal, struct item *item)
{
	uint32_t low = 0, high = series->run_count;

	assert(ordinal < series->item_count);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		enter_run(series, middle, item);
		if (item->ordinal <= ordinal)
			low = middle;
		else
			high = middle;
	}
	do
		enter_run(series, low, item);
	while (item->count == 0 && low-- > 0);
	item->index = ordinal - item->ordinal;
}

bool
series_step(const struct series *series, struct item *item)
{
	if (LIKELY(item->index + 1 < item->count)) {
		item->index++;
		return true;
	}
	for (uint32_t at = item->at + 1; at < series->run_count; at++) {
		struct item next;

		enter_run(series, at, &next);
		if (next.count > 0) {
			*item = next;
			return true;
		}
	}
	return false;
}

/* The end of a state that is the last of its goroutine's run. */
static int64_t
end_beyond_run(const struct trace *trace, const struct segment *segment, uint32_t segment_index,
               uint32_t state, bool *is_open)
{
	goroutine_ref goroutine = segment_run_of(segment, state)->goroutine;
	const struct run_list *list = &trace->directory.goroutines;
	uint32_t low = list->first[goroutine], end = list->first[goroutine + 1], high = end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list->runs[middle].segment <= segment_index)
			low = middle + 1;
		else
			high = middle;
	}
	*is_open = low == end;
	if (*is_open)
		return trace->end_ns;
	segment = trace_segment(trace, list->runs[low].segment);
	return segment_start_ns(segment, segment->runs[list->runs[low].run].first);
}

static int64_t
state_end_ns(const struct series *series, const struct item *item, uint32_t state, bool *is_open)
{
	*is_open = false;
	if (LIKELY((item->segment->kind[state] & KIND_LAST_IN_RUN) == 0))
		return segment_start_ns(item->segment, state + 1);
	return end_beyond_run(series->trace, item->segment, series->runs[item->at].segment, state,
	                      is_open);
}

/* When the proc lost the entry, if that was before its state ended. */
static int64_t
cut_ns(const struct series *series, const struct item *item)
{
	int64_t own_ns = resource_cut_ns(item->column, item->first + item->index);

	if (own_ns != NOT_CUT)
		return own_ns;
	if (item->index + 1 == item->count && item->at + 1 < series->run_count) {
		struct item next;

		enter_run(series, item->at + 1, &next);
		return next.column->runs[series->runs[next.at].run].carried_cut_ns;
	}
	return NOT_CUT;
}

int64_t
item_end_ns(const struct series *series, const struct item *item, bool *is_open)
{
	int64_t end_ns = state_end_ns(series, item, item_state(item), is_open);
	int64_t cut;

	if (item->column == NULL)
		return end_ns;
	cut = cut_ns(series, item);
	if (cut >= end_ns)
		return end_ns;
	*is_open = false;
	return cut;
}

static const struct state_kind *
kind_of(const struct series *series, const struct item *item)
{
	return &series->trace->kinds[item->segment->kind[item_state(item)] & KIND_MASK];
}

enum time_class
item_class(const struct series *series, const struct item *item)
{
	return kind_of(series, item)->time_class;
}

uint32_t
series_block(const struct series *series)
{
	return series->lane.type == LANE_GOROUTINE ? CHECKPOINT_STATES : CHECKPOINT_ENTRIES;
}

/* Where the checkpoint of an item stands; the item's ordinal is a multiple of the block, not 0. */
static uint32_t
checkpoint_index(const struct series *series, const struct item *item)
{
	uint32_t block = series_block(series);

	return item->checkpoint + item_ordinal(item) / block -
	       run_first_block(item->ordinal, block);
}

void
series_checkpoint(const struct series *series, const struct item *of,
                  int64_t sums_ns[CLASS_COUNT], struct item *from)
{
	uint32_t block = series_block(series);
	uint32_t at = item_ordinal(of) / block * block;

	memset(sums_ns, 0, CLASS_COUNT * sizeof(*sums_ns));
	*from = *of;
	if (at >= of->ordinal)
		from->index = at - of->ordinal;
	else
		series_item(series, at, from);
	if (at == 0)
		return;
	at = checkpoint_index(series, from);
	if (from->column == NULL) {
		memcpy(sums_ns, from->segment->checkpoints[at].sums_ns,
		       CLASS_COUNT * sizeof(*sums_ns));
		return;
	}
	sums_ns[CLASS_RUNNING] = from->column->checkpoints[at].running_ns;
	sums_ns[CLASS_GC_WORKER] = from->column->checkpoints[at].gc_worker_ns;
	sums_ns[CLASS_SYSCALL] = from->column->checkpoints[at].syscall_ns;
}

/* Adds the states of a goroutine from an item up to an index in the same run. */
static void
add_states(const struct series *series, const struct item *item, uint32_t end,
           int64_t sums_ns[CLASS_COUNT])
{
	const struct segment *segment = item->segment;
	const struct state_kind *kinds = series->trace->kinds;
	int64_t start_ns = item_start_ns(item);

	for (uint32_t i = item->first + item->index; i < item->first + end; i++) {
		int64_t end_ns = segment_start_ns(segment, i + 1);

		sums_ns[kinds[segment->kind[i] & KIND_MASK].time_class] += end_ns - start_ns;
		start_ns = end_ns;
	}
}

void
series_pass(const struct series *series, struct item *item, const struct item *to,
            int64_t sums_ns[CLASS_COUNT])
{
	while (item->at != to->at || item->index != to->index) {
		uint32_t end = item->at == to->at ? to->index : item->count - 1;
		bool is_open;

		if (item->column == NULL && item->index < end) {
			add_states(series, item, end, sums_ns);
			item->index = end;
			continue;
		}
		sums_ns[item_class(series, item)] +=
			item_end_ns(series, item, &is_open) - item_start_ns(item);
		if (!series_step(series, item))
			return;
	}
}

bool
series_block_summary(const struct series *series, uint32_t block, struct block_summary *summary)
{
	uint64_t next = ((uint64_t)block + 1) * series_block(series);
	struct item item;
	uint32_t at;

	if (next >= series->item_count)
		return false;
	series_item(series, (uint32_t)next, &item);
	at = checkpoint_index(series, &item);
	if (item.column == NULL) {
		const struct checkpoint *checkpoint = &item.segment->checkpoints[at];

		*summary = (struct block_summary){
			.longest_ns = checkpoint->longest_ns,
			.longest_ordinal = checkpoint->longest_ordinal,
			.classes = checkpoint->classes,
		};
		return true;
	}
	*summary = (struct block_summary){
		.longest_ns = item.column->checkpoints[at].longest_ns,
		.longest_ordinal = item.column->checkpoints[at].longest_ordinal,
		.classes = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_GC_WORKER) |
	                   CLASS_BIT(CLASS_SYSCALL),
	};
	return true;
}

/* The proc of a syscall: that of the running state right before it. */
static proc_ref
proc_of_syscall(const struct series *series, const struct item *item)
{
	goroutine_ref goroutine = segment_run_of(item->segment, item_state(item))->goroutine;
	struct series states;
	struct item state;
	const struct state_kind *kind;

	if (series->lane.type == LANE_PROC)
		return series->lane.ref;
	if (!series_open(series->trace, (struct lane){ LANE_GOROUTINE, goroutine }, &states) ||
	    !series_find(&states, item_start_ns(item) - 1, &state))
		return REF_NONE;
	kind = kind_of(&states, &state);
	return kind->state == STATE_RUNNING ? segment_site(state.segment, item_state(&state))->origin : REF_NONE;
}

static void
fill_resources(const struct series *series, const struct item *item, struct span *span)
{
	const struct site *site = segment_site(item->segment, span->state);

	switch (span->kind->state) {
	case STATE_RUNNING:
		span->thread = site->place;
		span->proc = site->origin;
		break;
	case STATE_SYSCALL:
		span->stack = site->place;
		span->thread = site->origin;
		span->proc = proc_of_syscall(series, item);
		break;
	case STATE_READY:
		span->waker = site->origin;
		if (span->kind->entry == ENTRY_STOPPED)
			span->stack = site->place;
		else
			span->waker_stack = site->place;
		break;
	case STATE_BLOCKED:
		span->stack = site->place;
		break;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_COUNT:
		break;
	}
}

void
item_span(const struct series *series, const struct item *item, struct span *span)
{
	uint32_t state = item_state(item);

	*span = (struct span){
		.start_ns = item_start_ns(item),
		.kind = kind_of(series, item),
		.proc = REF_NONE,
		.thread = REF_NONE,
		.waker = REF_NONE,
		.range = REF_NONE,
		.segment = series->runs[item->at].segment,
		.state = state,
		.ordinal = item_ordinal(item),
		.goroutine = segment_run_of(item->segment, state)->goroutine,
	};
	span->time_class = span->kind->time_class;
	span->end_ns = item_end_ns(series, item, &span->is_open);
	fill_resources(series, item, span);
}
