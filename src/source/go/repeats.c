/*
 * Which batches were read lately, so as to know one that comes again: runtimes exist that
 * write buffers once more that were free already (doc/DESIGN.md, "Damage"). A thread never
 * begins two batches at the same time, so its header alone tells a batch of an older
 * generation, whose bytes are gone. Within a generation the bytes decide.
 */
#include "source/go/generation_internal.h"

#include <string.h>

#include "source/go/payload.h"

/* Of 64 KiB mostly, so that this is the trace's last gigabytes. */
enum { BATCHES_REMEMBERED_MAX = 1 << 16 };

static uint64_t
key_of(const struct incoming *incoming)
{
	const struct batch *batch = &incoming->batch;
	uint64_t writer = hash_pair(incoming->generation, batch->m);
	uint64_t size = (uint64_t)batch->size << 8 | batch->experiment;
	return hash_pair(writer, hash_pair(batch->time_ticks, size));
}

/* Of two payloads of a size. What cannot be read is like nothing. */
static bool
have_same_bytes(const struct generation *generation, const struct batch *one,
                const struct batch *other)
{
	struct payload_room rooms[2] = { { 0 }, { 0 } };
	struct cursor bytes[2];
	struct error ignored = { 0 };
	bool is_same = payload_open(generation, one, &rooms[0], &bytes[0], &ignored) &&
	               payload_open(generation, other, &rooms[1], &bytes[1], &ignored) &&
	               memcmp(bytes[0].at, bytes[1].at, one->size) == 0;

	payload_room_release(&rooms[0]);
	payload_room_release(&rooms[1]);
	return is_same;
}

static bool
is_same(const struct generation *generation, uint32_t index, const struct batch *batch)
{
	if (index >= generation->batch_count)
		return false;
	const struct batch *other = &generation->batches[index];
	return other->size == batch->size && other->m == batch->m &&
	       other->time_ticks == batch->time_ticks &&
	       have_same_bytes(generation, other, batch);
}

bool
generation_is_repeated(const struct generation *generation, struct generation_source *source,
                       const struct incoming *incoming, bool *is_repeated, struct error *err)
{
	struct map *read_before = &source->read_before;
	const struct batch *batch = &incoming->batch;
	bool is_own = incoming->generation == generation->number;
	*is_repeated = false;
	/* What an unknown experiment writes is not kept, and an empty batch tells nothing. */
	if (batch->size == 0 || batch->experiment > EXPERIMENT_ALLOC_FREE)
		return true;
	uint64_t key = key_of(incoming);
	uint32_t index = map_find(read_before, key);
	*is_repeated = index != MAP_NONE && (!is_own || is_same(generation, index, batch));
	if (*is_repeated)
		return true;
	if (read_before->count == BATCHES_REMEMBERED_MAX)
		map_clear(read_before);
	return map_put(read_before, key, (uint32_t)generation->batch_count, err);
}
