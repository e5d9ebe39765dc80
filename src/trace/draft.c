/* Drafts of segments. */
#include "trace/draft.h"

#include "base/memory.h"

static void
clear_column(struct draft_column *column)
{
	column->entry_count = column->run_count = 0;
	column->cut_count = column->end_count = 0;
}

void
draft_clear(struct draft *draft)
{
	draft->state_count = draft->site_count = draft->run_count = 0;
	draft->name_count = 0;
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		draft->wakes[row].count = 0;
	clear_column(&draft->processors);
	clear_column(&draft->threads);
}

static void
release_column(struct draft_column *column)
{
	memory_free(column->entries);
	memory_free(column->runs);
	memory_free(column->cuts);
	memory_free(column->ends);
}

void
draft_release(struct draft *draft)
{
	memory_free(draft->states);
	memory_free(draft->sites);
	memory_free(draft->runs);
	memory_free(draft->names);
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		memory_free(draft->wakes[row].state);
	release_column(&draft->processors);
	release_column(&draft->threads);
	*draft = (struct draft){ 0 };
}

static uint64_t
column_bytes(const struct draft_column *column)
{
	return column->entry_capacity * sizeof(*column->entries) +
	       column->run_capacity * sizeof(*column->runs) +
	       column->cut_capacity * sizeof(*column->cuts) +
	       column->end_capacity * sizeof(*column->ends);
}

uint64_t
draft_grown_bytes(const struct draft *draft)
{
	uint64_t bytes = draft->state_capacity * sizeof(*draft->states) +
	                 draft->site_capacity * sizeof(*draft->sites) +
	                 draft->run_capacity * sizeof(*draft->runs) +
	                 draft->name_capacity * sizeof(*draft->names);

	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		bytes += draft->wakes[row].capacity * sizeof(*draft->wakes[row].state);
	bytes += column_bytes(&draft->processors) + column_bytes(&draft->threads);
	return bytes > DRAFT_USUAL_BYTES ? bytes - DRAFT_USUAL_BYTES : 0;
}
