#include "livetesting.h"

#include "base_testing.h"

#include <inttypes.h>
#include <string.h>

#include "dump/dump.h"
#include "dump/writer.h"
#include "dumptesting.h"
#include "facttesting.h"
#include "profiletesting.h"

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

/* All that there is of a trace. */
static void
tell(const struct trace *trace, struct text *out)
{
	struct writer writer;
	struct error err = { 0 };
	const struct dump dump = { .out = &writer };
	assert_true(writer_init(&writer, dumptest_collect, out, &err));
	assert_true(dump_json_trace(&dump, trace, &err));
	writer_release(&writer);
	for (size_t i = 0; i < trace->facts.count; i++)
		text_format(out, "%s %" PRIu64 "\n", trace->facts.items[i].key, trace->facts.items[i].value);
}

struct checking {
	const struct source *source;
	const struct text *text;
	size_t count;
};

/* Takes the trace, which is to be that of the first bytes. */
static void
compare(const struct checking *checking, struct trace *trace, size_t length)
{
	struct text wanted = { 0 }, got = { 0 };
	struct trace *alone =
		profiletesting_load("shown", checking->text->bytes, length, checking->source->name);
	tell(alone, &wanted);
	tell(trace, &got);
	assert_string_equal(got.bytes, wanted.bytes);
	text_release(&wanted);
	text_release(&got);
	trace_free(alone);
	trace_free(trace);
}

static void
check(void *context, struct trace *snapshot)
{
	struct checking *checking = context;
	const char *end = checking->text->bytes;
	for (int64_t lines = fact(snapshot, "lines"); lines > 0; lines--)
		end = strchr(end, '\n') + 1;
	compare(checking, snapshot, (size_t)(end - checking->text->bytes));
	checking->count++;
}

size_t
livetesting_check(const struct source *source, const struct text *text, size_t piece_bytes)
{
	struct checking checking = { source, text, 0 };
	const struct trace_watch watch = { check, &checking, 0 };
	compare(&checking, livetesting_load(source, text, piece_bytes, &watch), text->length);
	return checking.count;
}
