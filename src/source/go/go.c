/* Go's execution traces as a source. */
#include <string.h>

#include "source/go/header.h"
#include "source/go/load.h"
#include "source/go/text.h"
#include "source/source.h"

/* A header of which not all is right is worth that its reader says what is wrong. */
static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	static const char text_start[] = "Trace Go1.", start[] = "go 1.";
	enum { TEXT_POINTS = 100, START_POINTS = 10 };
	uint32_t minor;
	if (size >= HEADER_BYTES && header_parse(bytes, &minor))
		return SOURCE_SURE;
	if (size >= sizeof text_start - 1 && memcmp(bytes, text_start, sizeof text_start - 1) == 0)
		return SOURCE_SURE;
	if (size > 0 && memcmp(bytes, start, size < sizeof start - 1 ? size : sizeof start - 1) == 0)
		return START_POINTS;
	return go_text_recognise(bytes, size < GO_TEXT_HEAD_BYTES ? size : GO_TEXT_HEAD_BYTES)
		       ? TEXT_POINTS
		       : 0;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct go_read_options options = {
		.progress = wish->progress, .is_lenient = wish->is_lenient
	};
	return go_load_bounded(in, &options, wish->bound, wish->watch, err);
}

const struct source go_source = {
	.name = "go",
	.input = "an execution trace of Go, binary or text",
	.recognised_by = "\"go 1.N trace\" at its beginning, or the text form, \"Trace Go1.N\"",
	.answers = "what goroutines did and what they waited for, procs, threads, the "
		   "collector, stacks, tasks and regions",
	.recognise = recognise,
	.load = load,
};
