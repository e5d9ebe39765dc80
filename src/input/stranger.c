/* A table of magic numbers, and a few kinds of text. */
#include "input/stranger.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"

/* What is looked at. */
struct head {
	const char *bytes;
	size_t size;
};

/* How much of a text is shown. */
enum { EXCERPT_BYTES = 120 };

/* ---- kinds with a magic number; the first row that fits counts */

#define MAGIC(offset, bytes, name) { offset, bytes, sizeof(bytes) - 1, name }

static const struct magic_row {
	size_t offset;
	const char *magic;
	size_t size;
	const char *name;
} magic_rows[] = {
	/* The byte at 16 is the type, in either byte order. */
	MAGIC(16, "\4\0", "an ELF core dump"),
	MAGIC(16, "\0\4", "an ELF core dump"),
	MAGIC(0, "\177ELF", "an ELF program or library"),
	MAGIC(0, "\xcf\xfa\xed\xfe", "a Mach-O program or library"),
	MAGIC(0, "\xce\xfa\xed\xfe", "a Mach-O program or library"),
	MAGIC(0, "\xfe\xed\xfa\xcf", "a Mach-O program or library"),
	MAGIC(0, "\xfe\xed\xfa\xce", "a Mach-O program or library"),
	MAGIC(0, "\xca\xfe\xba\xbe\0\0\0", "a Mach-O program for several processors"),
	MAGIC(0, "MZ", "a Windows program"),
	MAGIC(0, "MDMP", "a Windows core dump"),
	MAGIC(0, "PK\3\4", "a zip archive"),
	MAGIC(0, "PK\5\6", "an empty zip archive"),
	MAGIC(0, "\xfd" "7zXZ\0", "xz data, which xz -dc unpacks"),
	MAGIC(0, "BZh", "bzip2 data, which bzip2 -dc unpacks"),
	MAGIC(0, "\x04\"M\x18", "lz4 data, which lz4 -dc unpacks"),
	MAGIC(0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
	MAGIC(257, "ustar", "a tar archive"),
	MAGIC(0, "!<arch>\n", "an ar archive, as a library or a Debian package is"),
	MAGIC(0, "PERFILE2", "a recording of Linux perf"),
	MAGIC(0, "go1.7 heap dump\n", "a Go heap dump"),
	MAGIC(0, "M=-1 P=-1 G=-1 Sync", "a dump by go tool trace -d, which cannot be read back"),
};

static const char *
name_by_magic(struct head head)
{
	bool is_elf = head.size >= 4 && memcmp(head.bytes, "\177ELF", 4) == 0;

	for (size_t i = 0; i < ARRAY_LENGTH(magic_rows); i++) {
		const struct magic_row *row = &magic_rows[i];
		if (row->offset == 16 && !is_elf)
			continue;
		if (head.size >= row->offset + row->size &&
		    memcmp(head.bytes + row->offset, row->magic, row->size) == 0)
			return row->name;
	}
	return NULL;
}

/* ---- nothing */

static bool
is_all_zero(struct head head)
{
	size_t zeros = 0;
	while (zeros < head.size && head.bytes[zeros] == '\0')
		zeros++;
	return zeros == head.size;
}

/* ---- text */

/* UTF-8 without control characters other than white space; it may be cut at the end. */
static bool
is_text(struct head head)
{
	for (size_t at = 0; at < head.size;) {
		struct text_char next = text_decode(head.bytes + at, head.size - at);
		if (!next.is_valid)
			return head.size == STRANGER_HEAD_BYTES && head.size - at < 4;
		if (next.code_point < 0x20 && strchr("\t\n\v\f\r\33", (int)next.code_point) == NULL)
			return false;
		if (next.code_point == 0)
			return false;
		at += next.length;
	}
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Without a byte order mark and white space at the beginning. */
static struct head
skip_blanks(struct head head)
{
	size_t at = head.size >= 3 && memcmp(head.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (at < head.size && is_blank(head.bytes[at]))
		at++;
	return (struct head){ head.bytes + at, head.size - at };
}

/* Where `wanted` (lower case) is, in any case; NULL if nowhere. */
static const char *
find(struct head head, const char *wanted)
{
	size_t length = strlen(wanted);
	for (size_t at = 0; at + length <= head.size; at++) {
		size_t same = 0;
		while (same < length) {
			char c = head.bytes[at + same];
			if (c >= 'A' && c <= 'Z')
				c = (char)(c - 'A' + 'a');
			if (c != wanted[same])
				break;
			same++;
		}
		if (same == length)
			return head.bytes + at;
	}
	return NULL;
}

static bool
begins_with(struct head head, const char *wanted)
{
	size_t length = strlen(wanted);
	return head.size >= length &&
	       find((struct head){ head.bytes, length }, wanted) != NULL;
}

/* From `from` to the first of `ends`, without white space around it. */
static struct head
piece(struct head head, const char *from, const char *ends)
{
	size_t left = (size_t)(head.bytes + head.size - from), length = 0;
	while (length < left && strchr(ends, from[length]) == NULL)
		length++;
	struct head found = skip_blanks((struct head){ from, length });
	while (found.size > 0 && is_blank(found.bytes[found.size - 1]))
		found.size--;
	return found;
}

/* "what: "text"", or just what where there is no text. */
static void
name_with_text(char name[STRANGER_NAME_BYTES], const char *what, struct head text)
{
	char excerpt[EXCERPT_BYTES];
	text_excerpt(excerpt, sizeof(excerpt), text.bytes, text.size);
	if (text.size > 0)
		snprintf(name, STRANGER_NAME_BYTES, "%s: \"%s\"", what, excerpt);
	else
		snprintf(name, STRANGER_NAME_BYTES, "%s", what);
}

/* The first line outside of tags with something in it. */
static struct head
first_words(struct head head)
{
	const char *end = head.bytes + head.size;
	const char *at = head.bytes;
	while (at < end) {
		if (*at == '<') {
			const char *behind = memchr(at, '>', (size_t)(end - at));
			at = behind != NULL ? behind + 1 : end;
			continue;
		}
		struct head words = piece(head, at, "<\n");
		if (words.size > 0)
			return words;
		at++;
	}
	return (struct head){ end, 0 };
}

static bool
name_html(struct head head, char name[STRANGER_NAME_BYTES])
{
	if (!begins_with(head, "<!doctype html") && !begins_with(head, "<html") &&
	    !begins_with(head, "<head") && !begins_with(head, "<body") &&
	    !begins_with(head, "<title"))
		return false;
	const char *title = find(head, "<title");
	size_t left = title != NULL ? (size_t)(head.bytes + head.size - title) : 0;
	const char *inside = title != NULL ? memchr(title, '>', left) : NULL;
	if (inside != NULL)
		name_with_text(name, "an HTML page", piece(head, inside + 1, "<"));
	else
		name_with_text(name, "an HTML page", first_words(head));
	return true;
}

/* An opening bracket, and behind it what may follow one. */
static bool
is_json(struct head head)
{
	if (head.size == 0 || (head.bytes[0] != '{' && head.bytes[0] != '['))
		return false;
	struct head inside = skip_blanks((struct head){ head.bytes + 1, head.size - 1 });
	if (inside.size == 0)
		return false;
	return strchr(head.bytes[0] == '{' ? "\"}" : "\"{[]-0123456789tfn", inside.bytes[0]) != NULL;
}

static const char *
json_name(struct head head)
{
	if (find(head, "\"traceevents\"") != NULL || find(head, "\"ph\":") != NULL)
		return "trace events as JSON, made for a viewer in the browser; "
		       "ttrace reads the trace that they were made from";
	return "JSON";
}

/* `head` is text. */
static void
name_text(struct head head, char name[STRANGER_NAME_BYTES])
{
	struct head text = skip_blanks(head);
	if (name_html(text, name))
		return;
	if (is_json(text))
		snprintf(name, STRANGER_NAME_BYTES, "%s", json_name(text));
	else if (text.size == 0)
		snprintf(name, STRANGER_NAME_BYTES, "only white space");
	else if (find(text, "% time     seconds  usecs/call") != NULL)
		snprintf(name, STRANGER_NAME_BYTES, "the table of strace -c, which tells of no single call");
	else
		name_with_text(name, begins_with(text, "<?xml") ? "XML" : "plain text",
		               piece(text, text.bytes, "\r\n"));
}

bool
stranger_name(const uint8_t *bytes, size_t size, char name[STRANGER_NAME_BYTES])
{
	struct head head = { (const char *)bytes, size };
	if (head.size > STRANGER_HEAD_BYTES)
		head.size = STRANGER_HEAD_BYTES;
	const char *known = name_by_magic(head);
	if (head.size == 0)
		return false;
	if (known == NULL && is_all_zero(head))
		known = "only zero bytes";
	if (known != NULL)
		snprintf(name, STRANGER_NAME_BYTES, "%s", known);
	else if (is_text(head))
		name_text(head, name);
	else
		return false;
	return true;
}
