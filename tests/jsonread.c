/* Values as slices. */
#include "jsonread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jsonread
jsonread_over(struct jsonslice slice)
{
	return (struct jsonread){ slice.bytes, slice.bytes + slice.length, false };
}

static char
peek(struct jsonread *in)
{
	while (in->at < in->end && strchr(" \t\r\n", *in->at) != NULL && *in->at != '\0')
		in->at++;
	return in->at < in->end ? *in->at : '\0';
}

static bool
fail(struct jsonread *in)
{
	in->failed = true;
	return false;
}

static void
skip_string(struct jsonread *in)
{
	for (in->at++; in->at < in->end && *in->at != '"'; in->at++) {
		if ((unsigned char)*in->at < 0x20) {
			fail(in);
			return;
		}
		if (*in->at == '\\')
			in->at++;
	}
	if (in->at >= in->end)
		fail(in);
	else
		in->at++;
}

/* Everything up to the bracket that closes this one. */
static void
skip_nested(struct jsonread *in)
{
	size_t depth = 0;
	do {
		char c = peek(in);
		if (c == '"') {
			skip_string(in);
			continue;
		}
		if (c == '\0') {
			fail(in);
			return;
		}
		if (c == '{' || c == '[')
			depth++;
		else if (c == '}' || c == ']')
			depth--;
		in->at++;
	} while (depth > 0 && !in->failed);
}

struct jsonslice
jsonread_value(struct jsonread *in)
{
	char c = peek(in);
	const char *start = in->at;
	if (c == '"')
		skip_string(in);
	else if (c == '{' || c == '[')
		skip_nested(in);
	else
		in->at += strspn(in->at, "+-.0123456789eEaflnrstu");
	if (in->at == start || in->at > in->end)
		fail(in);
	return (struct jsonslice){ start, (size_t)(in->at - start) };
}

/* Goes to the next item; false behind the last one. */
static bool
next_item(struct jsonread *in, char open, char close)
{
	char c = peek(in);
	if (in->failed || c == '\0')
		return fail(in);
	in->at++;
	if (c == close)
		return false;
	if (c == open && peek(in) == close) {
		in->at++;
		return false;
	}
	return c == open || c == ',' || fail(in);
}

bool
jsonread_element(struct jsonread *in, struct jsonslice *value)
{
	if (!next_item(in, '[', ']'))
		return false;
	*value = jsonread_value(in);
	return !in->failed;
}

bool
jsonread_member(struct jsonread *in, struct jsonslice *key, struct jsonslice *value)
{
	if (!next_item(in, '{', '}'))
		return false;
	if (peek(in) != '"')
		return fail(in);
	*key = jsonread_value(in);
	if (in->failed || peek(in) != ':')
		return fail(in);
	in->at++;
	*value = jsonread_value(in);
	return !in->failed;
}

bool
jsonread_find(struct jsonslice object, const char *key, struct jsonslice *value)
{
	struct jsonread in = jsonread_over(object);
	struct jsonslice name;
	while (jsonread_member(&in, &name, value))
		if (jsonslice_is(name, key))
			return true;
	return false;
}

int64_t
jsonslice_number(struct jsonslice slice)
{
	char text[40];
	snprintf(text, sizeof text, "%.*s", (int)slice.length, slice.bytes);
	return strtoll(text, NULL, 10);
}

bool
jsonslice_is(struct jsonslice slice, const char *string)
{
	size_t length = strlen(string);
	return slice.length == length + 2 && memcmp(slice.bytes + 1, string, length) == 0;
}
