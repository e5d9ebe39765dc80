/* The assembler of text traces. */
#include "texttrace.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gotrace/wire.h"

/* Nine padding bytes leave room for any size that is filled in later. */
enum { PADDED_BYTES = 10 };

struct assembler {
	const char *at, *end;   /* of the text */
	unsigned line;          /* 1 is the first */
	struct text *out;
	size_t open_size;       /* place of a size still to be filled in, 0 for none */
	uint64_t frames_due;    /* frame lines that must follow */
	bool is_data_due;       /* a data line may follow */
	char *problem;
};

static bool
refuse(const struct assembler *a, const char *what, const char *token)
{
	snprintf(a->problem, 200, "line %u: %s: %s", a->line, what, token);
	return false;
}

static void
put_byte(struct assembler *a, unsigned byte)
{
	char c = (char)byte;
	text_add(a->out, &c, 1);
}

static void
put_varint(struct assembler *a, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(a, (unsigned)(value & 0x7f) | 0x80);
	put_byte(a, (unsigned)value);
}

/* Fills in the size of the batch that ends here, if it was left open. */
static void
close_batch(struct assembler *a)
{
	if (a->open_size == 0)
		return;
	uint64_t size = a->out->length - a->open_size - PADDED_BYTES;
	for (unsigned i = 0; i < PADDED_BYTES; i++, size >>= 7)
		a->out->bytes[a->open_size + i] =
			(char)((size & 0x7f) | (i + 1 < PADDED_BYTES ? 0x80 : 0));
	a->open_size = 0;
}

/* ---- tokens of one line */

/* The next token of the line; false at its end. A comment ends a line. */
static bool
next_token(char **rest, char **token)
{
	char *at = *rest + strspn(*rest, " \t\r");
	if (*at == '\0' || *at == '#')
		return false;
	*token = at;
	at += strcspn(at, " \t\r#");
	if (*at == '#')
		*at = '\0';
	*rest = at;
	if (*at != '\0') {
		*at = '\0';
		*rest = at + 1;
	}
	return true;
}

static bool
parse_number(const char *text, uint64_t *value)
{
	char *end;
	errno = 0;
	if (*text < '0' || *text > '9')
		return false;
	*value = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

/* The text behind "name=", or NULL. */
static char *
value_of(char *token, const char *name, size_t name_length)
{
	if (strncmp(token, name, name_length) != 0 || token[name_length] != '=')
		return NULL;
	return token + name_length + 1;
}

/* Writes the operands that `names`, separated by spaces, says; *last is the last one. */
static bool
put_operands(struct assembler *a, const char *names, char *rest, uint64_t *last)
{
	char *token;
	while (*names != '\0') {
		size_t length = strcspn(names, " ");
		if (!next_token(&rest, &token))
			return refuse(a, "an operand is missing", names);
		char *text = value_of(token, names, length);
		if (text == NULL)
			return refuse(a, "another operand is due", token);
		if (strncmp(names, "size", length) == 0 && strcmp(text, "*") == 0) {
			a->open_size = a->out->length;
			for (unsigned i = 0; i < PADDED_BYTES; i++)
				put_byte(a, 0);
		} else if (!parse_number(text, last)) {
			return refuse(a, "not a number", text);
		} else {
			put_varint(a, *last);
		}
		names += length + (names[length] == ' ');
	}
	return !next_token(&rest, &token) || refuse(a, "too many operands", token);
}

/* ---- data lines */

static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

/* `count` digits in a base, at *at. */
static bool
take_digits(const char **at, unsigned count, unsigned base, uint32_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < count; i++, (*at)++) {
		if (digit_value(**at) >= base)
			return false;
		*value = *value * base + digit_value(**at);
	}
	return true;
}

/* The escape whose letter stands at *at. */
static bool
take_escape(const char **at, struct text *data)
{
	static const char letters[] = "abfnrtv\\\"", meant[] = "\a\b\f\n\r\t\v\\\"";
	const char *letter = strchr(letters, **at);
	char encoded[4];
	uint32_t value;
	if (**at != '\0' && letter != NULL) {
		text_add(data, &meant[letter - letters], 1);
		(*at)++;
		return true;
	}
	bool is_byte = **at == 'x' || digit_value(**at) < 8;
	bool ok;
	if (digit_value(**at) < 8) {
		ok = take_digits(at, 3, 8, &value);
	} else {
		unsigned digits = **at == 'x' ? 2 : **at == 'u' ? 4 : **at == 'U' ? 8 : 0;
		(*at)++;
		ok = digits > 0 && take_digits(at, digits, 16, &value);
	}
	if (!ok)
		return false;
	encoded[0] = (char)value;
	text_add(data, encoded, is_byte ? 1 : text_encode(value, encoded));
	return true;
}

static bool
unquote(const char *quoted, struct text *data)
{
	const char *end = quoted + strlen(quoted);
	while (end > quoted && strchr(" \t\r", end[-1]) != NULL)
		end--;
	if (end - quoted >= 2 && *quoted == '`' && end[-1] == '`') {
		text_add(data, quoted + 1, (size_t)(end - quoted) - 2);
		return true;
	}
	if (*quoted != '"')
		return false;
	for (const char *at = quoted + 1; *at != '\0';) {
		if (*at == '"')
			return true;
		if (*at != '\\') {
			text_add(data, at++, 1);
			continue;
		}
		at++;
		if (!take_escape(&at, data))
			return false;
	}
	return false;
}

static bool
put_data(struct assembler *a, const char *quoted)
{
	struct text data = { 0 };
	bool ok = unquote(quoted, &data) || refuse(a, "not a quoted string", quoted);
	if (ok) {
		put_varint(a, data.length);
		text_add(a->out, data.bytes, data.length);
	}
	a->is_data_due = false;
	text_release(&data);
	return ok;
}

/* ---- lines */

static bool
put_header(struct assembler *a, char *line)
{
	static const char before[] = "Trace Go1.";
	uint64_t minor;
	if (strncmp(line, before, sizeof(before) - 1) != 0 ||
	    !parse_number(line + sizeof(before) - 1, &minor))
		return refuse(a, "not a header", line);
	char header[17] = { 0 };
	snprintf(header, sizeof(header), "go 1.%u trace", (unsigned)minor);
	text_add(a->out, header, 16);
	return true;
}

static bool
put_event(struct assembler *a, const char *name, char *rest)
{
	unsigned id = 1;
	while (id < 256 && (wire_kinds[id].name == NULL || strcmp(wire_kinds[id].name, name) != 0))
		id++;
	if (id == 256)
		return refuse(a, "no such event", name);
	if (id == WIRE_EVENT_BATCH || id == WIRE_EXPERIMENTAL_BATCH ||
	    id == WIRE_END_OF_GENERATION)
		close_batch(a);
	uint64_t last = 0;
	put_byte(a, id);
	if (!put_operands(a, wire_kinds[id].args, rest, &last))
		return false;
	a->frames_due = id == WIRE_STACK ? last : 0;
	a->is_data_due = id == WIRE_STRING || id == WIRE_EXPERIMENTAL_BATCH;
	return true;
}

static bool
put_line(struct assembler *a, char *line)
{
	char *rest = line, *token;
	line += strspn(line, " \t\r");
	if (a->is_data_due && strncmp(line, "data=", 5) == 0)
		return put_data(a, line + 5);
	if (a->is_data_due && !put_data(a, "\"\""))
		return false;
	if (a->out->length == 0)
		return *line == '\0' || *line == '#' || put_header(a, line);
	if (a->frames_due > 0) {
		uint64_t last;
		a->frames_due--;
		return put_operands(a, "pc func file line", line, &last);
	}
	return !next_token(&rest, &token) || put_event(a, token, rest);
}

bool
texttrace_assemble(const char *text, size_t length, struct text *out, char problem[200])
{
	struct assembler a = { .at = text, .end = text + length, .out = out, .problem = problem };
	struct text line = { 0 };
	bool ok = true;
	while (ok && a.at < a.end) {
		const char *newline = memchr(a.at, '\n', (size_t)(a.end - a.at));
		const char *line_end = newline ? newline : a.end;
		a.line++;
		text_clear(&line);
		text_add(&line, a.at, (size_t)(line_end - a.at));
		ok = put_line(&a, line.bytes);
		a.at = newline ? newline + 1 : a.end;
	}
	if (ok && a.is_data_due)
		ok = put_data(&a, "\"\"");
	close_batch(&a);
	if (ok && (line.failed || out->failed))
		ok = refuse(&a, "no memory", "");
	text_release(&line);
	return ok;
}
