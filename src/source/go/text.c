/* Lines to bytes: header, events, and what stands below an event. */
#include "source/go/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "source/go/header.h"
#include "source/go/text_places.h"
#include "source/go/text_token.h"
#include "source/go/wire.h"

enum {
	PIECE_BYTES = 4096,  /* as many are made at a time, and a line's more */
	NAME_SLOTS = 512,    /* a power of two, far more than there are names */
	MINOR_FIRST = 22,    /* there is no text form of older traces */
	MINOR_LAST = 99,     /* the header has room for two digits */
};

/* A test case is a trace between two markers. */
enum section { SECTION_NONE, SECTION_BEFORE, SECTION_TRACE };

struct decoder {
	enum section section;
	uint64_t line;          /* that was read last; 1 is the first */
	bool has_header;
	bool is_at_end;
	uint64_t minor;         /* the N of Go1.N */
	uint64_t frames_due;    /* frame lines that must follow */
	bool is_data_due;       /* a data line may follow */
	uint64_t wire_bytes;    /* made so far */
	struct text out;        /* made and not read yet, from out_at on */
	size_t out_at;
	struct text data;
	struct text_places places;
	struct error failure;   /* told by every read() from now on */
	uint8_t slots[NAME_SLOTS]; /* ids by name; 0 for none */
};

/* ---- names */

static unsigned
name_slot(const char *bytes, size_t size)
{
	unsigned hash = 0;
	for (size_t i = 0; i < size; i++)
		hash = hash * 31 + (unsigned char)bytes[i];
	return hash % NAME_SLOTS;
}

static void
fill_slots(struct decoder *decoder)
{
	for (unsigned id = 1; id < 256; id++) {
		const char *name = wire_kinds[id].name;
		if (name == NULL)
			continue;
		unsigned slot = name_slot(name, strlen(name));
		while (decoder->slots[slot] != 0)
			slot = (slot + 1) % NAME_SLOTS;
		decoder->slots[slot] = (uint8_t)id;
	}
}

/* The id of an event, 0 for a name that is none. */
static unsigned
find_id(const struct decoder *decoder, struct text_token name)
{
	unsigned slot = name_slot(name.bytes, name.size);
	for (; decoder->slots[slot] != 0; slot = (slot + 1) % NAME_SLOTS) {
		if (text_token_is(name, wire_kinds[decoder->slots[slot]].name))
			return decoder->slots[slot];
	}
	return 0;
}

/* ---- bytes */

static void
put_byte(struct decoder *decoder, unsigned byte)
{
	char c = (char)byte;
	text_add(&decoder->out, &c, 1);
}

static void
put_varint(struct decoder *decoder, uint64_t value)
{
	char bytes[VARINT_MAX_BYTES];
	size_t count = 0;
	for (; value >= 0x80; value >>= 7)
		bytes[count++] = (char)((value & 0x7f) | 0x80);
	bytes[count++] = (char)value;
	text_add(&decoder->out, bytes, count);
}

static void
put_data(struct decoder *decoder, const struct text *data)
{
	put_varint(decoder, data->length);
	text_add(&decoder->out, data->bytes, data->length);
	decoder->is_data_due = false;
}

/* ---- lines */

static bool
take_header(struct decoder *decoder, struct text_rest *rest, struct error *err)
{
	static const char before[] = "Go1.";
	struct text_token token = text_next_token(rest);
	if (token.size == 0)
		return true;
	if (!text_token_is(token, "Trace"))
		return text_refuse(token, "the header should be here", err);
	token = text_next_token(rest);
	size_t length = sizeof(before) - 1;
	struct text_token number = { token.bytes + length, token.size - length };
	uint64_t minor;
	if (token.size <= length || memcmp(token.bytes, before, length) != 0 ||
	    !text_number(number, &minor))
		return text_refuse(token, "not a version of Go", err);
	if (minor < MINOR_FIRST || minor > MINOR_LAST)
		return error_set(err, ERROR_FORMAT,
		                 "unknown or unsupported trace version go 1.%" PRIu64
		                 " in text form", minor);
	char header[HEADER_BYTES + 1] = { 0 };
	snprintf(header, sizeof(header), "go 1.%u trace", (unsigned)minor);
	text_add(&decoder->out, header, HEADER_BYTES);
	decoder->minor = minor;
	decoder->has_header = true;
	return text_expect_end(rest, err);
}

static bool
refuse_name(const struct decoder *decoder, struct text_token name, struct error *err)
{
	if (text_token_is(name, "Trace"))
		return error_set(err, ERROR_FORMAT, "another trace begins here");
	return text_refuse(name, find_id(decoder, name) == 0
	                                 ? "unknown event"
	                                 : "this event is not in this version of the format", err);
}

static bool
take_event(struct decoder *decoder, struct text_token name, struct text_rest *rest,
           struct error *err)
{
	uint64_t args[WIRE_ARGS_MAX];
	unsigned id = find_id(decoder, name);
	if (id == 0 || wire_kinds[id].since > decoder->minor)
		return refuse_name(decoder, name, err);
	const struct wire_kind *kind = &wire_kinds[id];
	if (!text_arguments(rest, kind->args, args, err) || !text_expect_end(rest, err))
		return false;
	put_byte(decoder, id);
	for (unsigned i = 0; i < kind->arg_count; i++)
		put_varint(decoder, args[i]);
	decoder->is_data_due = id == WIRE_STRING || id == WIRE_EXPERIMENTAL_BATCH;
	if (id == WIRE_STACK)
		decoder->frames_due = args[1];
	if (id == WIRE_EVENT_BATCH)
		return text_places_add_batch(&decoder->places, args[0], err);
	if (id == WIRE_EXPERIMENTAL_BATCH)
		return text_places_add_batch(&decoder->places, args[1], err);
	return true;
}

static bool
take_frame(struct decoder *decoder, struct text_rest *rest, struct error *err)
{
	uint64_t frame[4];
	if (!text_arguments(rest, "pc func file line", frame, err) || !text_expect_end(rest, err))
		return false;
	for (unsigned i = 0; i < 4; i++)
		put_varint(decoder, frame[i]);
	decoder->frames_due--;
	return true;
}

static bool
take_data(struct decoder *decoder, struct text_rest *rest, struct error *err)
{
	text_clear(&decoder->data);
	if (!text_data(rest, &decoder->data, err))
		return false;
	put_data(decoder, &decoder->data);
	return true;
}

/* Writers leave the data line out where there are no bytes. */
static void
take_no_data(struct decoder *decoder)
{
	static const struct text nothing;
	put_data(decoder, &nothing);
}

static bool
is_blank(struct text_rest rest)
{
	return text_next_token(&rest).size == 0;
}

static bool
take_line(struct decoder *decoder, struct text_rest rest, struct error *err)
{
	if (is_blank(rest))
		return true;
	if (!decoder->has_header)
		return take_header(decoder, &rest, err);
	if (decoder->frames_due > 0)
		return take_frame(decoder, &rest, err);
	if (decoder->is_data_due && text_is_data(rest))
		return take_data(decoder, &rest, err);
	if (decoder->is_data_due)
		take_no_data(decoder);
	struct text_token name = text_next_token(&rest);
	return take_event(decoder, name, &rest, err);
}

/* The text ends here. */
static bool
take_end(struct decoder *decoder, struct error *err)
{
	decoder->is_at_end = true;
	if (decoder->section == SECTION_BEFORE)
		return error_set(err, ERROR_FORMAT, "this test case has no section \"trace\"");
	if (!decoder->has_header)
		return error_set(err, ERROR_FORMAT, "the header of the trace is missing");
	if (decoder->frames_due > 0)
		return error_set(err, ERROR_TRUNCATED, "the text ends where a frame should be");
	if (decoder->is_data_due)
		take_no_data(decoder);
	return true;
}

/* ---- test cases */

/* The name in a line "-- NAME --"; false for any other line. */
static bool
find_marker(struct text_rest rest, struct text_token *name)
{
	while (rest.end > rest.at && rest.end[-1] == '\r')
		rest.end--;
	size_t size = (size_t)(rest.end - rest.at);
	if (size < 7 || memcmp(rest.at, "-- ", 3) != 0 || memcmp(rest.end - 3, " --", 3) != 0)
		return false;
	rest.at += 3;
	rest.end -= 3;
	*name = text_next_token(&rest);
	return true;
}

/* Goes by the marker, if the line is one; *is_ours when it belongs to the trace. */
static bool
take_section(struct decoder *decoder, struct text_rest line, bool *is_ours, struct error *err)
{
	struct text_token name;
	bool is_marker = find_marker(line, &name);
	*is_ours = decoder->section == SECTION_TRACE && !is_marker;
	if (!is_marker)
		return true;
	if (decoder->section == SECTION_TRACE)
		return take_end(decoder, err);
	if (text_token_is(name, "trace"))
		decoder->section = SECTION_TRACE;
	return true;
}

/* ---- reading */

static bool
convert_line(struct decoder *decoder, struct input *from, struct error *err)
{
	const uint8_t *line;
	size_t length;
	struct text_place place = { decoder->wire_bytes, from->offset_bytes, decoder->line + 1 };
	bool is_ours = true;
	bool ok = input_line(from, &line, &length, err);

	/* The end belongs to the last line. */
	if (ok && line == NULL && decoder->line > 0)
		place.line = decoder->line;
	if (!text_places_add(&decoder->places, place, err) || !ok)
		return false;
	if (line == NULL)
		return take_end(decoder, err);
	decoder->line++;
	struct text_rest rest = { (const char *)line, (const char *)line + length };
	if (decoder->section != SECTION_NONE && !take_section(decoder, rest, &is_ours, err))
		return false;
	return !is_ours || take_line(decoder, rest, err);
}

/* One line more; what is wrong with it is kept for later, so that what came before is read. */
static void
convert(struct decoder *decoder, struct input *from)
{
	struct error *err = &decoder->failure;
	size_t before = decoder->out.length;

	if (!convert_line(decoder, from, err)) {
		decoder->out.length = before;
		/* That place is noted as this line's. */
		err->offset_bytes = decoder->wire_bytes;
	}
	if (decoder->out.failed || decoder->data.failed)
		error_set_memory(err, "a line of the trace");
	decoder->wire_bytes += decoder->out.length - before;
}

static bool
read_bytes(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	struct decoder *decoder = in->context;

	if (decoder->out_at == decoder->out.length) {
		text_clear(&decoder->out);
		decoder->out_at = 0;
		text_places_forget(&decoder->places, in->offset_bytes);
	}
	while (decoder->out.length < PIECE_BYTES && !decoder->is_at_end &&
	       decoder->failure.kind == ERROR_NONE)
		convert(decoder, in->from);
	size_t left = decoder->out.length - decoder->out_at;
	if (left == 0 && decoder->failure.kind != ERROR_NONE) {
		*err = decoder->failure;
		return false;
	}
	*got = left < size ? left : size;
	if (*got > 0)
		memcpy(out, decoder->out.bytes + decoder->out_at, *got);
	decoder->out_at += *got;
	return true;
}

/* ---- opening */

static void
release(void *context)
{
	struct decoder *decoder = context;
	text_release(&decoder->out);
	text_release(&decoder->data);
	text_places_release(&decoder->places);
	memory_free(decoder);
}

/* The first line with a marker or a header decides. */
static enum section
recognise(const uint8_t *bytes, size_t size, bool *is_trace)
{
	struct text_rest all = { (const char *)bytes, (const char *)bytes + size };
	bool may_be_plain = true;
	*is_trace = true;
	while (all.at < all.end) {
		const char *newline = memchr(all.at, '\n', (size_t)(all.end - all.at));
		struct text_rest line = { all.at, newline != NULL ? newline : all.end };
		struct text_token name;
		if (find_marker(line, &name) &&
		    (text_token_is(name, "expect") || text_token_is(name, "trace")))
			return SECTION_BEFORE;
		struct text_token first = text_next_token(&line);
		struct text_token second = text_next_token(&line);
		if (may_be_plain && text_token_is(first, "Trace") && second.size > 4 &&
		    memcmp(second.bytes, "Go1.", 4) == 0)
			return SECTION_NONE;
		/* A test case may begin with any text, a trace only with comments. */
		may_be_plain = may_be_plain && first.size == 0;
		all.at = newline != NULL ? newline + 1 : all.end;
	}
	*is_trace = false;
	return SECTION_NONE;
}

bool
go_text_recognise(const uint8_t *bytes, size_t size)
{
	bool is_trace;
	recognise(bytes, size, &is_trace);
	return is_trace;
}

bool
go_text_open(struct input *in, struct input *from, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	bool is_trace;
	*in = (struct input){ .fd = -1 };
	if (!input_peek(from, GO_TEXT_HEAD_BYTES, &bytes, &size, err))
		return false;
	struct decoder *decoder = array_new(1, sizeof(*decoder), err);
	if (decoder == NULL)
		return false;
	decoder->section = recognise(bytes, size, &is_trace);
	decoder->places.last = (struct text_place){ 0, from->offset_bytes, 1 };
	fill_slots(decoder);
	return input_open_converted(in, from, read_bytes, release, decoder, err) &&
	       text_places_add_batch(&decoder->places, 0, err);
}

bool
go_text_find(const struct input *in, uint64_t wire_bytes, uint64_t *line, uint64_t *text_bytes)
{
	const struct decoder *decoder = in->context;
	struct text_place place;

	if (!text_places_find(&decoder->places, wire_bytes, &place))
		return false;
	*line = place.line;
	*text_bytes = place.text_bytes;
	return true;
}
