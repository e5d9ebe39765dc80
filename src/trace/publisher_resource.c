/* The publisher's part for procs and threads: sorts what ran on them by proc or thread. */
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

void
publisher_count_column(const struct draft_column *draft, struct resource_column *column)
{
	column->run_count = (uint32_t)draft->run_count;
	column->entry_count = (uint32_t)draft->entry_count;
	column->cut_count = (uint32_t)draft->cut_count;
	column->checkpoint_count = (uint32_t)draft->checkpoint_count;
}

/* How many checkpoints fall on the entries of a run. */
static uint32_t
checkpoints_of(const struct resource_run *run)
{
	uint32_t first = run_first_block(run->ordinal, CHECKPOINT_ENTRIES);
	uint32_t end = (run->ordinal + run->count + CHECKPOINT_ENTRIES - 1) / CHECKPOINT_ENTRIES;

	return end > first ? end - first : 0;
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

/* Makes room for a place for each resource up to the last one with news. */
static bool
reserve_places(struct publisher *publisher, const struct resource_column *column,
               struct error *err)
{
	size_t count = column->run_count == 0
	                       ? 0 : (size_t)column->runs[column->run_count - 1].resource + 1;

	return array_reserve(&publisher->next, &publisher->next_capacity, count,
	                     sizeof(*publisher->next), err);
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

		state_list_set(&column->entries, to, states[from->state].goroutine);
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

static void
place_checkpoints(uint32_t *next, const struct draft_column *draft,
                  struct resource_column *column)
{
	for (uint32_t i = 0; i < column->run_count; i++)
		next[column->runs[i].resource] = column->runs[i].checkpoint;
	for (size_t i = 0; i < draft->checkpoint_count; i++) {
		const struct draft_checkpoint *from = &draft->checkpoints[i];

		column->checkpoints[next[from->resource]++] = from->checkpoint;
	}
}

static void
date_checkpoints(struct resource_column *column, const uint32_t *start)
{
	for (uint32_t i = 0; i < column->run_count; i++) {
		const struct resource_run *run = &column->runs[i];
		uint32_t block = run_first_block(run->ordinal, CHECKPOINT_ENTRIES);
		uint32_t count = checkpoints_of(run);

		for (uint32_t k = 0; k < count; k++) {
			uint32_t index = (block + k) * CHECKPOINT_ENTRIES - run->ordinal;
			uint32_t state = state_list_at(&column->entries, run->first + index);

			column->checkpoints[run->checkpoint + k].start = start[state];
		}
	}
}

bool
publisher_fill_column(struct publisher *publisher, struct draft_column *draft,
                      const struct gathered_state *states, const uint32_t *start,
                      struct resource_column *column, struct error *err)
{
	lay_out_runs(draft, column);
	if (!reserve_places(publisher, column, err))
		return false;
	place_entries(publisher->next, draft, states, column);
	place_cuts(draft, column);
	place_checkpoints(publisher->next, draft, column);
	date_checkpoints(column, start);
	return true;
}
