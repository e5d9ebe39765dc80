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

/*
 * Reads one unsigned varint. On success the cursor stands after it. On failure
 * the cursor has not moved and err holds the offset of the number's first byte.
 * Never looks at or beyond `end`.
 */
bool cursor_varint(struct cursor *cursor, uint64_t *value, struct error *err);

/*
 * Decodes a varint of up to four bytes; there are VARINT_MAX_BYTES at least.
 * Returns the place behind it, or NULL if it is longer: few numbers of a trace are.
 */
static inline const uint8_t *
cursor_short_varint(const uint8_t *at, uint64_t *value)
{
	uint32_t sum = at[0];
	if (sum < 0x80) {
		*value = sum;
		return at + 1;
	}
	sum = (sum & 0x7f) | (uint32_t)at[1] << 7;
	if (sum < 0x80 << 7) {
		*value = sum;
		return at + 2;
	}
	sum = (sum & 0x3fff) | (uint32_t)at[2] << 14;
	if (sum < 0x80 << 14) {
		*value = sum;
		return at + 3;
	}
	sum = (sum & 0x1fffff) | (uint32_t)at[3] << 21;
	*value = sum;
	return sum < UINT32_C(0x80) << 21 ? at + 4 : NULL;
}

/* Decodes `count` of them, one after another; NULL if one is longer. */
static ALWAYS_INLINE const uint8_t *
cursor_short_varints(const uint8_t *at, uint64_t *values, unsigned count)
{
	for (uint64_t *end = values + count; values < end; values++) {
		at = cursor_short_varint(at, values);
		if (UNLIKELY(at == NULL))
			return NULL;
	}
	return at;
}

/*
 * Reads `count` varints, as cursor_varint() does each; on failure those before the
 * broken one were taken. Checks the bounds once where all are far from the end.
 */
static inline bool
cursor_varints(struct cursor *cursor, uint64_t *values, unsigned count, struct error *err)
{
	uint64_t *end = values + count;
	if (LIKELY(cursor_left(cursor) >= (size_t)count * VARINT_MAX_BYTES)) {
		const uint8_t *at = cursor->at;
		for (; values < end; values++) {
			const uint8_t *behind = cursor_short_varint(at, values);
			if (UNLIKELY(behind == NULL))
				break;
			at = behind;
		}
		cursor->at = at;
	}
	for (; UNLIKELY(values < end); values++) {
		if (!cursor_varint(cursor, values, err))
			return false;
	}
	return true;
}

/* What cursor_byte() does at the end. */
bool cursor_no_byte(const struct cursor *cursor, struct error *err);

/* The next byte. */
static inline bool
cursor_byte(struct cursor *cursor, uint8_t *byte, struct error *err)
{
	if (UNLIKELY(cursor->at == cursor->end))
		return cursor_no_byte(cursor, err);
	*byte = *cursor->at++;
	return true;
}

/* A view of the next size bytes, without copying; it lives as long as the bytes do. */
bool cursor_bytes(struct cursor *cursor, size_t size, const uint8_t **bytes, struct error *err);

#endif
