/* Pieces and numbers of traces, and what becomes of them. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "input/unpack.h"
#include "mutate_internal.h"
#include "packing.h"
#include "simpool.h"
#include "source/go/header.h"

enum { FIRST_V2_MINOR = 22, UNPACKED_MAX_BYTES = 1 << 20, CHANGES_MAX = 4 };

uint32_t
mutate_below(struct mutation *mutation, uint32_t bound)
{
	return pool_below(&mutation->random, bound);
}

bool
mutate_once_in(struct mutation *mutation, uint32_t times)
{
	return mutate_below(mutation, times) == 0;
}

uint64_t
mutate_number(struct mutation *mutation, uint64_t value)
{
	static const uint64_t limits[] = {
		0, 1, 127, 128, 1024, 1025, UINT16_MAX, 65536, INT32_MAX, UINT32_MAX,
		UINT64_C(1) << 32, UINT64_C(1) << 53, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1,
		UINT64_MAX,
	};
	switch (mutate_below(mutation, 7)) {
	case 0:
		return value + 1;
	case 1:
		return value - 1;
	case 2:
		return limits[mutate_below(mutation, sizeof limits / sizeof limits[0])];
	case 3:
		return value ^ UINT64_C(1) << mutate_below(mutation, 64);
	case 4:
		return value * 2;
	case 5:
		return pool_random(&mutation->random) >> mutate_below(mutation, 64);
	default:
		return mutate_below(mutation, 16);
	}
}

void
mutate_text(struct mutation *mutation, struct piece text, struct wire *out)
{
	static const char *const hostile[] = {
		"", "\x1b[2J\x1b]0;x\x07", "\xff\xfe", "\xe2\x80\xae", "\n\r\t", "%s%n", "a\xcc\x81\xcc\x81",
		"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", "\"\\u0000</script>", "GC mark worker",
	};
	const char *chosen = hostile[mutate_below(mutation, sizeof hostile / sizeof hostile[0])];
	switch (mutate_below(mutation, 4)) {
	case 0:
		wire_bytes(out, text.at, mutate_below(mutation, (uint32_t)text.size + 1));
		return;
	case 1:
		wire_bytes(out, text.at, text.size);
		wire_bytes(out, text.at, text.size);
		return;
	case 2:
		wire_bytes(out, text.at, text.size);
		break;
	}
	wire_bytes(out, chosen, strlen(chosen));
}

/* ---- levels */

struct pieces {
	struct piece *rows;
	size_t count, capacity;
};

static bool
add_piece(struct pieces *pieces, struct piece piece)
{
	struct error err = { 0 };
	if (!array_reserve(&pieces->rows, &pieces->capacity, pieces->count + 1,
		    sizeof(*pieces->rows), &err))
		return false;
	pieces->rows[pieces->count++] = piece;
	return true;
}

static void
cut(const struct mutation *mutation, const struct level *level, const uint8_t *bytes,
	size_t size, struct pieces *pieces)
{
	struct cursor cursor = cursor_over(bytes, size, 0);
	const uint8_t *at = cursor.at;
	while (cursor_left(&cursor) > 0 && level->next(mutation, &cursor)) {
		if (!add_piece(pieces, (struct piece){ at, (size_t)(cursor.at - at) }))
			return;
		at = cursor.at;
	}
}

/* Takes a run of pieces out; puts it in elsewhere, or twice, or not at all. */
static void
move_run(struct mutation *mutation, struct pieces *pieces)
{
	uint32_t count = (uint32_t)pieces->count;
	uint32_t from = mutate_below(mutation, count);
	uint32_t length = 1 + mutate_below(mutation, count - from < 8 ? count - from : 8);
	uint32_t to = mutate_below(mutation, count - length + 1);
	uint32_t copies = mutate_below(mutation, 3);
	struct pieces moved = { 0 };
	for (uint32_t i = 0; i <= count - length; i++) {
		for (uint32_t j = 0; i == to && j < copies * length; j++)
			add_piece(&moved, pieces->rows[from + j % length]);
		if (i < count - length)
			add_piece(&moved, pieces->rows[i < from ? i : i + length]);
	}
	memory_free(pieces->rows);
	*pieces = moved;
}

static void
write_pieces(struct mutation *mutation, const struct level *level, const struct pieces *pieces,
	struct wire *out)
{
	uint32_t changes = 1 + mutate_below(mutation, CHANGES_MAX);
	uint32_t altered[CHANGES_MAX];
	for (uint32_t i = 0; i < changes; i++)
		altered[i] = mutate_below(mutation, (uint32_t)pieces->count);
	for (uint32_t i = 0; i < pieces->count; i++) {
		bool is_altered = false;
		for (uint32_t j = 0; j < changes; j++)
			is_altered = is_altered || altered[j] == i;
		mutation->peers = pieces->rows;
		mutation->peer_count = pieces->count;
		if (is_altered)
			level->alter(mutation, pieces->rows[i], out);
		else
			wire_bytes(out, pieces->rows[i].at, pieces->rows[i].size);
	}
}

void
mutate_level(struct mutation *mutation, const struct level *level, const uint8_t *bytes,
	size_t size, struct wire *out)
{
	struct pieces pieces = { 0 };
	cut(mutation, level, bytes, size, &pieces);
	if (pieces.count > 0 && mutate_once_in(mutation, 4))
		move_run(mutation, &pieces);
	else if (pieces.count > 0)
		write_pieces(mutation, level, &pieces, out);
	if (out->size == 0)
		for (size_t i = 0; i < pieces.count; i++)
			wire_bytes(out, pieces.rows[i].at, pieces.rows[i].size);
	memory_free(pieces.rows);
}

/* ---- files */

static void
mutate_file(const uint8_t *bytes, size_t size, uint64_t seed, struct wire *out)
{
	static const unsigned minors[] = { 22, 23, 25, 26 };
	struct mutation mutation = { .random = seed };
	uint32_t minor;
	if (size <= HEADER_BYTES || !header_parse(bytes, &minor))
		return;
	mutation.minor = minor;
	const struct level *level = minor < FIRST_V2_MINOR ? &mutate_v1 : &mutate_v2;
	struct wire body = { 0 };
	const uint8_t *behind = bytes + HEADER_BYTES;
	if (level == &mutate_v2 && mutate_once_in(&mutation, 12))
		mutate_generations(&mutation, behind, size - HEADER_BYTES, &body);
	else
		mutate_level(&mutation, level, behind, size - HEADER_BYTES, &body);
	if (level == &mutate_v2 && mutate_once_in(&mutation, 32))
		wire_header(out, minors[mutate_below(&mutation, 4)]);
	else
		wire_bytes(out, bytes, HEADER_BYTES);
	wire_bytes(out, body.data, body.size);
	if (body.size == 0 || body.has_failed)
		wire_clear(out);
	wire_release(&body);
}

static bool
unpack(const uint8_t *bytes, size_t size, const struct packing *packing, struct wire *out)
{
	struct input from, in;
	struct error err = { 0 };
	const uint8_t *ready;
	size_t count = 1;
	if (!input_open_memory(&from, bytes, size, &err))
		return false;
	bool ok = unpack_open(&in, &from, packing, &err);
	while (ok && count > 0 && out->size < UNPACKED_MAX_BYTES) {
		ok = input_ready(&in, &ready, &count, &err);
		if (!ok)
			break;
		wire_bytes(out, ready, count);
		input_take(&in, count);
	}
	input_close(&in);
	input_close(&from);
	return out->size > 0;
}

static void
mutate_packed(const uint8_t *bytes, size_t size, const struct packing *packing, uint64_t seed,
	struct wire *out)
{
	struct wire unpacked = { 0 }, changed = { 0 };
	struct text packed = { 0 };
	if (unpack(bytes, size, packing, &unpacked))
		mutate_file(unpacked.data, unpacked.size, seed, &changed);
	for (int i = 0; changed.size > 0 && i < PACKERS; i++) {
		if (strcmp(packers[i].name, packing_name(packing)) == 0)
			packers[i].pack(&packed, changed.data, changed.size);
	}
	wire_bytes(out, packed.bytes, packed.length);
	text_release(&packed);
	wire_release(&changed);
	wire_release(&unpacked);
}

size_t
mutate_trace(uint8_t *bytes, size_t size, size_t max_size, uint64_t seed)
{
	struct wire out = { 0 };
	const struct packing *packing = unpack_recognise(bytes, size);
	if (packing != NULL)
		mutate_packed(bytes, size, packing, seed, &out);
	else
		mutate_file(bytes, size, seed, &out);
	size_t changed = out.has_failed || out.size > max_size ? 0 : out.size;
	if (changed > 0)
		memcpy(bytes, out.data, changed);
	wire_release(&out);
	return changed;
}
