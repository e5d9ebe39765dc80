/*
 * The limit that loading is measured against: a plain loop on one thread that decodes
 * every operand of the events of a trace in memory, and drops it.
 */
#include <stdio.h>

#include "base/memory.h"
#include "base/process.h"
#include "bench.h"
#include "source/go/generation.h"
#include "source/go/header.h"
#include "source/go/wire.h"

struct walk {
	const uint8_t *at, *end;
	uint64_t dropped;                 /* the sum of all operands, so that none goes unread */
	const uint8_t *second_generation; /* where its first batch is; NULL before */
	uint64_t generation;              /* the first one's number; 0 before */
};

static uint64_t
take_varint(struct walk *walk)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte = 0x80;
	while (byte >= 0x80 && walk->at < walk->end && shift < 64) {
		byte = *walk->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	}
	return value;
}

static void
drop_events(struct walk *walk)
{
	while (walk->at < walk->end) {
		unsigned count = wire_kinds[*walk->at++].arg_count;
		for (unsigned i = 0; i < count; i++)
			walk->dropped += take_varint(walk);
	}
}

/* A batch behind its first byte; tables are stepped over. */
static void
drop_batch(struct walk *walk)
{
	const uint8_t *start = walk->at, *end = walk->end;
	uint64_t generation = take_varint(walk);
	if (walk->generation == 0)
		walk->generation = generation;
	if (walk->second_generation == NULL && generation != walk->generation)
		walk->second_generation = start;
	for (int i = 0; i < 2; i++)
		walk->dropped += take_varint(walk);
	uint64_t size = take_varint(walk);
	if (size > (uint64_t)(end - walk->at))
		size = (uint64_t)(end - walk->at);
	walk->end = walk->at + size;
	if (size > 0 && wire_kinds[*walk->at].is_timed)
		drop_events(walk);
	walk->at = walk->end;
	walk->end = end;
}

static struct walk
drop_trace(const uint8_t *bytes, size_t size)
{
	struct walk walk = { .at = bytes + HEADER_BYTES, .end = bytes + size };
	while (walk.at < walk.end) {
		uint8_t id = *walk.at++;
		if (id == WIRE_EXPERIMENTAL_BATCH && walk.at < walk.end)
			walk.at++;
		if (id != WIRE_END_OF_GENERATION)
			drop_batch(&walk);
	}
	return walk;
}

static uint8_t *
read_file(const char *path, size_t *size, struct error *err)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t capacity = 0, got = 1;
	*size = 0;
	if (file == NULL) {
		error_set(err, ERROR_IO, "cannot be opened");
		return NULL;
	}
	while (got > 0 && array_reserve(&bytes, &capacity, *size + (1 << 20), 1, err)) {
		got = fread(bytes + *size, 1, capacity - *size, file);
		*size += got;
	}
	fclose(file);
	return bytes;
}

static bool
time_walk(const uint8_t *bytes, size_t size, struct cost *seconds, struct walk *walk,
	struct error *err)
{
	int64_t start_ns = process_now_ns(), start_used_ns = process_used_ns();
	*walk = drop_trace(bytes, size);
	volatile uint64_t kept = walk->dropped;
	(void)kept;
	int64_t used_ns = process_used_ns() - start_used_ns;
	return cost_add(
		seconds, (double)(process_now_ns() - start_ns) / 1e9, (double)used_ns / 1e9, err);
}

bool
bench_limit(const char *path, int runs, struct cost *seconds, uint64_t *first_generation_bytes,
	struct error *err)
{
	size_t size;
	uint8_t *bytes = read_file(path, &size, err);
	uint32_t minor;
	*first_generation_bytes = size;
	bool is_plain = bytes != NULL && size >= HEADER_BYTES && header_parse(bytes, &minor) &&
			minor >= MINOR_FIRST_V2;
	for (int i = 0; is_plain && i < runs; i++) {
		struct walk walk;
		if (!time_walk(bytes, size, seconds, &walk, err))
			break;
		if (walk.second_generation != NULL)
			*first_generation_bytes = (uint64_t)(walk.second_generation - bytes);
	}
	memory_free(bytes);
	return err->kind == ERROR_NONE;
}
