/*
 * The limit that loading is measured against: a plain loop on one thread that decodes
 * every operand of the events of a trace in memory, and drops it.
 */
#include <stdio.h>

#include "base/memory.h"
#include "base/process.h"
#include "bench.h"
#include "gotrace/generation.h"
#include "gotrace/header.h"
#include "gotrace/wire.h"

enum { RUNS = 5 };

struct walk {
	const uint8_t *at, *end;
	uint64_t dropped; /* the sum of all operands, so that none goes unread */
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
	const uint8_t *end = walk->end;
	for (int i = 0; i < 3; i++)
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

static uint64_t
drop_trace(const uint8_t *bytes, size_t size)
{
	struct walk walk = { bytes + HEADER_BYTES, bytes + size, 0 };
	while (walk.at < walk.end) {
		uint8_t id = *walk.at++;
		if (id == WIRE_EXPERIMENTAL_BATCH && walk.at < walk.end)
			walk.at++;
		if (id != WIRE_END_OF_GENERATION)
			drop_batch(&walk);
	}
	return walk.dropped;
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

bool
bench_limit(const char *path, int64_t *least_ns, struct error *err)
{
	size_t size;
	uint8_t *bytes = read_file(path, &size, err);
	uint32_t minor;
	*least_ns = 0;
	bool is_plain = bytes != NULL && size >= HEADER_BYTES && header_parse(bytes, &minor) &&
	                minor >= MINOR_FIRST_V2;
	volatile uint64_t kept = 0; /* or the compiler would leave the loop out */
	for (int i = 0; is_plain && i < RUNS; i++) {
		int64_t start_ns = process_used_ns();
		kept += drop_trace(bytes, size);
		int64_t used_ns = process_used_ns() - start_ns;
		if (i == 0 || used_ns < *least_ns)
			*least_ns = used_ns;
	}
	(void)kept;
	memory_free(bytes);
	return err->kind == ERROR_NONE;
}
