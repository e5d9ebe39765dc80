/* Fields of protocol buffers. */
#include "source/common/wire.h"

enum { TYPE_BITS = 3, TYPE_MASK = 7 };

bool
wire_long_varint(struct cursor *cursor, uint64_t *value)
{
	size_t left = cursor_left(cursor), most = left < VARINT_MAX_BYTES ? left : VARINT_MAX_BYTES;
	uint64_t sum = 0;
	for (size_t i = 0; i < most; i++) {
		uint8_t byte = cursor->at[i];
		sum |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*value = sum;
			cursor->at += i + 1;
			return true;
		}
	}
	return false;
}

static bool
take_bytes(struct cursor *rest, struct wire_field *field)
{
	if (!wire_varint(rest, &field->value) || field->value > cursor_left(rest))
		return false;
	size_t size = (size_t)field->value;
	field->bytes = cursor_over(rest->at, size, cursor_offset(rest));
	rest->at += size;
	return true;
}

static bool
take_fixed(struct cursor *rest, size_t size, uint64_t *value)
{
	if (cursor_left(rest) < size)
		return false;
	*value = 0;
	for (size_t i = 0; i < size; i++)
		*value |= (uint64_t)rest->at[i] << (8 * i);
	rest->at += size;
	return true;
}

bool
wire_next(struct cursor *message, struct wire_field *field)
{
	struct cursor rest = *message;
	uint64_t tag;
	if (!wire_varint(&rest, &tag) || tag > UINT32_MAX || tag >> TYPE_BITS == 0)
		return false;
	field->number = (uint32_t)tag >> TYPE_BITS;
	field->type = (uint32_t)tag & TYPE_MASK;
	bool is_whole = false;
	if (field->type == WIRE_BYTES)
		is_whole = take_bytes(&rest, field);
	else if (field->type == WIRE_VARINT)
		is_whole = wire_varint(&rest, &field->value);
	else if (field->type == WIRE_FIXED64)
		is_whole = take_fixed(&rest, 8, &field->value);
	else if (field->type == WIRE_FIXED32)
		is_whole = take_fixed(&rest, 4, &field->value);
	if (is_whole)
		*message = rest;
	return is_whole;
}

bool
wire_is_cut(struct cursor rest)
{
	uint64_t tag, length;
	if (!wire_varint(&rest, &tag))
		return cursor_left(&rest) < VARINT_MAX_BYTES;
	if (tag > UINT32_MAX || tag >> TYPE_BITS == 0)
		return false;
	switch (tag & TYPE_MASK) {
	case WIRE_VARINT:
		return cursor_left(&rest) < VARINT_MAX_BYTES;
	case WIRE_BYTES:
		return wire_varint(&rest, &length) || cursor_left(&rest) < VARINT_MAX_BYTES;
	case WIRE_FIXED32:
	case WIRE_FIXED64:
		return true;
	default:
		return false;
	}
}

bool
wire_is_packed(struct cursor bytes)
{
	uint64_t value;
	while (cursor_left(&bytes) > 0) {
		if (!wire_varint(&bytes, &value))
			return false;
	}
	return true;
}
