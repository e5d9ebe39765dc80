/* The parts of the bounded cursor that need not be in line. */
#include "input/cursor.h"

bool
cursor_varint(struct cursor *cursor, uint64_t *value, struct error *err)
{
	size_t left = cursor_left(cursor);
	uint64_t sum = 0;

	for (unsigned i = 0; i < VARINT_MAX_BYTES; i++) {
		if (i == left)
			return error_set_at(err, ERROR_TRUNCATED, cursor_offset(cursor),
			                    "a number goes past the end of its batch");
		uint8_t byte = cursor->at[i];
		/* The tenth byte has room for bit 63 alone (go-trace-v2.md, section 2). */
		if (i == VARINT_MAX_BYTES - 1 && byte > 1)
			break;
		sum |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*value = sum;
			cursor->at += i + 1;
			return true;
		}
	}
	return error_set_at(err, ERROR_FORMAT, cursor_offset(cursor),
	                    "a number does not fit in 64 bits");
}

bool
cursor_no_byte(const struct cursor *cursor, struct error *err)
{
	return error_set_at(err, ERROR_TRUNCATED, cursor_offset(cursor),
	                    "a byte is missing at the end of its batch");
}

bool
cursor_bytes(struct cursor *cursor, size_t size, const uint8_t **bytes, struct error *err)
{
	if (size > cursor_left(cursor))
		return error_set_at(err, ERROR_TRUNCATED, cursor_offset(cursor),
		                    "%zu bytes go past the end of their batch", size);
	*bytes = cursor->at;
	cursor->at += size;
	return true;
}
