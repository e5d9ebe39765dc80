/*
 * The reader of text traces on any text: the bytes do not depend on the pieces
 * in which the text comes, each error has its line, and that lies in the text.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "source/go/text.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/texttrace", NULL } };

enum { LITTLE_BYTES = 7 };

static uint64_t
count_lines(const uint8_t *bytes, size_t size)
{
	uint64_t count = 1;
	for (size_t i = 0; i < size; i++)
		count += bytes[i] == '\n';
	return count;
}

/* What `is_little` asks for in small pieces must be the same. */
static void
convert(const uint8_t *bytes, size_t size, bool is_little, struct text *out, struct error *err)
{
	struct input from, in;
	uint8_t piece[LITTLE_BYTES];
	const uint8_t *ready;
	size_t count = 1;
	uint64_t line = 1, text_bytes = 0;
	error_clear(err);
	if (!input_open_memory(&from, bytes, size, err))
		return;
	if (!go_text_open(&in, &from, err))
		count = 0;
	while (count > 0 && err->kind == ERROR_NONE) {
		if (is_little && !input_peek(&in, sizeof(piece), &ready, &count, err))
			break;
		if (!is_little && !input_ready(&in, &ready, &count, err))
			break;
		text_add(out, (const char *)ready, count);
		input_take(&in, count);
	}
	if (err->kind == ERROR_FORMAT || err->kind == ERROR_TRUNCATED || err->kind == ERROR_LIMIT) {
		must(go_text_find(&in, err->offset_bytes, &line, &text_bytes), "an error has a line");
		must(line >= 1 && line <= count_lines(bytes, size), "the line is one of the text");
		must(text_bytes <= size, "the line begins within the text");
	}
	input_close(&in);
	input_close(&from);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct text whole = { 0 }, little = { 0 };
	struct error whole_err, little_err;
	go_text_recognise(bytes, size);
	convert(bytes, size, false, &whole, &whole_err);
	convert(bytes, size, true, &little, &little_err);
	must(whole.length == little.length &&
	             (whole.length == 0 || memcmp(whole.bytes, little.bytes, whole.length) == 0),
		"pieces give the same bytes");
	must(whole_err.kind == little_err.kind && whole_err.offset_bytes == little_err.offset_bytes,
		"pieces give the same error");
	text_release(&whole);
	text_release(&little);
	return 0;
}
