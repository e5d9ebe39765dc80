/*
 * A bounded cursor over bytes in memory. Nothing else does arithmetic on file
 * bytes.
 */
#ifndef TTRACE_INPUT_CURSOR_H
#define TTRACE_INPUT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"

enum { VARINT_MAX_BYTES = 10 };

struct cursor {
	const uint8_t *at, *end;
	uint64_t offset_bytes; /* of `end` in the input, so errors can name a place */
};

/* A cursor over bytes[0..size) that stand at offset_bytes in the input. */
static inline struct cursor
cursor_over(const uint8_t *bytes, size_t size, uint64_t offset_bytes)
{
	return (struct cursor){ bytes, bytes + size, offset_bytes + size };
}

static inline size_t
cursor_left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* Offset in the input of the next byte. */
static inline uint64_t
cursor_offset(const struct cursor *cursor)
{
	return cursor->offset_bytes - cursor_left(cursor);
}

/* What cursor_varint() does with numbers that are long or near the end. */
bool cursor_varint_slow(struct cursor *cursor, uint64_t *value, struct error *err);

/*
 * Reads one unsigned varint. On success the cursor stands after it. On failure
 * the cursor has not moved and err holds the offset of the number's first byte.
 * Never looks at or beyond `end`. Most numbers of a trace have one or two
 * bytes; those are decoded in line.
 */
static inline bool
cursor_varint(struct cursor *cursor, uint64_t *value, struct error *err)
{
	const uint8_t *at = cursor->at;

	if (LIKELY(cursor->end - at >= 2)) {
		if (at[0] < 0x80) {
			*value = at[0];
			cursor->at = at + 1;
			return true;
		}
		if (at[1] < 0x80) {
			*value = (uint64_t)(at[0] & 0x7f) | (uint64_t)at[1] << 7;
			cursor->at = at + 2;
			return true;
		}
	}
	return cursor_varint_slow(cursor, value, err);
}

/* The next byte. */
bool cursor_byte(struct cursor *cursor, uint8_t *byte, struct error *err);
/* A view of the next size bytes, without copying; it lives as long as the bytes do. */
bool cursor_bytes(struct cursor *cursor, size_t size, const uint8_t **bytes, struct error *err);

#endif
