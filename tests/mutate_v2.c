/* The form since Go 1.22: batches, in them events or entries of tables. */
#include "mutate_internal.h"

enum { FRAME_NUMBERS = 4, NUMBERS_MAX = 2 + FRAME_NUMBERS * WIRE_MAX_FRAMES };

/* ---- events and entries */

struct record {
	uint8_t id;
	uint32_t count; /* of numbers */
	uint64_t numbers[NUMBERS_MAX];
	struct piece text; /* of a string */
};

static bool
is_timed(unsigned id)
{
	const struct wire_spec *spec = wire_spec_find(id);
	return spec != NULL && spec->is_timed;
}

/* Whose second number says how many frames or bytes follow. */
static bool
is_counted(unsigned id)
{
	return id == WIRE_STRING || id == WIRE_STACK;
}

/* The numbers that every record of this kind has; 0: there is none. */
static uint32_t
fixed_numbers(unsigned id)
{
	if (is_counted(id))
		return 2;
	if (id == WIRE_CPU_SAMPLE || id == WIRE_FREQUENCY)
		return wire_spec_find(id)->args;
	return is_timed(id) ? wire_spec_find(id)->args + 1u : 0;
}

static bool
read_record(struct cursor *cursor, struct record *record)
{
	struct error err = { 0 };
	if (!cursor_byte(cursor, &record->id, &err))
		return false;
	record->count = fixed_numbers(record->id);
	record->text = (struct piece){ 0 };
	if (record->count == 0 ||
		!cursor_varints(cursor, record->numbers, record->count, &err))
		return false;
	uint64_t more = record->numbers[1];
	if (record->id == WIRE_STRING) {
		record->text.size = (size_t)more;
		return cursor_bytes(cursor, record->text.size, &record->text.at, &err);
	}
	if (record->id != WIRE_STACK)
		return true;
	if (more > WIRE_MAX_FRAMES)
		return false;
	record->count += FRAME_NUMBERS * (uint32_t)more;
	return cursor_varints(cursor, record->numbers + 2, record->count - 2, &err);
}

static void
write_record(struct mutation *mutation, const struct record *record, struct wire *out)
{
	struct wire text = { 0 };
	struct record written = *record;
	if (record->id == WIRE_STRING && mutate_once_in(mutation, 2))
		mutate_text(mutation, record->text, &text);
	else
		wire_bytes(&text, record->text.at, record->text.size);
	if (record->id == WIRE_STRING)
		written.numbers[1] = text.size;
	if (record->id == WIRE_STACK)
		written.numbers[1] = (record->count - 2) / FRAME_NUMBERS;
	if (is_counted(record->id) && mutate_once_in(mutation, 32))
		written.numbers[1] = mutate_number(mutation, written.numbers[1]);
	wire_u8(out, written.id);
	for (uint32_t i = 0; i < written.count; i++)
		wire_varint(out, written.numbers[i]);
	wire_bytes(out, text.data, text.size);
	wire_release(&text);
}

static bool
next_record(const struct mutation *mutation, struct cursor *cursor)
{
	struct record record;
	(void)mutation;
	return read_record(cursor, &record);
}

/* Such a number as the place `index` of a record may have: mostly one from nearby. */
static uint64_t
other_number(struct mutation *mutation, const struct record *record, uint32_t index)
{
	struct record peer = { 0 };
	const struct piece *piece =
		&mutation->peers[mutate_below(mutation, (uint32_t)mutation->peer_count)];
	struct cursor cursor = cursor_over(piece->at, piece->size, 0);
	if (mutate_once_in(mutation, 2) || !read_record(&cursor, &peer))
		return mutate_number(mutation, record->numbers[index]);
	bool is_alike = peer.id == record->id && index < peer.count;
	return peer.numbers[is_alike ? index : mutate_below(mutation, peer.count)];
}

/* Makes another event of it, with the operands there are and such as may be. */
static void
change_kind(struct mutation *mutation, struct record *record)
{
	unsigned id = mutate_below(mutation, WIRE_GOROUTINE_STACK_FREE + 1);
	if (!is_timed(id))
		return;
	uint32_t count = fixed_numbers(id);
	for (uint32_t i = record->count; i < count; i++)
		record->numbers[i] = other_number(mutation, record, 0);
	record->id = (uint8_t)id;
	record->count = count;
}

static void
alter_record(struct mutation *mutation, struct piece piece, struct wire *out)
{
	struct record record;
	struct cursor cursor = cursor_over(piece.at, piece.size, 0);
	if (!read_record(&cursor, &record))
		return;
	if (is_timed(record.id) && mutate_once_in(mutation, 4))
		change_kind(mutation, &record);
	if (record.id == WIRE_STACK && mutate_once_in(mutation, 4))
		record.count -= FRAME_NUMBERS * mutate_below(mutation, (record.count + 2) / FRAME_NUMBERS);
	uint32_t index = mutate_below(mutation, record.count);
	record.numbers[index] = other_number(mutation, &record, index);
	write_record(mutation, &record, out);
}

static const struct level records = { next_record, alter_record };

/* ---- payloads of experiments: numbers, for all that is known here */

static bool
next_number(const struct mutation *mutation, struct cursor *cursor)
{
	struct error err = { 0 };
	uint64_t value;
	(void)mutation;
	return cursor_varint(cursor, &value, &err);
}

static void
alter_number(struct mutation *mutation, struct piece piece, struct wire *out)
{
	struct error err = { 0 };
	uint64_t value = 0;
	struct cursor cursor = cursor_over(piece.at, piece.size, 0);
	if (cursor_varint(&cursor, &value, &err))
		wire_varint(out, mutate_number(mutation, value));
}

static const struct level numbers = { next_number, alter_number };

/* ---- batches */

enum { HEADER_NUMBERS = 3 };

struct batch {
	uint8_t id, experiment;
	uint64_t header[HEADER_NUMBERS]; /* generation, thread, time */
	struct piece payload;
};

static bool
read_batch(struct cursor *cursor, struct batch *batch)
{
	struct error err = { 0 };
	uint64_t size;
	*batch = (struct batch){ 0 };
	if (!cursor_byte(cursor, &batch->id, &err))
		return false;
	if (batch->id == WIRE_END_OF_GENERATION)
		return true;
	if (batch->id == WIRE_EXPERIMENTAL_BATCH && !cursor_byte(cursor, &batch->experiment, &err))
		return false;
	if (batch->id != WIRE_EVENT_BATCH && batch->id != WIRE_EXPERIMENTAL_BATCH)
		return false;
	if (!cursor_varints(cursor, batch->header, HEADER_NUMBERS, &err) ||
		!cursor_varint(cursor, &size, &err) || size > WIRE_MAX_PAYLOAD)
		return false;
	batch->payload.size = (size_t)size;
	return cursor_bytes(cursor, batch->payload.size, &batch->payload.at, &err);
}

static void
write_batch(struct mutation *mutation, const struct batch *batch, const struct wire *payload,
	struct wire *out)
{
	const uint64_t *header = batch->header;
	if (batch->id == WIRE_END_OF_GENERATION) {
		wire_end_of_generation(out);
	} else if (batch->id == WIRE_EXPERIMENTAL_BATCH) {
		wire_experimental_batch(out, batch->experiment, header[0], header[1], header[2], payload);
	} else if (mutate_once_in(mutation, 64)) {
		wire_batch_header(out, header[0], header[1], header[2],
			mutate_number(mutation, payload->size));
		wire_bytes(out, payload->data, payload->size);
	} else {
		wire_batch(out, header[0], header[1], header[2], payload);
	}
}

static bool
next_batch(const struct mutation *mutation, struct cursor *cursor)
{
	struct batch batch;
	(void)mutation;
	return read_batch(cursor, &batch);
}

static void
alter_header(struct mutation *mutation, struct batch *batch)
{
	uint32_t index = mutate_below(mutation, HEADER_NUMBERS);
	struct batch peer;
	const struct piece *piece =
		&mutation->peers[mutate_below(mutation, (uint32_t)mutation->peer_count)];
	struct cursor cursor = cursor_over(piece->at, piece->size, 0);
	if (mutate_once_in(mutation, 2) && read_batch(&cursor, &peer))
		batch->header[index] = peer.header[index];
	else
		batch->header[index] = mutate_number(mutation, batch->header[index]);
}

/* The byte before the entries of a table, where there is one. */
static size_t
table_start_bytes(const struct batch *batch)
{
	uint8_t first = batch->payload.size > 0 ? batch->payload.at[0] : 0;
	return first == WIRE_STACKS || first == WIRE_STRINGS || first == WIRE_CPU_SAMPLES ||
	       first == WIRE_SYNC;
}

static void
alter_payload(struct mutation *mutation, const struct batch *batch, struct wire *payload)
{
	struct piece old = batch->payload;
	if (batch->id == WIRE_EXPERIMENTAL_BATCH) {
		mutate_level(mutation, &numbers, old.at, old.size, payload);
		return;
	}
	size_t start = table_start_bytes(batch);
	struct wire entries = { 0 };
	wire_bytes(payload, old.at, start);
	if (old.size > start)
		mutate_level(mutation, &records, old.at + start, old.size - start, &entries);
	wire_bytes(payload, entries.data, entries.size);
	wire_release(&entries);
}

static void
alter_batch(struct mutation *mutation, struct piece piece, struct wire *out)
{
	struct batch batch;
	struct wire payload = { 0 };
	struct cursor cursor = cursor_over(piece.at, piece.size, 0);
	if (!read_batch(&cursor, &batch))
		return;
	if (mutate_once_in(mutation, 6)) {
		alter_header(mutation, &batch);
		wire_bytes(&payload, batch.payload.at, batch.payload.size);
	} else {
		alter_payload(mutation, &batch, &payload);
	}
	if (payload.size <= WIRE_MAX_PAYLOAD)
		write_batch(mutation, &batch, &payload, out);
	wire_release(&payload);
}

const struct level mutate_v2 = { next_batch, alter_batch };

/* ---- generations */

void
mutate_generations(struct mutation *mutation, const uint8_t *bytes, size_t size, struct wire *out)
{
	struct cursor cursor = cursor_over(bytes, size, 0);
	struct batch batch;
	size_t from = mutate_below(mutation, (uint32_t)size);
	uint64_t more = mutate_once_in(mutation, 4) ? mutate_number(mutation, 1) : 1;
	uint64_t later = mutate_number(mutation, 1 << 20);
	if (mutate_once_in(mutation, 2)) {
		wire_bytes(out, bytes, size);
		from = 0;
	}
	for (const uint8_t *at = bytes; read_batch(&cursor, &batch); at = cursor.at) {
		struct wire payload = { 0 };
		if ((size_t)(at - bytes) >= from) {
			batch.header[0] += more;
			batch.header[2] += later;
		}
		wire_bytes(&payload, batch.payload.at, batch.payload.size);
		write_batch(mutation, &batch, &payload, out);
		wire_release(&payload);
	}
}
