/* The text form of a trace, from its bytes. */
#include "dump/dump.h"

#include <string.h>

#include "dump/flat.h"

struct wire_text {
	struct writer *out;
	const struct go_read_result *result;
	bool has_header;
};

/* " name=number" for each word of the list. */
static void
write_operands(struct writer *out, const char *names, const uint64_t *operands, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		size_t length = strcspn(names, " ");
		writer_char(out, ' ');
		writer_add(out, names, length);
		writer_char(out, '=');
		writer_u64(out, operands[i]);
		names += length + (names[length] == ' ');
	}
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
	writer_string(out, event->kind->name);
	write_operands(out, event->kind->args, event->args, event->kind->arg_count);
	writer_char(out, '\n');
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
	if (!flat_walk(dump, in, write_event, &text, result, err))
		return false;
	if (!text.has_header)
		write_header(&text);
	return writer_finish(dump->out, err);
}
