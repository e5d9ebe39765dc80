/* A table of the kinds of events by the bytes that they take. */
#include "dump/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/flat.h"

enum { KINDS = 256, COLUMNS = 5, CELL_BYTES = 32, COLUMN_GAP = 2 };

struct tally {
	uint8_t id;
	uint64_t bytes, count;
};

struct footprint {
	struct tally kinds[KINDS];
	uint64_t file_bytes, events;
	uint32_t minor;
};

typedef char table_row[COLUMNS][CELL_BYTES];

static unsigned
varint_bytes(uint64_t number)
{
	unsigned bytes = 1;
	for (; number >= 0x80; number >>= 7)
		bytes++;
	return bytes;
}

/* The size without the padding of numbers. */
static uint64_t
least_bytes(const struct flat_event *event)
{
	struct cursor frames = event->frames;
	struct error ignored = { 0 };
	uint64_t number, bytes = 1;
	for (unsigned i = 0; i < event->kind->arg_count; i++)
		bytes += varint_bytes(event->args[i]);
	while (cursor_left(&frames) > 0 && cursor_varint(&frames, &number, &ignored))
		bytes += varint_bytes(number);
	if (event->has_data)
		bytes += varint_bytes(event->data_bytes) + event->data_bytes;
	return bytes;
}

static bool
count_event(void *context, const struct flat_event *event, struct error *err)
{
	struct footprint *footprint = context;
	struct tally *tally = &footprint->kinds[event->id];
	(void)err;
	tally->bytes += least_bytes(event);
	tally->count++;
	footprint->file_bytes += event->size_bytes;
	footprint->events++;
	return true;
}

/* Most bytes first; equal ones by id. */
static int
compare_tallies(const void *left, const void *right)
{
	const struct tally *a = left, *b = right;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return a->id - b->id;
}

/* ---- the table */

static double
percent(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/*
 * Go knows nothing of ids behind the table of the version, and has no words for the
 * gaps within it. The ids of experiments stand there since 1.26 only; what an older
 * trace holds of them has its name all the same.
 */
static void
name_kind(char name[CELL_BYTES], const struct tally *tally, uint32_t minor)
{
	uint8_t last = minor >= 26   ? WIRE_GOROUTINE_STACK_FREE
		       : minor >= 25 ? WIRE_CLOCK_SNAPSHOT
		       : minor >= 23 ? WIRE_EXPERIMENTAL_BATCH
				     : WIRE_USER_LOG;
	const char *known = go_wire_name(tally->id);
	if (tally->id > last && tally->count == 0)
		snprintf(name, CELL_BYTES, "<unknown (%u)>", tally->id);
	else
		snprintf(name, CELL_BYTES, "%s", known != NULL ? known : "");
}

static void
fill_row(table_row row, const struct footprint *footprint, const struct tally *tally)
{
	name_kind(row[0], tally, footprint->minor);
	snprintf(row[1], CELL_BYTES, "%" PRIu64, tally->bytes);
	snprintf(row[2], CELL_BYTES, "%.2f%%", percent(tally->bytes, footprint->file_bytes));
	snprintf(row[3], CELL_BYTES, "%" PRIu64, tally->count);
	snprintf(row[4], CELL_BYTES, "%.2f%%", percent(tally->count, footprint->events));
}

static void
write_row(struct writer *out, table_row row, const size_t widths[COLUMNS])
{
	for (size_t i = 0; i < COLUMNS; i++) {
		size_t length = strlen(row[i]);
		writer_add(out, row[i], length);
		for (; i + 1 < COLUMNS && length < widths[i] + COLUMN_GAP; length++)
			writer_char(out, ' ');
	}
	writer_char(out, '\n');
}

static void
write_table(struct writer *out, struct footprint *footprint)
{
	table_row rows[KINDS + 2] = {
		{ "Event", "Bytes", "%", "Count", "%" },
		{ "-", "-", "-", "-", "-" },
	};
	size_t widths[COLUMNS] = { 0 };
	qsort(footprint->kinds, KINDS, sizeof(footprint->kinds[0]), compare_tallies);
	for (size_t i = 0; i < KINDS; i++)
		fill_row(rows[i + 2], footprint, &footprint->kinds[i]);
	for (size_t i = 0; i < KINDS + 2; i++) {
		for (size_t column = 0; column < COLUMNS; column++) {
			size_t length = strlen(rows[i][column]);
			if (length > widths[column])
				widths[column] = length;
		}
	}
	for (size_t i = 0; i < KINDS + 2; i++)
		write_row(out, rows[i], widths);
}

bool
dump_footprint(
	const struct dump *dump, struct input *in, struct go_read_result *result, struct error *err)
{
	enum { HEADER_BYTES = 16 };
	struct footprint footprint = { .file_bytes = HEADER_BYTES };
	for (size_t i = 0; i < KINDS; i++)
		footprint.kinds[i].id = (uint8_t)i;
	if (!flat_walk(dump, in, count_event, &footprint, result, err))
		return false;
	footprint.minor = result->go_minor;
	write_table(dump->out, &footprint);
	return writer_finish(dump->out, err);
}
