#include "livetesting.h"

#include "base_testing.h"

#include <string.h>

static size_t bytes_at_a_time;

bool
livetesting_read(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	size_t left = in->memory_size - in->memory_at;
	(void)err;
	*got = size < bytes_at_a_time ? size : bytes_at_a_time;
	*got = *got < left ? *got : left;
	memcpy(out, in->memory + in->memory_at, *got);
	in->memory_at += *got;
	return true;
}

struct trace *
livetesting_load(const struct source *source, const struct text *text, size_t piece_bytes,
	const struct trace_watch *watch)
{
	const struct source_wish wish = { .watch = watch };
	struct error err = { 0 };
	struct input in;
	bytes_at_a_time = piece_bytes;
	assert_true(input_open_memory(&in, text->bytes, text->length, &err));
	in.read = livetesting_read;
	struct trace *trace = source->load(&in, &wish, &err);
	input_close(&in);
	if (trace == NULL)
		fail_msg("%s: %s", source->name, err.message);
	return trace;
}

void
livetesting_keep(void *context, struct trace *snapshot)
{
	struct livetesting_shown *shown = context;
	trace_free(shown->trace);
	shown->trace = snapshot;
	shown->count++;
}
