/*
 * Names of Go functions and types in little room. The name is put at the end of
 * the text and then shortened in place, step by step, until it fits.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"

enum {
	CELLS_END_ONLY = 4,  /* below: nothing but the end */
	CELLS_WITH_HEAD = 8, /* from here on the package shows before the dots */
	HEAD_SHARE = 4,      /* and gets at most this share of the cells, */
	LEAST_HEAD = 2,      /* and that at least */
	LONGEST_BYTES = 1024 /* to be looked at; Go since 1.22 has no longer ones */
};

/* The name under work: the bytes of text from start on. */
struct name {
	struct text *text;
	size_t start;
};

static size_t
name_length(const struct name *name)
{
	return name->text->length - name->start;
}

static char *
name_bytes(const struct name *name)
{
	return name->text->bytes + name->start;
}

static bool
does_fit(const struct name *name, size_t cells)
{
	return text_width(name_bytes(name), name_length(name)) <= cells;
}

/* Takes `count` bytes out at offset `at`. */
static void
cut_out(struct name *name, size_t at, size_t count)
{
	char *bytes = name_bytes(name);
	memmove(bytes + at, bytes + at + count, name_length(name) - at - count + 1);
	name->text->length -= count;
}

/* Brackets open after a byte, given those open before it. A stray closing one counts for nothing. */
static size_t
depth_after(size_t depth, char byte)
{
	if (byte == '[' || byte == '(')
		return depth + 1;
	if ((byte == ']' || byte == ')') && depth > 0)
		return depth - 1;
	return depth;
}

/*
 * Up to the last slash outside of brackets; a type's leading "*" and "[]" stay. Behind the path of a
 * package stands a point: "kworker/0:1" has none.
 */
static void
drop_import_path(struct name *name)
{
	const char *bytes = name_bytes(name);
	size_t marks = strspn(bytes, "*&[]");
	size_t depth = 0, path_end = marks;
	for (size_t i = marks; i < name_length(name); i++) {
		depth = depth_after(depth, bytes[i]);
		if (bytes[i] == '/' && depth == 0)
			path_end = i + 1;
	}
	if (memchr(bytes + path_end, '.', name_length(name) - path_end) != NULL)
		cut_out(name, marks, path_end - marks);
}

/* The length of the bracketed part at the start of bytes, 0 if it never closes. */
static size_t
bracketed_length(const char *bytes, size_t length)
{
	size_t depth = 0;
	for (size_t i = 0; i < length; i++) {
		depth = depth_after(depth, bytes[i]);
		if (depth == 0)
			return i + 1;
	}
	return 0;
}

/* "[int]" and the like; a "[]" of a type stays, and so does a bracket that never closes. */
static void
drop_type_arguments(struct name *name)
{
	size_t at = strspn(name_bytes(name), "*&[]");
	while (at < name_length(name)) {
		const char *bytes = name_bytes(name);
		size_t count = 0;
		if (bytes[at] == '[')
			count = bracketed_length(bytes + at, name_length(name) - at);
		if (count > 2)
			cut_out(name, at, count);
		else
			at++;
	}
}

/* "(*conn)" becomes "conn". */
static void
drop_receiver_marks(struct name *name)
{
	for (size_t at = 0; at + 1 < name_length(name); at++) {
		const char *bytes = name_bytes(name);
		if (bytes[at] != '(' || bytes[at + 1] != '*')
			continue;
		size_t count = bracketed_length(bytes + at, name_length(name) - at);
		if (count == 0)
			return;
		cut_out(name, at + count - 1, 1);
		cut_out(name, at, 2);
	}
}

/* The offset from which on the name takes at most `cells` cells. */
static size_t
tail_offset(const struct name *name, size_t cells)
{
	const char *bytes = name_bytes(name);
	size_t length = name_length(name);
	size_t width = text_width(bytes, length);
	size_t at = 0;
	while (width > cells) {
		struct text_char next = text_decode(bytes + at, length - at);
		size_t taken = text_width(bytes + at, next.length);
		at += next.length;
		width -= taken;
	}
	/* Marks of a character that is gone would sit on the dots. */
	while (at < length &&
		text_fit(bytes + at, text_decode(bytes + at, length - at).length, 0, NULL) > 0)
		at += text_decode(bytes + at, length - at).length;
	return at;
}

static void
keep_end(struct name *name, size_t cells)
{
	cut_out(name, 0, tail_offset(name, cells));
}

/* "func1", "gowrap2" or "3": what Go calls a function that has no name of its own. */
static bool
is_of_a_closure(const char *part, size_t length)
{
	static const char *const words[] = { "func", "gowrap", "deferwrap", "" };
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		size_t at = strlen(words[i]);
		if (at >= length || memcmp(part, words[i], at) != 0)
			continue;
		while (at < length && part[at] >= '0' && part[at] <= '9')
			at++;
		if (at == length)
			return true;
	}
	return false;
}

/* Where what the function itself is called begins: "serve" of "conn.serve.func1". */
static size_t
own_offset(const struct name *name)
{
	const char *bytes = name_bytes(name);
	size_t end = name_length(name), at = end;
	for (;;) {
		while (at > 0 && bytes[at - 1] != '.')
			at--;
		if (at < 2 || !is_of_a_closure(bytes + at, end - at))
			return at;
		end = --at;
	}
}

/* Cells of what stands before the name and its package: "G42 ". */
static size_t
lead_cells(const struct name *name)
{
	const char *bytes = name_bytes(name);
	size_t package = strcspn(bytes, "."), lead = package;
	while (lead > 0 && bytes[lead - 1] != ' ')
		lead--;
	return text_width(bytes, lead);
}

/* How much is shown in front of the dots: so that the function's own name stays, where that is enough. */
static size_t
head_room_in(const struct name *name, size_t cells, size_t dots_cells)
{
	size_t room = cells < CELLS_WITH_HEAD ? 0 : cells / HEAD_SHARE;
	size_t own = own_offset(name), lead = lead_cells(name);
	size_t own_cells = text_width(name_bytes(name) + own, name_length(name) - own);
	if (own_cells + dots_cells <= cells && cells - dots_cells - own_cells < room)
		room = cells - dots_cells - own_cells;
	if (lead > room && lead <= cells / 2)
		return lead;
	return room < LEAST_HEAD ? 0 : room;
}

/* The start of the package, dots, and the end. */
static void
keep_start_and_end(struct name *name, size_t cells, bool ascii)
{
	const char *dots = ascii ? ".." : "\xE2\x80\xA6";
	size_t dots_cells = ascii ? 2 : 1;
	size_t head_room = head_room_in(name, cells, dots_cells);
	size_t package = 0;
	while (package < name_length(name) && name_bytes(name)[package] != '.')
		package++;
	size_t head_cells;
	size_t head = text_fit(name_bytes(name), package, head_room, &head_cells);
	size_t tail = tail_offset(name, cells - dots_cells - head_cells);

	size_t dots_length = strlen(dots);
	if (!text_reserve(name->text, dots_length))
		return;
	char *bytes = name_bytes(name);
	size_t tail_length = name_length(name) - tail;
	memmove(bytes + head + dots_length, bytes + tail, tail_length + 1);
	memcpy(bytes + head, dots, dots_length);
	name->text->length = name->start + head + dots_length + tail_length;
}

/* Of a name beyond all measure only the ends: some steps take the square of its length. */
static void
add_ends(struct text *text, const char *safe, size_t length)
{
	size_t head = 0, tail = length - LONGEST_BYTES / 2;
	while (head < LONGEST_BYTES / 2)
		head += text_decode(safe + head, length - head).length;
	while (tail < length && ((unsigned char)safe[tail] & 0xC0) == 0x80)
		tail++;
	text_add(text, safe, head);
	text_add(text, safe + tail, length - tail);
}

void
text_add_short_name(struct text *text, const char *safe, size_t length, size_t cells, bool ascii)
{
	static void (*const steps[])(struct name *) = {
		drop_import_path,
		drop_type_arguments,
		drop_receiver_marks,
	};
	struct name name = { .text = text, .start = text->length };
	if (length > LONGEST_BYTES && cells < length)
		add_ends(text, safe, length);
	else
		text_add(text, safe, length);
	if (text->failed)
		return;
	for (size_t i = 0; i < ARRAY_LENGTH(steps); i++) {
		if (does_fit(&name, cells))
			return;
		steps[i](&name);
	}
	if (does_fit(&name, cells))
		return;
	if (cells < CELLS_END_ONLY)
		keep_end(&name, cells);
	else
		keep_start_and_end(&name, cells, ascii);
}
