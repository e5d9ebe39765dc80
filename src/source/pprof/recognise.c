/* Tags from the first byte on; a first line; five words. */
#include "source/pprof/recognise.h"

#include "base/compiler.h"
#include "source/common/line_reader.h"
#include "source/common/wire.h"
#include "source/source.h"

enum {
	FIELDS = 15,        /* of a profile, from 1 */
	TYPE_BYTES_MOST = 64,
	MESSAGE_POINTS = 4, /* of what is like a field of a profile, without a type of samples */
	MESSAGE_MOST = 10,  /* of these count */
	HEADER_POINTS = 100 /* words that are not all there */
};

/* ---- profile.proto */

static const uint8_t field_types[FIELDS + 1] = {
	[1] = WIRE_BYTES,
	[2] = WIRE_BYTES,
	[3] = WIRE_BYTES,
	[4] = WIRE_BYTES,
	[5] = WIRE_BYTES,
	[6] = WIRE_BYTES,
	[11] = WIRE_BYTES, /* the others are numbers */
};

static bool
is_known(const struct wire_field *field)
{
	if (field->number > FIELDS || field->type == field_types[field->number])
		return true;
	return field->number == 13 && field->type == WIRE_BYTES; /* comments, packed */
}

/* A type of samples: nothing but fields 1 and 2, as numbers. */
static bool
is_type(struct cursor bytes)
{
	struct wire_field field;
	if (cursor_left(&bytes) > TYPE_BYTES_MOST)
		return false;
	while (wire_next(&bytes, &field)) {
		if (field.number > 2 || field.type != WIRE_VARINT)
			return false;
	}
	return cursor_left(&bytes) == 0;
}

/* Whether it is a message with something in it. */
static bool
is_message(const struct wire_field *field)
{
	struct cursor bytes = field->bytes;
	struct wire_field inner;
	if (field->number == 6 || field->number > FIELDS || field->type != WIRE_BYTES)
		return false;
	unsigned count = 0;
	while (wire_next(&bytes, &inner))
		count++;
	return count > 0 && cursor_left(&bytes) == 0;
}

static unsigned
points_of_proto(const uint8_t *bytes, size_t size)
{
	struct cursor rest = cursor_over(bytes, size, 0);
	struct wire_field field;
	unsigned messages = 0;
	while (wire_next(&rest, &field)) {
		if (!is_known(&field))
			return 0;
		if (field.number == 1)
			return !is_type(field.bytes)             ? 0
			       : cursor_left(&field.bytes) == 0 ? HEADER_POINTS
								: SOURCE_SURE;
		messages += is_message(&field);
	}
	/* Up to the end without one; text, in which anything may be a tag, has no messages. */
	return MESSAGE_POINTS * (messages < MESSAGE_MOST ? messages : MESSAGE_MOST);
}

/* ---- texts */

static bool
is_total(struct scan line)
{
	uint64_t total;
	size_t length = 0;
	while (length < scan_left(&line) && line.at[length] != ' ')
		length++;
	line.at += length;
	return length > 0 && scan_text(&line, " profile: total ") && scan_number(&line, &total) &&
	       scan_is_end(&line);
}

static bool
is_heap(struct scan line)
{
	uint64_t number;
	if (!scan_text(&line, "heap profile:"))
		return false;
	scan_blanks(&line);
	return scan_is_end(&line) || scan_number(&line, &number);
}

enum pprof_text_kind
pprof_text_kind(struct scan line)
{
	static const struct {
		const char *begin;
		enum pprof_text_kind kind;
	} rows[] = {
		{ "--- contention:", PPROF_TEXT_CONTENTION },
		{ "--- mutex:", PPROF_TEXT_CONTENTION },
		{ "--- contentionz ", PPROF_TEXT_CONTENTION },
		{ "--- threadz ", PPROF_TEXT_THREADS },
		{ "--- Thread ", PPROF_TEXT_THREADS },
		{ "--- heapz ", PPROF_TEXT_PAGES },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct scan rest = line;
		if (scan_text(&rest, rows[i].begin))
			return rows[i].kind;
	}
	if (is_heap(line))
		return PPROF_TEXT_HEAP;
	return is_total(line) ? PPROF_TEXT_COUNT : PPROF_TEXT_NONE;
}

static unsigned
points_of_text(const uint8_t *bytes, size_t size)
{
	struct scan text = scan_over((const char *)bytes, size), line;
	bool has_newline = false;
	scan_text(&text, "\xef\xbb\xbf");
	do {
		if (!line_take(&text, &line, &has_newline))
			return 0;
		scan_trim(&line);
	} while (scan_is_end(&line));
	switch (pprof_text_kind(line)) {
	case PPROF_TEXT_NONE:
		return 0;
	case PPROF_TEXT_HEAP:
	case PPROF_TEXT_CONTENTION:
	case PPROF_TEXT_THREADS:
	case PPROF_TEXT_PAGES:
		return HEADER_POINTS;
	case PPROF_TEXT_COUNT:
		return has_newline ? HEADER_POINTS : SOURCE_LEAST;
	}
	return 0;
}

/* ---- words */

uint64_t
pprof_word(const struct pprof_words *words, const uint8_t *bytes, size_t index)
{
	const uint8_t *at = bytes + index * words->word_bytes;
	uint64_t value = 0;
	for (size_t i = 0; i < words->word_bytes; i++) {
		size_t from = words->is_big ? i : words->word_bytes - 1 - i;
		value = value << 8 | at[from];
	}
	return value;
}

struct pprof_words
pprof_words_of(const uint8_t *bytes, size_t size)
{
	for (unsigned form = 0; form < 4; form++) {
		struct pprof_words words = { form < 2 ? 8 : 4, form % 2 == 1 };
		size_t whole = size / words.word_bytes;
		bool fits = whole >= 2;
		for (size_t i = 0; fits && i < whole && i < PPROF_CPU_HEADER_WORDS; i++) {
			uint64_t word = pprof_word(&words, bytes, i);
			fits = i == PPROF_CPU_PERIOD_WORD ? word > 0 && word <= INT32_MAX
							  : word == (i == 1 ? 3 : 0);
		}
		if (fits)
			return words;
	}
	return (struct pprof_words){ 0 };
}

/* ---- all */

enum pprof_form
pprof_recognise(const uint8_t *bytes, size_t size, unsigned *points)
{
	struct pprof_words words = pprof_words_of(bytes, size);
	if (words.word_bytes > 0) {
		*points = size < PPROF_CPU_HEADER_WORDS * words.word_bytes ? HEADER_POINTS
									  : SOURCE_SURE;
		return PPROF_CPU;
	}
	*points = points_of_text(bytes, size);
	if (*points > 0)
		return PPROF_TEXT;
	*points = points_of_proto(bytes, size);
	return PPROF_PROTO;
}
