/* Any bytes as a text with parts: they are in order and apart, and each can be opened. */
#include "fuzz.h"

#include "profiletesting.h"
#include "source/source.h"
#include "trace/document.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/text_source", "histogram", "perf_report", NULL } };

static void
check_parts(const struct document *document)
{
	size_t behind = 0;
	for (size_t i = 0; i < document->part_count; i++) {
		const struct document_part *part = &document->parts[i];
		must(part->from >= behind && part->until > part->from, "parts are in order");
		must(part->until <= document->size && part->first_line <= part->last_line, "and within the text");
		behind = part->until;
		const char *fault = profiletesting_look((const uint8_t *)document->bytes + part->from,
			part->until - part->from, part->source);
		must(fault == NULL, fault != NULL ? fault : "");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	const struct source_wish wish = { .is_lenient = true };
	error_clear(&err);
	must(input_open_memory(&in, bytes, size, &err), "memory opens");
	struct trace *trace = source_load(&in, "text", &wish, &err);
	input_close(&in);
	if (trace != NULL)
		check_parts(trace->document);
	trace_free(trace);
	return 0;
}
