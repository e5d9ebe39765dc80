/*
 * Batches from the input. Until format 1.25 a generation ends where the first
 * batch of the next one begins, which therefore has to be read ahead ("spilled");
 * from 1.26 on an explicit mark ends it.
 */
#include "source/go/generation_internal.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "source/go/header.h"

static bool
name_batch(const struct generation_source *source, uint64_t generation, struct error *err)
{
	err->batch = source->batches;
	err->generation = generation;
	return false;
}

/* Traces written into one file behind each other are a mistake that happens. */
static bool
refuse_kind(struct input *in, uint64_t offset_bytes, uint8_t id, struct error *err)
{
	uint8_t header[HEADER_BYTES] = { id };
	const uint8_t *behind;
	size_t size;
	uint32_t minor;

	if (id == 'g') {
		if (!input_peek(in, HEADER_BYTES - 1, &behind, &size, err))
			return false;
		memcpy(header + 1, behind, size);
	}
	if (header_parse(header, &minor))
		return error_set_at(err, ERROR_FORMAT, offset_bytes,
		                    "another trace, go 1.%u, begins behind the first one", minor);
	return error_set_at(err, ERROR_FORMAT, offset_bytes,
	                    "expected batch event, got event %u", id);
}

/* A byte of a header; bytes are kept so that they can be looked at in another way. */
static bool
take_byte(struct generation_source *source, uint8_t *byte, bool *at_end, struct error *err)
{
	if (!input_byte(source->in, byte, at_end, err))
		return false;
	if (!*at_end)
		source->header[source->header_count++] = *byte;
	return true;
}

static bool
take_number(struct generation_source *source, uint64_t *value, struct error *err)
{
	uint64_t start = source->in->offset_bytes;
	size_t first = source->header_count;
	uint8_t byte;
	bool at_end;
	do {
		if (!take_byte(source, &byte, &at_end, err))
			return false;
		if (at_end)
			return error_set_at(err, ERROR_TRUNCATED, start,
			                    "the input ends in the middle of a number");
	} while (byte >= 0x80 && source->header_count - first < VARINT_MAX_BYTES);
	struct cursor cursor =
		cursor_over(source->header + first, source->header_count - first, start);
	return cursor_varint(&cursor, value, err);
}

/* What stands before the generation number; false with err set for anything else. */
static bool
read_batch_kind(struct generation_source *source, struct incoming *incoming, struct error *err)
{
	uint8_t id;
	bool at_end;

	incoming->offset_bytes = source->in->offset_bytes;
	source->header_count = 0;
	if (!take_byte(source, &id, &incoming->is_end_of_input, err))
		return false;
	if (incoming->is_end_of_input || id == WIRE_EVENT_BATCH)
		return true;
	if (id == WIRE_END_OF_GENERATION) {
		incoming->is_end_mark = true;
		return true;
	}
	if (id != WIRE_EXPERIMENTAL_BATCH)
		return refuse_kind(source->in, incoming->offset_bytes, id, err);
	/* Experiment 0 is none: the batch is like any other (section 4.5). */
	if (!take_byte(source, &incoming->batch.experiment, &at_end, err))
		return false;
	if (at_end)
		return error_set_at(err, ERROR_TRUNCATED, source->in->offset_bytes,
		                    "the input ends in the middle of a batch header");
	return true;
}

/* Whether the first byte of a payload says that it is no list of timed events (section 3.1). */
static bool
is_structural(uint8_t first, const struct batch *batch, unsigned minor)
{
	if (batch->experiment != 0)
		return true;
	if (batch->size == 0)
		return false;
	switch (first) {
	case WIRE_STACKS:
	case WIRE_STRINGS:
	case WIRE_CPU_SAMPLES:
		return true;
	case WIRE_FREQUENCY:
		return minor < MINOR_CLOCKS;
	case WIRE_SYNC:
		return minor >= MINOR_CLOCKS;
	default:
		return false;
	}
}

/* Whether the payload that comes next can be left where it is until it is asked for. */
static bool
can_be_left(struct input *in, const struct batch *batch, unsigned minor)
{
	const uint8_t *first;
	size_t got;
	struct error ignored = { 0 };

	return input_can_rewind(in) && batch->size > 0 &&
	       in->offset_bytes + batch->size <= in->total_bytes &&
	       input_peek(in, 1, &first, &got, &ignored) && got > 0 &&
	       !is_structural(*first, batch, minor);
}

static bool
read_payload(struct generation *generation, const struct generation_source *source,
             struct batch *batch, struct error *err)
{
	struct input *in = source->in;

	batch->at = generation->byte_count;
	batch->offset_bytes = in->offset_bytes;
	batch->is_afar = can_be_left(in, batch, source->minor);
	if (batch->is_afar)
		return input_skip(in, batch->size, err);
	/* One more, so that an empty batch has an address too. */
	if (!array_reserve(&generation->bytes, &generation->byte_capacity,
	                   batch->at + batch->size + 1, 1, err))
		return false;
	return input_exact(in, generation->bytes + batch->at, batch->size, err);
}

static uint64_t
held_bytes(const struct generation *generation)
{
	return generation->byte_count + generation->batch_count * sizeof(*generation->batches);
}

bool
generation_read_batch(struct generation *generation, struct generation_source *source,
                      struct incoming *incoming, struct error *err)
{
	struct batch *batch = &incoming->batch;
	uint64_t size = 0;

	*incoming = (struct incoming){ 0 };
	if (!read_batch_kind(source, incoming, err))
		return false;
	if (incoming->is_end_of_input || incoming->is_end_mark)
		return true;
	batch->number = ++source->batches;
	if (!take_number(source, &incoming->generation, err) ||
	    !take_number(source, &batch->m, err) ||
	    !take_number(source, &batch->time_ticks, err) ||
	    !take_number(source, &size, err))
		return name_batch(source, incoming->generation, err);
	if (size > WIRE_BATCH_MAX_BYTES) {
		error_set_at(err, ERROR_FORMAT, incoming->offset_bytes,
		             "invalid batch size %llu, maximum is %d", (unsigned long long)size,
		             WIRE_BATCH_MAX_BYTES);
		return name_batch(source, incoming->generation, err);
	}
	batch->size = (uint32_t)size;
	if (source->most_bytes > 0 && held_bytes(generation) + size > source->most_bytes) {
		error_set_at(err, ERROR_MEMORY, incoming->offset_bytes,
		             "the generation is larger than the memory that may be used");
		return name_batch(source, incoming->generation, err);
	}
	if (!read_payload(generation, source, batch, err))
		return name_batch(source, incoming->generation, err);
	return true;
}

/* Puts the batch at the end of its thread's list. */
static bool
link_to_thread(struct generation *generation, uint32_t index, struct error *err)
{
	uint64_t m = generation->batches[index].m;
	uint32_t thread = id_map_find(&generation->thread_of, m);

	if (thread != MAP_NONE) {
		struct batch_list *list = &generation->threads[thread];
		generation->batches[list->last].next = index;
		list->last = index;
		return true;
	}
	if (!array_reserve(&generation->threads, &generation->thread_capacity,
	                   generation->thread_count + 1, sizeof(*generation->threads), err) ||
	    !id_map_add(&generation->thread_of, m, (uint32_t)generation->thread_count, err))
		return false;
	generation->threads[generation->thread_count++] = (struct batch_list){ m, index, index };
	return true;
}

bool
generation_add_batch(struct generation *generation, const struct incoming *incoming,
                     unsigned minor, struct error *err)
{
	const struct batch *batch = &incoming->batch;

	/* A minimum of 0 counts as "not set yet" (section 6.3). */
	if (generation->min_ticks == 0 || batch->time_ticks < generation->min_ticks)
		generation->min_ticks = batch->time_ticks;
	if (batch->experiment != 0) {
		generation->experimental_batches++;
		generation->experimental_bytes += batch->size;
	}
	if (batch->experiment > EXPERIMENT_ALLOC_FREE)
		return true;
	if (generation->batch_count == BATCH_NONE)
		return error_set_at(err, ERROR_LIMIT, incoming->offset_bytes,
		                    "too many batches in one generation");
	if (!array_reserve(&generation->batches, &generation->batch_capacity,
	                   generation->batch_count + 1, sizeof(*generation->batches), err))
		return false;

	uint32_t index = (uint32_t)generation->batch_count++;
	generation->batches[index] = *batch;
	generation->batches[index].next = BATCH_NONE;
	generation->batches[index].losses = generation->loss.count;
	if (batch->is_afar)
		return link_to_thread(generation, index, err);
	generation->byte_count += batch->size;
	return is_structural(generation->bytes[batch->at], batch, minor) ||
	       link_to_thread(generation, index, err);
}

static void
begin(struct generation *generation, const struct generation_source *source)
{
	generation->in = source->in;
	generation->number = 0;
	generation->min_ticks = 0;
	generation->max_ticks = UINT64_MAX;
	generation->is_end_guessed = false;
	generation->offset_bytes = source->in->offset_bytes;
	generation->byte_count = 0;
	generation->batch_count = 0;
	generation->thread_count = 0;
	id_map_clear(&generation->thread_of);
	generation->experimental_batches = 0;
	generation->experimental_bytes = 0;
	generation->loss = (struct generation_loss){ 0 };
}

bool
generation_take_spilled(struct generation *generation, struct generation_source *source,
                        struct error *err)
{
	struct incoming incoming = {
		.batch = source->spilled,
		.generation = source->spilled_generation,
	};

	if (source->spilled.size > 0 && !source->spilled.is_afar)
		memmove(generation->bytes, generation->bytes + source->spilled.at,
		        source->spilled.size);
	incoming.batch.at = 0;
	source->has_spilled = false;
	generation->number = incoming.generation;
	generation->offset_bytes = source->spilled_offset_bytes;
	return generation_add_batch(generation, &incoming, source->minor, err);
}

void
generation_spill(struct generation_source *source, const struct incoming *incoming)
{
	source->has_spilled = true;
	source->spilled = incoming->batch;
	source->spilled_generation = incoming->generation;
	source->spilled_offset_bytes = incoming->offset_bytes;
}

static enum generation_outcome
broken(struct generation_source *source)
{
	source->is_at_end = true;
	return GENERATION_BROKEN;
}

bool
generation_is_input_failure(const struct error *err)
{
	return err->kind == ERROR_FORMAT || err->kind == ERROR_TRUNCATED || err->kind == ERROR_IO;
}

static enum generation_outcome
refuse_number(struct generation_source *source, const struct incoming *incoming,
              const char *message, struct error *err)
{
	error_set_at(err, ERROR_FORMAT, incoming->offset_bytes, "%s", message);
	name_batch(source, incoming->generation, err);
	return broken(source);
}

/* Section 7.1: formats 1.22, 1.23 and 1.25. */
static enum generation_outcome
read_by_look_ahead(struct generation *generation, struct generation_source *source,
                   struct error *err)
{
	bool is_empty = true;

	if (source->has_spilled) {
		if (!generation_take_spilled(generation, source, err))
			return broken(source);
		is_empty = false;
	}
	for (;;) {
		struct incoming incoming;
		generation->end_offset_bytes = source->in->offset_bytes;
		if (!generation_read_batch(generation, source, &incoming, err)) {
			source->is_at_end = true;
			return !is_empty && generation_is_input_failure(err) ? GENERATION_CUT
			                                          : GENERATION_BROKEN;
		}
		if (incoming.is_end_of_input) {
			source->is_at_end = true;
			return GENERATION_READ;
		}
		if (incoming.generation == 0)
			return refuse_number(source, &incoming, "invalid generation number 0", err);
		if (is_empty)
			generation->number = incoming.generation;
		if (incoming.generation == generation->number + 1) {
			generation_spill(source, &incoming);
			return GENERATION_READ;
		}
		if (incoming.generation != generation->number)
			return refuse_number(source, &incoming, "generations out of order", err);
		if (!generation_add_batch(generation, &incoming, source->minor, err))
			return broken(source);
		is_empty = false;
	}
}

/* The input ended before the mark that ends a generation. */
static enum generation_outcome
end_without_mark(struct generation *generation, struct generation_source *source,
                 struct error *err)
{
	source->is_at_end = true;
	if (generation->thread_count == 0)
		return GENERATION_NONE;
	error_set_at(err, ERROR_TRUNCATED, generation->end_offset_bytes,
	             "incomplete generation found; trace likely truncated");
	name_batch(source, generation->number, err);
	return GENERATION_BROKEN;
}

/* Section 7.2: format 1.26. */
static enum generation_outcome
read_to_end_mark(struct generation *generation, struct generation_source *source,
                 struct error *err)
{
	for (bool is_first = true;; is_first = false) {
		struct incoming incoming;
		generation->end_offset_bytes = source->in->offset_bytes;
		if (!generation_read_batch(generation, source, &incoming, err))
			return broken(source);
		if (incoming.is_end_of_input)
			return end_without_mark(generation, source, err);
		if (incoming.is_end_mark) {
			generation->end_offset_bytes = source->in->offset_bytes;
			return GENERATION_READ;
		}
		if (incoming.generation == 0)
			return refuse_number(source, &incoming, "invalid generation number 0", err);
		if (is_first)
			generation->number = incoming.generation;
		if (incoming.generation != generation->number)
			return refuse_number(source, &incoming,
			                     "missing end-of-generation event, or generations "
			                     "are interleaved", err);
		if (!generation_add_batch(generation, &incoming, source->minor, err))
			return broken(source);
	}
}

enum generation_outcome
generation_read(struct generation *generation, struct generation_source *source,
                struct error *err)
{
	begin(generation, source);
	if (source->is_at_end && !source->has_spilled)
		return GENERATION_NONE;
	if (source->is_lenient)
		return generation_salvage(generation, source, err);
	if (source->minor >= MINOR_END_OF_GENERATION)
		return read_to_end_mark(generation, source, err);
	return read_by_look_ahead(generation, source, err);
}

struct cursor
generation_cursor(const struct generation *generation, const struct batch *batch)
{
	assert(!batch->is_afar && batch->at + batch->size <= generation->byte_capacity);
	return cursor_over(generation->bytes + batch->at, batch->size, batch->offset_bytes);
}

uint8_t
generation_table(const struct generation *generation, const struct batch *batch, unsigned minor)
{
	if (batch->is_afar || batch->size == 0 || batch->experiment != 0)
		return 0;
	uint8_t first = generation->bytes[batch->at];
	return is_structural(first, batch, minor) ? first : 0;
}

void
generation_drop_payload(const struct generation *generation, const struct batch *batch)
{
	if (!batch->is_afar)
		memory_discard(generation->bytes + batch->at, batch->size);
}

void
generation_release(struct generation *generation)
{
	memory_free(generation->bytes);
	memory_free(generation->batches);
	memory_free(generation->threads);
	id_map_release(&generation->thread_of);
	*generation = (struct generation){ 0 };
}
