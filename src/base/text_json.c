/* Characters as JSON spells them within a string. */
#include "base/text.h"

/* The letter behind the backslash, 0 for none. */
static char
short_escape(uint32_t code_point)
{
	static const char escapes[] = {
		['\b'] = 'b',
		['\f'] = 'f',
		['\n'] = 'n',
		['\r'] = 'r',
		['\t'] = 't',
		['"'] = '"',
		['\\'] = '\\',
	};
	return code_point < sizeof(escapes) ? escapes[code_point] : 0;
}

/* A backslash, u and four digits. */
static size_t
spell_unit(uint32_t unit, char *out)
{
	static const char digits[] = "0123456789abcdef";
	out[0] = '\\';
	out[1] = 'u';
	for (int i = 0; i < 4; i++)
		out[2 + i] = digits[unit >> (12 - 4 * i) & 0xf];
	return 6;
}

/* What lies beyond 16 bits is a pair of surrogates. */
static size_t
spell_escape(uint32_t code_point, char out[TEXT_JSON_BYTES])
{
	enum { PLANE_1 = 0x10000, HIGH_SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00 };
	if (code_point < PLANE_1)
		return spell_unit(code_point, out);
	size_t length = spell_unit(HIGH_SURROGATE + ((code_point - PLANE_1) >> 10), out);
	return length + spell_unit(LOW_SURROGATE + ((code_point - PLANE_1) & 0x3ff), out + length);
}

size_t
text_spell_json(struct text_char c, char out[TEXT_JSON_BYTES])
{
	enum { REPLACEMENT = 0xfffd };
	if (!c.is_valid)
		return spell_unit(REPLACEMENT, out);
	char escape = short_escape(c.code_point);
	if (escape != 0) {
		out[0] = '\\';
		out[1] = escape;
		return 2;
	}
	if (!text_is_json_plain(c.code_point))
		return spell_escape(c.code_point, out);
	out[0] = (char)c.code_point;
	return 1;
}

void
text_add_json(struct text *text, const char *bytes, size_t length)
{
	char spelled[TEXT_JSON_BYTES];
	for (size_t at = 0; at < length;) {
		size_t plain = 0;
		while (at + plain < length && text_is_json_plain((unsigned char)bytes[at + plain]))
			plain++;
		text_add(text, bytes + at, plain);
		at += plain;
		if (at == length)
			return;
		struct text_char c = text_decode(bytes + at, length - at);
		text_add(text, spelled, text_spell_json(c, spelled));
		at += c.length;
	}
}
