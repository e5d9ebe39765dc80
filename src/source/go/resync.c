/* What a batch looks like: doc/format/go-trace-v2.md, sections 3 and 4. */
#include "source/go/resync.h"

#include "source/go/generation_internal.h"
#include "source/go/header.h"
#include "source/go/wire.h"

enum {
	/* Entries of a payload that are looked at: a wrong byte is an event one time in four. */
	ENTRIES_TRIED = 16,
	/* Batches in a row that are. */
	BATCHES_TRIED = 3,
	/* No more can be missing, at one a second, or nearly all numbers would fit. */
	GENERATIONS_MISSING_MAX = 1000,
	/* A batch is not judged by less than this, unless the input ends there. */
	BYTES_JUDGED = 4096,
	/* Where decoding is begun in the rest of a batch; it soon falls into step. */
	STARTS_TRIED = 16,
	/* Fewer bytes are events by chance. */
	REST_MIN_BYTES = 64,
};

/* Bytes to be decoded without a word about what is wrong, since most of them are. */
struct view {
	const uint8_t *at, *end;
	bool is_short; /* more was wanted than there is */
};

static bool
take_byte(struct view *view, uint8_t *byte)
{
	view->is_short = view->at == view->end;
	if (view->is_short)
		return false;
	*byte = *view->at++;
	return true;
}

static bool
take_number(struct view *view, uint64_t *number)
{
	*number = 0;
	for (unsigned i = 0; i < VARINT_MAX_BYTES; i++) {
		uint8_t byte;
		if (!take_byte(view, &byte))
			return false;
		if (i == VARINT_MAX_BYTES - 1 && byte > 1)
			return false;
		*number |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool
skip_numbers(struct view *view, uint64_t count)
{
	uint64_t ignored;
	for (; count > 0; count--) {
		if (!take_number(view, &ignored))
			return false;
	}
	return true;
}

/* ---- payloads */

static bool
skip_string(struct view *view)
{
	uint64_t id, size;
	if (!take_number(view, &id) || !take_number(view, &size) || size > WIRE_STRING_MAX_BYTES)
		return false;
	view->is_short = size > (uint64_t)(view->end - view->at);
	if (view->is_short)
		return false;
	view->at += size;
	return true;
}

static bool
skip_stack(struct view *view)
{
	uint64_t id, frames;
	return take_number(view, &id) && take_number(view, &frames) &&
	       frames <= WIRE_STACK_MAX_FRAMES && skip_numbers(view, frames * 4);
}

/* One entry of the table that `table` begins; 0 stands for a list of timed events. */
static bool
skip_entry(struct view *view, uint8_t table)
{
	uint8_t id;
	if (!take_byte(view, &id))
		return false;
	const struct wire_kind *kind = &wire_kinds[id];
	switch (table) {
	case WIRE_STRINGS:
		return id == WIRE_STRING && skip_string(view);
	case WIRE_STACKS:
		return id == WIRE_STACK && skip_stack(view);
	case WIRE_CPU_SAMPLES:
		return id == WIRE_CPU_SAMPLE && skip_numbers(view, kind->arg_count);
	case WIRE_SYNC:
		return (id == WIRE_FREQUENCY || id == WIRE_CLOCK_SNAPSHOT) &&
		       skip_numbers(view, kind->arg_count);
	default:
		return kind->is_timed && skip_numbers(view, kind->arg_count);
	}
}

/* Takes the byte that opens a table; 0 when there is none. */
static uint8_t
take_table(struct view *view, unsigned minor)
{
	uint8_t first = view->at < view->end ? *view->at : 0;
	/* Before 1.25 the frequency is an entry without a table around it. */
	if (first == WIRE_FREQUENCY && minor < MINOR_CLOCKS)
		return WIRE_SYNC;
	if (first != WIRE_STRINGS && first != WIRE_STACKS && first != WIRE_CPU_SAMPLES &&
	    first != WIRE_SYNC)
		return 0;
	view->at++;
	return first;
}

size_t
resync_decodable(const uint8_t *payload, size_t size, unsigned minor, bool *is_cut)
{
	struct view view = { .at = payload, .end = payload + size };
	uint8_t table = take_table(&view, minor);
	const uint8_t *good = view.at;
	*is_cut = false;
	while (view.at < view.end) {
		if (!skip_entry(&view, table)) {
			*is_cut = view.is_short;
			break;
		}
		good = view.at;
	}
	return (size_t)(good - payload);
}

/* ---- batches */

struct batch_header {
	uint64_t generation, size;
	bool is_padded; /* the size has all the bytes that it can, as the runtime writes it */
};

static bool
take_header(struct view *view, struct batch_header *header)
{
	uint8_t id, experiment;
	uint64_t m, time_ticks;
	if (!take_byte(view, &id) ||
	    (id != WIRE_EVENT_BATCH &&
	     (id != WIRE_EXPERIMENTAL_BATCH || !take_byte(view, &experiment))) ||
	    !take_number(view, &header->generation) || !take_number(view, &m) ||
	    !take_number(view, &time_ticks))
		return false;
	const uint8_t *size_at = view->at;
	if (!take_number(view, &header->size))
		return false;
	header->is_padded = view->at - size_at == VARINT_MAX_BYTES;
	return header->generation != 0 && header->size <= WIRE_BATCH_MAX_BYTES;
}

/* Whether the first entries of a payload can be decoded, as far as they can be seen. */
static bool
is_payload(struct view view, unsigned minor, bool is_whole)
{
	uint8_t table = take_table(&view, minor);
	for (unsigned i = 0; i < ENTRIES_TRIED && view.at < view.end; i++) {
		if (!skip_entry(&view, table))
			return view.is_short && !is_whole;
	}
	return true;
}

/* The mark may stand before the first batch of the next generation. */
static void
skip_mark(struct view *view, unsigned minor)
{
	if (minor >= MINOR_END_OF_GENERATION && view->at < view->end &&
	    *view->at == WIRE_END_OF_GENERATION)
		view->at++;
}

/*
 * Whether batches stand here, or nothing but one up to the end if is_last. Events are full
 * of small numbers, so that wherever one looks among them something like a batch begins:
 * the padded size is the sign that they do not have, or another batch right behind.
 */
static bool
is_batch(struct view view, unsigned minor, uint64_t least, bool is_last)
{
	uint64_t most = least > 0 ? least + GENERATIONS_MISSING_MAX : UINT64_MAX;
	bool is_sure = false;
	for (unsigned i = 0; i < BATCHES_TRIED; i++) {
		struct batch_header header;
		if (i > 0)
			skip_mark(&view, minor);
		if (i > 0 && view.at == view.end)
			return is_sure || is_last;
		bool is_experimental = view.at < view.end && *view.at == WIRE_EXPERIMENTAL_BATCH;
		if (!take_header(&view, &header) || header.generation < least ||
		    header.generation > most)
			return is_sure && view.is_short;
		/* Those of experiments may hold anything, those of others are hardly empty. */
		if (i == 0 && (is_experimental || header.size == 0))
			return false;
		is_sure = i > 0 || header.is_padded;
		/* What follows is of the same generation or the next. */
		least = header.generation;
		most = header.generation + 1;
		size_t left = (size_t)(view.end - view.at);
		bool is_whole = header.size <= left;
		struct view payload = { view.at, view.at + (is_whole ? header.size : left), false };
		if (!is_experimental && !is_payload(payload, minor, is_whole))
			return false;
		if (!is_whole)
			return is_sure;
		view.at += header.size;
	}
	return true;
}

uint64_t
resync_next_generation(struct input *in)
{
	const uint8_t *bytes;
	size_t size;
	struct batch_header header = { 0 };
	struct error ignored = { 0 };
	if (!input_peek(in, WIRE_BATCH_HEADER_MAX_BYTES, &bytes, &size, &ignored))
		return 0;
	struct view view = { bytes, bytes + size, false };
	return take_header(&view, &header) ? header.generation : 0;
}

/* ---- the search */

static bool
is_trace(const uint8_t *bytes, size_t size)
{
	uint32_t minor;
	return size >= HEADER_BYTES && bytes[0] == 'g' && header_parse(bytes, &minor);
}

/* Looks at the places before `last`; the number of the first that is something, or last. */
static size_t
search(const uint8_t *bytes, size_t size, size_t last, unsigned minor, uint64_t least,
       enum resync_found *found)
{
	for (size_t at = 0; at < last; at++) {
		struct view view = { bytes + at, bytes + size, false };
		*found = RESYNC_TRACE;
		if (is_trace(bytes + at, size - at))
			return at;
		*found = RESYNC_BATCH;
		if (bytes[at] == WIRE_EVENT_BATCH && is_batch(view, minor, least, last == size))
			return at;
	}
	*found = RESYNC_END;
	return last;
}

/* *run counts on from one call to the next. */
static void
find_zero_run(const uint8_t *bytes, size_t size, uint64_t *run, uint64_t *longest)
{
	for (size_t i = 0; i < size; i++) {
		*run = bytes[i] == 0 ? *run + 1 : 0;
		if (*run > *longest)
			*longest = *run;
	}
}

/* The header of a batch can be recognised by its size even if its first bytes are wrong. */
static bool
has_size_near(const uint8_t *bytes, size_t size)
{
	for (size_t at = 0; at < WIRE_BATCH_HEADER_MAX_BYTES && at < size; at++) {
		struct view view = { bytes + at, bytes + size, false };
		uint64_t number;
		if (take_number(&view, &number) &&
		    view.at == bytes + at + VARINT_MAX_BYTES &&
		    number == (uint64_t)(view.end - view.at))
			return true;
	}
	return false;
}

/* Whether these are events to the last byte; is_part: of which the last may be cut off. */
static bool
is_rest_of_batch(const uint8_t *bytes, size_t size, bool is_part)
{
	for (size_t at = 0; at < STARTS_TRIED && at + REST_MIN_BYTES <= size; at++) {
		struct view view = { bytes + at, bytes + size, false };
		while (view.at < view.end && skip_entry(&view, 0))
			continue;
		if (view.is_short ? is_part : view.at == view.end)
			return true;
	}
	return false;
}

bool
resync(struct input *in, unsigned minor, uint64_t least, struct resynced *resynced,
       struct error *err)
{
	enum resync_found *found = &resynced->found;
	uint64_t zero_run = 0;
	bool is_rest = true;
	*resynced = (struct resynced){ .found = RESYNC_END };
	for (;;) {
		const uint8_t *bytes;
		size_t size;
		if (!input_peek(in, INPUT_BUFFER_BYTES, &bytes, &size, err)) {
			if (!generation_is_input_failure(err))
				return false;
			error_clear(err);
			return true;
		}
		bool is_all = size < INPUT_BUFFER_BYTES;
		size_t last = is_all ? size : size - BYTES_JUDGED;
		size_t at = search(bytes, size, last, minor, least, found);
		find_zero_run(bytes, at, &zero_run, &resynced->zero_run_bytes);
		is_rest = is_rest && !has_size_near(bytes, at) &&
		          is_rest_of_batch(bytes, at, *found == RESYNC_END);
		resynced->is_rest = is_rest && *found == RESYNC_BATCH && at > 0;
		input_take(in, at);
		if (*found != RESYNC_END || (is_all && at == size))
			return true;
	}
}
