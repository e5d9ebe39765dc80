/*
 * The wire of protocol buffers, pulled field by field from bytes in memory. A message is a
 * cursor (input/cursor.h); nothing is copied, nothing is built, and no length is believed before
 * it was compared with what is left.
 */
#ifndef TTRACE_SOURCE_COMMON_WIRE_H
#define TTRACE_SOURCE_COMMON_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "input/cursor.h"

/* How a field is written. Groups (3 and 4) are taken for damage. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire_field {
	uint32_t number; /* from 1 */
	uint32_t type;   /* enum wire_type */
	uint64_t value;  /* of a number */
	struct cursor bytes; /* of WIRE_BYTES: a text, a message, packed numbers */
};

/* What wire_varint() does with a number of several bytes. */
bool wire_long_varint(struct cursor *cursor, uint64_t *value);

/*
 * Takes an unsigned number of at most ten bytes, of which bits beyond the 64th do not count. On
 * failure the cursor has not moved. A negative int64 is such a number too.
 */
static inline bool
wire_varint(struct cursor *cursor, uint64_t *value)
{
	if (LIKELY(cursor->at < cursor->end && *cursor->at < 0x80)) {
		*value = *cursor->at++;
		return true;
	}
	return wire_long_varint(cursor, value);
}

/*
 * Takes the next field of a message. False at its end; and where no whole field stands there: then
 * bytes are left, and the cursor is where the broken field begins.
 */
bool wire_next(struct cursor *message, struct wire_field *field);

/* Where wire_next() found no whole field: whether one begins there that goes on behind the end. */
bool wire_is_cut(struct cursor rest);

/*
 * The numbers of a repeated field, which may be packed or come alone: a cursor over a packed one
 * gives them by wire_varint(), to its end. False where it is neither.
 */
static inline bool
wire_is_numbers(const struct wire_field *field)
{
	return field->type == WIRE_VARINT || field->type == WIRE_BYTES;
}

/* Whether packed numbers are whole up to the last one. O(length). */
bool wire_is_packed(struct cursor bytes);

#endif
