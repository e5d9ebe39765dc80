/* Payloads that were left in the input. */
#include "source/go/payload.h"

#include "base/memory.h"

bool
payload_open(const struct generation *generation, const struct batch *batch,
             struct payload_room *room, struct cursor *cursor, struct error *err)
{
	uint64_t end_bytes = batch->offset_bytes + batch->size;
	size_t got;

	if (!batch->is_afar) {
		*cursor = generation_cursor(generation, batch);
		return true;
	}
	*cursor = (struct cursor){ .offset_bytes = end_bytes };
	if (!array_reserve(&room->bytes, &room->capacity, batch->size, 1, err))
		return false;
	*cursor = cursor_over(room->bytes, 0, end_bytes);
	if (!input_look(generation->in, batch->offset_bytes, room->bytes, batch->size, &got, err))
		return false;
	if (got < batch->size)
		return error_set_at(err, ERROR_TRUNCATED, batch->offset_bytes + got,
		                    "the input ends where %zu more bytes should be",
		                    batch->size - got);
	*cursor = cursor_over(room->bytes, batch->size, batch->offset_bytes);
	return true;
}

void
payload_room_release(struct payload_room *room)
{
	memory_free(room->bytes);
	*room = (struct payload_room){ 0 };
}

bool
payload_fetch_last(struct generation *generation, struct error *err)
{
	struct batch *last = &generation->batches[generation->batch_count - 1];
	size_t at = generation->byte_count, got;

	if (!last->is_afar)
		return true;
	if (!array_reserve(&generation->bytes, &generation->byte_capacity, at + last->size + 1, 1,
	                   err) ||
	    !input_look(generation->in, last->offset_bytes, generation->bytes + at, last->size,
	                &got, err))
		return false;
	last->at = at;
	last->size = (uint32_t)got;
	last->is_afar = false;
	generation->byte_count += got;
	return true;
}
