/*
 * The lenient reading of a generation: what cannot be read is left out, and reading goes
 * on at the next batch behind it.
 */
#include "source/go/generation_internal.h"

#include "source/go/payload.h"
#include "source/go/resync.h"

/*
 * A wrong size makes a batch swallow others, which come back when its bytes are looked at
 * once more. A file can be made of nothing else, so this much is done for any, and for
 * all of them as much again as was read.
 */
#define UNREAD_FREE_BYTES (UINT64_C(1) << 24)

static bool
generation_is_empty(const struct generation *generation)
{
	return generation->batch_count + generation->experimental_batches == 0;
}

/* ---- losses */

/* Takes the error. The end of a batch may be lost before it is known where the batch belongs. */
static void
note_loss(struct generation_loss *loss, uint64_t from_bytes, uint64_t to_bytes,
          struct error *err)
{
	bool is_first = loss->first.kind == ERROR_NONE;
	if (is_first)
		loss->first = *err;
	if (is_first || from_bytes < loss->from_bytes)
		loss->from_bytes = from_bytes;
	if (is_first || to_bytes > loss->to_bytes)
		loss->to_bytes = to_bytes;
	loss->bytes += to_bytes - from_bytes;
	loss->count += to_bytes > from_bytes;
	error_clear(err);
}

static void
note_tail(struct generation_loss *loss, struct generation_source *source, uint64_t from_bytes,
          struct error *err)
{
	note_loss(loss, from_bytes, source->in->offset_bytes, err);
	loss->is_tail = true;
	source->is_at_end = true;
}

/* ---- the way back */

/* Bytes that were taken are to be looked at again, if that was not done too often. */
static bool
unread(struct generation_source *source, const uint8_t *bytes, size_t size, bool *is_done,
       struct error *err)
{
	*is_done = source->unread_bytes + size <= UNREAD_FREE_BYTES + source->in->offset_bytes;
	if (!*is_done)
		return true;
	source->unread_bytes += size;
	return input_unread(source->in, bytes, size, err);
}

/*
 * Goes on to the next batch, or to the end. What is lost began at from_bytes; takes `why`,
 * which tells where a batch was expected.
 */
static bool
go_on(struct generation *generation, struct generation_source *source, uint64_t from_bytes,
      struct error *why, struct error *err)
{
	struct generation_loss *loss = &generation->loss;
	struct resynced resynced;
	uint64_t least = generation->number > 0 ? generation->number : source->last_number;
	if (!resync(source->in, source->minor, least, &resynced, err))
		return false;
	if (resynced.zero_run_bytes > loss->zero_run_bytes)
		loss->zero_run_bytes = resynced.zero_run_bytes;
	if (resynced.found == RESYNC_BATCH) {
		uint64_t to_bytes = source->in->offset_bytes;
		loss->is_missing |= resynced.is_rest || to_bytes < why->offset_bytes;
		note_loss(loss, from_bytes, to_bytes, why);
		return true;
	}
	note_tail(loss, source, from_bytes, why);
	loss->is_other_trace = resynced.found == RESYNC_TRACE;
	return true;
}

/*
 * A batch whose header is none. If the payload before it cannot be decoded to its end, that
 * one may have had a wrong size, and it is from there that the search begins.
 */
static bool
skip_header(struct generation *generation, struct generation_source *source,
            const struct incoming *incoming, struct error *why, struct error *err)
{
	struct batch *last = generation->batch_count > 0
	                             ? &generation->batches[generation->batch_count - 1] : NULL;
	uint64_t from_bytes = incoming->offset_bytes;
	bool is_cut, is_done;
	/* The first byte is known to begin nothing, unless it begins another trace. */
	size_t known = source->header[0] == 'g' ? 0 : 1;
	if (source->header_count > known &&
	    !unread(source, source->header + known, source->header_count - known, &is_done, err))
		return false;
	if (last != NULL && last->experiment == 0 && last->offset_bytes + last->size == from_bytes) {
		if (!payload_fetch_last(generation, err))
			return false;
		uint8_t *payload = generation->bytes + last->at;
		size_t good = resync_decodable(payload, last->size, source->minor, &is_cut);
		if (good < last->size) {
			/* The byte that was passed over belongs to what is looked at again. */
			if (known == 1 && !unread(source, source->header, 1, &is_done, err))
				return false;
			if (!unread(source, payload + good, last->size - good, &is_done, err))
				return false;
			if (is_done) {
				from_bytes -= last->size - good;
				last->size = (uint32_t)good;
				last->is_cut = true;
				generation->byte_count = last->at + good;
			}
		}
	}
	return go_on(generation, source, from_bytes, why, err);
}

/*
 * The input ends before the payload does. Either it was cut off here, or the size is wrong
 * and there are batches in what was read. *incoming becomes the batch up to there.
 */
static bool
shorten(struct generation *generation, struct generation_source *source,
        struct incoming *incoming, struct error *why, struct error *err)
{
	struct batch *batch = &incoming->batch;
	uint8_t *payload = generation->bytes + batch->at;
	size_t got = (size_t)(source->in->offset_bytes - batch->offset_bytes);
	bool is_cut = false, is_done;
	/* What an experiment writes may be anything. */
	size_t good = batch->experiment != 0
	                      ? got : resync_decodable(payload, got, source->minor, &is_cut);
	batch->size = (uint32_t)good;
	batch->is_cut = true;
	if (is_cut || good == got) {
		note_tail(&source->tail, source, batch->offset_bytes + good, why);
		return true;
	}
	return unread(source, payload + good, got - good, &is_done, err) &&
	       go_on(generation, source, batch->offset_bytes + good, why, err);
}

/* Nothing can be read here, as err says. *has_batch: but for a part of a batch. */
static bool
recover(struct generation *generation, struct generation_source *source,
        struct incoming *incoming, bool *has_batch, struct error *err)
{
	struct error why = *err;
	bool is_in_payload = incoming->batch.offset_bytes > 0;
	*has_batch = false;
	if (!generation_is_input_failure(err))
		return false;
	error_clear(err);
	if (!is_in_payload)
		return skip_header(generation, source, incoming, &why, err);
	*has_batch = true;
	return shorten(generation, source, incoming, &why, err);
}

/* ---- where a batch belongs */

enum place { PLACE_HERE, PLACE_NEXT, PLACE_NOWHERE };

/* Whether it begins when a batch of this generation can: after those of its thread. */
static bool
is_in_time(const struct generation *generation, const struct batch *batch)
{
	uint32_t thread = id_map_find(&generation->thread_of, batch->m);
	if (thread == MAP_NONE)
		return batch->time_ticks >= generation->min_ticks;
	uint32_t last = generation->threads[thread].last;
	return batch->time_ticks > generation->batches[last].time_ticks;
}

static enum place
place_of(struct generation *generation, struct generation_source *source,
         const struct incoming *incoming, struct error *err)
{
	bool is_empty = generation_is_empty(generation);
	if (incoming->generation == generation->number && incoming->generation != 0)
		return PLACE_HERE;
	if (is_empty && incoming->generation != 0) {
		generation->number = incoming->generation;
		return PLACE_HERE;
	}
	/* As strictly: whether the one generation is whole does not hang on the next. */
	if (source->minor < MINOR_END_OF_GENERATION &&
	    incoming->generation == generation->number + 1)
		return PLACE_NEXT;
	error_set_at(err, ERROR_FORMAT, incoming->offset_bytes, "generations out of order");
	err->generation = incoming->generation;
	err->batch = incoming->batch.number;
	/* A single number among others that is not like them is a wrong one. */
	if (!is_empty && resync_next_generation(source->in) == generation->number &&
	    (incoming->generation > generation->number ||
	     is_in_time(generation, &incoming->batch)))
		return PLACE_HERE;
	if (incoming->generation > generation->number) {
		if (source->minor < MINOR_END_OF_GENERATION)
			error_clear(err);
		return PLACE_NEXT;
	}
	if (incoming->generation < source->last_number || incoming->generation == 0 ||
	    (generation->batch_count != 1 &&
	     (resync_next_generation(source->in) != incoming->generation ||
	      !is_in_time(generation, &incoming->batch))))
		return PLACE_NOWHERE;
	/* Then it was what came first, or two in a row would not be alike. */
	generation->number = incoming->generation;
	return PLACE_HERE;
}

/* It is all there once, so that nothing of it is lost. */
static void
note_repeat(struct generation_loss *loss, const struct incoming *incoming, uint64_t end_bytes)
{
	struct error why = { 0 };
	error_set_at(&why, ERROR_FORMAT, incoming->offset_bytes,
	             "generations are interleaved: batches come again");
	why.generation = incoming->generation;
	why.batch = incoming->batch.number;
	note_loss(loss, incoming->offset_bytes, incoming->offset_bytes, &why);
	/* What was lost behind its end may be noted already. */
	note_loss(loss, end_bytes, end_bytes, &why);
	loss->has_repeats = true;
}

/* *is_done: the batch belongs to the next generation. */
static bool
put(struct generation *generation, struct generation_source *source,
    const struct incoming *incoming, bool *is_done, struct error *err)
{
	struct error why = { 0 };
	uint64_t end_bytes = incoming->batch.offset_bytes + incoming->batch.size;
	bool is_repeated;
	*is_done = false;
	if (!generation_is_repeated(generation, source, incoming, &is_repeated, err))
		return false;
	if (is_repeated) {
		note_repeat(&generation->loss, incoming, end_bytes);
		return true;
	}
	switch (place_of(generation, source, incoming, &why)) {
	case PLACE_HERE:
		if (why.kind != ERROR_NONE)
			note_loss(&generation->loss, end_bytes, end_bytes, &why);
		return generation_add_batch(generation, incoming, source->minor, err);
	case PLACE_NEXT:
		/* The mark between the two is missing. */
		if (why.kind != ERROR_NONE)
			note_loss(&generation->loss, incoming->offset_bytes, incoming->offset_bytes, &why);
		generation_spill(source, incoming);
		*is_done = true;
		return true;
	case PLACE_NOWHERE:
		note_loss(&generation->loss, incoming->offset_bytes, end_bytes, &why);
		return true;
	}
	return true;
}

/* ---- the generation */

static enum generation_outcome
finish(struct generation *generation, struct generation_source *source, struct error *err)
{
	source->is_at_end = true;
	if (source->tail.is_tail) {
		note_loss(&generation->loss, source->tail.from_bytes, source->tail.to_bytes,
		          &source->tail.first);
		generation->loss.is_tail = true;
	}
	if (generation_is_empty(generation) ||
	    (source->minor >= MINOR_END_OF_GENERATION && generation->thread_count == 0))
		return GENERATION_NONE;
	if (source->minor >= MINOR_END_OF_GENERATION && !generation->loss.is_tail) {
		error_set_at(err, ERROR_TRUNCATED, generation->end_offset_bytes,
		             "incomplete generation found; trace likely truncated");
		err->generation = generation->number;
		err->batch = source->batches;
		note_tail(&generation->loss, source, generation->end_offset_bytes, err);
		generation->loss.is_between_batches = true;
	}
	return GENERATION_READ;
}

/* A mark ends the generation, unless it ends nothing. */
static bool
take_mark(struct generation *generation, const struct generation_source *source)
{
	struct error why = { 0 };
	if (source->minor >= MINOR_END_OF_GENERATION && !generation_is_empty(generation)) {
		generation->end_offset_bytes = source->in->offset_bytes;
		return true;
	}
	error_set_at(&why, ERROR_FORMAT, generation->end_offset_bytes,
	             "the end of a generation that has not begun");
	note_loss(&generation->loss, generation->end_offset_bytes, source->in->offset_bytes, &why);
	return false;
}

static enum generation_outcome
read_on(struct generation *generation, struct generation_source *source, struct error *err)
{
	bool is_done = false, has_batch = true;
	if (source->has_spilled && !generation_take_spilled(generation, source, err))
		return GENERATION_BROKEN;
	while (!is_done) {
		struct incoming incoming = { .is_end_of_input = true };
		generation->end_offset_bytes = source->in->offset_bytes;
		if (!source->is_at_end &&
		    !generation_read_batch(generation, source, &incoming, err) &&
		    !recover(generation, source, &incoming, &has_batch, err))
			return GENERATION_BROKEN;
		if (!has_batch) {
			has_batch = true;
			continue;
		}
		if (incoming.is_end_of_input)
			return finish(generation, source, err);
		if (incoming.is_end_mark)
			is_done = take_mark(generation, source);
		else if (!put(generation, source, &incoming, &is_done, err))
			return GENERATION_BROKEN;
	}
	return GENERATION_READ;
}

enum generation_outcome
generation_salvage(struct generation *generation, struct generation_source *source,
                   struct error *err)
{
	enum generation_outcome outcome = read_on(generation, source, err);
	if (outcome == GENERATION_READ)
		source->last_number = generation->number;
	return outcome;
}
