/* UTF-8, cells and safe text; what may reach a terminal is checked apart from the code's tables. */
#include "base_testing.h"

#include <stdio.h>

#include "base/text.h"

/* ---- decoding */

/* The code point of bytes if they are its one right encoding; by the bits, with no table. */
static bool
is_encoding(const unsigned char *bytes, size_t length, uint32_t *code_point)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	static const unsigned char lead_marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	static const unsigned char lead_masks[] = { 0, 0x80, 0xE0, 0xF0, 0xF8 };
	if ((bytes[0] & lead_masks[length]) != lead_marks[length])
		return false;
	uint32_t value = bytes[0] & ~(uint32_t)lead_masks[length];
	for (size_t i = 1; i < length; i++) {
		if (bytes[i] >> 6 != 2)
			return false;
		value = value * 64 + bytes[i] % 64;
	}
	*code_point = value;
	return value >= smallest[length] && value <= 0x10FFFF && value / 0x800 != 0xD800 / 0x800;
}

/* The length of the character at the start, 0 if there is none. */
static size_t
character_at(const unsigned char *bytes, size_t length, uint32_t *code_point)
{
	for (size_t i = 1; i <= 4 && i <= length; i++) {
		if (is_encoding(bytes, i, code_point))
			return i;
	}
	return 0;
}

static void
check_decoding(const unsigned char *bytes, size_t length)
{
	uint32_t code_point = 0;
	size_t wanted = character_at(bytes, length, &code_point);
	struct text_char got = text_decode((const char *)bytes, length);
	if (got.is_valid != (wanted > 0) || got.length != (wanted > 0 ? wanted : 1) ||
		(wanted > 0 && got.code_point != code_point))
		fail_msg(
			"decoding %02X %02X ... of %zu bytes", bytes[0], bytes[length > 1], length);
}

static void
decoding_takes_what_is_right_and_no_more(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		unsigned char bytes[2] = { (unsigned char)(pair >> 8), (unsigned char)pair };
		check_decoding(bytes, 1);
		check_decoding(bytes, 2);
	}
	/* Every first and second byte, with what comes after at the edges. */
	static const unsigned char edges[] = { 0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF };
	for (unsigned pair = 0xE000; pair < 0x10000; pair++) {
		for (size_t i = 0; i < ARRAY_LENGTH(edges) * ARRAY_LENGTH(edges); i++) {
			unsigned char bytes[4] = { (unsigned char)(pair >> 8), (unsigned char)pair,
				edges[i / ARRAY_LENGTH(edges)], edges[i % ARRAY_LENGTH(edges)] };
			check_decoding(bytes, 3);
			check_decoding(bytes, 4);
		}
	}
}

static void
prefixes_are_found_within_the_length(void **state)
{
	(void)state;
	assert_true(text_has_prefix("runtime.main", 12, "runtime."));
	assert_true(text_has_prefix("runtime.", 8, "runtime."));
	assert_false(text_has_prefix("runtime.", 7, "runtime."));
	assert_false(text_has_prefix("main.main", 9, "runtime."));
	assert_true(text_has_prefix("", 0, ""));
}

static void
steps_from_one_name_to_another_are_counted(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		size_t edits;
	} rows[] = {
		{ "", "", 0 },
		{ "query", "query", 0 },
		{ "", "query", 5 },
		{ "querry", "query", 1 },
		{ "parse", "prase", 2 },
		{ "kitten", "sitting", 3 },
		{ "a", "bcd", 3 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		size_t a = strlen(rows[i].a), b = strlen(rows[i].b);
		assert_int_equal(text_edits(rows[i].a, a, rows[i].b, b), rows[i].edits);
		assert_int_equal(text_edits(rows[i].b, b, rows[i].a, a), rows[i].edits);
	}
	char longs[2][100];
	memset(longs, 'x', sizeof longs);
	longs[1][70] = 'y';
	assert_int_equal(text_edits(longs[0], 100, longs[1], 90), 0);
	longs[1][60] = 'y';
	assert_int_equal(text_edits(longs[0], 100, longs[1], 90), 1);
}

static void
bytes_are_compared_as_numbers(void **state)
{
	(void)state;
	assert_true(text_compare("b", 1, "ab", 2) > 0);
	assert_true(text_compare("a", 1, "ab", 2) < 0);
	assert_true(text_compare("ab", 2, "a", 1) > 0);
	assert_true(text_compare("\x80", 1, "z", 1) > 0);
	assert_true(text_compare("a\0b", 3, "a\0c", 3) < 0);
	assert_true(text_compare(NULL, 0, "a", 1) < 0);
	assert_int_equal(text_compare("ab", 1, "ac", 1), 0);
	assert_int_equal(text_compare(NULL, 0, NULL, 0), 0);
}

static void
encoding_then_decoding_is_the_identity(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10FFFF; code++) {
		if (code == 0xD800)
			code = 0xE000;
		char bytes[4];
		size_t length = text_encode(code, bytes);
		struct text_char back = text_decode(bytes, length);
		if (!back.is_valid || back.code_point != code || back.length != length)
			fail_msg("U+%04X", (unsigned)code);
	}
}

/* ---- cells */

static void
widths_are_those_of_terminals(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t first, last;
		int width;
	} rows[] = {
		{ "ASCII", 0x20, 0x7E, 1 },
		{ "Latin", 0xA0, 0xAC, 1 },
		{ "combining marks", 0x0300, 0x034E, 0 },
		{ "Hebrew points", 0x0591, 0x05BD, 0 },
		{ "Devanagari virama", 0x094D, 0x094D, 0 },
		{ "Hangul first letters", 0x1100, 0x115E, 2 },
		{ "Hangul vowels and finals", 0x1161, 0x11FF, 0 },
		{ "dashes and quotes", 0x2010, 0x2027, 1 },
		{ "ellipsis", 0x2026, 0x2026, 1 },
		{ "marks for symbols", 0x20D0, 0x20F0, 0 },
		{ "arrows", 0x2190, 0x21FF, 1 },
		{ "pictures of controls", 0x2400, 0x2426, 1 },
		{ "lines and blocks", 0x2500, 0x259F, 1 },
		{ "triangles", 0x25B2, 0x25BD, 1 },
		{ "Braille", 0x2800, 0x28FF, 1 },
		{ "hourglass", 0x23F3, 0x23F3, 2 },
		{ "wide space", 0x3000, 0x3000, 2 },
		{ "kana", 0x3041, 0x3096, 2 },
		{ "ideographs", 0x4E00, 0x9FFF, 2 },
		{ "Hangul syllables", 0xAC00, 0xD7A3, 2 },
		{ "variation selectors", 0xFE00, 0xFE0F, 0 },
		{ "fullwidth forms", 0xFF01, 0xFF60, 2 },
		{ "halfwidth forms", 0xFF61, 0xFF9F, 1 },
		{ "mathematical letters", 0x1D400, 0x1D454, 1 },
		{ "faces", 0x1F600, 0x1F64F, 2 },
		{ "emoji to come", 0x1FA70, 0x1FAFF, 2 },
		{ "later ideographs", 0x20000, 0x2FFFD, 2 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		for (uint32_t code = rows[i].first; code <= rows[i].last; code++) {
			int width = text_width_of(code);
			if (width != rows[i].width)
				fail_msg(
					"%s: U+%04X takes %d", rows[i].name, (unsigned)code, width);
		}
	}
}

/* Safe text of many kinds of characters. */
static void
random_safe_text(struct text *text, uint64_t *random, size_t characters)
{
	static const uint32_t kinds[] = { 'a', '.', '/', 0xE9, 0x301, 0x20DD, 0x4E2D, 0x1F600,
		0xFE0F, 0x2588, 0xAC00, 0x11A8 };
	for (size_t i = 0; i < characters; i++) {
		char bytes[4];
		size_t at = random_below(random, ARRAY_LENGTH(kinds));
		text_add(text, bytes, text_encode(kinds[at], bytes));
	}
}

static void
width_is_the_sum_over_pieces(void **state)
{
	(void)state;
	const uint64_t seed = 99;
	uint64_t random = seed;
	struct text text = { 0 };
	for (int round = 0; round < 2000; round++) {
		text_clear(&text);
		random_safe_text(&text, &random, random_below(&random, 30));
		size_t sum = 0;
		for (size_t at = 0; at < text.length;) {
			struct text_char next = text_decode(text.bytes + at, text.length - at);
			sum += (size_t)text_width_of(next.code_point);
			at += next.length;
			size_t front = text_width(text.bytes, at);
			size_t back = text_width(text.bytes + at, text.length - at);
			assert_int_equal(front, sum);
			assert_int_equal(front + back, text_width(text.bytes, text.length));
		}
	}
	text_release(&text);
}

/* The cut is between characters, before no mark, and nothing more would fit. */
static void
check_fit(const struct text *text, size_t cells)
{
	size_t used;
	size_t length = text_fit(text->bytes, text->length, cells, &used);
	assert_true(length <= text->length);
	assert_true(used <= cells);
	assert_int_equal(text_width(text->bytes, length), used);
	assert_int_equal(text_fit(text->bytes, text->length, cells, NULL), length);
	size_t at = 0;
	while (at < length)
		at += text_decode(text->bytes + at, text->length - at).length;
	assert_int_equal(at, length);
	if (length == text->length)
		return;
	struct text_char next = text_decode(text->bytes + length, text->length - length);
	int width = text_width_of(next.code_point);
	assert_true(width > 0 && used + (size_t)width > cells);
}

static void
fitting_never_cuts_a_character(void **state)
{
	(void)state;
	const uint64_t seed = 7;
	uint64_t random = seed;
	struct text text = { 0 };
	for (int round = 0; round < 500; round++) {
		text_clear(&text);
		random_safe_text(&text, &random, 1 + random_below(&random, 30));
		for (size_t cells = 0; cells < 64; cells++)
			check_fit(&text, cells);
	}
	text_release(&text);
	assert_int_equal(text_fit("", 0, 5, NULL), 0);
}

/* ---- safe text */

struct safe_row {
	const char *name;
	const char *bytes;
	size_t length; /* 0: up to the zero byte */
	const char *wanted, *wanted_ascii;
};

static const struct safe_row safe_rows[] = {
	{ "empty", "", 0, "", "" },
	{ "plain", "net/http.(*conn).serve", 0, "net/http.(*conn).serve",
		"net/http.(*conn).serve" },
	{ "zero byte", "a\0b", 3, "a\u2400b", "a\\x00b" },
	{ "newline and tab", "a\n\tb\r", 0, "a\u240A\u2409b\u240D", "a\\n\\tb\\r" },
	{ "escape sequence", "\x1B[31m", 0, "\u241B[31m", "\\e[31m" },
	{ "bell and backspace", "\a\b", 0, "\u2407\u2408", "\\x07\\x08" },
	{ "delete", "\x7F", 0, "\u2421", "\\x7F" },
	{ "C1 as UTF-8",
		"\xC2\x9B"
		"31m",
		0, "<U+009B>31m", "\\u{009B}31m" },
	{ "C1 as a byte",
		"\x9B"
		"31m",
		0, "\\x9B31m", "\\x9B31m" },
	{ "accents and signs", "\u00E9\u00B5\u4E2D", 0, "\u00E9\u00B5\u4E2D",
		"\\u{00E9}\\u{00B5}\\u{4E2D}" },
	{ "emoji with selector", "\u2764\uFE0F", 0, "\u2764\uFE0F", "\\u{2764}\\u{FE0F}" },
	{ "right-to-left override", "a\u202Eb", 0, "a<U+202E>b", "a\\u{202E}b" },
	{ "isolates", "\u2066\u2069", 0, "<U+2066><U+2069>", "\\u{2066}\\u{2069}" },
	{ "Arabic letter mark", "\u061C", 0, "<U+061C>", "\\u{061C}" },
	{ "zero-width joiner", "a\u200Db", 0, "a<U+200D>b", "a\\u{200D}b" },
	{ "soft hyphen", "\xC2\xAD", 0, "<U+00AD>", "\\u{00AD}" },
	{ "line separator", "\u2028", 0, "<U+2028>", "\\u{2028}" },
	{ "byte order mark", "\uFEFFx", 0, "<U+FEFF>x", "\\u{FEFF}x" },
	{ "annotation", "\uFFF9", 0, "<U+FFF9>", "\\u{FFF9}" },
	{ "tag", "\U000E0041", 0, "<U+E0041>", "\\u{E0041}" },
	{ "noncharacter", "\uFDD0\U0001FFFF", 0, "<U+FDD0><U+1FFFF>", "\\u{FDD0}\\u{1FFFF}" },
	{ "private use", "\uE0A0\U00100000", 0, "<U+E0A0><U+100000>", "\\u{E0A0}\\u{100000}" },
	{ "unused plane", "\U00050000", 0, "<U+50000>", "\\u{50000}" },
	{ "empty-looking filler", "\u3164", 0, "<U+3164>", "\\u{3164}" },
	{ "replacement character", "\uFFFD", 0, "\uFFFD", "\\u{FFFD}" },
	{ "surrogate", "\xED\xA0\x80", 0, "\\xED\\xA0\\x80", "\\xED\\xA0\\x80" },
	{ "overlong slash", "\xC0\xAF", 0, "\\xC0\\xAF", "\\xC0\\xAF" },
	{ "overlong escape", "\xE0\x80\x9B", 0, "\\xE0\\x80\\x9B", "\\xE0\\x80\\x9B" },
	{ "beyond Unicode", "\xF4\x90\x80\x80", 0, "\\xF4\\x90\\x80\\x80", "\\xF4\\x90\\x80\\x80" },
	{ "cut character", "a\xE2\x80", 0, "a\\xE2\\x80", "a\\xE2\\x80" },
	{ "cut, then more", "\xE2\x80z", 0, "\\xE2\\x80z", "\\xE2\\x80z" },
	{ "lone continuation", "\x80\xBF", 0, "\\x80\\xBF", "\\x80\\xBF" },
	{ "mark on a letter", "e\u0301", 0, "e\u0301", "e\\u{0301}" },
	{ "mark on nothing", "\u0301\u0302", 0, "\u25CC\u0301\u0302", "\\u{0301}\\u{0302}" },
};

static void
what_is_cut_ends_in_dots(void **state)
{
	(void)state;
	static const struct {
		size_t cells;
		bool ascii;
		const char *wanted;
	} cuts[] = {
		{ 9, false, "> chan send" },
		{ 8, false, "> chan se\u2026" },
		{ 8, true, "> chan s.." },
		{ 1, false, "> c" },
		{ 2, true, "> ch" },
		{ 0, false, "> " },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cuts); i++) {
		struct text text = { 0 };
		text_add_string(&text, "> chan send");
		text_cut(&text, 2, cuts[i].cells, cuts[i].ascii);
		assert_string_equal(text.bytes, cuts[i].wanted);
		assert_int_equal(text.length, strlen(cuts[i].wanted));
		text_release(&text);
	}
}

static void
unsafe_bytes_become_visible(void **state)
{
	(void)state;
	struct text text = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(safe_rows); i++) {
		const struct safe_row *row = &safe_rows[i];
		size_t length = row->length > 0 ? row->length : strlen(row->bytes);
		text_clear(&text);
		text_add(&text, "", 0);
		text_add_safe(&text, row->bytes, length, false);
		check_text(row->name, text.bytes, row->wanted);
		text_clear(&text);
		text_add_safe(&text, row->bytes, length, true);
		check_text(row->name, text.length > 0 ? text.bytes : "", row->wanted_ascii);
	}
	text_release(&text);
}

/* A mark may not climb on what we wrote before it. */
static void
pieces_start_with_a_base(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add_string(&text, "G42 ");
	text_add_safe(&text, "\u0338", 2, false);
	check_text("piece", text.bytes, "G42 \u25CC\u0338");
	text_release(&text);
}

static const struct {
	uint32_t first, last;
} never_on_screen[] = {
	{ 0x00, 0x1F },
	{ 0x7F, 0x9F },
	{ 0xAD, 0xAD },
	{ 0x061C, 0x061C },
	{ 0x180E, 0x180E },
	{ 0x200B, 0x200F },
	{ 0x2028, 0x202E },
	{ 0x2060, 0x206F },
	{ 0xE000, 0xF8FF },
	{ 0xFDD0, 0xFDEF },
	{ 0xFEFF, 0xFEFF },
	{ 0xFFF9, 0xFFFB },
	{ 0xFFFE, 0xFFFF },
	{ 0x40000, 0x10FFFF },
};

static bool
may_be_on_screen(uint32_t code_point)
{
	for (size_t i = 0; i < ARRAY_LENGTH(never_on_screen); i++) {
		if (code_point >= never_on_screen[i].first && code_point <= never_on_screen[i].last)
			return false;
	}
	return true;
}

/* Valid UTF-8 of nothing but harmless characters; in ASCII, printable bytes. */
static void
check_harmless(const char *what, const struct text *text, bool ascii)
{
	const unsigned char *bytes = (const unsigned char *)text->bytes;
	for (size_t at = 0; at < text->length;) {
		uint32_t code_point = 0;
		size_t length = character_at(bytes + at, text->length - at, &code_point);
		if (length == 0 || !may_be_on_screen(code_point) || (ascii && code_point > 0x7E))
			fail_msg("%s: byte %zu of the output", what, at);
		at += length;
	}
}

static void
check_safe(struct text *text, const char *bytes, size_t length)
{
	char what[40];
	snprintf(what, sizeof(what), "%02X %02X %02X of %zu", (unsigned char)bytes[0],
		(unsigned char)bytes[length > 1 ? 1 : 0], (unsigned char)bytes[length - 1], length);
	text_clear(text);
	text_add_safe(text, bytes, length, false);
	check_harmless(what, text, false);
	text_clear(text);
	text_add_safe(text, bytes, length, true);
	check_harmless(what, text, true);
}

static void
no_bytes_get_through(void **state)
{
	(void)state;
	struct text text = { 0 };
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		char bytes[2] = { (char)(pair >> 8), (char)pair };
		check_safe(&text, bytes, 1);
		check_safe(&text, bytes, 2);
	}
	const uint64_t seed = 31337;
	uint64_t random = seed;
	for (int round = 0; round < 60000; round++) {
		char bytes[8];
		size_t length = 3 + random_below(&random, 6);
		for (size_t i = 0; i < length; i++) {
			/* Mostly what belongs to longer sequences. */
			unsigned byte = (unsigned)random_below(&random, 256);
			bytes[i] = (char)(random_below(&random, 4) > 0 ? byte | 0x80 : byte);
		}
		check_safe(&text, bytes, length);
	}
	text_release(&text);
}

static void
no_code_point_gets_through(void **state)
{
	(void)state;
	struct text text = { 0 };
	for (uint32_t code = 0; code <= 0x10FFFF; code++) {
		if (code == 0xD800)
			code = 0xE000;
		char bytes[4];
		size_t length = text_encode(code, bytes);
		text_clear(&text);
		text_add_safe(&text, bytes, length, false);
		check_harmless("one code point", &text, false);
		bool is_kept = text.length >= length &&
			       memcmp(text.bytes + text.length - length, bytes, length) == 0;
		if (is_kept != (code >= 0x20 && code != 0x7F && (code < 0x80 || code >= 0xA0) &&
				       !text_is_hidden(code)))
			fail_msg("U+%04X", (unsigned)code);
	}
	text_release(&text);
}

/* ---- building */

/* Whatever the bytes, and the character set of a terminal: no byte of it is a control. */
static void
json_is_printable_ascii(void **state)
{
	(void)state;
	uint64_t random = 33;
	for (int round = 0; round < 20000; round++) {
		char bytes[16];
		struct text out = { 0 };
		size_t length = 0;
		while (length + 4 <= sizeof bytes && random_below(&random, 8) > 0) {
			if (random_below(&random, 2) == 0)
				bytes[length++] = (char)random_below(&random, 256);
			else
				length += text_encode((uint32_t)random_below(&random, 0xd800), bytes + length);
		}
		text_add_json(&out, bytes, length);
		for (size_t i = 0; i < out.length; i++)
			assert_true(out.bytes[i] >= ' ' && out.bytes[i] <= '~');
		text_release(&out);
	}
}

static void
a_path_ends_in_its_base_name(void **state)
{
	(void)state;
	assert_string_equal(text_base_name("/tmp/a b/x.trace"), "x.trace");
	assert_string_equal(text_base_name("x.trace"), "x.trace");
	assert_string_equal(text_base_name("/tmp/"), "/tmp/");
	assert_string_equal(text_base_name("/"), "/");
	assert_string_equal(text_base_name(""), "");
}

static void
texts_grow_and_clear(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_clear(&text);
	for (int i = 0; i < 1000; i++)
		text_format(&text, "%d,", i);
	assert_false(text.failed);
	assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4);
	assert_int_equal(strlen(text.bytes), text.length);
	assert_memory_equal(text.bytes, "0,1,2,3,", 8);
	text_clear(&text);
	text_add(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.bytes, "a\0b", 4);
	text_format(&text, "%s", "");
	assert_int_equal(text.length, 3);
	text_release(&text);
	assert_null(text.bytes);
}

static void
impossible_sizes_fail(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add_string(&text, "abc");
	assert_false(text_reserve(&text, SIZE_MAX));
	assert_true(text.failed);
	text_add_string(&text, "lost");
	check_text("what was there", text.bytes, "abc");
	text_clear(&text);
	assert_false(text.failed);
	assert_false(text_reserve(&text, SIZE_MAX - 1));
	text_release(&text);
}

static bool
try_text(struct error *err)
{
	static const char name[] = "net/http.(*persistConn).writeLoop";
	struct text text = { 0 };
	text_add_string(&text, "G1");
	text_format(&text, "%0100d", 7);
	for (int i = 0; i < 20; i++) {
		text_add_safe(&text, "\x1B\xC2\x85\xFF\u0301", 7, i % 2 == 0);
		text_add_short_name(&text, name, strlen(name), (size_t)i + 10, false);
	}
	bool is_fine = !text.failed;
	if (text.bytes != NULL)
		assert_int_equal(strlen(text.bytes), text.length);
	check_harmless("after failure", &text, false);
	text_release(&text);
	return is_fine || error_set_memory(err, "the test");
}

static void
every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("text", try_text) > 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoding_takes_what_is_right_and_no_more),
		cmocka_unit_test(prefixes_are_found_within_the_length),
		cmocka_unit_test(steps_from_one_name_to_another_are_counted),
		cmocka_unit_test(bytes_are_compared_as_numbers),
		cmocka_unit_test(encoding_then_decoding_is_the_identity),
		cmocka_unit_test(widths_are_those_of_terminals),
		cmocka_unit_test(width_is_the_sum_over_pieces),
		cmocka_unit_test(fitting_never_cuts_a_character),
		cmocka_unit_test(what_is_cut_ends_in_dots),
		cmocka_unit_test(unsafe_bytes_become_visible),
		cmocka_unit_test(pieces_start_with_a_base),
		cmocka_unit_test(no_bytes_get_through),
		cmocka_unit_test(no_code_point_gets_through),
		cmocka_unit_test(json_is_printable_ascii),
		cmocka_unit_test(a_path_ends_in_its_base_name),
		cmocka_unit_test(texts_grow_and_clear),
		cmocka_unit_test(impossible_sizes_fail),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
