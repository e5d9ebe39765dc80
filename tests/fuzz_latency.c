/*
 * Any text as a kind of durations: what is refused has a place within the text and a message, and
 * what is taken is written, and read as the same again.
 */
#include "fuzz.h"

#include <string.h>

#include "analysis/latency_kind.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/latency", "fuzz/query", NULL } };

enum { TEXT_BYTES = 600 };

static void
check_again(const struct latency_kind *kind)
{
	struct text written = { 0 };
	struct latency_kind again;
	struct error err;
	error_clear(&err);
	latency_kind_add(&written, kind);
	must(latency_kind_parse(&again, written.bytes, 0, written.length, &err),
		"what is written can be read");
	must(again.type == kind->type && (again.name == NULL) == (kind->name == NULL),
		"it is of the same type");
	must(kind->name == NULL || strcmp(again.name, kind->name) == 0, "it has the same name");
	latency_kind_release(&again);
	text_release(&written);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char text[TEXT_BYTES + 1] = { 0 };
	memcpy(text, bytes, size < TEXT_BYTES ? size : TEXT_BYTES);
	struct latency_kind kind;
	struct error err;
	size_t length = strlen(text);
	error_clear(&err);
	if (latency_kind_parse(&kind, text, 0, length, &err))
		check_again(&kind);
	else
		must_refuse(&err, length);
	latency_kind_release(&kind);
	/* A part of a text that goes on. */
	error_clear(&err);
	if (!latency_kind_parse(&kind, text, length / 4, length - length / 4, &err))
		must_refuse(&err, length);
	latency_kind_release(&kind);
	return 0;
}
