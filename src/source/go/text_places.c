/* Batches in an array to search in, the lines behind each as steps to walk. */
#include "source/go/text_places.h"

#include <string.h>

#include "base/memory.h"
#include "input/cursor.h"

enum { STEP_MAX_BYTES = 3 * VARINT_MAX_BYTES };

bool
text_places_add_batch(struct text_places *places, uint64_t generation, struct error *err)
{
	if (!array_reserve(&places->batches, &places->batch_capacity, places->batch_count + 1,
	                   sizeof(*places->batches), err))
		return false;
	uint64_t number = places->forgotten + places->batch_count;
	struct text_place_batch *batch = &places->batches[places->batch_count];
	*batch = (struct text_place_batch){
		.place = places->last,
		.generation = generation,
		.first = number,
		.at = places->step_bytes,
	};
	if (places->batch_count > 0 && batch[-1].generation == generation)
		batch->first = batch[-1].first;
	places->batch_count++;
	return true;
}

static void
add_varint(struct text_places *places, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		places->steps[places->step_bytes++] = (uint8_t)(value | 0x80);
	places->steps[places->step_bytes++] = (uint8_t)value;
}

bool
text_places_add(struct text_places *places, struct text_place place, struct error *err)
{
	if (!array_reserve(&places->steps, &places->step_capacity,
	                   places->step_bytes + STEP_MAX_BYTES, 1, err))
		return false;
	add_varint(places, place.wire_bytes - places->last.wire_bytes);
	add_varint(places, place.text_bytes - places->last.text_bytes);
	add_varint(places, place.line - places->last.line);
	places->last = place;
	return true;
}

/* The last batch that does not begin behind the offset; false when there is none. */
static bool
find_batch(const struct text_places *places, uint64_t wire_bytes, size_t *found)
{
	size_t low = 0, high = places->batch_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (places->batches[middle].place.wire_bytes <= wire_bytes)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low - 1;
	return low > 0;
}

/* Takes away the first `gone` batches. */
static void
drop(struct text_places *places, size_t gone)
{
	size_t gone_bytes = places->batches[gone].at;

	places->forgotten += gone;
	places->batch_count -= gone;
	places->step_bytes -= gone_bytes;
	memmove(places->batches, places->batches + gone,
	        places->batch_count * sizeof(*places->batches));
	if (places->step_bytes > 0)
		memmove(places->steps, places->steps + gone_bytes, places->step_bytes);
	for (size_t i = 0; i < places->batch_count; i++)
		places->batches[i].at -= gone_bytes;
}

void
text_places_forget(struct text_places *places, uint64_t wire_bytes)
{
	size_t batch;
	if (!find_batch(places, wire_bytes, &batch))
		return;
	uint64_t first = places->batches[batch].first;
	if (first > places->forgotten)
		first = places->batches[first - 1 - places->forgotten].first;
	/* Only where it pays, so that moving the rest costs little in all. */
	if (first > places->forgotten && first - places->forgotten > places->batch_count / 2)
		drop(places, (size_t)(first - places->forgotten));
}

bool
text_places_find(const struct text_places *places, uint64_t wire_bytes, struct text_place *place)
{
	size_t batch;
	if (!find_batch(places, wire_bytes, &batch))
		return false;
	*place = places->batches[batch].place;
	size_t end = batch + 1 < places->batch_count ? places->batches[batch + 1].at
	                                             : places->step_bytes;
	size_t at = places->batches[batch].at;
	if (at == end)
		return true;
	struct cursor steps = cursor_over(places->steps + at, end - at, 0);
	uint64_t step[3];
	struct error never;
	error_clear(&never);
	while (cursor_left(&steps) > 0 && cursor_varints(&steps, step, 3, &never) &&
	       step[0] <= wire_bytes - place->wire_bytes) {
		place->wire_bytes += step[0];
		place->text_bytes += step[1];
		place->line += step[2];
	}
	return true;
}

void
text_places_release(struct text_places *places)
{
	memory_free(places->batches);
	memory_free(places->steps);
	*places = (struct text_places){ 0 };
}
