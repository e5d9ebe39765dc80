/*
 * The border between a trace and a terminal: whatever is not plainly printable
 * becomes a visible stand-in.
 */
#include <assert.h>
#include <string.h>

#include "base/text.h"

enum { CODE_ESCAPE = 0x1B, CODE_DELETE = 0x7F, CODE_C1_END = 0xA0, CODE_DOTTED_CIRCLE = 0x25CC };

static bool
is_plain(char byte)
{
	return byte >= 0x20 && byte < CODE_DELETE;
}

static void
add_code_point(struct text *text, uint32_t code_point)
{
	char bytes[4];
	text_add(text, bytes, text_encode(code_point, bytes));
}

static void
add_bad_byte(struct text *text, char byte)
{
	text_format(text, "\\x%02X", (unsigned)(unsigned char)byte);
}

static void
add_ascii_stand_in(struct text *text, uint32_t code_point)
{
	switch (code_point) {
	case '\n':
		text_add_string(text, "\\n");
		return;
	case '\t':
		text_add_string(text, "\\t");
		return;
	case '\r':
		text_add_string(text, "\\r");
		return;
	case CODE_ESCAPE:
		text_add_string(text, "\\e");
		return;
	}
	if (code_point < 0x80)
		add_bad_byte(text, (char)code_point);
	else
		text_format(text, "\\u{%04X}", (unsigned)code_point);
}

/* What is not printable ASCII, as UTF-8. */
static void
add_unicode(struct text *text, uint32_t code_point, bool is_first)
{
	if (code_point < 0x20) {
		add_code_point(text, 0x2400 + code_point);
	} else if (code_point == CODE_DELETE) {
		add_code_point(text, 0x2421);
	} else if (code_point < CODE_C1_END || text_is_hidden(code_point)) {
		text_format(text, "<U+%04X>", (unsigned)code_point);
	} else {
		if (is_first && text_width_of(code_point) == 0)
			add_code_point(text, CODE_DOTTED_CIRCLE);
		add_code_point(text, code_point);
	}
}

void
text_add_safe(struct text *text, const char *bytes, size_t length, bool ascii)
{
	for (size_t at = 0; at < length;) {
		size_t plain = 0;
		while (at + plain < length && is_plain(bytes[at + plain]))
			plain++;
		text_add(text, bytes + at, plain);
		at += plain;
		if (at == length)
			return;
		struct text_char next = text_decode(bytes + at, length - at);
		if (!next.is_valid)
			add_bad_byte(text, bytes[at]);
		else if (ascii)
			add_ascii_stand_in(text, next.code_point);
		else
			add_unicode(text, next.code_point, at == 0);
		at += next.length;
	}
}

void
text_excerpt(char *out, size_t size, const char *bytes, size_t length)
{
	struct text safe = { 0 };
	size_t fitting = 0;

	assert(size >= 8);
	/* Nothing gets shorter by being made safe, so more than size bytes never fit. */
	size_t seen = length < size ? length : size;
	text_add_safe(&safe, bytes, seen, false);
	while (fitting < safe.length) {
		struct text_char next = text_decode(safe.bytes + fitting, safe.length - fitting);
		if (fitting + next.length > size - 4)
			break;
		fitting += next.length;
	}
	if (fitting > 0)
		memcpy(out, safe.bytes, fitting);
	bool is_whole = fitting == safe.length && seen == length;
	memcpy(out + fitting, is_whole ? "" : "...", is_whole ? 1 : 4);
	text_release(&safe);
}
