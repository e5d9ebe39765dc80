/* A text in which inputs of several kinds stand, as a page that somebody wrote about them. */
#include <string.h>

#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/source.h"
#include "source/text/parts.h"

static const struct words text_words = TIMELESS_WORDS("text");

enum { MOST_BYTES = 64 * 1024 * 1024 };

/* The kinds of its parts; a part of a kind that came before counts once. */
static unsigned
points_of_kinds(const struct document *document)
{
	unsigned kinds = 0, points = 0;
	for (size_t i = 0; i < document->part_count; i++) {
		size_t before = 0;
		while (strcmp(document->parts[before].source, document->parts[i].source) != 0)
			before++;
		kinds += before == i;
		points += document->parts[i].points;
	}
	return kinds > 1 ? points + 1 : 0;
}

/* One that has two kinds is surer of them than each source alone. */
static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct error ignored;
	struct document document = { .size = size };
	unsigned points = 0;
	error_clear(&ignored);
	document.bytes = array_copy(bytes, size, 1, &ignored);
	if (document.bytes != NULL && parts_find(&document, &ignored))
		points = points_of_kinds(&document);
	memory_free(document.bytes);
	memory_free(document.parts);
	return points;
}

static bool
read_all(struct document *document, struct input *in, struct error *err)
{
	enum { STEP = 1024 * 1024 };
	size_t capacity = 0, got = 1;
	while (got > 0) {
		if (document->size > MOST_BYTES)
			return error_set(err, ERROR_LIMIT,
				"a text with parts of more than 64 MiB; --source=NAME reads it as one kind");
		if (!array_reserve(&document->bytes, &capacity, document->size + STEP, 1, err) ||
			!input_some(in, document->bytes + document->size, STEP, &got, err))
			return false;
		document->size += got;
	}
	return true;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct trace *trace = profile_trace_new(&text_words, err);
	(void)wish;
	if (trace == NULL)
		return NULL;
	sample_set_free(trace->samples);
	trace->samples = NULL;
	trace->document = document_new(err);
	if (trace->document != NULL && read_all(trace->document, in, err) &&
		parts_find(trace->document, err) &&
		trace_add_fact(trace, "sections", trace->document->part_count, err) &&
		profile_trace_finish(trace, in, err))
		return trace;
	trace_free(trace);
	return NULL;
}

const struct source text_source = {
	.name = "text",
	.input = "texts with several of these in them",
	.recognised_by = "inputs of two kinds or more in different lines",
	.answers = "what is in it, and where: each part opens as what it is",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_others = true,
};
