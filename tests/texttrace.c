/* The program's reader of text traces, with sizes filled in before. */
#include "texttrace.h"

#include <stdio.h>
#include <string.h>

#include "source/go/text.h"

enum { HEADER_BYTES = 16 };

/* Has all events. */
static const char newest[] = "Trace Go1.26\n";

bool
texttrace_convert(const char *text, size_t length, struct text *out, struct error *err)
{
	struct input from = { .fd = -1 }, in = { .fd = -1 };
	uint8_t byte;
	bool at_end = false;
	bool ok = input_open_memory(&from, text, length, err) && go_text_open(&in, &from, err);
	while (ok && !at_end) {
		ok = input_byte(&in, &byte, &at_end, err);
		if (ok && !at_end)
			text_add(out, (const char *)&byte, 1);
	}
	uint64_t line, place;
	if (!ok && in.context != NULL && err->offset_bytes != ERROR_NO_OFFSET &&
	    go_text_find(&in, err->offset_bytes, &line, &place))
		error_prefix(err, "line %llu", (unsigned long long)line);
	input_close(&in);
	input_close(&from);
	return ok && !out->failed;
}

/* The same, but the last of the frames may be missing. */
static bool
convert_cut(const char *text, size_t length, struct text *out, struct error *err)
{
	if (texttrace_convert(text, length, out, err))
		return true;
	if (err->kind != ERROR_TRUNCATED)
		return false;
	error_clear(err);
	return true;
}

static const char *
next_line(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	return newline != NULL ? newline + 1 : end;
}

static bool
begins_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* The batch whose payload lines begin at `at` ends there. */
static const char *
end_of_batch(const char *at, const char *end)
{
	while (at < end && !begins_with(at, end, "EventBatch ") &&
	       !begins_with(at, end, "ExperimentalBatch ") &&
	       !begins_with(at, end, "EndOfGeneration"))
		at = next_line(at, end);
	return at;
}

/* The line at `at`, with the size that its `*` stands for. */
static bool
add_line(struct text *filled, const char *at, const char *end, struct error *err)
{
	static const char open[] = "size=*";
	const char *behind = next_line(at, end);
	size_t length = (size_t)(behind - at);
	const char *star = NULL;
	for (size_t i = 0; star == NULL && i + sizeof(open) <= length + 1; i++)
		star = memcmp(at + i, open, sizeof(open) - 1) == 0 ? at + i : NULL;
	if (star == NULL) {
		text_add(filled, at, length);
		return true;
	}
	struct text lines = { 0 }, payload = { 0 };
	text_add_string(&lines, newest);
	text_add(&lines, behind, (size_t)(end_of_batch(behind, end) - behind));
	bool ok = convert_cut(lines.bytes, lines.length, &payload, err);
	text_add(filled, at, (size_t)(star - at));
	text_format(filled, "size=%zu\n", payload.length - HEADER_BYTES);
	text_release(&lines);
	text_release(&payload);
	return ok;
}

/* The header for all events becomes that of the version in the text. */
static bool
put_version(const char *text, size_t length, struct text *out, size_t at,
            struct error *err)
{
	char line[40], header[HEADER_BYTES + 1] = { 0 };
	unsigned minor;
	snprintf(line, sizeof(line), "%.*s", (int)(length < 39 ? length : 39), text);
	if (sscanf(line, "Trace Go1.%2u\n", &minor) != 1) {
		return error_set(err, ERROR_FORMAT, "the text does not begin with a header");
	}
	snprintf(header, sizeof(header), "go 1.%02u trace", minor);
	memcpy(out->bytes + at, header, HEADER_BYTES);
	return true;
}

bool
texttrace_assemble(const char *text, size_t length, struct text *out, struct error *err)
{
	const char *end = text + length;
	struct text filled = { 0 };
	size_t start = out->length;
	bool ok = true;
	text_add_string(&filled, newest);
	for (const char *at = next_line(text, end); ok && at < end; at = next_line(at, end))
		ok = add_line(&filled, at, end, err);
	ok = ok && !filled.failed &&
	     convert_cut(filled.bytes, filled.length, out, err) &&
	     put_version(text, length, out, start, err);
	text_release(&filled);
	return ok;
}
