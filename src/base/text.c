/* UTF-8 in and out, and the growable byte string. */
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

/*
 * The sequences that UTF-8 allows, by their first byte. The bounds of the
 * second byte exclude overlong forms, surrogates and what is beyond U+10FFFF.
 */
struct utf8_form {
	uint8_t first_min, first_max;
	uint8_t length;
	uint8_t second_min, second_max;
};

static const struct utf8_form utf8_forms[] = {
	{ 0xC2, 0xDF, 2, 0x80, 0xBF },
	{ 0xE0, 0xE0, 3, 0xA0, 0xBF },
	{ 0xE1, 0xEC, 3, 0x80, 0xBF },
	{ 0xED, 0xED, 3, 0x80, 0x9F },
	{ 0xEE, 0xEF, 3, 0x80, 0xBF },
	{ 0xF0, 0xF0, 4, 0x90, 0xBF },
	{ 0xF1, 0xF3, 4, 0x80, 0xBF },
	{ 0xF4, 0xF4, 4, 0x80, 0x8F },
};

static const struct utf8_form *
find_form(uint8_t first)
{
	for (size_t i = 0; i < ARRAY_LENGTH(utf8_forms); i++) {
		if (first >= utf8_forms[i].first_min && first <= utf8_forms[i].first_max)
			return &utf8_forms[i];
	}
	return NULL;
}

bool
text_has_prefix(const char *bytes, size_t length, const char *prefix)
{
	size_t prefix_length = strlen(prefix);
	return length >= prefix_length && memcmp(bytes, prefix, prefix_length) == 0;
}

int
text_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t shorter = a_length < b_length ? a_length : b_length;
	int order = shorter > 0 ? memcmp(a, b, shorter) : 0;
	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

const char *
text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

struct text_char
text_decode(const char *bytes, size_t length)
{
	assert(length > 0);
	const unsigned char *at = (const unsigned char *)bytes;
	const struct text_char bad = { .code_point = 0, .length = 1, .is_valid = false };
	if (at[0] < 0x80)
		return (struct text_char){ .code_point = at[0], .length = 1, .is_valid = true };
	const struct utf8_form *form = find_form(at[0]);
	if (form == NULL || length < form->length)
		return bad;
	if (at[1] < form->second_min || at[1] > form->second_max)
		return bad;
	uint32_t code_point = at[0] & (0x7FU >> form->length);
	for (size_t i = 1; i < form->length; i++) {
		if ((at[i] & 0xC0) != 0x80)
			return bad;
		code_point = code_point << 6 | (at[i] & 0x3FU);
	}
	return (struct text_char){
		.code_point = code_point,
		.length = form->length,
		.is_valid = true,
	};
}

size_t
text_character_number(const char *bytes, size_t length, size_t at)
{
	size_t number = 1;
	for (size_t i = 0; i < at && i < length; number++)
		i += text_decode(bytes + i, length - i).length;
	return number;
}

size_t
text_encode(uint32_t code_point, char out[4])
{
	assert(code_point <= 0x10FFFF && !(code_point >= 0xD800 && code_point <= 0xDFFF));
	if (code_point < 0x80) {
		out[0] = (char)code_point;
		return 1;
	}
	size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
	static const uint8_t marks[5] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	for (size_t i = length - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (code_point & 0x3F));
		code_point >>= 6;
	}
	out[0] = (char)(marks[length] | code_point);
	return length;
}

void
text_clear(struct text *text)
{
	text->length = 0;
	text->failed = false;
	if (text->bytes != NULL)
		text->bytes[0] = '\0';
}

void
text_release(struct text *text)
{
	memory_free(text->bytes);
	*text = (struct text){ 0 };
}

bool
text_reserve(struct text *text, size_t more)
{
	size_t needed;
	struct error ignored = { .kind = ERROR_NONE };
	if (text->failed)
		return false;
	if (LIKELY(text->capacity > text->length && more < text->capacity - text->length))
		return true;
	if (!checked_add_size(text->length, more, &needed) ||
		!checked_add_size(needed, 1, &needed) ||
		!array_reserve(&text->bytes, &text->capacity, needed, 1, &ignored)) {
		text->failed = true;
		return false;
	}
	return true;
}

void
text_add(struct text *text, const char *bytes, size_t length)
{
	if (!text_reserve(text, length))
		return;
	if (length > 0)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void
text_add_string(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void
text_copy(struct text *text, const struct text *from)
{
	text_clear(text);
	text_add(text, from->bytes, from->length);
}

void
text_format(struct text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	text_format_list(text, format, args);
	va_end(args);
}

void
text_format_list(struct text *text, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	size_t room = text->failed ? 0 : text->capacity - text->length;
	int length = vsnprintf(room > 0 ? text->bytes + text->length : NULL, room, format, args);
	if (length < 0) {
		text->failed = true;
	} else if (text_reserve(text, (size_t)length)) {
		if ((size_t)length >= room)
			vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	if (text->failed && text->bytes != NULL)
		text->bytes[text->length] = '\0';
	va_end(again);
}
