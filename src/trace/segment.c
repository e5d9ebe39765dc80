/* Finding things within segments, and laying out their columns. */
#include "trace/segment.h"

#include <stdalign.h>

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

uint32_t
resource_first_cut(const struct resource_column *column, uint32_t entry)
{
	uint32_t low = 0, high = column->cut_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (column->cuts[middle].entry < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t
resource_cut_ns(const struct resource_column *column, uint32_t entry)
{
	uint32_t at = resource_first_cut(column, entry);

	return at < column->cut_count && column->cuts[at].entry == entry ? column->cuts[at].end_ns
	                                                                 : NOT_CUT;
}

/* A block that is cut into columns; where there is no block, they are only measured. */
struct layout {
	char *block;
	size_t at_bytes;
};

static void *
next_column(struct layout *layout, size_t count, size_t item_size)
{
	char *column = layout->block == NULL ? NULL : layout->block + layout->at_bytes;
	size_t bytes = count * item_size;

	layout->at_bytes += (bytes + alignof(int64_t) - 1) / alignof(int64_t) * alignof(int64_t);
	return column;
}

static void
lay_out_list(struct layout *layout, const struct segment *segment, struct state_list *list,
             uint32_t count)
{
	if (segment->state_count <= SEGMENT_NARROW)
		list->narrow = next_column(layout, count, sizeof(*list->narrow));
	else
		list->wide = next_column(layout, count, sizeof(*list->wide));
}

static void
lay_out_resources(struct layout *layout, const struct segment *segment,
                  struct resource_column *column)
{
	column->runs = next_column(layout, column->run_count, sizeof(*column->runs));
	column->checkpoints =
		next_column(layout, column->checkpoint_count, sizeof(*column->checkpoints));
	column->cuts = next_column(layout, column->cut_count, sizeof(*column->cuts));
	lay_out_list(layout, segment, &column->entries, column->entry_count);
}

/* Counts are 32 bits and items small, so the sums of a segment cannot overflow. */
static void
lay_out(struct layout *layout, struct segment *segment)
{
	uint32_t states = segment->state_count;

	segment->start = next_column(layout, states, sizeof(*segment->start));
	segment->kind = next_column(layout, states, sizeof(*segment->kind));
	segment->site = next_column(layout, states, sizeof(*segment->site));
	segment->sites = next_column(layout, segment->site_count, sizeof(*segment->sites));
	segment->runs = next_column(layout, (size_t)segment->run_count + 1, sizeof(*segment->runs));
	segment->pasts = next_column(layout, segment->past_count, sizeof(*segment->pasts));
	segment->anchors = next_column(layout, segment->anchor_count, sizeof(*segment->anchors));
	segment->carries = next_column(layout, segment->carry_count, sizeof(*segment->carries));
	segment->checkpoints =
		next_column(layout, segment->checkpoint_count, sizeof(*segment->checkpoints));
	lay_out_resources(layout, segment, &segment->processors);
	lay_out_resources(layout, segment, &segment->threads);
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		lay_out_list(layout, segment, &segment->wakes[row].states,
		             segment->wakes[row].count);
}

size_t
segment_bytes(const struct segment *segment)
{
	struct segment measured = *segment;
	struct layout layout = { .at_bytes = sizeof(*segment) };

	lay_out(&layout, &measured);
	return layout.at_bytes;
}

struct segment *
segment_new(const struct segment *like, struct arena *arena, struct error *err)
{
	struct layout layout = { .at_bytes = sizeof(*like) };
	struct segment *segment = arena_alloc(arena, segment_bytes(like));

	if (segment == NULL) {
		error_set_memory(err, "a segment of the trace");
		return NULL;
	}
	*segment = *like;
	layout.block = (char *)segment;
	lay_out(&layout, segment);
	return segment;
}
