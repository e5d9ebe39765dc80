/* Finding runs within a segment, and freeing it. */
#include "trace/segment.h"

#include "base/memory.h"

const struct run *
segment_run_of(const struct segment *segment, uint32_t state)
{
	uint32_t low = 0, high = segment->run_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (segment->runs[middle].first <= state)
			low = middle;
		else
			high = middle;
	}
	return &segment->runs[low];
}

int64_t
resource_cut_ns(const struct resource_column *column, uint32_t entry)
{
	uint32_t low = 0, high = column->cut_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (column->cuts[middle].entry <= entry)
			low = middle;
		else
			high = middle;
	}
	return column->cuts[low].end_ns;
}

static void
resource_column_release(struct resource_column *column)
{
	memory_free(column->runs);
	memory_free(column->entries);
	memory_free(column->checkpoints);
	memory_free(column->cuts);
}

void
segment_free(struct segment *segment)
{
	if (segment == NULL)
		return;
	memory_free(segment->start);
	memory_free(segment->kind);
	memory_free(segment->place);
	memory_free(segment->origin);
	memory_free(segment->runs);
	memory_free(segment->checkpoints);
	resource_column_release(&segment->procs);
	resource_column_release(&segment->threads);
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		memory_free(segment->wakes[row].start);
		memory_free(segment->wakes[row].state);
	}
	memory_free(segment);
}

static size_t
resource_column_bytes(const struct resource_column *column)
{
	return column->run_count * sizeof(*column->runs) +
	       column->entry_count * sizeof(*column->entries) +
	       column->checkpoint_count * sizeof(*column->checkpoints) +
	       column->cut_count * sizeof(*column->cuts);
}

size_t
segment_bytes(const struct segment *segment)
{
	const size_t per_state = sizeof(*segment->start) + sizeof(*segment->kind) +
	                         sizeof(*segment->place) + sizeof(*segment->origin);
	size_t bytes = sizeof(*segment) + segment->state_count * per_state +
	               segment->run_count * sizeof(*segment->runs) +
	               segment->checkpoint_count * sizeof(*segment->checkpoints) +
	               resource_column_bytes(&segment->procs) +
	               resource_column_bytes(&segment->threads);

	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		bytes += segment->wakes[row].count * 2 * sizeof(uint32_t);
	return bytes;
}
