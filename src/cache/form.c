/* What writer and reader must do alike. */
#include "cache/form.h"

#include <stddef.h>
#include <stdio.h>

#include "config.h"

#include "cache/checksum.h"
#include "cache/layout.h"

void
form_begin(struct form_trailer *trailer, const struct cache_key *key)
{
	*trailer = (struct form_trailer){
		.magic = "ttrcache",
		.byte_order = FORM_BYTE_ORDER,
		.version = FORM_VERSION,
		.fingerprint = layout_fingerprint(),
		.key = *key,
	};
	snprintf(trailer->release, sizeof(trailer->release), "%s", PACKAGE_VERSION);
}

uint64_t
form_trailer_sum(const struct form_trailer *trailer)
{
	return checksum_more(0, trailer, offsetof(struct form_trailer, sum));
}

struct change_list *
form_list(const struct trace *trace, size_t index)
{
	const struct change_part *part;

	if (index == 0)
		return (struct change_list *)&trace->all.rest;
	if (index <= trace->group_count)
		return trace->groups[index - 1].changes;
	part = &trace->all.parts[index - 1 - trace->group_count];
	return part->is_own ? part->list : NULL;
}

uint64_t
form_segment_sum(const struct segment *segment)
{
	const struct layout *layout = &layout_segment_body;
	uint64_t sum = 0;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct layout_column *column = &layout->columns[i];

		sum = checksum_more(sum, layout_pointer(column, segment),
			layout_count_of(column, segment, 0) * column->item_size);
	}
	return sum;
}

/* Where the bytes of a slice begin and end. */
static uint64_t
slice_at(const struct change_list *list, size_t slice)
{
	return list->blocks[slice * CHANGE_SLICE].offset;
}

static uint64_t
slice_end(const struct change_list *list, size_t slice)
{
	return slice + 1 < form_slice_count(list) ? slice_at(list, slice + 1)
	                                          : list->byte_count;
}

uint64_t
form_slice_sum(const struct change_list *list, size_t slice)
{
	uint64_t at = slice_at(list, slice);

	return checksum_more(0, list->bytes + at, slice_end(list, slice) - at);
}
