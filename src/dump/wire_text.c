/* The text form of a trace, from its bytes. */
#include "dump/dump.h"

#include <assert.h>
#include <string.h>

#include "dump/flat.h"

enum {
	LABEL_BYTES = 24,
	LINE_BYTES = LABEL_BYTES + WIRE_ARGS_MAX * (LABEL_BYTES + WRITER_NUMBER_BYTES) + 1,
};

/* What goes before a number, or begins a line; all of its bytes are copied, for speed. */
struct label {
	char bytes[LABEL_BYTES - 1];
	uint8_t length;
};

struct line {
	struct label name, operands[WIRE_ARGS_MAX];
};

struct wire_text {
	struct writer *out;
	const struct go_read_result *result;
	bool has_header;
	struct line lines[ARRAY_LENGTH(wire_kinds)]; /* by the id of the event */
};

/* ---- labels */

static void
label_add(struct label *label, const char *bytes, size_t length)
{
	assert(label->length + length <= sizeof(label->bytes));
	memcpy(label->bytes + label->length, bytes, length);
	label->length += (uint8_t)length;
}

/* " name=" for each operand. */
static void
line_init(struct line *line, const struct wire_kind *kind)
{
	const char *names = kind->args;
	label_add(&line->name, kind->name, strlen(kind->name));
	for (unsigned i = 0; i < kind->arg_count; i++) {
		size_t length = strcspn(names, " ");
		label_add(&line->operands[i], " ", 1);
		label_add(&line->operands[i], names, length);
		label_add(&line->operands[i], "=", 1);
		names += length + (names[length] == ' ');
	}
}

static char *
put_label(char *at, const struct label *label)
{
	memcpy(at, label->bytes, sizeof(label->bytes));
	return at + label->length;
}

/* ---- events */

static void
write_line(struct wire_text *text, const struct flat_event *event)
{
	const struct line *line = &text->lines[event->id];
	char *at = put_label(writer_room(text->out, LINE_BYTES), &line->name);
	for (unsigned i = 0; i < event->kind->arg_count; i++)
		at = writer_put_u64(put_label(at, &line->operands[i]), event->args[i]);
	*at++ = '\n';
	text->out->used = (size_t)(at - text->out->bytes);
}

static void
write_frames(struct writer *out, const struct flat_event *event)
{
	static const char *const labels[] = { "\tpc=", " func=", " file=", " line=" };
	struct cursor frames = event->frames;
	struct error ignored = { 0 };
	uint64_t number;
	while (cursor_left(&frames) > 0) {
		for (size_t i = 0; i < ARRAY_LENGTH(labels); i++) {
			writer_string(out, labels[i]);
			if (cursor_varint(&frames, &number, &ignored))
				writer_u64(out, number);
		}
		writer_char(out, '\n');
	}
}

static void
write_header(struct wire_text *text)
{
	writer_string(text->out, "Trace Go1.");
	writer_u64(text->out, text->result->go_minor);
	writer_char(text->out, '\n');
	text->has_header = true;
}

static bool
write_event(void *context, const struct flat_event *event, struct error *err)
{
	struct wire_text *text = context;
	struct writer *out = text->out;
	if (!text->has_header)
		write_header(text);
	write_line(text, event);
	if (event->id == WIRE_STACK)
		write_frames(out, event);
	if (event->has_data) {
		writer_string(out, "\tdata=");
		writer_quoted(out, event->data, event->data_bytes);
		writer_char(out, '\n');
	}
	return writer_check(out, err);
}

bool
dump_wire(
	const struct dump *dump, struct input *in, struct go_read_result *result, struct error *err)
{
	struct wire_text text = { .out = dump->out, .result = result };
	for (size_t id = 0; id < ARRAY_LENGTH(wire_kinds); id++) {
		if (wire_kinds[id].name != NULL)
			line_init(&text.lines[id], &wire_kinds[id]);
	}
	if (!flat_walk(dump, in, write_event, &text, result, err))
		return false;
	if (!text.has_header)
		write_header(&text);
	return writer_finish(dump->out, err);
}
