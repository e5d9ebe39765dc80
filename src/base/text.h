/*
 * Text that came from outside, made fit for a terminal. The one place where
 * control characters, the C1 block, bidirectional and other invisible format
 * characters and broken UTF-8 become visible; and the one place that counts
 * cells instead of bytes.
 */
#ifndef TTRACE_BASE_TEXT_H
#define TTRACE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* One step of decoding: a code point, or one bad byte. */
struct text_char {
	uint32_t code_point; /* valid only if is_valid */
	uint8_t length;      /* bytes taken, 1 for a bad byte, never 0 */
	bool is_valid;
};

/* Decodes the first character of bytes[0..length), length > 0. Never reads beyond. */
struct text_char text_decode(const char *bytes, size_t length);

/* Which character byte `at` belongs to, as a person counts them: from 1. */
size_t text_character_number(const char *bytes, size_t length, size_t at);

/* Writes the UTF-8 of a valid code point, 1 to 4 bytes, no final zero; returns the length. */
size_t text_encode(uint32_t code_point, char out[4]);

/*
 * Cells that a code point takes: 0 (combining), 1 or 2. From our own tables, so the
 * same in every locale. Controls and hidden characters are never asked for.
 */
int text_width_of(uint32_t code_point);

/* Whether text_add_safe() shows the code point (no C0, DEL or C1 control) as <U+HHHH>. */
bool text_is_hidden(uint32_t code_point);

/* Whether Go quotes the code point as itself: strconv.IsPrint with Unicode 15. */
bool text_is_printable(uint32_t code_point);

/* Whether bytes begin with a zero-terminated prefix. */
bool text_has_prefix(const char *bytes, size_t length, const char *prefix);

/* Orders by bytes, a text before those that go on behind it: less than 0, 0, or more. */
int text_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/*
 * Steps (a byte more, less or another) from one to the other; what lies behind the first 64 bytes
 * of either is not looked at.
 */
size_t text_edits(const char *a, size_t a_length, const char *b, size_t b_length);

/* What stands behind the last slash of a path; all of it where that is nothing. Points into it. */
const char *text_base_name(const char *path);

/* A growable byte string for building text. Zero-initialised is empty. */
struct text {
	char *bytes; /* zero-terminated once anything was added */
	size_t length, capacity;
	bool failed; /* memory ran out somewhere; the text lacks all from there on */
};

/* As a string, good until the text changes; "" where it is empty or memory ran out. */
static inline const char *
text_string(const struct text *text)
{
	return text->failed || text->length == 0 ? "" : text->bytes;
}

/* Room for `more` bytes and the final zero; false (and failed is set) without memory. */
bool text_reserve(struct text *text, size_t more);

void text_clear(struct text *text); /* keeps the memory */
void text_release(struct text *text);
void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);
/* Makes it the same as another. */
void text_copy(struct text *text, const struct text *from);
void text_format(struct text *text, const char *format, ...) ATTR_PRINTF(2, 3);
void text_format_list(struct text *text, const char *format, va_list args) ATTR_PRINTF(2, 0);

/*
 * Appends bytes from outside as safe UTF-8: printable characters as they are;
 * tab, newline and other C0 controls as their pictures (U+2400 block), DEL as
 * U+2421; bad bytes (surrogates and overlong forms among them) as \xHH; C1
 * controls, bidirectional controls, line separators, invisible format characters,
 * private use, noncharacters and unused planes as <U+HHHH>. With ascii set, everything
 * outside printable ASCII is written as \n \t \r \e, \xHH or \u{HHHH}.
 * A combining character at the start gets a dotted circle to stand on.
 */
void text_add_safe(struct text *text, const char *bytes, size_t length, bool ascii);

/*
 * The same for a message of fixed size: as much of the safe text as fits, with
 * "..." behind it where that is not all, and a final zero. size is 8 at least.
 */
void text_excerpt(char *out, size_t size, const char *bytes, size_t length);

/* Whether a character, or a byte, stands for itself in JSON and is ASCII. */
static inline bool
text_is_json_plain(uint32_t c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

/*
 * One character (as text_decode() has it) as JSON spells it between quotes, in ASCII: so no byte is a
 * control to a terminal, whatever its character set. The short escapes; \u and four digits, or two
 * of these, for other controls, for <, > and & and for all that is not ASCII; \ufffd for a byte
 * that is not UTF-8. Returns the length, at most TEXT_JSON_BYTES.
 */
enum { TEXT_JSON_BYTES = 12 };
size_t text_spell_json(struct text_char c, char out[TEXT_JSON_BYTES]);
/* Appends bytes from outside spelled so, without the quotes. */
void text_add_json(struct text *text, const char *bytes, size_t length);

/* Appends text for XML, also within double quotes: reserved characters escaped, forbidden replaced. */
void text_add_xml(struct text *text, const char *bytes, size_t length);

/*
 * Appends a word for a shell: as it is where that is safe, else quoted as sh, bash, zsh and fish
 * read alike. No such word holds what cannot be seen (controls, hidden characters, bad UTF-8): one
 * that does becomes TEXT_NO_SHELL_WORD, and a line with that in it is not to be copied.
 */
#define TEXT_NO_SHELL_WORD "'(cannot be copied)'"
void text_add_shell_word(struct text *text, const char *word);
/* Appends a file as such a word that is no option; NULL is standard input. */
void text_add_shell_file(struct text *text, const char *file);
/* The same as safe text, to be shown rather than handed to a shell. */
void text_add_shown_file(struct text *text, const char *file, bool ascii);

/* Cells of safe text. */
size_t text_width(const char *safe, size_t length);

/*
 * How many bytes of safe text fit in `cells` cells, never cutting a character
 * from its combining marks; *used_cells (may be NULL) becomes the cells they take.
 */
size_t text_fit(const char *safe, size_t length, size_t cells, size_t *used_cells);

/*
 * Shortens the safe text that begins at byte `start` to `cells` cells: what is too long ends in
 * dots, U+2026 or "..", unless there is no room for more than these.
 */
void text_cut(struct text *text, size_t start, size_t cells, bool ascii);

/*
 * Appends a Go function or type name shortened to `cells` cells where it tells
 * least. A name that fits is appended whole. Else, until it fits:
 *     without import path          net/http.(*conn).serve -> http.(*conn).serve
 *     without type arguments       main.Map[go.shape.int] -> main.Map
 *     without pointer receivers    http.(*conn).serve -> http.conn.serve
 *     start and end                http.persistConn.writeLoop -> http...Conn.writeLoop
 * with "..." as U+2026 (".." in ASCII). The end is always kept; below four
 * cells it is all there is. The name is safe text and so is the result.
 */
void text_add_short_name(
	struct text *text, const char *safe, size_t length, size_t cells, bool ascii);

#endif
