/* The form before Go 1.22: records, that begin batches among others. */
#include "mutate_internal.h"
#include "source/go/v1_wire.h"

/* Operands beyond the third take the form with a length. */
enum { SHORT_MAX = 3, FORM_SHIFT = 6, NUMBERS_MAX = V1_OPERANDS_MAX_BYTES };

struct record {
	uint8_t id;
	uint32_t count; /* of numbers */
	uint64_t numbers[NUMBERS_MAX];
	struct piece text; /* of a String and a UserLog */
};

static bool
has_text(unsigned id)
{
	return id == V1_STRING || id == V1_LOG;
}

static bool
read_record(const struct mutation *mutation, struct cursor *cursor, struct record *record)
{
	struct error err = { 0 };
	struct v1_record wire = { 0 };
	if (!v1_decode(cursor, mutation->minor, &wire, &err))
		return false;
	record->id = wire.id;
	record->text = (struct piece){ wire.text, wire.text_size };
	record->count = wire.id == V1_STACK ? 0 : v1_kinds[wire.id].arg_count;
	for (uint32_t i = 0; i < record->count; i++)
		record->numbers[i] = wire.args[i];
	if (wire.id != V1_STACK)
		return true;
	while (cursor_left(&wire.operands) > 0 &&
		cursor_varint(&wire.operands, &record->numbers[record->count], &err))
		record->count++;
	return true;
}

static void
write_text(struct mutation *mutation, struct piece text, struct wire *out)
{
	struct wire changed = { 0 };
	if (mutate_once_in(mutation, 2))
		mutate_text(mutation, text, &changed);
	else
		wire_bytes(&changed, text.at, text.size);
	wire_varint(out, mutate_once_in(mutation, 64) ? mutate_number(mutation, text.size)
	                                              : changed.size);
	wire_bytes(out, changed.data, changed.size);
	wire_release(&changed);
}

static void
write_record(struct mutation *mutation, const struct record *record, struct wire *out)
{
	bool is_sized = record->id == V1_STACK || record->count > SHORT_MAX;
	struct wire operands = { 0 };
	for (uint32_t i = 0; i < record->count; i++)
		wire_varint(&operands, record->numbers[i]);
	unsigned form = is_sized ? SHORT_MAX : record->id == V1_STRING ? 0 : record->count - 1;
	wire_u8(out, form << FORM_SHIFT | record->id);
	if (is_sized)
		wire_varint(out, operands.size);
	wire_bytes(out, operands.data, operands.size);
	if (has_text(record->id))
		write_text(mutation, record->text, out);
	wire_release(&operands);
}

static bool
next_record(const struct mutation *mutation, struct cursor *cursor)
{
	struct record record;
	return read_record(mutation, cursor, &record);
}

static uint64_t
other_number(struct mutation *mutation, const struct record *record, uint32_t index)
{
	struct record peer;
	const struct piece *piece =
		&mutation->peers[mutate_below(mutation, (uint32_t)mutation->peer_count)];
	struct cursor cursor = cursor_over(piece->at, piece->size, 0);
	if (mutate_once_in(mutation, 2) || !read_record(mutation, &cursor, &peer) || peer.count == 0)
		return mutate_number(mutation, record->numbers[index]);
	bool is_alike = peer.id == record->id && index < peer.count;
	return peer.numbers[is_alike ? index : mutate_below(mutation, peer.count)];
}

static void
change_kind(struct mutation *mutation, struct record *record)
{
	unsigned id = mutate_below(mutation, V1_ID_COUNT);
	if (v1_kinds[id].name == NULL || v1_kinds[id].since > mutation->minor || id == V1_STACK)
		return;
	for (uint32_t i = record->count; i < v1_kinds[id].arg_count; i++)
		record->numbers[i] = mutate_below(mutation, 16);
	record->id = (uint8_t)id;
	record->count = v1_kinds[id].arg_count;
}

static void
alter_record(struct mutation *mutation, struct piece piece, struct wire *out)
{
	struct record record;
	struct cursor cursor = cursor_over(piece.at, piece.size, 0);
	if (!read_record(mutation, &cursor, &record) || record.count == 0)
		return;
	if (record.id != V1_STACK && mutate_once_in(mutation, 4))
		change_kind(mutation, &record);
	uint32_t index = mutate_below(mutation, record.count);
	record.numbers[index] = other_number(mutation, &record, index);
	write_record(mutation, &record, out);
}

const struct level mutate_v1 = { next_record, alter_record };
