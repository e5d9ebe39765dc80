/* Buffered output. */
#include "dump/writer.h"

#include "base/memory.h"
#include "base/text.h"

bool
writer_init(struct writer *out, writer_flush_function *flush, void *context, struct error *err)
{
	*out = (struct writer){ .flush = flush, .context = context };
	out->bytes = array_new(WRITER_BUFFER_BYTES, 1, err);
	return out->bytes != NULL;
}

void
writer_release(struct writer *out)
{
	memory_free(out->bytes);
	*out = (struct writer){ 0 };
}

static void
hand_on(struct writer *out, const char *bytes, size_t length)
{
	if (!out->failed && length > 0)
		out->failed = !out->flush(out->context, bytes, length, &out->err);
}

void
writer_empty(struct writer *out)
{
	hand_on(out, out->bytes, out->used);
	out->used = 0;
	out->emptied++;
}

void
writer_add_long(struct writer *out, const char *bytes, size_t length)
{
	writer_empty(out);
	hand_on(out, bytes, length);
}

bool
writer_check(const struct writer *out, struct error *err)
{
	if (LIKELY(!out->failed))
		return true;
	*err = out->err;
	return false;
}

bool
writer_finish(struct writer *out, struct error *err)
{
	writer_empty(out);
	return writer_check(out, err);
}

/* ---- numbers */

static const char digit_pairs[] = "00010203040506070809"
				  "10111213141516171819"
				  "20212223242526272829"
				  "30313233343536373839"
				  "40414243444546474849"
				  "50515253545556575859"
				  "60616263646566676869"
				  "70717273747576777879"
				  "80818283848586878889"
				  "90919293949596979899";

static const char hex_digits[] = "0123456789abcdef";

/* Writes the digits so that they end before `end`; returns where they begin. */
static char *
digits_before(char *end, uint64_t number)
{
	while (number >= 100) {
		end -= 2;
		memcpy(end, digit_pairs + 2 * (number % 100), 2);
		number /= 100;
	}
	if (number < 10) {
		*--end = (char)('0' + number);
		return end;
	}
	end -= 2;
	memcpy(end, digit_pairs + 2 * number, 2);
	return end;
}

static unsigned
digit_count(uint64_t number)
{
	for (unsigned count = 1;; count += 4) {
		if (number < 10)
			return count;
		if (number < 100)
			return count + 1;
		if (number < 1000)
			return count + 2;
		if (number < 10000)
			return count + 3;
		number /= 10000;
	}
}

char *
writer_put_u64(char *at, uint64_t number)
{
	char *end = at + digit_count(number);
	digits_before(end, number);
	return end;
}

void
writer_u64(struct writer *out, uint64_t number)
{
	char *end = writer_put_u64(writer_room(out, WRITER_NUMBER_BYTES), number);
	out->used = (size_t)(end - out->bytes);
}

void
writer_i64(struct writer *out, int64_t number)
{
	if (number >= 0) {
		writer_u64(out, (uint64_t)number);
		return;
	}
	writer_char(out, '-');
	writer_u64(out, -(uint64_t)number);
}

void
writer_hex(struct writer *out, uint64_t number)
{
	char digits[16];
	size_t at = sizeof(digits);
	do {
		digits[--at] = hex_digits[number % 16];
		number /= 16;
	} while (number != 0);
	writer_add(out, digits + at, sizeof(digits) - at);
}

void
writer_padded(struct writer *out, uint64_t number, unsigned digits)
{
	char text[WRITER_NUMBER_BYTES];
	char *end = text + sizeof(text);
	char *first = digits_before(end, number);
	for (size_t have = (size_t)(end - first); have < digits; have++)
		writer_char(out, '0');
	writer_add(out, first, (size_t)(end - first));
}

/* The last `digits` hexadecimal ones. */
static void
write_hex(struct writer *out, uint32_t number, unsigned digits)
{
	while (digits-- > 0)
		writer_char(out, hex_digits[number >> 4 * digits & 15]);
}

void
writer_decimals(struct writer *out, uint64_t fraction, unsigned digits)
{
	if (fraction == 0)
		return;
	for (; fraction % 10 == 0; digits--)
		fraction /= 10;
	writer_char(out, '.');
	writer_padded(out, fraction, digits);
}

/* ---- quoted text */

/* The letter behind the backslash, 0 for none. */
static char
short_escape(unsigned char c)
{
	static const char escapes[] = {
		['\a'] = 'a',
		['\b'] = 'b',
		['\f'] = 'f',
		['\n'] = 'n',
		['\r'] = 'r',
		['\t'] = 't',
		['\v'] = 'v',
		['"'] = '"',
		['\\'] = '\\',
	};
	return c < sizeof(escapes) ? escapes[c] : 0;
}

static void
add_escaped_char(struct writer *out, const char *bytes, struct text_char c)
{
	unsigned char first = (unsigned char)*bytes;
	char escape = short_escape(first);
	if (escape != 0) {
		writer_char(out, '\\');
		writer_char(out, escape);
	} else if (!c.is_valid || first < 0x20 || first == 0x7f) {
		writer_string(out, "\\x");
		write_hex(out, first, 2);
	} else if (text_is_printable(c.code_point)) {
		writer_add(out, bytes, c.length);
	} else if (c.code_point < 0x10000) {
		writer_string(out, "\\u");
		write_hex(out, c.code_point, 4);
	} else {
		writer_string(out, "\\U");
		write_hex(out, c.code_point, 8);
	}
}

/* Printable ASCII that needs no backslash. */
static bool
is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void
writer_escaped(struct writer *out, const char *bytes, size_t length)
{
	size_t at = 0;
	while (at < length) {
		size_t plain = at;
		while (plain < length && is_plain((unsigned char)bytes[plain]))
			plain++;
		writer_add(out, bytes + at, plain - at);
		at = plain;
		if (at == length)
			return;
		struct text_char c = text_decode(bytes + at, length - at);
		add_escaped_char(out, bytes + at, c);
		at += c.length;
	}
}

void
writer_quoted(struct writer *out, const char *bytes, size_t length)
{
	writer_char(out, '"');
	writer_escaped(out, bytes, length);
	writer_char(out, '"');
}
