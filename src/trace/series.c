/* Series: items over runs and segments, and what each of them is. */
#include "trace/series.h"

#include <assert.h>
#include <string.h>

#include "base/compiler.h"

static const struct run_list *
list_of(const struct trace *trace, enum lane_type type)
{
	switch (type) {
	case LANE_ACTOR:
		return &trace->directory.actors;
	case LANE_PROCESSOR:
		return &trace->directory.processors;
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

void
series_look_at_run(const struct series *series, uint32_t at, struct item *item)
{
	struct run_ref ref = series->runs[at];
	const struct segment *segment = trace_segment_head(series->trace, ref.segment);
	const struct resource_column *column = series_column(segment, series->lane.type);

	item->at = at;
	item->index = 0;
	item->segment = segment;
	item->column = column;
	if (column == NULL) {
		const struct run *run = &segment->runs[ref.run];
		struct run_anchor anchor = segment_run_anchor(segment, run);

		item->first = run->first;
		item->count = run_length(run);
		item->ordinal = segment_run_past(segment, run).ordinal;
		item->checkpoint = anchor.checkpoint;
		item->carry = anchor.carry;
	} else {
		const struct resource_run *run = &column->runs[ref.run];

		item->first = run->first;
		item->count = run->count;
		item->ordinal = run->ordinal;
		item->checkpoint = run->checkpoint;
		item->carry = run->ordinal > 0 ? ref.run : REF_NONE;
	}
}

void
series_enter(const struct series *series, uint32_t at, struct item *item)
{
	series_look_at_run(series, at, item);
	series_check(series, item);
}

bool
series_open_runs(const struct trace *trace, struct lane lane, struct series *series)
{
	const struct run_list *list = list_of(trace, lane.type);

	if (list == NULL || list->first == NULL || lane.ref >= list->key_count)
		return false;
	*series = (struct series){
		.trace = trace,
		.lane = lane,
		.runs = list->runs + list->first[lane.ref],
		.run_count = list->first[lane.ref + 1] - list->first[lane.ref],
	};
	return series->run_count > 0;
}

bool
series_open(const struct trace *trace, struct lane lane, struct series *series)
{
	struct item last;

	if (!series_open_runs(trace, lane, series))
		return false;
	series_look_at_run(series, series->run_count - 1, &last);
	series->item_count = last.ordinal + last.count;
	return series->item_count > 0;
}

void
series_item(const struct series *series, uint32_t ordinal, struct item *item)
{
	uint32_t low = 0, high = series->run_count;

	assert(ordinal < series->item_count);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		series_look_at_run(series, middle, item);
		if (item->ordinal <= ordinal)
			low = middle;
		else
			high = middle;
	}
	do
		series_enter(series, low, item);
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

		series_enter(series, at, &next);
		if (next.count > 0) {
			*item = next;
			return true;
		}
	}
	return false;
}

/* The end of a state that is the last of its actor's run. */
static int64_t
end_beyond_run(const struct trace *trace, const struct segment *segment, uint32_t segment_index,
               uint32_t state, bool *is_open)
{
	actor_ref actor = segment_run_of(segment, state)->actor;
	const struct run_list *list = &trace->directory.actors;
	uint32_t next = run_list_from(list, actor, segment_index + 1);

	*is_open = next == list->first[actor + 1];
	if (*is_open)
		return trace->end_ns;
	return segment_run_start_ns(trace_segment_head(trace, list->runs[next].segment),
	                            list->runs[next].run);
}

/* The same on the actor's own lane, where the next run is at hand. */
static int64_t
next_run_ns(const struct series *series, const struct item *item, bool *is_open)
{
	const struct run_ref *next = &series->runs[item->at + 1];

	*is_open = item->at + 1 == series->run_count;
	if (*is_open)
		return series->trace->end_ns;
	return segment_run_start_ns(trace_segment_head(series->trace, next->segment), next->run);
}

static int64_t
state_end_ns(const struct series *series, const struct item *item, uint32_t state, bool *is_open)
{
	*is_open = false;
	if (LIKELY((item->segment->kind[state] & KIND_LAST_IN_RUN) == 0))
		return segment_start_ns(item->segment, state + 1);
	if (item->column == NULL)
		return next_run_ns(series, item, is_open);
	return end_beyond_run(series->trace, item->segment, series->runs[item->at].segment, state,
	                      is_open);
}

/* When the processor lost the entry, if that was before its state ended. */
static int64_t
cut_ns(const struct series *series, const struct item *item)
{
	int64_t own_ns = resource_cut_ns(item->column, item->first + item->index);

	if (own_ns != NOT_CUT)
		return own_ns;
	if (item->index + 1 == item->count && item->at + 1 < series->run_count) {
		struct item next;

		series_look_at_run(series, item->at + 1, &next);
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

const struct state_kind *
item_kind(const struct series *series, const struct item *item)
{
	return &series->trace->kinds[item->segment->kind[item_state(item)] & KIND_MASK];
}

enum time_class
item_class(const struct series *series, const struct item *item)
{
	return item_kind(series, item)->time_class;
}

uint32_t
series_block(const struct series *series)
{
	return series->lane.type == LANE_ACTOR ? CHECKPOINT_STATES : CHECKPOINT_ENTRIES;
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
series_prefetch(const struct series *series, const struct item *item)
{
	uint32_t at = item_ordinal(item) / series_block(series) * series_block(series);

	if (item->count == 0 || at == 0)
		return;
	if (at < item->ordinal && item->carry != REF_NONE) {
		if (item->column == NULL)
			PREFETCH(&item->segment->carries[item->carry]);
		return;
	}
	if (at < item->ordinal) {
		series_prefetch_run(series, item->at - 1);
		return;
	}
	at = checkpoint_index(series, item);
	if (item->column == NULL) {
		PREFETCH(&item->segment->checkpoints[at]);
		PREFETCH((const char *)&item->segment->checkpoints[at + 1] - 1);
		PREFETCH(&item->segment->kind[item_state(item)]);
	} else {
		const struct state_list *entries = &item->column->entries;

		PREFETCH(&item->column->checkpoints[at]);
		if (entries->wide == NULL)
			PREFETCH(&entries->narrow[item->first + item->index]);
		else
			PREFETCH(&entries->wide[item->first + item->index]);
	}
}

static void
take_resource_sums(int64_t running_ns, int64_t worker_ns, int64_t syscall_ns,
                   int64_t sums_ns[CLASS_COUNT])
{
	memset(sums_ns, 0, CLASS_COUNT * sizeof(*sums_ns));
	sums_ns[CLASS_RUNNING] = running_ns;
	sums_ns[CLASS_WORKER] = worker_ns;
	sums_ns[CLASS_SYSCALL] = syscall_ns;
}

/* What the checkpoint at an item says. */
static void
take_checkpoint(const struct series *series, const struct item *item,
                int64_t sums_ns[CLASS_COUNT])
{
	uint32_t at = checkpoint_index(series, item);
	const struct resource_checkpoint *checkpoint;

	if (item->column == NULL) {
		memcpy(sums_ns, item->segment->checkpoints[at].sums_ns,
		       CLASS_COUNT * sizeof(*sums_ns));
		return;
	}
	checkpoint = &item->column->checkpoints[at];
	take_resource_sums(checkpoint->running_ns, checkpoint->worker_ns,
	                   checkpoint->syscall_ns, sums_ns);
}

/* What the carry of an item's run says. */
static void
take_carry(const struct item *item, struct sums_behind *behind)
{
	if (item->column == NULL) {
		const struct carry *carry = &item->segment->carries[item->carry];

		memcpy(behind->sums_ns, carry->sums_ns, sizeof(behind->sums_ns));
		behind->until_ns = item->segment->base_ns;
		behind->time_class = (enum time_class)carry->time_class;
	} else {
		const struct resource_carry *carry = &item->column->runs[item->carry].carry;

		take_resource_sums(carry->running_ns, carry->worker_ns, carry->syscall_ns,
		                   behind->sums_ns);
		behind->until_ns = carry->ended_ns;
		behind->time_class = (enum time_class)carry->time_class;
	}
}

void
series_anchor(const struct series *series, const struct item *of, struct item *anchor)
{
	uint32_t block = series_block(series);
	uint32_t at = item_ordinal(of) / block * block;

	*anchor = *of;
	/* A run holds an item at least, mostly many: it is not far. */
	while (anchor->ordinal > at && anchor->carry == REF_NONE)
		series_look_at_run(series, anchor->at - 1, anchor);
	anchor->index = anchor->ordinal > at ? 0 : at - anchor->ordinal;
}

void
series_anchor_sums(const struct series *series, const struct item *anchor,
                   int64_t sums_ns[CLASS_COUNT])
{
	struct sums_behind before;

	series_check(series, anchor);
	if (item_ordinal(anchor) == 0) {
		memset(sums_ns, 0, CLASS_COUNT * sizeof(*sums_ns));
		return;
	}
	if (item_ordinal(anchor) % series_block(series) == 0) {
		take_checkpoint(series, anchor, sums_ns);
		return;
	}
	take_carry(anchor, &before);
	memcpy(sums_ns, before.sums_ns, sizeof(before.sums_ns));
	if (anchor->column == NULL)
		sums_ns[before.time_class] += item_start_ns(anchor) - before.until_ns;
}

bool
series_anchor_behind(const struct series *series, const struct item *of,
                     const struct item *anchor, struct item *behind)
{
	uint32_t block = series_block(series);
	uint32_t left = block - item_ordinal(of) % block;

	if (left >= of->count - of->index ||
	    (anchor->at == of->at && left >= of->index - anchor->index))
		return false;
	*behind = *of;
	behind->index += left;
	return true;
}

bool
series_sums_behind(const struct series *series, const struct item *of, struct sums_behind *behind)
{
	struct item next;

	if (of->index + 1 < of->count || of->at + 1 >= series->run_count)
		return false;
	series_look_at_run(series, of->at + 1, &next);
	if (next.carry == REF_NONE)
		return false;
	take_carry(&next, behind);
	return true;
}

/* Adds the states of an actor from an item up to an index in the same run. */
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
		.classes = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER) |
	                   CLASS_BIT(CLASS_SYSCALL),
	};
	return true;
}
