/* Tokens, numbers and quoted strings, as Go reads them. */
#include "source/go/text_token.h"

#include <string.h>

#include "base/compiler.h"

/* ---- white space and tokens */

/* The same as space_length() beyond ASCII. */
static size_t
wide_space_length(const char *at, const char *end)
{
	struct text_char next = text_decode(at, (size_t)(end - at));
	if (!next.is_valid)
		return 0;
	switch (next.code_point) {
	case 0x85:
	case 0xa0:
	case 0x1680:
	case 0x2028:
	case 0x2029:
	case 0x202f:
	case 0x205f:
	case 0x3000:
		return next.length;
	default:
		return next.code_point >= 0x2000 && next.code_point <= 0x200a ? next.length : 0;
	}
}

/* Bytes of the white space character at `at`, 0 when it is none. */
static inline size_t
space_length(const char *at, const char *end)
{
	if (LIKELY((unsigned char)*at < 0x80))
		return *at == ' ' || (*at >= '\t' && *at <= '\r');
	return wide_space_length(at, end);
}

static void
skip_space(struct text_rest *rest)
{
	size_t length = 1;
	while (rest->at < rest->end && length > 0) {
		length = space_length(rest->at, rest->end);
		rest->at += length;
	}
}

struct text_token
text_next_token(struct text_rest *rest)
{
	skip_space(rest);
	struct text_token token = { rest->at, 0 };
	while (rest->at < rest->end && *rest->at != '#' && space_length(rest->at, rest->end) == 0)
		rest->at++;
	token.size = (size_t)(rest->at - token.bytes);
	return token;
}

bool
text_token_is(struct text_token token, const char *word)
{
	return strlen(word) == token.size && memcmp(token.bytes, word, token.size) == 0;
}

bool
text_refuse(struct text_token token, const char *what, struct error *err)
{
	char excerpt[80];
	text_excerpt(excerpt, sizeof(excerpt), token.bytes, token.size);
	return error_set(err, ERROR_FORMAT, "%s: %s", what, excerpt);
}

bool
text_expect_end(struct text_rest *rest, struct error *err)
{
	struct text_token token = text_next_token(rest);
	if (token.size == 0)
		return true;
	return text_refuse(token, "this does not belong here", err);
}

/* ---- numbers */

bool
text_number(struct text_token token, uint64_t *value)
{
	uint64_t sum = 0;
	if (token.size == 0)
		return false;
	for (size_t i = 0; i < token.size; i++) {
		char c = token.bytes[i];
		if (c < '0' || c > '9')
			return false;
		uint64_t digit = (uint64_t)(c - '0');
		if (sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

static bool
refuse_argument(struct text_token token, const char *name, size_t length, struct error *err)
{
	if (token.size == 0)
		return error_set(err, ERROR_FORMAT, "%.*s= is missing", (int)length, name);
	char what[60];
	memcpy(what, name, length);
	memcpy(what + length, "= should be here", sizeof("= should be here"));
	return text_refuse(token, what, err);
}

bool
text_arguments(struct text_rest *rest, const char *names, uint64_t *values, struct error *err)
{
	while (*names != '\0') {
		size_t length = strcspn(names, " ");
		struct text_token token = text_next_token(rest);
		if (token.size <= length || memcmp(token.bytes, names, length) != 0 ||
		    token.bytes[length] != '=')
			return refuse_argument(token, names, length, err);
		struct text_token number = { token.bytes + length + 1, token.size - length - 1 };
		if (!text_number(number, values))
			return text_refuse(token, "not a number of 64 bits", err);
		values++;
		names += length + (names[length] == ' ');
	}
	return true;
}

/* ---- quoted strings */

static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

/* Exactly `count` digits in a base. */
static bool
take_digits(struct text_rest *rest, unsigned count, unsigned base, uint32_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < count; i++, rest->at++) {
		if (rest->at == rest->end || digit_value(*rest->at) >= base)
			return false;
		*value = *value * base + digit_value(*rest->at);
	}
	return true;
}

static bool
take_byte(struct text_rest *rest, unsigned digits, unsigned base, struct text *data)
{
	uint32_t value;
	if (!take_digits(rest, digits, base, &value) || value > 0xff)
		return false;
	char byte = (char)value;
	text_add(data, &byte, 1);
	return true;
}

static bool
take_code_point(struct text_rest *rest, unsigned digits, struct text *data)
{
	char encoded[4];
	uint32_t value;
	if (!take_digits(rest, digits, 16, &value) || value > 0x10ffff ||
	    (value >= 0xd800 && value < 0xe000))
		return false;
	text_add(data, encoded, text_encode(value, encoded));
	return true;
}

/* What follows a backslash. */
static bool
take_escape(struct text_rest *rest, struct text *data)
{
	static const char letters[] = "abfnrtv\\\"", meant[] = "\a\b\f\n\r\t\v\\\"";
	if (rest->at == rest->end)
		return false;
	const char *letter = memchr(letters, *rest->at, sizeof(letters) - 1);
	if (letter != NULL) {
		text_add(data, &meant[letter - letters], 1);
		rest->at++;
		return true;
	}
	if (digit_value(*rest->at) < 8)
		return take_byte(rest, 3, 8, data);
	switch (*rest->at++) {
	case 'x':
		return take_byte(rest, 2, 16, data);
	case 'u':
		return take_code_point(rest, 4, data);
	case 'U':
		return take_code_point(rest, 8, data);
	default:
		return false;
	}
}

/* As it is; what is not UTF-8 becomes U+FFFD, as in Go. */
static void
take_plain(struct text_rest *rest, struct text *data)
{
	struct text_char next = text_decode(rest->at, (size_t)(rest->end - rest->at));
	if (next.is_valid)
		text_add(data, rest->at, next.length);
	else
		text_add(data, "\xef\xbf\xbd", 3);
	rest->at += next.length;
}

/* Behind the opening quote, up to and with the closing one. */
static bool
take_quoted(struct text_rest *rest, struct text *data)
{
	while (rest->at < rest->end && *rest->at != '"') {
		if (*rest->at != '\\') {
			take_plain(rest, data);
			continue;
		}
		rest->at++;
		if (!take_escape(rest, data))
			return false;
	}
	return rest->at < rest->end && *rest->at++ == '"';
}

/* The same in backquotes, where only carriage returns are not what they are. */
static bool
take_raw(struct text_rest *rest, struct text *data)
{
	for (; rest->at < rest->end && *rest->at != '`'; rest->at++) {
		if (*rest->at != '\r')
			text_add(data, rest->at, 1);
	}
	return rest->at < rest->end && *rest->at++ == '`';
}

static const char data_name[] = "data=";

bool
text_is_data(struct text_rest rest)
{
	skip_space(&rest);
	return text_has_prefix(rest.at, (size_t)(rest.end - rest.at), data_name);
}

bool
text_data(struct text_rest *rest, struct text *data, struct error *err)
{
	skip_space(rest);
	struct text_token line = { rest->at, (size_t)(rest->end - rest->at) };
	rest->at += sizeof(data_name) - 1;
	bool ok = false;
	if (rest->at < rest->end && *rest->at == '"') {
		rest->at++;
		ok = take_quoted(rest, data);
	} else if (rest->at < rest->end && *rest->at == '`') {
		rest->at++;
		ok = take_raw(rest, data);
	}
	if (data->failed)
		return error_set_memory(err, "a string of the trace");
	return ok ? text_expect_end(rest, err) : text_refuse(line, "not a Go string", err);
}
