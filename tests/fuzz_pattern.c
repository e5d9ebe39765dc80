/*
 * Any pattern on any text: the input up to the first newline is the pattern,
 * the rest the text. Plain text finds itself.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "query/pattern.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/pattern", "fuzz/text", NULL } };

enum { PATTERN_BYTES = 256 };

static bool
is_utf8(const char *text, size_t length)
{
	for (size_t at = 0; at < length;) {
		struct text_char c = text_decode(text + at, length - at);
		if (!c.is_valid)
			return false;
		at += c.length;
	}
	return true;
}

static void
check_finds_itself(const char *text)
{
	char quoted[PATTERN_BYTES + 1] = "'";
	size_t length = strlen(text);
	memcpy(quoted + 1, text, length);
	if (length == 0 || !is_utf8(text, length))
		return;
	struct error note;
	error_clear(&note);
	struct pattern *pattern = pattern_new(quoted, &note);
	if (pattern == NULL || !pattern_is_plain(pattern) || !pattern_matches(pattern, text, length)) {
		fprintf(stderr, "\nplain text does not find itself: %s\n", note.message);
		abort();
	}
	pattern_free(pattern);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size > 0 ? memchr(bytes, '\n', size) : NULL;
	size_t length = newline != NULL ? (size_t)(newline - bytes) : size;
	size_t rest = newline != NULL ? length + 1 : size;
	char text[PATTERN_BYTES] = { 0 };
	memcpy(text, bytes, length < sizeof text ? length : sizeof text - 1);
	check_finds_itself(text);

	struct error note;
	error_clear(&note);
	struct pattern *pattern = pattern_new(text, &note);
	if (pattern != NULL)
		pattern_matches(pattern, (const char *)bytes + rest, size - rest);
	pattern_free(pattern);
	return 0;
}
