/* What is checked when it is first asked for: columns of segments, slices of change lists. */
#include "cache/check_internal.h"

#include <string.h>

#include "cache/layout.h"

/* ---- segments */

/* What the site of a state has to be good for, which its kind tells. */
enum need { FOR_RUNNING, FOR_SYSCALL, FOR_READY, FOR_OTHERS };

static uint8_t
need_of(const struct state_kind *kind)
{
	if (kind->state == STATE_RUNNING)
		return 1u << FOR_RUNNING;
	if (kind->state == STATE_SYSCALL)
		return 1u << FOR_SYSCALL;
	return kind->state == STATE_READY ? 1u << FOR_READY : 1u << FOR_OTHERS;
}

static bool
is_ref(uint32_t ref, uint32_t count)
{
	return ref < count || ref == REF_NONE;
}

static bool
is_waker(const struct trace *trace, uint32_t waker)
{
	return is_ref(waker, trace->actors.count) ||
	       ((waker & WAKER_PROCESSOR) != 0 &&
		       (waker & ~WAKER_PROCESSOR) < trace->processors.count);
}

/* The needs that a site meets. */
static uint8_t
met_by(const struct trace *trace, const struct site *site)
{
	uint32_t threads = trace->threads.count;
	bool is_stack = site->place < trace->stacks.nodes.count;
	bool is_running =
		is_ref(site->place, threads) && is_ref(site->origin, trace->processors.count);
	bool is_syscall = is_stack && is_ref(site->origin, threads);
	bool is_ready = is_stack && is_waker(trace, site->origin);

	return (uint8_t)(is_running << FOR_RUNNING | is_syscall << FOR_SYSCALL |
	                 is_ready << FOR_READY |
	                 (is_stack && site->origin == REF_NONE) << FOR_OTHERS);
}

/*
 * Kinds and sites are there and fit, and no state but one in each run is marked as the last. A
 * site that is not there meets no need, and so does a kind.
 */
static bool
are_states_fine(const struct trace *trace, const struct segment *segment)
{
	uint8_t met[SEGMENT_SITES] = { 0 }, needs[UINT8_MAX + 1] = { 0 };
	uint32_t last_count = 0;
	bool ok = true;

	for (uint32_t i = 0; i < trace->kind_count; i++)
		needs[i] = needs[i | KIND_LAST_IN_RUN] = need_of(&trace->kinds[i]);
	for (uint32_t i = 0; i < segment->site_count; i++)
		met[i] = met_by(trace, &segment->sites[i]);
	for (uint32_t i = 0; i < segment->state_count; i++) {
		ok &= (met[segment->site[i]] & needs[segment->kind[i]]) != 0;
		last_count += segment->kind[i] >> 7;
	}
	return ok && last_count == segment->run_count;
}

/*
 * The last state is marked; all are in time order, and end with the segment. Only the first one may
 * be older than the trace.
 */
static bool
is_run_fine(const struct segment *segment, const struct run *run, uint64_t length_ns)
{
	const uint32_t *start = segment->start + run->first;
	uint32_t first = start[0] == START_AT_ORIGIN, last = 0;
	bool ok = true;

	for (uint32_t i = first; i < run_length(run); i++) {
		ok &= start[i] >= last;
		last = start[i];
	}
	return ok && last <= length_ns && last != START_AT_ORIGIN &&
	       (segment->kind[run_end(run) - 1] & KIND_LAST_IN_RUN) != 0;
}

/* Each begins when the tables say. */
static bool
are_runs_fine(const struct segment *segment)
{
	uint64_t length_ns = (uint64_t)(segment->end_ns - segment->base_ns);

	for (uint32_t i = 0; i < segment->run_count; i++)
		if (segment->start[segment->runs[i].first] != segment->run_starts[i] ||
		    !is_run_fine(segment, &segment->runs[i], length_ns))
			return false;
	return true;
}

static bool
is_checkpoint_fine(const struct checkpoint *checkpoint, uint32_t ordinal, int64_t end_ns)
{
	return check_sums(checkpoint->sums_ns, end_ns) && checkpoint->longest_ordinal < ordinal &&
	       checkpoint->longest_ordinal >= ordinal - CHECKPOINT_STATES &&
	       checkpoint->longest_ns >= 0 && checkpoint->longest_ns <= end_ns;
}

static bool
are_checkpoints_fine(const struct segment *segment)
{
	for (uint32_t i = 0; i < segment->anchor_count; i++) {
		uint32_t before = segment->pasts[i].ordinal;
		uint32_t ordinal = run_first_block(before, CHECKPOINT_STATES) * CHECKPOINT_STATES;
		uint32_t count = check_checkpoints_of(
			before, run_length(&segment->runs[i]), CHECKPOINT_STATES);

		for (uint32_t j = 0; j < count; j++, ordinal += CHECKPOINT_STATES)
			if (!is_checkpoint_fine(&segment->checkpoints[segment->anchors[i].checkpoint + j], ordinal,
				    segment->end_ns))
				return false;
	}
	return true;
}

/* `start` is of the entry that it stands at. */
static bool
is_resource_checkpoint_fine(const struct resource_checkpoint *checkpoint, uint32_t ordinal,
	uint32_t start, int64_t end_ns)
{
	return checkpoint->start == start && checkpoint->running_ns >= 0 && checkpoint->running_ns <= end_ns &&
	       checkpoint->worker_ns >= 0 && checkpoint->worker_ns <= end_ns &&
	       checkpoint->syscall_ns >= 0 && checkpoint->syscall_ns <= end_ns &&
	       checkpoint->longest_ns >= 0 && checkpoint->longest_ns <= end_ns &&
	       checkpoint->longest_ordinal < ordinal &&
	       checkpoint->longest_ordinal >= ordinal - CHECKPOINT_ENTRIES;
}

static bool
are_resource_checkpoints_fine(const struct segment *segment, const struct resource_column *column)
{
	for (uint32_t i = 0; i < column->run_count; i++) {
		const struct resource_run *run = &column->runs[i];
		uint32_t ordinal = run_first_block(run->ordinal, CHECKPOINT_ENTRIES) * CHECKPOINT_ENTRIES;
		uint32_t count =
			check_checkpoints_of(run->ordinal, run->count, CHECKPOINT_ENTRIES);

		for (uint32_t j = 0; j < count; j++, ordinal += CHECKPOINT_ENTRIES) {
			uint32_t entry = run->first + ordinal - run->ordinal;
			uint32_t state = state_list_at(&column->entries, entry);

			if (!is_resource_checkpoint_fine(&column->checkpoints[run->checkpoint + j],
				    ordinal, segment->start[state], segment->end_ns))
				return false;
		}
	}
	return true;
}

static enum state
state_of(const struct trace *trace, const struct segment *segment, uint32_t state)
{
	return trace->kinds[segment->kind[state] & KIND_MASK].state;
}

/* Entries are states on it; some were cut off, after their start. */
static bool
are_entries_fine(const struct trace *trace, const struct segment *segment,
	const struct resource_column *column)
{
	bool is_on_processor[UINT8_MAX + 1] = { false };

	for (uint32_t i = 0; i < trace->kind_count; i++)
		is_on_processor[i] = is_on_processor[i | KIND_LAST_IN_RUN] =
			trace->kinds[i].state == STATE_RUNNING ||
			trace->kinds[i].state == STATE_SYSCALL;
	for (uint32_t i = 0; i < column->entry_count; i++) {
		uint32_t state = state_list_at(&column->entries, i);

		if (state >= segment->state_count || !is_on_processor[segment->kind[state]])
			return false;
	}
	for (uint32_t i = 0; i < column->cut_count; i++) {
		const struct entry_cut *cut = &column->cuts[i];

		if (cut->entry >= column->entry_count || (i > 0 && cut->entry <= cut[-1].entry) ||
		    cut->end_ns < segment_start_ns(
				    segment, state_list_at(&column->entries, cut->entry)) ||
		    cut->end_ns > segment->end_ns)
			return false;
	}
	return true;
}

/* Ready states that did not begin before the trace, in the order of their start. */
static bool
are_wakes_fine(const struct trace *trace, const struct segment *segment)
{
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		const struct wake_column *wakes = &segment->wakes[row];
		uint32_t last = 0;

		for (uint32_t i = 0; i < wakes->count; i++) {
			uint32_t state = state_list_at(&wakes->states, i);

			if (state >= segment->state_count || segment->start[state] < last ||
			    segment->start[state] == START_AT_ORIGIN ||
			    state_of(trace, segment, state) != STATE_READY)
				return false;
			last = segment->start[state];
		}
	}
	return true;
}

bool
check_segment(const struct trace *trace, const struct segment *segment)
{
	return are_states_fine(trace, segment) && are_runs_fine(segment) &&
	       are_checkpoints_fine(segment) &&
	       are_entries_fine(trace, segment, &segment->processors) &&
	       are_entries_fine(trace, segment, &segment->threads) &&
	       are_resource_checkpoints_fine(segment, &segment->processors) &&
	       are_resource_checkpoints_fine(segment, &segment->threads) &&
	       are_wakes_fine(trace, segment);
}

static void
empty_checkpoints(struct segment *segment)
{
	for (uint32_t i = 0; i < segment->anchor_count; i++) {
		uint32_t before = segment->pasts[i].ordinal;
		uint32_t ordinal = run_first_block(before, CHECKPOINT_STATES) * CHECKPOINT_STATES;
		uint32_t count = check_checkpoints_of(
			before, run_length(&segment->runs[i]), CHECKPOINT_STATES);

		for (uint32_t j = 0; j < count; j++, ordinal += CHECKPOINT_STATES)
			segment->checkpoints[segment->anchors[i].checkpoint + j].longest_ordinal = ordinal - 1;
	}
}

static void
empty_resources(struct resource_column *column)
{
	if (column->cut_count > 0) /* of no entry that there is */
		memset(column->cuts, 0xff, column->cut_count * sizeof(*column->cuts));
	for (uint32_t i = 0; i < column->run_count; i++) {
		const struct resource_run *run = &column->runs[i];
		uint32_t ordinal = run_first_block(run->ordinal, CHECKPOINT_ENTRIES) * CHECKPOINT_ENTRIES;
		uint32_t count =
			check_checkpoints_of(run->ordinal, run->count, CHECKPOINT_ENTRIES);

		for (uint32_t j = 0; j < count; j++, ordinal += CHECKPOINT_ENTRIES)
			column->checkpoints[run->checkpoint + j].longest_ordinal = ordinal - 1;
	}
}

/* All states are of the first kind and of nobody, and begin with the segment. */
void
check_empty_segment(const struct trace *trace, struct segment *segment)
{
	const struct layout *layout = &layout_segment_body;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct layout_column *column = &layout->columns[i];
		uint64_t count = layout_count_of(column, segment, 0);

		if (count > 0)
			memset(layout_pointer(column, segment), 0, count * column->item_size);
	}
	for (uint32_t i = 0; i < segment->run_count; i++)
		segment->kind[run_end(&segment->runs[i]) - 1] = KIND_LAST_IN_RUN;
	for (uint32_t i = 0; i < segment->site_count; i++)
		segment->sites[i] = (struct site){
			.place = trace->kinds[0].state == STATE_RUNNING ? REF_NONE : STACK_NONE,
			.origin = REF_NONE,
		};
	empty_checkpoints(segment);
	empty_resources(&segment->processors);
	empty_resources(&segment->threads);
}

/* ---- change lists */

uint64_t
check_heads(const struct change_block *block)
{
	uint64_t bytes = 0;

	for (int i = 1; i < CLASS_COUNT; i++)
		if (block->classes & CLASS_BIT(i))
			bytes += CHANGE_HEAD_BYTES;
	return bytes;
}

/* Whether bytes are whole changes, within so much time. */
static bool
are_changes(const uint8_t *at, const uint8_t *end, uint64_t left_ns)
{
	while (at < end) {
		uint64_t passed_ns = 0;
		unsigned shift = 0;

		if ((*at >> 4) >= CLASS_COUNT || (*at & 15u) >= CLASS_COUNT)
			return false;
		do {
			if (++at == end || shift > 63)
				return false;
			passed_ns |= (uint64_t)(*at & 0x7fu) << shift;
			shift += 7;
		} while (*at & 0x80u);
		at++;
		if (passed_ns > left_ns)
			return false;
		left_ns -= passed_ns;
	}
	return true;
}

static uint64_t
block_end(const struct change_list *list, size_t block)
{
	return block + 1 < list->block_count ? list->blocks[block + 1].offset : list->byte_count;
}

static size_t
last_of_slice(const struct change_list *list, size_t slice)
{
	size_t end = (slice + 1) * CHANGE_SLICE;

	return end < list->block_count ? end : list->block_count;
}

bool
check_slice(const struct trace *trace, const struct change_list *list, size_t slice)
{
	for (size_t i = slice * CHANGE_SLICE; i < last_of_slice(list, slice); i++) {
		const struct change_block *block = &list->blocks[i];

		if (!are_changes(list->bytes + block->offset + check_heads(block),
			    list->bytes + block_end(list, i),
			    (uint64_t)(trace->end_ns - block->start_ns)))
			return false;
	}
	return true;
}

/* Nobody was there, and changes from nothing to nothing at no time take the rest. */
void
check_empty_slice(const struct change_list *list, size_t slice)
{
	for (size_t i = slice * CHANGE_SLICE; i < last_of_slice(list, slice); i++) {
		const struct change_block *block = &list->blocks[i];
		uint8_t *bytes = list->bytes + block->offset;
		uint64_t size = block_end(list, i) - block->offset, heads = check_heads(block);

		memset(bytes, 0, size);
		if ((size - heads) % 2 != 0)
			bytes[heads + 1] = 0x80; /* the first one takes three bytes */
	}
}
