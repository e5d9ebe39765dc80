/*
 * The publisher's part for processors and threads: sorts what ran on them by processor or thread.
 */
#include "trace/publisher_internal.h"

#include <stdlib.h>

static int
compare_u32(uint32_t left, uint32_t right)
{
	return (left > right) - (left < right);
}

static int
compare_run(const void *a, const void *b)
{
	return compare_u32(((const struct resource_run *)a)->resource,
	                   ((const struct resource_run *)b)->resource);
}

static int
compare_cut(const void *a, const void *b)
{
	return compare_u32(((const struct entry_cut *)a)->entry,
	                   ((const struct entry_cut *)b)->entry);
}

/* How many checkpoints fall on the entries of a run. */
static uint32_t
checkpoints_of(const struct resource_run *run)
{
	uint32_t first = run_first_block(run->ordinal, CHECKPOINT_ENTRIES);
	uint32_t end = (run->ordinal + run->count + CHECKPOINT_ENTRIES - 1) / CHECKPOINT_ENTRIES;

	return end > first ? end - first : 0;
}

void
publisher_count_column(const struct draft_column *draft, struct resource_column *column)
{
	column->run_count = (uint32_t)draft->run_count;
	column->entry_count = (uint32_t)draft->entry_count;
	column->cut_count = (uint32_t)draft->cut_count;
	for (size_t i = 0; i < draft->run_count; i++)
		column->checkpoint_count += checkpoints_of(&draft->runs[i]);
}

/* The runs, ascending by resource, with room for their entries and checkpoints reserved. */
static void
lay_out_runs(const struct draft_column *draft, struct resource_column *column)
{
	uint32_t first = 0, checkpoint = 0;

	for (uint32_t i = 0; i < column->run_count; i++)
		column->runs[i] = draft->runs[i];
	if (column->run_count > 0)
		qsort(column->runs, column->run_count, sizeof(*column->runs), compare_run);
	for (uint32_t i = 0; i < column->run_count; i++) {
		struct resource_run *run = &column->runs[i];

		run->first = first;
		run->checkpoint = checkpoint;
		first += run->count;
		checkpoint += checkpoints_of(run);
	}
	assert(checkpoint == column->checkpoint_count);
}

/* Records, and places to sort to, for all resources up to the last one with news. */
static bool
know_resources(struct publisher *publisher, struct published_resources *resources,
               const struct resource_column *column, struct error *err)
{
	size_t count = column->run_count == 0
	                       ? 0 : (size_t)column->runs[column->run_count - 1].resource + 1;

	if (!array_reserve(&publisher->next, &publisher->next_capacity, count,
	                   sizeof(*publisher->next), err) ||
	    !array_reserve(&resources->items, &resources->capacity, count,
	                   sizeof(*resources->items), err))
		return false;
	for (; resources->count < count; resources->count++)
		resources->items[resources->count] = (struct published_resource){ 0 };
	return true;
}

static void
place_entries(uint32_t *next, struct draft_column *draft, const struct gathered_state *states,
              struct resource_column *column)
{
	for (uint32_t i = 0; i < column->run_count; i++)
		next[column->runs[i].resource] = column->runs[i].first;
	for (size_t i = 0; i < draft->entry_count; i++) {
		struct draft_entry *from = &draft->entries[i];
		uint32_t to = next[from->resource]++;

		state_list_set(&column->entries, to, states[from->state].actor);
		from->state = to;
	}
}

static void
place_cuts(const struct draft_column *draft, struct resource_column *column)
{
	for (size_t i = 0; i < draft->cut_count; i++) {
		column->cuts[i] = draft->cuts[i];
		column->cuts[i].entry = draft->entries[draft->cuts[i].entry].state;
	}
	if (draft->cut_count > 0)
		qsort(column->cuts, draft->cut_count, sizeof(*column->cuts), compare_cut);
}

/* The entry that is open has ended. */
static void
end_open(struct published_resource *resource, int64_t end_ns)
{
	struct resource_checkpoint *sums = &resource->sums;
	int64_t duration_ns = end_ns - resource->open_since_ns;

	assert(resource->is_open);
	resource->is_open = false;
	resource->ended_ns = end_ns;
	if (resource->open_class == CLASS_SYSCALL)
		sums->syscall_ns += duration_ns;
	else if (resource->open_class == CLASS_WORKER)
		sums->worker_ns += duration_ns;
	else
		sums->running_ns += duration_ns;
	if (duration_ns > sums->longest_ns) {
		sums->longest_ns = duration_ns;
		sums->longest_ordinal = resource->open_ordinal;
	}
}

/* Entries that were open in earlier segments. */
static void
end_carried(struct published_resources *resources, const struct draft_column *draft)
{
	for (size_t i = 0; i < draft->end_count; i++)
		end_open(&resources->items[draft->ends[i].resource], draft->ends[i].end_ns);
	for (size_t i = 0; i < draft->run_count; i++)
		if (draft->runs[i].carried_cut_ns != NOT_CUT)
			end_open(&resources->items[draft->runs[i].resource],
			         draft->runs[i].carried_cut_ns);
}

/* What entries look at of their segment: a copy, which nothing that is written can change. */
struct entry_columns {
	const struct segment *segment;
	struct state_list entries;
	const uint32_t *start;
	const uint8_t *kind;
	const uint8_t *kind_class;
};

/*
 * Adds up the entries [first, end) of a run, of which first has this ordinal: all of them end
 * where the next state of their actor begins, in the segment. This is done for nearly all of
 * them: what changes with each is held in variables, and there are no branches, as none of them
 * could be foreseen.
 */
static void
add_entries(const struct entry_columns *columns, uint32_t first, uint32_t end, uint32_t ordinal,
            struct resource_checkpoint *sums)
{
	int64_t all_ns = 0, syscall_ns = 0, worker_ns = 0, longest_ns = sums->longest_ns;
	uint32_t longest = first;

	for (uint32_t i = first; i < end; i++) {
		uint32_t state = state_list_at(&columns->entries, i);
		unsigned time_class = columns->kind_class[columns->kind[state]];
		int64_t duration_ns = (int64_t)columns->start[state + 1] - columns->start[state];
		bool is_longer = duration_ns > longest_ns;

		all_ns += duration_ns;
		syscall_ns += duration_ns & -(int64_t)(time_class == CLASS_SYSCALL);
		worker_ns += duration_ns & -(int64_t)(time_class == CLASS_WORKER);
		longest_ns = is_longer ? duration_ns : longest_ns;
		longest = is_longer ? i : longest;
	}
	if (longest_ns > sums->longest_ns)
		sums->longest_ordinal = ordinal + (longest - first);
	sums->running_ns += all_ns - syscall_ns - worker_ns;
	sums->syscall_ns += syscall_ns;
	sums->worker_ns += worker_ns;
	sums->longest_ns = longest_ns;
}

/* The same of one that is not so: it is the first of all, was cut, or is still open. */
static void
add_odd_entry(const struct entry_columns *columns, uint32_t index, uint32_t ordinal,
              const struct entry_cut *cut, struct published_resource *resource)
{
	const struct segment *segment = columns->segment;
	uint32_t state = state_list_at(&columns->entries, index);
	unsigned kind = segment->kind[state];

	resource->is_open = true;
	resource->open_ordinal = ordinal;
	resource->open_since_ns = segment_start_ns(segment, state);
	resource->open_class = columns->kind_class[kind & KIND_MASK];
	if (cut != NULL)
		end_open(resource, cut->end_ns);
	else if ((kind & KIND_LAST_IN_RUN) == 0)
		end_open(resource, segment_start_ns(segment, state + 1));
}

static void
note_checkpoint(struct resource_checkpoint *sums, uint32_t ordinal, uint32_t start,
                struct resource_checkpoint *checkpoint)
{
	*checkpoint = *sums;
	checkpoint->start = start;
	sums->longest_ns = 0;
	sums->longest_ordinal = ordinal;
}

/* All entries before its run have ended, those of earlier segments too. */
static struct resource_carry
carry_of(const struct published_resource *resource)
{
	assert(!resource->is_open);
	return (struct resource_carry){
		.running_ns = resource->sums.running_ns,
		.worker_ns = resource->sums.worker_ns,
		.syscall_ns = resource->sums.syscall_ns,
		.ended_ns = resource->ended_ns,
		.time_class = resource->open_class,
	};
}

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Adds up the entries of a run and writes its checkpoints. *cut: the first of the segment's that
 * are not of runs before it, up to cuts_end; moves behind its own.
 */
static void
sum_run(const struct entry_columns *columns, const struct resource_run *run,
        struct published_resource *resource, struct resource_checkpoint *checkpoint,
        const struct entry_cut **cut, const struct entry_cut *cuts_end)
{
	uint32_t end = run->first + run->count;

	for (uint32_t i = run->first; i < end;) {
		uint32_t ordinal = run->ordinal + (i - run->first);
		uint32_t passed = ordinal % CHECKPOINT_ENTRIES;
		uint32_t odd = *cut < cuts_end ? least((*cut)->entry, end - 1) : end - 1;
		uint32_t until = least(i + CHECKPOINT_ENTRIES - passed, odd);

		if (passed == 0 && ordinal > 0)
			note_checkpoint(&resource->sums, ordinal,
			                columns->start[state_list_at(&columns->entries, i)],
			                checkpoint++);
		if (ordinal > 0 && i < until) {
			add_entries(columns, i, until, ordinal, &resource->sums);
			i = until;
			continue;
		}
		bool is_cut = *cut < cuts_end && (*cut)->entry == i;
		add_odd_entry(columns, i++, ordinal, is_cut ? *cut : NULL, resource);
		*cut += is_cut;
	}
}

static bool
fill_column(struct publisher *publisher, struct published_resources *resources,
            struct draft_column *draft, const struct gathered_state *states,
            struct resource_column *column, struct error *err)
{
	lay_out_runs(draft, column);
	if (!know_resources(publisher, resources, column, err))
		return false;
	place_entries(publisher->next, draft, states, column);
	place_cuts(draft, column);
	end_carried(resources, draft);
	return true;
}

static void
sum_column(const struct publisher *publisher, const struct segment *segment,
           struct resource_column *column, struct published_resources *resources)
{
	const struct entry_columns columns = {
		.segment = segment,
		.entries = column->entries,
		.start = segment->start,
		.kind = segment->kind,
		.kind_class = publisher->kind_class,
	};
	const struct entry_cut *cut = column->cuts, *cuts_end = cut + column->cut_count;

	for (uint32_t i = 0; i < column->run_count; i++) {
		struct resource_run *run = &column->runs[i];
		struct published_resource *resource = &resources->items[run->resource];

		run->carry = carry_of(resource);
		sum_run(&columns, run, resource, column->checkpoints + run->checkpoint, &cut,
		        cuts_end);
	}
}

bool
publisher_fill_columns(struct publisher *publisher, struct draft *draft, struct segment *segment,
                       struct error *err)
{
	if (!fill_column(publisher, &publisher->processors, &draft->processors, draft->states,
	                 &segment->processors, err) ||
	    !fill_column(publisher, &publisher->threads, &draft->threads, draft->states,
	                 &segment->threads, err))
		return false;
	sum_column(publisher, segment, &segment->processors, &publisher->processors);
	sum_column(publisher, segment, &segment->threads, &publisher->threads);
	return true;
}
